"""What an evaluation writes down: rows and summaries for files, and tables for the reader."""

import json
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import metadata
from typing import Any, cast

from algorithms.batch import Measure, Run, RunStatus, Setup, score_of_nothing
from algorithms.measures.prf import Score
from algorithms.measures.summary import PageScore, Summary, summarise
from annotate.cases import Key
from engine.page import Input
from gui.evaluation.ledger import Row
from gui.evaluation.page_work import RENDERED, PageFacts

COUNTS = ("retrieved", "hits", "relevant")
"""The distinct texts that Kreuzer's match counts."""

ROW_COLUMNS = (
    "dataset", "page", "page_hash", "bytes", "input", "renderer", "viewport", "method", "version",
    "parameters", "status", "reason", "ms", "unmapped_words", "measure", "precision", "recall",
    "value", *COUNTS, "if_empty",
)  # fmt: skip
"""``if_empty`` is P, R and value, as JSON, of what a failed extractor would have had for nothing;
a scorer that sees only extracted texts takes a missing one for empty."""

SUMMARY_COLUMNS = (
    "dataset", "method", "input", "version", "parameters", "measure", "pages", *RunStatus, "value",
    "value_failed_as_empty", "precision", "recall", "mean", "median", "quartile_1", "quartile_3",
    "deviation", "zeros", *COUNTS, "ms_median", "mb_per_s",
)  # fmt: skip

_NO_SCORE = Score(None)


def rows_of(
    key: Key,
    facts: PageFacts | None,
    renderer: str,
    setup: Setup,
    run: Run,
    measures: Sequence[Measure],
) -> Iterator[Row]:
    """Yield the rows of one run, one a measure, for `ROW_COLUMNS`."""
    dataset, page, name = key
    facts = facts or PageFacts("", 0)
    is_rendered = setup.input in RENDERED
    viewport = facts.viewport if is_rendered else None
    size = facts.dom_size if is_rendered else facts.size
    shared = {
        "dataset": dataset,
        "page": page,
        "page_hash": facts.digest,
        "bytes": str(size or ""),
        "input": name,
        "renderer": renderer if is_rendered else "",
        "viewport": "x".join(map(str, viewport or ())),
        **setup_columns(setup),
        "ms": "" if run.seconds is None else str(round(1000 * run.seconds, 4)),
        "unmapped_words": "" if run.text is None else str(run.unmapped),
    }
    for measure in measures:
        score = run.scores.get(measure.key, _NO_SCORE)
        counts = run.counts.get(measure.key)
        why_not = run.unscored.get(measure.key, "")
        missing = run.if_empty.get(measure.key)
        yield {
            **shared,
            "status": "skipped" if why_not else str(run.status),
            "reason": why_not or run.reason,
            "measure": measure.key,
            "precision": number(score.precision),
            "recall": number(score.recall),
            "value": number(score.value),
            "retrieved": "" if counts is None else str(counts.retrieved),
            "hits": "" if counts is None else str(counts.hits),
            "relevant": "" if counts is None else str(counts.relevant),
            "if_empty": "" if missing is None else json.dumps(_numbers(missing)),
        }


def _numbers(score: Score) -> list[float | None]:
    return [score.precision, score.recall, score.value]


def setup_columns(setup: Setup) -> dict[str, str]:
    """Return what rows and summaries say of a setup, its input apart."""
    return {
        "method": setup.method,
        "version": setup.entry.version or own_version(),
        "parameters": json.dumps(setup.params.as_dict()),
    }


@cache
def own_version() -> str:
    """Return what Pagelet's own methods have for a version."""
    try:
        return f"pagelet {metadata.version('pagelet')}"
    except metadata.PackageNotFoundError:
        return "pagelet (not installed)"


def renderer_name() -> str:
    """Return what renders pages, with its version."""
    from PySide6.QtWebEngineCore import qWebEngineChromiumVersion, qWebEngineVersion

    # The stubs say bytes where there are texts.
    qt, chromium = str(qWebEngineVersion()), str(qWebEngineChromiumVersion())
    return f"QtWebEngine {qt} (Chromium {chromium})"


class Group:
    """The rows of one setup on one input of one data set, as numbers.

    Attributes:
        setup: The method with its parameters.
        input: What it read, as the user calls it.
        measures: What it was scored by.
        pages: Measure → its scores, a page each.
        found: Measure → the summary of those.
        counts: Measure → the means of what Kreuzer's match counts.
        ms_median: Milliseconds of the median run that gave a result.
        mb_per_s: Megabytes read by those runs a second.
    """

    def __init__(
        self, setup: Setup, case_input: str, rows: Sequence[Row], measures: Sequence[Measure]
    ) -> None:
        self.setup, self.input, self.measures = setup, case_input, measures
        self.pages: dict[str, list[PageScore]] = {}
        self.found: dict[str, Summary] = {}
        self.counts: dict[str, dict[str, float | None]] = {}
        by_measure: dict[str, list[Row]] = {measure.key: [] for measure in measures}
        for row in rows:
            by_measure[row["measure"]].append(row)
        for measure in measures:
            mine = by_measure[measure.key]
            self.pages[measure.key] = scores = [_page_score(row) for row in mine]
            self.found[measure.key] = summarise(scores, is_pooled=measure.is_pooled)
            self.counts[measure.key] = {name: _mean_of(mine, name) for name in COUNTS}
        first = by_measure[measures[0].key] if measures else []
        ran = [row for row in first if row["ms"] and row["status"] in ("ok", "empty")]
        seconds = [float(row["ms"]) / 1000 for row in ran]
        total = sum(seconds)
        self.ms_median = 1000 * statistics.median(seconds) if seconds else None
        self.mb_per_s = sum(int(row["bytes"] or 0) for row in ran) / 1e6 / total if total else None

    @property
    def shown(self) -> Setup:
        """The setup with the input as the user calls it."""
        return replace(self.setup, input=cast(Input, self.input))


