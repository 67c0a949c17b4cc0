"""Tables of scores and of how runs ended."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.measures.measure import Measure
from algorithms.measures.significance import BOOTSTRAP_TEXT, Interval
from algorithms.measures.summary import Spread, Summary
from annotate.evaluation.report.markup import (
    Markup,
    MarkupChild,
    decimal,
    fill_template,
    fold,
    join,
    milliseconds,
    share,
    slug,
    tag,
)
from annotate.evaluation.report.report_parts import ReportPart
from annotate.evaluation.store.rows import COUNTS
from annotate.evaluation.tables.references import EVERYTHING
from annotate.evaluation.tables.run_outcomes import LIMITS, percent
from engine.tree import Doubles
from engine.words import plural

STATUSES = ("ok", "empty", "failed", "timed out", "skipped")
_BINS = 20
_COUNT_NOTES = {
    "retrieved": "distinct block texts found, mean over pages",
    "hits": "those that match one of the gold, mean over pages",
    "relevant": "distinct block texts of the gold, mean over pages",
}


def table(
    heads: Sequence[MarkupChild],
    lines: Sequence[Sequence[MarkupChild]],
    *,
    caption: str,
    about: MarkupChild = None,
    class_: str = "",
    below: Sequence[Sequence[MarkupChild]] = (),
) -> Markup:
    """Return a table that scrolls horizontally when it is too wide; cells may be ``<td>`` already.

    ``about`` is before the caption; lines ``below`` stay there when the others are sorted.
    """
    return tag(
        "div",
        tag(
            "table",
            tag("caption", about, ", " if about else None, caption),
            tag("thead", tag("tr", *(_as(head, "th", scope="col") for head in heads))),
            tag("tbody", *(_line(line) for line in lines)),
            tag("tfoot", *(_line(line) for line in below)) if below else None,
            class_=class_ or None,
        ),
        class_="scroll",
        aria_label=caption,
    )


def _line(cells: Sequence[MarkupChild]) -> Markup:
    first, *others = cells
    return tag("tr", _as(first, "th", scope="row"), *(_as(cell, "td") for cell in others))


def _as(cell: MarkupChild, name: str, **attributes: object) -> Markup:
    is_cell = isinstance(cell, Markup) and cell.startswith(("<td", "<th"))
    return Markup(cell) if is_cell else tag(name, cell, **attributes)


def cell(text: MarkupChild, *, is_best: bool = False, **attributes: object) -> Markup:
    """Return a cell; the best of its kind is bold and has a star."""
    if not is_best:
        return tag("td", text, **attributes)
    star = tag("span", "★", class_="star", title="best here")
    return tag("td", star, tag("b", text), class_="best", **attributes)


def name_method(part: ReportPart, setup: str) -> MarkupChild:
    """Return a method's name, with how many pages it had learned from, where that are any."""
    seen = part.seen(setup)
    if not seen:
        return setup
    text = f"has seen the gold of {seen} of {plural(len(part.pages), 'page')}"
    return join((setup, " ", tag("small", text, title="it learned from them: no rank, no star")))


def measure_head(measure: Measure, *, as_row: bool = False) -> Markup:
    """Return a measure's name with its definition one click away."""
    name = tag("span", measure.name, class_="name")
    return tag("th", name, about(measure), scope="row" if as_row else "col")


def about(measure: Measure) -> Markup:
    """Return the button that opens a measure's definition."""
    opens, words = measure_id(measure), f"what {measure.name} is"
    return tag("button", "?", type="button", class_="about", popovertarget=opens, aria_label=words)


# Scores ------------------------------------------------------------------------------------


def _best(values: Sequence[float | None], measure: Measure) -> set[int]:
    """Return the positions of the best displayed values; none if all are equal.

    Of counts none is best: who finds nothing has no false alarm.
    """
    known = [round(v, 3) for v in values if v is not None]
    if len(known) < 2 or min(known) == max(known) or measure.is_count:
        return set()
    return {k for k, v in enumerate(values) if v is not None and round(v, 3) == max(known)}


