"""Feedback on the open page: one's marks beside a reference, change by change."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from annotate.marks.gold import MAIN
from annotate.marks.guideline import MAIN_TITLE
from annotate.plugins.team_work.feedback import MINE, change
from annotate.plugins.team_work.review import Disagreement
from engine.words import join_words
from gui.plugins.team_work.review.state import ReviewState, level_name


class FeedbackState(ReviewState):
    """Differences from the reference; one's own marks are on the left.

    Attributes:
        rules: Guideline sentence by type.
        score: Text on the result of a quiz; "" for a review.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.own = MINE
        self.rules: Callable[[str], str] = lambda _title: ""
        self.score = ""

    def set_reference(self, name: str, items: Sequence[Disagreement], trouble: str = "") -> None:
        """Set the differences between one's marks and a reference; "" for none."""
        self.set_differences((MINE, name) if name else (), items, {}, trouble)

    def compare(self, name: str, items: Sequence[Disagreement]) -> None:
        """Set the differences from a reference; the current one stays so if it is still there."""
        current = self.current
        self.set_reference(name, items)
        if current in self.items:
            self.choose(self.items.index(current))

    @property
    def reference(self) -> str:
        """Name of the reference; "" if there is none."""
        return self.right

    @property
    def status(self) -> str:
        """Position in the list: "3 of 7 · level 2 · retyped"."""
        each = self.current
        if each is None:
            return ""
        return f"{self.index + 1} of {len(self.items)} · {level_name(each)} · {change(each)}"

    @property
    def rule(self) -> str:
        """Guideline sentence on the type the current mark should have; "" if there is none."""
        each = self.current
        if each is None:
            return ""
        if each.level == MAIN:
            return self.rules(MAIN_TITLE)
        marks = each.of(self.reference).marks or each.of(MINE).marks
        sentence = self.rules(marks[0].type) if marks and marks[0].type else ""
        return f"{marks[0].type}: {sentence}" if sentence else ""

    @property
    def summary(self) -> str:
        """Number of changes of each kind: "2 added and 1 retyped"."""
        changes = [change(each) for each in self.items]
        counts = {kind: changes.count(kind) for kind in dict.fromkeys(sorted(changes))}
        return join_words([f"{count} {kind}" for kind, count in counts.items()])
