"""Marks: made, changed and typed by keys; repeated blocks."""

from collections.abc import Iterable
from functools import partial

from annotate.marks.edits import is_main
from annotate.marks.gold import TYPES, Target
from gui.core.action import Action, Context
from gui.core.autosave import Autosave
from gui.core.feature import Feature
from gui.core.main_area import Where
from gui.core.page_session import PageSession
from gui.core.when import ON_PAGE, WITH_BLOCK, WITH_MARK, WITH_PIECE, WITH_TYPE, When, on_page
from gui.core.workbench import Workbench
from gui.features.marks.repeating import RepeatedBlocks
from gui.features.marks.type_prompt import TYPE_HINTS, TYPE_KEYS, TYPE_WORDS, TypePrompt
from gui.page.mark_commands import MarkCommands
from gui.page.marking import Marking
from gui.state.selection import Mode, Selection
from gui.state.undo import is_of_no_page


def _name_now(name: str, now: Workbench) -> str:
    return now.session.former_types.get(name, name)


def _types() -> Iterable[Action]:
    for level, names in TYPES.items():
        for name in names:
            yield Action(
                f"type-{name.lower().replace(' ', '-')}",
                name,
                "Mark ▸ Type",
                Workbench.set_type,
                (name,),
                (TYPE_KEYS[name],),
                where=Where.BLOCK,
                when=WITH_TYPE,
                named=partial(_name_now, name),
                help=TYPE_HINTS.get(name, ""),
                section="Type of a block",
                line=level == 2 and name == names[0],
                order=180,
                words=TYPE_WORDS[name],
                context=(Context.BLOCK, Context.BLOCKS),
            )


UNDOABLE = on_page(
    "there is nothing to undo",
    lambda now: now.page_session.undo_text is not None,
    elsewhere=lambda now: is_of_no_page(now.page_session.history.last),
)
REDOABLE = on_page(
    "there is nothing to redo",
    lambda now: now.page_session.redo_text is not None,
    elsewhere=lambda now: is_of_no_page(now.page_session.history.next),
)
CONTESTED = When("no other window has changed these marks", lambda now: now.saving.is_contested)
LOCKED = on_page("the marks of this page are yours already", lambda now: now.session.open.is_locked)
IN_MARK = When(
    "marks are made in Mark: go there first (Alt+1)",
    lambda now: now.page_session.may_mark(),
    lambda now: "task-mark",
)
DROPPABLE = on_page(
    "there is no draft here: choose M to take out main content",
    lambda now: now.session.selection.mode is Mode.MAIN or bool(now.session.open.gold.drafts()),
    lambda now: "mode-main",
)
FRAMED = on_page("point at an element first", lambda now: now.session.selection.candidate >= 0)


def _frames_main(now: Workbench) -> bool:
    session, page = now.session, now.session.open.page
    return (
        session.selection.candidate >= 0
        and page is not None
        and is_main(session.open.gold, page.rendered(), Target(session.selection.candidate))
    )


