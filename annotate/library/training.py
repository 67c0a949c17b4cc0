"""Pages with gold text, from every data set and workspace Pagelet reads, to learn from."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from algorithms.extraction.gleaner.training_pages import TrainingPage, training_page
from annotate.library.cases import dataset
from engine.errors import PageletError


def training_pages(paths: Sequence[str | Path], problems: list[str]) -> Iterator[TrainingPage]:
    """Yield the pages that have gold text, one by one; a marked page is rendered for its gold.

    ``problems`` gets a sentence for each page that cannot be used.  Raises `InputError` for what is
    no data set.
    """
    cases = dataset(*paths)
    for case in cases:
        files = next(iter(case.files.values()))
        try:
            gold = case.gold.text
            if gold is None:
                problems.append(f"{case.name} has no gold text")
                continue
            source = case.page.source.source("original")
            site = files.host() or files.site_name
            page = training_page(source, gold, name=case.name, site=site, type=files.page_type())
        except PageletError as error:
            problems.append(f"{case.name}: {error}")
            continue
        yield page
