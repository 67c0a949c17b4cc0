"""All that can be done, as one table: menus, tools, shortcuts and the `?` overlay come from it.

No key has two meanings that can hold at once (`Where`), and letters have one meaning everywhere:
`gui.window.action_table.clashes` proves it, and the tests ask it.
"""

from collections.abc import Iterable
from dataclasses import replace

from gui.core.action import Action, Context
from gui.core.main_area import MainArea
from gui.core.when import IN_VIEW, When
from gui.core.workbench import Workbench
from gui.widgets.theme import ThemeSwitch
from gui.window.action_table import MENUS
from gui.window.context_menus import ContextMenus
from gui.window.dock_layout import DockLayout
from gui.window.features import FEATURES
from gui.window.key_editor import OwnKeys
from gui.window.memory_setting import MemorySetting
from gui.window.menu_bar import HiddenMenus
from gui.window.open_dialogs import OpenDialogs
from gui.window.page_focus import PageFocus
from gui.window.retold import Retold
from gui.window.shortcuts import ShortcutsOverlay
from gui.window.tasks import TASKS, TaskViews

WITH_METHOD_HERE = When(
    "open a page and add a method first",
    lambda now: (
        now.session.open.document is not None
        and any(not layer.is_gold for layer in now.session.layers.all)
    ),
)

