"""Goes through the gold blocks of data sets, and lists what is probably wrong in them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from algorithms.learning.blocks import fit
from algorithms.learning.blocks.fit import BlockPage, block_page
from algorithms.learning.blocks.method import shown_rows
from algorithms.learning.blocks.model import model_of
from algorithms.learning.blocks.trust import confidence, trust_of
from algorithms.learning.boosting import check_lightgbm
from algorithms.triage.audit import Finding
from algorithms.triage.block_audit import (
    BlockEvidence,
    block_evidence,
    kinds_of,
    reasons,
    suspicion,
)
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import BLOCKS, DataSet
from annotate.datasets.kreuzer.pages import Variant
from annotate.datasets.readers import read_dataset
from annotate.marks.gold import MAIN, Target
from annotate.marks.page_text import page_text
from engine.errors import InputError, PageletError
from engine.nodes import NodeTable
from engine.tree import Doubles
from engine.web.worker_browser import LateBrowser

_LEAST = 0.5
_REPAIRED: Variant = "repaired"

TypedBlock = tuple[int, int, str]
"""Row, level and gold type."""


@dataclass(frozen=True, eq=False)
class ReadBlocks:
    """A rendered page with its gold blocks.

    Attributes:
        dataset, name: Which.
        nodes: The page.
        blocks: Its stretches, and which of them are gold.
        typed: The blocks that have a type, in the order of ``blocks.types``.
        chance: float64 (m,). How probable terrain-learned thinks a block is.
    """

    dataset: str
    name: str
    nodes: NodeTable
    blocks: BlockPage
    typed: tuple[TypedBlock, ...]
    chance: Doubles


@dataclass(frozen=True)
class AuditedBlock:
    """A part of a page whose gold as a block is contradicted.

    Attributes:
        dataset, page: Which page.
        finding: What and why; its first and last are rows.
        element: The path of the element.
        text: What stands there.
        suggested: The type it probably has; "" where being a block is what is contradicted.
    """

    dataset: str
    page: str
    finding: Finding
    element: str
    text: str
    suggested: str = ""

    @property
    def says(self) -> str:
        """What is wrong with it, in words."""
        if self.suggested:
            return f"probably of type {self.suggested}"
        return "probably no block" if self.finding.is_marked else "probably a missing block"

    @property
    def position(self) -> tuple[int | None, int | None, str]:
        return None, None, self.element

    @property
    def item(self) -> str:
        """What it is known by as long as page and gold are the same."""
        sign = self.suggested or ("+" if self.finding.is_marked else "-")
        return f"block {sign}{self.element}"

    @property
    def weight(self) -> float:
        """By what it is ranked."""
        return self.finding.suspicion


def data_with_blocks(source: str) -> DataSet:
    """Return the pages of a data set, of several forms the one that was marked.

    Raises `InputError`.
    """
    return read_dataset(source, (_REPAIRED,))


def audit_blocks(
    datasets: Sequence[DataSet],
    browser: LateBrowser,
    say: Callable[[str], None],
    *,
    folds: int = 0,
    threads: int = 1,
) -> tuple[tuple[AuditedBlock, ...], int]:
    """Return what of all gold blocks is contradicted, most suspicious first, and how many pages.

    Args:
        datasets: Whose gold.
        browser: Renders the pages.
        say: Is told of pages that cannot be read, and of training.
        folds: Where it is not 0, terrain-learned learns from these pages themselves, in so many
            folds by site: what it expects of a page it learned from others.
        threads: That learn.
    """
    pages: list[ReadBlocks] = []
    for dataset in datasets:
        for name, files in dataset.pages:
            try:
                page = read_blocks(dataset.name, name, next(iter(files.values())), browser)
            except PageletError as error:
                say(f"{name}: {error}")
                continue
            if page is not None:
                pages.append(page)
    if folds:
        pages = out_of_fold(pages, folds, threads, say)
    return contradicted(pages), len(pages)


def contradicted(pages: Sequence[ReadBlocks]) -> tuple[AuditedBlock, ...]:
    """Return what is contradicted on all pages, most suspicious first."""
    parts = [part for page in pages for part in (*marks_against(page), *_types(page, pages))]
    return tuple(sorted(parts, key=lambda each: -each.finding.suspicion))


def read_blocks(
    dataset: str, name: str, files: PageFiles, browser: LateBrowser
) -> ReadBlocks | None:
    """Render a page and measure it; None where it has no gold blocks of its own.

    Raises `PageletError`.
    """
    page = files.laid_out(browser.capture(files.document()))
    gold = files.blocks(lambda: page)
    if gold is None or not gold.texts:
        return None
    typed = tuple(
        (mark.targets[0].row, mark.level, mark.type)
        for mark in files.marks(page).marks
        if mark.type and mark.level != MAIN and len(mark.targets) == 1 and mark.targets[0].row >= 0
    )
    site = files.host() or files.site_name or name.partition("/")[0]
    return measured(page.rendered(), gold.texts, typed, dataset=dataset, name=name, site=site)


def measured(
    nodes: NodeTable,
    gold: Sequence[tuple[str, int]],
    typed: tuple[TypedBlock, ...],
    *,
    dataset: str,
    name: str,
    site: str,
) -> ReadBlocks:
    """Measure a rendered page with the texts and levels of its gold blocks.

    Raises `InputError` where the gold is that of another page.
    """
    blocks = block_page(nodes, gold, name=name, site=site, dataset=dataset, typed=typed)
    if not blocks.teaches:
        raise InputError(f"only {blocks.on_page:.0%} of its gold blocks are on the page")
    chance = model_of("").predict(nodes).chance if len(blocks.stretches) else np.zeros(0)
    return ReadBlocks(dataset, name, nodes, blocks, typed, chance)


def out_of_fold(
    pages: Sequence[ReadBlocks], folds: int, threads: int, say: Callable[[str], None]
) -> list[ReadBlocks]:
    """Return pages with the chances of models that learned from pages of other sites.

    Raises `InputError` where all are of one site.
    """
    check_lightgbm()
    blocks = [page.blocks for page in pages]
    parts = min(folds, len({page.site for page in blocks}))
    if parts < 2:
        raise InputError("--folds needs pages of two sites: leave it out")
    fold = np.array(fit.folds(blocks, parts))
    result = list(pages)
    for number in range(parts):
        say(f"trees without fold {number + 1} of {parts}")
        rest = [page for page, own in zip(blocks, fold, strict=True) if own != number]
        forest = fit.fit_blocks(rest, fit.ROUNDS, threads)
        for index in np.flatnonzero(fold == number).tolist():
            scores = forest.scores(blocks[index].matrix)
            result[index] = replace(pages[index], chance=1 / (1 + np.exp(-scores)))
    return result


def evidence_of(page: ReadBlocks) -> BlockEvidence:
    """Return what speaks about the gold of a page's stretches."""
    rows = shown_rows(page.nodes, page.blocks.stretches).tolist()
    kinds = kinds_of([_kind(page.nodes, row) for row in rows])
    return block_evidence(page.blocks.is_block == 1, page.chance, kinds)


