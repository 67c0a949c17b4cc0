"""Reasons of methods for one position: question, answers, tried changes."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from algorithms.explain.counterfactuals import CounterfactualResult
from algorithms.explain.explanations import Explanation, Location
from algorithms.params import Params
from gui.state.walk import Shown


@dataclass(frozen=True)
class AppliedChange:
    """Parameter change taken from an answer, kept for undo."""

    key: str
    before: Params
    after: Params


class WhyState(Shown):
    """Current question and its answers.

    Attributes:
        location: Location asked about; None before the first question.
        answers: Answer of each method, the current method's first.
        counterfactuals: Change that reverses the decision, by method; missing while searched.
        tried: Applied changes, the latest last.
    """

    changed = Signal()  # the answers
    counterfactual_ready = Signal(str)  # layer key
    tried_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.location: Location | None = None
        self.answers: tuple[Explanation, ...] = ()
        self.counterfactuals: dict[str, CounterfactualResult] = {}
        self.tried: tuple[AppliedChange, ...] = ()

    def ask(self, location: Location | None) -> None:
        """Ask about a position; None clears the question."""
        self.location = location
        if location is None:
            self.tried = ()
            self.set_answers(())
        else:
            self.show(True)

    def set_answers(self, answers: Sequence[Explanation]) -> None:
        """Set the answers of the methods; counterfactuals are not known yet."""
        self.answers, self.counterfactuals = tuple(answers), {}
        self.changed.emit()

    def set_counterfactual(self, key: str, change: CounterfactualResult) -> None:
        """Set the change that reverses a method's decision."""
        self.counterfactuals[key] = change
        self.counterfactual_ready.emit(key)

    def note(self, tried: AppliedChange) -> None:
        """Add an applied change."""
        self.tried = (*self.tried, tried)
        self.tried_changed.emit()

    def take_back(self) -> AppliedChange | None:
        """Remove the last applied change and return it."""
        if not self.tried:
            return None
        last, self.tried = self.tried[-1], self.tried[:-1]
        self.tried_changed.emit()
        return last
