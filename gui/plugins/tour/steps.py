"""Steps of the tour: texts, targets, and conditions of completion."""

from collections.abc import Callable
from dataclasses import dataclass

from annotate.marks.gold import MAIN, Mark, MarkState
from gui.core.workbench import Workbench


@dataclass(frozen=True)
class TourStep:
    """Gesture explained by the tour.

    Attributes:
        title, text: Texts of the card.
        points_at: The action whose button, or else whose menu, the card points at; "" for the page.
        is_done: Whether the gesture was made, given the window and the marks at the beginning.
    """

    title: str
    text: str
    points_at: str
    is_done: Callable[[Workbench, tuple[Mark, ...]], bool]


def _marked(now: Workbench, before: tuple[Mark, ...]) -> list[Mark]:
    """Return the marks made since the step began, without drafts."""
    old = {(mark.level, mark.targets) for mark in before if mark.state is not MarkState.DRAFT}
    marks = (mark for mark in now.session.open.gold.marks if mark.state is not MarkState.DRAFT)
    return [mark for mark in marks if (mark.level, mark.targets) not in old]


def _main(now: Workbench, before: tuple[Mark, ...]) -> bool:
    return any(mark.level == MAIN for mark in _marked(now, before))


def _block(now: Workbench, before: tuple[Mark, ...]) -> bool:
    return any(mark.level != MAIN for mark in _marked(now, before))


def _typed(now: Workbench, before: tuple[Mark, ...]) -> bool:
    types = {mark.id: mark.type for mark in before}
    return any(
        mark.type and mark.type != types.get(mark.id) for mark in now.session.open.gold.marks
    )


def _adopted(now: Workbench, before: tuple[Mark, ...]) -> bool:
    has_drafts = any(mark.state is MarkState.DRAFT for mark in now.session.open.gold.marks)
    return has_drafts and _block(now, before)


def _evaluates(now: Workbench, _before: tuple[Mark, ...]) -> bool:
    return now.main_area.current.widget.objectName() == "Evaluate"


STEPS = (
    TourStep("Main content", "Press M, then click a paragraph of the article.", "mode-main", _main),
    TourStep("A block", "Press 1, then click the list at the right.", "mode-1", _block),
    TourStep("A rectangle", "Still with 1, drag a frame around the article.", "", _block),
    TourStep("Its type", "Press C: the block selected is Content.", "type", _typed),
    TourStep(
        "Drafts",
        "Click WebTerrain in the Methods panel and press Shift+A: its blocks become drafts. "
        "Shift+N goes to the first, Y confirms it.",
        "adopt",
        _adopted,
    ),
    TourStep(
        "Scores", "Press F8, then Run: every method against your marks.", "evaluate", _evaluates
    ),
)