WINDOW_ACTIONS: tuple[Action, ...] = (
    Action("open-file", "Open file…", "File", OpenDialogs.open_file, keys=("Ctrl+O",), icon="file",
           help="An HTML file or a package (zip)", section="Pages", order=10,
           words=("load html", "import page", "open package"),
               context=(Context.NO_PAGE,)),
    Action("open-folder", "Open folder…", "File", OpenDialogs.open_folder, keys=("Ctrl+Shift+O",),
           icon="open", help="Every page of a folder", section="Pages", order=20,
           words=("load directory", "import pages", "open corpus"),
               context=(Context.NO_PAGE,)),
    Action("open-address", "Open address…", "File", OpenDialogs.open_address, keys=("Ctrl+L",),
           icon="globe", help="A page on the web", section="Pages", order=30,
           words=("open url", "visit website", "type web address"),
               context=(Context.NO_PAGE,)),
    Action("open-recent", "Open recent", "File", OpenDialogs.open_recent, keys=("Ctrl+Alt+O",),
           help="What was opened last", section="Pages", order=35,
           words=("recent files", "last opened", "history of folders")),
    Action("open-results", "Open results…", "File", OpenDialogs.open_results, icon="evaluate",
           help="What pagelet evaluate wrote, in the Evaluate view", section="Pages", order=40,
           words=("load scores", "open evaluation", "read csv results"),
               context=(Context.NO_PAGE,)),
    Action("open-sample", "Open the sample pages", "File", OpenDialogs.open_sample, icon="sample",
           section="Pages", order=50,
           words=("example pages", "demo data", "try it out"),
               context=(Context.NO_PAGE,)),
    Action("stop", "Stop", "File", Workbench.stop_work, keys=("Ctrl+.",), icon="stop",
           help="Stops what is running", section="Pages", in_presentation=True, order=110,
           words=("cancel work", "abort run", "interrupt")),
    Action("quit", "Quit", "File", PageFocus.quit, keys=("Ctrl+Q",), section="Pages", line=True,
           in_presentation=True, order=250,
           words=("exit", "close window", "leave program")),
    Action("clear", "Select nothing", "Mark", PageFocus.back_to_page, keys=("Esc",),
           help="From a panel: back to the page", in_presentation=True, order=60,
           words=("deselect", "escape", "back to page")),
    Action("next-area", "Next area of the window", "", PageFocus.next_area, keys=("Ctrl+F6",),
           section="View", help="From the bar through the panels to the page, and round",
           words=("next pane", "switch focus", "next region")),
    Action("close-panel", "Close the panel with the keyboard", "", PageFocus.close_panel,
           keys=("Ctrl+F4",), section="View", help="The page gets the keyboard",
           words=("hide panel", "close pane", "close tab")),
    Action("zoom-in", "Zoom in", "View ▸ Zoom", MainArea.zoom, (1,), keys=("Ctrl++", "Ctrl+="),
           icon="zoom-in", when=IN_VIEW, line=True, in_presentation=True, order=80,
           words=("larger", "magnify", "bigger")),
    Action("zoom-out", "Zoom out", "View ▸ Zoom", MainArea.zoom, (-1,), keys=("Ctrl+-",),
           icon="zoom-out", when=IN_VIEW, in_presentation=True, order=90,
           words=("smaller", "shrink view")),
    Action("zoom-fit", "Fit the window's width", "View ▸ Zoom", MainArea.zoom_fit, keys=("Z",),
           icon="fit", when=IN_VIEW, in_presentation=True, order=100,
           words=("fit width", "whole width"),
               context=(Context.PAGE,)),
    Action("zoom-actual", "Actual size", "View ▸ Zoom", MainArea.zoom_actual, keys=("Ctrl+0",),
           when=IN_VIEW, in_presentation=True, order=110,
           words=("100 %", "reset zoom", "original size")),
    Action("copy-command", "As command", "Edit ▸ Copy what I did", Retold.copy_command,
           keys=("Ctrl+Shift+.",), when=WITH_METHOD_HERE, order=26,
           help="The view's scores, question or result, to be run in a terminal",
           words=("repeat on the command line", "script this", "share what I see")),
    Action("copy-python", "As Python", "Edit ▸ Copy what I did", Retold.copy_python,
           when=WITH_METHOD_HERE, order=27,
           help="The same with import pagelet, for a script or notebook",
           words=("copy script", "notebook code", "reproduce in python")),
    Action("context-menu", "Context menu", "Edit", ContextMenus.open,
           keys=("Shift+F10", "Menu"), in_presentation=True, line=True, order=160,
           help="The menu of a right click, for what is selected",
               words=("right click menu", "actions here", "popup menu")),
    Action("panel-hide", "Hide this panel", "", ContextMenus.hide_panel, section="View",
           context=(Context.PANEL,), help="The panel whose title was right-clicked",
               words=("close panel", "remove dock")),
    Action("panel-float", "Panel as a separate window, or docked again", "",
           ContextMenus.float_panel, section="View", context=(Context.PANEL,),
               words=("undock panel", "detach panel")),
    Action("panels", "Hide or show all panels", "View", DockLayout.toggle,
           keys=("Ctrl+\\", "F9"), icon="panels", line=True, order=120,
           words=("toggle side panels", "more room for page", "distraction free"),
               context=(Context.PANEL,)),
    Action("layout", "Reset this view", "View", TaskViews.reset, order=130,
           help="Puts the panels of this task back where they were at first",
           words=("reset layout", "restore docks", "default arrangement"),
           context=(Context.PANEL,)),
    *(Action(f"task-{task.name}", task.text, "View", TaskViews.choose, (task.name,),
             keys=(f"Alt+{number}",), group="task", value=task.name, help=task.help,
             section="Tasks", line=number == 1, in_presentation=True, order=number,
             words=task.words)
      for number, task in enumerate(TASKS, 1)),
    Action("theme-system", "Theme of the desktop", "View ▸ Theme", ThemeSwitch.choose, ("system",),
           group="theme", value="system", line=True, in_presentation=True, order=140,
           words=("automatic theme", "system colours")),
    Action("theme-light", "Light", "View ▸ Theme", ThemeSwitch.choose, ("light",), icon="sun",
           group="theme", value="light", in_presentation=True, order=150,
           words=("light mode", "bright theme", "day")),
    Action("theme-dark", "Dark", "View ▸ Theme", ThemeSwitch.choose, ("dark",), icon="moon",
           group="theme", value="dark", in_presentation=True, order=160,
           words=("dark mode", "night theme")),
    Action("memory", "Memory for a page…", "File ▸ Page", MemorySetting.ask, line=True,
           help="A page that takes more is stopped; everything else continues", order=175,
           words=("ram limit", "memory limit")),
    Action("menu-bar", "Menu bar", "View", HiddenMenus.toggle,
           is_on=HiddenMenus.is_shown,
           help="Otherwise Alt, F10 or the first button of the bar shows the menus", order=125,
           words=("hide menus", "show menus always")),
    Action("menus", "Open the menus", "", HiddenMenus.walk, keys=("F10",), section="Help",
           help="Arrows walk them; Alt with the underlined letter opens one",
           words=("menu bar", "walk the menus")),
    Action("theme", "Light or dark", "", ThemeSwitch.toggle, keys=("Ctrl+Shift+L",),
           icon="moon", section="View", in_presentation=True,
           words=("toggle dark mode", "switch colours")),
    Action("help", "Shortcuts", "Help", ShortcutsOverlay.toggle, keys=("?",), icon="keyboard",
           in_presentation=True, order=20,
           words=("keyboard", "hotkeys", "cheat sheet", "key bindings")),
    Action("change-keys", "Change shortcuts…", "Help", OwnKeys.change, icon="keyboard",
           help="Every action with its keys; warns of clashes; can be printed", order=30,
           words=("customise keys", "rebind", "keymap", "key settings")),
)  # fmt: skip
"""What the window itself does."""


def _in_order(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Return rows as menus show them; those of no menu come last."""

    def position(action: Action) -> tuple[int, int]:
        if action.top_menu not in ("", *MENUS):
            menus = ", ".join(MENUS)
            raise ValueError(f"{action.name}: no menu {action.menu!r}; choose one of {menus}")
        return (MENUS.index(action.top_menu) if action.top_menu else len(MENUS), action.order)

    return tuple(sorted(actions, key=position))


_TOGGLES = (
    replace(panel.toggle, run=TaskViews.toggle_panel, arguments=(panel.name,))
    for feature in FEATURES
    for panel in feature.panels
    if panel.toggle is not None
)
ACTIONS = _in_order(
    [*WINDOW_ACTIONS, *(row for each in FEATURES for row in each.actions), *_TOGGLES]
)
