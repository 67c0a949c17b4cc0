"""What the palette offers: actions, panels, methods, pages, measures and help."""

from collections.abc import Iterator
from functools import cache, partial

from PySide6.QtWidgets import QDockWidget

from algorithms.core.catalogue import available, on_sites
from algorithms.measures.all_measures import MEASURES
from gui.core.action import Action
from gui.core.workbench import Workbench
from gui.features.help.feature import HelpController
from gui.features.palette.feature import Palette, PaletteEntry
from gui.window.action_table import Actions, section_of, shown_keys
from gui.window.dock_layout import DockLayout
from resources.documentation import PAGES, read_page, sections

_ACTION, _PANEL, _METHOD, _PAGE, _MEASURE, _HELP = range(6)
"""Order of kinds where a name fits several."""
_NOT_READ = {"changelog.md", "licence.md", "about.md", "index.md", "keys.md"}
"""Pages whose headings are no topics; most of them have an action of their own."""
_STEPS = 3
"""Steps before the steps before, at most."""


class PaletteEntries:
    """Gives a window's palette what it offers."""

    def __init__(self, workbench: Workbench, actions: Actions, panels: DockLayout) -> None:
        self._workbench, self._actions, self._panels = workbench, actions, panels
        palette = workbench.get(Palette)
        palette.sources += [self.actions, self.panels, self.methods]
        palette.more += [self.pages, self.measures, self.help]

    def actions(self) -> Iterator[PaletteEntry]:
        """Yield every action, with why it cannot be had now and the step before."""
        self._actions.enable(self._workbench)
        rows = {row.name: row for row in self._actions.rows}
        for row in rows.values():
            if row.name != "palette":
                yield self._action(row, rows)

    def _action(self, row: Action, rows: dict[str, Action], depth: int = 0) -> PaletteEntry:
        reason = self._actions.reason(row)
        before = rows.get(row.when.step(self._workbench)) if reason else None
        step = self._action(before, rows, depth + 1) if before and depth < _STEPS else None
        if step is not None and step.reason:
            step = step.step
        menu = row.menu if row.top_menu else section_of(row)
        return PaletteEntry(
            f"action:{row.name}", row.text, self._actions[row.name].trigger,
            f"{menu} ▸ {row.section}" if row.section not in ("", menu) else menu,
            next(iter(shown_keys(row)), ""), row.help, row.words, reason, step, _ACTION,
        )  # fmt: skip

    def panels(self) -> Iterator[PaletteEntry]:
        """Yield the panels one shows and hides by name."""
        for dock in self._panels.listed:
            yield PaletteEntry(
                f"panel:{dock.objectName()}", f"{dock.windowTitle()} panel",
                partial(_show, dock), "View", help="Shows it and goes there",
                words=(dock.windowTitle(),), order=_PANEL,
            )  # fmt: skip

    def methods(self) -> Iterator[PaletteEntry]:
        """Yield the methods: choosing one draws its layer."""
        session = self._workbench.session
        for method in (*available(), *(on_sites() if session.open.siblings else ())):
            yield PaletteEntry(
                f"method:{method.key}", method.name, partial(session.layers.add_method, method.key),
                "Methods", help=method.summary or method.cite, words=(method.key,), order=_METHOD,
            )  # fmt: skip

    def pages(self) -> Iterator[PaletteEntry]:
        workbench = self._workbench
        known = workbench.pages
        for index, document in enumerate(workbench.session.documents):
            yield PaletteEntry(
                f"page:{document.address}", known.title(document), partial(self._open, index),
                f"Pages ▸ {known.status(document)}", help=document.name, words=(document.name,),
                order=_PAGE,
            )  # fmt: skip

    def _open(self, index: int) -> None:
        self._workbench.navigation.open_document(index)
        self._workbench.main_area.show_page()

    def measures(self) -> Iterator[PaletteEntry]:
        """Yield the measures: choosing one opens the page on them."""
        helping = self._workbench.get(HelpController)
        for measure in MEASURES:
            yield PaletteEntry(
                f"measure:{measure.key}", measure.in_words, partial(helping.open, "measures.md"),
                "Measures", help=measure.sentence, words=(measure.name, measure.key),
                order=_MEASURE, is_text=True,
            )  # fmt: skip

    def help(self) -> Iterator[PaletteEntry]:
        """Yield the pages of the documentation and their headings."""
        helping = self._workbench.get(HelpController)
        for target, title, path in _headings():
            yield PaletteEntry(
                f"help:{target}", title, partial(helping.open, target), path, order=_HELP,
                help="In the documentation", is_text=True,
            )  # fmt: skip


def _show(dock: QDockWidget) -> None:
    dock.show()
    dock.raise_()
    dock.setFocus()


@cache
def _headings() -> tuple[tuple[str, str, str], ...]:
    """Return target, title and path of each page of the documentation and its headings."""
    result = []
    for name in PAGES.keys() - _NOT_READ:
        page = list(sections(read_page(name)))
        for section in page:
            if section.level < 3:
                target = name if section is page[0] else f"{name}#{section.anchor}"
                path = "Help" if section is page[0] else f"Help ▸ {page[0].title}"
                result.append((target, section.title, path))
    return tuple(sorted(result))
