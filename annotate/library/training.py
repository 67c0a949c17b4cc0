"""Pages with gold text, from every data set and workspace Pagelet reads, to learn from."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from algorithms.extraction.gleaner.training_pages import TrainingPage, training_page
from annotate.library.cases import PageCase, dataset
from engine.errors import PageletError


def training_pages(
    paths: Sequence[str | Path], problems: list[str], weights: Sequence[float] = ()
) -> Iterator[TrainingPage]:
    """Yield the pages that have gold text, one by one; a marked page is rendered for its gold.

    ``weights`` says how much a page of each path counts: none is 1 for all.  ``problems`` gets a
    sentence for each page that cannot be used.  Raises `InputError` for what is no data set.
    """
    every = [dataset(path) for path in paths]  # one that is none is said before any is read
    for path, cases, weight in zip(paths, every, weights or [1.0] * len(every), strict=True):
        for case in cases:
            try:
                page = _page(case, Path(path).name, weight)
            except PageletError as error:
                problems.append(f"{case.name}: {error}")
                continue
            if page is None:
                problems.append(f"{case.name} has no gold text")
            else:
                yield page


def _page(case: PageCase, name: str, weight: float) -> TrainingPage | None:
    files = next(iter(case.files.values()))
    gold = case.gold.text
    if gold is None:
        return None
    return training_page(
        case.page.source.source("original"), gold, name=case.name,
        site=files.host() or files.site_name, type=files.page_type(), dataset=name,
        importance=weight,
    )  # fmt: skip
