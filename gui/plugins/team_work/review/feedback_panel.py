"""Feedback panel: a reviewer's changes of one's marks, selected on the page, too."""

from PySide6.QtWidgets import QWidget

from annotate.marks.gold import MAIN
from annotate.plugins.team_work.feedback import MINE, Change, change
from annotate.plugins.team_work.review import Disagreement
from engine.words import sentence
from gui.core.findings import FindingsDock, Row
from gui.plugins.team_work.review.feedback_state import FeedbackState
from gui.plugins.team_work.review.state import level_name
from gui.state.session import Session
from gui.widgets.entry_delegate import Entry
from gui.widgets.parts import tone

SIGNS = {
    Change.ADDED: "+",
    Change.REMOVED: "−",
    Change.RETYPED: "≠",
    Change.FIELDS: "≠",
    Change.MOVED: "↔",
    Change.SPLIT: "÷",
    Change.CONFIRMED: "✓",
}


class FeedbackDock(FindingsDock[FeedbackState]):
    """All changes of the open page, an entry each."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__("Feedback", "FeedbackDock", session.get(FeedbackState), parent)
        self.add_close("Close  (Ctrl+Alt+R)", self.hide_findings)
        self.summary = self.make_text()
        tone(self.summary, "muted")
        self.make_bar(
            "Previous change  (Ctrl+Alt+K)", "Next change  (Ctrl+Alt+J)", "Ctrl+Alt+J: to the first"
        )
        self.make_list("Changes")
        self.rule = self.make_text("What the guideline says of this type", size=1.0)
        self.rule.setContentsMargins(14, 6, 10, 8)
        self.arrange(self.summary, self.bar, spacing=6)
        self.body.addWidget(self.rule)

    def row(self, each: Disagreement) -> Row:
        """Return a sign, the change and level; below, the old and the new version."""
        kind, title, text = change(each), title_of(each), words_of(each, self._walk.reference)
        is_good = kind in (Change.ADDED, Change.CONFIRMED)
        spoken = f"{title}: {text}"
        return Row(
            lambda theme: Entry(
                SIGNS[kind], theme.good if is_good else theme.warn, theme.panel, title,
                level_name(each), text,
            ),
            spoken, spoken,
        )  # fmt: skip

    def refresh(self) -> None:
        state = self._walk
        self.set_remark(str(len(state.items)) if state.items else "")
        text = state.trouble
        if state.score:
            text = f"{state.score}; {state.summary}" if state.items else state.score
        elif state.reference:
            text = f"{state.reference}: {state.summary}" if state.items else (
                f"{state.reference} reviewed this page and changed nothing"
            )  # fmt: skip
        self.summary.setText(f"{sentence(text)}." if text else "")
        self.summary.setVisible(bool(text))
        super().refresh()

    def position(self) -> str:
        return self._walk.status

    def show_current(self) -> None:
        super().show_current()
        self.rule.setText(self._walk.rule)
        self.rule.setVisible(bool(self._walk.rule))


def title_of(difference: Disagreement) -> str:
    """Return the change with its types: "Retyped: Menu → Link list"."""
    kind = sentence(str(change(difference)))
    if difference.level == MAIN:
        return kind
    types = [version.type or "no type" for version in difference.versions if version.marks]
    return f"{kind}: {' → '.join(dict.fromkeys(types))}"


def words_of(difference: Disagreement, reference: str) -> str:
    """Return the text of one's marks, else of the reference's."""
    marks = difference.of(MINE).marks or difference.of(reference).marks
    return next((mark.quote[:200] for mark in marks if mark.quote), "no text")
