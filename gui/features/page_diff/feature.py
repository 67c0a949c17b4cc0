"""Page diff: two pages side by side, their template and their differences."""

from collections.abc import Callable

from gui.core.action import Action, Where
from gui.core.feature import Feature, ViewRow
from gui.core.when import showing
from gui.features.page_diff.controller import PairShower
from gui.features.page_diff.view import PageDiffView

TWO_PAGES = showing(PageDiffView, "show two pages side by side first (Shift+F12)", "siblings")


def _page_diff(
    name: str,
    text: str,
    run: Callable[..., object],
    arguments: tuple[object, ...],
    *keys: str,
    words: tuple[str, ...],
) -> Action:
    return Action(
        f"siblings-{name}", text, "", run, arguments, keys, where=Where.PAGE_DIFF,
        when=TWO_PAGES, section="Two pages", words=words,
    )  # fmt: skip


FEATURE = Feature(
    "page_diff",
    guide="sites.md",
    controllers=(PairShower,),
    views=(ViewRow(PageDiffView, PageDiffView, Where.PAGE_DIFF),),
    actions=(
        _page_diff("next", "Next difference", PageDiffView.walk, (1,), "Alt+Down",
                   words=("next page difference", "following changed part")),
        _page_diff("previous", "Previous difference", PageDiffView.walk, (-1,), "Alt+Up",
                   words=("previous page difference", "preceding changed part")),
        _page_diff("other", "The other page", PageDiffView.next_pane, (), "Tab",
                   words=("focus other page", "switch page side")),
        _page_diff("swap", "Swap the two pages", PageDiffView.swap, (), "Ctrl+Shift+F2",
                   words=("exchange two pages", "swap page sides")),
    ),
)  # fmt: skip
