"""State of a review: differences between annotators, the current one, decisions."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject

from annotate.team.review import Disagreement
from gui.state.walk import Walk

LEFT, RIGHT, OTHER = "#0067A6", "#C24A00", "#7A4FBF"
"""Told apart by colour-blind readers (Okabe and Ito)."""


class ReviewState(Walk[Disagreement]):
    """The differences of the open page, walked one by one.

    Attributes:
        is_hot: Whether it shows how much is disagreed on, instead.
        own: Whose marks are drawn as gold, and not once more as a version; "" for nobody.
        names: Of the annotators compared.
        left, right: Whose versions the two keys take.
        items: In document order.
        verdicts: Item of a difference → what was decided, in words; without those still open.
        heat: Row → disagreement, 0 to 1; elements with texts that are disagreed on.
        trouble: Why there is nothing to review, a sentence.
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

    @property
    def open_count(self) -> int:
        """Number of undecided differences."""
        return sum(each.item not in self.verdicts for each in self.items)

    @property
    def status(self) -> str:
        """Position in the list: "3 of 17 · level 2 · type differs"."""
        each = self.current
        if each is None:
            return ""
        return f"{self.index + 1} of {len(self.items)} · {level_name(each)} · {each.kind}"

    def show_heat(self, is_hot: bool) -> None:
        """Show how much is disagreed on where, or the differences again."""
        if is_hot != self.is_hot:
            self.is_hot = is_hot
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
        """Return whether a difference is not decided."""
        return difference.item not in self.verdicts


def level_name(difference: Disagreement) -> str:
    return f"level {difference.level}" if difference.level else "main content"


def color_of(name: str, review: ReviewState) -> str:
    """Return the colour of an annotator."""
    return {review.left: LEFT, review.right: RIGHT}.get(name, OTHER)
