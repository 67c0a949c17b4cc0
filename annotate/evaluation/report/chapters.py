"""The chapters of the report."""

from collections.abc import Sequence
from dataclasses import dataclass

from algorithms.core.catalogue import method
from algorithms.measures.measure import Measure, ShownIn
from algorithms.measures.significance import Pair
from annotate.evaluation.report import comparisons, report_tables
from annotate.evaluation.report.comparisons import Comparisons
from annotate.evaluation.report.figures import Figures
from annotate.evaluation.report.markup import (
    Markup,
    MarkupChild,
    fill_template,
    fold,
    join,
    lead,
    probability,
    share,
    tag,
)
from annotate.evaluation.report.report_parts import ReportPart, Sorted
from annotate.evaluation.tables.axes import format_value
from engine.errors import InputError
from engine.word_units import UNIT_TEXT
from engine.words import join_words, plural
from resources import read_text

_LONG = 100
"""A fact of more letters takes the page's width."""


@dataclass(frozen=True)
class Chapter:
    """A chapter; without a body it is left out. ``short`` is its name in the bar of chapters."""

    id: str
    short: str
    title: str
    body: Markup


def part_title(results: Sorted, part: ReportPart) -> Markup:
    """Return the heading of a part within a chapter; only what tells it from others."""
    return tag("h3", _name(results, part))


def _name(results: Sorted, part: ReportPart) -> str:
    kinds = {each.kind for each in results.parts}
    name = f"{part.dataset}, {part.input}"
    return f"{name}: {part.kind}" if len(kinds) > 1 else name


def measures_of(results: Sorted) -> tuple[Measure, ...]:
    """Return all measures in the report."""
    return tuple(dict.fromkeys(measure for part in results.parts for measure in part.measures))


def head(results: Sorted) -> Markup:
    inputs = dict.fromkeys(part.input for part in results.parts)
    versions = dict.fromkeys(facts.version for facts in results.setups.values() if facts.version)
    datasets = (f"{name} ({plural(count, 'page')})" for name, count in results.datasets.items())
    texts = [
        ("Data sets", ", ".join(datasets)),
        ("Inputs", ", ".join(inputs)),
        ("Methods", f"{len(results.setups)}: {', '.join(results.setups)}"),
        ("Measures", str(len(measures_of(results)))),
        ("Word unit", "; ".join(f"{unit}: {UNIT_TEXT[unit]}" for unit in results.word_units)),
        ("Versions", ", ".join(versions)),
        ("Rendered by", ", ".join(results.renderers) or "nothing: no page had to be rendered"),
        ("Viewport", ", ".join(results.viewports)),
    ]
    facts = (
        tag("div", tag("dt", name), tag("dd", text), class_="long" if len(text) > _LONG else None)
        for name, text in sorted(texts, key=lambda fact: len(fact[1]) > _LONG)  # the long ones last
        if text
    )
    return tag("dl", *facts, class_="facts")


# In short ----------------------------------------------------------------------------------


def summary(results: Sorted, figures: Figures, compared: Comparisons) -> Chapter:
    """Return a summary, with a sentence for each part, and the means as figures."""
    groups: dict[tuple[str, str], list[ReportPart]] = {}
    for part in results.parts:
        groups.setdefault((part.dataset, part.kind), []).append(part)
    sentences, drawn = [], []
    for parts in groups.values():
        result = {part.input: compared.means(part, part.main) for part in parts}
        sentences += [tag("li", _sentence(results, part, compared)) for part in parts]
        if any(result.values()) and not parts[0].main.is_count:
            drawn.append(figures.means(parts, result))
    short = tag("ul", *sentences, class_="short")
    return Chapter("summary", "In short", "In short", _grid([short, *drawn]))


