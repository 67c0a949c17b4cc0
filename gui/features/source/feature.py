"""Source: the HTML of the page, with what each method keeps of it."""

from collections.abc import Callable

from gui.core.action import Action, Where
from gui.core.feature import Feature, Panel, Side
from gui.core.when import ON_PAGE
from gui.features.source.panel import SourceDock


def _source(
    name: str,
    text: str,
    run: Callable[..., object],
    arguments: tuple[object, ...],
    keys: tuple[str, ...],
    help_: str = "",
    where: Where = Where.WINDOW,
) -> Action:
    return Action(
        f"source-{name}", text, "", run, arguments, keys, where=where,
        when=ON_PAGE, section="Source", help=help_,
    )  # fmt: skip


FEATURE = Feature(
    "source",
    guide="views.md",
    panels=(
        Panel(
            "source",
            lambda workbench, window: SourceDock(workbench.session, workbench, window),
            Side.BELOW,
            where=Where.SOURCE,
        ),
    ),
    actions=(
        Action("source", "Source of the page", "View", SourceDock.toggle, keys=("Ctrl+U",),
               icon="source", when=ON_PAGE,
               help="The HTML as received and as scripts left it, in step with the page", order=40),
        _source("input", "Switch between original and DOM", SourceDock.other_input, (), ("Alt+U",)),
        _source("look", "Mark something else in the source", SourceDock.next_look, (), ("Alt+V",),
                "What is off the page, made by scripts, or taken or read by the current method"),
        _source("find", "Find in the source", SourceDock.search, (), ("Ctrl+Shift+F",)),
        _source("next", "Next match", SourceDock.find_next, (1,), ("F3",)),
        _source("last", "Previous match", SourceDock.find_next, (-1,), ("Shift+F3",)),
        _source("fold", "Fold", SourceDock.fold, (-1,), ("Left",), where=Where.SOURCE),
        _source("unfold", "Unfold", SourceDock.fold, (1,), ("Right",), where=Where.SOURCE),
        _source("unfold-all", "Unfold all", SourceDock.unfold_all, (), ("Shift+Right",),
        where=Where.SOURCE),
        _source("take", "Select this on the page", SourceDock.take, (), ("Return", "Enter"),
                where=Where.SOURCE),
    ),
)  # fmt: skip