@dataclass(frozen=True)
class _NumberColumn:
    """A column of numbers: its head, what that means, its number of a method."""

    name: str
    note: str
    read: Callable[[Summary], float | None]
    has_best: bool = False
    rank: Callable[[Summary], float | None] = lambda summary: summary.rank_value
    pages: Callable[[Summary], int] = lambda summary: summary.pages


def _number_columns(measure: Measure, summaries: Collection[Summary]) -> list[_NumberColumn]:

    def of_values(name: str, note: str, read: Callable[[Spread], float | None]) -> _NumberColumn:
        return _NumberColumn(name, note, lambda s: read(s.values), pages=lambda s: s.values.count)

    name, note = "mean", "mean over the pages that were scored"
    if measure.is_pooled:
        name, note = "pooled", "harmonic mean of mean precision and mean recall"
    columns = [_NumberColumn(name, note, lambda s: s.value, has_best=True)]
    if measure.is_pooled:
        columns.append(of_values("mean", "mean of the pages' values", lambda v: v.mean))
    columns += [
        of_values("median", "half of the pages score less", lambda v: v.median),
        of_values("lower quartile", "a quarter of the pages scores less", lambda v: v.low),
        of_values("upper quartile", "a quarter of the pages scores more", lambda v: v.high),
        of_values("σ", "standard deviation over pages", lambda v: v.deviation),
    ]
    if any(each.precision is not None for each in summaries):
        columns += [
            _NumberColumn(
                "P", "precision, mean over pages", lambda s: s.precision, has_best=True,
                rank=lambda s: None if s.unscored else s.precision,
                pages=lambda s: s.precision_pages,
            ),
            _NumberColumn(
                "R", "recall, mean over pages", lambda s: s.recall, has_best=True,
                rank=lambda s: None if s.unscored else s.recall,
                pages=lambda s: s.recall_pages,
            ),
        ]  # fmt: skip
    if any(each.unscored for each in summaries):
        note = "the value if every run that failed or timed out had found nothing"
        columns.append(
            _NumberColumn("failed as empty", note, lambda s: s.value_of_all,
                          pages=lambda s: s.pages_of_all)
        )  # fmt: skip
    return columns


def summary_table(
    part: ReportPart, measure: Measure, intervals: Mapping[str, Interval] | None = None
) -> Markup:
    """Return all numbers of one measure, a method a line, best first."""
    references = part.references(measure)
    against = references.known
    setups = [*part.ranked(measure), *against]
    result = {setup: part.summary(setup, measure) for setup in part.setups} | dict(against)
    columns = _number_columns(measure, result.values())
    counts = {setup: part.counts(setup, measure) for setup in part.setups}
    cells: list[list[MarkupChild]] = [
        [tag("em", setup) if setup in against else name_method(part, setup)] for setup in setups
    ]
    heads, own_count = [tag("th", "method", scope="col")], len(part.setups)
    for index, column in enumerate(columns):
        heads.append(tag("th", column.name, title=column.note, scope="col"))
        numbers = [column.read(result[setup]) for setup in setups]
        ranks = [None if part.seen(s) else column.rank(result[s]) for s in setups[:own_count]]
        best = _best(ranks, measure) if column.has_best else set()
        for k, number in enumerate(numbers):
            own = result[setups[k]]
            text = share(number, is_count=measure.is_count)
            mean = _mean(number, text, column.pages(own), own.pages)
            cells[k].append(cell(mean, is_best=k in best))
        if index == 0 and intervals is not None:
            note = f"of the mean: {BOOTSTRAP_TEXT}"
            heads.append(tag("th", "95 % interval", title=note, scope="col"))
            for k, setup in enumerate(setups):
                interval = intervals.get(setup)
                if interval is None or result[setup].values.count < 2:  # one page has no spread
                    cells[k].append(tag("td", "–"))
                    continue
                bounds = f"{share(interval.low)} to {share(interval.high)}"
                cells[k].append(tag("td", bounds, class_="interval"))
    if references.margins:
        note = "how much more than everything, which is the method plain, on the pages of both"
        heads.append(tag("th", f"over {EVERYTHING}", title=note, scope="col"))
        for k, setup in enumerate(setups):
            margin = references.margins.get(setup if setup in against else part.columns[setup])
            number, pages = margin or (None, 0)
            text = share(number, is_count=measure.is_count)
            cells[k].append(cell(_mean(number, text, pages, result[setup].pages)))
    if any(counts.values()):
        heads += [tag("th", name, title=_COUNT_NOTES[name], scope="col") for name in COUNTS]
        for k, setup in enumerate(setups):
            cells[k] += [decimal(counts.get(setup, {}).get(name), 2) for name in COUNTS]
    note = "share of pages by score, 0 to 1"
    heads.append(tag("th", "spread", title=note, scope="col", class_="still"))
    shown = [s for s in STATUSES[1:] if any(each.statuses.get(s) for each in result.values())]
    tails = {
        "zeros": "pages with a score of 0",
        "scored": "pages with a score: what a mean is over, but for those with (n)",
        **{status: f"runs that ended {status}" for status in shown},
    }
    heads += [tag("th", name, title=note, scope="col") for name, note in tails.items()]
    for k, setup in enumerate(setups):
        mine = result[setup]
        spread = None if setup in against else _histogram(part.values(setup, measure))
        cells[k].append(tag("td", spread, class_="spread"))
        cells[k] += [mine.values.zeros, mine.pages]
        cells[k] += [_count(mine.statuses.get(status, 0), status) for status in shown]
    return table(
        heads,
        cells[: len(part.setups)],
        below=cells[len(part.setups) :],
        about=join((tag("b", measure.name), about(measure))),
        caption=f"{part.dataset}, {part.input}, {plural(len(part.pages), 'page')}",
        class_="sorts",
    )


