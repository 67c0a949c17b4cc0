"""All that can be done, as one table: menus, tools, shortcuts and the `?` overlay come from it.

Where a shortcut holds:

- `Where.WINDOW`: anywhere, except that letters typed into a field stay letters.
- `Where.PAGE`: while the page has the focus; arrows and Enter belong to lists and forms elsewhere.
- `Where.BLOCK`: while a block is selected, or a click makes one (types by letter).
- `Where.TABLE`: in the table of scores.
- `Where.VIEW_3D`: in the page in 3-D.
- `Where.SIDE`: in the page side by side.
- `Where.PAGE_DIFF`: in two pages side by side.
- `Where.SOURCE`: in the text of the Source panel.
- `Where.PRESENTATION`: while the page is presented; then only actions with `in_presentation` hold.

No key has two meanings that can hold at once, and letters have one meaning everywhere:
`gui.window.action_table.clashes` proves it, and the tests ask it.
"""

from collections.abc import Iterable

from annotate.workspace.annotators import Role
from gui.core.action import Action, Where
from gui.core.when import (
    IN_3D,
    IN_VIEW,
    ON_PAGE,
    TWO_PAGES,
    WITH_DOCUMENT,
    WITH_METHOD,
    WITH_TYPE,
    When,
)
from gui.widgets.theme import ThemeSwitch
from gui.window.action_table import MENUS
from gui.window.central import Central
from gui.window.dock_layout import DockLayout
from gui.window.features import FEATURES
from gui.window.memory_setting import MemorySetting
from gui.window.open_dialogs import OpenDialogs
from gui.window.own_keys import OwnKeys
from gui.window.page_focus import PageFocus
from gui.window.page_views import Views
from gui.window.prompts import Prompts
from gui.window.shortcuts import ShortcutsOverlay

WITH_PICTURE = When(ON_PAGE.reason, lambda now: ON_PAGE.holds(now) or TWO_PAGES.holds(now))
"""Something is shown that a picture can be taken of."""

