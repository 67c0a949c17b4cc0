"""What was tried to make gleaner better, on all five folds, page by page.

    python -m tests.bench.gleaner_ideas wcxb readability-pages.zip article-benchmark-sample sites
      --weights 1,.5,1,.15

prints the differences of methods.md#gleaner with their standard errors; the pages that count are
those of the first data set.  Forty minutes on one processor.  `--salt WORD` cuts the sites into
other folds and prints only what nets and other decisions add: for what was settled on the usual.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.extraction.gleaner.expected_f1 import best_blocks
from algorithms.plugins.training import gleaner_fit as fit
from algorithms.plugins.training.boosting import DETERMINISTIC, fit_trees
from algorithms.plugins.training.gleaner_pages import TrainingPage, folds
from algorithms.plugins.training.nets import fit_net
from annotate.plugins.training.training import training_pages
from engine.tree import Bools, Doubles, Longs

Scores = list[Doubles]
"""Log odds of the blocks of each page, from trees that have not seen its site."""

Choice = Callable[[TrainingPage, Doubles], Bools]
"""From a page and the chance of each of its blocks to the blocks that are kept."""

OTHER: dict[str, Any] = {
    "num_leaves": 48, "feature_fraction": 0.2, "bagging_fraction": 0.5, "min_data_in_leaf": 80,
}  # fmt: skip
"""Smaller trees, more unlike each other."""

MOVES = sorted(
    ((factor, shift) for factor in (1.0, 0.8, 1.25) for shift in (0.0, -0.25, 0.25, -0.5, 0.5)),
    key=lambda move: abs(np.log(move[0])) + abs(move[1]),
)
"""By what log odds are multiplied, and what is added, for pages of one type; none first."""

SCENARIOS = 64


class Ideas:
    """Pages, what trees read of them out of fold, and what scores they get."""

    def __init__(self, pages: Sequence[TrainingPage], name: str, salt: str = "") -> None:
        self.pages, self.name = pages, name
        self.counted = [k for k, page in enumerate(pages) if page.dataset == name]
        self.types = tuple(sorted({page.type for page in pages} - {""}))
        self.fold: Longs = folds(pages, 5, salt)
        self.matrices, learned = fit.out_of_fold(pages, self.fold, self.types, print)
        first = next(page for page in pages if len(page))
        self.names = fit._column_names(first, learned, self.types)

    def scored(self, train: Callable[[Bools], Callable[[np.ndarray], Doubles]]) -> Scores:
        """Return scores of all pages by what ``train`` makes of the other folds' pages."""
        result: Scores = [np.zeros(0)] * len(self.pages)
        for number in range(5):
            score = train(self.fold != number)
            for k in np.flatnonzero(self.fold == number).tolist():
                if len(self.pages[k]):
                    result[k] = score(self.matrices[k])
        return result

    def plain(self, **settings: Any) -> Scores:
        """Return the scores of one forest with other settings."""

        def train(chosen: Bools) -> Callable[[np.ndarray], Doubles]:
            rows = fit.rows_of(self.pages, self.matrices, chosen)
            own = {**fit.TREES, **settings}
            return fit_trees(*rows, own, rounds=fit.ROUNDS, threads=1).scores

        return self.scored(train)

    def net(self, seed: int) -> Scores:
        """Return the scores of one net."""

        def train(chosen: Bools) -> Callable[[np.ndarray], Doubles]:
            return fit_net(*fit.rows_of(self.pages, self.matrices, chosen), seed=seed).scores

        return self.scored(train)

    def by_page_f1(self) -> Scores:
        """Return the scores of trees that minimise cross entropy and 1 - F1, half and half."""
        return self.scored(self._train_page_f1)

    def _train_page_f1(self, chosen: Bools) -> Callable[[np.ndarray], Doubles]:
        import lightgbm

        rows, target, weight = fit.rows_of(self.pages, self.matrices, chosen)
        weight = weight * weight.size / weight.sum()
        words = np.expm1(rows[:, self.names.index("text.words")]).astype(np.float64)
        full = [k for k in np.flatnonzero(chosen) if len(self.pages[k])]
        counts = [min(len(self.pages[k]), fit._MOST_BLOCKS) for k in full]
        of = np.repeat(np.arange(len(full)), counts)
        share = np.array([self.pages[k].importance for k in full])
        share = share * weight.size / share.sum()
        gold = np.bincount(of, weights=words * target)
        mean = float((weight * target).sum() / weight.sum())
        start = np.log(mean / (1 - mean))

        def slopes(score: Doubles, _data: object) -> tuple[Doubles, Doubles]:
            chance = 1 / (1 + np.exp(-score - start))
            both = np.bincount(of, weights=chance * target * words)
            size = np.bincount(of, weights=chance * words) + gold + 5
            part = words / size[of] * share[of] * chance * (1 - chance)
            slope = part * 2 * (both / size)[of] - part * 2 * target
            entropy = weight * (chance - target)
            curve = weight * chance * (1 - chance)
            return 0.5 * entropy + slope, 0.5 * curve + 2 * part

        settings = {**DETERMINISTIC, **fit.TREES, "num_threads": 1, "objective": slopes}
        data = lightgbm.Dataset(rows, target)
        trees = lightgbm.train(settings, data, num_boost_round=fit.ROUNDS)
        return lambda matrix: np.asarray(trees.predict(matrix, raw_score=True)) + start

    def f1(
        self, scores: Scores, least: float = fit.LEAST_WORDS, choose: Choice | None = None
    ) -> Doubles:
        """Return F1 of each page that counts; ``choose`` in place of the set of highest F1."""
        result = []
        for k in self.counted:
            page = self.pages[k]
            chance = 1 / (1 + np.exp(-scores[k]))
            is_kept = best_blocks(chance, page.runs, least).is_kept
            if choose is not None and is_kept.any():
                is_kept = choose(page, chance)
            result.append(page.f1(is_kept))
        return np.array(result)

    def probable_type(self, k: int) -> int:
        """Return the number of the type that a page probably has, -1 for a page without blocks."""
        if not len(self.pages[k]):
            return -1
        first = self.names.index(f"type.{self.types[0]}")
        return int(np.argmax(self.matrices[k][0, first : first + len(self.types)]))

    def with_known_types(self) -> None:
        """Have trees read the type of each page as its data set says."""
        for k in self.counted:
            if len(self.pages[k]):
                self.matrices[k] = self.matrices[k].copy()
                for name in self.types:
                    column = self.names.index(f"type.{name}")
                    self.matrices[k][:, column] = name == self.pages[k].type


