"""Process that transfers marks: renders the pages and finds marks of others on one."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from algorithms.templates.structure import common_class_path_shingles
from annotate.datasets.case_files import PageFiles
from annotate.marks.gold import Gold
from annotate.plugins.transfer import transfer
from annotate.plugins.transfer.transfer import TransferResult
from annotate.workspace.workspace import Workspace, page_key
from engine.archive import unpack
from engine.document import Document
from engine.errors import InputError
from engine.page import Page
from engine.processes.worker_process import Handler, Send
from engine.web.worker_browser import open_browser

if TYPE_CHECKING:
    from engine.page_cache import Snapshots
    from engine.web.headless import Browser

NEAREST = 3
"""Number of nearest marked pages to transfer from."""


@dataclass(frozen=True)
class TransferPage:
    """Page with the location of its included gold."""

    document: Document
    files: PageFiles | None = None


@dataclass(frozen=True)
class TransferOrder:
    """Request to transfer marks of a workspace from pages to another one.

    ``packed`` is the page as on screen; b"" if it must be rendered.
    """

    target: TransferPage
    sources: tuple[TransferPage, ...]
    workspace: Path
    packed: bytes = b""


@dataclass(frozen=True)
class TransferAnswer:
    """Result of a `TransferOrder`.

    Attributes:
        result: Marks for the page, on its rows in the snapshot or on screen.
        origin: Name of the nearest page they come from.
    """

    result: TransferResult = field(default_factory=TransferResult)
    origin: str = ""


@contextmanager
def transfer_worker(_: Send, folder: Path) -> Iterator[Handler]:
    """Answer a `TransferOrder` with a `TransferAnswer`."""
    with open_browser() as browser:
        from engine.page_cache import Snapshots
        from engine.web.renderer import renderer_name  # Qt

        yield _TransferTools(Snapshots(folder, renderer_name()), browser).transfer


class _TransferTools:
    def __init__(self, snapshots: "Snapshots", browser: "Browser") -> None:
        self._snapshots, self._browser = snapshots, browser
        self._known: dict[str, Page] = {}

    def transfer(self, order: TransferOrder) -> TransferAnswer:
        target = unpack(order.packed) if order.packed else self.page(order.target.document)
        marked = []
        with Workspace.reading(order.workspace) as workspace:
            own = _gold_of(workspace, order.target, target)
            for source in order.sources:
                page = self.page(source.document)
                gold = _gold_of(workspace, source, page).sure
                if gold.marks:
                    marked.append((source.document.name, page, gold))
        if not marked:
            raise InputError("the other pages of the site have no marks")
        pages = [target, *(page for _, page, _ in marked)]
        away = common_class_path_shingles([page.source("dom") for page in pages])[0, 1:]
        nearest = np.argsort(away, kind="stable")[:NEAREST].tolist()
        nodes = target.rendered()
        sources = [(marked[k][1].rendered(), marked[k][2]) for k in nearest]
        result = transfer.without_marked(transfer.transfer_marks(sources, nodes), own, nodes)
        return TransferAnswer(result, marked[nearest[0]][0])

    def page(self, document: Document) -> Page:
        """Return a page, rendered only once."""
        known = self._known.get(document.address) or self._snapshots.find(document)
        if known is None:
            known = self._browser.capture(document)
            self._snapshots.keep(document, known)
        while len(self._known) > 8:
            self._known.pop(next(iter(self._known)))
        self._known[document.address] = known
        return known


def _gold_of(workspace: Workspace, page: TransferPage, rendered: Page) -> Gold:
    """Return a page's marks as the window would show them."""
    key = page_key(page.document)
    gold = workspace.load_gold(key, rendered.rendered())
    if gold.marks or workspace.history(key) or page.files is None:
        return gold
    return page.files.shown(rendered)[0]
