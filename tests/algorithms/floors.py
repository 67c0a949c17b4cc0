"""Floors: the last recorded score of each method, less a margin.

They are in floors.json beside this file, for the sample pages that come with Pagelet and for the
data sets of `tests.corpora`; `test_floors` measures again and compares.  `record_floors` records.
"""

import json
import statistics
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from algorithms.core.catalogue import EXTRACTORS, SEGMENTERS
from algorithms.measures.bcubed import score_bcubed
from algorithms.measures.blocks import BlockScorer
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words
from engine.source import Source
from tests.corpora import CORPORA, digest, documents
from tests.sample_pages import Sample, capture_samples, digest_of_samples

FLOORS = Path(__file__).with_name("floors.json")

SAMPLES = "sample-pages"
NAMES = (SAMPLES, *CORPORA)

TEXT_MEASURES = ("cs", "ws", "bow", "sow")
MARGIN = 0.004
BLOCK_MARGIN = 0.02
"""Blocks depend on the fonts of the machine too."""

Scores = dict[str, dict[str, float]]
"""Method and measure → mean F1."""


@dataclass(frozen=True)
class Measured:
    """Scores on pages that a digest tells from all others."""

    digest: str
    scores: Scores


def measure(name: str, datasets: Path, keys: Collection[str] = ()) -> Measured:
    """Measure on the pages of a name in `NAMES`; the sample pages are rendered.

    ``keys`` are the methods to measure; none: all.
    """
    if name == SAMPLES:
        return measure_samples(capture_samples(), keys)
    return measure_corpus(name, datasets, keys)


def measure_corpus(name: str, datasets: Path, keys: Collection[str] = ()) -> Measured:
    """Measure extractors on one of `CORPORA`, with pages as received."""
    pages = list(documents(datasets, name))
    cases = [(page.source, Words(page.gold)) for page in pages]
    return Measured(digest(pages), _extraction(cases, keys))


def measure_samples(samples: Mapping[str, Sample], keys: Collection[str] = ()) -> Measured:
    """Measure extractors on the sample pages as seen, and segmenters on them as rendered."""
    texts = [
        (sample.page.source("seen"), Words(sample.gold.as_extraction(sample.page).text))
        for sample in samples.values()
    ]
    return Measured(digest_of_samples(), _extraction(texts, keys) | _segmentation(samples, keys))


def _extraction(cases: list[tuple[Source, Words]], keys: Collection[str]) -> Scores:
    result = {}
    for entry in EXTRACTORS:
        if entry.on_source is None or (keys and entry.key not in keys):
            continue
        rows = []
        for source, gold in cases:
            scores = score_words(Words(entry.on_source(source, entry.params()).text), gold)
            rows.append({name: getattr(scores, name).f1 for name in TEXT_MEASURES})
        result[entry.key] = _means(rows)
    return result


def _segmentation(samples: Mapping[str, Sample], keys: Collection[str]) -> Scores:
    golds = [sample.gold.as_segmentation(sample.page) for sample in samples.values()]
    scorer = BlockScorer()
    results = {}
    for entry in SEGMENTERS:
        if keys and entry.key not in keys:
            continue
        rows = []
        for sample, gold in zip(samples.values(), golds, strict=True):
            result = entry.on_page(sample.page, entry.params())
            texts = scorer.score(result, gold)
            rows.append(
                {
                    "exact": texts.exact["all"].prf.f1,
                    "fuzzy": texts.fuzzy["all"].prf.f1,
                    "b3-chars": score_bcubed(result, gold, "chars").f1,
                }
            )
        results[entry.key] = _means(rows)
    return results


def _means(rows: list[dict[str, float]]) -> dict[str, float]:
    return {name: statistics.fmean(row[name] for row in rows) for name in rows[0]}


def margin(method: str) -> float:
    """Return the margin between a method's scores and its floors."""
    return BLOCK_MARGIN if any(entry.key == method for entry in SEGMENTERS) else MARGIN


def read_floors() -> dict[str, Measured]:
    """Return the recorded floors, by name of the pages."""
    stored = json.loads(FLOORS.read_text("utf-8"))
    return {name: Measured(entry["digest"], entry["floors"]) for name, entry in stored.items()}


def write_floors(floors: Mapping[str, Measured]) -> None:
    """Record floors, names in the order of `NAMES`."""
    stored = {
        name: {"digest": floors[name].digest, "floors": floors[name].scores}
        for name in NAMES
        if name in floors
    }
    FLOORS.write_text(json.dumps(stored, indent=1) + "\n", "utf-8")
