"""Which differences are more than chance: methods in pairs, and the analysis of variance."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.measures.measure import Measure
from algorithms.measures.significance import (
    Anova,
    Interval,
    Pair,
    anova,
    bootstrap_means,
    compare_pairs,
    means_by,
)
from annotate.evaluation.report.markup import Markup, MarkupChild, decimal, probability, share, tag
from annotate.evaluation.report.report_parts import ReportPart
from annotate.evaluation.report.report_tables import name_method, table
from engine.tree import Doubles
from engine.words import plural

ALPHA = 0.05


class Comparisons:
    """Means and pairs of methods, each computed once for all chapters.

    Args:
        sites: Data set and page → its site.  Pages of a site are no independent witnesses: where
            there are several sites, two methods are compared by their means on each.
        copies: Data set → name of each copy of an earlier page → name of that page; all copies
            together are one observation.
    """

    def __init__(
        self,
        sites: Mapping[tuple[str, str], str] | None = None,
        copies: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        self._sites, self._copies = sites or {}, copies or {}
        self._means: dict[tuple[ReportPart, str], dict[str, Interval]] = {}
        self._pairs: dict[tuple[ReportPart, str], Compared] = {}

    def witnesses(self, part: ReportPart) -> list[str]:
        """Return for each page of a part the page that it is, or is a copy of."""
        copies = self._copies.get(part.dataset, {})
        return [copies.get(page, page) for page in part.pages]

    def means(self, part: ReportPart, measure: Measure) -> dict[str, Interval]:
        """Return the mean of each setup that was scored, with its interval."""
        key = part, measure.key
        if key not in self._means:
            scores = _scores(part, part.setups, measure)
            result = bootstrap_means(scores.T, groups=self.witnesses(part))
            named = zip(part.setups, result, strict=True)
            self._means[key] = {setup: mean for setup, mean in named if mean is not None}
        return self._means[key]

    def observations(
        self, part: ReportPart, setups: Sequence[str], measure: Measure
    ) -> tuple[Doubles, str, list[str]]:
        """Return scores, float64 (setups, n), what a column is of, and the witness of each."""
        scores = _scores(part, setups, measure)
        sites = [self._sites.get((part.dataset, page), "") for page in part.pages]
        if all(sites) and len(set(sites)) > 1:
            return means_by(scores, sites), "site", list(dict.fromkeys(sites))
        return scores, "page", self.witnesses(part)

    def pairs(self, part: ReportPart, measure: Measure) -> "Compared":
        """Return setups, best first, and all pairs of them; those never scored are left out."""
        key = part, measure.key
        if key not in self._pairs:
            ranked = part.ranked(measure)
            setups = tuple(s for s in ranked if part.summary(s, measure).values.count)
            scores, unit, groups = self.observations(part, setups, measure)
            result = compare_pairs(scores, groups=groups)
            seen = frozenset(filter(part.seen, setups))
            self._pairs[key] = Compared(setups, tuple(result), len(set(groups)), unit, seen)
        return self._pairs[key]


@dataclass(frozen=True)
class Compared:
    """Setups, best first, and every two of them.

    Attributes:
        cases: On how many pages, or sites, they are compared.
        unit: ``page`` or ``site``.
        seen: Setups that had learned from the gold of some page: what they are ahead is no finding.
    """

    setups: tuple[str, ...]
    pairs: tuple[Pair, ...]
    cases: int
    unit: str = "page"
    seen: frozenset[str] = frozenset()

    def is_distinct(self, pair: Pair) -> bool:
        """Whether two methods differ significantly, as `is_distinct`; none that has seen gold."""
        both = {self.setups[pair.one], self.setups[pair.other]}
        return both.isdisjoint(self.seen) and is_distinct(pair)


def _scores(part: ReportPart, setups: Sequence[str], measure: Measure) -> Doubles:
    rows = [part.values(setup, measure) for setup in setups]
    return np.array(rows).reshape(len(setups), len(part.pages))


def pairs_table(part: ReportPart, measure: Measure, compared: Compared) -> Markup:
    """Return the matrix: differences above the diagonal, effect sizes below."""
    setups, unit, here = compared.setups, compared.unit, tag("td", "·", class_="self")
    cells: list[list[MarkupChild]] = [[name_method(part, s), *[here] * len(setups)] for s in setups]
    for pair in compared.pairs:
        cells[pair.one][pair.other + 1] = _difference(pair, unit, sure=compared.is_distinct(pair))
        cells[pair.other][pair.one + 1] = _effect(pair, unit)
    caption = f"Differences in {measure.name}, {part.dataset}, {part.input}, "
    caption += plural(compared.cases, unit)
    return table(["line − column", *setups], cells, caption=caption, class_="pairs")


def is_distinct(pair: Pair) -> bool:
    """Whether two methods differ significantly: by ranks, and by the interval of their means.

    Ranks alone may differ where one method is a little better on most pages and much worse on few.
    """
    if pair.difference is None or pair.p_holm >= ALPHA:
        return False
    low, high = pair.difference.low, pair.difference.high
    ahead = pair.test.effect
    return (low > 0 and ahead > 0) or (high < 0 and ahead < 0)


def _difference(pair: Pair, unit: str, *, sure: bool) -> Markup:
    if pair.difference is None:
        return tag("td", f"no {unit} in common", class_="none")
    mean, low, high = pair.difference.mean, pair.difference.low, pair.difference.high
    p = probability(pair.p_holm)
    strength = min(1.0, abs(mean) / 0.5)
    return tag(
        "td",
        tag("b" if sure else "span", share(mean, sign=True), " ●" if sure else ""),
        tag("small", f"{share(low, sign=True)} to {share(high, sign=True)}"),
        tag("small", "p ", p if p.startswith("<") else f"= {p}"),
        class_=("up" if mean > 0 else "down") if sure else None,
        style=f"--by:{strength:.2f}" if sure else None,
        title=f"p before correction {probability(pair.test.p)}; {plural(pair.pages, unit)}, "
        f"{pair.test.zeros} with equal scores",
    )


def _effect(pair: Pair, unit: str) -> Markup:
    if pair.difference is None:
        return tag("td", "–", class_="none")
    pages = f"{plural(pair.pages, unit)}, {pair.left_out} out" if pair.left_out else None
    return tag(
        "td", tag("span", "r ", decimal(-pair.test.effect, 2, sign=True)),
        pages and tag("small", pages), class_="effect",
    )  # fmt: skip


# Analysis of variance ----------------------------------------------------------------------

FACTORS = ("method", "data set")


def anova_of(
    parts: Sequence[ReportPart], measure: Measure, compared: Comparisons
) -> tuple[Anova, tuple[str, ...], int]:
    """Return the analysis of one measure's scores of some parts, with the number left out.

    One measure, and not a factor of several: those of one page are nearly the same, and would count
    as so many pages.
    So would those of one page on several inputs, and of its copies: their mean is one score.

    Returns:
        The analysis, the factors with one level only, and how many scores were missing.
    """
    scores: dict[tuple[str, str, str], list[float]] = {}
    missing = 0
    for part in parts:
        for setup in part.setups:
            values = part.values(setup, measure).tolist()
            for page, value in zip(compared.witnesses(part), values, strict=True):
                if math.isnan(value):
                    missing += 1
                else:
                    scores.setdefault((setup, part.dataset, page), []).append(value)
    means = list(map(statistics.fmean, scores.values()))
    levels = {name: [key[at] for key in scores] for at, name in enumerate(FACTORS)}
    varied = {name: column for name, column in levels.items() if len(set(column)) > 1}
    single = tuple(name for name in FACTORS if name not in varied)
    return anova(means, varied), single, missing


def anova_table(anova: Anova, caption: str) -> Markup:
    """Return the analysis as the thesis prints it, with the share each line explains."""
    lines: list[list[MarkupChild]] = []
    for effect in anova.effects:
        squares = [effect.df, decimal(effect.squares, 2), decimal(effect.mean_square)]
        chance = [decimal(effect.f), _r_probability(effect.p), _code(effect.p)]
        lines.append([":".join(effect.factors), *squares, *chance, decimal(effect.eta2)])
    mean = anova.squares / anova.df if anova.df else None
    rest = [anova.df, decimal(anova.squares, 2), decimal(mean)]
    lines.append(["Residuals", *rest, *[""] * 4])
    heads = ["", "Df", "Sum Sq", "Mean Sq", "F value", "Pr(>F)", "", "η²"]
    return table(heads, lines, caption=caption, class_="anova")


def _r_probability(p: float | None) -> str:
    if p is None:
        return "–"
    if p < 2e-16:
        return "< 2e-16"
    return f"{p:.4f}" if p >= 1e-4 else f"{p:.2e}"


def _code(p: float | None) -> str:
    if p is None or math.isnan(p):
        return ""
    bounds = ((0.001, "***"), (0.01, "**"), (0.05, "*"), (0.1, "."))
    return next((code for bound, code in bounds if p <= bound), "")
