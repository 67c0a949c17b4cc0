"""Side by side: the page once for each method, scrolled together."""

from gui.core.action import Action, Context, ViewActions
from gui.core.feature import Feature, TaskView, ViewRow
from gui.core.main_area import Where
from gui.core.when import ON_PAGE, showing
from gui.plugins.side_by_side.view import SideBySide

SIDE_BY_SIDE = showing(SideBySide, "show the page side by side first (F2)", "side")
_HERE = Where("side", is_view=True)
_side = ViewActions("side", _HERE, SIDE_BY_SIDE, "Side by side")

FEATURE = Feature(
    "side_by_side",
    after="site",
    guide="views.md",
    views=(ViewRow(SideBySide, SideBySide, _HERE),),
    tasks=(
        TaskView(
            "compare", "Compare", "The page side by side, once for each method",
            ("comparison view", "methods beside each other"),
            "Open a page: two methods stand side by side. F8 compares all pages and methods.",
            view=SideBySide, before="debug",
            tools=(("side", "Two"), ("side-four", "Four"), ("side-swap", "Swap")),
        ),
    ),
    actions=(
        Action("side", "Side by side", "View ▸ Side by side", SideBySide.toggle, (2,), ("F2",),
               "side",
               when=ON_PAGE, section="Side by side",
               help="The page twice, each with a separate layer; again: alone", order=50,
               words=("split view", "compare two methods", "two panes"),
               context=(Context.PAGE,)),
        Action("side-four", "Four side by side", "View ▸ Side by side", SideBySide.toggle, (4,),
               ("Shift+F2",),
               when=ON_PAGE, section="Side by side", order=60,
               words=("four panes", "grid of methods")),
        Action("side-swap", "Swap two panes", "", SideBySide.swap, (), ("Ctrl+F2",),
               when=SIDE_BY_SIDE, section="Side by side",
               words=("exchange panes", "swap left and right")),
        _side("next", "Next pane", SideBySide.next_pane, (1,), ("Tab",),
              words=("focus next pane", "other pane")),
        _side("last", "Previous pane", SideBySide.next_pane, (-1,), ("Shift+Tab",),
              words=("focus previous pane", "pane before")),
        _side("down", "Show the next layer here", SideBySide.step, (1,), ("Alt+Down",),
              words=("next method in pane", "change pane's layer")),
        _side("up", "Show the previous layer here", SideBySide.step, (-1,), ("Alt+Up",),
              words=("previous method in pane", "change pane's layer back")),
    ),
)  # fmt: skip
