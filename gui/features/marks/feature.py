"""Marks: made, changed and typed by keys; what repeats on a page."""

from collections.abc import Iterable

from annotate.marks.gold import TYPES
from gui.core.action import Action, Where
from gui.core.feature import Feature
from gui.core.type_keys import TYPE_HINTS, TYPE_KEYS
from gui.core.when import ON_PAGE, WITH_BLOCK, WITH_MARK, WITH_TYPE, When, on_page
from gui.core.workbench import Workbench
from gui.features.marks.repeating import Repeating
from gui.features.marks.type_prompt import TypePrompt
from gui.page.marking import Marking
from gui.state.session import Mode


def _types() -> Iterable[Action]:
    for level, names in TYPES.items():
        for name in names:
            yield Action(
                f"type-{name.lower().replace(' ', '-')}",
                name,
                "Type",
                Workbench.set_type,
                (name,),
                (TYPE_KEYS[name],),
                where=Where.BLOCK,
                when=WITH_TYPE,
                help=TYPE_HINTS.get(name, ""),
                section="Type of a block",
                line=level == 2 and name == names[0],
                order=60,
            )


UNDOABLE = on_page("there is nothing to undo", lambda now: now.undo_group.canUndo())
REDOABLE = on_page("there is nothing to redo", lambda now: now.undo_group.canRedo())
CONTESTED = When("no other window has changed these marks", lambda now: now.is_contested)
LOCKED = on_page("the marks of this page are yours already", lambda now: now.session.is_locked)

