"""What an evaluation writes down at its end: summaries for files, and tables for the reader."""

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

import numpy as np

from algorithms.core.batch import RunStatus, Setup
from algorithms.core.catalogue import method
from algorithms.learning.seen import out_of_fold
from algorithms.measures.choice import measure_of
from algorithms.measures.measure import BlockMeasure, Measure
from algorithms.measures.summary import Summary
from algorithms.method import unknown_method
from annotate.datasets.cases import FORMS
from annotate.evaluation.store.rows import COUNTS, number, parameters_of, version_of
from annotate.evaluation.tables.axes import Column, pages_of_dataset, setup_label
from annotate.evaluation.tables.references import References, references
from annotate.evaluation.tables.result_table import EMPTY, NOT_RUN, OK, STATUSES, Results
from engine.errors import InputError, PageletError
from engine.words import in_one_line, plural

SUMMARY_COLUMNS = (
    "dataset", "method", "input", "version", "parameters", "measure", "pages", *RunStatus, "value",
    "value_failed_as_empty", "precision", "recall", "value_pages", "precision_pages",
    "recall_pages", "mean", "median", "quartile_1", "quartile_3",
    "deviation", "zeros", *COUNTS, "ms_median", "mb_per_s", "gold_on_page", "extract_on_page",
    "word_unit", "gold_seen",
)  # fmt: skip


class SetupGroup:
    """The results of one setup on one input of one data set.

    Attributes:
        setup: The method with its parameters.
        input: The form of the pages it read, by the user's name.
        measures: Measures of its scores.
        found: Measure → the summary of its scores.
        counts: Measure → the means of what Kreuzer's match counts; () of others.
        located: Share of gold and extracts that is on the page.
        word_unit: Word unit for scripts without blanks; "" of blocks.
        version: Of the method, when it ran.
        position: Its column in the results.
        nothing: On how many pages it found no content where gold has none, and where gold has some.
        dataset: Of the pages.
        seen: Number of pages whose gold the method learned from.
        timed: Number of runs with a result and a time.
        ms_median: Milliseconds of the median one.
        mb_per_s: Megabytes read by those runs a second.
    """

    def __init__(
        self,
        setup: Setup,
        case_input: str,
        results: Results,
        dataset: str,
        measures: Sequence[Measure],
    ) -> None:
        self.setup, self.input, self.measures = setup, case_input, measures
        position = results.column(Column.of(setup.method, parameters_of(setup), case_input))
        self.position = position
        is_here = pages_of_dataset(results.pages, dataset)
        rows = np.flatnonzero(is_here & (results.status[:, position] != NOT_RUN))
        self.summaries: dict[str, Summary] = {}
        self.counts: dict[str, tuple[float, ...]] = {}
        for measure in measures:
            self.summaries[measure.key] = results.summary(measure, position, rows)
            self.counts[measure.key] = results.counts(measure, position, rows)
        self.located = results.facts.located(position, rows)
        is_none = results.status[rows, position] == EMPTY
        has_none = results.with_empty_gold(measures, [position])[rows]
        self.nothing = int((is_none & has_none).sum()), int((is_none & ~has_none).sum())
        self.dataset, self.seen = dataset, results.facts.seen(position, rows)
        facts = (results.facts.get((row, position)) for row in rows.tolist())
        ran_first = next((row.run for row in facts if row is not None), None)
        self.word_unit = "" if ran_first is None else ran_first.word_unit
        self.version = version_of(setup) if ran_first is None else ran_first.version
        gave = np.isin(results.status[rows, position], (OK, EMPTY))
        ran = rows[gave & ~np.isnan(results.ms[rows, position])]
        seconds = (results.ms[ran, position] / 1000).tolist()
        total, size = sum(seconds), float(results.size[ran, position].sum())
        self.timed = len(seconds)
        self.ms_median = 1000 * statistics.median(seconds) if seconds else None
        self.mb_per_s = size / 1e6 / total if total else None

    def rank(self, measure: Measure) -> tuple[bool, float]:
        """Return the sort key, best first; methods that have seen gold have no rank."""
        return self.seen > 0, -(self.summaries[measure.key].rank_value or 0.0)

    def pages(self, measure: Measure) -> int:
        """Return on how many pages it was to be scored by a measure."""
        return sum(self.summaries[measure.key].statuses.values())


def groups_in(results: Results, dataset: str) -> tuple[SetupGroup, ...]:
    """Return the groups of a data set as its results name them; raises `InputError`.

    A method that is not installed here, such as a function, has a stand-in.
    """
    here = pages_of_dataset(results.pages, dataset)
    ran = here[:, None] & (results.status != NOT_RUN)
    every = [measure_of(key) for key in results.measures]
    groups = []
    there = np.flatnonzero(ran.any(axis=0)).tolist()
    for position in sorted(there, key=lambda k: ran[:, k].argmax()):
        column, rows = results.columns[position], np.flatnonzero(ran[:, position])
        measures = [m for m in every if (results.status_of(m, position)[rows] != NOT_RUN).any()]
        setup = _setup_of(column, measures)
        groups.append(SetupGroup(setup, column.input, results, dataset, measures))
    return tuple(groups)


