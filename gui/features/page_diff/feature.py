"""Page diff: two pages side by side, their template and their differences."""

from collections.abc import Callable

from gui.core.action import Action, Where
from gui.core.feature import Feature
from gui.core.when import TWO_PAGES
from gui.features.page_diff.view import SiblingsView


def _siblings(
    name: str, text: str, run: Callable[..., object], arguments: tuple[object, ...], *keys: str
) -> Action:
    return Action(
        f"siblings-{name}", text, "", run, arguments, keys, where=Where.SIBLINGS,
        when=TWO_PAGES, section="Two pages",
    )  # fmt: skip


FEATURE = Feature(
    "page_diff",
    actions=(
        _siblings("next", "Next difference", SiblingsView.walk, (1,), "Alt+Down"),
        _siblings("previous", "Previous difference", SiblingsView.walk, (-1,), "Alt+Up"),
        _siblings("other", "The other page", SiblingsView.next_pane, (), "Tab"),
        _siblings("swap", "Let the pages change sides", SiblingsView.swap, (), "Ctrl+Shift+F2"),
    ),
)  # fmt: skip