FEATURE = Feature(
    "marks",
    guide="marking.md",
    controllers=(Repeating, TypePrompt),
    actions=(
        Action("undo", "Undo", "Edit", Workbench.undo, keys=("Ctrl+Z",), icon="undo",
               when=UNDOABLE, order=10),
        Action("redo", "Redo", "Edit", Workbench.redo, keys=("Ctrl+Shift+Z", "Ctrl+Y"), icon="redo",
               when=REDOABLE, order=20),
        Action("keep-mine", "Keep mine", "Edit", Workbench.keep_mine, keys=("Ctrl+K",),
               icon="saved", when=CONTESTED, line=True,
               help="Where two windows changed the marks of a page: saves this window's; "
               "undo brings the other's", order=30),
        Action("take-theirs", "Take theirs", "Edit", Workbench.take_theirs, keys=("Ctrl+T",),
               icon="open", when=CONTESTED,
               help="Goes on with the other window's marks; undo brings this one's", order=40),
        Action("copy-gold", "Copy into my workspace", "Edit", Workbench.copy_gold,
               keys=("Ctrl+Shift+K",), icon="copy", when=LOCKED,
               help="Unlocks the marks that came with a data set: you change a copy", order=70),
        Action("delete", "Delete mark", "Edit", Workbench.delete_selected,
               keys=("Del", "Backspace"), icon="delete", when=WITH_MARK, line=True, order=80),
        Action("group", "Group neighbours into one block", "Edit", Marking.group,
               keys=("G",), icon="group", when=WITH_BLOCK, order=90),
        Action("ungroup", "Ungroup", "Edit", Marking.ungroup, keys=("U",),
               icon="ungroup", when=WITH_BLOCK, order=100),
        Action("merge-blocks", "Merge into the element around them", "Edit", Marking.merge,
               keys=("Alt+G",), when=WITH_BLOCK, order=110),
        Action("split", "Split into its parts", "Edit", Marking.split, keys=("Shift+U",),
               when=WITH_BLOCK, order=120),
        Action("to-level-1", "Make it a level-1 block", "Edit", Marking.set_level, (1,),
               ("Alt+1",), when=WITH_BLOCK, line=True, order=130),
        Action("to-level-2", "Make it a level-2 block", "Edit", Marking.set_level, (2,),
               ("Alt+2",), when=WITH_BLOCK, order=140),
        Action("mode-select", "Select", "Mark", Workbench.set_mode, (Mode.SELECT,), ("V",),
               "select", group="mode", value=Mode.SELECT, help="A click selects marks", order=10),
        Action("mode-main", "Main content", "Mark", Workbench.set_mode, (Mode.MAIN,), ("M",),
               "main", group="mode", value=Mode.MAIN,
               help="A click adds or removes an element, dragging over text a part of it",
               order=20),
        Action("mode-1", "Level 1", "Mark", Workbench.set_mode, (Mode.LEVEL_1,), ("1",), "level-1",
               group="mode", value=Mode.LEVEL_1,
               help="A click takes the element as a level-1 block",
                      order=30),
        Action("mode-2", "Level 2", "Mark", Workbench.set_mode, (Mode.LEVEL_2,), ("2",), "level-2",
               group="mode", value=Mode.LEVEL_2,
               help="A click takes the element as a level-2 block",
                      order=40),
        Action("take", "Take the framed element", "Mark", Workbench.take_candidate,
               keys=("Return", "Enter"), where=Where.PAGE, when=ON_PAGE, line=True,
               help="As a click would", order=50),
        Action("widen", "Wider: the parent element", "Mark", Workbench.walk, ("parent",),
               ("]", "Up"), where=Where.PAGE, when=ON_PAGE, section="Walk the page", line=True,
               order=70),
        Action("narrow", "Narrower: the child element", "Mark", Workbench.walk, ("child",),
               ("[", "Down"), where=Where.PAGE, when=ON_PAGE, section="Walk the page",
               order=80),
        Action("walk-next", "Next element", "Mark", Workbench.walk, ("next",), ("Right",),
               where=Where.PAGE, when=ON_PAGE, section="Walk the page", order=90),
        Action("walk-previous", "Previous element", "Mark", Workbench.walk, ("previous",),
               ("Left",), where=Where.PAGE, when=ON_PAGE, section="Walk the page", order=100),
        Action("widest", "Widest: the largest element that is not the page", "Mark",
               Marking.widest, keys=("Shift+B",), where=Where.PAGE, when=ON_PAGE,
               section="Walk the page", help="Narrower goes back to where the mouse is", order=110),
        Action("block-parent", "Move the selected block to its parent element", "Mark",
               Marking.resize_selected, ("parent",), ("Ctrl+Shift+Up",), where=Where.PAGE,
               when=WITH_BLOCK, section="Walk the page", line=True, order=120),
        Action("block-child", "Move it to its first child", "Mark", Marking.resize_selected,
               ("child",), ("Ctrl+Shift+Down",), where=Where.PAGE, when=WITH_BLOCK,
               section="Walk the page", order=130),
        Action("block-next", "Extend it over the next sibling", "Mark", Marking.reach, ("next",),
               ("Ctrl+Shift+Right",), where=Where.PAGE, when=WITH_BLOCK, section="Walk the page",
               order=140),
        Action("block-previous", "Extend it over the previous sibling", "Mark", Marking.reach,
               ("previous",), ("Ctrl+Shift+Left",), where=Where.PAGE, when=WITH_BLOCK,
               section="Walk the page", order=150),
        Action("mark-next", "Next mark", "Mark", Workbench.cycle_marks, (1,), ("Tab",),
               where=Where.PAGE, when=ON_PAGE, section="Walk the page", order=160),
        Action("mark-previous", "Previous mark", "Mark", Workbench.cycle_marks, (-1,),
               ("Shift+Tab",), where=Where.PAGE, when=ON_PAGE, section="Walk the page",
               order=170),
        Action("type", "Type a name…", "Type", TypePrompt.type_name, keys=("T",), icon="type",
               when=WITH_TYPE, section="Type of a block", help="Any name; Kreuzer's are offered",
               order=10),
        Action("repeat-type", "Repeat the last type", "Type", Marking.repeat_type,
               keys=("Shift+R",),
               when=WITH_TYPE, section="Type of a block", order=20),
        Action("keep-type", "Keep the last type for the next blocks", "Type",
               Marking.toggle_keeps_type, keys=("Shift+T",), section="Type of a block",
               help="Until it is pressed again; a letter changes it", order=30),
        *_types(),
        Action("select-alike", "Select all blocks like it", "Drafts", Repeating.select,
               keys=("Shift+S",), when=WITH_BLOCK,
               help="Those similar to the selected one; a letter then types all",
               order=100),
        Action("mark-alike", "Mark all elements like it", "Drafts", Repeating.mark,
               keys=("Shift+E",), when=WITH_BLOCK,
               help="Entries of a list, cards, boxes: each a block of its level and type",
               order=110),
    ),
)  # fmt: skip
