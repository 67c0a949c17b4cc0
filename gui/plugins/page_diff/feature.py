"""Page diff: two pages side by side, their template and their differences."""

from gui.core.action import Action, Context, ViewActions
from gui.core.feature import Feature, ViewRow
from gui.core.main_area import Where
from gui.core.when import showing
from gui.features.pages.feature import OTHER
from gui.plugins.page_diff.view import PageDiffView, PairShower

TWO_PAGES = showing(PageDiffView, "show two pages side by side first (Shift+F12)", "siblings")
_HERE = Where("siblings", is_view=True)
_page_diff = ViewActions("siblings", _HERE, TWO_PAGES, "Two pages")

FEATURE = Feature(
    "page_diff",
    after="side_by_side",
    guide="sites.md",
    controllers=(PairShower,),
    views=(ViewRow(PageDiffView, PageDiffView, _HERE),),
    actions=(
        Action("page-compare", "Compare with the open page", "", PairShower.compare_listed,
               when=OTHER, section="Pages", order=-20, help="Their template, and what differs",
               context=(Context.PAGES,), words=("compare listed page", "page beside page")),
        _page_diff("next", "Next difference", PageDiffView.walk, (1,), ("Alt+Down",),
                   words=("next page difference", "following changed part")),
        _page_diff("previous", "Previous difference", PageDiffView.walk, (-1,), ("Alt+Up",),
                   words=("previous page difference", "preceding changed part")),
        _page_diff("other", "The other page", PageDiffView.next_pane, (), ("Tab",),
                   words=("focus other page", "switch page side")),
        _page_diff("swap", "Swap the two pages", PageDiffView.swap, (), ("Ctrl+Shift+F2",),
                   words=("exchange two pages", "swap page sides")),
    ),
)  # fmt: skip
