"""Audit of the gold blocks of data sets, with a list of probable errors."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

import numpy as np

from algorithms.extraction.gleaner.page_codes import own_address
from algorithms.learning.blocks.block_model import model_of
from algorithms.learning.blocks.terrain_learned import shown_rows
from algorithms.levels import Level
from algorithms.plugins.audit.audit import Contradiction
from algorithms.plugins.audit.block_audit import BlockEvidence, block_evidence, reasons, suspicion
from algorithms.plugins.audit.type_audit import TypeEvidence, number_keys, type_evidence
from algorithms.plugins.training import block_fit as fit
from algorithms.plugins.training.block_fit import BlockPage, Suggestion, block_page
from algorithms.plugins.training.boosting import check_lightgbm
from algorithms.plugins.training.gleaner_pages import folds as folds_of
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import BLOCKS, DataSet, Variant
from annotate.datasets.readers import read_dataset
from annotate.marks.gold import MAIN, Gold, Target
from annotate.marks.page_text import page_text
from annotate.plugins.audit.auditing import AuditedPart
from engine.errors import InputError, PageletError
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Doubles
from engine.web.worker_browser import LateBrowser

_LEAST = 0.5
_REPAIRED: Variant = "repaired"

TypedBlock = tuple[int, Level, str]
"""Row, level and gold type."""


@dataclass(frozen=True, eq=False)
class ReadBlocks:
    """A rendered page with its gold blocks.

    Attributes:
        dataset, name: Data set and page.
        nodes: The page.
        blocks: Its text runs, and whether they are gold.
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
class TypedBlocks:
    """Gold blocks of a page that have a type, with the suggestion for each.

    Attributes:
        site: Suggestions are judged by pages of other sites.
        made: The suggestion for each block.
        parts: Position of each block; its suspicion and reasons are not set yet.
    """

    site: str
    made: tuple[Suggestion, ...]
    parts: tuple[AuditedPart, ...]


def data_with_blocks(source: str) -> DataSet:
    """Return the pages of a data set, of several forms the marked one; raises `InputError`."""
    return read_dataset(source, (_REPAIRED,))


def audit_blocks(
    datasets: Sequence[DataSet],
    browser: LateBrowser,
    say: Callable[[str], None],
    *,
    folds: int = 0,
    threads: int = 1,
) -> tuple[tuple[AuditedPart, ...], int]:
    """Return what of all gold blocks is contradicted, most suspicious first, and how many pages.

    Args:
        datasets: Data sets of the gold.
        browser: Renders the pages.
        say: Called for pages that cannot be read, and for training.
        folds: Where it is not 0, terrain-learned learns from these pages themselves, in so many
            folds by site: what it expects of a page it learned from others.
        threads: That learn.
    """
    pages: list[ReadBlocks] = []
    for dataset in datasets:
        for name, files in dataset.pages:
            try:
                page = read_blocks(dataset.name, name, next(iter(files.values())), browser, say)
            except PageletError as error:
                say(f"{name}: {error}")
                continue
            if page is not None:
                pages.append(page)
    if folds:
        pages = out_of_fold(pages, folds, threads, say)
    return list_contradicted(pages), len(pages)


def list_contradicted(pages: Sequence[ReadBlocks]) -> tuple[AuditedPart, ...]:
    """Return the contradicted blocks of all pages, most suspicious first."""
    parts = [part for page in pages for part in marks_against(page)]
    parts += types_against([typed_blocks(page) for page in pages])
    return tuple(sorted(parts, key=lambda each: -each.finding.suspicion))


def read_blocks(
    dataset: str,
    name: str,
    files: PageFiles,
    browser: LateBrowser,
    say: Callable[[str], None] = lambda _: None,
) -> ReadBlocks | None:
    """Render a page and measure it; None if it has no own gold blocks.

    ``say`` is called for excluded gold.  Raises `PageletError`.
    """
    page = files.laid_out(browser.capture(files.document()))
    for problem in files.problems(lambda: page):
        say(f"{name}: {problem}")
    gold = files.blocks(lambda: page)
    if gold is None or not gold.texts:
        return None
    typed = typed_of(files.marks(page))
    site = files.host() or files.site_name or _site(name, page)
    return measure_blocks(page.rendered(), gold.texts, typed, dataset=dataset, name=name, site=site)


