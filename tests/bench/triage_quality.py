"""How far predictions of F1 hold on pages whose gold was not seen, and the fit of their bounds.

    python -m tests.bench.triage_quality DATA [--sample N --seed K] [--folds 5] [--methods M,...]
    python -m tests.bench.triage_quality wcxb --fit resources/triage/calibration.json
    python -m tests.bench.triage_quality wcxb --keep FOLDER

Gleaner learns in folds by site; what it expects of a page, what it keeps of it and its type are
from a fold that has no page of the site.  The F1 of what each method keeps is predicted from that,
and measured.  Bounds are quantiles of what was measured; how far out they are is chosen so that on
folds they were not fitted on they hold eight pages in ten of each method.  Those of a page are
fitted, and chosen, on the other folds.  Two tables: a line for each method, and predictions beside
what was measured; then what comes of taking on each page the method with the best prediction.
``--fit`` writes the calibration of all pages.  ``--keep``
keeps what each step found, so that a run that was ended goes on there; what other code or other
options found is not read.
"""

import argparse
import json
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression

from algorithms.core.attempt import attempt
from algorithms.core.catalogue import method
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.measures.choice import measure_of
from algorithms.measures.text_comparison import Comparison, GoldText
from algorithms.plugins.training import gleaner_fit as fit
from algorithms.plugins.training.gleaner_pages import TrainingPage, folds
from algorithms.results import Extraction
from algorithms.triage.prediction import (
    ALIKE,
    Expected,
    agreement,
    distance,
    expected_f1,
    kept_share,
    line_of,
    page_signals,
)
from annotate.evaluation.run.run_options import PageChoice
from annotate.evaluation.run.triage import pages_of
from annotate.evaluation.tables.prediction_quality import PredictionQuality
from annotate.evaluation.tables.summaries import align_cells
from annotate.plugins.audit.auditing import gold_texts, learning_page
from engine.bounded_file import atomic_write
from engine.errors import PageletError
from engine.page import Page
from engine.tree import Bools, Doubles, Longs
from engine.web.worker_browser import LateBrowser

say = partial(print, flush=True)

METHODS = "plain,bte,dsc,bp-numwords,ccb,lqf,trafilatura,resiliparse"
KNOTS = (
    0, .1, .2, .3, .4, .5, .6, .7, .75, .8, .85, .9, .93, .95, .97, .98, .99, 1,
)  # fmt: skip
"""Predictions at which bounds are kept: closer where most pages are."""

_BINS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
_TAILS = (.2, .17, .14, .12, .11, .1, .09, .08, .07, .06, .05, .04, .03, .02, .01)  # fmt: skip
"""Share of the pages beyond a bound, where it is fitted."""

_INSIDE = 0.8
"""Share of the pages within the bounds, where they were not fitted."""

_NEAREST = 0.05
"""Share of the predictions that a bound is the quantile of."""

_FEWEST, _FEWEST_JUDGED = 40, 100
_QUANTILES = 41


@dataclass(frozen=True, eq=False)
class Kept:
    """What a method keeps of a page: its share of each block, words elsewhere, and its real F1."""

    share: Doubles
    foreign: int
    f1: float


@dataclass(frozen=True, eq=False)
class Case:
    """A page: what gleaner learns from, and what each method keeps of it."""

    learning: TrainingPage
    kept: Mapping[str, Kept]


@dataclass(frozen=True, eq=False)
class Predicted:
    """Predictions of a method, or of several; float64 (n,) each.

    Attributes:
        f1, real: Expected and measured.
        line: Of the calibration, by how much alike gleaner keeps.
        fold: Of the page.
        method: Number of the method.
    """

    f1: Doubles
    real: Doubles
    line: Doubles
    fold: Doubles
    method: Doubles

    def where(self, mask: Bools) -> "Predicted":
        """Return some of the predictions."""
        return Predicted(*(getattr(self, each.name)[mask] for each in fields(self)))


@dataclass(frozen=True)
class Steps:
    """What each step found, in files of a folder; None keeps nothing.

    Attributes:
        folder: Where.
        code: Of what the results depend on; part of the names.
    """

    folder: Path | None
    code: str

    def of(self, name: str, find: Callable[[], Any]) -> Any:
        """Return what a step found before, or finds now, and say what it costs."""
        path = None if self.folder is None else self.folder / f"{self.code} {name}.pickle"
        if path is not None and path.exists():
            say(f"{name}: kept from before")
            return pickle.loads(path.read_bytes())
        start = process_time()
        found = find()
        say(f"{name}: {process_time() - start:.0f} s")
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(path) as beside:
                beside.write_bytes(pickle.dumps(found))
        return found


