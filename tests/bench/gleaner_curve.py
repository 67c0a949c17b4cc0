"""How many pages of one's own gleaner needs, beside fixed methods on the same pages.

    python -m tests.bench.gleaner_curve wcxb [METHOD,...]
    python -m tests.bench.gleaner_curve wcxb [METHOD,...] --type product
    python -m tests.bench.gleaner_curve readability-pages.zip native,external,-gleaner --folds
    python -m tests.bench.gleaner_curve sites native,external,-gleaner --known
    python -m tests.bench.gleaner_curve sites native,external,-gleaner --known --alone

A fifth of the sites is held back.  Of the other pages n are drawn three times, a model is trained
on them alone, and its bag-of-words F1 (lower case) is that of the pages held back.  Ten minutes on
one processor.

With ``--folds`` each fifth of the sites is held back in turn, n are drawn once of the rest, and F1
is the mean of all pages: for few pages.  ``--type`` does so with the pages of one type alone.

With ``--known`` pages are of sites that were learned from: n pages are drawn three times of those
whose site has others, and the model is scored on the other pages of the sites that were drawn;
``--alone`` draws from each site by itself.  With ``--beside .2`` every page whose site has no other
is learned from, too, and counts a fifth of one drawn: ``--draws 1``, or it takes an hour.

Each F1 stands beside two fixed methods: the one that is best on the pages learned from, which is
what their owner would have chosen, and the one that is best on the pages scored.  The standard
errors are page by page; of known sites the second is site by site, since pages of a site are alike.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from algorithms.extraction.gleaner.text_runs import hash_word
from algorithms.plugins.training.boosting import FEWEST_PAGES
from algorithms.plugins.training.gleaner_fit import f1_of, train
from algorithms.plugins.training.gleaner_pages import TrainingPage, folds
from annotate.evaluation.run.plan import chosen_of
from annotate.library.page_cases import dataset
from annotate.plugins.training.training import training_pages
from engine.errors import PageletError
from engine.tree import Bools, Doubles, Longs
from engine.word_units import words_in

SIZES = (25, 50, 100, 200, 500)
ALONE_SIZES = (FEWEST_PAGES, 25)
DRAWS = 3
USUAL = "trafilatura,resiliparse,cetr-km,combine,lsi,bte"


@dataclass(frozen=True)
class Split:
    """Numbers of the pages that a model learns from, and of those it is scored on."""

    learned: Longs
    scored: Longs


def f1_of_text(text: str, page: TrainingPage) -> float:
    """Return the bag-of-words F1 of an extract, as `TrainingPage.f1` counts."""
    own = Counter(map(hash_word, words_in(text.lower())))
    if not own or not page.gold:
        return float(own == page.gold)
    return 2 * (own & page.gold).total() / (own.total() + page.gold.total())


def fixed_scores(data: str, methods: str, pages: Sequence[TrainingPage]) -> dict[str, Doubles]:
    """Return F1 of fixed methods on each page; none of those that read a site."""
    cases = dataset(data)
    entries = [chosen.entry for chosen in chosen_of(methods, (), cases.datasets)]
    keys = [entry.key for entry in entries if not entry.reads_site]
    at = {page.name: number for number, page in enumerate(pages)}
    result = {key: np.zeros(len(pages)) for key in keys}
    for case in cases:
        if case.name not in at:
            continue
        opened, number = case.page, at[case.name]
        for key in keys:
            try:
                text = opened.run(key).text
            except PageletError:
                text = ""
            result[key][number] = f1_of_text(text, pages[number])
    return result


# Which pages are learned from ------------------------------------------------------------------


def held_back(pages: Sequence[TrainingPage]) -> Iterator[tuple[str, list[Split]]]:
    """Yield for each size three draws from four fifths of the sites; the last fifth is scored."""
    fold = folds(pages, 5)
    held, rest = np.flatnonzero(fold == 0), np.flatnonzero(fold)
    for size in (*SIZES, rest.size):
        draws = range(DRAWS if size < rest.size else 1)
        yield f"{size:>5} pages", [Split(drawn(rest, size, draw), held) for draw in draws]


def in_turn(pages: Sequence[TrainingPage]) -> Iterator[tuple[str, list[Split]]]:
    """Yield for each size five draws, each of pages outside the fifth that is scored."""
    fold = folds(pages, 5)
    of = [(np.flatnonzero(fold != own), np.flatnonzero(fold == own)) for own in range(5)]
    least = min(rest.size for rest, _ in of)
    for size in (*(size for size in SIZES if size < least), least):
        yield (
            f"{size:>5} pages",
            [Split(drawn(rest, size, own), held) for own, (rest, held) in enumerate(of)],
        )


def known(
    pages: Sequence[TrainingPage], sizes: Sequence[int], draws: int = DRAWS
) -> Iterator[tuple[str, list[Split]]]:
    """Yield for each size some draws; what is scored are the other pages of the sites drawn."""
    some = np.arange(len(pages))
    for size in (size for size in sizes if size <= some.size * 0.75):
        splits = []
        for draw in range(draws):
            learned = drawn(some, size, draw)
            of = {pages[k].site for k in learned.tolist()}
            rest = np.setdiff1d(some, learned)
            splits.append(Split(learned, np.array([k for k in rest if pages[k].site in of])))
        yield f"{size:>5} pages", splits


def alone(pages: Sequence[TrainingPage]) -> Iterator[tuple[str, list[Split]]]:
    """Yield for each site and size three draws from that site's pages."""
    for site in sorted({page.site for page in pages}):
        own = np.array([k for k, page in enumerate(pages) if page.site == site])
        for label, splits in known([pages[k] for k in own.tolist()], ALONE_SIZES):
            yield (
                f"{site} {label}",
                [Split(own[split.learned], own[split.scored]) for split in splits],
            )