def _site(name: str, page: Page) -> str:
    """Return the first folder of a name in a data set, or the host of an address.

    A user's own file belongs to the host it names as its own, else it is a separate site.
    """
    if not name.startswith("/") and "://" not in name:
        return name.partition("/")[0]
    for address in (name, "" if page.original is None else own_address(page.original)):
        with suppress(ValueError):  # such as half an IPv6 address
            if host := urlsplit(address).hostname:
                return host
    return name


def typed_of(gold: Gold) -> tuple[TypedBlock, ...]:
    """Return the blocks of one node each that have a type."""
    return tuple(
        (mark.targets[0].row, mark.level, mark.type)
        for mark in gold.sure.marks
        if mark.type and mark.level != MAIN and len(mark.targets) == 1 and mark.targets[0].row >= 0
    )


def measure_blocks(
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
    fold = np.array(folds_of(blocks, parts))
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
    """Return the evidence about the gold of a page's text runs."""
    rows = shown_rows(page.nodes, page.blocks.stretches).tolist()
    _, kinds = number_keys([_kind(page.nodes, row) for row in rows])
    return block_evidence(page.blocks.is_block == 1, page.chance, kinds)


def marks_against(page: ReadBlocks) -> list[AuditedPart]:
    """Return the text runs that are marked but probably not a block, or the reverse."""
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


def typed_blocks(page: ReadBlocks) -> TypedBlocks:
    """Return the blocks of a page that have a type, as `types_against` wants them."""
    made = page.blocks.types
    parts = tuple(
        replace(_part(page, row, 0.0, True, ()), suggested=suggested, type=kind, level=level)
        for (row, level, kind), (_, suggested, _) in zip(page.typed, made, strict=True)
    )
    return TypedBlocks(page.blocks.site, made, parts)


def types_against(pages: Sequence[TypedBlocks]) -> list[AuditedPart]:
    """Return the blocks whose type is probably wrong by what other sites call such blocks.

    In the order of the pages; there are none where all are of one site.
    """
    parts = [part for page in pages for part in page.parts]
    made = [each for page in pages for each in page.made]
    known = type_evidence(made, [page.site for page in pages for _ in page.made])
    against = known.suspicion
    return [
        replace(parts[k], finding=replace(
            parts[k].finding, suspicion=float(against[k]), reasons=_why(parts[k], known, k)))
        for k in np.flatnonzero(against > _LEAST).tolist()
    ]  # fmt: skip


def _why(part: AuditedPart, known: TypeEvidence, index: int) -> tuple[str, ...]:
    """Return what contradicts the type of a block, in words."""
    alike, marked = int(known.alike[index]), int(known.as_marked[index])
    rare = (
        f"marked as {part.type}, as {marked} of {alike} blocks like it on other sites are, where "
        f"{known.usual[index]:.0f} would be usual"
    )
    right = known.as_suggested[index] / alike
    return rare, f"{part.suggested} is right for {right:.0%} of them"


def _part(
    page: ReadBlocks, row: int, against: float, is_marked: bool, why: tuple[str, ...]
) -> AuditedPart:
    text = page_text(page.nodes).quote([Target(row)])
    finding = Contradiction(row, row + 1, is_marked, against, len(text.split()), why)
    element = page.nodes.path(row)
    return AuditedPart(page.dataset, page.name, finding, None, text, element=element)


def _kind(nodes: NodeTable, row: int) -> str:
    """Return the path of tags and classes of a row."""
    steps = []
    while row >= 0:
        classes = " ".join(sorted(nodes.attributes[row].get("class", "").split()))
        steps.append(f"{nodes.name_of(row)}.{classes}")
        row = int(nodes.parent[row])
    return "/".join(steps)


def has_only_blocks(source: str) -> bool:
    """Return whether a folder or file is a data set whose gold is blocks."""
    try:
        return data_with_blocks(source).golds == frozenset({BLOCKS})
    except InputError:
        return False
