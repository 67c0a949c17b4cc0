"""Panels: comments on the page's marks, answered in place; people and their progress."""

from collections.abc import Callable, Sequence
from enum import StrEnum

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidgetItem, QVBoxLayout, QWidget

from annotate.plugins.team_work.comments import Comment, CommentKind
from annotate.plugins.team_work.quiz import Member
from annotate.workspace.annotators import NAMELESS
from gui.plugins.team_work.review.feature import ReviewState
from gui.plugins.team_work.team.controller import TeamController
from gui.state.session import Session
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, Segments, hint
from gui.widgets.texts import plain
from gui.widgets.walked_list import line_list

COMMENT = Qt.ItemDataRole.UserRole + 1


class Scope(StrEnum):
    """Scope of the listed comments."""

    PAGE = "page"
    ALL = "all"
    OPEN = "open"  # those of all pages that are neither answered nor resolved


NOTHING = {
    Scope.PAGE: "No comments on this page yet.",
    Scope.ALL: "No comments in this workspace yet.",
    Scope.OPEN: "All comments are answered or resolved.",
}


class CommentsDock(PanelDock):
    """Comment threads of the open page or of all pages, with a field for new comments."""

    said = Signal()  # a comment started by key was made: the focus moves on

    def __init__(
        self, session: Session, host: TeamController, parent: QWidget | None = None
    ) -> None:
        super().__init__("Comments", "CommentsDock", parent)
        self.add_close()
        self._session, self._host = session, host
        self._threads: tuple[tuple[Comment, ...], ...] | None = None  # as listed
        self._scope = Scope.PAGE
        self.scope = Segments(
            [
                (Scope.PAGE, "Page", "Comments on the open page"),
                (Scope.ALL, "All", "Comments on all pages"),
                (Scope.OPEN, "Open", "Of all pages: not answered, not resolved"),
            ],
            self,
        )
        self.scope.set_value(self._scope)
        self.scope.picked.connect(self.list_of)
        self._is_filled = False  # changes meanwhile are not choices of the user
        self._is_by_key = False  # the field was focused by key, not by click
        self._then: Callable[[], None] | None = None
        self._again: Comment | None = None  # unsaved comment restored to the field
        self.list = line_list("Comments", self)
        self.list.setObjectName("CommentList")
        self.list.itemSelectionChanged.connect(self._on_chosen)
        self._none = hint("", self)
        self.kind = Segments(
            [
                (CommentKind.COMMENT, "Comment", "A remark"),
                (CommentKind.QUESTION, "Question", "Waits for an answer  (Alt+Q)"),
            ],
            self,
        )
        self.settle = IconButton("check", "Resolved, or open again  (Alt+Shift+Y)", self)
        self.settle.clicked.connect(self.resolve)
        self.field = QLineEdit(self)
        self.field.setAccessibleName("Comment or question")
        self.field.returnPressed.connect(self._on_return)
        self.field.textChanged.connect(self._on_text)
        self.field.editingFinished.connect(self._on_left)  # after Enter or a change of focus
        foot = QWidget(self)
        row = lay_out(QHBoxLayout(), self.kind, None, self.settle, spacing=6)
        lay_out(QVBoxLayout(foot), row, self.field, margins=(10, 4, 8, 8), spacing=6)
        head = QWidget(self)  # below the title, where it needs no width of the page
        lay_out(QHBoxLayout(head), self.scope, None, margins=(10, 0, 8, 4))
        self.body.addWidget(head)
        self.body.addWidget(self._none)
        self.body.addWidget(self.list, 1)
        self.body.addWidget(foot)
        self.kind.picked.connect(self._on_kind)
        self._kind = CommentKind.COMMENT
        self.kind.set_value(self._kind)
        for signal in (host.said, session.open.page_changed, session.open.document_changed):
            signal.connect(self.refresh)
        for signal in (host.refused, session.open.page_changed):
            signal.connect(self._offer_refused)
        for signal in (session.selection.selection_changed, session.get(ReviewState).index_changed):
            signal.connect(self._update_placeholder)
        self.refresh()

    def entries(self) -> list[str]:
        return [self.list.item(row).text() for row in range(self.list.count())]

    def start(self, kind: CommentKind, then: Callable[[], None] | None = None) -> None:
        """Start a comment on the selected mark, else on the page; then call ``then``."""
        self.show_up()
        if kind is CommentKind.ANSWER:
            if not self._chosen():
                self.step(1)
        else:
            self.list.clearSelection()
            self.list.setCurrentRow(-1)
            self._on_kind(kind)
        self._update_placeholder()
        self._is_by_key, self._then = True, then
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def step(self, by: int) -> None:
        """Go to the next or previous listed comment, cyclically, also across pages."""
        self.show_up()
        rows = [row for row in range(self.list.count()) if self.list.item(row).data(COMMENT)]
        if rows:
            row = self.list.currentRow()
            beyond = [each for each in rows[::by] if (each - row) * by > 0] if row >= 0 else rows
            self.list.setCurrentRow((beyond or rows[::by])[0])

    def list_of(self, scope: Scope) -> None:
        """List the comments of the open page, of all pages, or those still open."""
        self._scope = Scope(scope)
        self.scope.set_value(self._scope)
        self._threads = None
        self.show_up()
        self.refresh()

    def resolve(self) -> None:
        """Mark the chosen comment as resolved, or as open again."""
        chosen = self._chosen()
        if not chosen or chosen[0].kind is CommentKind.ANSWER:
            self._session.messages.say("choose a comment or question first (Alt+K)")
            return
        self._host.settle(chosen[0])

    def refresh(self) -> None:
        """List the comments on the page, or on all pages."""
        of_all = self._scope is not Scope.PAGE
        threads = self._host.threads(of_all) if not self.isHidden() else self._threads or ()
        if self._scope is Scope.OPEN:
            threads = tuple(thread for thread in threads if not thread[0].is_settled)
        if threads != self._threads:
            chosen = [each.id for each in self._chosen()]
            self._threads = threads
            self._is_filled = True
            self.list.clear()
            page = ""
            for thread in threads:
                if of_all and thread[0].page != page:
                    page = thread[0].page
                    self._add_page(page)
                for each in thread:
                    self._add(each, is_chosen=each.id in chosen)
            self._is_filled = False
        firsts = [thread[0] for thread in threads]
        waiting = sum(each.kind is CommentKind.QUESTION and not each.is_settled for each in firsts)
        self.set_remark(f"{waiting} to answer" if waiting else "")
        has_page = of_all or self._session.open.page is not None
        none = NOTHING[self._scope] if has_page else "Comments appear when a page is open."
        self._none.setText(none)
        self._none.setVisible(not threads)
        self._update_placeholder()

    def _add_page(self, key: str) -> None:
        item = QListWidgetItem(self._host.page_name(key), self.list)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        font = item.font()
        font.setBold(True)
        item.setFont(font)

    def _add(self, each: Comment, *, is_chosen: bool) -> None:
        item = QListWidgetItem(self.list)
        who = "" if each.author == NAMELESS else each.author
        sign = "?" if each.kind is CommentKind.QUESTION else ""
        done = " ✓" if each.is_settled else ""
        lead = "    ↳ " if each.kind is CommentKind.ANSWER else ""
        head = f"{who}{sign}{done}"
        item.setText(f"{lead}{head}  {each.text}" if head else f"{lead}{each.text}")
        item.setData(COMMENT, each)
        of = f" of {each.owner}" if each.owner else ""
        on = f"on a mark{of}" if each.mark else "on the page"
        item.setToolTip(plain(f"{each.made[:16].replace('T', ' ')} UTC, {on}\n{each.text}"))
        if is_chosen:
            self.list.setCurrentItem(item)

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self.refresh()

    def _chosen(self) -> Sequence[Comment]:
        return [item.data(COMMENT) for item in self.list.selectedItems()]

    def _on_chosen(self) -> None:
        if self._is_filled:
            return
        for each in self._chosen():
            self._host.show(each)
        self._update_placeholder()

    def _on_kind(self, kind: object) -> None:
        self._kind = CommentKind(str(kind))
        self.kind.set_value(self._kind)
        self._update_placeholder()

    def _update_placeholder(self) -> None:
        """Show in the field what Enter does."""
        chosen = self._chosen()
        self.settle.setEnabled(bool(chosen) and chosen[0].kind is not CommentKind.ANSWER)
        self.field.setEnabled(self._session.open.page is not None)
        if chosen:
            who = "" if chosen[0].author == NAMELESS else f" {chosen[0].author}"
            self.field.setPlaceholderText(f"Answer{who}  (Alt+Shift+R)")
            return
        is_question = self._kind is CommentKind.QUESTION
        word, key = ("Ask about", "Alt+Q") if is_question else ("Comment on", "Alt+N")
        has_mark = not self.isHidden() and self._host.subject() is not None
        self.field.setPlaceholderText(f"{word} the {'mark' if has_mark else 'page'}  ({key})")

    def _offer_refused(self) -> None:
        """Restore an unsaved comment to the field, unless it has another text."""
        again = self._host.refused_comment()
        if self._again is not None and self._again != again:
            self._again = None  # it belongs to another page, and is offered there
            self.field.clear()
        if again is not None and not self.field.text():
            self.show_up()
            self.field.setText(again.text)
            self._again = again

    def _on_text(self, text: str) -> None:
        if not text and self._again is not None:
            self._host.drop_refused(self._again)
            self._again = None
        if not text:
            self._offer_refused()

    def _on_return(self) -> None:
        text, chosen, again = self.field.text(), self._chosen(), self._again
        if again is not None:
            is_kept = self._host.say(text, again.kind, again.answers, again.mark)
        elif chosen:
            first = chosen[0].answers or chosen[0].id
            is_kept = self._host.say(text, CommentKind.ANSWER, first, chosen[0].mark)
        else:
            mark = self._host.subject()
            is_kept = self._host.say(text, self._kind, "", mark.id if mark is not None else "")
        if is_kept:
            self.field.clear()
            if self._then is not None:
                self._then()
        if self._is_by_key and (is_kept or not text.strip()):
            self.said.emit()

    def _on_left(self) -> None:
        self._is_by_key, self._then = False, None


class TeamDock(PanelDock):
    """A line for each person: pages done, quiz result, unsure marks."""

    def __init__(
        self, members: Callable[[], tuple[Member, ...]], changed: SignalInstance, parent: QWidget
    ) -> None:
        """Create the panel; ``members`` returns who is listed, again after each ``changed``."""
        super().__init__("Team", "TeamDock", parent)
        self.add_close()
        self._members = members
        self.list = line_list("Team", self)
        self._none = hint("Nobody has a name yet: Alt+W gives you one.", self)
        self.body.addWidget(self._none)
        self.body.addWidget(self.list, 1)
        changed.connect(self.refresh)

    def entries(self) -> list[str]:
        return [self.list.item(row).text() for row in range(self.list.count())]

    def refresh(self) -> None:
        if self.isHidden():
            return
        members = self._members()
        self.list.clear()
        for each in members:
            role = " (reviewer)" if each.role == "reviewer" else ""
            item = QListWidgetItem(f"{each.name}{role}: {each}", self.list)
            item.setToolTip(plain(item.text()))
        self._none.setVisible(not members)
        self.set_remark(str(len(members)) if members else "")

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self.refresh()
