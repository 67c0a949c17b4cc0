"""Several people in one workspace: current annotator, comments on marks, merged workspaces."""

from contextlib import closing
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, SignalInstance
from PySide6.QtGui import QUndoCommand

from algorithms.levels import Level
from annotate.marks.gold import MAIN, Mark
from annotate.plugins.team_work import assignments, comments
from annotate.plugins.team_work.comment_files import write_comments
from annotate.plugins.team_work.comments import Comment, CommentKind
from annotate.plugins.team_work.merging import merge_into
from annotate.plugins.team_work.quiz import Member, members
from annotate.workspace import annotators
from annotate.workspace.annotators import NAMELESS, Role
from annotate.workspace.store import Store
from annotate.workspace.workspace import Workspace, page_key
from annotate.workspace.workspace_file import is_workspace
from engine.errors import InputError, PageletError
from engine.words import plural
from gui.core.autosave import COMMENT_WAITS
from gui.core.workbench import Workbench
from gui.plugins.team_work.review.feature import ReviewState


class AddComment(QUndoCommand):
    """Command that adds a comment; undo removes it."""

    def __init__(
        self, workspace: Workspace, key: str, comment: Comment, changed: SignalInstance
    ) -> None:
        super().__init__(str(comment.kind))
        self._workspace, self._key, self._comment = workspace, key, comment
        self._changed = changed
        self._id = ""
        self.problem = ""

    def redo(self) -> None:
        new = self._comment
        try:
            self._id = comments.add(
                self._workspace, self._key, new.text, new.mark, new.kind, new.answers
            )
        except PageletError as error:
            self.problem = str(error)
            self.setObsolete(True)
        self._changed.emit()

    def undo(self) -> None:
        try:
            comments.take_back(self._workspace, self._id)
        except PageletError as error:
            self.problem = str(error)
        self._changed.emit()