def _page_score(row: Row) -> PageScore:
    if row["status"] not in ("ok", "empty"):
        return PageScore(row["status"], None, _if_empty(row))
    values = (_value(row[name]) for name in ("value", "precision", "recall"))
    return PageScore(row["status"], Score(*values))


def _if_empty(row: Row) -> Score | None:
    if not row["if_empty"]:
        return score_of_nothing(row["measure"])
    precision, recall, value = json.loads(row["if_empty"])
    return Score(value, precision, recall)


def _value(text: str) -> float | None:
    return float(text) if text else None


def _mean_of(rows: Sequence[Row], name: str) -> float | None:
    known = [float(row[name]) for row in rows if row[name]]
    return statistics.fmean(known) if known else None


def summary_rows(dataset: str, group: Group) -> Iterator[Mapping[str, object]]:
    """Yield the rows of one group, one a measure, for `SUMMARY_COLUMNS`."""
    for measure in group.measures:
        found = group.found[measure.key]
        yield {
            "dataset": dataset,
            "input": group.input,
            **setup_columns(group.setup),
            "measure": measure.key,
            "pages": sum(found.statuses.values()),
            **{status: found.statuses.get(status, 0) for status in RunStatus},
            "value": number(found.value),
            "value_failed_as_empty": number(found.value_of_all),
            "precision": number(found.precision),
            "recall": number(found.recall),
            "mean": number(found.values.mean),
            "median": number(found.values.median),
            "quartile_1": number(found.values.low),
            "quartile_3": number(found.values.high),
            "deviation": number(found.values.deviation),
            "zeros": found.values.zeros,
            **{name: number(value) for name, value in group.counts[measure.key].items()},
            "ms_median": number(group.ms_median),
            "mb_per_s": number(group.mb_per_s),
        }


def number(value: float | None) -> str:
    """Return all digits: what is recomputed elsewhere is compared to the ninth."""
    return "" if value is None else repr(value)


# For the reader ----------------------------------------------------------------------------


def text_table(name: str, groups: Sequence[Group]) -> str:
    """Return the table of one data set, best first by word sequences or the first measure."""
    measures = groups[0].measures
    main = next((m for m in measures if m.key == "ws"), measures[0])
    groups = sorted(groups, key=lambda g: -(g.found[main.key].value or 0.0))
    inputs = {group.input for group in groups}
    title = f"{name}: {max(len(g.pages[main.key]) for g in groups)} pages"
    has_skipped = any("skipped" in g.found[main.key].statuses for g in groups)
    head = ["method", *(["input"] if len(inputs) > 1 else []), "scored", "empty", "failed"]
    head += ["skipped"] if has_skipped else []
    head += [measure.name for measure in measures]
    head += [f"{main.name} P", f"{main.name} R", "σ", "ms", "MB/s"]
    lines = []
    for group in groups:
        mine = group.found[main.key]
        line: list[Any] = [label(group, groups)]
        line += [group.input] if len(inputs) > 1 else []
        line += [mine.values.count, mine.statuses.get("empty", 0), mine.unscored]
        line += [mine.statuses.get("skipped", 0)] if has_skipped else []
        line += [digits(group.found[measure.key].value) for measure in measures]
        line += [digits(mine.precision), digits(mine.recall), digits(mine.values.deviation)]
        line += [digits(group.ms_median, 2), digits(group.mb_per_s, 2)]
        lines.append([str(cell) for cell in line])
    return f"{title}\n{aligned([head, *lines])}"


def reasons(rows: Sequence[Row], most: int = 8) -> str:
    """Return why runs have no score at all, the commonest first; "" where all have one."""
    ended: dict[tuple[str, ...], set[tuple[str, str]]] = {}
    for row in rows:
        run = tuple(row[name] for name in ("dataset", "page", "input", "method", "parameters"))
        ended.setdefault(run, set()).add((row["status"], row["reason"]))
    counts = Counter(
        next(iter(ends))
        for ends in ended.values()
        if len(ends) == 1 and not ends & {("ok", ""), ("empty", "")}
    )
    if not counts:
        return ""
    lines = [f"{n} {status}: {reason}" for (status, reason), n in counts.most_common(most)]
    if len(counts) > most:
        lines.append(
            f"{sum(counts.values()) - sum(dict(counts.most_common(most)).values())} others"
        )
    return "\n".join(["Runs without a score:", *(f"  {line}" for line in lines)])


def label(group: Group, groups: Sequence[Group]) -> str:
    """Return a method's key, with its parameters where it is there with several."""
    mine = {g.setup.params for g in groups if g.setup.method == group.setup.method}
    return group.setup.method if len(mine) == 1 else str(group.setup)


def digits(value: float | None, places: int = 3) -> str:
    """Return a number for a reader; a dash where there is none."""
    return "-" if value is None else f"{value:.{places}f}"


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells as text, the first column to the left, the others to the right."""
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
