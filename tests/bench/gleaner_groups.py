"""What gleaner loses without a group of its measures, and what it scores as one article.

    python -m tests.bench.gleaner_groups wcxb readability-pages.zip article-benchmark-sample sites
      --weights 1,.5,1,.15

prints the tables of methods.md#gleaner, out of five folds: the pages that count are those of the
first data set, of sites that trees and nets have not seen.  The groups are left out of smaller
models, quick to train: few trees, and one net that sees its rows few times.  The scores as one
article are those of trees and nets as they ship.  An hour on one processor; ``--folds 2`` or
``--folds 1,2`` scores the pages of these folds alone, ``--only groups`` or ``--only articles``
prints one of the two.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from algorithms.extraction.gleaner.expected_f1 import best_blocks
from algorithms.extraction.gleaner.text_runs import hash_word, number_values
from algorithms.learning.net import Mixture
from algorithms.plugins.training import gleaner_fit as fit
from algorithms.plugins.training.boosting import fit_trees
from algorithms.plugins.training.gleaner_fit import Matrix
from algorithms.plugins.training.gleaner_pages import TrainingPage, folds
from algorithms.plugins.training.nets import USUAL, fit_net
from annotate.library.page_cases import dataset
from annotate.plugins.training.training import training_pages
from engine.sequences import common_numbers
from engine.tree import Doubles, Longs
from engine.word_units import words_in

SMALL = {**fit.TREES, "num_leaves": 31, "learning_rate": 0.15, "feature_pre_filter": False}
ROUNDS, MOST_BLOCKS = 60, 60
SHORT = replace(USUAL, epochs=5)


def _group(column: str) -> str:
    return column.partition(".")[0].rstrip("0123456789")


class Folded:
    """Pages in five folds, with what trees and nets read of all; those of some folds are scored."""

    def __init__(self, pages: Sequence[TrainingPage], scored: Sequence[int]) -> None:
        self.pages, self.scored = pages, scored
        self.types = tuple(sorted({page.type for page in pages} - {""}))
        self.fold: Longs = folds(pages, 5)
        self.matrices, learned = fit.out_of_fold(pages, self.fold, self.types, print)
        first = next(page for page in pages if len(page))
        self.names = fit._column_names(first, learned, self.types)

    def of(self, name: str) -> list[int]:
        """Return the pages of a data set that are scored."""
        is_scored = np.isin(self.fold, self.scored)
        return [k for k in np.flatnonzero(is_scored) if self.pages[k].dataset == name]

    def without(self, groups: Sequence[str], name: str) -> dict[str, Doubles]:
        """Return the F1 of each page by small trees, and by trees and a net, without some groups.

        Each page is scored by a model that learned from the other folds and reads nothing of the
        groups.
        """
        read = np.array([_group(column) not in groups for column in self.names], dtype=np.float32)
        counted = self.of(name)
        result = {kind: np.zeros(len(self.pages)) for kind in ("trees", "trees and net")}
        for number in self.scored:
            rows, target, weight = fit.rows_of(
                self.pages, self.matrices, self.fold != number, MOST_BLOCKS
            )
            settings = {**SMALL, "feature_contri": read.astype(float).tolist()}
            forest = fit_trees(rows, target, weight, settings, rounds=ROUNDS, threads=1)
            net = fit_net(rows * read, target, weight, seed=1, settings=SHORT)
            models = {"trees": forest, "trees and net": Mixture(forest, (net,))}
            for k in counted:
                if self.fold[k] != number:
                    continue
                page = self.pages[k]
                matrix = self.matrices[k] * read if len(page) else self.matrices[k]
                for kind, model in models.items():
                    result[kind][k] = page.f1(fit.chosen_blocks(page, model, matrix))
        return {kind: values[counted] for kind, values in result.items()}

    def as_article(self, index: int) -> Matrix:
        """Return what trees and nets read of a page that is taken for an article."""
        matrix = self.matrices[index].copy()
        for name in self.types:
            matrix[:, self.names.index(f"type.{name}")] = name == "article"
        return matrix


def print_groups(folded: Folded, name: str) -> None:
    """Print what is lost without each group, with the standard error over pages."""
    whole = folded.without((), name)
    for kind, values in whole.items():
        print(f"all groups, {kind} {values.mean():.4f} ({values.size} pages)", flush=True)
    groups_of_columns = dict.fromkeys(map(_group, folded.names))
    for groups in (("names", "lexis"), *((group,) for group in groups_of_columns)):
        line = f"without {', '.join(groups):<14}"
        for kind, values in folded.without(groups, name).items():
            lost = values - whole[kind]
            line += f"  {kind} {lost.mean():+.4f} ± {lost.std() / lost.size**0.5:.4f}"
        print(line, flush=True)


def print_articles(folded: Folded, golds: dict[tuple[str, str], Longs]) -> None:
    """Print F1 in words in order, with all content and as one article."""
    scores: dict[str, list[list[float]]] = {}
    for number in folded.scored:
        mixture = fit.fit_mixture(
            folded.pages, folded.matrices, folded.fold != number, 1, fit.ROUNDS
        )
        for index in np.flatnonzero(folded.fold == number).tolist():
            page = folded.pages[index]
            gold = golds.get((page.dataset, page.name))
            if gold is None or not len(page) or page.type not in ("", "article"):
                continue
            both = [
                _in_order(page, mixture.scores(matrix), gold)
                for matrix in (folded.matrices[index], folded.as_article(index))
            ]
            scores.setdefault(page.dataset, []).append(both)
        print(f"fold {number + 1} of 5", flush=True)
    for name, rows in scores.items():
        usual, article = np.mean(rows, axis=0)
        differences = np.array(rows)[:, 1] - np.array(rows)[:, 0]
        error = differences.std() / differences.size**0.5
        print(
            f"{name} {len(rows)}: {usual:.4f}, as one article {article:.4f}, "
            f"{differences.mean():+.4f} ± {error:.4f}"
        )


def _in_order(page: TrainingPage, score: Doubles, gold: Longs) -> float:
    """Return the F1 in words in order of the blocks that are kept."""
    words = page.runs.words
    chance = 1 / (1 + np.exp(-score))
    is_kept = best_blocks(chance, page.runs, fit.LEAST_WORDS).is_kept
    own = page.runs.tokens[np.repeat(is_kept, words)]
    numbers = number_values(np.concatenate([gold, own]))
    common = len(common_numbers(numbers[gold.size :], numbers[: gold.size]))
    return 2 * common / max(own.size + gold.size, 1)


def _golds(paths: Sequence[str]) -> dict[tuple[str, str], Longs]:
    """Return the words of gold in order, hashed, by data set and page."""
    return {
        (Path(path).name, case.name): np.array(
            [hash_word(word) for word in words_in(case.gold.text.lower())], dtype=np.int64
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
    words.add_argument("--folds", default="1,2,3,4,5")
    words.add_argument("--only", choices=("groups", "articles"), default="")
    options = words.parse_args()
    weights = [float(each) for each in options.weights.split(",") if each]
    problems: list[str] = []
    scored = [int(each) - 1 for each in options.folds.split(",")]
    folded = Folded(list(training_pages(options.data, problems, weights)), scored)
    if options.only != "articles":
        print_groups(folded, Path(options.data[0]).name)
    if options.only != "groups":
        print_articles(folded, _golds(options.data))


if __name__ == "__main__":
    main()
