"""Feedback: finds what a reviewer decided on the page that is opened, and walks the changes."""

from PySide6.QtCore import QObject

from annotate.team import feedback
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import page_key
from engine.errors import PageletError
from engine.words import plural
from gui.core.workbench import Workbench
from gui.features.review.feedback_state import FeedbackState
from gui.widgets.debounce import debounce

NO_REVIEW = "no reviewer has said that this page is done: there is no feedback on it yet"


class Feedback(QObject):
    """What the Feedback panel and its keys call."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        session = self._session = workbench.session
        self._workspace = workbench.workspace
        self._state = session.get(FeedbackState)
        self._announced: set[str] = set()
        self._timer = debounce(self, 0, self.refresh)
        session.document_changed.connect(self._clear)
        session.page_changed.connect(self._timer.start)
        session.gold_changed.connect(self._timer.start)
        self._state.index_changed.connect(self._scroll)

    def toggle(self) -> None:
        """Show the feedback on the page, or no longer."""
        self._state.show(not self._state.is_shown)

    def step(self, by: int) -> None:
        """Go to the next change or the one before; shows the feedback."""
        self._state.show(True)
        self._state.step(by)
        if not self._state.items and self._state.trouble:
            self._session.say(self._state.trouble)

    def refresh(self) -> None:
        """Compare the marks of the open page with what was decided on it."""
        session = self._session
        page, document = session.page, session.document
        if page is None or document is None:
            return
        if self._workspace.annotator.role is Role.REVIEWER:
            self._state.set_reference("", (), "feedback is for annotators: you review here")
            return
        key, nodes = page_key(document), page.rendered()
        try:
            reviewed = feedback.reviewed(self._workspace, key, nodes)
        except PageletError as error:
            session.say(str(error))
            return
        if reviewed is None:
            self._state.set_reference("", (), NO_REVIEW)
            self._workbench.note("feedback", "", "")
            return
        name, decided = reviewed
        current = self._state.current
        items = feedback.differences(nodes, session.gold, decided, name)
        self._state.set_reference(name, items)
        if current in items:
            self._state.choose(items.index(current))
        self._announce(key)

    def _announce(self, key: str) -> None:
        """Say once that there is feedback, and show it where the marks were changed."""
        state = self._state
        count = plural(len(state.items), "change")
        self._workbench.note("feedback", f"{count} by {state.reference}" if state.items else "",
                             "Ctrl+Alt+J goes through them")  # fmt: skip
        if key in self._announced:
            return
        self._announced.add(key)
        if state.items:
            self._session.say(f"{state.reference} reviewed this page: {state.summary}")
            state.show(True)

    def _clear(self) -> None:
        self._state.set_reference("", ())
        self._workbench.note("feedback", "", "")

    def _scroll(self) -> None:
        current = self._state.current
        if current is not None:
            self._workbench.canvas.scroll_to(current.rows[0])
