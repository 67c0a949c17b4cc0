"""Tables of segmenters: Kreuzer's match as the thesis prints it, then all other measures."""

from collections.abc import Sequence

from algorithms.measures.measure import BlockMeasure
from annotate.evaluation.store.rows import COUNTS
from annotate.evaluation.tables.published import PublishedTable, built_in
from annotate.evaluation.tables.summaries import (
    SetupGroup,
    align_cells,
    digits,
    label,
    mean_column,
    notes,
)


def _thesis_table(dataset: str, variant: str, match: str) -> PublishedTable | None:
    """Return the table of chapter 7 of the thesis that a result belongs beside, if there is one.

    Source: R. Kreuzer, "A Quantitative Comparison of Semantic Web Page Segmentation Algorithms",
    Utrecht 2013, as the museum has it (``resources/museum``).  Means over pages of precision,
    recall, F, and of distinct texts retrieved, hit and relevant.

    Args:
        dataset: ``"random"``, ``"popular"``, or any other.
        variant: Of the pages.  The thesis calls the repaired DOM the DOM; the file
            published as such is another page's for some pages.
        match: ``"exact"`` or ``"fuzzy"``.
    """
    wanted = dataset, "repaired" if variant == "dom" else variant, match
    named = (each for each in built_in() if each.data.origin and each.rows)
    same = (t for t in named if (t.data.origin, t.input, t.columns[0].measure) == wanted)
    return next(same, None)


def block_tables(name: str, origin: str, groups: Sequence[SetupGroup], complete: int = 0) -> str:
    """Return the tables of one data set: Kreuzer's match by input, then all other measures.

    Args:
        name: Of the data set.
        origin: Data set of the thesis; "" for none.
        groups: By setup and input.
        complete: Number of pages of the whole data set; 0 if unknown.
    """
    parts = []
    measures = [m for m in groups[0].measures if isinstance(m, BlockMeasure)]
    of_thesis = [m for m in measures if m.match is not None and not m.has_one_level]
    others = [m for m in measures if m not in of_thesis]
    for variant in dict.fromkeys(group.input for group in groups):
        here = [group for group in groups if group.input == variant]
        for measure in of_thesis:
            parts.append(_like_the_thesis(name, origin, variant, here, measure, complete))
        scored = [m for m in others if any(g.summaries[m.key].values.count for g in here)]
        if scored:
            parts.append(_others(name, variant, here, scored))
        parts += notes(here)
    return "\n\n".join(parts)


def _like_the_thesis(
    name: str,
    origin: str,
    variant: str,
    groups: Sequence[SetupGroup],
    measure: BlockMeasure,
    complete: int,
) -> str:
    thesis = _thesis_table(origin, variant, measure.key)
    order = sorted(groups, key=lambda group: group.rank(measure))
    found = [group.summaries[measure.key] for group in order]
    scored = [each.pages for each in found]
    seen = ["gold seen", *(str(group.seen) for group in order)]
    means = {
        "P": [(digits(each.precision), each.precision_pages) for each in found],
        "R": [(digits(each.recall), each.recall_pages) for each in found],
        "F": [(digits(each.value), each.pages) for each in found],
    }
    columns = [["method", *(label(group, groups) for group in order)]]
    columns.append(["scored", *map(str, scored)])
    columns += [seen] if any(group.seen for group in order) else []
    columns += [mean_column(name, cells, scored) for name, cells in means.items()]
    for k, count in enumerate(COUNTS):
        counts = (group.counts[measure.key] or (None,) * 3 for group in order)
        columns.append([count, *(digits(each[k], 2) for each in counts)])
    columns.append(["zeros", *(str(each.values.zeros) for each in found)])
    columns.append(["failed", *(str(each.unscored) for each in found)])
    times = [(digits(group.ms_median, 1), group.timed) for group in order]
    columns.append(mean_column("ms", times, scored))
    if thesis is not None:
        columns.append(["|"] * (len(order) + 1))
        published = {row.method: [f"{value:.2f}" for value in row.published] for row in thesis.rows}
        figures = [published.get(group.setup.method, ["-"] * 6) for group in order]
        columns += map(list, zip(["P", "R", "F", *COUNTS], *figures, strict=True))
    pages = max((group.pages(measure) for group in groups), default=0)
    title = f"{name}, {variant}, {measure.name} match: {pages} pages"
    if thesis is not None:
        title += f"; right of the bar, the thesis' {thesis.source}"
        ran = {each.setup.method for each in order}
        others = [
            f"{row.label} with {', '.join(f'{name} {value}' for name, value in row.values.items())}"
            for row in thesis.rows if row.method in ran and row.values
        ]  # fmt: skip
        title += f" ({'; '.join(others)})" if others else ""
        if pages != complete:
            title += f", which is of all {complete} pages, and these figures of {pages} of them"
    return f"{title}\n{align_cells([*zip(*columns, strict=True)])}"


def _others(
    name: str, variant: str, groups: Sequence[SetupGroup], measures: Sequence[BlockMeasure]
) -> str:
    """Return a table a method is a column of, with precision and recall where there are some.

    The number of pages is beside each measure; where methods differ in it, beside each value.
    """
    lines = [["measure", "pages", *(label(group, groups) for group in groups)]]
    for measure in measures:
        summaries = [group.summaries[measure.key] for group in groups]
        counts = {each.pages for each in summaries if each.value is not None}
        cells = []
        for each in summaries:
            text = digits(each.value)
            if each.precision is not None and each.recall is not None:
                shares = (each.precision, each.precision_pages), (each.recall, each.recall_pages)
                both = (digits(v, 2) + ("" if n == each.pages else f" ({n})") for v, n in shares)
                text = f"{'/'.join(both)} {text}"
            differs = len(counts) > 1 and each.value is not None
            cells.append(f"{text} ({each.pages})" if differs else text)
        pages = str(counts.pop()) if len(counts) == 1 else ""
        lines.append([measure.key, pages, *cells])
    return f"{name}, {variant}, other measures: P/R and value\n{align_cells(lines)}"
