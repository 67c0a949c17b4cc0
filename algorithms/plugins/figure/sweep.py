"""The score of a method against one of its parameters, or two, on one page.

A sweep is computed in the background and may be read, or stopped, at any time: missing scores are
NaN.  The value in force is always among those tried.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np

from algorithms.figures.figure import (
    BEST,
    KEPT,
    PLAIN,
    Dots,
    Figure,
    Strips,
    Threshold,
    curve,
    items,
)
from algorithms.method import Method
from algorithms.params import Params, Value
from algorithms.results import Result
from algorithms.templates.site import Site
from engine.errors import PageletError
from engine.page import Input, Page
from engine.tree import Doubles
from engine.words import plural

STEPS, STEPS_OF_TWO = 25, 13
"""Values tried of one parameter, and of each of two."""


def sweepable(params: type[Params]) -> tuple[str, ...]:
    """Return the parameters that a score can be drawn against: numbers, switches and choices."""
    specs, defaults = params.specs(), params.defaults()
    return tuple(n for n, d in defaults.items() if not isinstance(d, str) or specs[n].choices)


def values_of(params: Params, name: str, steps: int = STEPS) -> tuple[Value, ...]:
    """Return values of a parameter from bound to bound, the one in force among them."""
    spec, now = params.specs()[name], params.as_dict()[name]
    if isinstance(now, bool):
        return (False, True)
    if isinstance(now, str):
        return spec.choices
    low = spec.low if spec.low is not None else min(0.0, float(now))
    high = spec.high if spec.high is not None else max(1.0, 4.0 * abs(float(now)))
    even = np.linspace(low, high, steps).tolist()
    if isinstance(now, int):
        return tuple(sorted({now, *(round(value) for value in even)}))
    return tuple(sorted({now, *(round(value, 6) for value in even)}))


class Sweep:
    """Sweep over one or two parameters: run it on a pool thread, read it from another.

    Args:
        entry, page, source, site: What runs on what.
        params: What the other parameters are.
        names: One parameter or two.
        score: Gives a result's score, 0 to 1; None where it has none.
    """

    def __init__(
        self,
        entry: Method,
        page: Page,
        params: Params,
        source: Input,
        names: tuple[str, ...],
        score: Callable[[Result], float | None],
        site: Site | None = None,
    ) -> None:
        steps = STEPS if len(names) == 1 else STEPS_OF_TWO
        self.names, self.params = names, params
        self.values = tuple(values_of(params, name, steps) for name in names)
        self.scores: Doubles = np.full([len(each) for each in self.values], np.nan)
        self.done = 0
        self.where = "on this page"
        self._score = score
        self._run = partial(entry.run, page, source=source, site=site)
        self._is_stopped = threading.Event()

    @property
    def size(self) -> int:
        """Number of runs."""
        return self.scores.size

    def stop(self) -> None:
        """Stop after the current run."""
        self._is_stopped.set()

    def run(self) -> "Sweep":
        """Try all values; a combination that the method refuses has no score."""
        for cell in product(*(range(len(each)) for each in self.values)):
            if self._is_stopped.is_set():
                break
            chosen = {n: each[k] for n, each, k in zip(self.names, self.values, cell, strict=True)}
            try:
                result = self._score(self._run(replace(self.params, **chosen)))
            except PageletError:
                result = None
            self.scores[cell] = np.nan if result is None else result
            self.done += 1
        return self

    @property
    def best(self) -> tuple[tuple[int, ...], float] | None:
        """Indices and value of the best score so far; of equal ones the nearest to those set."""
        if np.isnan(self.scores).all():
            return None
        top = float(np.nanmax(self.scores))
        now = self._cell_of(self.params)
        assert now is not None, "the values in force are among those tried"
        positions = np.argwhere(self.scores == top)
        nearest = positions[np.argmin(np.abs(positions - now).sum(axis=1))]
        return tuple(int(k) for k in nearest), top

    def _cell_of(self, params: Params) -> tuple[int, ...] | None:
        """Return where some parameters are among the values tried; None between them."""
        held = params.as_dict()
        if any(held[n] not in each for n, each in zip(self.names, self.values, strict=True)):
            return None
        return tuple(
            each.index(held[name]) for name, each in zip(self.names, self.values, strict=True)
        )

    def chosen(self, item: int) -> dict[str, Value]:
        """Return the parameter values of an item of the figure."""
        cell = np.unravel_index(item, self.scores.shape)
        return {n: v[int(k)] for n, v, k in zip(self.names, self.values, cell, strict=True)}

    def figure(self, params: Params | None = None) -> Figure:
        """Return the figure of the scores so far, with ``params`` set: a curve or a shaded map."""
        params = params or self.params
        drawn = self._curve(params) if len(self.names) == 1 else self._map(params)
        before, now = self.params.as_dict(), params.as_dict()
        if all(before[name] == now[name] for name in before if name not in self.names):
            return drawn
        return replace(drawn, note="Out of date, as other parameters were changed: start again.")

    def _summary(self) -> str:
        best = self.best
        if best is None:
            return "No result has a score yet."
        cell, top = best
        parts = zip(self.names, self.values, cell, strict=True)
        words = ", ".join(f"{_words(name)} {_shown(each[k])}" for name, each, k in parts)
        return f"Best: F1 {top:.3f} at {words}, {self.where}. Click a point to take its values."

    def _labels(self) -> tuple[str, ...]:
        result = []
        for item, score in enumerate(self.scores.ravel().tolist()):
            parts = ", ".join(f"{_words(n)} {_shown(v)}" for n, v in self.chosen(item).items())
            result.append(f"{parts}: {'no score' if np.isnan(score) else f'F1 {score:.3f}'}")
        return tuple(result)

    def _curve(self, params: Params) -> Figure:
        (name,), (values,) = self.names, self.values
        x, y = _numbers(values), self.scores.copy()
        known = ~np.isnan(y)
        best = self.best
        marked: tuple[Dots, ...] = ()
        if best is not None:
            (cell,), top = best
            marked = (Dots("best", x[[cell]], np.array([top]), BEST),)
        now = params.as_dict()[name]
        is_number = not isinstance(now, bool | str)
        limit = (Threshold(f"now {_shown(now)}", float(now), "x", name),) if is_number else ()
        nowhere = np.full((x.size, 2), -1)
        return Figure(
            f"F1 against {_words(name)}",
            _words(name) if is_number else f"{_words(name)}: {', '.join(map(_shown, values))}",
            f"F1 {self.where}",
            curves=(curve("F1", x[known], y[known], KEPT),),
            dots=(Dots("tried", x[known], y[known], PLAIN), *marked),
            thresholds=limit,
            items=items(x, x, np.nan_to_num(y), nowhere, self._labels()),
            is_plane=True,
            note=self._summary(),
        )

    def _map(self, params: Params) -> Figure:
        across, up = self.values
        known = ~np.isnan(self.scores)
        low = float(np.min(self.scores[known])) if known.any() else 0.0
        high = float(np.max(self.scores[known])) if known.any() else 1.0
        shades = (self.scores - low) / max(high - low, 1e-9)
        cells = np.nan_to_num(shades).T[::-1].astype(np.float32)  # rows from the top
        best, marked = self.best, []
        for name, tone, cell in (
            ("now", PLAIN, self._cell_of(params)),
            ("best", BEST, best[0] if best is not None else None),
        ):
            if cell is not None:
                at = np.array([cell[0] + 0.5]), np.array([cell[1] + 0.5])
                marked.append(Dots(name, *at, tone))
        x, y = (grid.ravel() + 0.5 for grid in np.indices(self.scores.shape).astype(np.float64))
        nowhere = np.full((x.size, 2), -1)
        first, second = map(_words, self.names)
        return Figure(
            f"F1 against {first} and {second}",
            first,
            second,
            dots=tuple(marked),
            strips=Strips(
                f"F1 from {low:.3f} to {high:.3f}", cells, 0.0, float(len(across)),
                tuple(map(_shown, reversed(up))), tuple(map(_shown, across)), (low, high),
            ),
            items=items(x, x, y, nowhere, self._labels()),
            is_plane=True,
            note=self._summary(),
        )  # fmt: skip


ScoredPage = tuple[Page, Callable[[Result], float | None]]
"""A page, and what gives the score of a result on it."""


class PagesSweep(Sweep):
    """The mean score on many pages, each of which counts once all values were tried on it.

    Args:
        entry, params, source, names: As in `Sweep`.
        pages: Each makes a page when its turn comes; None for one that cannot be had or has no
            gold.
    """

    def __init__(
        self,
        entry: Method,
        pages: Sequence[Callable[[], ScoredPage | None]],
        params: Params,
        source: Input,
        names: tuple[str, ...],
    ) -> None:
        super().__init__(entry, Page(""), params, source, names, lambda _result: None)
        self._entry, self._pages, self._source = entry, tuple(pages), source
        self._sums, self._counts = np.zeros(self.scores.shape), np.zeros(self.scores.shape)
        self.counted = self.left_out = 0
        self._say_where()

    @property
    def size(self) -> int:
        """Maximum number of runs."""
        return self.scores.size * len(self._pages)

    def run(self) -> "PagesSweep":
        """Try all values on one page after the other."""
        for number, make in enumerate(self._pages, start=1):
            if self._is_stopped.is_set():
                break
            result = make()
            if result is None:
                self.left_out += 1
            else:
                page, score = result
                one = Sweep(self._entry, page, self.params, self._source, self.names, score)
                one._is_stopped = self._is_stopped
                one.run()
                if self._is_stopped.is_set():
                    break
                known = ~np.isnan(one.scores)
                self._sums[known] += one.scores[known]
                self._counts[known] += 1
                self.counted += 1
                means = np.full(self.scores.shape, np.nan)
                np.divide(self._sums, self._counts, out=means, where=self._counts > 0)
                self.scores = means
            self.done = number * self.scores.size
            self._say_where()
        return self

    def _say_where(self) -> None:
        self.where = f"mean of {plural(self.counted, 'page')}"
        if self.left_out:
            self.where += f" ({self.left_out} without gold, or not to be rendered)"


def _numbers(values: tuple[Value, ...]) -> Doubles:
    if any(isinstance(value, bool | str) for value in values):
        return np.arange(len(values), dtype=np.float64)
    return np.array(values, dtype=np.float64)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else f"{value:.4g}"
