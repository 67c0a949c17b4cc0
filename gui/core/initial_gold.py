"""The gold of a page that is opened: the user's own marks, else those that come with the page.

Marks of a published data set are shown and locked: they are its authors', and one click at the
wrong moment must not change them.  Copied into the workspace they are the user's.  Marks from a
gold file of Pagelet are taken into the workspace at once.
"""

from dataclasses import dataclass

from annotate.datasets.case_files import PageFiles
from annotate.marks.gold import Gold
from annotate.marks.journal import CAME_WITH_PAGE
from annotate.workspace.annotators import is_control
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.page import Page

CHANGED = "this page has changed since it was marked: check its marks"
RECORDED = (
    "methods run on this rendering here, and on the boxes recorded with the gold in `evaluate`: "
    "scores may differ"
)


@dataclass(frozen=True)
class InitialGold:
    """Marks of a page as it is opened.

    Attributes:
        gold: The marks.
        is_locked: Whether they are a data set's, and not to be changed before they are copied.
        problems: What a user should know of them, one sentence each.
    """

    gold: Gold
    is_locked: bool = False
    problems: tuple[str, ...] = ()


def gold_of(
    workspace: Workspace, document: Document, files: PageFiles | None, page: Page
) -> InitialGold:
    """Note that a page is opened, and return its marks; raises `PageletError`.

    The note is in the file once `Workspace.save_late` is called.

    Args:
        workspace: Where the user's marks are kept.
        document: What is opened.
        files: Where gold that comes with it is; None for nowhere.
        page: It, rendered.
    """
    key, nodes = page_key(document), page.rendered()
    # Who waits for the page need not wait for the disk.
    is_same = workspace.visit(
        key, title=page.title, digest=page.digest, viewport=page.viewport, is_urgent=False
    )
    gold = workspace.load_gold(key, nodes)
    if gold.marks or workspace.history(key):
        return InitialGold(gold, problems=() if is_same else (CHANGED,))
    if files is None or is_control(workspace.store, workspace.annotator, key):
        return InitialGold(gold)  # the gold of a control page is known but not shown
    given, problems = files.shown(page)
    if files.has_layout:
        problems = (RECORDED, *problems)
    if files.is_published:
        return InitialGold(given, bool(files.marked() or given.marks), problems)
    if given.marks:
        workspace.save_gold(key, given, nodes, CAME_WITH_PAGE)
    return InitialGold(given, problems=problems)