def drawn(some: npt.NDArray[np.integer], size: int, draw: int) -> Longs:
    """Return so many of some numbers, at random, in order."""
    chosen = np.random.default_rng([size, draw]).choice(some.size, size, replace=False)
    return np.asarray(some[np.sort(chosen)], dtype=np.int64)


# Scores ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """F1 of gleaner and of fixed methods; a row is a split, a column a page, NaN if not scored.

    Attributes:
        own: Of the models.
        chosen: Of the method that is best on the pages a model learned from.
        names: Which these were.
    """

    own: Doubles
    chosen: Doubles
    names: Counter[str]

    @property
    def is_scored(self) -> Bools:
        """Which pages any split scores."""
        return np.asarray(~np.isnan(self.own).all(axis=0))

    def of_pages(self, values: Doubles) -> Doubles:
        """Return the mean over splits of each page that is scored."""
        return np.asarray(np.nanmean(values[:, self.is_scored], axis=0))


def measured(
    pages: Sequence[TrainingPage],
    fixed: Mapping[str, Doubles],
    splits: Sequence[Split],
    beside: Sequence[TrainingPage] = (),
) -> Measured:
    """Train a model for each split, ``beside`` in each of them, and score it."""
    own = np.full((len(splits), len(pages)), np.nan)
    chosen = own.copy()
    names: Counter[str] = Counter()
    for row, split in enumerate(splits):
        model, _ = train([*(pages[k] for k in split.learned.tolist()), *beside], {}, parts=1)
        for k in split.scored.tolist():
            own[row, k] = f1_of(model, pages[k])
        name = best_of(fixed, split.learned)
        names[name] += 1
        chosen[row, split.scored] = fixed[name][split.scored]
    return Measured(own, chosen, names)


def best_of(fixed: Mapping[str, Doubles], some: npt.NDArray[Any]) -> str:
    """Return the fixed method with the highest mean F1 on some pages."""
    return max(fixed, key=lambda key: float(fixed[key][some].mean()))


def line_of(
    pages: Sequence[TrainingPage], fixed: Mapping[str, Doubles], result: Measured, by_site: bool
) -> str:
    """Return what is printed of one size."""
    scored = np.flatnonzero(result.is_scored)
    sites = [pages[k].site for k in scored.tolist()] if by_site else []
    own = result.of_pages(result.own)
    means = [float(np.nanmean(row)) for row in result.own]
    best = best_of(fixed, scored)
    names = ", ".join(result.names)
    return (
        f"{scored.size:>5} scored  {own.mean():.3f} ({min(means):.3f} to {max(means):.3f})  "
        f"{difference(own - result.of_pages(result.chosen), sites)} ({names})  "
        f"{difference(own - fixed[best][scored], sites)} (best there: {best})"
    )


def difference(values: Doubles, sites: Sequence[str]) -> str:
    """Return a mean with its standard error by page, and by site where sites are given."""
    text = f"{values.mean():+.3f} ± {values.std() / values.size**0.5:.3f}"
    names, of = np.unique(np.array(sites), return_inverse=True)
    if names.size < 2:
        return text
    centred = np.bincount(of, weights=values - values.mean())  # of each site
    return f"{text} (± {float((centred**2).sum()) ** 0.5 / values.size:.3f})"


def print_fixed(fixed: Mapping[str, Doubles]) -> None:
    """Print F1 of fixed methods on all pages, the best first."""
    for key in sorted(fixed, key=lambda key: -fixed[key].mean()):
        print(f"{key:<24} {fixed[key].mean():.3f}", flush=True)


def main() -> None:
    """Print the fixed methods, and the curve."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("data")
    words.add_argument("methods", nargs="?", default=USUAL)
    words.add_argument("--type", default="")
    words.add_argument("--folds", action="store_true")
    words.add_argument("--known", action="store_true")
    words.add_argument("--alone", action="store_true")
    words.add_argument("--beside", type=float, default=0)
    words.add_argument("--draws", type=int, default=DRAWS)
    options = words.parse_args()
    every = training_pages([options.data], [])
    pages = [page for page in every if not options.type or page.type == options.type]
    beside: list[TrainingPage] = []
    if options.known:
        of_site = Counter(page.site for page in pages)
        if options.beside:
            single = [page for page in pages if of_site[page.site] == 1]
            beside = [replace(page, importance=options.beside) for page in single]
        pages = [page for page in pages if of_site[page.site] > 1]
        sizes = alone(pages) if options.alone else known(pages, SIZES, options.draws)
    else:
        sizes = in_turn(pages) if options.folds or options.type else held_back(pages)
    fixed = fixed_scores(options.data, options.methods, pages)
    print(f"{len(pages)} pages of {len({page.site for page in pages})} sites")
    print_fixed(fixed)
    for label, splits in sizes:
        result = measured(pages, fixed, splits, beside)
        print(label, line_of(pages, fixed, result, options.known), flush=True)


if __name__ == "__main__":
    main()
