"""Rows: one measure of one run on one page, typed, from the worker to the display.

They become texts only where a file is written (`cells`), and are read back from one by `parse_row`.
"""

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from algorithms.core.batch import Counts, RunStatus, Setup
from algorithms.core.catalogue import method
from algorithms.measures.prf import Score
from annotate.datasets.cases import Key
from engine.errors import InputError
from engine.version import own_version

COUNTS = ("retrieved", "hits", "relevant")
"""The distinct texts that Kreuzer's match counts."""

ROW_COLUMNS = (
    "dataset", "page", "page_hash", "gold_hash", "bytes", "input", "renderer", "viewport", "method",
    "version", "parameters", "status", "reason", "ms", "unmapped_words", "gold_on_page",
    "extract_on_page", "word_unit", "measure", "precision", "recall", "value", *COUNTS, "if_empty",
    "gold_seen",
)  # fmt: skip
"""``if_empty`` is P, R and value, as JSON, of what a failed extractor would have had for nothing;
a scorer that sees only extracted texts takes a missing one for empty."""

NEW_COLUMNS = frozenset({"gold_hash", "gold_on_page", "extract_on_page", "word_unit", "gold_seen"})
"""Columns that files of earlier versions do not have."""

SCORED = (RunStatus.OK, RunStatus.EMPTY)
"""Statuses of runs that gave something to score."""

_NO_SCORE = Score(None)


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Run of a method on one input of a page; all its rows share it.

    Attributes:
        dataset, page, input: Of which page; the input as the user calls it.
        method, version: Key and version.
        parameters: All of them, JSON.
        ms: Milliseconds it took; None where it did not run to an end.
        unmapped_words: Words it found that are not in the document; None of blocks.
        gold_on_page: Share of the gold's words, or blocks, located in what the method read; None
            where that is not known.
        extract_on_page: Share of the extract's words located there, as above; None of blocks.
        word_unit: Word unit for scripts without blanks; "" of blocks, or if unknown.
        page_hash: SHA-256 of the document; "" where it could not be read.
        size: Bytes that were read; 0 if unknown.
        renderer: Name and version; "" where the method reads no rendering.
        viewport: Width and height in CSS px, as above.
        gold_hash: SHA-256 of the gold as it is in its files; "" where that is not known.
        gold_seen: Whether the method learned from this gold; False too if unknown.
    """

    dataset: str
    page: str
    input: str
    method: str
    version: str = ""
    parameters: str = "{}"
    ms: float | None = None
    unmapped_words: int | None = None
    page_hash: str = ""
    size: int = 0
    renderer: str = ""
    viewport: tuple[int, int] | None = None
    gold_on_page: float | None = None
    extract_on_page: float | None = None
    word_unit: str = ""
    gold_hash: str = ""
    gold_seen: bool = False

    @property
    def key(self) -> Key:
        """Data set, page and input."""
        return self.dataset, self.page, self.input


@dataclass(frozen=True, slots=True)
class ResultRow:
    """Score of one run by one measure.

    Attributes:
        run: The run.
        measure: Key.
        status: Outcome of the run; also skipped if only this measure is not available.
        reason: Why there is no score, unless it is ok or empty.
        score: Without a value where there is none.
        counts: Distinct texts, of measures that count them.
        if_empty: Score of an empty result, of an extractor that failed.
    """

    run: RunFacts
    measure: str
    status: RunStatus
    reason: str = ""
    score: Score = _NO_SCORE
    counts: Counts | None = None
    if_empty: Score | None = None

    @property
    def kind(self) -> tuple[str, str, str, str]:
        """Key among the rows of a page: method, version, parameters, measure."""
        return self.run.method, self.run.version, self.run.parameters, self.measure


def version_of(setup: Setup) -> str:
    return sys.intern(setup.entry.version or own_version())


def version_now(key: str) -> str:
    """Return the version a method has here; "" for one that this Pagelet does not have."""
    try:
        return method(key).version or own_version()
    except InputError:
        return ""


def parameters_of(setup: Setup) -> str:
    """Return a setup's parameters, JSON."""
    return sys.intern(json.dumps(setup.params.as_dict()))  # in each row


# In files ----------------------------------------------------------------------------------


def cells(row: ResultRow) -> tuple[str, ...]:
    """Return a row as texts, one for each of `ROW_COLUMNS`; numbers with all their digits."""
    run, score, counts, missing = row.run, row.score, row.counts, row.if_empty
    return (
        run.dataset,
        run.page,
        run.page_hash,
        run.gold_hash,
        str(run.size or ""),
        run.input,
        run.renderer,
        "x".join(map(str, run.viewport or ())),
        run.method,
        run.version,
        run.parameters,
        str(row.status),
        row.reason,
        "" if run.ms is None else str(run.ms),
        "" if run.unmapped_words is None else str(run.unmapped_words),
        number(run.gold_on_page),
        number(run.extract_on_page),
        run.word_unit,
        row.measure,
        number(score.precision),
        number(score.recall),
        number(score.value),
        *(("",) * 3 if counts is None else (str(getattr(counts, name)) for name in COUNTS)),
        "" if missing is None else json.dumps([missing.precision, missing.recall, missing.value]),
        "yes" if run.gold_seen else "",
    )


def number(value: float | None) -> str:
    """Return all digits: recomputed values are compared to the ninth."""
    return "" if value is None else repr(value)


def parse_row(texts: Mapping[str, str]) -> ResultRow:
    """Return the row of a file, given by the names of its columns.

    Raises `ValueError` or `KeyError` where it is none.
    """
    wide, _, high = texts["viewport"].partition("x")
    run = RunFacts(
        texts["dataset"],
        texts["page"],
        texts["input"],
        texts["method"],
        texts["version"],
        texts["parameters"],
        _number(texts["ms"]),
        int(texts["unmapped_words"]) if texts["unmapped_words"] else None,
        texts["page_hash"],
        int(texts["bytes"] or 0),
        texts["renderer"],
        (int(wide), int(high)) if wide else None,
        _number(texts.get("gold_on_page", "")),
        _number(texts.get("extract_on_page", "")),
        texts.get("word_unit", ""),
        texts.get("gold_hash", ""),
        texts.get("gold_seen", "") == "yes",
    )
    counted = [texts[name] for name in COUNTS]
    missing = None
    if texts["if_empty"]:
        parts = ("" if each is None else str(each) for each in json.loads(texts["if_empty"]))
        precision, recall, value = map(_number, parts)
        missing = Score(value, precision, recall)
    return ResultRow(
        run,
        texts["measure"],
        RunStatus(texts["status"]),
        texts["reason"],
        Score(*(_number(texts[name]) for name in ("value", "precision", "recall"))),
        Counts(*map(int, counted)) if all(counted) else None,
        missing,
    )


def _number(text: str) -> float | None:
    if not text:
        return None
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a score")
    return value
