"""What an evaluation of segmenters writes down: rows, summaries, and tables like the thesis'."""

import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from algorithms.batch import Setup
from algorithms.block_batch import BlockRun, score_of_nothing
from algorithms.measures.named_blocks import BlockMeasure
from algorithms.measures.prf import Score
from algorithms.measures.summary import PageScore, Summary, summarise
from annotate.datasets.kreuzer_figures import Figures, thesis_table
from gui.evaluation.ledger import Row
from gui.evaluation.page_work import PageFacts
from gui.evaluation.tables import (
    ROW_COLUMNS,
    SUMMARY_COLUMNS,
    Group,
    aligned,
    digits,
    number,
    setup_columns,
)

COUNTS = ("retrieved", "hits", "relevant")
BLOCK_ROW_COLUMNS = (*ROW_COLUMNS, *COUNTS)
BLOCK_SUMMARY_COLUMNS = (*SUMMARY_COLUMNS, *COUNTS)
"""Those of extracted texts, and the distinct texts that Kreuzer's match counts."""


def block_rows(
    place: tuple[str, str, str],
    facts: PageFacts | None,
    renderer: str,
    setup: Setup,
    run: BlockRun,
    measures: Sequence[BlockMeasure],
) -> Iterator[Mapping[str, object]]:
    """Yield the rows of one run, one a measure; ``place`` is data set, page and input."""
    dataset, page, name = place
    shared: dict[str, object] = {
        "dataset": dataset,
        "page": page,
        "page_hash": "" if facts is None else facts.digest,
        "bytes": "" if facts is None else facts.size,
        "input": name,
        "renderer": renderer,
        "viewport": "" if facts is None else "x".join(map(str, facts.viewport)),
        **setup_columns(setup),
        "ms": "" if run.seconds is None else round(1000 * run.seconds, 4),
        "unmapped_words": "",
    }
    for measure in measures:
        score = run.scores.get(measure.key, Score(None))
        counts = run.counts.get(measure.key)
        why_not = run.unscored.get(measure.key, "")
        yield {
            **shared,
            "status": "skipped" if why_not else run.status,
            "reason": why_not or run.reason,
            "measure": measure.key,
            "precision": number(score.precision),
            "recall": number(score.recall),
            "value": number(score.value),
            **{name: "" if counts is None else getattr(counts, name) for name in COUNTS},
        }


class BlockGroup(Group):
    """The rows of one setup on one input of one data set, as numbers."""

    def __init__(self, setup: Setup, rows: Sequence[Row], measures: Sequence[BlockMeasure]) -> None:
        super().__init__(setup)
        self.counts: dict[str, dict[str, float | None]] = {}
        self.found: dict[str, Summary] = {}
        for measure in measures:
            mine = [row for row in rows if row["measure"] == measure.key]
            scores = [_page_score(row, measure) for row in mine]
            self.pages[measure.key] = scores
            self.found[measure.key] = summarise(scores, is_pooled=measure.is_pooled)
            self.counts[measure.key] = {name: _mean_of(mine, name) for name in COUNTS}
        if measures:
            ran = [row for row in rows if row["measure"] == measures[0].key and row["ms"]]
            self.seconds = [float(row["ms"]) / 1000 for row in ran]
            self.sizes = [int(row["bytes"]) for row in ran]


def _page_score(row: Row, measure: BlockMeasure) -> PageScore:
    if row["status"] not in ("ok", "empty"):
        return PageScore(row["status"], None, score_of_nothing(measure.key))
    values = (_value(row[name]) for name in ("value", "precision", "recall"))
    return PageScore(row["status"], Score(*values))


def _value(text: str) -> float | None:
    return float(text) if text else None


def _mean_of(rows: Sequence[Row], name: str) -> float | None:
    known = [float(row[name]) for row in rows if row[name]]
    return statistics.fmean(known) if known else None


def count_columns(group: BlockGroup, measure: BlockMeasure) -> Mapping[str, object]:
    """Return what a summary has beside the columns of `gui.evaluation.tables.summary_row`."""
    return {name: number(value) for name, value in group.counts[measure.key].items()}


