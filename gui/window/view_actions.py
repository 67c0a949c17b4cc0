"""Actions of the other views of a page: a part of the table in `gui.window.actions`."""

from gui.core.action import Action, Needs, Where


def _terrain(
    name: str,
    text: str,
    handler: str,
    arguments: tuple[object, ...],
    keys: tuple[str, ...],
    help_: str = "",
) -> Action:
    return Action(
        f"terrain-{name}", text, "", handler, arguments, keys, where=Where.TERRAIN,
        needs=Needs.TERRAIN, section="Terrain", help=help_,
    )  # fmt: skip


def _source(
    name: str,
    text: str,
    handler: str,
    arguments: tuple[object, ...],
    keys: tuple[str, ...],
    help_: str = "",
    where: Where = Where.WINDOW,
) -> Action:
    return Action(
        f"source-{name}", text, "", f"source.{handler}", arguments, keys, where=where,
        needs=Needs.PAGE, section="Source", help=help_,
    )  # fmt: skip


def _side(name: str, text: str, handler: str, argument: int, key: str) -> Action:
    return Action(
        f"side-{name}", text, "", f"side.{handler}", (argument,), (key,), where=Where.SIDE,
        needs=Needs.SIDE, section="Side by side",
    )  # fmt: skip


def _siblings(
    name: str, text: str, handler: str, arguments: tuple[object, ...], *keys: str
) -> Action:
    return Action(
        f"siblings-{name}", text, "", f"siblings.{handler}", arguments, keys, where=Where.SIBLINGS,
        needs=Needs.SIBLINGS, section="Two pages",
    )  # fmt: skip


def _talk(
    name: str,
    text: str,
    handler: str,
    arguments: tuple[object, ...],
    keys: tuple[str, ...],
    help_: str = "",
) -> Action:
    return Action(
        f"talk-{name}", text, "", f"talk.{handler}", arguments, keys, where=Where.TALK,
        needs=Needs.TALK, section="Presentation", help=help_, in_talk=True,
    )  # fmt: skip


VIEW_ACTIONS: tuple[Action, ...] = (
    Action("present", "Present the page", "View", "views.toggle_talk", keys=("F11",),
           icon="present", needs=Needs.PAGE, in_talk=True, section="Presentation",
           help="The layers drawn, one by one, in large type and nothing else; Esc: back"),
    _talk("next", "Next slide", "step", (1,), ("Right", "Space", "PgDown")),
    _talk("previous", "Previous slide", "step", (-1,), ("Left", "PgUp")),
    _talk("first", "First slide", "go", (0,), ("Home",)),
    _talk("last", "Last slide", "go_last", (), ("End",)),
    _talk("notes", "Notes to this slide", "toggle_notes", (), ("Alt+N",),
          "Written and read here; kept with the page"),
    _talk("clock", "Stop the clock, or let it go on", "toggle_clock", (), ("Alt+T",)),
    Action("terrain", "The page in 3-D", "View", "views.toggle_terrain", keys=("F6",),
           icon="terrain", needs=Needs.PAGE,
           help="Every element lifted by its depth; again: back to the page"),
    Action("source", "Source of the page", "View", "source.toggle", keys=("Ctrl+U",),
           icon="source", needs=Needs.PAGE,
           help="The HTML as received and as scripts left it, in step with the page"),
    _source("input", "Switch between original and DOM", "other_input", (), ("Alt+U",)),
    _source("look", "Mark something else in the source", "next_look", (), ("Alt+V",),
            "What is off the page, made by scripts, or taken or read by the current method"),
    _source("find", "Find in the source", "search", (), ("Ctrl+Shift+F",)),
    _source("next", "Next place found", "find_next", (1,), ("F3",)),
    _source("last", "Previous place found", "find_next", (-1,), ("Shift+F3",)),
    _source("fold", "Fold", "fold", (-1,), ("Left",), where=Where.SOURCE),
    _source("unfold", "Unfold", "fold", (1,), ("Right",), where=Where.SOURCE),
    _source("unfold-all", "Unfold all", "unfold_all", (), ("Shift+Right",), where=Where.SOURCE),
    _source("take", "Select this on the page", "take", (), ("Return", "Enter"),
            where=Where.SOURCE),
    Action("side", "Side by side", "View", "views.toggle_side", (2,), ("F2",), "side",
           needs=Needs.PAGE, section="Side by side",
           help="The page twice, each with a layer of its own; again: alone"),
    Action("side-four", "Four side by side", "View", "views.toggle_side", (4,), ("Shift+F2",),
           needs=Needs.PAGE, section="Side by side"),
    Action("side-swap", "Let two panes change places", "", "side.swap", (), ("Ctrl+F2",),
           needs=Needs.SIDE, section="Side by side"),
    _side("next", "Next pane", "next_pane", 1, "Tab"),
    _side("last", "Previous pane", "next_pane", -1, "Shift+Tab"),
    _side("down", "Show the next layer here", "step", 1, "Alt+Down"),
    _side("up", "Show the previous layer here", "step", -1, "Alt+Up"),
    _siblings("next", "Next place that differs", "walk", (1,), "Alt+Down"),
    _siblings("previous", "Previous place that differs", "walk", (-1,), "Alt+Up"),
    _siblings("other", "The other page", "next_pane", (), "Tab"),
    _siblings("swap", "Let the pages change sides", "swap", (), "Ctrl+Shift+F2"),
    _terrain("left", "Turn to the left", "terrain.turn", (-1,), ("Left",)),
    _terrain("right", "Turn to the right", "terrain.turn", (1,), ("Right",)),
    _terrain("up", "Tilt away", "terrain.tilt", (1,), ("Up",)),
    _terrain("down", "Tilt towards", "terrain.tilt", (-1,), ("Down",)),
    _terrain("flat", "Flat, or lifted again", "terrain.flatten", (), ("Home",)),
    _terrain("fit", "Fit the page into the view", "terrain.fit", (), ("End",)),
    _terrain("lower", "Leave out the highest level", "terrain.cut_by", (-1,), ("PgDown",)),
    _terrain("higher", "Show one level more", "terrain.cut_by", (1,), ("PgUp",)),
    _terrain("colour", "Next meaning of colours", "terrain.next_coloring", (), ("Space",),
             "Depth, block, method, score or none"),
    _terrain("widen", "Frame the parent", "workbench.walk", ("parent",), ("Shift+Up",)),
    _terrain("narrow", "Frame the child", "workbench.walk", ("child",), ("Shift+Down",)),
    _terrain("next", "Frame the next element", "workbench.walk", ("next",), ("Shift+Right",)),
    _terrain("previous", "Frame the previous element", "workbench.walk", ("previous",),
             ("Shift+Left",)),
    _terrain("pick", "Select the framed element", "views.pick_candidate", (),
             ("Return", "Enter")),
)  # fmt: skip
