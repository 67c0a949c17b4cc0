"""A workspace whose file was replaced, moved or deleted by another program while it was open.

The open file continues to exist without a name, until it is closed: it contains everything saved
before, and nothing more can be saved to it.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from annotate.marks.gold import Gold
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import WorkspaceError
from engine.nodes import NodeTable


@dataclass(frozen=True, eq=False)
class UnsavedMarks:
    """Marks of a page that are on screen alone."""

    document: Document
    nodes: NodeTable
    gold: Gold
    what: str


def bring_along(workspace: Workspace, unsaved: UnsavedMarks | None) -> Path | None:
    """Save the marks into the file that has the workspace's name now.

    The open file, these marks included, is copied beside that file first, as ``NAME replaced
    TIME``; if there is no file at the name, to the name itself, and None is returned.  The marks
    take the place of those that the other file has of the page, which one undo brings back.

    `PageletError` where the file cannot be written to, or does not know who made the marks; they
    are in the copy.
    """
    path = workspace.path
    if not path.exists():
        _copy(workspace, path, unsaved)
        return None
    when = datetime.now(UTC)
    aside = path.with_name(f"{path.stem} replaced {when:%Y-%m-%dT%H-%M-%S}{path.suffix}")
    _copy(workspace, aside, unsaved)
    if unsaved is not None:
        try:
            _save(path, workspace.annotator.uid, unsaved)
        except WorkspaceError as error:
            raise WorkspaceError(f"{error}; your marks are in {aside.name}") from None
    return aside


def _copy(workspace: Workspace, path: Path, unsaved: UnsavedMarks | None) -> None:
    workspace.store.copy_to(path)
    if unsaved is not None:
        _save(path, workspace.annotator.uid, unsaved)


def _save(path: Path, uid: str, unsaved: UnsavedMarks) -> None:
    with Workspace.open(path, create=False) as there:
        if there.damage:
            raise WorkspaceError(there.damage)
        me = next((who for who in there.annotators if who.uid == uid), None)
        if me is None:
            raise WorkspaceError(f"{path} has no record of the annotator who made the marks")
        if me != there.annotator:
            there.work_as(me)
        there.add_pages([unsaved.document])
        key = page_key(unsaved.document)
        there.load_gold(key, unsaved.nodes)
        there.save_gold(key, unsaved.gold, unsaved.nodes, unsaved.what, overwrite=True)
