"""Pages of a bundle: content of each, run and rendered again, in separate processes.

A page that no method needed rendered is shown by its text, and no browser is started for it.
"""

import json
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from algorithms.core.catalogue import method as method_of
from algorithms.core.mapping import map_text
from algorithms.explain.differences import words_kept
from algorithms.explain.page_errors import in_source
from algorithms.method import MethodRecipe
from algorithms.results import Extraction, Result, keep_words
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import form_of
from annotate.evaluation.bundle.bundle import shrunk
from annotate.evaluation.bundle.page import (
    GAINED_COLOR,
    GOLD_COLOR,
    LOST_COLOR,
    BundleLayer,
    BundlePage,
    MethodKey,
    SheetKey,
)
from annotate.evaluation.store.rows import ResultRow
from annotate.evaluation.tables.method_colors import color_of
from annotate.library import drawing, rendering
from annotate.library.pages import MethodRun, OpenPage, set_up
from annotate.marks.gold import MAIN
from annotate.marks.marked_text import marked_text
from engine import geometry
from engine.document import with_repeatable
from engine.errors import PageletError
from engine.geometry import Box
from engine.processes.pool import answers_of
from engine.processes.worker_process import Handler, Send, WorkerProcess
from engine.words import plural

GOLD_MAIN: MethodKey = ("Gold, main content", "")
GOLD_BLOCKS: MethodKey = ("Gold, blocks", "")

_PAGE_S, _RUN_S = 150.0, 30.0
"""What drawing a page may take, and each method on it, before it is given up."""


@dataclass(frozen=True)
class BundleOrder:
    """A page to draw; it travels to the process that does.

    Attributes:
        key: Of which sheet.
        files: Where it and its gold are; None where it is not at hand.
        methods: By method and input, one of its rows: its parameters.
        is_variant: Whether its data set has several variants of a page.
        with_content: Whether its picture or text is shown.
        recipes: By method, what makes those that are in no catalogue.
        compared: Two methods, by key, the earlier first, whose difference is drawn; None for none.
        repeatable: See `engine.document.Document`; None: as in its files.
    """

    key: SheetKey
    files: PageFiles | None
    methods: Mapping[MethodKey, ResultRow]
    is_variant: bool
    with_content: bool
    recipes: Mapping[str, MethodRecipe] = field(default_factory=dict)
    compared: tuple[str, str] | None = None
    repeatable: bool | None = None

    @property
    def is_rendered(self) -> bool:
        """Whether it is shown as a browser draws it: some method read it so."""
        return self.files is not None and any(row.run.renderer for row in self.methods.values())


def draw_pages(
    orders: Sequence[BundleOrder], jobs: int, is_stopped: Callable[[], bool] | None = None
) -> Generator[BundlePage, None, None]:
    """Draw pages, with more than one job in separate processes; yield them as they are done.

    A page that takes its process down, or does not come to an end, is one with a problem.  With
    ``is_stopped`` there is always such a process, which is ended at once when it returns True.
    """
    if is_stopped is None and (jobs <= 1 or len(orders) <= 1):
        yield from map(draw_page, orders)
        return
    yield from answers_of(
        orders,
        jobs,
        lambda: WorkerProcess(bundle_worker),
        seconds=lambda order: _PAGE_S + _RUN_S * len(order.methods),
        lost=lambda order, error: BundlePage(order.key, problem=f"drawing {error}"),
        goes_on=lambda: is_stopped is None or not is_stopped(),
    )


@contextmanager
def bundle_worker(_: Send) -> Iterator[Handler]:
    """Answer a `BundleOrder` by its page."""
    try:
        yield draw_page
    finally:
        rendering.close()


def draw_page(order: BundleOrder) -> BundlePage:
    """Return a page with its layers."""
    if order.files is None:
        return BundlePage(order.key, problem="The page itself is not at hand here.")
    try:
        document = with_repeatable(order.files.document(), order.repeatable)
        page = OpenPage(document, order.files)
    except PageletError as error:
        return BundlePage(order.key, problem=str(error))
    return _rendered_page(order, page) if order.is_rendered else _text_page(order, page)


