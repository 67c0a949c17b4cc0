"""Comments and questions on marks, answered in place.

They lie on the sheet of the annotator whose mark they speak of, so that he finds them whoever
asked, and travel with his marks when files are merged.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from uuid import uuid4

from annotate.annotators import annotators
from annotate.workspace import Workspace
from engine.errors import InputError, WorkspaceError


class CommentKind(StrEnum):
    """What is said."""

    COMMENT = "comment"
    QUESTION = "question"  # somebody is to answer it
    ANSWER = "answer"


@dataclass(frozen=True)
class Comment:
    """One thing said.

    Attributes:
        id: The same in every file.
        mark: Id of the mark it is on; "" for the page.
        owner, author: Names of whose mark it is, and of who said it.
        made: When, UTC in ISO 8601.
        kind: See there.
        text: As typed.
        answers: Id of the comment it answers, "" for none.
        is_settled: Of a question: nobody waits for an answer any more.
    """

    id: str
    mark: str
    owner: str
    author: str
    made: str
    kind: CommentKind
    text: str
    answers: str = ""
    is_settled: bool = False


def threads(workspace: Workspace, key: str) -> tuple[tuple[Comment, ...], ...]:
    """Return what is said on a page: each comment with its answers behind it, oldest first."""
    names = {who.number: who.shown for who in annotators(workspace.store)}
    rows = workspace.store.all(
        "SELECT comments.id, mark, annotator, author, made, kind, text, answers, settled"
        " FROM comments JOIN pages ON pages.id = comments.page WHERE key = ?"
        " ORDER BY made, comments.id",
        key,
    )
    found = [
        Comment(each, mark, names[owner], names[author], made, CommentKind(kind), text, answers,
                bool(settled))
        for each, mark, owner, author, made, kind, text, answers, settled in rows
    ]  # fmt: skip
    ids = {each.id for each in found}
    return tuple(
        (first, *_behind(first, found))
        for first in found
        if not first.answers or first.answers not in ids
    )


def _behind(first: Comment, found: Sequence[Comment]) -> tuple[Comment, ...]:
    return tuple(each for each in found if each.answers == first.id)


def add(
    workspace: Workspace,
    key: str,
    text: str,
    mark: str = "",
    kind: CommentKind = CommentKind.COMMENT,
    answers: str = "",
) -> str:
    """Say something on a mark, or on the page; return its id.

    `InputError` for a text without words.  An answer settles the question it answers.
    """
    if not text.strip():
        raise InputError("there is nothing to say: type a few words")
    if len(text) > 10_000:
        raise InputError(
            f"the text is too long: it has {len(text)} characters, and 10000 is the most"
        )
    comment = uuid4().hex
    with workspace.store.saving():
        page = _sheet(workspace, key, mark, answers)
        workspace.store.run(
            "INSERT INTO comments (id, page, mark, author, made, kind, text, answers)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            *(comment, page, mark, workspace.annotator.number),
            *(datetime.now(UTC).isoformat(timespec="milliseconds"), str(kind), text.strip()),
            answers,
        )
        if answers:
            workspace.store.run("UPDATE comments SET settled = 1 WHERE id = ?", answers)
    return comment


def settle(workspace: Workspace, comment: str, is_settled: bool = True) -> None:
    """Say that a question needs no answer any more, or again does."""
    with workspace.store.saving():
        workspace.store.run(
            "UPDATE comments SET settled = ? WHERE id = ?", int(is_settled), comment
        )


def take_back(workspace: Workspace, comment: str) -> None:
    """Take back what one said oneself; the question it answered waits again."""
    row = workspace.store.one("SELECT author, answers FROM comments WHERE id = ?", comment)
    if row is None:
        return
    if row[0] != workspace.annotator.number:
        raise InputError("only its author can take a comment back")
    with workspace.store.saving():
        workspace.store.run("DELETE FROM comments WHERE id = ?", comment)
        if row[1]:
            workspace.store.run(
                "UPDATE comments SET settled = (SELECT count(*) FROM comments WHERE answers = ?)"
                " > 0 WHERE id = ?",
                *(row[1], row[1]),
            )


def _sheet(workspace: Workspace, key: str, mark: str, answers: str) -> int:
    """Return the sheet a comment belongs on: that of the mark's owner, one's own first."""
    if answers:
        row = workspace.store.one("SELECT page FROM comments WHERE id = ?", answers)
        if row is None:
            raise WorkspaceError("the comment you answer was taken back meanwhile")
        return int(row[0])
    mine = workspace.page_id(key)
    row = workspace.store.one(
        "SELECT pages.id FROM pages JOIN marks ON marks.page = pages.id"
        " WHERE key = ? AND marks.id = ? ORDER BY pages.id <> ?",
        *(key, mark, mine),
    )
    return mine if row is None else int(row[0])
