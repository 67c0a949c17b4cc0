"""Palette: collects entries, shows them over the page, and runs the chosen one."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject

from gui.core.workbench import Workbench
from gui.features.palette.ranking import PaletteEntry, rank_entries
from gui.widgets.quick_pick import MOST, Choice

RECENT = 12
"""Number of stored recent entries."""

Source = Callable[[], Iterable[PaletteEntry]]


class Palette(QObject):
    """Actions, pages, methods, measures, panels and help in one field.

    Attributes:
        sources: Functions that return entries offered from the start.
        more: Functions that return entries offered for typed text, possibly many.
    """

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._main_area, self._say = workbench.main_area, workbench.session.messages.say
        self._field = self._main_area.field
        self.sources: list[Source] = []
        self.more: list[Source] = []
        self._entries: list[PaletteEntry] = []
        self._has_more = False

    def open(self) -> None:
        """Show the palette, or close it."""
        if self._field.asks == self._offer:
            self._field.leave()
            return
        self._entries = [entry for source in self.sources for entry in source()]
        self._has_more = False
        self._field.ask_for(
            "Find anything: actions, pages, methods, measures, panels, help",
            "What to do, or where to go",
            self._offer,
        )

    def find(self, typed: str, most: int = MOST) -> list[PaletteEntry]:
        """Return matching entries, best first."""
        if typed.strip() and not self._has_more:
            self._entries += [entry for source in self.more for entry in source()]
            self._has_more = True
        recent = {key: position for position, key in enumerate(self.recent())}
        return rank_entries(self._entries, typed, recent, most)

    def recent(self) -> list[str]:
        """Return the keys of recently used actions, the latest first."""
        saved = self._main_area.files.settings.value("palette/recent", [])
        return [str(each) for each in saved] if isinstance(saved, list) else [str(saved)]

    def _offer(self, typed: str) -> list[Choice]:
        return [self._choice(entry) for entry in self.find(typed)]

    def _choice(self, entry: PaletteEntry) -> Choice:
        known = " · ".join(filter(None, (entry.path, entry.help)))
        detail = f"Not now: {entry.reason}" if entry.reason else known
        if entry.step is not None:
            keys = f" ({entry.step.keys})" if entry.step.keys else ""
            detail += f". Enter: {entry.step.text}{keys}"
        return Choice(
            entry.text, key=entry.keys, detail=detail, is_off=bool(entry.reason),
            taken=lambda: self._do(entry),
        )  # fmt: skip

    def _do(self, entry: PaletteEntry) -> None:
        if entry.reason and entry.step is None:
            self._say(f"{entry.text.removesuffix('…')}: {entry.reason}")
            return
        keys = [entry.key, *(key for key in self.recent() if key != entry.key)]
        self._main_area.files.settings.setValue("palette/recent", keys[:RECENT])
        (entry.step or entry).run()