def _mean(number: float | None, text: str, pages: int, scored: int | None) -> MarkupChild:
    """Return a mean, followed by its number of pages if ``scored`` is another."""
    if number is None or pages == scored:
        return text
    return join((text, " ", tag("small", f"({pages})", title=f"over {plural(pages, 'page')}")))


def _count(count: int, status: str) -> Markup:
    if count and status in ("failed", "timed out"):
        return tag("td", tag("b", f"{count} !"), class_="bad")
    return tag("td", count, class_=None if count else "zero")


def _histogram(values: Doubles) -> Markup | None:
    """Return a small picture of how scores lie between 0 and 1; None for other numbers."""
    known = values[~np.isnan(values)]
    if not known.size or known.max() > 1 or known.min() < 0:
        return None
    counts = np.histogram(known, _BINS, (0, 1))[0]
    heights = np.maximum(1.0, 17 * counts / counts.max())
    bars = (f"M{4 * k} 18v-{heights[k]:.0f}h3V18z" for k in np.flatnonzero(counts).tolist())
    path = tag("path", d="".join(bars))
    return tag("svg", path, viewBox="0 0 80 18", class_="histogram", aria_hidden="true")


def overview_table(part: ReportPart, measures: Sequence[Measure], what: str) -> Markup:
    """Return the value of every method by every measure; the longer of the two makes the lines.

    The number of pages is beside each measure; where methods differ in it, beside each mean.
    """
    setups = part.ranked(part.main)
    pages: list[str] = []
    cells: list[list[Markup]] = []  # a list a measure
    for measure in measures:
        own = [part.summary(setup, measure) for setup in setups]
        best = _best(
            [
                None if part.seen(s) else each.rank_value
                for s, each in zip(setups, own, strict=True)
            ],
            measure,
        )
        known = {each.pages for each in own if each.value is not None}
        pages.append(str(min(known)) if len(known) == 1 else "" if known else "0")
        cells.append([])
        for k, each in enumerate(own):
            text = share(each.value, is_count=measure.is_count)
            mean = _mean(each.value, text, each.pages, each.pages if pages[-1] else None)
            cells[-1].append(cell(mean, is_best=k in best))
    caption = f"Values by {what}, {part.dataset}, {part.input}"
    if len(measures) >= len(setups):
        by_measure = zip(measures, pages, cells, strict=True)
        lines = [[measure_head(m, as_row=True), count, *own] for m, count, own in by_measure]
        return table(
            ["measure", "pages", *(name_method(part, s) for s in setups)],
            lines,
            caption=caption,
            class_="sorts",
        )
    rows = zip(setups, *cells, strict=True)
    by_method: list[list[MarkupChild]] = [[name_method(part, s), *own] for s, *own in rows]
    heads = ["method", *map(measure_head, measures)]
    return table(heads, by_method, caption=caption, class_="sorts", below=[["pages", *pages]])