def _rendered_page(order: BundleOrder, page: OpenPage) -> BundlePage:
    try:
        # The picture first: its rendering is used for the page as well.
        picture = rendering.picture(page.document) if order.with_content else None
        nodes = page.rendered.rendered()
        layers = [*_gold(page)]
    except PageletError as error:
        return BundlePage(order.key, address=page.address, problem=str(error))
    runs = _runs(page, order)
    for of, run in runs.items():
        boxes = tuple(_boxes(run, run.result))
        layers.append(BundleLayer(of, color_of(of[0]), boxes, isinstance(run.result, Extraction)))
    changed = [
        BundleLayer(of, color, tuple(_boxes(run, part)))
        for of, color, run, part in _changed(runs, order)
    ]
    return BundlePage(
        order.key,
        page.title if order.with_content else "",
        _address(page),
        (nodes.width, nodes.height),
        None if picture is None else shrunk(picture.jpeg),
        (*changed, *layers),
        changes=len(changed),
    )


def _text_page(order: BundleOrder, page: OpenPage) -> BundlePage:
    """Return a page that no method needed rendered by its text: a picture would cost a browser."""
    if not order.with_content:
        problem = "Made without the pages' texts."
        return BundlePage(order.key, address=page.address, problem=problem)
    try:
        source = page.source.source("original")
        gold = None if page.gold is None else page.gold.text
    except PageletError as error:
        return BundlePage(order.key, address=page.address, problem=str(error))
    runs = _runs(page, order)
    changed = [(of, color, part) for of, color, _, part in _changed(runs, order)]
    shown = [(of, color, part.spans) for of, color, part in changed]
    if gold is not None:
        shown.append((GOLD_MAIN, GOLD_COLOR, map_text(source, gold).spans))
    for of, run in runs.items():
        if isinstance(run.result, Extraction):
            shown.append((of, color_of(of[0]), run.result.spans))
    return BundlePage(
        order.key,
        source.title or page.title,
        _address(page),
        layers=tuple(BundleLayer(of, color, ()) for of, color, _ in shown),
        text=marked_text(source, [spans for *_, spans in shown]),
        changes=len(changed),
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
        if box[2] and mark.level == MAIN:
            main.append((box, ""))
        elif box[2]:
            blocks.append((box, f"{mark.level} {mark.type}".strip()))
    if main:
        yield BundleLayer(GOLD_MAIN, GOLD_COLOR, tuple(main))
    if blocks:
        yield BundleLayer(GOLD_BLOCKS, GOLD_COLOR, tuple(blocks), is_filled=False)


def _runs(page: OpenPage, order: BundleOrder) -> dict[MethodKey, MethodRun]:
    """Run all methods; those without a result here are left out (their rows give the reason)."""
    every = ((of, _run(page, of, order)) for of in order.methods)
    return {of: run for of, run in every if run is not None}


def _changed(
    runs: Mapping[MethodKey, MethodRun], order: BundleOrder
) -> Iterator[tuple[MethodKey, str, MethodRun, Extraction]]:
    """Yield what the later of two methods lost, and gained: title, colour, the later run, text."""
    found = {method: run for (method, _), run in runs.items()}
    earlier, later = map(found.get, order.compared or ("", ""))
    if earlier is None or later is None:
        return
    before, after = earlier.result, later.result
    if not isinstance(before, Extraction) or not isinstance(after, Extraction):
        return
    if earlier.setup.input != later.setup.input:
        before = in_source(later.page.rendered, before, after.source)
    had, has = words_kept(before), words_kept(after)
    changes = ("Lost", LOST_COLOR, had & ~has), ("Gained", GAINED_COLOR, has & ~had)
    for word, color, flags in changes:
        if flags.any():
            title = f"{word}: {plural(int(flags.sum()), 'word')}"
            yield (title, ""), color, later, keep_words(after.source, flags)


def _run(page: OpenPage, of: MethodKey, order: BundleOrder) -> MethodRun | None:
    """Run a method with the parameters of its row; None if it gives nothing."""
    method, row = of[0], order.methods[of]
    values: dict[str, Any] = json.loads(row.run.parameters)
    try:
        recipe = order.recipes.get(method)
        entry = method_of(method) if recipe is None else recipe.entry(method)
        form = form_of(row.run.input, entry.output, entry.inputs, is_variant=order.is_variant)
        return page.run_setup(set_up(entry, values, form).for_page(row.run.page))
    except PageletError:
        return None


def _boxes(run: MethodRun, result: Result) -> Iterator[tuple[Box, str]]:
    """Yield the boxes of blocks, or of the texts that an extraction touches."""
    if isinstance(result, Extraction):
        for x, y, wide, high in drawing.text_boxes(run, result):
            if wide > 0 and high > 0:
                yield (x, y, wide, high), ""
        return
    for block in run.blocks:
        if block.box[2] > 0:
            yield block.box, f"{block.level} {block.type} {block.reason}".strip()
