"""State of a review: differences between annotators, the current one, decisions."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject

from annotate.plugins.team_work.review import Disagreement
from gui.state.walk import Walk

LEFT, RIGHT, OTHER = "#0067A6", "#C24A00", "#7A4FBF"
"""Distinct for colour-blind readers (Okabe and Ito)."""


class ReviewState(Walk[Disagreement]):
    """Differences of the open page, with a current one.

    Attributes:
        is_hot: Whether the heat map is shown instead.
        own: Annotator whose marks are drawn as gold, and not also as a version; "" for nobody.
        names: Names of the compared annotators.
        left, right: Annotators whose versions the two keys take.
        items: Differences in document order.
        verdicts: Decision in words by item of a difference; only decided ones.
        heat: Disagreement, 0 to 1, by row of elements with disputed texts.
        is_in_bar: Whether the bar of the window has the decisions.
        trouble: Reason why there is nothing to review, a sentence.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_hot = False
        self.own = ""
        self.names: tuple[str, ...] = ()
        self.left = self.right = ""
        self.verdicts: Mapping[str, str] = {}
        self.heat: Mapping[int, float] = {}
        self.trouble = ""
        self.is_in_bar = False

    @property
    def shows_heat(self) -> bool:
        return self.is_shown and self.is_hot

    @property
    def open_count(self) -> int:
        """Number of undecided differences."""
        return sum(map(self.is_open, self.items))

    @property
    def status(self) -> str:
        """Position in the list: "3 of 17 · level 2 · type differs"."""
        each = self.current
        if each is None:
            return ""
        return f"{self.index + 1} of {len(self.items)} · {level_name(each)} · {each.kind}"

    def show_heat(self, is_hot: bool) -> None:
        """Show the heat map of disagreement, or the differences again."""
        if is_hot != self.is_hot:
            self.is_hot = is_hot
            self.changed.emit()

    def set_in_bar(self, is_in_bar: bool) -> None:
        """Note whether the bar of the window has the decisions: the panel then has none."""
        if is_in_bar != self.is_in_bar:
            self.is_in_bar = is_in_bar
            self.changed.emit()

    def set_sides(self, left: str, right: str) -> None:
        """Set the annotators whose versions the two keys take."""
        if (left, right) != (self.left, self.right):
            self.left, self.right = left, right
            self.changed.emit()

    def set_differences(
        self,
        names: Sequence[str],
        differences: Sequence[Disagreement],
        heat: Mapping[int, float],
        trouble: str = "",
    ) -> None:
        """Set the differences between annotators on the open page."""
        self.names, self.items = tuple(names), tuple(differences)
        self.heat, self.trouble = heat, trouble
        self.index, self.verdicts = -1, {}
        if self.left not in self.names or self.right not in self.names or self.left == self.right:
            self.left, self.right = (*self.names, "", "")[:2]
        self.changed.emit()
        self.index_changed.emit()

    def set_verdicts(self, verdicts: Mapping[str, str]) -> None:
        if verdicts != self.verdicts:
            self.verdicts = verdicts
            self.changed.emit()

    def is_open(self, difference: Disagreement) -> bool:
        return difference.item not in self.verdicts


def level_name(difference: Disagreement) -> str:
    return f"level {difference.level}" if difference.level else "main content"