# For the reader ----------------------------------------------------------------------------


def block_tables(
    name: str, origin: str, groups: Sequence[BlockGroup], measures: Sequence[BlockMeasure]
) -> str:
    """Return the tables of one data set: Kreuzer's match by input, then all other measures.

    Args:
        name: Of the data set.
        origin: Which of the thesis' data sets it is; "" for none.
        groups: By setup and input.
        measures: What was scored.
    """
    parts = []
    for variant in dict.fromkeys(group.setup.input for group in groups):
        here = [group for group in groups if group.setup.input == variant]
        for measure in measures:
            if measure.key in ("exact", "fuzzy"):
                parts.append(_like_the_thesis(name, origin, variant, here, measure))
        others = [m for m in measures if m.key not in ("exact", "fuzzy")]
        scored = [m for m in others if any(g.found[m.key].values.count for g in here)]
        if scored:
            parts.append(_others(name, variant, here, scored))
    return "\n\n".join(parts)


def _like_the_thesis(
    name: str, origin: str, variant: str, groups: Sequence[BlockGroup], measure: BlockMeasure
) -> str:
    thesis = thesis_table(origin, variant, measure.key)
    lines = [["method", "P", "R", "F", *COUNTS, "zeros", "failed", "ms"]]
    if thesis is not None:
        lines[0] += ["|", "P", "R", "F", *COUNTS]
    order = sorted(groups, key=lambda group: -(group.found[measure.key].value or 0.0))
    for group in order:
        found, counts = group.found[measure.key], group.counts[measure.key]
        cells = [digits(value) for value in (found.precision, found.recall, found.value)]
        cells += [digits(counts[each], 2) for each in COUNTS]
        cells += [str(found.values.zeros), str(found.unscored), digits(group.ms_median, 1)]
        if thesis is not None:
            cells += ["|", *_figures(thesis.lines.get(group.setup.method))]
        lines.append([_label(group, groups), *cells])
    pages = max((len(group.pages[measure.key]) for group in groups), default=0)
    title = f"{name}, {variant}, {measure.name} match: {pages} pages"
    if thesis is not None:
        title += f"; right of the bar, the thesis' table {thesis.number}"
    return f"{title}\n{aligned(lines)}"


def _figures(line: Figures | None) -> list[str]:
    if line is None:
        return ["-"] * 6
    return [
        *(f"{value:.2f}" for value in (line.precision, line.recall, line.f1)),
        *(f"{value:.2f}" for value in (line.retrieved, line.hits, line.relevant)),
    ]


def _others(
    name: str, variant: str, groups: Sequence[BlockGroup], measures: Sequence[BlockMeasure]
) -> str:
    """Return a table a measure is a column of, with precision and recall where it has them."""
    lines = [["method", *(measure.key for measure in measures)]]
    for group in groups:
        cells = []
        for measure in measures:
            found = group.found[measure.key]
            if found.precision is None or found.recall is None:
                cells.append(digits(found.value))
            else:
                both = f"{digits(found.precision, 2)}/{digits(found.recall, 2)}"
                cells.append(f"{both} {digits(found.value)}")
        lines.append([_label(group, groups), *cells])
    return f"{name}, {variant}, other measures: P/R and value\n{aligned(lines)}"


def _label(group: BlockGroup, groups: Sequence[BlockGroup]) -> str:
    """Return a method's key, with its changed parameters where it is there more than once."""
    setup = group.setup
    return setup.method if sum(g.setup.method == setup.method for g in groups) == 1 else str(setup)


def page_name(path: str) -> str:
    """Return the name ``mapping.txt`` has for a page, of the path of one of its four files."""
    place = PurePosixPath(path)
    for ending in (".html.orig", ".dom.html", ".blocks.html"):
        if place.name.endswith(ending):
            return str(place.with_name(place.name.removesuffix(ending) + ".html"))
    return path
