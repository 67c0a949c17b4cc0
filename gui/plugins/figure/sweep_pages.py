"""Pages of the list with their gold, for background work over many of them."""

import random
from functools import partial
from pathlib import Path

from algorithms.params import Params
from annotate.datasets.case_files import PageFiles
from annotate.library.rendering import render
from annotate.marks.gold import Gold
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import PageletError
from engine.page import Page
from engine.page_cache import Snapshots, default_folder
from engine.web.renderer import renderer_name
from gui.core.workbench import Workbench
from gui.plugins.figure.sweep import SweptPage
from gui.state.session import Session
from gui.state.undo import ChangeParams, WorkHistory


class FigureHost:
    """Window functions used by the figure panel."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench

    def change_params(self, key: str, before: Params, after: Params) -> None:
        """Set the parameters of a layer as one step."""
        if after != before:
            session = self._workbench.session
            session.get(WorkHistory).push(ChangeParams(session, key, before, after))

    def bring_row(self, row: int) -> None:
        self._workbench.canvas.scroll_to(row)

    def page_cases(self, count: int) -> list[SweptPage]:
        """Return up to ``count`` random pages of the list, each with its gold."""
        return page_cases(self._workbench.session, self._workbench.workspace.path, count)


def page_cases(session: Session, workspace: Path, count: int) -> list[SweptPage]:
    """Return ``count`` pages of the list, chosen by a fixed random seed.

    Each is read when called, on any thread: its snapshot, as stored by an evaluation, and its
    marks, the user's or those that came with it; without a snapshot it is rendered in a
    separate process. One that cannot be read gives None.
    """
    documents = list(session.documents)
    if count < len(documents):
        documents = random.Random(0).sample(documents, count)
    snapshots = Snapshots(default_folder(), renderer_name())
    open_page = (
        None
        if session.open.document is None
        else (session.open.document, session.open.page, session.open.gold)
    )
    return [
        partial(_case, each, session.files.get(page_key(each)), workspace, snapshots, open_page)
        for each in documents
    ]


def _case(
    document: Document,
    files: PageFiles | None,
    workspace: Path,
    snapshots: Snapshots,
    open_page: tuple[Document, Page | None, Gold] | None,
) -> tuple[Page, Gold] | None:
    if open_page is not None and open_page[0] == document and open_page[1] is not None:
        return open_page[1], open_page[2]
    try:
        page = snapshots.find(document) or render(document)
        with Workspace.reading(workspace) as opened:
            gold = opened.load_gold(page_key(document), page.rendered())
        if not gold.marks and files is not None:
            gold = files.shown(page)[0]
    except PageletError:
        return None
    return page, gold