FEATURE = Feature(
    "marks",
    guide="marking.md",
    controllers=(RepeatedBlocks, TypePrompt),
    actions=(
        Action("undo", "Undo", "Edit", PageSession.undo, keys=("Ctrl+Z",), icon="undo",
               when=UNDOABLE, order=10,
               words=("revert", "take back", "step back in history"),
               context=(Context.OUTLINE,)),
        Action("redo", "Redo", "Edit", PageSession.redo, keys=("Ctrl+Shift+Z", "Ctrl+Y"),
               icon="redo", when=REDOABLE, order=20,
               words=("repeat undone step", "restore undone")),
        Action("keep-mine", "Keep mine", "Edit ▸ Conflict", Autosave.keep_mine, keys=("Ctrl+K",),
               icon="saved", when=CONTESTED, line=True,
               help="Where two windows changed the marks of a page: saves this window's; "
               "undo brings the other's", order=30,
               words=("resolve conflict with mine", "overwrite other window")),
        Action("take-theirs", "Take theirs", "Edit ▸ Conflict",
               Autosave.take_theirs, keys=("Ctrl+T",),
               icon="open", when=CONTESTED,
               help="Goes on with the other window's marks; undo brings this one's", order=40,
               words=("resolve conflict with theirs", "accept other window")),
        Action("copy-gold", "Copy to edit", "Edit", PageSession.copy_gold,
               keys=("Ctrl+Shift+K",), icon="copy", when=LOCKED,
               help="Unlocks the marks that came with a data set: you change a copy", order=70,
               words=("unlock marks", "make editable", "edit data set gold")),
        Action("delete", "Delete mark", "Edit", Workbench.delete_selected,
               keys=("Del", "Backspace"), icon="delete", when=WITH_MARK, line=True, order=80,
               words=("remove annotation", "erase block", "remove mark"),
               context=(Context.BLOCK, Context.BLOCKS, Context.MAIN)),
        Action("group", "Group neighbours into one block", "Edit", MarkCommands.group,
               keys=("G",), icon="group", when=WITH_BLOCK, order=90,
               words=("join blocks", "combine siblings", "merge neighbours"),
               context=(Context.BLOCKS,)),
        Action("ungroup", "Ungroup", "Edit", MarkCommands.ungroup, keys=("U",),
               icon="ungroup", when=WITH_BLOCK, order=100,
               words=("dissolve group", "break apart")),
        Action("merge-blocks", "Merge into the element around them", "Edit", MarkCommands.merge,
               keys=("Alt+G",), when=WITH_BLOCK, order=110,
               words=("wrap in parent", "combine into container"),
               context=(Context.BLOCKS,)),
        Action("split", "Split into its parts", "Edit", MarkCommands.split, keys=("Shift+U",),
               when=WITH_BLOCK, order=120,
               words=("divide block", "cut into children", "break up"),
               context=(Context.BLOCK,)),
        Action("to-level-1", "Make it a level-1 block", "Edit", MarkCommands.set_level, (1,),
               ("Ctrl+Alt+1",), when=WITH_BLOCK, line=True, order=130,
               words=("change to coarse level", "promote block", "top-level block"),
               context=(Context.BLOCKS,)),
        Action("to-level-2", "Make it a level-2 block", "Edit", MarkCommands.set_level, (2,),
               ("Ctrl+Alt+2",), when=WITH_BLOCK, order=140,
               words=("change to fine level", "demote block", "sub-block"),
               context=(Context.BLOCKS,)),
        Action("mode-select", "Select", "Mark", Selection.set_mode, (Mode.SELECT,), ("V",),
               "select", group="mode", value=Mode.SELECT, help="A click selects marks", order=10,
               words=("pointer", "selection tool", "arrow tool")),
        Action("mode-main", "Main content", "Mark", Selection.set_mode, (Mode.MAIN,), ("M",),
               "main", group="mode", value=Mode.MAIN, when=IN_MARK,
               help="A click adds or removes an element, dragging over text a part of it",
               order=20,
               words=("annotate article text", "content extraction gold",
                      "body text", "main text")),
        Action("mode-1", "Level 1", "Mark", Selection.set_mode, (Mode.LEVEL_1,), ("1",), "level-1",
               group="mode", value=Mode.LEVEL_1, when=IN_MARK,
               help="A click takes the element as a level-1 block",
                      order=30,
               words=("annotate coarse block", "draw segment", "top-level segment")),
        Action("mode-2", "Level 2", "Mark", Selection.set_mode, (Mode.LEVEL_2,), ("2",), "level-2",
               group="mode", value=Mode.LEVEL_2, when=IN_MARK,
               help="A click takes the element as a level-2 block",
                      order=40,
               words=("annotate fine block", "draw sub-segment", "nested segment")),
        *(
            Action(f"mark-{name}", f"Mark it as {text}", "Mark ▸ Mark it as",
                   Marking.mark_as, (level,), keys,
                   when=FRAMED, help=help_text, order=44 + level, is_on=is_on,
                   words=(f"make {text}", f"framed element as {text}"),
                   context=(Context.ELEMENT,))
            for level, name, text, keys, help_text, is_on in (
                (0, "main", "main content", ("0",),
                 "The framed element, in every mode; again: no longer", _frames_main),
                (1, "1", "a level-1 block", (), "The framed element, in every mode", None),
                (2, "2", "a level-2 block", (), "The framed element, in every mode", None),
            )
        ),
        Action("take", "Take the framed element", "Mark", Marking.take,
               keys=("Return", "Enter"), where=Where.PAGE, when=ON_PAGE, line=True,
               help="As a click would", order=50,
               words=("mark this element", "add annotation", "accept frame")),
        Action("widen", "Wider: the parent element", "Mark ▸ Walk", Workbench.walk, ("parent",),
               ("]", "Up"), where=Where.PAGE, when=ON_PAGE, section="Walk the page", line=True,
               order=70,
               words=("go to parent", "expand frame", "larger element"),
               context=(Context.ELEMENT,)),
        Action("narrow", "Narrower: the child element", "Mark ▸ Walk", Workbench.walk, ("child",),
               ("[", "Down"), where=Where.PAGE, when=ON_PAGE, section="Walk the page",
               order=80,
               words=("go to child", "shrink frame", "smaller element"),
               context=(Context.ELEMENT,)),
        Action("walk-next", "Next element", "Mark ▸ Walk", Workbench.walk, ("next",), ("Right",),
               where=Where.PAGE, when=ON_PAGE, section="Walk the page", order=90,
               words=("frame following element", "next node")),
        Action("walk-previous", "Previous element", "Mark ▸ Walk", Workbench.walk, ("previous",),
               ("Left",), where=Where.PAGE, when=ON_PAGE, section="Walk the page", order=100,
               words=("frame preceding element", "previous node")),
        Action("widest", "Widest: the largest element that is not the page", "Mark ▸ Walk",
               Marking.widest, keys=("Shift+B",), where=Where.PAGE, when=ON_PAGE,
               section="Walk the page", help="Narrower goes back to where the mouse is", order=110,
               words=("outermost element", "biggest container", "maximal frame"),
               context=(Context.ELEMENT,)),
        Action("block-parent", "Move the selected block to its parent element",
               "Mark ▸ Selected block",
               MarkCommands.resize_selected, ("parent",), ("Ctrl+Shift+Up",), where=Where.MARKS,
               when=WITH_BLOCK, section="Walk the page", line=True, order=120,
               words=("grow block", "enlarge mark", "expand to parent"),
               context=(Context.BLOCK,)),
        Action("block-child", "Move it to its first child", "Mark ▸ Selected block",
               MarkCommands.resize_selected,
               ("child",), ("Ctrl+Shift+Down",), where=Where.MARKS, when=WITH_BLOCK,
               section="Walk the page", order=130,
               words=("shrink block", "reduce mark", "contract to child")),
        Action("block-next", "Extend it over the next neighbour", "Mark ▸ Selected block",
               MarkCommands.reach, ("last", True),
               ("Ctrl+Shift+Right",), where=Where.MARKS, when=WITH_MARK, section="Walk the page",
               help="The next sibling; in a text the next word", order=140,
               words=("extend forward", "add following sibling")),
        Action("block-previous", "Extend it over the previous neighbour", "Mark ▸ Selected block",
               MarkCommands.reach,
               ("first", True), ("Ctrl+Shift+Left",), where=Where.MARKS, when=WITH_MARK,
               section="Walk the page", help="The previous sibling; in a text the previous word",
               order=150, words=("extend backward", "add preceding sibling")),
        Action("block-without-last", "Leave out its last part", "Mark ▸ Selected block",
               MarkCommands.reach, ("last", False), ("Ctrl+]",), where=Where.MARKS,
               when=WITH_MARK, section="Walk the page", order=152,
               help="The last neighbour or child; in a text the last word",
               words=("shrink at the end", "remove last child", "shorten mark")),
        Action("block-without-first", "Leave out its first part", "Mark ▸ Selected block",
               MarkCommands.reach, ("first", False), ("Ctrl+[",), where=Where.MARKS,
               when=WITH_MARK, section="Walk the page", order=154,
               help="The first neighbour or child; in a text the first word",
               words=("shrink at the start", "remove first child", "shorten from the top")),
        Action("mark-next", "Next mark", "Mark ▸ Walk", Workbench.cycle_marks, (1,), ("Tab",),
               where=Where.PAGE, when=ON_PAGE, section="Walk the page", order=160,
               words=("next annotation", "following block"),
               context=(Context.OUTLINE,)),
        Action("mark-previous", "Previous mark", "Mark ▸ Walk", Workbench.cycle_marks, (-1,),
               ("Shift+Tab",), where=Where.PAGE, when=ON_PAGE, section="Walk the page",
               order=170,
               words=("previous annotation", "preceding block")),
        Action("type", "Type a name…", "Mark ▸ Type",
               TypePrompt.type_name, keys=("T",), icon="type",
               when=WITH_TYPE, section="Type of a block", help="Any name; Kreuzer's are offered",
               order=130,
               words=("set label", "name the class", "category", "custom label"),
               context=(Context.BLOCK, Context.BLOCKS)),
        Action("repeat-type", "Repeat the last type", "Mark ▸ Type", MarkCommands.repeat_type,
               keys=("Shift+R",),
               when=WITH_TYPE, section="Type of a block", order=140,
               words=("same label again", "last category again"),
               context=(Context.BLOCK, Context.BLOCKS)),
        Action("keep-type", "Keep the last type for the next blocks", "Mark ▸ Type",
               MarkCommands.toggle_keeps_type, keys=("Shift+T",), section="Type of a block",
               help="Until it is pressed again; a letter changes it", order=150,
               is_on=lambda now: now.session.selection.keeps_type,
               words=("sticky label", "lock type", "stay with type")),
        *_types(),
        Action("select-alike", "Select all blocks like it", "Mark ▸ Drafts", RepeatedBlocks.select,
               keys=("Shift+S",), when=WITH_BLOCK,
               help="Those similar to the selected one; a letter then types all",
               order=230,
               words=("find similar blocks", "select same kind"),
               context=(Context.BLOCKS,)),
        Action("mark-alike", "Mark all elements like it", "Mark ▸ Drafts", RepeatedBlocks.mark,
               keys=("Shift+E",), when=WITH_PIECE,
               help="Entries of a list, cards, boxes: each a block of its level and type; with M "
                    "the framed element and all similar ones as main content",
               order=240,
               words=("annotate similar elements", "mark list items", "repeat on similar"),
               context=(Context.BLOCK,)),
        Action("drop-alike", "Drop it and all similar ones", "Mark ▸ Drafts ▸ Drop",
               RepeatedBlocks.remove, keys=("Ctrl+Del",), when=DROPPABLE,
               help="A draft and those of its level; with M the framed element and all similar "
                    "ones, which are no main content then", order=290,
               words=("discard similar drafts", "reject all like this", "remove all like this",
                      "subtract similar elements")),
    ),
)  # fmt: skip
