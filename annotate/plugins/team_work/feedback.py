"""Feedback: how marks of an annotator differ from a reference, mark by mark.

The reference is what a reviewer decided on the page, or the known gold of a quiz page.
"""

from enum import StrEnum

from annotate.marks.gold import Gold
from annotate.plugins.team_work.review import DifferenceKind, Disagreement, compare
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import PageStatus, Workspace
from engine.nodes import NodeTable

MINE = "you"
"""Whose version is the annotator's own, among those of a `Disagreement`."""


class Change(StrEnum):
    """Difference of the reference from the annotator's marks."""

    ADDED = "added"
    REMOVED = "removed"
    RETYPED = "retyped"
    FIELDS = "other fields"
    MOVED = "moved"
    SPLIT = "split or joined"
    CONFIRMED = "confirmed"  # the annotator was unsure


def differences(
    nodes: NodeTable, mine: Gold, reference: Gold, name: str
) -> tuple[Disagreement, ...]:
    """Return how one's marks differ from a reference of this name, in document order."""
    compared = compare(nodes, {MINE: mine.sure, name: reference.sure})
    return tuple(sorted(compared.differences, key=lambda each: (each.rows[0], each.level)))


def change(difference: Disagreement) -> Change:
    """Return the change from one's own version to the reference."""
    if difference.kind is DifferenceKind.ALONE:
        return Change.REMOVED if difference.of(MINE).marks else Change.ADDED
    return _CHANGES[difference.kind]


_CHANGES = {
    DifferenceKind.TYPE: Change.RETYPED,
    DifferenceKind.FIELDS: Change.FIELDS,
    DifferenceKind.EXTENT: Change.MOVED,
    DifferenceKind.SPLIT: Change.SPLIT,
    DifferenceKind.UNSURE: Change.CONFIRMED,
}


def find_review(workspace: Workspace, key: str, nodes: NodeTable) -> tuple[str, Gold] | None:
    """Return the last reviewer who set a page to done, with the reviewed marks; else None.

    The annotator of the workspace does not count as a reviewer.
    """
    me = workspace.annotator
    rows = workspace.rows(
        "SELECT annotator FROM pages JOIN annotators ON annotators.id = annotator"
        " WHERE key = ? AND role = ? AND status = ? AND annotator <> ? ORDER BY visited DESC",
        *(key, str(Role.REVIEWER), str(PageStatus.DONE), me.number),
    )
    if not rows:
        return None
    golds = workspace.golds(key, nodes)
    who = next(each for each in workspace.annotators if each.number == rows[0][0])
    return who.shown, golds.get(who, Gold())
