"""Pages of the list with their gold, for background work over many of them."""

import random
from functools import partial
from pathlib import Path

from annotate.datasets.case_files import PageFiles
from annotate.library.rendering import render
from annotate.marks.gold import Gold
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import PageletError
from engine.page import Page
from engine.page_cache import Snapshots, default_folder
from engine.web.renderer import renderer_name
from gui.plugins.figure.sweep import SweptPage
from gui.state.session import Session


def page_cases(session: Session, workspace: Path, count: int) -> list[SweptPage]:
    """Return ``count`` pages of the list, chosen by a fixed random seed.

    Each is read when called, on any thread: its snapshot, as stored by an evaluation, and its
    marks, the user's or those that came with it; without a snapshot it is rendered in a
    separate process. One that cannot be read gives None.
    """
    documents = list(session.documents)
    if count < len(documents):
        documents = random.Random(0).sample(documents, count)
    snapshots, opened = Snapshots(default_folder(), renderer_name()), session.open
    shown = {} if opened.page is None else {opened.document: (opened.page, opened.gold)}
    return [
        partial(lambda known: known, shown[each])
        if each in shown
        else partial(_case, each, session.files.get(page_key(each)), workspace, snapshots)
        for each in documents
    ]


def _case(
    document: Document, files: PageFiles | None, workspace: Path, snapshots: Snapshots
) -> tuple[Page, Gold] | None:
    try:
        page = snapshots.find(document) or render(document)
        with Workspace.reading(workspace) as opened:
            gold = opened.load_gold(page_key(document), page.rendered())
        if not gold.marks and files is not None:
            gold = files.shown(page)[0]
    except PageletError:
        return None
    return page, gold
