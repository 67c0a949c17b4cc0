"""Tables of segmenters: Kreuzer's match as the thesis prints it, then all other measures."""

from collections.abc import Sequence

from algorithms.measures.measure import BlockMeasure
from annotate.evaluation.kreuzer_figures import ThesisFigures, thesis_table
from annotate.evaluation.rows import COUNTS
from annotate.evaluation.tables import SetupGroup, aligned, digits, label, notes


def block_tables(name: str, origin: str, groups: Sequence[SetupGroup], complete: int = 0) -> str:
    """Return the tables of one data set: Kreuzer's match by input, then all other measures.

    Args:
        name: Of the data set.
        origin: Which of the thesis' data sets it is; "" for none.
        groups: By setup and input.
        complete: How many pages all of that data set has; 0 where that is not known.
    """
    parts = []
    measures = [m for m in groups[0].measures if isinstance(m, BlockMeasure)]
    for variant in dict.fromkeys(group.input for group in groups):
        here = [group for group in groups if group.input == variant]
        for measure in measures:
            if _is_like_the_thesis(measure):
                parts.append(_like_the_thesis(name, origin, variant, here, measure, complete))
        others = [m for m in measures if not _is_like_the_thesis(m)]
        scored = [m for m in others if any(g.summaries[m.key].values.count for g in here)]
        if scored:
            parts.append(_others(name, variant, here, scored))
        parts += notes(here)
    return "\n\n".join(parts)


def _is_like_the_thesis(measure: BlockMeasure) -> bool:
    return measure.match is not None and not measure.has_one_level


def _like_the_thesis(
    name: str,
    origin: str,
    variant: str,
    groups: Sequence[SetupGroup],
    measure: BlockMeasure,
    complete: int,
) -> str:
    thesis = thesis_table(origin, variant, measure.key)
    lines = [["method", "P", "R", "F", *COUNTS, "zeros", "failed", "ms"]]
    if thesis is not None:
        lines[0] += ["|", "P", "R", "F", *COUNTS]
    order = sorted(groups, key=lambda group: -(group.summaries[measure.key].value or 0.0))
    for group in order:
        result, counts = group.summaries[measure.key], group.counts[measure.key]
        cells = [digits(value) for value in (result.precision, result.recall, result.value)]
        cells += [digits(count, 2) for count in counts or (None,) * 3]
        cells += [str(result.values.zeros), str(result.unscored), digits(group.ms_median, 1)]
        if thesis is not None:
            cells += ["|", *_figures(thesis.lines.get(group.setup.method))]
        lines.append([label(group, groups), *cells])
    pages = max((group.pages(measure) for group in groups), default=0)
    title = f"{name}, {variant}, {measure.name} match: {pages} pages"
    if thesis is not None:
        title += f"; right of the bar, the thesis' table {thesis.number}"
        if pages != complete:
            title += f", which is of all {complete} pages, and these figures of {pages} of them"
    return f"{title}\n{aligned(lines)}"


def _figures(line: ThesisFigures | None) -> list[str]:
    if line is None:
        return ["-"] * 6
    return [
        *(f"{value:.2f}" for value in (line.precision, line.recall, line.f1)),
        *(f"{value:.2f}" for value in (line.retrieved, line.hits, line.relevant)),
    ]


def _others(
    name: str, variant: str, groups: Sequence[SetupGroup], measures: Sequence[BlockMeasure]
) -> str:
    """Return a table a method is a column of, with precision and recall where there are some."""
    lines = [["measure", *(label(group, groups) for group in groups)]]
    for measure in measures:
        cells = []
        for group in groups:
            result = group.summaries[measure.key]
            if result.precision is None or result.recall is None:
                cells.append(digits(result.value))
            else:
                both = f"{digits(result.precision, 2)}/{digits(result.recall, 2)}"
                cells.append(f"{both} {digits(result.value)}")
        lines.append([measure.key, *cells])
    return f"{name}, {variant}, other measures: P/R and value\n{aligned(lines)}"