def compared(ideas: Ideas, is_short: bool) -> Iterator[tuple[str, Doubles, Doubles]]:
    """Yield what was tried, and F1 of each page with it and without."""
    scores = ideas.plain()
    usual = ideas.f1(scores)
    yield "one forest", usual, usual
    nets = [ideas.net(seed) for seed in fit.NETS]
    yield from with_nets(ideas, scores, nets)
    if is_short:
        return
    for factor, shift in ((0.8, 0.0), (1.2, 0.0), (1.5, 0.0), (0.8, -0.3), (1.2, -0.3)):
        moved = ideas.f1([factor * each + shift for each in scores])
        yield f"log odds times {factor} and {shift:+}", moved, usual
    for least in (0.0, 5.0, 20.0, 40.0):
        yield f"nothing below {least:.0f} words", ideas.f1(scores, least), usual
    others = [ideas.plain(seed=seed, **OTHER) for seed in (7, 8, 9)]
    for number, each in enumerate(others, 1):
        yield f"other trees, seed {number}", ideas.f1(each), usual
    yield "mean of the three", ideas.f1(mean_of(*others)), usual
    yield "page F1 as loss", ideas.f1(ideas.by_page_f1()), usual
    ideas.with_known_types()
    yield "type known", ideas.f1(ideas.plain()), usual


def with_nets(
    ideas: Ideas, scores: Scores, nets: Sequence[Scores]
) -> Iterator[tuple[str, Doubles, Doubles]]:
    """Yield what nets alone and with the forest have, and what is lost by the mixture."""
    usual = ideas.f1(scores)
    for seed, each in zip(fit.NETS, nets, strict=True):
        yield f"one net, seed {seed}", ideas.f1(each), usual
        yield f"forest and net, seed {seed}", ideas.f1(mean_of(scores, each)), usual
    yield "mean of the nets", ideas.f1(mean_of(*nets)), usual
    mixture = mean_of(scores, mean_of(*nets))
    yield "forest and nets, as they ship", ideas.f1(mixture), usual
    print({name: round(each, 4) for name, each in causes(ideas, mixture).items()})
    yield from decisions(ideas, mixture)


def decisions(ideas: Ideas, mixture: Scores) -> Iterator[tuple[str, Doubles, Doubles]]:
    """Yield what other decisions from the same chances have, and the usual one."""
    usual = ideas.f1(mixture)
    yield "groups of blocks whole", ideas.f1(mixture, choose=whole_groups), usual
    gain = np.array([ideas.f1([a * each + b for each in mixture]) - usual for a, b in MOVES])
    for name, errors in (("best move of each type", 0.0), ("if above a standard error", 1.0)):
        yield name, usual + moved_by_type(ideas, gain, errors), usual