def _setup_of(column: Column, measures: Sequence[Measure]) -> Setup:
    params: dict[str, Any] = dict(column.values)
    try:
        entry = method(column.method)
        entry.params(**params)
    except (InputError, TypeError):  # unknown here, or with the parameters of another version
        has_blocks = any(isinstance(measure, BlockMeasure) for measure in measures)
        output = "segmentation" if has_blocks else "extraction"
        entry = unknown_method(column.method, output, params)
    form = column.input if column.input in FORMS else entry.default_input()
    return Setup(column.method, entry.params(**params), form, entry.recipe)


def summary_rows(dataset: str, group: SetupGroup) -> Iterator[Mapping[str, object]]:
    """Yield the rows of one group, one a measure, for `SUMMARY_COLUMNS`."""
    for measure in group.measures:
        result = group.summaries[measure.key]
        yield {
            "dataset": dataset,
            "input": group.input,
            "method": group.setup.method,
            "version": group.version,
            "parameters": parameters_of(group.setup),
            "measure": measure.key,
            "pages": group.pages(measure),
            **{status: result.statuses.get(status, 0) for status in RunStatus},
            "value": number(result.value),
            "value_failed_as_empty": number(result.value_of_all),
            "precision": number(result.precision),
            "recall": number(result.recall),
            "value_pages": result.pages,
            "precision_pages": result.precision_pages,
            "recall_pages": result.recall_pages,
            "mean": number(result.values.mean),
            "median": number(result.values.median),
            "quartile_1": number(result.values.low),
            "quartile_3": number(result.values.high),
            "deviation": number(result.values.deviation),
            "zeros": result.values.zeros,
            **dict(zip(COUNTS, map(number, group.counts[measure.key] or (None,) * 3), strict=True)),
            "ms_median": number(group.ms_median),
            "mb_per_s": number(group.mb_per_s),
            "gold_on_page": number(group.located.means[0]),
            "extract_on_page": number(group.located.means[1]),
            "word_unit": group.word_unit,
            "gold_seen": group.seen,
        }


# For the reader ----------------------------------------------------------------------------


def text_table(name: str, groups: Sequence[SetupGroup], results: Results) -> str:
    """Return the table of one data set, best first by word sequences or the first measure.

    Below the methods are their references (`annotate.evaluation.tables.references`).
    """
    measures = groups[0].measures
    main = max(measures, key=attrgetter("is_main"))
    groups = sorted(groups, key=lambda g: g.rank(main))
    inputs = {group.input for group in groups}
    against = references_by_input(name, groups, results, measures)
    lines = [
        _Line(label(group, groups), group.input, group.summaries, against[group.input][main.key]
              .margins.get(group.position), group)
        for group in groups
    ]  # fmt: skip
    for case_input, by_measure in against.items():
        for reference in by_measure[main.key].known:
            summaries = {
                key: of.known[reference] for key, of in by_measure.items() if reference in of.known
            }
            margin = by_measure[main.key].margins.get(reference)
            lines.append(_Line(reference, case_input, summaries, margin))
    mains = [line.summaries[main.key] for line in lines]
    scored = [mine.pages for mine in mains]
    columns = [["method", *(line.name for line in lines)]]
    if len(inputs) > 1:
        columns.append(["input", *(line.input for line in lines)])
    columns.append(["scored", *map(str, scored)])
    if any(group.seen for group in groups):
        seen = ("" if line.group is None else str(line.group.seen) for line in lines)
        columns.append(["gold seen", *seen])
    columns += _ends(lines, main)
    for measure in measures:
        found = [line.summaries.get(measure.key) for line in lines]
        means = [(None, 0) if each is None else (each.value, each.pages) for each in found]
        columns.append(mean_column(measure.name, [(digits(v), n) for v, n in means], scored))
    if any(line.margin for line in lines):
        margins = [line.margin or (None, 0) for line in lines]
        texts = [("-" if v is None else f"{v:+.3f}", n) for v, n in margins]
        columns.append(mean_column("over everything", texts, scored))
    shares = {
        f"{main.name} P": [(mine.precision, mine.precision_pages) for mine in mains],
        f"{main.name} R": [(mine.recall, mine.recall_pages) for mine in mains],
        "σ": [(mine.values.deviation, mine.values.count) for mine in mains],
    }
    for head, numbers in shares.items():
        columns.append(mean_column(head, [(digits(v), n) for v, n in numbers], scored))
    columns += _of_runs(lines, scored)
    table = align_cells([*zip(*columns, strict=True)])
    has_others = any(cell.endswith(")") for column in columns[2:] for cell in column)
    about = ["(n): over n pages instead of those scored"] if has_others else []
    about += [f"input: {each}" for each in inputs if each and len(inputs) == 1]
    title = f"{name}: {plural(max(g.pages(main) for g in groups), 'page')}"
    empty = results.with_empty_gold(measures, [group.position for group in groups])
    empty = empty & pages_of_dataset(results.pages, name)
    title += f", {int(empty.sum())} of them with empty gold" if empty.any() else ""
    return "\n".join((title, table, *about, *notes(groups)))


