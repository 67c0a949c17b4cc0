"""Feedback: a reviewer's decisions on the open page, as a list of changes."""

from contextlib import suppress

from PySide6.QtCore import QObject

from annotate.marks.guideline import default
from annotate.plugins.team_work import feedback, quiz
from annotate.workspace.annotators import Role
from annotate.workspace.stored_guideline import of_workspace
from annotate.workspace.workspace import PageStatus, page_key
from engine.document import Document
from engine.errors import PageletError
from engine.page import Page
from engine.words import plural
from gui.core.workbench import Workbench
from gui.plugins.team_work.review.feedback_state import FeedbackState
from gui.widgets.events import debounce

QUIZ = "this page is a quiz: once it is done (D), what differs from its known gold is shown"
NO_REVIEW = "no reviewer has said that this page is done: there is no feedback on it yet"


class Feedback(QObject):
    """Actions of the Feedback panel and its keys."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        session = self._session = workbench.session
        self._workspace = workbench.workspace
        self._state = session.get(FeedbackState)
        self._announced: set[str] = set()
        self._timer = debounce(self, 0, self.refresh)
        session.open.document_changed.connect(self._clear)
        session.open.page_changed.connect(self._timer.start)
        session.open.gold_changed.connect(self._timer.start)
        workbench.pages.changed.connect(self._on_pages)
        workbench.requests.others_marked.connect(self._timer.start)
        workbench.page_session.stays = self.is_quiz
        self._state.rules = self._rule
        self._state.index_changed.connect(self._scroll)

    def step(self, by: int) -> None:
        """Go to the next or previous change; shows the feedback."""
        self._state.show(True)
        self._state.step(by)
        if not self._state.items and self._state.trouble:
            self._session.messages.say(self._state.trouble)

    def stop(self) -> None:
        """Stop comparing: the workspace is about to be closed."""
        self._timer.blockSignals(True)

    def _on_pages(self) -> None:
        """Show the differences of a quiz page that is done."""
        opened = self._session.open
        if opened.page is not None and opened.key not in self._announced and self._is_done_quiz():
            self._timer.start()

    def refresh(self) -> None:
        """Compare the marks of the open page with the decisions of its review."""
        session, state = self._session, self._state
        page, document, key = session.open.page, session.open.document, session.open.key
        if page is None or document is None:
            return
        nodes = page.rendered()
        try:
            if self._workspace.annotator.role is Role.REVIEWER:
                state.set_reference("", (), "feedback is for annotators: you review here")
                return
            reviewed = feedback.find_review(self._workspace, key, nodes)
        except PageletError as error:
            session.messages.say(str(error))
            return
        if self._is_done_quiz():
            self._show_quiz(key, page)
            return
        state.score = ""
        if self.is_quiz(document):
            if state.trouble != QUIZ:
                session.messages.say(QUIZ)
            state.set_reference("", (), QUIZ)
        elif reviewed is None:
            state.set_reference("", (), NO_REVIEW)
            self._workbench.note("feedback", "", "")
        else:
            name, decided = reviewed
            state.compare(name, feedback.differences(nodes, session.open.gold, decided, name))
            self._announce(key)

    def is_quiz(self, document: Document) -> bool:
        """Return whether the known gold of a page is shown to its annotator once it is done."""
        workspace = self._workspace
        try:
            return quiz.is_quiz(workspace.store, workspace.annotator, page_key(document))
        except PageletError:
            return False  # another program writes to it just now: the next page is opened

    def _is_done_quiz(self) -> bool:
        document = self._session.open.document
        return (
            document is not None
            and self.is_quiz(document)
            and self._workbench.pages.status(document) == PageStatus.DONE
        )

    def _show_quiz(self, key: str, page: Page) -> None:
        """Compare the marks of a quiz page with the known gold; count the first result."""
        session, state = self._session, self._state
        files = session.files.get(key)
        if files is None:
            state.set_reference("", (), "the known gold of this page is not there")
            return
        try:
            known, _ = files.shown(page)
            compared, result = quiz.compare_marks(page.rendered(), session.open.gold, known)
            quiz.keep_result(self._workspace, key, result)
        except PageletError as error:
            session.messages.say(str(error))
            return
        state.score = f"quiz: {result}"
        items = sorted(compared.differences, key=lambda each: (each.rows[0], each.level))
        state.compare(quiz.KNOWN, items)
        if key not in self._announced:
            self._announced.add(key)
            more = "; Ctrl+Alt+J goes through what differs" if state.items else ""
            session.messages.say(f"{state.score}{more}")
            state.show(True)
            self._workbench.pages.refresh()

    def _rule(self, title: str) -> str:
        """Return the guideline's sentence on a type; "" if there is none."""
        guideline = None
        with suppress(PageletError):
            guideline = of_workspace(self._workspace)
        page = (guideline or default()).page(title)
        return "" if page is None else page.sentence

    def _announce(self, key: str) -> None:
        """Announce feedback once, and show it if marks were changed."""
        state = self._state
        note = f"{plural(len(state.items), 'change')} by {state.reference}" if state.items else ""
        self._workbench.note("feedback", note, "Ctrl+Alt+J goes through them")
        if state.items and key not in self._announced:
            self._session.messages.say(f"{state.reference} reviewed this page: {state.summary}")
            state.show(True)
        self._announced.add(key)

    def _clear(self) -> None:
        self._state.set_reference("", ())
        self._workbench.note("feedback", "", "")

    def _scroll(self) -> None:
        current = self._state.current
        if current is not None:
            self._workbench.canvas.scroll_to(current.rows[0])
