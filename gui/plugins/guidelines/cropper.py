"""Process that crops examples: renders a marked page and cuts its marks out of the picture."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from annotate.marks.gold import MAIN, Gold, Mark
from annotate.marks.guideline import MAIN_TITLE
from annotate.plugins.team_work.feedback import MINE, Change, change, differences
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace
from engine import geometry
from engine.document import Document
from engine.nodes import NodeTable
from engine.page import Page
from engine.processes.worker_process import Handler, Send
from engine.web.worker_browser import open_browser

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from engine.web.headless import Browser

WIDTH, HEIGHT = 260, 150
"""Largest size of a crop, px."""

MOST = 2
"""Largest number of examples of a type per page, and of counter-examples."""


@dataclass(frozen=True)
class CropOrder:
    """Request to crop the marks of a page.

    Attributes:
        workspace: Workspace with the marks.
        key, name: Key and name of the page.
        document: Document to render.
    """

    workspace: Path
    key: str
    name: str
    document: Document


@dataclass(frozen=True)
class Example:
    """Crop of a mark.

    Attributes:
        title: Title of its guideline page.
        key, page: Key and name of the page.
        mark: Id of the mark.
        png: Picture of the mark.
        decided: Reviewer's correction of a counter-example; "" for an example.
    """

    title: str
    key: str
    page: str
    mark: str
    png: bytes
    decided: str = ""


@contextmanager
def crop_worker(_: Send) -> Iterator[Handler]:
    """Answer a `CropOrder` with its examples."""
    with open_browser() as browser:
        yield partial(_crops, browser)


def _crops(browser: "Browser", order: CropOrder) -> tuple[Example, ...]:
    page = browser.capture(order.document)
    with Workspace.reading(order.workspace) as workspace:
        golds = workspace.golds(order.key, page.rendered())
        people = {who: gold for who, gold in golds.items() if who.role is Role.ANNOTATOR}
        decided = next((g for who, g in golds.items() if who.role is Role.REVIEWER), None)
    picture = browser.picture()
    result = []
    for mark, verdict in choose_marks(page.rendered(), people.values(), decided):
        png = _cut(picture, page, mark)
        if png:
            result.append(Example(title_of(mark), order.key, order.name, mark.id, png, verdict))
    return tuple(result)


def title_of(mark: Mark) -> str:
    """Return the title of the guideline's page on a mark."""
    return MAIN_TITLE if mark.level == MAIN else mark.type


def choose_marks(
    nodes: NodeTable, people: Iterable[Gold], decided: Gold | None
) -> Iterator[tuple[Mark, str]]:
    """Yield marks to show, each with the reviewer's correction; "" for an example.

    With a review, examples come from its decisions; annotators' marks that differ are
    counter-examples.
    """
    people = list(people)
    counts: Counter[tuple[str, bool]] = Counter()

    def is_wanted(mark: Mark, is_counter: bool) -> bool:
        counts[title_of(mark), is_counter] += 1
        return bool(title_of(mark)) and counts[title_of(mark), is_counter] <= MOST

    for gold in [decided] if decided is not None else people[:1]:
        yield from ((m, "") for m in gold.sure.marks if m.targets and is_wanted(m, False))
    for gold in people if decided is not None else ():
        assert decided is not None
        for each in differences(nodes, gold, decided, "reviewer"):
            kind = change(each)
            if kind in (Change.RETYPED, Change.REMOVED) and each.level:
                mark = each.of(MINE).marks[0]
                verdict = each.of("reviewer").type if kind is Change.RETYPED else "no block"
                if is_wanted(mark, True):
                    yield mark, verdict or "no type"


def _cut(picture: "QImage", page: Page, mark: Mark) -> bytes:
    """Return the top of a mark as a small PNG; nothing for an invisible one."""
    from PySide6.QtCore import QRect, Qt

    from gui.pictures.page_drawing import png_of

    box = geometry.box_of(page.rendered(), (target.row for target in mark.targets))
    x, y, width, height = (round(number) for number in box)
    # Height by the crop's proportions, so that a long column is not a thread.
    height = min(height, max(round(width * HEIGHT / WIDTH), HEIGHT))
    rect = QRect(x, y, width, height).intersected(picture.rect())
    if rect.width() < 8 or rect.height() < 8:
        return b""
    cut = picture.copy(rect)
    if cut.width() > WIDTH or cut.height() > HEIGHT:
        cut = cut.scaled(
            WIDTH, HEIGHT, Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )  # fmt: skip
    return png_of(cut)
