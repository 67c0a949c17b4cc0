"""What gleaner expects of pages whose gold it has not seen: learned from the other ones.

A model that has seen a page's gold expects that gold, errors included.  Here each page is
expected by linear scores and trees that learned from pages of other sites only.  What remains is
that of stacking: the linear scores the trees learned from were made with some of the page's gold
among their own training data.
"""

from collections.abc import Sequence

import numpy as np

from algorithms.plugins.training import gleaner_fit as fit
from algorithms.plugins.training.boosting import Say, check_lightgbm
from algorithms.plugins.training.gleaner_pages import TrainingPage, folds
from engine.errors import InputError
from engine.tree import Doubles

_FEWEST_PAGES = 10


def expected_out_of_fold(
    pages: Sequence[TrainingPage],
    parts: int,
    *,
    threads: int = 1,
    rounds: int = fit.ROUNDS,
    say: Say = lambda _line: None,
) -> list[Doubles]:
    """Return which share of each block is expected to be content, (b,) for each page.

    Raises `InputError` where there are too few pages or sites.
    """
    check_lightgbm()
    parts = min(parts, len({page.site for page in pages}))
    if sum(len(page) > 0 for page in pages) < _FEWEST_PAGES or parts < 2:
        raise InputError(
            f"--folds needs at least {_FEWEST_PAGES} pages with text and gold, of two sites: "
            "leave it out, or name a --model"
        )
    types = tuple(sorted({page.type for page in pages} - {""}))
    fold = folds(pages, parts)
    matrices, _ = fit.out_of_fold(pages, fold, types, say)
    result = [np.zeros(0)] * len(pages)
    for number in range(parts):
        say(f"trees without fold {number + 1} of {parts}")
        mixture = fit.fit_mixture(pages, matrices, fold != number, threads, rounds)
        for index in np.flatnonzero(fold == number).tolist():
            if len(pages[index]):
                result[index] = 1 / (1 + np.exp(-mixture.scores(matrices[index])))
    return result
