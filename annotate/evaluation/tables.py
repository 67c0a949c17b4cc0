"""What an evaluation writes down at its end: summaries for files, and tables for the reader."""

import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from algorithms.batch import RunStatus, Setup
from algorithms.catalogue import method
from algorithms.measures.choice import measure_of
from algorithms.measures.measure import BlockMeasure, Measure
from algorithms.measures.summary import Summary
from algorithms.stand_in import stand_in
from annotate.datasets.cases import FORMS
from annotate.evaluation.columns import Column, pages_of_dataset, setup_label
from annotate.evaluation.located import Located
from annotate.evaluation.references import EVERYTHING, references
from annotate.evaluation.results import EMPTY, NOT_RUN, OK, STATUSES, Results
from annotate.evaluation.rows import COUNTS, number, parameters_of, version_of
from engine.errors import InputError
from engine.words import plural

SUMMARY_COLUMNS = (
    "dataset", "method", "input", "version", "parameters", "measure", "pages", *RunStatus, "value",
    "value_failed_as_empty", "precision", "recall", "mean", "median", "quartile_1", "quartile_3",
    "deviation", "zeros", *COUNTS, "ms_median", "mb_per_s", "gold_on_page", "extract_on_page",
    "word_unit",
)  # fmt: skip


class SetupGroup:
    """The results of one setup on one input of one data set.

    Attributes:
        setup: The method with its parameters.
        input: What it read, as the user calls it.
        measures: What it was scored by.
        found: Measure → the summary of its scores.
        counts: Measure → the means of what Kreuzer's match counts; () of others.
        located: How much of gold and extracts is on the page.
        word_unit: What a word was in scripts without blanks; "" of blocks.
        version: Of the method, when it ran.
        ms_median: Milliseconds of the median run that gave a result.
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
        is_here = pages_of_dataset(results.pages, dataset)
        rows = np.flatnonzero(is_here & (results.status[:, position] != NOT_RUN))
        self.summaries: dict[str, Summary] = {}
        self.counts: dict[str, tuple[float, ...]] = {}
        for measure in measures:
            self.summaries[measure.key] = results.summary(measure, position, rows)
            self.counts[measure.key] = results.counts(measure, position, rows)
        self.located = Located.of(results, position, rows)
        facts = (results.facts.get((row, position)) for row in rows.tolist())
        ran_first = next((row.run for row in facts if row is not None), None)
        self.word_unit = "" if ran_first is None else ran_first.word_unit
        self.version = version_of(setup) if ran_first is None else ran_first.version
        gave = np.isin(results.status[rows, position], (OK, EMPTY))
        ran = rows[gave & ~np.isnan(results.ms[rows, position])]
        seconds = (results.ms[ran, position] / 1000).tolist()
        total, size = sum(seconds), float(results.size[ran, position].sum())
        self.ms_median = 1000 * statistics.median(seconds) if seconds else None
        self.mb_per_s = size / 1e6 / total if total else None

    def pages(self, measure: Measure) -> int:
        """Return on how many pages it was to be scored by a measure."""
        return sum(self.summaries[measure.key].statuses.values())


def groups_in(results: Results, dataset: str) -> tuple[SetupGroup, ...]:
    """Return the groups of a data set as its results name them; raises `InputError`.

    A method that is not installed here, such as a function, has a stand-in.
    """
    here = pages_of_dataset(results.pages, dataset)
    ran = here[:, None] & (results.status != NOT_RUN)
    groups = []
    for position in sorted(
        np.flatnonzero(ran.any(axis=0)).tolist(), key=lambda k: ran[:, k].argmax()
    ):
        column, rows = results.columns[position], np.flatnonzero(ran[:, position])
        measures = [
            measure_of(key)
            for key in results.measures
            if (results.status_of(measure_of(key), position)[rows] != NOT_RUN).any()
        ]
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
        entry = stand_in(column.method, output, params)
    form = column.input if column.input in FORMS else entry.inputs[0]
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
            "mean": number(result.values.mean),
            "median": number(result.values.median),
            "quartile_1": number(result.values.low),
            "quartile_3": number(result.values.high),
            "deviation": number(result.values.deviation),
            "zeros": result.values.zeros,
            **dict(zip(COUNTS, map(number, group.counts[measure.key] or (None,) * 3), strict=True)),
            "ms_median": number(group.ms_median),
            "mb_per_s": number(group.mb_per_s),
            "gold_on_page": number(group.located.gold_mean),
            "extract_on_page": number(group.located.extract_mean),
            "word_unit": group.word_unit,
        }


# For the reader ----------------------------------------------------------------------------


def text_table(name: str, groups: Sequence[SetupGroup], results: Results) -> str:
    """Return the table of one data set, best first by word sequences or the first measure.

    Below the methods stands what they are to be seen against (`annotate.evaluation.references`).
    """
    measures = groups[0].measures
    main = next((m for m in measures if m.is_main), measures[0])
    groups = sorted(groups, key=lambda g: -(g.summaries[main.key].value or 0.0))
    inputs = {group.input for group in groups}
    title = f"{name}: {plural(max(g.pages(main) for g in groups), 'page')}"
    has_skipped = any("skipped" in g.summaries[main.key].statuses for g in groups)
    head = ["method", *(["input"] if len(inputs) > 1 else []), "scored", "empty", "failed"]
    head += ["skipped"] if has_skipped else []
    head += [measure.name for measure in measures]
    against = references_by_input(name, groups, results, measures)
    whole = {case_input: known.get(EVERYTHING) for case_input, known in against.items()}
    has_margin = any(whole.values())
    head += ["over everything"] if has_margin else []
    head += [f"{main.name} P", f"{main.name} R", "σ", "ms", "MB/s"]
    is_whole = all(group.located.is_whole for group in groups)
    head += [] if is_whole else ["gold on page", "extract on page"]
    lines = []
    for group in groups:
        mine = group.summaries[main.key]
        line: list[Any] = [label(group, groups)]
        line += [group.input] if len(inputs) > 1 else []
        line += [mine.values.count, mine.statuses.get("empty", 0), mine.unscored]
        line += [mine.statuses.get("skipped", 0)] if has_skipped else []
        line += [digits(group.summaries[measure.key].value) for measure in measures]
        line += [_margin(mine, whole[group.input], main)] if has_margin else []
        line += [digits(mine.precision), digits(mine.recall), digits(mine.values.deviation)]
        line += [digits(group.ms_median, 2), digits(group.mb_per_s, 2)]
        shares = (group.located.gold_mean, group.located.extract_mean)
        line += [] if is_whole else map(digits, shares)
        lines.append([str(cell) for cell in line])
    for case_input, known in against.items():
        for reference, by_measure in known.items():
            mine = by_measure[main.key]
            line = [reference, *([case_input] if len(inputs) > 1 else []), mine.values.count]
            line += ["", "", *([""] if has_skipped else [])]
            summaries = (by_measure.get(measure.key) for measure in measures)
            line += [digits(None if each is None else each.value) for each in summaries]
            line += [_margin(mine, whole[case_input], main)] if has_margin else []
            line += [digits(mine.precision), digits(mine.recall), digits(mine.values.deviation)]
            lines.append([*map(str, line), *[""] * (len(head) - len(line))])
    return "\n".join((title, aligned([head, *lines]), *notes(groups)))


ByMeasure = Mapping[str, Summary]
"""Measure → summary."""


def references_by_input(
    dataset: str, groups: Sequence[SetupGroup], results: Results, measures: Sequence[Measure]
) -> dict[str, dict[str, ByMeasure]]:
    """Return by input and name what methods are to be seen against."""
    rows = np.flatnonzero(pages_of_dataset(results.pages, dataset))
    main = next((m for m in measures if m.is_main), measures[0])
    made: dict[str, dict[str, ByMeasure]] = {}
    for case_input in dict.fromkeys(group.input for group in groups):
        columns = [
            results.column(Column.of(g.setup.method, parameters_of(g.setup), case_input))
            for g in groups
            if g.input == case_input
        ]
        known: dict[str, dict[str, Summary]] = {}
        for measure in measures:
            for name, summary in references(results, columns, rows, measure).items():
                known.setdefault(name, {})[measure.key] = summary
        made[case_input] = {name: mine for name, mine in known.items() if main.key in mine}
    return made


def _margin(mine: Summary, whole: ByMeasure | None, main: Measure) -> str:
    """Return how much better a method is than everything, by the main measure."""
    least = None if whole is None else whole[main.key].value
    return "-" if mine.value is None or least is None else f"{mine.value - least:+.3f}"


def notes(groups: Sequence[SetupGroup]) -> Iterator[str]:
    """Say what the numbers depend on: parameters, what a word is, how much gold is on the page."""
    if any(group.setup.params.changed() for group in groups):
        yield "*: not with its published parameters"
    units = dict.fromkeys(group.word_unit for group in groups if group.word_unit)
    if units:
        yield f"word unit: {', '.join(units)}"
    for name, mine in groupby(sorted(groups, key=lambda each: each.input), lambda e: e.input):
        sentence = max((group.located.sentence for group in mine), key=len)
        if sentence:
            yield f"{name}: {sentence}"


def site_table(
    groups: Sequence[SetupGroup], dataset: str, sites: Mapping[str, str], results: Results
) -> str:
    """Return each method's main measure by site, best mean of sites first.

    ``sites`` says of which each page of the data set is; "" unless there are several.
    """
    rows: dict[str, list[int]] = {}
    for page, site in sites.items():
        row = results.row_of(dataset, page)
        if site and row >= 0:
            rows.setdefault(site, []).append(row)
    if len(rows) < 2:
        return ""
    measures = groups[0].measures
    main = next((m for m in measures if m.is_main), measures[0])
    lines = []
    for group in groups:
        column = Column.of(group.setup.method, parameters_of(group.setup), group.input)
        position = results.column(column)
        result = [results.summary(main, position, np.array(each)).value for each in rows.values()]
        known = [value for value in result if value is not None]
        mean = statistics.fmean(known) if known else None
        where = [group.input] if len({each.input for each in groups}) > 1 else []
        lines.append((mean or 0.0, [label(group, groups), *where, *map(digits, [mean, *result])]))
    lines.sort(key=lambda line: -line[0])
    head = ["method", *(["input"] if len(lines[0][1]) > len(rows) + 2 else []), "mean", *rows]
    title = f"{dataset}: {main.name} by site, {plural(len(rows), 'site')}"
    return f"{title}\n{aligned([head, *(line for _, line in lines)])}"


def reasons(results: Results, most: int = 8) -> str:
    """Return why runs have no score at all, the commonest first; "" where all have one."""
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
    sets = [g.setup.params.as_dict() for g in groups if g.setup.method == group.setup.method]
    return setup_label(group.setup.method, group.setup.params.as_dict(), sets)


def digits(value: float | None, decimals: int = 3) -> str:
    """Return a number for a reader; a dash where there is none."""
    return "-" if value is None else f"{value:.{decimals}f}"


def aligned_before(lines: Sequence[Sequence[str]], texts: Sequence[str]) -> str:
    """Return lines of cells as `aligned` does, each with a text of any length behind it."""
    rows = aligned(lines).splitlines()
    widest = max(map(len, rows))
    return "\n".join(
        f"{row.ljust(widest)}  {text}".rstrip() for row, text in zip(rows, texts, strict=True)
    )


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
