"""All that can be done, as one table: menus, tools, shortcuts and the `?` overlay come from it.

Where a shortcut holds:

- `Where.WINDOW`: anywhere, except that letters typed into a field stay letters.
- `Where.PAGE`: while the page has the focus; arrows and Enter belong to lists and forms elsewhere.
- `Where.BLOCK`: while a block is selected, or a click makes one (types by letter).
- `Where.TABLE`: in the table of scores.
- `Where.TERRAIN`: in the page in 3-D.
- `Where.SIDE`: in the page side by side.
- `Where.SIBLINGS`: in two pages side by side.
- `Where.SOURCE`: in the text of the Source panel.
- `Where.TALK`: while the page is presented; then only actions hold that are for it (`in_talk`).

No key has two meanings that can hold at once, and letters have one meaning everywhere:
`clashes` proves it, and the tests ask it.
"""

from collections.abc import Iterable
from functools import cache

from PySide6.QtGui import QKeySequence

from annotate.marks.gold import TYPES
from gui.core.action import VIEWS, Action, Needs, Where
from gui.features.drafts.actions import DRAFT_ACTIONS
from gui.features.review.actions import REVIEW_ACTIONS
from gui.state.session import Mode
from gui.window.view_actions import VIEW_ACTIONS

MENUS = (
    "File", "Edit", "Mark", "Type", "Drafts", "Layers", "Errors", "Review", "Evaluate", "View",
    "Help",
)  # fmt: skip
SECTIONS = (
    "Mark", "Walk the page", "Type of a block", "Drafts", "Pages", "Edit", "Layers", "Errors",
    "Review", "Evaluate", "View", "Terrain", "Side by side", "Two pages",
    "Source", "Presentation", "Help",
)  # fmt: skip

TYPE_KEYS = {
    "Header": "H", "Footer": "F", "Content": "C", "Sidebar": "S",
    "Logo": "L", "Menu": "N", "Title": "I", "Link list": "K", "Table": "B", "Comments": "O",
    "Ad": "A", "Image": "P", "Video": "E", "Article": "R", "Search bar": "Q",
}  # fmt: skip
"""Letters of Kreuzer's types.  First letters where free; V, M, D, T, G, U, Y, Z are tools."""

TYPE_HINTS = {
    "Menu": "navigation", "Title": "tItle", "Link list": "linK", "Table": "taBle",
    "Comments": "cOmments", "Image": "picture", "Video": "vidEo", "Article": "aRticle",
    "Search bar": "query",
}  # fmt: skip
"""What the letter reminds of where it is not the first."""


def _types() -> Iterable[Action]:
    for level, names in TYPES.items():
        for name in names:
            yield Action(
                f"type-{name.lower().replace(' ', '-')}",
                name,
                "Type",
                "workbench.set_type",
                (name,),
                (TYPE_KEYS[name],),
                where=Where.BLOCK,
                needs=Needs.TYPE,
                help=TYPE_HINTS.get(name, ""),
                section="Type of a block",
                line=level == 2 and name == names[0],
            )


def _layer_toggles() -> Iterable[Action]:
    for number in range(1, 10):
        yield Action(
            f"layer-{number}",
            f"Show or hide layer {number}",
            "",
            "shown_layers.toggle_at",
            (number - 1,),
            (f"Ctrl+{number}",),
            section="Layers",
            in_talk=True,
        )