def code_of(*words: object) -> str:
    """Return a code of some options and of all code of the methods."""
    digest = blake2b(repr(words).encode(), digest_size=6)
    for path in sorted(Path("algorithms").rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def read(data: str, choice: PageChoice, methods: Sequence[str]) -> list[Case]:
    """Read all pages with gold text, and run the methods on them."""
    cases = []
    with LateBrowser() as browser:
        for name, files in choice.taken_of(pages_of(data)).pages:
            own = next(iter(files.values()))
            try:
                gold = gold_texts(own, browser)
            except PageletError as error:
                say(f"{name}: {error}")
                continue
            if gold is None:
                continue
            page = Page(name, gold.source)
            reference = GoldText(gold.text, gold.source)
            kept = {}
            for key in methods:
                entry = method(key)
                result = attempt(entry, page, entry.params(), "original").result
                if isinstance(result, Extraction) and len(text_runs(gold.source)):
                    score = measure_of("bow").score(Comparison(result, reference)).value
                    share = kept_share(gold.source, result)
                    kept[key] = Kept(share, result.unmapped, score)
            cases.append(Case(learning_page(name, own, gold), kept))
    return cases


def expected_of(
    cases: Sequence[Case], parts: int, threads: int, steps: Steps
) -> tuple[list[Expected | None], Longs]:
    """Return what gleaner expects of each page without its site, and the fold of each.

    None for a page without text.
    """
    pages = [case.learning for case in cases]
    types = tuple(sorted({page.type for page in pages} - {""}))
    fold = folds(pages, parts)
    matrices: list[fit.Matrix] = [np.zeros((0, 0), np.float32)] * len(pages)
    for number in range(parts):
        rest = [page for page, own in zip(pages, fold, strict=True) if own != number]
        linear = steps.of(
            f"linear scores without fold {number + 1}", partial(fit.fit_linear, rest, types)
        )
        for index in np.flatnonzero(fold == number).tolist():
            if len(pages[index]):
                matrices[index] = fit.matrix_of(pages[index], linear, types)[0]
    result: list[Expected | None] = [None] * len(pages)
    for number in range(parts):
        found = partial(_of_fold, pages, matrices, fold, number, types, threads)
        for index, own in steps.of(f"trees without fold {number + 1}", found).items():
            result[index] = own
    return result, fold


def _of_fold(
    pages: Sequence[TrainingPage],
    matrices: Sequence[fit.Matrix],
    fold: Longs,
    number: int,
    types: tuple[str, ...],
    threads: int,
) -> dict[int, Expected]:
    """Return what trees of the other folds expect of the pages of one, by their index."""
    mixture = fit.fit_mixture(pages, matrices, fold != number, threads, fit.ROUNDS)
    result = {}
    for index in np.flatnonzero(fold == number).tolist():
        page, matrix = pages[index], matrices[index]
        if len(page):
            chance = 1 / (1 + np.exp(-mixture.scores(matrix)))
            kept = fit.chosen_blocks(page, mixture, matrix).astype(np.float64)
            chances = matrix[0, matrix.shape[1] - len(types) :].astype(np.float64)
            known = dict(zip(types, chances.tolist(), strict=True))
            result[index] = Expected(chance, page.runs.words.astype(np.float64), kept, known)
    return result


def predictions(
    cases: Sequence[Case], expected: Sequence[Expected | None], fold: Longs, methods: Sequence[str]
) -> dict[str, Predicted]:
    """Return what is predicted of each method on all pages; of gleaner by what it keeps itself."""
    rows: dict[str, list[tuple[float, float, int, int, int]]] = {"gleaner": []}
    rows |= {key: [] for key in methods}
    for case, own, number in zip(cases, expected, fold.tolist(), strict=True):
        if own is None:
            continue
        f1 = case.learning.f1(own.kept > 0)
        for key, kept in {"gleaner": Kept(own.kept, 0, f1), **case.kept}.items():
            line = line_of(agreement(kept.share, own.kept, own.words))
            predicted = expected_f1(own, kept.share, kept.foreign)
            rows[key].append((predicted, kept.f1, line, number, [*rows].index(key)))
    return {key: Predicted(*np.array(own, dtype=np.float64).T) for key, own in rows.items() if own}


def pool(every: Iterable[Predicted]) -> Predicted:
    """Return the predictions of all methods as one."""
    columns = zip(
        *([getattr(own, each.name) for each in fields(own)] for own in every), strict=True
    )
    return Predicted(*map(np.concatenate, columns))


def bounds_of(predicted: Predicted, tails: Sequence[float]) -> tuple[Doubles, Doubles]:
    """Return what such shares of the pages are below, and above, at `KNOTS`; (tails, knots).

    Each is the quantile of the real F1 of the pages with the nearest predictions.  What would fall
    as predictions rise is evened out (isotonic regression): carried on, as the highest so far, one
    stretch of odd pages would be the bound of all above it.  Pages of which nothing is kept are
    left out (`with_bounds`).
    """
    predicted = predicted.where(predicted.f1 > 0)
    count = min(predicted.f1.size, max(_FEWEST, int(_NEAREST * predicted.f1.size)))
    near = [np.argsort(np.abs(predicted.f1 - knot), kind="stable")[:count] for knot in KNOTS]
    low, high = (
        np.stack([np.quantile(predicted.real[own], shares) for own in near], axis=1)
        for shares in (np.array(tails), 1 - np.array(tails))
    )
    rising = partial(np.apply_along_axis, lambda row: isotonic_regression(row).x, 1)
    return rising(low), rising(high)


def within(predicted: Predicted, low: Doubles, high: Doubles) -> Bools:
    """Return which pages are within bounds at `KNOTS`, bool (n,), as `with_bounds` has them."""
    is_nothing = predicted.f1 == 0
    below = np.minimum(np.interp(predicted.f1, KNOTS, low), predicted.f1)
    above = np.maximum(np.interp(predicted.f1, KNOTS, high), predicted.f1)
    above = np.where(is_nothing, 1.0, above)
    return np.asarray((below <= predicted.real) & (predicted.real <= above))


def tail_of(predicted: Predicted) -> float:
    """Return the largest tail whose bounds hold `_INSIDE` of each method on folds left out.

    Of a method with few pages nothing is asked.
    """
    inside = np.zeros((len(_TAILS), predicted.f1.size), dtype=bool)
    for number in np.unique(predicted.fold):
        here = predicted.fold == number
        lows, highs = bounds_of(predicted.where(~here), _TAILS)
        for row, low, high in zip(inside, lows, highs, strict=True):
            row[here] = within(predicted.where(here), low, high)
    masks = [predicted.method == method for method in np.unique(predicted.method)]
    judged = [mask for mask in masks if mask.sum() >= _FEWEST_JUDGED]
    for tail, row in zip(_TAILS, inside, strict=True):
        if all(row[mask].mean() >= _INSIDE for mask in judged):
            return tail
    return _TAILS[-1]


def lines_of(predicted: Predicted) -> list[tuple[float, Doubles, Doubles]]:
    """Return tail and bounds of each line of the calibration, fitted on these predictions."""
    result = []
    for line in range(len(ALIKE) + 1):
        own = predicted.where(predicted.line == line)
        tail = tail_of(own)
        (low,), (high,) = bounds_of(own, [tail])
        result.append((tail, low, high))
    return result


def qualities(every: Mapping[str, Predicted]) -> list[PredictionQuality]:
    """Return how far the predictions of each method hold, bounds fitted on the other folds."""
    inside = {key: np.zeros(each.f1.size, dtype=bool) for key, each in every.items()}
    pooled = pool(every.values())
    for number in np.unique(pooled.fold):
        for line, (_, low, high) in enumerate(lines_of(pooled.where(pooled.fold != number))):
            for key, each in every.items():
                mine = (each.fold == number) & (each.line == line)
                inside[key][mine] = within(each.where(mine), low, high)
    return [
        PredictionQuality(key, "original", each.f1, each.real, inside[key])
        for key, each in every.items()
    ]


def methods_table(every: Sequence[PredictionQuality]) -> str:
    """Return a line for each method."""
    head = "method F1 predicted error below-.7 AUROC first-tenth half-after inside pages".split()
    lines = [
        [
            each.method,
            *(f"{value:.3f}" for value in (each.real.mean(), each.predicted.mean(), each.error)),
            f"{each.bad / each.pages:.3f}",
            f"{each.auroc:.3f}" if each.has_ranking else "–",
            f"{each.times_random:.1f}",
            f"{each.half_after:.2f}",
            f"{each.covered:.2f}",
            str(each.pages),
        ]
        for each in every
    ]
    return align_cells([head, *lines])


def bins_table(every: Sequence[PredictionQuality]) -> str:
    """Return predictions beside what was measured, by stretches of the scale."""
    edges = [0, *_BINS, 1]
    lines = [["predicted", "pages", "mean", "real", "gleaner's", "mean", "real"]]
    pooled = [np.concatenate([getattr(e, n) for e in every]) for n in ("predicted", "real")]
    own = next(each for each in every if each.method == "gleaner")
    for number, (low, high) in enumerate(pairwise(edges)):
        cells = [f"{low:g} to {high:g}"]
        for predicted, real in (pooled, (own.predicted, own.real)):
            here = np.digitize(predicted, _BINS) == number
            means = (
                f"{each[here].mean():.3f}" if here.any() else "–" for each in (predicted, real)
            )
            cells += [str(int(here.sum())), *means]
        lines.append(cells)
    return align_cells(lines)


def choice_line(every: Mapping[str, Predicted]) -> str:
    """Return the mean F1 of the methods with the best prediction of each page, as a sentence."""
    predicted, real = (
        np.stack([getattr(each, name) for each in every.values()]) for name in ("f1", "real")
    )
    keys = [*every]

    def said(of: Sequence[int]) -> str:
        chosen = np.argmax(predicted[of], axis=0)
        taken = real[of][chosen, np.arange(chosen.size)].mean()
        best = max(of, key=lambda row: real[row].mean())
        return (
            f"{taken:.3f} ({keys[best]} alone {real[best].mean():.3f}, the best of each page "
            f"{real[of].max(axis=0).mean():.3f})"
        )

    rows = range(len(keys))
    others = [row for row in rows if keys[row] != "gleaner"]
    return f"the best prediction of each page: {said(others)}; with gleaner {said([*rows])}"


def calibration_of(
    data: str, every: Mapping[str, Predicted], expected: Sequence[Expected | None]
) -> dict[str, object]:
    """Return the calibration of all pages, as `algorithms.triage.prediction` reads it."""
    own = [each for each in expected if each is not None]
    signals = [page_signals(each) for each in own]
    page = {
        name: (float(np.mean(values)), float(np.std(values)))
        for name in signals[0]
        for values in [[each[name] for each in signals]]
    }
    far = [distance(each, page) for each in signals]
    lines = lines_of(pool(every.values()))
    return {
        "data": data,
        "pages": len(own),
        "bounds_pages": len(own),
        "methods": list(every),
        "f1": KNOTS,
        "alike": ALIKE,
        "tails": [tail for tail, _, _ in lines],
        "low": [np.round(low, 4).tolist() for _, low, _ in lines],
        "high": [np.round(high, 4).tolist() for _, _, high in lines],
        "page": {name: [round(number, 4) for number in both] for name, both in page.items()},
        "distances": np.round(np.quantile(far, np.linspace(0, 1, _QUANTILES)), 4).tolist(),
    }


def main() -> None:
    """Measure, and print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("data")
    words.add_argument("--methods", default=METHODS)
    words.add_argument("--folds", type=int, default=5)
    words.add_argument("--threads", type=int, default=1)
    words.add_argument("--sample", type=int)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fit", type=Path, metavar="FILE")
    words.add_argument("--keep", type=Path, metavar="FOLDER")
    words.add_argument("--name", help="what the data are called in FILE")
    options = words.parse_args()
    methods = options.methods.split(",")
    choice = PageChoice(sample=options.sample, seed=options.seed)
    steps = Steps(options.keep, code_of(options.data, choice, methods, options.folds))
    cases = steps.of("pages", partial(read, options.data, choice, methods))
    expected, fold = expected_of(cases, options.folds, options.threads, steps)
    every = predictions(cases, expected, fold, methods)
    found = qualities(every)
    say(methods_table(found), "", bins_table(found), "", choice_line(every), sep="\n")
    if options.fit is not None:
        calibration = calibration_of(options.name or options.data, every, expected)
        with atomic_write(options.fit) as beside:
            beside.write_text(json.dumps(calibration, indent=1) + "\n", encoding="utf-8")
        say(f"calibration: {options.fit}")


if __name__ == "__main__":
    main()