@dataclass(frozen=True)
class _Line:
    """A line of the table of texts: a method, or what methods are to be seen against.

    Attributes:
        name, input: Its name, and the input it read.
        summaries: By measure.
        margin: How much better it is than everything, and on how many pages; None if not known.
        group: The method's results; None of what methods are to be seen against.
    """

    name: str
    input: str
    summaries: Mapping[str, Summary]
    margin: tuple[float | None, int] | None = None
    group: SetupGroup | None = None


def _ends(lines: Sequence[_Line], main: Measure) -> Iterator[list[str]]:
    mine = [line.summaries[main.key] for line in lines]
    counts = {
        "empty": [each.statuses.get("empty", 0) for each in mine],
        "failed": [each.unscored for each in mine],
    }
    if any("skipped" in each.statuses for each in mine):
        counts["skipped"] = [each.statuses.get("skipped", 0) for each in mine]
    for name, column in counts.items():
        texts = (
            "" if line.group is None else str(n) for line, n in zip(lines, column, strict=True)
        )
        yield [name, *texts]
    if any(counts["failed"]):  # what methods are ranked by
        texts = (
            "" if line.group is None else digits(each.value_of_all)
            for line, each in zip(lines, mine, strict=True)
        )
        yield ["failed as empty", *texts]


def _of_runs(lines: Sequence[_Line], scored: Sequence[int]) -> Iterator[list[str]]:
    """Yield columns of time, and of how much is on the page where that is not all."""
    groups = [line.group for line in lines]
    names = ["ms", "MB/s"]
    if not all(group is None or group.located.is_whole for group in groups):
        names += ["gold on page", "extract on page"]
    rows = []
    for group in groups:
        row = [("", 0)] * 4
        if group is not None:
            speeds = [(digits(each, 2), group.timed) for each in (group.ms_median, group.mb_per_s)]
            row = speeds + list(
                zip(map(digits, group.located.means), group.located.pages, strict=True)
            )
        rows.append(row)
    for name, cells in zip(names, zip(*rows, strict=True), strict=False):
        yield mean_column(name, cells, scored)


def mean_column(
    name: str, cells: Sequence[tuple[str, int]], scored: Sequence[int | None]
) -> list[str]:
    """Return a column of means as texts, its name first.

    Args:
        name: Of the column.
        cells: Each mean as text, and over how many pages it is; "" and dashes are none.
        scored: The number of pages that stands elsewhere in each line; None where none does.

    A different number of pages is in brackets: once beside the name where it is the same in the
    whole column, else in the cells that differ.
    """
    known = [k for k, (text, _) in enumerate(cells) if text not in ("", "-", "–")]
    others = [k for k in known if cells[k][1] != scored[k]]
    counts = {cells[k][1] for k in known}
    if others and len(counts) == 1:
        name, others = f"{name} ({counts.pop()})", []
    texts = (f"{text} ({n})" if k in others else text for k, (text, n) in enumerate(cells))
    return [name, *texts]


def references_by_input(
    dataset: str, groups: Sequence[SetupGroup], results: Results, measures: Sequence[Measure]
) -> dict[str, dict[str, References]]:
    """Return by input and measure what methods are to be seen against."""
    rows = np.flatnonzero(pages_of_dataset(results.pages, dataset))
    return {
        case_input: {
            measure.key: references(
                results, [g.position for g in groups if g.input == case_input], rows, measure
            )
            for measure in measures
        }
        for case_input in dict.fromkeys(group.input for group in groups)
    }


def notes(groups: Sequence[SetupGroup]) -> Iterator[str]:
    """Yield notes on the numbers: parameters, what a word is, how much gold is on the page."""
    if any(group.setup.params.changed() for group in groups):
        yield "*: not with its published parameters"
    for group in groups:
        if group.seen:
            yield seen_sentence(group)
    for group in groups:
        right, wrong = group.nothing
        if any(group.nothing):
            pages = plural(right + wrong, "page")
            yield (
                f"{group.setup.method} found no main content on {pages}: "
                f"right on {right}, a false alarm on {wrong}"
            )
    units = dict.fromkeys(group.word_unit for group in groups if group.word_unit)
    if units:
        yield f"word unit: {', '.join(units)}"
    for name, mine in groupby(sorted(groups, key=attrgetter("input")), attrgetter("input")):
        if sentence := max((group.located.sentence for group in mine), key=len):
            yield f"{name}: {sentence}"


