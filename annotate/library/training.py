"""Pages with gold, from every data set and workspace Pagelet reads, to learn from."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from algorithms.extraction.gleaner.training_pages import TrainingPage, training_page
from algorithms.learning.blocks.fit import BlockPage, block_page
from annotate.datasets.case_files import PageFiles
from annotate.datasets.kreuzer.pages import Variant
from annotate.library.cases import PageCase, dataset
from annotate.library.pages import OpenPage, PageGold
from annotate.marks.gold import MAIN
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


FORMS: tuple[Variant, ...] = ("dom", "repaired")
"""Of pages that are published in several forms, those a segmenter learns from."""


def block_pages(
    paths: Sequence[str | Path], problems: list[str], weights: Sequence[float] = ()
) -> Iterator[BlockPage]:
    """Yield the pages that have gold blocks, rendered; each form of a page by itself.

    Arguments and errors are those of `training_pages`.
    """
    every = [dataset(path, variants=FORMS) for path in paths]
    for path, cases, weight in zip(paths, every, weights or [1.0] * len(every), strict=True):
        for case in cases:
            for form, files in case.files.items():
                try:
                    page = _blocks(case, form, files, Path(path).name, weight)
                except PageletError as error:
                    problems.append(f"{case.name}: {error}")
                    continue
                if page is None:
                    problems.append(f"{case.name} has no gold blocks")
                    break
                yield page


def _blocks(
    case: PageCase, form: str, files: PageFiles, name: str, weight: float
) -> BlockPage | None:
    page = OpenPage(files.document(), files)
    gold = PageGold(page).block_gold
    if gold is None:
        return None
    site = files.host() or files.site_name or case.name.partition("/")[0]
    typed = [
        (mark.targets[0].row, mark.level, mark.type)
        for mark in files.marks(page.rendered).marks
        if mark.type and mark.level != MAIN and len(mark.targets) == 1 and mark.targets[0].row >= 0
    ]
    return block_page(
        page.rendered.rendered(), gold.texts, name=case.name, site=site, form=form, dataset=name,
        importance=weight, typed=typed,
    )  # fmt: skip