def marks_against(page: ReadBlocks) -> list[AuditedBlock]:
    """Return the stretches that are marked and probably no block, or not marked and one."""
    blocks = page.blocks
    rows = shown_rows(page.nodes, blocks.stretches).tolist()
    is_marked, known = blocks.is_block == 1, evidence_of(page)
    against = suspicion(is_marked, blocks.is_block > 0, known)
    alone = blocks.same == np.arange(len(blocks.stretches))  # equal texts count once
    return [
        _part(page, rows[k], float(against[k]), bool(is_marked[k]),
              reasons(k, bool(is_marked[k]), known))
        for k in np.flatnonzero(alone & (against > _LEAST)).tolist()
    ]  # fmt: skip


def _types(page: ReadBlocks, pages: Sequence[ReadBlocks]) -> list[AuditedBlock]:
    """Return the blocks whose type is contradicted by one that is usually right elsewhere."""
    elsewhere = [
        made for other in pages if other.blocks.site != page.blocks.site
        for made in other.blocks.types
    ]  # fmt: skip
    trust = trust_of(elsewhere)
    result = []
    for (row, level, kind), (_, suggested, _) in zip(page.typed, page.blocks.types, strict=True):
        sure = confidence(trust, level, suggested)
        if sure is not None and suggested != kind and sure > _LEAST:
            why = (
                f"marked as {kind}, which its tag, names and content do not suggest",
                f"{suggested} is right for {sure:.0%} of blocks like it on other pages",
            )
            result.append(_part(page, row, sure, True, why, of_type=suggested))
    return result


def _part(
    page: ReadBlocks,
    row: int,
    against: float,
    is_marked: bool,
    why: tuple[str, ...],
    of_type: str = "",
) -> AuditedBlock:
    text = page_text(page.nodes).quote([Target(row)])
    finding = Finding(row, row + 1, is_marked, against, len(text.split()), why)
    element = page.nodes.path(row)
    return AuditedBlock(page.dataset, page.name, finding, element, text, of_type)


def _kind(nodes: NodeTable, row: int) -> str:
    """Return the path of tags and classes of a row."""
    steps = []
    while row >= 0:
        classes = " ".join(sorted(nodes.attributes[row].get("class", "").split()))
        steps.append(f"{nodes.name_of(row)}.{classes}")
        row = int(nodes.parent[row])
    return "/".join(steps)


def has_only_blocks(source: str) -> bool:
    """Tell whether a folder or file is a data set whose gold are blocks."""
    try:
        return data_with_blocks(source).golds == frozenset({BLOCKS})
    except InputError:
        return False
