"""Side by side: the page once for each method, scrolled together."""

from collections.abc import Callable

from gui.core.action import Action, Where
from gui.core.feature import Feature, ViewRow
from gui.core.when import ON_PAGE, showing
from gui.features.side_by_side.view import SideBySide

SIDE_BY_SIDE = showing(SideBySide, "show the page side by side first (F2)")


def _side(name: str, text: str, run: Callable[..., object], argument: int, key: str) -> Action:
    return Action(
        f"side-{name}", text, "", run, (argument,), (key,), where=Where.SIDE,
        when=SIDE_BY_SIDE, section="Side by side",
    )  # fmt: skip


FEATURE = Feature(
    "side_by_side",
    guide="views.md",
    views=(ViewRow(SideBySide, SideBySide, Where.SIDE),),
    actions=(
        Action("side", "Side by side", "View", SideBySide.toggle, (2,), ("F2",), "side",
               when=ON_PAGE, section="Side by side",
               help="The page twice, each with a layer of its own; again: alone", order=50),
        Action("side-four", "Four side by side", "View", SideBySide.toggle, (4,), ("Shift+F2",),
               when=ON_PAGE, section="Side by side", order=60),
        Action("side-swap", "Swap two panes", "", SideBySide.swap, (), ("Ctrl+F2",),
               when=SIDE_BY_SIDE, section="Side by side"),
        _side("next", "Next pane", SideBySide.next_pane, 1, "Tab"),
        _side("last", "Previous pane", SideBySide.next_pane, -1, "Shift+Tab"),
        _side("down", "Show the next layer here", SideBySide.step, 1, "Alt+Down"),
        _side("up", "Show the previous layer here", SideBySide.step, -1, "Alt+Up"),
    ),
)  # fmt: skip