def _sentence(results: Sorted, part: ReportPart, compared: Comparisons) -> Markup:
    name, measure = _name(results, part), part.main
    result = compared.pairs(part, measure)
    setups, pairs = result.setups, result.pairs
    where = tag("span", name, class_="where")
    if not setups:
        return join((where, "No run gave anything to score."))
    if result.seen:
        seen = [
            join((report_tables.name_method(part, s), ". ")) for s in setups if s in result.seen
        ]
        where = join((where, *seen))
    if setups[0] in result.seen:
        return join((where, "No other method was scored: there is no best one."))
    best = setups[0]
    mean, own = compared.means(part, measure)[best], part.summary(best, measure)
    value, low, high = (
        share(each, is_count=measure.is_count) for each in (own.value, mean.low, mean.high)
    )
    rivals = [setup for setup in setups if setup not in result.seen]
    scored = own.values.count
    sentence: list[MarkupChild] = [where, tag("b", best), f": {measure.name}"]
    sentence += [report_tables.about(measure), " ", tag("b", value)]
    sentence.append(f" (95 % interval of the mean {low} to {high})" if scored > 1 else "")
    sentence.append(f" on {plural(scored, 'page')}")
    copies = len(part.pages) - len(set(compared.witnesses(part)))
    if copies:
        are = "is a copy" if copies == 1 else "are copies"
        sentence.append(f" ({copies} of {len(part.pages)} {are} of others: intervals and tests ")
        sentence.append("count a page and its copies once)")
    sentence.append(f" of {plural(result.cases, 'site')}" if result.unit == "site" else "")
    if own.unscored:
        of_all = share(own.rank_value, is_count=measure.is_count)
        sentence.append(f", {of_all} with {plural(own.unscored, 'failed run')} as empty")
    if len(rivals) == 1 or pairs[0].difference is None:
        return join((*sentence, "."))
    # On pages both were scored on; what only one was scored on may turn the order round.
    margin, second = pairs[0].difference.mean, part.summary(setups[1], measure)
    if own.unscored or second.unscored:  # a page that one failed on is no page to leave out
        margin = (own.rank_value or 0.0) - (second.rank_value or 0.0)
    ahead = share(margin, is_count=measure.is_count, sign=True)
    sentence.append(f", {ahead} to the next, {setups[1]}. ")
    if pairs[0].pages < 2:
        return join((*sentence, "One page of both does not tell which is better."))
    mine = [
        pair
        for pair in pairs
        if pair.one == 0 and pair.difference is not None and setups[pair.other] in rivals
    ]
    sentence.append(_significance(mine, setups))
    return join(sentence)


def _significance(pairs: Sequence[Pair], setups: Sequence[str]) -> str:
    """Return from which methods the best one differs significantly; ``pairs`` are those it is in.

    Ranks may differ significantly where means do not: then both are reported.
    """
    equal = [pair for pair in pairs if not comparisons.is_distinct(pair)]
    if not equal:
        worst = probability(max(pair.p_holm for pair in pairs))
        worst = worst if worst.startswith("<") else f"≤ {worst}"
        return f"It differs significantly from every other method (p {worst})."
    names = [setups[pair.other] for pair in equal]
    text = f"It does not differ significantly from {_some(names)}."
    by_ranks = [pair for pair in equal if pair.p_holm < comparisons.ALPHA]
    if by_ranks:
        names = [setups[pair.other] for pair in by_ranks]
        text += f" By ranks it does from {_some(names)}, but the interval of the mean difference"
        first = by_ranks[0].difference
        if len(by_ranks) == 1 and first is not None:
            text += f", {share(first.low, sign=True)} to {share(first.high, sign=True)},"
        text += " holds 0."
    return text


def _some(names: Sequence[str]) -> str:
    return join_words(names) if len(names) <= 3 else f"{len(names)} others"


def _grid(children: Sequence[MarkupChild]) -> Markup:
    return tag("div", *children, class_="grid") if children else Markup()


# Scores ------------------------------------------------------------------------------------


