"""Comments and questions on marks, answered in place.

They are stored on the sheet of the annotator whose mark they refer to, so that he finds them
whoever asked, and are merged with his marks.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from uuid import uuid4

from annotate.workspace.annotators import NAMELESS
from annotate.workspace.store import Store
from annotate.workspace.workspace import Workspace
from engine.errors import InputError, WorkspaceError


class CommentKind(StrEnum):
    COMMENT = "comment"
    QUESTION = "question"  # needs an answer
    ANSWER = "answer"


@dataclass(frozen=True)
class Comment:
    """Comment on a mark or a page.

    Attributes:
        id: The same in every file.
        mark: Id of the mark it is on; "" for the page.
        owner, author: Names of the mark's annotator ("" while it waits to be saved), and of the
            comment's.
        made: Time, UTC in ISO 8601.
        answers: Id of the comment it answers, "" for none.
        is_settled: Of a question: it needs no answer now; of a comment: it is resolved.
        page: Key of the page.
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
    page: str = ""


def threads(workspace: Workspace, key: str = "") -> tuple[tuple[Comment, ...], ...]:
    """Return the comments on a page, each followed by its answers, oldest first.

    Without a key, those on all pages, page by page in the order of the list.  Comments that wait to
    be saved are included.
    """
    rows = workspace.rows(
        "SELECT comments.id, mark, owner.name, sayer.name, made, kind, text, answers, settled,"
        " key, place"
        " FROM comments JOIN pages ON pages.id = comments.page"
        " JOIN annotators AS owner ON owner.id = annotator"
        " JOIN annotators AS sayer ON sayer.id = author WHERE ? IN (key, '')"
        " ORDER BY made, comments.id",
        key,
    )
    result = [
        Comment(each, mark, owner or NAMELESS, author or NAMELESS, made, CommentKind(kind), text,
                answers, bool(settled), page)
        for each, mark, owner, author, made, kind, text, answers, settled, page, _ in rows
    ]  # fmt: skip
    order: dict[str, int] = {}
    for *_, page, rank in rows:
        order[page] = min(rank, order.get(page, rank))
    for change in workspace.late_changes:
        if isinstance(change, _Addition | _Settling | _Removal):
            result = change.shown(result, key)
    ids = {each.id for each in result}
    firsts = [each for each in result if not each.answers or each.answers not in ids]
    firsts.sort(key=lambda each: (order.get(each.page, len(order)), each.page))
    return tuple(
        (first, *(each for each in result if each.answers == first.id)) for first in firsts
    )


def add(
    workspace: Workspace,
    key: str,
    text: str,
    mark: str = "",
    kind: CommentKind = CommentKind.COMMENT,
    answers: str = "",
) -> str:
    """Add a comment to a mark, or to the page; return its id.

    `InputError` for a text without words.  An answer settles the question it answers.
    """
    if not text.strip():
        raise InputError("the comment is empty: type a few words")
    if len(text) > 10_000:
        raise InputError(f"the text is too long: it has {len(text)} characters, the limit is 10000")
    made = datetime.now(UTC).isoformat(timespec="milliseconds")
    me = workspace.annotator
    comment = Comment(uuid4().hex, mark, "", me.shown, made, kind, text.strip(), answers, page=key)
    workspace.save_or_wait(_Addition(comment, key, me.number))
    return comment.id


def take_refused(workspace: Workspace) -> tuple[tuple[str, Comment, str], ...]:
    """Return, once, comments that waited and then could not be saved: page's key, comment, why."""
    return tuple(
        (change.key, change.comment, reason)
        for change, reason in workspace.take_refused()
        if isinstance(change, _Addition)
    )


def settle(workspace: Workspace, comment: str, is_settled: bool = True) -> None:
    """Mark a question as answered or a comment as resolved, or as open again."""
    workspace.save_or_wait(_Settling(comment, is_settled))


def take_back(workspace: Workspace, comment: str) -> None:
    """Remove one's own comment; the question it answered is open again."""
    for change in workspace.late_changes:
        if isinstance(change, _Addition) and change.comment.id == comment:
            workspace.drop_late(change)
            return
    workspace.save_or_wait(_Removal(comment, workspace.annotator.number))


# Changes that may have to wait for another program: a call writes one, and `shown` returns the
# comments of a page, or with "" of all, after it.
@dataclass(frozen=True)
class _Addition:
    comment: Comment
    key: str
    author: int

    def __call__(self, store: Store) -> None:
        new = self.comment
        store.run(
            "INSERT INTO comments (id, page, mark, author, made, kind, text, answers)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            *(new.id, self._sheet(store), new.mark, self.author, new.made, str(new.kind)),
            *(new.text, new.answers),
        )
        if new.answers:
            store.run("UPDATE comments SET settled = 1 WHERE id = ?", new.answers)

    def _sheet(self, store: Store) -> int:
        """Return the sheet a comment belongs on: that of the mark's owner, one's own first."""
        comment = self.comment
        if comment.answers:
            row = store.one("SELECT page FROM comments WHERE id = ?", comment.answers)
            if row is None:
                raise WorkspaceError("the comment you answer was taken back meanwhile")
            return int(row[0])
        row = store.one(
            "SELECT pages.id FROM pages LEFT JOIN marks ON marks.page = pages.id AND marks.id = ?"
            " WHERE key = ? AND (annotator = ? OR marks.id IS NOT NULL)"
            " ORDER BY marks.id IS NULL, annotator <> ?",
            *(comment.mark, self.key, self.author, self.author),
        )
        if row is None:
            raise WorkspaceError(f"the workspace has no page {self.key}")
        return int(row[0])

    def shown(self, comments: list[Comment], key: str) -> list[Comment]:
        if key not in ("", self.key):
            return comments
        answered = self.comment.answers
        settled = (replace(e, is_settled=e.is_settled or e.id == answered) for e in comments)
        return [*settled, self.comment]


@dataclass(frozen=True)
class _Settling:
    comment: str
    is_settled: bool

    def __call__(self, store: Store) -> None:
        settled = int(self.is_settled)
        store.run("UPDATE comments SET settled = ? WHERE id = ?", settled, self.comment)

    def shown(self, comments: list[Comment], key: str) -> list[Comment]:
        return [
            replace(each, is_settled=self.is_settled) if each.id == self.comment else each
            for each in comments
        ]


@dataclass(frozen=True)
class _Removal:
    comment: str
    author: int

    def __call__(self, store: Store) -> None:
        row = store.one("SELECT author, answers FROM comments WHERE id = ?", self.comment)
        if row is None:
            return
        if row[0] != self.author:
            raise InputError("only its author can take a comment back")
        store.run("DELETE FROM comments WHERE id = ?", self.comment)
        if row[1]:
            store.run(
                "UPDATE comments SET settled = (SELECT count(*) FROM comments WHERE answers = ?)"
                " > 0 WHERE id = ?",
                *(row[1], row[1]),
            )

    def shown(self, comments: list[Comment], key: str) -> list[Comment]:
        answered = {each.answers for each in comments if each.id == self.comment} - {""}
        left = [each for each in comments if each.id != self.comment]
        still = {each.answers for each in left}
        return [
            replace(each, is_settled=each.id in still) if each.id in answered else each
            for each in left
        ]