WINDOW_ACTIONS: tuple[Action, ...] = (
    Action("open-file", "Open file…", "File", OpenDialogs.open_file, keys=("Ctrl+O",), icon="file",
           help="An HTML file or a package (zip)", section="Pages", order=10),
    Action("open-folder", "Open folder…", "File", OpenDialogs.open_folder, keys=("Ctrl+Shift+O",),
           icon="open", help="Every page of a folder", section="Pages", order=20),
    Action("open-address", "Open address…", "File", OpenDialogs.open_address, keys=("Ctrl+L",),
           icon="globe", help="A page on the web", section="Pages", order=30),
    Action("open-results", "Open results…", "File", OpenDialogs.open_results, icon="evaluate",
           help="What pagelet evaluate wrote, in the Evaluate view", section="Pages", order=40),
    Action("open-sample", "Open the sample pages", "File", OpenDialogs.open_sample, icon="sample",
           section="Pages", order=50),
    Action("find-page", "Find a page", "File", Central.find, keys=("Ctrl+F", "/"),
           icon="search", section="Pages", order=80),
    Action("stop", "Stop", "File", Central.stop, keys=("Ctrl+.",), icon="stop",
           help="Stops what is running", section="Pages", in_presentation=True, order=110),
    Action("status-question", "Page has a question", "File", Prompts.question,
           (), ("Shift+D",), "status-question", when=ON_PAGE, group="status",
           value="question", section="Pages",
           help="Type the question and press Enter; Esc keeps the status without one", order=130),
    Action("export-picture", "Save picture of the page…", "File", PageFocus.export_picture,
           keys=("Ctrl+E",), icon="picture", when=WITH_PICTURE, section="Pages", line=True,
           in_presentation=True, order=180),
    Action("export-page", "Save the page with its layers…", "File", OpenDialogs.export_page,
           keys=("Ctrl+P",), icon="export", when=ON_PAGE, section="Pages",
           help="All of it, as HTML, PNG, SVG or PDF, for those without Pagelet", order=190),
    Action("export-gold", "Save marks to a file…", "File", OpenDialogs.export_gold,
           keys=("Ctrl+Shift+E",), icon="saved", when=ON_PAGE, section="Pages",
           help="Saved beside the page as PAGE.gold.json, they open with it next time", order=200),
    Action("merge", "Merge marks of a workspace…", "File", OpenDialogs.merge,
           keys=("Ctrl+Shift+I",), section="Pages",
           help="Puts another annotator's marks beside those here; overwrites nothing", order=230),
    Action("quit", "Quit", "File", PageFocus.quit, keys=("Ctrl+Q",), section="Pages", line=True,
           in_presentation=True, order=250),
    Action("clear", "Select nothing", "Mark", PageFocus.back_to_page, keys=("Esc",),
           help="From a panel: back to the page", in_presentation=True, order=60),
    Action("type", "Type a name…", "Type", Prompts.type_name, keys=("T",), icon="type",
           when=WITH_TYPE, section="Type of a block", help="Any name; Kreuzer's are offered",
           order=10),
    Action("adopt-type", "Adopt its blocks of a type…", "Drafts", Prompts.adopt_type,
           keys=("Ctrl+Shift+A",), when=WITH_METHOD, order=30),
    Action("draft-share", "Keep pages free of drafts…", "Drafts", Prompts.draft_share,
           help="A share of the workspace's pages, always the same: for unbiased gold", order=290),
    Action("agreement", "How far annotators agree", "Review", Central.toggle_agreement,
           keys=("Ctrl+F10",), icon="evaluate",
           help="A table over all pages, with granularity and types; again: back to the page",
           order=100),
    Action("assign", "Assign pages…", "Review", Prompts.assign_pages, keys=("Alt+Shift+D",),
           when=WITH_DOCUMENT, line=True,
           help="Deals the open pages to annotators, with overlap and hidden control pages",
           order=170),
    Action("work-as", "Mark as…", "Review", Prompts.work_as, (Role.ANNOTATOR,), ("Alt+W",),
           help="Another annotator of this workspace, or a new one", order=180),
    Action("review-as", "Review as…", "Review", Prompts.work_as, (Role.REVIEWER,),
           ("Alt+Shift+W",), help="Somebody whose marks are the decisions", order=190),
    Action("evaluate", "All pages × methods", "Evaluate", Central.toggle,
           keys=("F8",), icon="evaluate",
           help="Scores of the methods on all open pages; again: back to the page", order=10),
    Action("evaluate-run", "Run what is missing", "Evaluate", Central.run,
           keys=("Shift+F8",), when=WITH_DOCUMENT,
           help="Runs what is new, has changed or was not finished", order=20),
    Action("site", "All pages by template", "View", Central.toggle_site, keys=("F12",),
           icon="site", help="Distances, clusters and a map of the open pages; again: back",
           order=10),
    Action("present", "Present the page", "View", Views.toggle_presentation, keys=("F11",),
           icon="present", when=ON_PAGE, in_presentation=True, section="Presentation",
           help="The layers drawn, one by one, in large type and nothing else; Esc: back",
           order=20),
    Action("terrain", "The page in 3-D", "View", Views.toggle_3d, keys=("F6",),
           icon="terrain", when=ON_PAGE,
           help="Every element lifted by its depth; again: back to the page", order=30),
    Action("side", "Side by side", "View", Views.toggle_side, (2,), ("F2",), "side",
           when=ON_PAGE, section="Side by side",
           help="The page twice, each with a layer of its own; again: alone", order=50),
    Action("side-four", "Four side by side", "View", Views.toggle_side, (4,), ("Shift+F2",),
           when=ON_PAGE, section="Side by side", order=60),
    Action("siblings", "Two pages side by side", "View", Central.show_page_diff,
           keys=("Shift+F12",), icon="siblings", when=WITH_DOCUMENT, section="Two pages",
           help="The two selected in the Site view, else this page and the one most like it: their "
           "template, and what differs", order=70),
    Action("zoom-in", "Zoom in", "View", Views.zoom, (1,), keys=("Ctrl++", "Ctrl+="),
           icon="zoom-in", when=IN_VIEW, line=True, in_presentation=True, order=80),
    Action("zoom-out", "Zoom out", "View", Views.zoom, (-1,), keys=("Ctrl+-",),
           icon="zoom-out", when=IN_VIEW, in_presentation=True, order=90),
    Action("zoom-fit", "Fit the window's width", "View", Views.zoom_fit, keys=("Z",),
           icon="fit", when=IN_VIEW, in_presentation=True, order=100),
    Action("zoom-actual", "Actual size", "View", Views.zoom_actual, keys=("Ctrl+0",),
           when=IN_VIEW, in_presentation=True, order=110),
    Action("panels", "Hide or show all panels", "View", DockLayout.toggle,
           keys=("Ctrl+\\", "F9"), icon="panels", line=True, order=120),
    Action("layout", "Put panels back in place", "View", DockLayout.reset, order=130),
    Action("theme-system", "Theme of the desktop", "View", ThemeSwitch.choose, ("system",),
           group="theme", value="system", line=True, in_presentation=True, order=140),
    Action("theme-light", "Light", "View", ThemeSwitch.choose, ("light",), icon="sun",
           group="theme", value="light", in_presentation=True, order=150),
    Action("theme-dark", "Dark", "View", ThemeSwitch.choose, ("dark",), icon="moon",
           group="theme", value="dark", in_presentation=True, order=160),
    Action("memory", "Memory for a page…", "View", MemorySetting.ask, line=True,
           help="A page that takes more is ended, and all else goes on", order=170),
    Action("theme", "Light or dark", "", ThemeSwitch.toggle, keys=("Ctrl+Shift+L",),
           icon="moon", section="View", in_presentation=True),
    Action("guide", "Documentation", "Help", Central.toggle_help, keys=("F1",), icon="info",
           help="On what has the keyboard; Esc leads back", order=10),
    Action("help", "Shortcuts", "Help", ShortcutsOverlay.toggle, keys=("?",), icon="keyboard",
           in_presentation=True, order=20),
    Action("change-keys", "Change shortcuts…", "Help", OwnKeys.change, icon="keyboard",
           help="Every action with its keys; warns of clashes; can be printed", order=30),
    Action("help-glossary", "Glossary", "Help", Central.open_help, ("glossary.md",),
           help="What the words mean", order=40),
    Action("help-methods", "Methods", "Help", Central.open_help, ("methods.md",), line=True,
           help="Every method, its paper, and where it departs from it", order=50),
    Action("help-measures", "Measures", "Help", Central.open_help, ("measures.md",),
           help="What is counted, and what a score is where there is nothing to count", order=60),
    Action("help-formats", "Formats", "Help", Central.open_help, ("formats.md",),
           help="Data sets that can be read, and files that are written", order=70),
    Action("help-changelog", "What is new", "Help", Central.open_help, ("changelog.md",),
           line=True, order=80),
    Action("help-licence", "Licence", "Help", Central.open_help, ("licence.md",), order=90),
    Action("help-about", "About Pagelet", "Help", Central.open_help, ("about.md",),
           help="Versions of Pagelet and of what it runs on", order=100),
    Action("terrain-pick", "Select the framed element", "", Views.pick_candidate,
           keys=("Return", "Enter"), where=Where.VIEW_3D, when=IN_3D,
           section="Page in 3-D"),
)  # fmt: skip
"""What the window itself does, and what shows one view or another in it."""


def _in_order(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Return rows as menus show them; those of no menu come last."""

    def place(action: Action) -> tuple[int, int]:
        return (MENUS.index(action.menu) if action.menu else len(MENUS), action.order)

    return tuple(sorted(actions, key=place))


ACTIONS = _in_order([*WINDOW_ACTIONS, *(row for each in FEATURES for row in each.actions)])
