"""How many pages of one's own gleaner needs: trained on 25 to 500, scored on sites it has not seen.

    python -m tests.bench.gleaner_curve wcxb [METHOD,...]

A fifth of the sites is held back.  Of the other pages n are drawn three times, a model is trained
on them alone, and its bag-of-words F1 (lower case) is that of the pages held back, beside fixed
methods on the same pages.  A quarter of an hour on one processor.
"""

import sys
from collections import Counter

import numpy as np

from algorithms.extraction.gleaner.fit import f1_of, train
from algorithms.extraction.gleaner.text_runs import hashed
from algorithms.extraction.gleaner.training_pages import TrainingPage, folds
from annotate.library.cases import dataset
from annotate.library.training import training_pages
from engine.errors import PageletError
from engine.word_units import words_in

SIZES = (25, 50, 100, 200, 500)
DRAWS = 3


def f1_of_text(text: str, page: TrainingPage) -> float:
    """Return the bag-of-words F1 of an extract, as `TrainingPage.f1` counts."""
    own = Counter(map(hashed, words_in(text.lower())))
    if not own or not page.gold:
        return float(own == page.gold)
    return 2 * (own & page.gold).total() / (own.total() + page.gold.total())


def main(data: str, methods: str = "trafilatura,resiliparse,cetr-km,combine,lsi,bte") -> None:
    """Print the curve, and the fixed methods."""
    pages = list(training_pages([data], []))
    fold = folds(pages, 5)
    held = {page.name: page for page, own in zip(pages, fold, strict=True) if own == 0}
    rest = [page for page, own in zip(pages, fold, strict=True) if own]
    print(f"{len(held)} pages held back, {len(rest)} to draw from")
    fixed: dict[str, list[float]] = {key: [] for key in methods.split(",")}
    for case in dataset(data):
        if case.name in held:
            opened = case.page
            for key, values in fixed.items():
                try:
                    text = opened.run(key).text
                except PageletError:
                    text = ""
                values.append(f1_of_text(text, held[case.name]))
    for key, values in sorted(fixed.items(), key=lambda each: -np.mean(each[1])):
        print(f"{key:<20} {np.mean(values):.3f}")
    best = max(float(np.mean(values)) for values in fixed.values())
    for size in (*SIZES, len(rest)):
        means = []
        for draw in range(DRAWS if size < len(rest) else 1):
            some = np.random.default_rng([size, draw]).choice(len(rest), size, replace=False)
            model, _ = train([rest[k] for k in np.sort(some).tolist()], {}, parts=1)
            means.append(np.mean([f1_of(model, page) for page in held.values()]))
        spread = f"{min(means):.3f} to {max(means):.3f}"
        print(f"{size:>5} pages  {np.mean(means):.3f} ({spread})  {np.mean(means) - best:+.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:])