class TeamController(QObject):
    """Actions for several annotators: menus, keys and panels."""

    changed = Signal()  # the current annotator, or the list of annotators
    said = Signal()  # comments of the open page
    refused = Signal()  # the result of `refused_comment` may have changed
    reload_asked = Signal()  # the marks on screen are now another annotator's

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._workbench, self._workspace = workbench, workbench.workspace
        self._review = session.get(ReviewState)
        self._refused: list[tuple[str, Comment]] = []  # page, its unsaved comment
        self._shown_next: Comment | None = None  # once its page is open
        session.open.page_changed.connect(self._on_page)
        workbench.requests.question.connect(partial(self.say, kind=CommentKind.QUESTION))

    # people ----------------------------------------------------------------------------------
    @property
    def me(self) -> annotators.Annotator:
        return self._workspace.annotator

    def people(self) -> list[tuple[str, str]]:
        """Return name and role of all named annotators."""
        return [(who.name, str(who.role)) for who in self._workspace.annotators if who.name]

    def workers(self) -> list[tuple[str, str]]:
        """Return the annotators to continue as: all named ones, and an unnamed one with work."""
        people = self._workspace.annotators
        return [(e.shown, str(e.role)) for e in people if e.name or self._has_worked(e)]

    def may_take_name(self, name: str) -> bool:
        """Return whether work done without a name can be assigned to this name."""
        name, me = name.strip(), self.me
        if me.name or name in ("", NAMELESS) or not self._has_worked(me):
            return False
        return (known := self._known(name)) is None or not self._has_worked(known)

    def take_name(self, name: str, role: Role) -> None:
        """Assign unnamed work to a name and role, and continue as this person."""
        name, workspace = name.strip(), self._workspace
        with self._session.messages.errors("not saved: "):
            annotators.take_name(workspace.store, workspace.annotator, name, role)
            made = "the marks and statuses made so far are those of"
            self._switch(f"{name} {_doing(role)} now: {made} {name}")

    def work_as(self, name: str, role: Role) -> None:
        """Continue as an annotator, who is added without marks if the name is new."""
        name, workspace = name.strip(), self._workspace
        if not name:
            return
        me, known = workspace.annotator, self._known(name)
        text = f"{name} {_doing(role)} now: marks and statuses shown are those of {name}"
        with self._session.messages.errors("not saved: "):
            if known is None and not me.name and role in (Role.ANNOTATOR, me.role) and (
                not self._has_worked(me)
            ):  # fmt: skip
                annotators.change(workspace.store, me, name, role)  # nothing was done yet
            elif known is None:
                with workspace.store.saving():
                    annotators.add(workspace.store, name, role)
                if not me.name and self._has_worked(me):
                    text = (
                        f"{name} {_doing(role)} now and starts with no marks: those made so far "
                        f"are kept {NAMELESS}; Mark as (Alt+W) goes back to them"
                    )
            elif known.role is not role:
                annotators.change(workspace.store, known, known.name, role)
            workspace.work_as(known or annotators.annotator_named(workspace.store, name))
            self._switch(text)

    def _known(self, name: str) -> annotators.Annotator | None:
        return next((each for each in self._workspace.annotators if each.shown == name), None)

    def _has_worked(self, who: annotators.Annotator) -> bool:
        return annotators.has_worked(self._workspace.store, who)

    def _switch(self, text: str) -> None:
        """Show the marks of the current annotator."""
        self.changed.emit()
        self.reload_asked.emit()
        if mine := len(self.assigned().intersection(map(page_key, self._session.documents))):
            are = "is" if mine == 1 else "are"
            text += f"; listed {are} the {plural(mine, 'page')} assigned"
            self._workbench.requests.assigned.emit()
        self._session.messages.say(text)

    def members(self) -> tuple[Member, ...]:
        """Return the progress of all named annotators."""
        with self._session.messages.errors():
            return members(self._workspace)
        return ()

    def assigned(self) -> frozenset[str]:
        """Return the keys of the pages assigned to the current annotator."""
        return frozenset(
            each.key for each in assignments.list_assigned(self._workspace.store, self.me)
        )

    def assign(self, text: str) -> None:
        """Assign the open pages to annotators: "Anna, Ben; 20 %; 5" with overlap and controls."""
        session, workspace = self._session, self._workspace
        with session.messages.errors():
            people, overlap, count, quizzes = assignments.parse_assignments(text)
            gold = [key for key, files in session.files.items() if files.marked()]
            apart = assignments.spread_out(gold, count + quizzes)
            dealt = assignments.deal(
                [page_key(each) for each in session.documents],
                people,
                overlap=overlap,
                per_page=min(2, len(people)),
                controls=apart[quizzes:],
                quizzes=apart[:quizzes],
            )
            known = {each.name for each in workspace.annotators}
            with workspace.store.saving():
                for name in people:
                    if name not in known:
                        annotators.add(workspace.store, name)
            assignments.assign(workspace.store, dealt)
            summary = ", ".join(f"{name} {len(mine)}" for name, mine in dealt.items())
            session.messages.say(
                f"pages to mark: {summary}; Mark as (Alt+W) goes on as one of them"
            )
            self.changed.emit()
            self.said.emit()

    def merge(self, path: str) -> None:
        """Add the marks of another workspace to those of this one."""
        source = Path(path)
        with self._session.messages.errors():
            if not is_workspace(source):
                raise InputError(f"{source.name} is not a workspace")
            if source.resolve() == self._workspace.path.resolve():
                raise InputError(f"{source.name} is the workspace that is open")
            with closing(Store.reading(source, is_deep=True)) as store:
                merged = merge_into(self._workspace.store, store, source.stem)
            notes = ((store.damage,) if store.is_partial else ()) + merged.notes
            note = f" ({notes[0]})" if notes else ""
            self._session.messages.say(f"{source.name}: {merged.summary}{note}")
            self._workbench.requests.others_marked.emit()

    # comments --------------------------------------------------------------------------------
    def threads(self, of_all: bool = False) -> tuple[tuple[Comment, ...], ...]:
        """Return the comments on the open page, or on all pages of the workspace."""
        if not of_all and self._session.open.page is None:
            return ()
        with self._session.messages.errors():
            return comments.threads(self._workspace, "" if of_all else self._session.open.key)
        return ()

    def subject(self) -> Mark | None:
        """Return the mark to comment on: of the current difference, else the selected one."""
        session = self._session
        current = self._review.current if self._review.is_shown else None
        if current is not None:
            for name in (self._review.left, self._review.right):
                result = self._real(name, current.level, current.rows[0])
                if result is not None:
                    return result
        return next(iter(session.selection.selected_marks()), None)

    def _real(self, name: str, level: Level, row: int) -> Mark | None:
        """Return the original mark of an annotator at a row."""
        page = self._session.open.page
        if page is None:
            return None
        nodes = page.rendered()
        golds = self._workspace.golds(self._session.open.key, nodes)
        marks = (m for who, g in golds.items() if who.shown == name for m in g.of_level(level))
        for mark in marks:
            for target in mark.targets:
                if target.row == row or (level == MAIN and nodes.is_inside(row, target.row)):
                    return mark
        return None

    def say(self, text: str, kind: CommentKind, answers: str = "", mark: str = "") -> bool:
        """Comment on the open page; return whether the comment was saved."""
        opened = self._session.open
        if opened.page is None or not text.strip():
            return False
        comment = Comment("", mark, "", self.me.shown, "", kind, text, answers)
        command = AddComment(self._workspace, opened.key, comment, self.said)
        self._workbench.page_session.history.push(command, opened.key)
        if command.problem:
            self._session.messages.say(f"not saved: {command.problem}")
            return False
        self._show_waiting()
        return True

    def offer_refused(self) -> None:
        """Restore comments whose delayed saving failed, to be entered again."""
        refused = comments.take_refused(self._workspace)
        if not refused:
            return
        self._refused.extend((key, comment) for key, comment, _ in refused)
        first, _, reason = refused[0]
        is_here = first == self._session.open.key
        when = "its text is in the field again" if is_here else "open its page to say it again"
        self._session.messages.say(f"comment not saved ({reason}): {when}")
        self.refused.emit()

    def refused_comment(self) -> Comment | None:
        """Return the first comment on the open page that could not be saved; None for none."""
        opened = self._session.open
        here = (comment for page, comment in self._refused if page == opened.key)
        return next(here, None) if opened.page is not None else None

    def drop_refused(self, comment: Comment) -> None:
        """Drop a refused comment: it was entered again, or is not wanted."""
        self._refused = [each for each in self._refused if each[1].id != comment.id]

    def settle(self, comment: Comment) -> None:
        """Mark a question as settled, or as open again."""
        with self._session.messages.errors("not saved: "):
            comments.settle(self._workspace, comment.id, not comment.is_settled)
        self._show_waiting()
        self.said.emit()

    def _show_waiting(self) -> None:
        if self._workspace.late_changes:
            self._session.messages.say(COMMENT_WAITS)

    def page_name(self, key: str) -> str:
        """Return the name of the page with a key."""
        return self._workbench.pages.title_of(key) or key

    def export_comments(self, path: str) -> None:
        """Write the comments of all pages to a file, as CSV or JSON by suffix."""
        with self._session.messages.errors():
            count = write_comments(self._workspace, Path(path))
            self._session.messages.say(f"{plural(count, 'comment')} written to {Path(path).name}")

    def show(self, comment: Comment) -> None:
        """Open the page of a comment, select its mark, and scroll to it."""
        session, opened = self._session, self._session.open
        if comment.page not in ("", opened.key):
            self._shown_next = comment
            if not self._workbench.navigation.open_key(comment.page):
                self._shown_next = None
                session.messages.say("the page of this comment is not in the list: open it first")
            return
        mark = opened.gold.find(comment.mark)
        if mark is not None:
            session.selection.set_selected([mark.id])
        elif opened.page is not None:
            golds = self._workspace.golds(opened.key, opened.page.rendered())
            mark = next((m for gold in golds.values() if (m := gold.find(comment.mark))), None)
        if mark is not None and mark.targets:
            self._workbench.canvas.scroll_to(mark.targets[0].row)

    def _on_page(self) -> None:
        comment, self._shown_next = self._shown_next, None
        if comment is not None and self._session.open.key == comment.page:
            self.show(comment)


def _doing(role: Role) -> str:
    return "reviews" if role is Role.REVIEWER else "marks"