def seen_sentence(group: SetupGroup) -> str:
    """Return that a method had learned from gold of the pages, and how it does on others."""
    pages = plural(max(map(group.pages, group.measures)), "page")
    text = f"{group.setup.method} has seen the gold of {group.seen} of {pages}: it has no rank"
    card, elsewhere = group.setup.entry.card, ""
    with suppress(PageletError):  # its model may be gone since
        elsewhere = "" if card is None else out_of_fold(card(group.setup.params), group.dataset)
    return f"{text}; {elsewhere}" if elsewhere else text


def site_table(
    groups: Sequence[SetupGroup], dataset: str, sites: Mapping[str, str], results: Results
) -> str:
    """Return each method's main measure by site, best mean of sites first.

    ``sites`` gives the site of each page of the data set; "" unless there are several.
    """
    rows: dict[str, list[int]] = {}
    for page, site in sites.items():
        row = results.row_of(dataset, page)
        if site and row >= 0:
            rows.setdefault(site, []).append(row)
    if len(rows) < 2:
        return ""
    main = max(groups[0].measures, key=attrgetter("is_main"))
    by_site: dict[SetupGroup, list[Summary]] = {}
    means: dict[SetupGroup, tuple[float | None, int]] = {}
    for group in groups:
        own = [results.summary(main, group.position, np.array(each)) for each in rows.values()]
        known = [each.value for each in own if each.value is not None]
        by_site[group] = own
        means[group] = (statistics.fmean(known) if known else None, len(known))
    order = sorted(groups, key=lambda group: -(means[group][0] or 0.0))
    columns = [["method", *(label(group, groups) for group in order)]]
    if len({group.input for group in groups}) > 1:
        columns.append(["input", *(group.input for group in order)])
    of_sites = [(digits(value), count) for value, count in map(means.__getitem__, order)]
    columns.append(mean_column("mean", of_sites, [len(rows)] * len(order)))
    for k, site in enumerate(rows):
        cells = [(digits(by_site[g][k].value), by_site[g][k].pages) for g in order]
        columns.append(mean_column(site, cells, [None] * len(order)))
    title = (
        f"{dataset}: {main.name} by site, {plural(len(rows), 'site')}; (n): over n pages of it, "
        "of the mean: over n sites"
    )
    return f"{title}\n{align_cells([*zip(*columns, strict=True)])}"


def reasons(results: Results, most: int = 8) -> str:
    """Return why runs have no score, the most frequent reason first; "" where all have one."""
    gave_none = ~np.isin(results.status, (NOT_RUN, OK, EMPTY))
    counts = Counter(
        (STATUSES[results.status[page, column]], results.ending(page, column))
        for page, column in np.argwhere(gave_none).tolist()
    )
    if not counts:
        return ""
    lines = [f"{n} {status}: {reason}" for (status, reason), n in counts.most_common(most)]
    if len(counts) > most:
        lines.append(f"{sum(counts.values()) - sum(n for _, n in counts.most_common(most))} others")
    return "\n".join(["Runs without a score:", *(f"  {line}" for line in lines)])


def label(group: SetupGroup, groups: Sequence[SetupGroup]) -> str:
    """Return a method's key, with its parameters that are changed or in which groups differ."""
    key = group.setup.method
    sets = [g.setup.params.as_dict() for g in groups if g.setup.method == key]
    return setup_label(key, group.setup.params.as_dict(), sets)


def digits(value: float | None, decimals: int = 3) -> str:
    """Return a number for display; a dash for none."""
    return "-" if value is None else f"{value:.{decimals}f}"


def aligned_before(lines: Sequence[Sequence[str]], texts: Sequence[str]) -> str:
    """Return lines of cells as `align_cells` does, each followed by a text of any length."""
    rows = align_cells(lines).split("\n")
    widest = max(map(len, rows))
    both = zip(rows, texts, strict=True)
    return "\n".join(f"{row.ljust(widest)}  {text}".rstrip() for row, text in both)


def align_cells(lines: Sequence[Sequence[str]]) -> str:
    """Return lines of cells as text, the first column to the left, the others to the right.

    Names of pages may hold line breaks, and bytes that are no UTF-8.
    """
    lines = [[in_one_line(cell) for cell in line] for line in lines]
    first, *widths = (max(map(len, column)) for column in zip(*lines, strict=True))
    rows = ([name.ljust(first), *map(str.rjust, cells, widths)] for name, *cells in lines)
    return "\n".join("  ".join(row).rstrip() for row in rows)
