"""Readability.js, of Firefox' reader view, and Defuddle, where the user has their packages.

They run in a browser in a worker process: in the isolated world, on a copy of the document, with
the page's own scripts off (`engine.web.reader`).  The seconds of a result are those of ``parse``.
Their log of removals and candidates is their trace.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.explain.differences import words_kept
from algorithms.method import Method
from algorithms.params import Params, param
from algorithms.plugins.external.libraries import ask, ask_worker
from algorithms.results import Extraction
from algorithms.trace import Rule, Step, Trace, step
from engine.errors import InputError
from engine.processes.foreign import ForeignWorker, worker_for
from engine.runs import runs_of
from engine.sequences import common_words
from engine.source import Source
from engine.tree import Bools, Ints

_MODULE = "engine.web.reader"
"""Named, not imported: this process needs no browser."""

_LONG = re.compile(r"\d+\.\d{3,}")
"""Numbers with more digits than anyone reads."""

OUTSIDE = "outside the article it chose"
INSIDE = "in the article it chose"


@dataclass(frozen=True)
class ReadabilityJsParams(Params):
    characters: int = param(500, "fewest characters of an article", low=0, high=100_000)
    candidates: int = param(5, "best candidates that are compared", low=1, high=100)
    seconds: float = param(30.0, "time limit for one page, in seconds", low=0.1, high=600.0)


@dataclass(frozen=True)
class DefuddleParams(Params):
    hidden: bool = param(True, "remove hidden elements")
    low_scoring: bool = param(True, "remove blocks of a low score")
    patterns: bool = param(True, "remove by patterns: reading times, cards, boilerplate")
    seconds: float = param(30.0, "time limit for one page, in seconds", low=0.1, high=600.0)


@dataclass(frozen=True)
class BrowserReader:
    """A reader that is run in a browser.

    Attributes:
        name, params, cite, summary: As `Method` has them.
        package: The name of its package.
        kind: What `engine.web.reader` calls it.
        script: The file of the package that is run.
        options: Its own names of the parameters.
    """

    name: str
    package: str
    kind: str
    script: str
    params: type[Params]
    cite: str
    summary: str
    options: Mapping[str, str]


READERS = {
    "readability-js": BrowserReader(
        "Readability.js", "@mozilla/readability", "readability", "Readability.js",
        ReadabilityJsParams, "Arc90 2009; Mozilla", "What the reader view of Firefox keeps.",
        {"characters": "charThreshold", "candidates": "nbTopCandidates"},
    ),
    "defuddle": BrowserReader(
        "Defuddle", "defuddle", "defuddle", "dist/index.js",
        DefuddleParams, "Ango 2025", "What Obsidian's web clipper keeps.",
        {"hidden": "removeHiddenElements", "low_scoring": "removeLowScoring",
         "patterns": "removeContentPatterns"},
    ),
}  # fmt: skip
"""By the key of the method."""


def method_of(key: str, package: Path) -> Method:
    """Return the method for a folder of a reader's package; `InputError` if it is none."""
    reader = READERS[key]
    script = package / reader.script
    if not script.is_file():
        raise InputError(f"package must be the folder that holds {reader.script}, got {package}")

    def worker() -> ForeignWorker:
        return worker_for(_MODULE, f"{reader.kind}:{script}")

    def options(params: Params) -> dict[str, object]:
        return {reader.options.get(name, name): each for name, each in params.as_dict().items()}

    def extract(source: Source, params: Params) -> Extraction:
        return ask(worker(), source, options(params), "html")

    def trace(source: Source, params: Params) -> Trace:
        result = extract(source, params)  # as it is: talking may change it
        answer = ask_worker(worker(), source, {**options(params), "traces": True})
        return trace_of(source, result, answer["words"], answer["said"])

    return Method(
        key=key,
        name=reader.name,
        params=reader.params,
        output="extraction",
        cite=reader.cite,
        on_source=extract,
        summary=reader.summary,
        version=f"{reader.package} {_version(package)}",
        trace_source=trace,
    )


def _version(package: Path) -> str:
    try:
        return str(json.loads((package / "package.json").read_text("utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return "(version unknown)"


def trace_of(
    source: Source, extraction: Extraction, words: Sequence[str], records: Sequence[dict[str, Any]]
) -> Trace:
    """Return the decisions of a reader, from its report of the elements it removes and scores.

    Readers report on their copy of the document.  Its words are located in the source in order:
    a report on an element is about the words of that element.  First come the candidates with their
    scores, the best one last, then what was removed and why; what was neither removed nor kept is
    outside the article.  Words of the article are kept, whatever was reported before.

    Args:
        source: What it read.
        extraction: What it gave.
        words: Of its own copy, in order.
        records: See resources/js/reader.js.
    """
    is_kept = words_kept(extraction, source)
    pairs = common_words(words, source.words)
    steps = [step(Rule(OUTSIDE), _runs(~is_kept), kept=False)]
    for each in records:
        first, last = np.searchsorted(pairs[:, 0], [each["first"], each["last"]])
        mask = np.zeros(is_kept.size, dtype=bool)
        mask[pairs[first:last, 1]] = True
        if last > first:  # words between located words belong to the element, too
            mask[int(pairs[first, 1]) : int(pairs[last - 1, 1]) + 1] = True
        steps += _step(each, mask & ~is_kept if not each["kept"] else mask)
    # Candidates also hold dropped words: those were decided later.
    scored = [each for each in steps if each.kept.any()]
    others = [each for each in steps if not each.kept.any()]
    steps = [*scored, *others, step(Rule(INSIDE), _runs(is_kept), kept=True)]
    return Trace(tuple(each for each in steps if len(each)), is_kept.size)


def _step(record: dict[str, Any], mask: Bools) -> list[Step]:
    runs = _runs(mask)
    if not len(runs):
        return []
    score = np.nan if record["score"] is None else float(record["score"])
    what = record["what"] if record["kept"] else f"removed: {record['what']}"
    what = _LONG.sub(lambda number: f"{float(number[0]):.2f}", " ".join(what.split())[:300])
    return [step(Rule(what), runs, kept=record["kept"], values=score)]


def _runs(flags: Bools) -> Ints:
    return np.stack(runs_of(flags), axis=1).astype(np.int32)
