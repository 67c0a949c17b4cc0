"""Pages to review: a picture of each, its marks, and its blocks to choose instead."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from annotate.datasets.case_files import PageFiles
from annotate.evaluation.bundle.page import TALLEST, WIDEST
from annotate.evaluation.tables.method_colors import GOLD_COLORS, color_of
from annotate.library import rendering
from annotate.library.page_cases import PageCase
from annotate.library.pages import OpenPage
from annotate.marks.anchor import Anchors
from annotate.marks.drafts import adopt, seed_of
from annotate.marks.gold import Gold, Mark, Target
from annotate.marks.page_text import page_text
from annotate.marks.records import MarkRecord
from annotate.workspace.workspace import page_key
from engine import geometry
from engine.errors import PageletError
from engine.nodes import NodeTable
from engine.processes.pool import answers_of
from engine.processes.worker_process import Handler, Send, WorkerProcess
from engine.version import own_version

MOST_BLOCKS = 1200
"""Of a page: the largest ones, when it has more."""

_LEAST_SIDE = 6.0  # px: nobody clicks on less
_QUOTE = 120  # characters of a mark's text in the list
_PAGE_S, _RUN_S = 150.0, 30.0  # what a page may take, and each method on it

Box = list[int]
"""x, y, width and height, px of the page."""


@dataclass(frozen=True)
class ReviewLayer:
    """Marks of one origin: gold, or the result of a method.

    Attributes:
        name, color: As shown.
        records: The marks in stored form.
        boxes: Of each mark, a box for each of its parts.
        quotes: Of each mark, the beginning of its text.
    """

    name: str
    color: str
    records: tuple[MarkRecord, ...]
    boxes: tuple[list[Box], ...]
    quotes: tuple[str, ...]


@dataclass(frozen=True)
class ReviewPage:
    """A page to review.

    Attributes:
        key, url, title, digest, viewport: As a workspace has them.
        size: Width and height of its picture, px of the page.
        picture: A JPEG; None where there is none.
        layers: Its marks.
        blocks: Box of each block one can click on, and the index of the block around it, -1 for
            none.
        targets: Stored form of each block.
        problem: Why it cannot be shown, "" if it can.
    """

    key: str
    url: str
    title: str
    digest: str = ""
    viewport: tuple[int, int] = (0, 0)
    size: tuple[int, int] = (0, 0)
    picture: bytes | None = None
    layers: tuple[ReviewLayer, ...] = ()
    blocks: tuple[tuple[Box, int], ...] = ()
    targets: tuple[MarkRecord, ...] = field(default=(), repr=False)
    problem: str = ""

    @property
    def id(self) -> str:
        """Return the id that answers name it by: SHA-256 of its key and its document."""
        return hashlib.sha256(f"{self.key}\0{self.digest}".encode("utf-8", "replace")).hexdigest()


@dataclass(frozen=True)
class ReviewOrder:
    """A page to draw for a review; it travels to the process that does.

    Attributes:
        number: Of the page, from 0.
        name: As its data set names it.
        files: Where it and its gold are.
        methods: Whose results are judged beside its gold.
        with_content: Whether its picture and texts are shown.
    """

    number: int
    name: str
    files: PageFiles
    methods: tuple[str, ...] = ()
    with_content: bool = True


def review_pages(
    cases: Sequence[PageCase],
    methods: Sequence[str] = (),
    *,
    with_content: bool = True,
    jobs: int = 1,
    say: Callable[[str], None] = lambda _: None,
) -> list[ReviewPage]:
    """Return pages to review in their order, drawn in ``jobs`` processes; ``say`` gets progress.

    A page whose process crashes or takes too long has a problem instead of a picture.
    """
    orders = [
        ReviewOrder(
            number, case.name, next(iter(case.files.values())), tuple(methods), with_content
        )
        for number, case in enumerate(cases)
    ]
    drawn: dict[int, ReviewPage] = {}
    for number, page in answers_of(
        orders,
        jobs,
        lambda: WorkerProcess(_review_worker),
        seconds=lambda order: _PAGE_S + _RUN_S * len(methods),
        lost=lambda order, error: (order.number, _problem(order, f"drawing {error}")),
    ):
        drawn[number] = page
        say(f"page {len(drawn)} of {len(orders)}")
    return [drawn[order.number] for order in orders]


@contextmanager
def _review_worker(_: Send) -> Iterator[Handler]:
    """Answer a `ReviewOrder` by its number and page."""
    try:
        yield lambda order: (order.number, _drawn(order))
    finally:
        rendering.close()


def _problem(order: ReviewOrder, problem: str) -> ReviewPage:
    document = order.files.document()
    url = document.home or document.url
    return ReviewPage(page_key(document), url, order.name, problem=problem)


def _drawn(order: ReviewOrder) -> ReviewPage:
    """Return a page with its gold and the results of methods; renders it."""
    files, with_content = order.files, order.with_content
    document = files.document()
    key, url = page_key(document), document.home or document.url
    try:
        page = OpenPage(document, files)
        picture = rendering.picture(document) if with_content else None
        rendered = page.rendered
        gold = files.shown(rendered)[0]
        layers = [_layer(rendered.rendered(), "Gold", GOLD_COLORS[0], gold)] if gold.marks else []
        for method in order.methods:
            run = page.run(method)
            seed = seed_of(method, own_version(), run.setup.params, run.setup.input)
            drafts = adopt(Gold(), rendered, run.result, seed).gold
            layers.append(_layer(rendered.rendered(), method, color_of(method), drafts))
    except PageletError as error:
        return _problem(order, str(error))
    nodes = rendered.rendered()
    width, height = nodes.width, min(nodes.height, TALLEST * nodes.width // WIDEST)
    found = [*_blocks(nodes, height)]
    anchors = Anchors(nodes)
    return ReviewPage(
        key,
        url,
        (page.title or order.name) if with_content else order.name,
        rendered.digest,
        document.viewport,
        (width, height),
        None if picture is None else picture.jpeg,
        tuple(layers),
        tuple((box, around) for _, box, around in found),
        tuple(anchors.record(Mark(str(n), 1, (Target(row),))) for n, (row, *_) in enumerate(found)),
    )


def _layer(nodes: NodeTable, name: str, color: str, gold: Gold) -> ReviewLayer:
    """Return the marks that have a place; lost ones cannot be judged."""
    marks = [mark for mark in gold.marks if mark.targets]
    rects, anchors, text = geometry.visual_rects(nodes), Anchors(nodes), page_text(nodes)
    return ReviewLayer(
        name,
        color,
        tuple(anchors.record(mark) for mark in marks),
        tuple([_box(rects[target.row]) for target in mark.targets] for mark in marks),
        tuple(text.quote(mark.targets)[:_QUOTE] for mark in marks),
    )


def _blocks(nodes: NodeTable, height: int) -> Iterator[tuple[int, Box, int]]:
    """Yield row, box and index of the block around it, of elements that can be seen and clicked.

    Of elements with one box the outermost is taken, as a click in the window takes it.
    """
    rects = geometry.visual_rects(nodes, on_page=True)
    sides = rects[:, 2:].min(axis=1)
    rows = np.flatnonzero(~nodes.is_text & (sides >= _LEAST_SIDE) & (rects[:, 1] < height))
    rows = np.sort(rows[np.argsort(-geometry.areas(rects[rows]), kind="stable")][:MOST_BLOCKS])
    index: dict[int, int] = {}  # row → block
    boxes: list[Box] = []
    for row in rows.tolist():
        above = int(nodes.parent[row])
        while above >= 0 and above not in index:
            above = int(nodes.parent[above])
        around, box = index.get(above, -1), _box(rects[row])
        if around >= 0 and boxes[around] == box:
            index[row] = around
            continue
        index[row] = len(boxes)
        boxes.append(box)
        yield row, box, around


def _box(rect: Any) -> Box:  # noqa: ANN401  (a row of an array)
    return [round(side) for side in rect.tolist()]