ACTIONS: tuple[Action, ...] = (
    # File
    Action("open-file", "Open file…", "File", "dialogs.open_file", keys=("Ctrl+O",), icon="file",
           help="An HTML file or a package (zip)", section="Pages"),
    Action("open-folder", "Open folder…", "File", "dialogs.open_folder", keys=("Ctrl+Shift+O",),
           icon="open", help="Every page of a folder", section="Pages"),
    Action("open-address", "Open address…", "File", "dialogs.open_address", keys=("Ctrl+L",),
           icon="globe", help="A page on the web", section="Pages"),
    Action("open-results", "Open results…", "File", "dialogs.open_results", icon="evaluate",
           help="What pagelet evaluate wrote, in the Evaluate view", section="Pages"),
    Action("open-sample", "Open the sample pages", "File", "dialogs.open_sample", icon="sample",
           section="Pages"),
    Action("next", "Next page", "File", "workbench.next_page", keys=(".", "Ctrl+PgDown"),
           icon="next", needs=Needs.DOCUMENT, section="Pages", line=True, in_talk=True),
    Action("previous", "Previous page", "File", "workbench.previous_page",
           keys=(",", "Ctrl+PgUp"), icon="previous", needs=Needs.DOCUMENT, section="Pages",
           in_talk=True),
    Action("find-page", "Find a page", "File", "central.find", keys=("Ctrl+F", "/"),
           icon="search", section="Pages"),
    Action("reload", "Load again", "File", "workbench.reload", keys=("Ctrl+R", "F5"),
           icon="reload", needs=Needs.DOCUMENT, section="Pages"),
    Action("chance", "Switch random numbers and date", "File", "workbench.switch_repeatable",
           needs=Needs.DOCUMENT, section="Pages",
           help="Give the page's scripts real ones, or the same each time"),
    Action("stop", "Stop", "File", "central.stop", keys=("Ctrl+.",), icon="stop",
           help="Stops what is running", section="Pages", in_talk=True),
    Action("status-done", "Page is done, go to the next", "File", "checking.finish",
           (), ("D",), "status-done", needs=Needs.PAGE, group="status", value="done",
           section="Pages", line=True),
    Action("status-question", "Page has a question", "File", "asking.question",
           (), ("Shift+D",), "status-question", needs=Needs.PAGE, group="status",
           value="question", section="Pages",
           help="Type the question and press Enter; Esc keeps the status without one"),
    Action("status-progress", "Page is in progress", "File", "workbench.set_status",
           ("in progress",), ("Ctrl+Shift+D",), "status-progress", needs=Needs.PAGE,
           group="status", value="in progress", section="Pages"),
    Action("status-open", "Page is open", "File", "workbench.set_status", ("open",), ("Ctrl+D",),
           "status-open", needs=Needs.PAGE, group="status", value="open", section="Pages"),
    Action("click-first", "Click the framed element before freezing", "File",
           "freezing.click_first", keys=("Ctrl+Alt+B",), needs=Needs.PAGE, section="Pages",
           line=True,
           help="Closes a banner or opens what is folded; the certificate lists the click"),
    Action("freeze", "Freeze the page", "File", "freezing.freeze", keys=("Ctrl+Alt+F",),
           needs=Needs.PAGE, section="Pages",
           help="Writes one file that restores the page exactly, with its marks; Details shows "
                "its certificate"),
    Action("export-picture", "Save picture of the page…", "File", "window.export_picture",
           keys=("Ctrl+E",), icon="picture", needs=Needs.PAGE, section="Pages", line=True,
           in_talk=True),
    Action("export-page", "Save the page with its layers…", "File", "dialogs.export_page",
           keys=("Ctrl+P",), icon="export", needs=Needs.PAGE, section="Pages",
           help="All of it, as HTML, PNG, SVG or PDF, for those without Pagelet"),
    Action("export-gold", "Save marks to a file…", "File", "dialogs.export_gold",
           keys=("Ctrl+Shift+E",), icon="saved", needs=Needs.PAGE, section="Pages",
           help="Saved beside the page as PAGE.gold.json, they open with it next time"),
    Action("export-marks", "Export marks…", "File", "exchange.start", ("out",),
           ("Ctrl+Shift+X",), icon="export", needs=Needs.PAGE, section="Pages", line=True,
           help="In the formats of other tools; lists beforehand what each loses"),
    Action("import-marks", "Import marks…", "File", "exchange.start", ("in",), ("Ctrl+I",),
           needs=Needs.PAGE, section="Pages", help="From other tools, onto this page"),
    Action("merge", "Merge marks of a workspace…", "File", "dialogs.merge",
           keys=("Ctrl+Shift+I",), section="Pages",
           help="Puts another annotator's marks beside those here; overwrites nothing"),
    Action("take-backup", "Take the backup", "File", "restoring.take", icon="open",
           needs=Needs.BACKUP, section="Pages",
           help="Where the workspace is damaged: goes on with its last backup in a new window; "
                "the damaged file is kept beside it"),
    Action("reopen-workspace", "Open it again", "File", "restoring.reopen", icon="open",
           needs=Needs.MOVED, section="Pages",
           help="Where another program has replaced the workspace's file: goes on in a new window "
                "with the file of that name and your marks; what was open is copied beside it"),
    Action("quit", "Quit", "File", "window.close", keys=("Ctrl+Q",), section="Pages", line=True,
           in_talk=True),
    # Edit
    Action("undo", "Undo", "Edit", "workbench.undo", keys=("Ctrl+Z",), icon="undo"),
    Action("redo", "Redo", "Edit", "workbench.redo", keys=("Ctrl+Shift+Z", "Ctrl+Y"), icon="redo"),
    Action("keep-mine", "Keep mine", "Edit", "workbench.keep_mine", keys=("Ctrl+K",),
           icon="saved", needs=Needs.CHOICE, line=True,
           help="Where two windows changed the marks of a page: saves this window's; "
           "undo brings the other's"),
    Action("take-theirs", "Take theirs", "Edit", "workbench.take_theirs", keys=("Ctrl+T",),
           icon="open", needs=Needs.CHOICE,
           help="Goes on with the other window's marks; undo brings this one's"),
    Action("wait", "Wait", "Edit", "recovery.wait", needs=Needs.HANG,
           help="Goes on waiting for a page that does not answer"),
    Action("stop-page", "Stop", "Edit", "recovery.stop", needs=Needs.HANG,
           help="Ends a page that does not answer; one that was open is loaded again"),
    Action("copy-gold", "Copy into my workspace", "Edit", "workbench.copy_gold",
           keys=("Ctrl+Shift+K",), icon="copy", needs=Needs.LOCKED,
           help="Unlocks the marks that came with a data set: you change a copy"),
    Action("delete", "Delete mark", "Edit", "workbench.delete_selected",
           keys=("Del", "Backspace"), icon="delete", needs=Needs.MARK, line=True),
    Action("group", "Group neighbours into one block", "Edit", "workbench.group_selected",
           keys=("G",), icon="group", needs=Needs.BLOCK),
    Action("ungroup", "Ungroup", "Edit", "workbench.ungroup_selected", keys=("U",),
           icon="ungroup", needs=Needs.BLOCK),
    Action("merge-blocks", "Merge into the element around them", "Edit", "marking.merge",
           keys=("Alt+G",), needs=Needs.BLOCK),
    Action("split", "Split into its parts", "Edit", "marking.split", keys=("Shift+U",),
           needs=Needs.BLOCK),
    Action("to-level-1", "Make it a level-1 block", "Edit", "workbench.set_level", (1,),
           ("Alt+1",), needs=Needs.BLOCK, line=True),
    Action("to-level-2", "Make it a level-2 block", "Edit", "workbench.set_level", (2,),
           ("Alt+2",), needs=Needs.BLOCK),
    # Mark
    Action("mode-select", "Select", "Mark", "workbench.set_mode", (Mode.SELECT,), ("V",),
           "select", group="mode", value=Mode.SELECT, help="A click selects marks"),
    Action("mode-main", "Main content", "Mark", "workbench.set_mode", (Mode.MAIN,), ("M",),
           "main", group="mode", value=Mode.MAIN,
           help="A click adds or removes an element, dragging over text a part of it"),
    Action("mode-1", "Level 1", "Mark", "workbench.set_mode", (Mode.LEVEL_1,), ("1",), "level-1",
           group="mode", value=Mode.LEVEL_1, help="A click takes the element as a level-1 block"),
    Action("mode-2", "Level 2", "Mark", "workbench.set_mode", (Mode.LEVEL_2,), ("2",), "level-2",
           group="mode", value=Mode.LEVEL_2, help="A click takes the element as a level-2 block"),
    Action("take", "Take the framed element", "Mark", "workbench.take_candidate",
           keys=("Return", "Enter"), where=Where.PAGE, needs=Needs.PAGE, line=True,
           help="As a click would"),
    Action("clear", "Select nothing", "Mark", "window.back_to_page", keys=("Esc",),
           help="From a panel: back to the page", in_talk=True),
    Action("widen", "Wider: the parent element", "Mark", "workbench.walk", ("parent",),
           ("]", "Up"), where=Where.PAGE, needs=Needs.PAGE, section="Walk the page", line=True),
    Action("narrow", "Narrower: the child element", "Mark", "workbench.walk", ("child",),
           ("[", "Down"), where=Where.PAGE, needs=Needs.PAGE, section="Walk the page"),
    Action("walk-next", "Next element", "Mark", "workbench.walk", ("next",), ("Right",),
           where=Where.PAGE, needs=Needs.PAGE, section="Walk the page"),
    Action("walk-previous", "Previous element", "Mark", "workbench.walk", ("previous",),
           ("Left",), where=Where.PAGE, needs=Needs.PAGE, section="Walk the page"),
    Action("widest", "Widest: the largest element that is not the page", "Mark",
           "marking.widest", keys=("Shift+B",), where=Where.PAGE, needs=Needs.PAGE,
           section="Walk the page", help="Narrower goes back to where the mouse is"),
    Action("block-parent", "Move the selected block to its parent element", "Mark",
           "marking.resize_selected", ("parent",), ("Ctrl+Shift+Up",), where=Where.PAGE,
           needs=Needs.BLOCK, section="Walk the page", line=True),
    Action("block-child", "Move it to its first child", "Mark", "marking.resize_selected",
           ("child",), ("Ctrl+Shift+Down",), where=Where.PAGE, needs=Needs.BLOCK,
           section="Walk the page"),
    Action("block-next", "Extend it over the next sibling", "Mark", "marking.reach", ("next",),
           ("Ctrl+Shift+Right",), where=Where.PAGE, needs=Needs.BLOCK, section="Walk the page"),
    Action("block-previous", "Extend it over the previous sibling", "Mark", "marking.reach",
           ("previous",), ("Ctrl+Shift+Left",), where=Where.PAGE, needs=Needs.BLOCK,
           section="Walk the page"),
    Action("mark-next", "Next mark", "Mark", "workbench.cycle_marks", (1,), ("Tab",),
           where=Where.PAGE, needs=Needs.PAGE, section="Walk the page"),
    Action("mark-previous", "Previous mark", "Mark", "workbench.cycle_marks", (-1,),
           ("Shift+Tab",), where=Where.PAGE, needs=Needs.PAGE, section="Walk the page"),
    # Type
    Action("type", "Type a name…", "Type", "asking.type_name", keys=("T",), icon="type",
           needs=Needs.TYPE, section="Type of a block", help="Any name; Kreuzer's are offered"),
    Action("repeat-type", "Repeat the last type", "Type", "marking.repeat_type", keys=("Shift+R",),
           needs=Needs.TYPE, section="Type of a block"),
    Action("keep-type", "Keep the last type for the next blocks", "Type",
           "window.toggle_keeps_type", keys=("Shift+T",), section="Type of a block",
           help="Until it is pressed again; a letter changes it"),
    Action("suggest-types", "Suggest types for the blocks I mark, or none", "Type",
           "drafting.toggle_types", keys=("Alt+T",), section="Type of a block",
           help="Shown as Menu?; Y confirms one, Shift+Y all, a letter gives another"),
    *_types(),
    # Drafts
    *DRAFT_ACTIONS,
    # Layers
    Action("run-again", "Run all methods again", "Layers", "workbench.run_again",
           keys=("Ctrl+Return",), icon="reload", needs=Needs.PAGE),
    Action("toggle-layer", "Show or hide the current layer", "Layers",
           "shown_layers.toggle_current", keys=("X",), icon="eye"),
    Action("solo-layer", "Only the current layer", "Layers", "shown_layers.solo_current",
           keys=("Shift+X",), icon="solo"),
    Action("gold-only", "Only gold, or the methods again", "Layers",
           "shown_layers.toggle_gold_only", keys=("Shift+G",),
           help="To judge before seeing what methods found"),
    Action("labels", "Labels on marks and blocks, or none", "Layers", "shown_layers.toggle_labels",
           keys=("Shift+L",), help="Hide them where they cover text to be read", in_talk=True),
    Action("occurrence", "How often blocks stand on the site", "Layers",
           "shown_layers.toggle_occurrence", keys=("Ctrl+Shift+H",), needs=Needs.PAGE,
           help="A heat map; the slider below the layers sets the least share of pages"),
    Action("copy-extract", "Copy the current layer's text", "Layers",
           "shown_layers.copy_current_extract", keys=("Ctrl+Shift+C",), icon="copy",
           needs=Needs.PAGE),
    Action("own-layers", "Back to my layers", "Layers", "shown_layers.return_own",
           keys=("Shift+Esc",), help="After a cell of the Evaluate view has shown others"),
    Action("add-method", "Add a method…", "Layers", "layers.choose_method", keys=("Alt+A",),
           icon="plus", help="Found by its name or by what it does"),
    Action("all-measures", "All measures of the current layer", "Layers",
           "details.toggle_measures", keys=("Ctrl+M",), needs=Needs.PAGE, line=True,
           help="Each with its definition"),
    Action("figure", "Figure of the current method", "Layers", "figure.toggle", keys=("F4",),
           help="What it measures, linked with the page; thresholds can be dragged"),
    Action("step-on", "Next step of its rounds", "Layers", "details.step", (1,),
           ("Alt+Right",), needs=Needs.PAGE, help="For methods that work in rounds, such as VIPS"),
    Action("step-back", "Previous step of its rounds", "Layers", "details.step", (-1,),
           ("Alt+Left",), needs=Needs.PAGE),
    *_layer_toggles(),
    # Errors
    Action("errors", "Errors of the current layer", "Errors", "inquiry.toggle_errors",
           keys=("F7",), icon="warning", needs=Needs.PAGE,
           help="Missing and superfluous text, or blocks, in place of the layers"),
    Action("error-next", "Next error", "Errors", "inquiry.step_error", (1,), ("J",),
           needs=Needs.PAGE, help="Shows the errors if they are not shown"),
    Action("error-previous", "Previous error", "Errors", "inquiry.step_error", (-1,),
           ("Shift+J",), needs=Needs.PAGE),
    Action("text-diff", "Extract and gold as one text", "Errors", "text.toggle",
           keys=("Shift+F7",), needs=Needs.PAGE,
           help="What is missing and superfluous marked in it, in step with the page"),
    Action("mode-why", "Why", "Errors", "inquiry.ask_here",
           keys=("W",), icon="why", needs=Needs.PAGE, group="mode", value=Mode.WHY, line=True,
           help="A click on a place or an error shows why each method kept or dropped it"),
    Action("why-copy", "Copy the answers", "Errors", "why.copy", keys=("Shift+W",), icon="copy",
           needs=Needs.PAGE, help="Page, method, version, parameters, reason and numbers"),
    Action("why-copy-picture", "Copy the answers as a picture", "Errors", "why.copy_picture",
           keys=("Ctrl+Shift+W",), icon="picture", needs=Needs.PAGE,
           help="The page as it is shown, the place outlined, and below it the same words"),
    Action("why-undo", "Put the parameter back", "Errors", "inquiry.take_back_flip",
           keys=("Alt+Z",), icon="undo", needs=Needs.PAGE,
           help="Restores what was changed last from the panel Why"),
    *REVIEW_ACTIONS,
    # Evaluate
    Action("evaluate", "All pages × methods", "Evaluate", "central.toggle",
           keys=("F8",), icon="evaluate",
           help="Scores of the methods on all open pages; again: back to the page"),
    Action("evaluate-run", "Run what is missing", "Evaluate", "central.run",
           keys=("Shift+F8",), needs=Needs.DOCUMENT,
           help="Runs what is new, has changed or was not finished"),
    Action("evaluate-all", "Run all again", "Evaluate", "table.run_all", needs=Needs.TABLE),
    Action("evaluate-methods", "Choose methods…", "Evaluate", "table.choose_methods",
           keys=("Alt+Shift+M",), where=Where.TABLE, needs=Needs.TABLE, line=True),
    Action("evaluate-measure", "Choose a measure…", "Evaluate", "table.choose_measure",
           keys=("Alt+M",), where=Where.TABLE, needs=Needs.TABLE,
           help="Each with what it measures"),
    Action("evaluate-sort", "Order pages by this column", "Evaluate", "table.sort_by_current",
           keys=("Alt+S",), where=Where.TABLE, needs=Needs.TABLE, line=True),
    Action("evaluate-compare", "Compare this method with another", "Evaluate",
           "table.compare_current", keys=("Alt+C",), where=Where.TABLE, needs=Needs.TABLE,
           help="Choose one, then the other; again: back to all"),
    Action("evaluate-copy", "Copy the selected scores", "Evaluate", "table.copy",
           keys=("Ctrl+C",), where=Where.TABLE, needs=Needs.TABLE, icon="copy"),
    Action("evaluate-export", "Save the table as CSV…", "Evaluate", "table.export",
           keys=("Ctrl+Shift+S",), where=Where.TABLE, needs=Needs.TABLE, icon="export"),
    Action("evaluate-bundle", "Save as web pages…", "Evaluate", "bundles.ask",
           keys=("Alt+B",), where=Where.TABLE, needs=Needs.TABLE,
           help="A folder for those without Pagelet: methods, pages, layers to switch"),
    # View
    Action("site", "All pages by template", "View", "central.toggle_site", keys=("F12",),
           icon="site", help="Distances, clusters and a map of the open pages; again: back"),
    *VIEW_ACTIONS,
    Action("siblings", "Two pages side by side", "View", "central.show_siblings",
           keys=("Shift+F12",), icon="siblings", needs=Needs.DOCUMENT, section="Two pages",
           help="The two selected in the Site view, else this page and the one most like it: their "
           "template, and what differs"),
    Action("zoom-in", "Zoom in", "View", "views.zoom", (1,), keys=("Ctrl++", "Ctrl+="),
           icon="zoom-in", needs=Needs.VIEW, line=True, in_talk=True),
    Action("zoom-out", "Zoom out", "View", "views.zoom", (-1,), keys=("Ctrl+-",),
           icon="zoom-out", needs=Needs.VIEW, in_talk=True),
    Action("zoom-fit", "Fit the window's width", "View", "views.zoom_fit", keys=("Z",),
           icon="fit", needs=Needs.VIEW, in_talk=True),
    Action("zoom-actual", "Actual size", "View", "views.zoom_actual", keys=("Ctrl+0",),
           needs=Needs.VIEW, in_talk=True),
    Action("panels", "Hide or show all panels", "View", "panels.toggle",
           keys=("Ctrl+\\", "F9"), icon="panels", line=True),
    Action("layout", "Put panels back in place", "View", "panels.reset"),
    Action("theme-system", "Theme of the desktop", "View", "window.choose_theme", ("system",),
           group="theme", value="system", line=True, in_talk=True),
    Action("theme-light", "Light", "View", "window.choose_theme", ("light",), icon="sun",
           group="theme", value="light", in_talk=True),
    Action("theme-dark", "Dark", "View", "window.choose_theme", ("dark",), icon="moon",
           group="theme", value="dark", in_talk=True),
    Action("memory", "Memory for a page…", "View", "memory_setting.ask", line=True,
           help="A page that takes more is ended, and all else goes on"),
    Action("theme", "Light or dark", "", "window.toggle_theme", keys=("Ctrl+Shift+L",),
           icon="moon", section="View", in_talk=True),
    # Help
    Action("guide", "Guide", "Help", "window.open_help", ("guide.md",), ("F1",), "info",
           help="How to use Pagelet, with a search over all of its documentation"),
    Action("help", "Shortcuts", "Help", "window.show_help", keys=("?",), icon="keyboard",
           in_talk=True),
    Action("change-keys", "Change shortcuts…", "Help", "own_keys.change", icon="keyboard",
           help="Every action with its keys; warns of clashes; can be printed"),
    Action("help-glossary", "Glossary", "Help", "window.open_help", ("glossary.md",),
           help="What the words mean"),
    Action("help-methods", "Methods", "Help", "window.open_help", ("systems.md",), line=True,
           help="Every method, its paper, and where it departs from it"),
    Action("help-measures", "Measures", "Help", "window.open_help", ("measures.md",),
           help="What is counted, and what a score is where there is nothing to count"),
    Action("help-formats", "Formats", "Help", "window.open_help", ("formats.md",),
           help="Data sets that can be read, and files that are written"),
    Action("help-changelog", "What is new", "Help", "window.open_help", ("changelog.md",),
           line=True),
    Action("help-licence", "Licence", "Help", "window.open_help", ("licence.md",)),
    Action("help-about", "About Pagelet", "Help", "window.open_help", ("about.md",),
           help="Versions of Pagelet and of what it runs on"),
)  # fmt: skip


def clashes(actions: Iterable[Action] = ACTIONS) -> list[str]:
    """Return each key with two meanings that could hold at once, in words."""
    taken: dict[str, list[Action]] = {}
    found = []
    for action in actions:
        for key in action.keys:
            plain = QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)
            others = taken.setdefault(plain, [])
            found += [
                f"{plain}: {other.name} and {action.name}"
                for other in others
                if not _are_apart(action, other)
            ]
            others.append(action)
    return found


def _are_apart(one: Action, other: Action) -> bool:
    """Whether two shortcuts never hold at once: they are of different views, or in no talk."""
    places = {one.where, other.where}
    if Where.TALK in places:
        return not (one.in_talk and other.in_talk)
    return len(places) == 2 and places <= VIEWS


def section_of(action: Action) -> str:
    """Return the heading of the `?` overlay an action stands under."""
    return action.section or action.menu


def shown_keys(action: Action) -> tuple[str, ...]:
    """Return the shortcuts as the platform writes them."""
    return tuple(map(_native, action.keys))


@cache
def _native(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
