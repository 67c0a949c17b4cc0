"""Bundles of evaluated pages: what is to be seen of each, rendered and run again."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from algorithms.catalogue import named_method
from algorithms.mapping import map_text
from algorithms.results import Extraction
from annotate.bundle import GOLD_COLOR, BundleLayer, BundlePage, shrunk, write_bundle
from annotate.datasets.cases import form_of
from annotate.evaluation.rows import ResultRow
from annotate.gold import MAIN
from annotate.library import rendering
from annotate.library.cases import Cases, PageCase
from annotate.library.pages import MethodRun, OpenPage
from annotate.marked_text import marked_text
from annotate.method_colors import color_of
from engine import geometry
from engine.errors import InputError, PageletError
from engine.geometry import Box
from engine.tree import Ints
from engine.words import plural


def bundle(
    out: Path,
    title: str,
    rows: Sequence[ResultRow],
    cases: Cases,
    *,
    with_content: bool = True,
    say: Callable[[str], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """Write a bundle of an evaluation; return its first page.

    Args:
        out: The folder.
        title: Of the whole.
        rows: What `evaluate` found.
        cases: The pages it was found on; pages of other data sets have no picture.
        with_content: Whether pictures and texts of the pages go into it.
        say: Is told now and then how far it is.
        is_stopped: Is asked before each page whether to leave it at what is written.

    Raises:
        InputError: The folder cannot be written to, or it was stopped.
    """
    pages = _until(is_stopped, _pages(rows, cases, with_content=with_content))
    return write_bundle(out, title, rows, pages, say)


def _until(is_stopped: Callable[[], bool], pages: Iterator[BundlePage]) -> Iterator[BundlePage]:
    for number, page in enumerate(pages):
        yield page
        if is_stopped():
            raise InputError(
                f"stopped after {plural(number + 1, 'page')}: the folder is not complete"
            )


def _pages(rows: Sequence[ResultRow], cases: Cases, *, with_content: bool) -> Iterator[BundlePage]:
    known = {(case.dataset, case.name): case for case in cases}
    runs: dict[tuple[str, str, str], dict[str, ResultRow]] = {}
    for row in rows:
        runs.setdefault(row.run.key, {}).setdefault(row.run.method, row)
    for key, methods in runs.items():
        case = known.get(key[:2])
        if case is None:
            yield BundlePage(key, problem="The page itself is not at hand here.")
        else:
            yield _page(key, case, methods, with_content=with_content)


def _page(
    key: tuple[str, str, str],
    case: PageCase,
    methods: Mapping[str, ResultRow],
    *,
    with_content: bool,
) -> BundlePage:
    files = case.files.get(key[2]) or next(iter(case.files.values()))
    page = OpenPage(files.document(), files)
    if not any(row.run.renderer for row in methods.values()):
        is_variant = case.whole.has_variants
        return _text_page(key, page, methods, is_variant=is_variant, with_content=with_content)
    try:
        nodes = page.rendered.rendered()
        picture = rendering.picture(page.document) if with_content else None
        layers = [*_gold(page)]
    except PageletError as error:
        return BundlePage(key, address=page.address, problem=str(error))
    for method, row in methods.items():
        layer = _layer(
            page, method, row, is_variant=case.whole.has_variants, with_content=with_content
        )
        if layer is not None:
            layers.append(layer)
    return BundlePage(
        key,
        page.title if with_content else "",
        _address(page),
        (nodes.width, nodes.height),
        None if picture is None else shrunk(picture.jpeg),
        tuple(layers),
    )


def _text_page(
    key: tuple[str, str, str],
    page: OpenPage,
    methods: Mapping[str, ResultRow],
    *,
    is_variant: bool,
    with_content: bool,
) -> BundlePage:
    """Return a page that no method needed rendered by its text: a picture would cost a browser."""
    if not with_content:
        return BundlePage(key, address=page.address, problem="Made without the pages' texts.")
    try:
        source = page.source.source("original")
        gold = None if page.gold is None else page.gold.text
    except PageletError as error:
        return BundlePage(key, address=page.address, problem=str(error))
    layers: list[BundleLayer] = []
    spans: list[Ints] = []
    if gold is not None:
        layers.append(BundleLayer("Gold, main content", GOLD_COLOR, ()))
        spans.append(map_text(source, gold).spans)
    for method, row in methods.items():
        run = _run(page, method, row, is_variant=is_variant)
        if run is not None and isinstance(run.result, Extraction):
            layers.append(BundleLayer(method, color_of(method), ()))
            spans.append(run.result.spans)
    return BundlePage(
        key,
        source.title or page.title,
        _address(page),
        layers=tuple(layers),
        text=marked_text(source, spans),
    )


def _address(page: OpenPage) -> str:
    return page.document.home or (page.document.url if page.document.is_live else "")


def _gold(page: OpenPage) -> Iterator[BundleLayer]:
    assert page.files is not None
    nodes = page.rendered.rendered()
    gold, _ = page.files.shown(page.rendered)
    main: list[tuple[Box, str]] = []
    blocks: list[tuple[Box, str]] = []
    for mark in gold.sure.marks:
        box = geometry.box_of(nodes, (target.row for target in mark.targets))
        if not box[2]:
            continue
        said = f"{mark.level} {mark.type}".strip() if mark.level != MAIN else ""
        (main if mark.level == MAIN else blocks).append((box, said))
    if main:
        yield BundleLayer("Gold, main content", GOLD_COLOR, tuple(main))
    if blocks:
        yield BundleLayer("Gold, blocks", GOLD_COLOR, tuple(blocks), is_filled=False)


def _layer(
    page: OpenPage, method: str, row: ResultRow, *, is_variant: bool, with_content: bool
) -> BundleLayer | None:
    """Return a method's layer; None if it gives nothing here (its row says why)."""
    run = _run(page, method, row, is_variant=is_variant)
    if run is None:
        return None
    return BundleLayer(
        method,
        color_of(method),
        tuple(_boxes(run, with_content=with_content)),
        isinstance(run.result, Extraction),
    )


def _run(page: OpenPage, method: str, row: ResultRow, *, is_variant: bool) -> MethodRun | None:
    """Run a method as a row says; None if it gives nothing."""
    values: dict[str, Any] = json.loads(row.run.parameters)
    try:
        entry = named_method(method)
        form = form_of(row.run.input, entry.output, entry.inputs, is_variant=is_variant)
        return page.run(method, input=form, **values)
    except PageletError:
        return None


def _boxes(
    run: MethodRun, *, with_content: bool
) -> Iterator[tuple[tuple[float, float, float, float], str]]:
    page, found = run.page.rendered, run.result
    nodes = page.rendered()
    if isinstance(found, Extraction):
        same = page.original if run.setup.input == "original" else page.dom
        alignment = page.original_alignment if same is page.original else page.dom_alignment
        for row in dict.fromkeys(alignment.ranges(found.spans)[:, 0].tolist()):
            x, y, wide, high = nodes.rect[row].tolist()
            if wide > 0 and high > 0:
                yield (x, y, wide, high), ""
        return
    for block in run.blocks:
        if block.box[2] > 0:
            yield block.box, f"{block.level} {block.type} {block.reason}".strip()
