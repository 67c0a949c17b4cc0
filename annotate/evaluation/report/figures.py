"""Which figures a report has: each is drawn, written to files, and put into the page once."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from algorithms.measures.measure import Measure
from algorithms.measures.significance import Interval
from annotate.evaluation.report.markup import Markup, join, slug, tag
from annotate.evaluation.report.report_parts import ReportPart, Sorted
from annotate.evaluation.tables.prediction_quality import BAD, PredictionQuality
from engine.words import plural


class Figures:
    """Draws a report's figures, every method the same way throughout.

    Args:
        results: The results to draw.
        folder: Folder for the files.
        formats: Of the files.
    """

    def __init__(self, results: Sorted, folder: Path, formats: Sequence[str]) -> None:
        # Here and not above, so that whoever makes no report need not wait for matplotlib (0.5 s).
        from annotate.evaluation.report import chart_style, charts

        self._charts, self._style, self._folder = charts, chart_style, folder
        self._formats = formats
        self._pens = {
            setup: chart_style.pen(k, facts.method)
            for k, (setup, facts) in enumerate(results.setups.items())
        }
        inputs = dict.fromkeys(part.input for part in results.parts)
        self._input_pens = {name: chart_style.pen(k) for k, name in enumerate(inputs)}
        self.most = charts.MOST
        every = [part.times(setup) for part in results.parts for setup in part.setups]
        known = np.concatenate([np.ones(0), *every])
        self._ms = (float(known.min()), float(known.max())) if known.size else (1.0, 1.0)

    def means(
        self, parts: Sequence[ReportPart], result: Mapping[str, Mapping[str, Interval]]
    ) -> Markup:
        """Draw the means of some parts, all of one data set and kind; ``result`` is by input."""
        rows = list(dict.fromkeys(setup for part in parts for setup in part.ranked(part.main)))
        best = {s: max((f[s].mean for f in result.values() if s in f), default=-1.0) for s in rows}
        rows.sort(key=lambda setup: -best[setup])
        name, dataset = parts[0].main.name, parts[0].dataset
        pages = {
            f"{setup}, {part.input}" if len(parts) > 1 else setup: _pages(part, setup, part.main)
            for part in parts
            for setup in part.setups
        }
        return self._figure(
            slug("means", dataset, parts[0].kind),
            lambda: self._charts.means(rows, result, self._input_pens, f"{name}, mean over pages"),
            f"{name} on {dataset}: mean over pages with its 95 % interval. {_over(pages)}",
        )

    def spread(self, part: ReportPart) -> Markup:
        """Draw the scores of all pages by the main measure."""
        measure = part.main
        values = {setup: part.values(setup, measure) for setup in part.ranked(measure)}
        return self._figure(
            slug("distribution", *_key(part), measure.key),
            lambda: self._charts.spreads(values, self._pens, f"{measure.name}, a dot a page"),
            f"{_named(part)}: {measure.name}. Each dot is a page; the box holds the middle half of "
            "the pages, the bar is the median, the diamond the mean. " + _over_methods(part),
        )

    def by_measure(self, part: ReportPart, measures: Sequence[Measure]) -> Markup:
        setups = self._some(part)
        pages = {m.name: [n for s in setups for n in _pages(part, s, m)] for m in measures}
        text = f"{_named(part)}: mean value of each method by each measure. {_over(pages)}"
        draw = partial(self._charts.by_measure, part, setups, measures, self._pens)
        return self._figure(slug("measures", *_key(part)), draw, text + self._left_out(part))

    def precision_recall(self, part: ReportPart) -> Markup | None:
        """Draw precision by recall; None where no method has both as shares."""
        measure = part.main
        result: dict[str, tuple[float, float]] = {}
        for setup in part.ranked(measure):
            numbers = part.summary(setup, measure)
            p, r = numbers.precision, numbers.recall
            if p is not None and r is not None and min(p, r) >= 0 and max(p, r) <= 1:
                result[setup] = r, p
        if not result:
            return None
        named = {setup: result[setup] for setup in self._some(part) if setup in result}
        others = [point for setup, point in result.items() if setup not in named]
        return self._figure(
            slug("precision-recall", *_key(part), measure.key),
            lambda: self._charts.precision_recall(named, others, self._pens),
            f"{_named(part)}: {measure.name}. Each mark is a method; along a grey line F1 is the "
            "same. The F1 of mean precision and mean recall is above the mean of the pages' F1. "
            + _over_methods(part)
            + self._left_out(part),
        )

    def predictions(self, dataset: str, qualities: Sequence[PredictionQuality]) -> Markup:
        """Draw how far predictions hold, of methods on one data set and input."""
        return self._figure(
            slug("predictions", dataset, qualities[0].input),
            lambda: self._charts.predictions(qualities[: self.most], self._pens),
            f"{dataset}, {qualities[0].input}. Left: real F1 of the pages whose prediction lies in "
            "the same tenth; on the dashed line predictions are right on average. Right: which "
            f"share of the pages below {BAD:g} is met by who looks at the lowest predictions "
            "first; the dashed line is random order.",
        )

    def times(self, part: ReportPart) -> Markup:
        taken = {setup: np.sort(part.times(setup)) for setup in part.setups}
        median = {s: ms[ms.size // 2] if ms.size else np.inf for s, ms in taken.items()}
        values = {setup: part.times(setup) for setup in sorted(taken, key=median.__getitem__)}
        return self._figure(
            slug("time", *_key(part)),
            lambda: self._charts.times(values, self._pens, self._ms),
            f"{_named(part)}: time of each run that gave a result; box, bar and diamond as above.",
        )

    def _some(self, part: ReportPart) -> tuple[str, ...]:
        return part.ranked(part.main)[: self.most]

    def _left_out(self, part: ReportPart) -> str:
        if len(part.setups) <= self.most:
            return ""
        best = f"The {self.most} best of {len(part.setups)} methods by {part.main.name}"
        return f" {best} are named; all are in the tables."

    def _figure(self, name: str, draw: Callable[[], object], caption: str) -> Markup:
        with self._style.settings():
            drawing = draw()
        picture = self._style.save(drawing, self._folder, name, self._formats)  # type: ignore[arg-type]
        files = (
            tag("a", kind.upper(), href=f"{self._folder.name}/{name}.{kind}", download=True)
            for kind in self._formats
        )
        return tag(
            "figure",
            tag("div", picture, role="img", aria_label=caption, class_="picture"),
            tag("figcaption", caption, " ", tag("span", join(files), class_="files")),
        )


def _over_methods(part: ReportPart) -> str:
    return _over({setup: _pages(part, setup, part.main) for setup in part.setups})


def _pages(part: ReportPart, setup: str, measure: Measure) -> list[int]:
    """Return the number of pages of a mean, as a list; [] without one."""
    summary = part.summary(setup, measure)
    return [] if summary.value is None else [summary.pages]


def _over(pages: Mapping[str, Sequence[int]]) -> str:
    """Return over how many pages means are: the number most have, then who has another."""
    every = Counter(count for own in pages.values() for count in own)
    if not every:
        return ""
    (usual, _), *_ = every.most_common(1)
    others = [
        f"{name} over {min(own)}" + (f" to {max(own)}" if min(own) < max(own) else "")
        for name, own in pages.items()
        if own and {*own} != {usual}
    ]
    return "; ".join((f"Over {plural(usual, 'page')}", *others)) + "."


def _key(part: ReportPart) -> tuple[str, str, str]:
    return part.dataset, part.input, part.kind


def _named(part: ReportPart) -> str:
    return f"{part.dataset}, {part.input}"