def time_table(part: ReportPart) -> Markup:
    order: list[tuple[float, str, list[MarkupChild]]] = []
    for setup in part.setups:
        result, numbers = part.times(setup), [np.inf] * 4
        if result.size:
            median, most = float(np.median(result)), float(np.quantile(result, 0.95))
            numbers = [median, float(result.mean()), most, float(result.max())]
        texts = (milliseconds(n if result.size else None) for n in numbers)
        order.append((numbers[0], setup, [setup, *texts, result.size]))
    order.sort(key=lambda each: each[:2])
    lines = [line for _, _, line in order]
    whole = [
        k for k, (_, setup, _) in enumerate(order) if not part.summary(setup, part.main).unscored
    ]
    if len(order) > 1 and whole and np.isfinite(order[whole[0]][0]):  # who failed saved the time
        lines[whole[0]][1] = cell(lines[whole[0]][1], is_best=True)
    heads = ["method", "median ms", "mean ms", "95 % are below, ms", "longest ms", "runs"]
    caption = f"Time per page, {part.dataset}, {part.input}"
    return table(heads, lines, caption=caption, class_="sorts")


# How runs ended ----------------------------------------------------------------------------


def status_table(part: ReportPart) -> Markup:
    """Return how many runs ended how, a method a line."""
    counts = Counter((setup, status) for setup, _, status, _ in part.endings)
    lines = [
        [setup, *(_count(counts[setup, status], status) for status in STATUSES)]
        for setup in (*part.setups, *part.skipped)
    ]
    caption = f"How runs ended, {part.dataset}, {part.input}, {part.kind}"
    return table(["method", *STATUSES], lines, caption=caption, class_="sorts")


def reasons(part: ReportPart) -> Markup:
    """Return why runs gave nothing to score: each reason once, with methods and pages."""
    result: dict[tuple[str, str], tuple[dict[str, None], dict[str, None]]] = {}
    for setup, page, status, reason in part.endings:
        if reason:
            setups, pages = result.setdefault((status, reason), ({}, {}))
            setups[setup] = pages[page] = None
    if not result:
        return tag("p", "Every run gave something to score.", class_="note")
    lines: list[list[MarkupChild]] = []
    for (status, reason), (setups, pages) in result.items():
        is_all = len(setups) == len(part.setups) + len(part.skipped) > 1
        who = "all methods" if is_all else ", ".join(setups)
        names = tag("ul", *(tag("li", page) for page in pages))
        lines.append([reason, status, who, tag("td", fold(plural(len(pages), "page"), names))])
    caption = f"Reasons, {part.dataset}, {part.input}, {part.kind}"
    return table(["reason", "status", "methods", "pages"], lines, caption=caption, class_="words")


def location_table(part: ReportPart) -> Markup | None:
    """Return how much of gold and extracts is on the page; None where all of it is."""
    result = {
        setup: part.results.facts.located(part.columns[setup], part.rows) for setup in part.setups
    }
    if all(each.is_whole for each in result.values()):
        return None
    heads = ["method", "gold on the page", "extract on the page"]
    heads += [f"pages below {limit:.0%}" for limit in LIMITS]
    lines: list[list[MarkupChild]] = []
    for setup, own in result.items():
        known = part.summary(setup, part.main).pages
        shares = zip(own.means, own.pages, strict=True)
        means = [_mean(m, "–" if m is None else percent(m), pages, known) for m, pages in shares]
        lines.append([setup, *means, *map(str, own.gold_below())])
    caption = f"What is on the page, {part.dataset}, {part.input}, {part.kind}"
    return table(heads, lines, caption=caption, class_="sorts")


def list_unmeasured(part: ReportPart) -> Markup | None:
    """Return which measures left results unscored, and why; None where none did."""
    if not part.unmeasured:
        return None
    return Markup(fill_template("report/unmeasured.html", reasons=part.unmeasured))


def measure_id(measure: Measure) -> str:
    """Return the id of the element that the button of `about` opens."""
    return f"measure-{slug(measure.key)}"