def whole_groups(page: TrainingPage, chance: Doubles) -> Bools:
    """Return the groups of blocks, of one path and depth, of the highest mean F1.

    The mean is over scenarios in which gold has all of a group or nothing.
    """
    words = page.runs.words.astype(np.float64)
    paths = np.stack([page.groups["classes"], page.groups["tags"]], axis=1)
    of = np.unique(paths, axis=0, return_inverse=True)[1].ravel()
    size = np.bincount(of, weights=words)
    share = np.bincount(of, weights=words * chance) / np.maximum(size, 1e-9)
    gold = (np.random.default_rng(1).random((SCENARIOS, size.size)) < share) * size
    order = np.argsort(-share, kind="stable")
    common, own = np.cumsum(gold[:, order], axis=1), np.cumsum(size[order])
    f1 = (2 * common / np.maximum(own + gold.sum(axis=1, keepdims=True), 1e-9)).mean(axis=0)
    is_kept = np.zeros(size.size, dtype=bool)
    is_kept[order[: int(f1.argmax()) + 1]] = True
    return np.asarray(is_kept[of])


def moved_by_type(ideas: Ideas, gain: Doubles, errors: float) -> Doubles:
    """Return what each page gains by the move that is best for pages of its type.

    It is chosen on the other folds, where it must gain so many standard errors; ``gain`` is that
    of each of `MOVES` on each page, (m, p).
    """
    fold = ideas.fold[ideas.counted]
    types = np.array([ideas.probable_type(k) for k in ideas.counted])
    result = np.zeros(fold.size)
    for number in range(5):
        for kind in range(len(ideas.types)):
            rest = gain[:, (fold != number) & (types == kind)]
            here = (fold == number) & (types == kind)
            if rest.size and here.any():
                best = rest[int(rest.mean(axis=1).argmax())]
                if best.mean() >= errors * best.std() / best.size**0.5:
                    result[here] = gain[int(rest.mean(axis=1).argmax())][here]
    return result


def mean_of(*scores: Scores) -> Scores:
    """Return the mean log odds of each block."""
    return [np.mean(each, axis=0) for each in zip(*scores, strict=True)]


def missing(pages: Sequence[TrainingPage]) -> Iterator[tuple[float, float]]:
    """Yield of each page with gold which share of its words no block has, and what that costs."""
    for page in pages:
        size = page.gold.total()
        if size:
            lost = (page.gold - Counter(page.runs.tokens.tolist())).total() / size
            yield lost, lost / (2 - lost)


def causes(ideas: Ideas, scores: Scores) -> dict[str, float]:
    """Return how much F1 is lost by words kept and by words left out, and on special pages."""
    lost: Counter[str] = Counter()
    for k, f1 in zip(ideas.counted, ideas.f1(scores).tolist(), strict=True):
        page = ideas.pages[k]
        words = page.runs.words.astype(np.float64)
        chance = 1 / (1 + np.exp(-scores[k]))
        is_kept = best_blocks(chance, page.runs, fit.LEAST_WORDS).is_kept
        if not len(page):
            lost["no block"] += 1 - f1
        elif not page.gold:
            lost["gold is empty"] += 1 - f1
        elif not is_kept.any():
            lost["nothing is kept"] += 1 - f1
        else:
            more = float((words * (1 - page.share) * is_kept).sum())
            less = float((words * page.share * ~is_kept).sum())
            part = more / (more + less) if more + less else 0.0
            lost["kept"] += (1 - f1) * part
            lost["left out"] += (1 - f1) * (1 - part)
    return {name: each / len(ideas.counted) for name, each in lost.items()}


def main() -> None:
    """Read pages, train, print."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("data", nargs="+")
    words.add_argument("--weights", default="")
    words.add_argument("--salt", default="")
    options = words.parse_args()
    weights = [float(each) for each in options.weights.split(",") if each]
    pages = list(training_pages(options.data, [], weights))
    ideas = Ideas(pages, Path(options.data[0]).name, options.salt)
    table = np.array(list(missing([pages[k] for k in ideas.counted])))
    cost, few = table[:, 1].sum() / len(ideas.counted), np.count_nonzero(table[:, 0] < 0.02)
    print(f"words no block has cost {cost:.4f}; {few} of {len(table)} pages lack less than 2 %")
    for name, own, usual in compared(ideas, bool(options.salt)):
        lost = own - usual
        print(f"{name:<32} {own.mean():.4f} {lost.mean():+.4f} ± {lost.std() / own.size**0.5:.4f}",
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
