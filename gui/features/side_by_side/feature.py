"""Side by side: the page once for each method, scrolled together."""

from collections.abc import Callable

from gui.core.action import Action, Where
from gui.core.feature import Feature
from gui.core.when import SIDE_BY_SIDE
from gui.features.side_by_side.view import SideBySide


def _side(name: str, text: str, run: Callable[..., object], argument: int, key: str) -> Action:
    return Action(
        f"side-{name}", text, "", run, (argument,), (key,), where=Where.SIDE,
        when=SIDE_BY_SIDE, section="Side by side",
    )  # fmt: skip


FEATURE = Feature(
    "side_by_side",
    guide="views.md",
    actions=(
        Action("side-swap", "Let two panes change places", "", SideBySide.swap, (), ("Ctrl+F2",),
               when=SIDE_BY_SIDE, section="Side by side"),
        _side("next", "Next pane", SideBySide.next_pane, 1, "Tab"),
        _side("last", "Previous pane", SideBySide.next_pane, -1, "Shift+Tab"),
        _side("down", "Show the next layer here", SideBySide.step, 1, "Alt+Down"),
        _side("up", "Show the previous layer here", SideBySide.step, -1, "Alt+Up"),
    ),
)  # fmt: skip