def scores(results: Sorted, compared: Comparisons) -> Chapter:
    body: list[MarkupChild] = [
        lead(
            "Means, medians, quartiles and deviations are over the pages that were scored; pages "
            "where a method failed, timed out or was skipped are counted beside them and are in no "
            "mean. A star marks the best of a column or line. Click a column's name to sort by it."
        )
    ]
    for part in results.parts:
        main = part.main
        body.append(part_title(results, part))
        body.append(report_tables.summary_table(part, main, compared.means(part, main)))
        body.append(_oracle(part, main))
        if others := [m for m in part.measures if m is not main]:
            every = (
                fold(
                    join((m.name, " ", report_tables.about(m))),
                    report_tables.summary_table(part, m),
                )
                for m in others
            )
            title = f"All numbers of the other {plural(len(others), 'measure')}"
            body += [_overview(part), fold(title, *every, class_="outer")]
    return Chapter("scores", "Scores", "Scores", join(body))


def _oracle(part: ReportPart, measure: Measure) -> Markup | None:
    """Return a line on what the best method of each page would reach; None of a single method."""
    result = part.oracle(measure)
    seen = [setup for setup in part.setups if part.seen(setup)]
    if len(part.setups) - len(seen) < 2 or result.value is None or measure.is_count:
        return None
    wins = [f"{setup} on {count}" for setup, count in result.wins.items()]
    text = f" over {plural(len(result.choice), 'page')}. It would be {', '.join(wins[:5])}"
    text += f" and {plural(len(wins) - 5, 'other')}" if len(wins) > 5 else ""
    text += f" ({result.ties} of them shared)." if result.ties else "."
    text += f" Without {join_words(seen)}: seen gold is no choice." if seen else ""
    begin = "The best method of each page, known only from its gold (the oracle): "
    return tag("p", begin, tag("b", share(result.value)), text, class_="note oracle")


def _overview(part: ReportPart) -> Markup:
    """Return the values by all measures; those on one level folded, where there are others."""
    both = [measure for measure in part.measures if not measure.has_one_level]
    single = [measure for measure in part.measures if measure not in both]
    if not both or not single:
        return report_tables.overview_table(part, part.measures, "all measures")
    alone = report_tables.overview_table(part, single, "measures on one level")
    more = fold("Values on level 1 and level 2 alone", alone)
    return join((report_tables.overview_table(part, both, "all measures, both levels"), more))


# Figures -----------------------------------------------------------------------------------


def _is_drawn(part: ReportPart) -> bool:
    return any(part.summary(setup, part.main).values.count for setup in part.setups)


def distributions(results: Sorted, figures: Figures) -> Chapter:
    parts = (part for part in results.parts if _is_drawn(part) and not part.main.is_count)
    grid = _grid(list(map(figures.spread, parts)))
    return Chapter("distributions", "Distributions", "Distribution of scores", grid)


def over_measures(results: Sorted, figures: Figures) -> Chapter:
    drawn = []
    for part in results.parts:
        measures = [measure for measure in part.measures if measure.is_shown(ShownIn.LINE)]
        if len(measures) > 1 and _is_drawn(part):
            drawn.append(figures.by_measure(part, measures))
    begin = lead(
        "How methods stand by each measure, as in Figure 5.13 of Gottron's dissertation (2008): "
        "lines that cross are methods whose order depends on how one measures."
    )
    body = join((begin, _grid(drawn))) if drawn else Markup()
    return Chapter("measures", "Measures", "Methods over measures", body)


def precision_and_recall(results: Sorted, figures: Figures) -> Chapter:
    result = (figures.precision_recall(part) for part in results.parts if _is_drawn(part))
    grid = _grid([each for each in result if each is not None])
    return Chapter("precision", "Precision and recall", "Precision against recall", grid)


def time(results: Sorted, figures: Figures) -> Chapter:
    begin = lead(
        "Time of the method alone, without rendering the page and without scoring. Runs that gave "
        "no result are not in it."
    )
    timed = [p for p in results.parts if any(p.times(setup).size for setup in p.setups)]
    numbers = (
        fold(f"Numbers: {_name(results, part)}", report_tables.time_table(part)) for part in timed
    )
    body = join((begin, _grid(list(map(figures.times, timed))), *numbers)) if timed else Markup()
    return Chapter("time", "Time", "Time per page", body)


# Tests -------------------------------------------------------------------------------------


