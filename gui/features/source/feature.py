"""Source: the page's HTML, with each method's result highlighted."""

from gui.core.action import Action, Context, ViewActions
from gui.core.feature import Feature, Panel, Side
from gui.core.main_area import Where
from gui.core.when import ON_PAGE
from gui.features.source.panel import SourceDock

_source = ViewActions("source", Where.WINDOW, ON_PAGE, "Source")
_in_source = ViewActions("source", Where.SOURCE, ON_PAGE, "Source")

FEATURE = Feature(
    "source",
    guide="views.md",
    panels=(
        Panel(
            "source",
            lambda workbench, window: SourceDock(workbench.session, workbench, window),
            Side.BELOW,
            where=Where.SOURCE,
            toggle=Action("source", "Source of the page", "View", keys=("Ctrl+U",),
               icon="source", when=ON_PAGE,
               help="HTML as received and as scripts left it, scrolled with the page", order=40,
               words=("html code", "view source", "dom tree", "markup"),
               context=(Context.ELEMENT, Context.MAIN))),
    ),
    actions=(
        _source("input", "Original, DOM or as seen", SourceDock.other_input, (), ("Alt+U",),
                words=("raw html or dom", "received html")),
        _source("look", "Mark something else in the source", SourceDock.next_marking, (),
                ("Alt+Shift+V",),
                "What is off the page, made by scripts, or taken or read by the current method",
                words=("highlight in source", "colour the source")),
        _source("find", "Find in the source", SourceDock.search, (), ("Ctrl+Shift+F",),
                words=("search in html", "find text in code")),
        _source("next", "Next match", SourceDock.find_next, (1,), ("F3",),
                words=("find next", "next search hit")),
        _source("last", "Previous match", SourceDock.find_next, (-1,), ("Shift+F3",),
                words=("find previous", "previous search hit")),
        _in_source("fold", "Fold", SourceDock.fold, (-1,), ("Left",),
                words=("collapse code", "close element in source")),
        _in_source("unfold", "Unfold", SourceDock.fold, (1,), ("Right",),
                words=("expand code", "open element in source")),
        _in_source("unfold-all", "Unfold all", SourceDock.unfold_all, (), ("Shift+Right",),
                words=("expand everything", "open all elements")),
        _in_source("take", "Select this on the page", SourceDock.take, (), ("Return", "Enter"),
                words=("jump from source to page", "select node of source")),
    ),
)  # fmt: skip
