"""Which share of errors planted in gold lies in the first tenth of what the auditor ranks.

    python -m tests.bench.planted_errors DATA [--share .05] [--folds 5] [--seed 1] [--regions]

Of all blocks of the data set's pages that have gold text, ``--share`` get the wrong gold, in equal
parts of the kinds in `KINDS`.  Gleaner then learns from the gold *with* these errors, in folds by
site, so that what it expects of a block has seen neither its gold nor that of its site.  All blocks
of all pages are ranked by suspicion; the table says of each kind which share of its errors is among
the first tenth, and of all errors which is in the first tenth, twentieth and fiftieth.

With ``--regions`` whole stretches are wrong instead: all blocks of one path of tags and classes on
a page, at least three, where their siblings, wrong alike, confirm them.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from algorithms.plugins.audit.out_of_fold import expected_out_of_fold
from algorithms.plugins.training.gleaner_pages import TrainingPage
from annotate.evaluation.run.run_options import PageChoice
from annotate.evaluation.run.triage import pages_of
from annotate.plugins.audit.auditing import ReadPage, learning_page, pages_with_gold, read_page
from engine.web.worker_browser import LateBrowser

say = partial(print, flush=True)

KINDS = (
    "a paragraph amid the content left out",
    "the first or last block of a run left out",
    "a heading left out",
    "a link outside the content marked",
    "a text outside the content marked",
    "a block next to the content marked",
)
_ORDER = (2, 1, 5, 0, 4, 3)
"""Scarce kinds are planted first: a block may be an example of several."""

_LONG, _FEWEST = 10, 3


def read(data: str, choice: PageChoice) -> tuple[list[ReadPage], list[TrainingPage]]:
    """Read all pages with gold text, as the auditor and as training do."""
    pages, learning = [], []
    with LateBrowser() as browser:
        for name, files, gold in pages_with_gold(choice.taken_of(pages_of(data)), browser, say):
            pages.append(read_page(data, name, gold))
            learning.append(learning_page(name, files, gold))
    return pages, learning


def examples(page: ReadPage, learning: TrainingPage) -> list[np.ndarray]:
    """Return which blocks of a page could be an error of each kind."""
    names = learning.column_names
    heading = learning.columns[:, names.index("tag.heading")] > 0
    links = learning.columns[:, names.index("links.share")] > 0.5
    marked, has_words, is_long = page.gold > 0.5, page.words > 0, page.words >= _LONG
    before = np.concatenate(([False], marked[:-1]))
    after = np.concatenate((marked[1:], [False]))
    masks = (
        marked & is_long & before & after,
        marked & ~(before & after),
        marked & heading,
        ~marked & links & has_words,
        ~marked & ~links & is_long,
        ~marked & (before | after) & has_words,
    )
    return [np.flatnonzero(mask) for mask in masks]


def plant(
    pages: Sequence[ReadPage], learning: Sequence[TrainingPage], share: float, seed: int
) -> list[np.ndarray]:
    """Return of each block which kind of error it gets, -1 for none."""
    rng = np.random.default_rng(seed)
    kinds = [np.full(page.gold.size, -1) for page in pages]
    usable = [k for k, page in enumerate(pages) if page.gold.size]
    lists = {k: examples(pages[k], learning[k]) for k in usable}
    most = int(share * sum(page.gold.size for page in pages) / len(KINDS))
    for kind in _ORDER:
        every = [(k, int(block)) for k in usable for block in lists[k][kind]]
        planted = 0
        for number in rng.permutation(len(every)).tolist():
            page, block = every[number]
            if planted == most:
                break
            if kinds[page][block] < 0:
                kinds[page][block] = kind
                planted += 1
    return kinds


def plant_regions(pages: Sequence[ReadPage], share: float, seed: int) -> list[np.ndarray]:
    """Return 0 for the blocks that were left out, 1 for those marked, whole kinds of them."""
    rng = np.random.default_rng(seed)
    kinds = [np.full(page.gold.size, -1) for page in pages]
    regions = []
    for k, page in enumerate(pages):
        for number in np.unique(page.kinds).tolist():
            blocks = np.flatnonzero((page.kinds == number) & (page.words > 0))
            marked = page.gold[blocks] > 0.5
            if blocks.size >= _FEWEST and (marked.all() or not marked.any()):
                regions.append((k, blocks, int(not marked[0])))
    left = share * sum(page.gold.size for page in pages)
    of_each = [left / 2, left / 2]
    for number in rng.permutation(len(regions)).tolist():
        k, blocks, kind = regions[number]
        if blocks.size <= of_each[kind]:
            kinds[k][blocks] = kind
            of_each[kind] -= blocks.size
    return kinds


def tell(name: str, score: np.ndarray, kind: np.ndarray, count: int) -> None:
    """Print one row: the three shares of all errors, then the first tenth of each kind."""
    rank = np.empty(score.size)
    rank[np.argsort(-score, kind="stable")] = np.arange(score.size) / score.size
    own = rank[kind >= 0]
    shares = [(own < limit).mean() for limit in (0.1, 0.05, 0.02)]
    by_kind = [(rank[kind == k] < 0.1).mean() for k in range(count)]
    say(f"{name:<18}", *(f"{value:.3f}" for value in (*shares, *by_kind)))


def measure(
    pages: Sequence[ReadPage],
    learning: Sequence[TrainingPage],
    kinds: Sequence[np.ndarray],
    names: Sequence[str],
    **training: int,
) -> None:
    """Print the table of one planting."""
    gold = [
        np.where(kind >= 0, 1.0 - np.round(page.gold), page.gold)
        for page, kind in zip(pages, kinds, strict=True)
    ]
    noisy = [replace(page, share=own) for page, own in zip(learning, gold, strict=True)]
    chances = expected_out_of_fold(noisy, training["folds"], threads=training["threads"], say=say)
    read = [
        replace(page, gold=own, chance=chance)
        for page, own, chance in zip(pages, gold, chances, strict=True)
        if page.gold.size
    ]
    kind = np.concatenate([own for own in kinds if own.size])
    marks = np.concatenate([page.gold for page in read])
    say(f"{len(read)} pages, {kind.size} blocks, {(kind >= 0).sum()} wrong:",
        *(f"{(kind == k).sum()} {name};" for k, name in enumerate(names)))  # fmt: skip
    say(f"{'':<18} tenth 1/20  1/50  then the first tenth of each kind")
    expected = np.concatenate([page.chance for page in read])
    votes = np.concatenate([page.votes for page in read])
    for name, score in (
        ("gleaner alone", np.abs(marks - expected)),
        ("methods alone", np.abs(marks - votes)),
        ("all", np.concatenate([np.abs(page.gold - page.evidence.expected) for page in read])),
    ):
        tell(name, score, kind, len(names))


def main() -> None:
    """Measure, and print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("data")
    words.add_argument("--share", type=float, default=0.05)
    words.add_argument("--folds", type=int, default=5)
    words.add_argument("--threads", type=int, default=1)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--sample", type=int)
    words.add_argument("--regions", action="store_true")
    options = words.parse_args()
    pages, learning = read(options.data, PageChoice(sample=options.sample))
    training = {"folds": options.folds, "threads": options.threads}
    if options.regions:
        kinds = plant_regions(pages, options.share, options.seed)
        names = ("a whole kind left out", "a whole kind marked")
    else:
        kinds = plant(pages, learning, options.share, options.seed)
        names = KINDS
    measure(pages, learning, kinds, names, **training)


if __name__ == "__main__":
    main()