def differences(results: Sorted, compared: Comparisons) -> Chapter:
    """Return all pairs of methods, by the main measure and, folded, by a few others."""
    parts = []
    for part in results.parts:
        main = part.main
        others = (m for m in part.measures if m.is_shown(ShownIn.TESTED) and m is not main)
        result = []
        for measure in (main, *others):
            every = compared.pairs(part, measure)
            if len(every.setups) < 2:
                continue
            matrix = comparisons.pairs_table(part, measure, every)
            sure = sum(map(every.is_distinct, every.pairs))
            differ = f": {sure} of {plural(len(every.pairs), 'pair')} differ"
            result.append(
                fold(join((tag("b", measure.name), differ)), matrix, open=measure is main)
            )
        if result:
            parts.append(join((part_title(results, part), *result)))
    begin = lead(
        "Each two methods, page by page; of several sites, site by site. ● and bold: they differ "
        "significantly, p < .05 after Holm's correction and no 0 in the interval. Lines and "
        "columns are in the order of the mean, best first."
    )
    pairs = Markup(read_text("report/pairs.html"))
    body = join((begin, pairs, *parts)) if parts else Markup()
    return Chapter("differences", "Differences", "Differences between methods", body)


def variance(results: Sorted, compared: Comparisons) -> Chapter:
    """Return the analysis of variance for each kind of gold."""
    result = []
    for kind in dict.fromkeys(part.kind for part in results.parts):
        parts = [part for part in results.parts if part.kind == kind]
        measure = parts[0].main
        analysis, single, missing = comparisons.anova_of(parts, measure, compared)
        if not analysis.effects:
            continue
        noted = f"{plural(analysis.count, 'score')}. "
        if missing:
            noted += (
                f"{plural(missing, 'score')} left out: the run failed, timed out or was skipped, "
                "or the measure is not defined for it. "
            )
        if len({part.input for part in parts}) > 1:
            noted += "A page's score is its mean over the inputs, which do not count as pages. "
        if single:
            noted += f"Not a factor, as there is only one: {', '.join(single)}. "
        noted += "Codes: *** p ≤ .001, ** ≤ .01, * ≤ .05, . ≤ .1."
        caption = f"Analysis of variance of {measure.name}, {kind}"
        result += [comparisons.anova_table(analysis, caption), tag("p", noted, class_="note")]
    body = join((*result, Markup(read_text("report/anova.html")))) if result else Markup()
    return Chapter("variance", "Variance", "Analysis of variance", body)


# The rest ----------------------------------------------------------------------------------


def endings(results: Sorted) -> Chapter:
    body: list[MarkupChild] = [
        lead(
            "ok: a result with content; empty: the method ran and found nothing, which is scored; "
            "failed, timed out and skipped runs are not scored. A score by positions of words or "
            "blocks needs half of the gold on the page."
        )
    ]
    for part in results.parts:
        body += [
            part_title(results, part),
            report_tables.status_table(part),
            report_tables.reasons(part),
            report_tables.list_unmeasured(part),
            report_tables.location_table(part),
        ]
    return Chapter("endings", "Endings", "How runs ended", join(body))


def setups(results: Sorted) -> Chapter:
    lines: list[list[MarkupChild]] = []
    for facts in results.setups.values():
        try:
            entry = method(facts.method)
            name, cite = entry.name, entry.cite
        except InputError:  # a method that is not installed here
            name = cite = ""
        values = ", ".join(
            f"{key} = {format_value(value)}" for key, value in facts.parameters.items()
        )
        version = tag("td", facts.version, class_="whole")
        lines.append([facts.label, name, cite, version, values or "none"])
    heads = ["method", "name", "source", "version", "parameters"]
    result = report_tables.table(heads, lines, caption="Methods as they were run", class_="words")
    return Chapter("setups", "Methods", "What was run", result)


def definitions(results: Sorted) -> Chapter:
    known = measures_of(results)
    shown = [m for m in known if m.level in ("all", "other")]
    text = "Measures whose key ends in -1 or -2 are the same on blocks of that level only."
    note = tag("p", text, class_="note") if len(shown) < len(known) else None
    body = join((note, Markup(fill_template("report/definitions.html", measures=shown or known))))
    return Chapter("definitions", "Definitions", "What the measures are", body)
