"""How many pages of one's own gleaner needs: trained on 25 to 500, scored on sites it has not seen.

    python -m tests.bench.gleaner_curve wcxb [METHOD,...]
    python -m tests.bench.gleaner_curve wcxb [METHOD,...] --type product

A fifth of the sites is held back.  Of the other pages n are drawn three times, a model is trained
on them alone, and its bag-of-words F1 (lower case) is that of the pages held back, beside fixed
methods on the same pages.  A quarter of an hour on one processor.

With a type only pages of that type count.  They are few, so each fifth of their sites is held back
in turn, n are drawn once of the rest, and F1 is the mean of all pages of the type.
"""

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from algorithms.extraction.gleaner.fit import f1_of, train
from algorithms.extraction.gleaner.text_runs import hashed
from algorithms.extraction.gleaner.training_pages import TrainingPage, folds
from annotate.library.cases import dataset
from annotate.library.training import training_pages
from engine.errors import PageletError
from engine.tree import Doubles, Longs
from engine.word_units import words_in

SIZES = (25, 50, 100, 200, 500)
DRAWS = 3
USUAL = "trafilatura,resiliparse,cetr-km,combine,lsi,bte"


def f1_of_text(text: str, page: TrainingPage) -> float:
    """Return the bag-of-words F1 of an extract, as `TrainingPage.f1` counts."""
    own = Counter(map(hashed, words_in(text.lower())))
    if not own or not page.gold:
        return float(own == page.gold)
    return 2 * (own & page.gold).total() / (own.total() + page.gold.total())


def print_fixed(data: str, methods: Sequence[str], held: Mapping[str, TrainingPage]) -> Doubles:
    """Print F1 of fixed methods on some pages; return that of the best on each page, in order."""
    fixed: dict[str, dict[str, float]] = {key: {} for key in methods}
    for case in dataset(data):
        if case.name in held:
            opened = case.page
            for key, values in fixed.items():
                try:
                    text = opened.run(key).text
                except PageletError:
                    text = ""
                values[case.name] = f1_of_text(text, held[case.name])
    rows = {key: np.array([values[name] for name in held]) for key, values in fixed.items()}
    order = sorted(rows, key=lambda key: -rows[key].mean())
    for key in order:
        print(f"{key:<20} {rows[key].mean():.3f}", flush=True)
    return rows[order[0]]


def trained(pages: Sequence[TrainingPage], size: int, draw: int) -> list[TrainingPage]:
    """Return so many pages, drawn at random."""
    some = np.random.default_rng([size, draw]).choice(len(pages), size, replace=False)
    return [pages[k] for k in np.sort(some).tolist()]


def print_curve(data: str, methods: Sequence[str], pages: Sequence[TrainingPage]) -> None:
    """Print F1 on a fifth of the sites by the number of pages of the others."""
    fold = folds(pages, 5)
    held = {page.name: page for page, own in zip(pages, fold, strict=True) if own == 0}
    rest = [page for page, own in zip(pages, fold, strict=True) if own]
    print(f"{len(held)} pages held back, {len(rest)} to draw from")
    best = print_fixed(data, methods, held).mean()
    for size in (*SIZES, len(rest)):
        means = []
        for draw in range(DRAWS if size < len(rest) else 1):
            model, _ = train(trained(rest, size, draw), {}, parts=1)
            means.append(np.mean([f1_of(model, page) for page in held.values()]))
        spread = f"{min(means):.3f} to {max(means):.3f}"
        print(f"{size:>5} pages  {np.mean(means):.3f} ({spread})  {np.mean(means) - best:+.3f}")


def print_of_type(data: str, methods: Sequence[str], pages: Sequence[TrainingPage]) -> None:
    """Print F1 on all pages, each by a model of pages of other sites, by their number."""
    fold = folds(pages, 5)
    least = int(min(np.count_nonzero(fold != number) for number in range(5)))
    print(f"{len(pages)} pages, {least} and more to draw from")
    best = print_fixed(data, methods, {page.name: page for page in pages})
    for size in (*(size for size in SIZES if size < least), least):
        own = _of_all(pages, fold, size)
        lost = own - best
        error = lost.std() / lost.size**0.5
        print(f"{size:>5} pages  {own.mean():.3f}  {lost.mean():+.3f} ± {error:.3f}", flush=True)


def _of_all(pages: Sequence[TrainingPage], fold: Longs, size: int) -> Doubles:
    """Return F1 of each page, by models of so many pages of the other folds."""
    result = np.zeros(len(pages))
    for number in range(5):
        rest = [page for page, own in zip(pages, fold, strict=True) if own != number]
        model, _ = train(trained(rest, size, number), {}, parts=1)
        for index in np.flatnonzero(fold == number).tolist():
            result[index] = f1_of(model, pages[index])
    return result


def main() -> None:
    """Print the curve, and the fixed methods."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("data")
    words.add_argument("methods", nargs="?", default=USUAL)
    words.add_argument("--type", default="")
    options = words.parse_args()
    methods = options.methods.split(",")
    pages = list(training_pages([options.data], []))
    if options.type:
        own = [page for page in pages if page.type == options.type]
        print_of_type(options.data, methods, own)
    else:
        print_curve(options.data, methods, pages)


if __name__ == "__main__":
    main()
