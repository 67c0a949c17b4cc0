"""What gleaner loses without a group of its measures, and what it scores as one article.

    python -m tests.bench.gleaner_groups wcxb readability-pages.zip article-benchmark-sample sites
      --weights 1,.5,1,.15 --fold 2

prints the tables of methods.md#gleaner, on one of five folds: the pages that count are those of the
first data set, of sites that the trees have not seen.  The groups are left out of smaller models,
quick to train; the scores as one article are those of trees and nets as they ship.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from algorithms.extraction.gleaner import fit
from algorithms.extraction.gleaner.choice import best_set
from algorithms.extraction.gleaner.columns import GROUPS
from algorithms.extraction.gleaner.method import _group
from algorithms.extraction.gleaner.text_runs import hashed, numbered
from algorithms.extraction.gleaner.training_pages import TrainingPage, folds
from algorithms.learning.boosting import fit_trees
from algorithms.learning.forest import Forest
from annotate.library.cases import dataset
from annotate.library.training import training_pages
from engine.sequences import common_numbers
from engine.tree import Doubles, Longs
from engine.word_units import words_in

SMALL = {**fit.TREES, "num_leaves": 31, "learning_rate": 0.15, "feature_pre_filter": False}
ROUNDS, MOST_BLOCKS = 60, 60


class Fold:
    """One fold of pages, with what trees read of all."""

    def __init__(self, pages: Sequence[TrainingPage], number: int) -> None:
        self.pages = pages
        self.types = tuple(sorted({page.type for page in pages} - {""}))
        self.fold: Longs = folds(pages, 5)
        self.is_tested = self.fold == number - 1
        self.matrices, learned = fit.out_of_fold(pages, self.fold, self.types, print)
        first = next(page for page in pages if len(page))
        self.names = fit._column_names(first, learned, self.types)

    def tested(self, name: str) -> list[int]:
        """Return the pages of a data set that are scored."""
        return [k for k in np.flatnonzero(self.is_tested) if self.pages[k].dataset == name]

    def f1(self, forest: Forest, name: str) -> Doubles:
        """Return the bag-of-words F1 of each page of a data set."""
        return np.array(
            [
                self.pages[k].f1(fit.chosen_blocks(self.pages[k], forest, self.matrices[k]))
                for k in self.tested(name)
            ]
        )

    def without(self, groups: Sequence[str]) -> Forest:
        """Return small trees that read nothing of some groups."""
        read = [0.0 if _group(name) in groups else 1.0 for name in self.names]
        rows = fit.rows_of(self.pages, self.matrices, ~self.is_tested, MOST_BLOCKS)
        return fit_trees(*rows, {**SMALL, "feature_contri": read}, rounds=ROUNDS, threads=1)

    def as_article(self, index: int) -> np.ndarray:
        """Return what trees read of a page that is taken for an article."""
        matrix = self.matrices[index].copy()
        for name in self.types:
            matrix[:, self.names.index(f"type.{name}")] = name == "article"
        return matrix


def print_groups(fold: Fold, name: str) -> None:
    """Print what is lost without each group, with the standard error over pages."""
    whole = fold.f1(fold.without(()), name)
    print(f"all groups {whole.mean():.4f} ({whole.size} pages)")
    for groups in (("names", "lexis"), *((group,) for group in GROUPS)):
        lost = fold.f1(fold.without(groups), name) - whole
        error = lost.std() / lost.size**0.5
        print(f"without {', '.join(groups):<14} {lost.mean():+.4f} ± {error:.4f}", flush=True)


def print_articles(fold: Fold, golds: dict[tuple[str, str], Longs]) -> None:
    """Print F1 in words in order, with all content and as one article."""
    mixture = fit.fit_mixture(fold.pages, fold.matrices, ~fold.is_tested, 1, fit.ROUNDS)
    for name in dict.fromkeys(key[0] for key in golds):
        scores = []
        for index in fold.tested(name):
            page = fold.pages[index]
            if not len(page) or page.type not in ("", "article"):
                continue
            scores.append(
                [
                    _in_order(page, mixture.scores(matrix), golds[name, page.name])
                    for matrix in (fold.matrices[index], fold.as_article(index))
                ]
            )
        if scores:
            usual, article = np.mean(scores, axis=0)
            print(f"{name} {len(scores)}: {usual:.4f}, as one article {article:.4f}")


def _in_order(page: TrainingPage, score: Doubles, gold: Longs) -> float:
    """Return the F1 in words in order of the blocks that are kept."""
    words = page.runs.words
    chance = 1 / (1 + np.exp(-score))
    is_kept = best_set(chance, words.astype(np.float64), fit.LEAST_WORDS)[0]
    own = page.runs.tokens[np.repeat(is_kept, words)]
    numbers = numbered(np.concatenate([gold, own]))
    common = len(common_numbers(numbers[gold.size :], numbers[: gold.size]))
    return 2 * common / max(own.size + gold.size, 1)


def _golds(paths: Sequence[str]) -> dict[tuple[str, str], Longs]:
    """Return the words of gold in order, hashed, by data set and page."""
    return {
        (Path(path).name, case.name): np.array(
            [hashed(word) for word in words_in(case.gold.text.lower())], dtype=np.int64
        )
        for path in paths
        for case in dataset(path)
        if case.gold.text is not None
    }


def main() -> None:
    """Read pages, train, print."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("data", nargs="+")
    words.add_argument("--weights", default="")
    words.add_argument("--fold", type=int, default=1)
    options = words.parse_args()
    weights = [float(each) for each in options.weights.split(",") if each]
    problems: list[str] = []
    fold = Fold(list(training_pages(options.data, problems, weights)), options.fold)
    print_groups(fold, Path(options.data[0]).name)
    print_articles(fold, _golds(options.data))


if __name__ == "__main__":
    main()
