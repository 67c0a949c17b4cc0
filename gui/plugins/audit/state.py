"""Findings of the gold audit with the current one, decisions and progress."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject

from annotate.plugins.audit.auditing import AuditedPart, ReadPage, order_parts, with_origins
from annotate.plugins.audit.block_auditing import TypedBlocks, types_against
from engine.tree import Longs
from gui.plugins.audit.auditor import AuditAnswer
from gui.state.walk import Walk

MOST = 300
"""Largest number of listed parts: after these it is clear whether more are worth it."""


class AuditWalk(Walk[AuditedPart]):
    """Parts of all listed pages whose gold is contradicted, the most suspicious first.

    Attributes:
        items: At most `MOST` undecided parts.
        open_count: Number of undecided parts.
        settled: Decided items by page: the gold is right, or a question was asked.
        done, total: Number of pages read, and to read; total 0 before the audit.
        with_gold: Number of read pages with gold.
        is_running: Whether pages are being read.
        trouble: Why the last unreadable page could not be read; "" if all could.
        shared: Read contents by page, if other annotators marked it.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._parts: dict[str, tuple[AuditedPart, ...]] = {}
        self._typed: dict[str, TypedBlocks] = {}
        self._sketches: dict[str, Longs] = {}
        self.shared: dict[str, ReadPage] = {}
        self._types: list[AuditedPart] | None = None  # contradicted; None: to be computed again
        self.settled: Mapping[str, frozenset[str]] = {}
        self.open_count = 0
        self.done = self.total = self.with_gold = 0
        self.is_running = False
        self.trouble = ""

    def begin(self, total: int) -> None:
        """Clear the list before reading ``total`` pages."""
        self._parts, self._typed, self._types, self.shared = {}, {}, None, {}
        self._sketches = {}
        self.done, self.total, self.with_gold = 0, total, 0
        self.is_running, self.trouble = total > 0, ""
        self.refresh()

    def take(self, answer: AuditAnswer) -> None:
        """Add or replace the findings of a page."""
        page = answer.page
        self.with_gold += answer.parts is not None and page not in self._parts
        self._parts[page] = answer.parts or ()
        self._typed.pop(page, None)
        if answer.typed is not None:
            self._typed[page] = answer.typed
        self.shared.pop(page, None)
        if answer.shared is not None:
            self.shared[page] = answer.shared
        if answer.sketch is not None:
            self._sketches[page] = answer.sketch
        self._types = None

    def weigh(self, page: ReadPage, parts: Sequence[AuditedPart]) -> None:
        """Replace the text findings of a page after its annotators were weighted."""
        known = self.shared.get(page.name)
        if known is None:
            return
        self.shared[page.name] = replace(known, crowd=page.crowd)
        if known.gold is page.gold:  # else its marks have changed meanwhile: those are newer
            blocks = (each for each in self._parts[page.name] if each.is_block)
            self._parts[page.name] = (*parts, *blocks)

    def site_of(self, page: str) -> str:
        """Return the site of a page's typed blocks; "" if it has none."""
        return self._typed[page].site if page in self._typed else ""

    def is_read(self, page: str) -> bool:
        return page in self._parts

    def set_settled(self, settled: Mapping[str, frozenset[str]]) -> None:
        self.settled = settled
        self.refresh()

    def look_at(self, part: AuditedPart) -> None:
        """Make a part current if it is listed."""
        ids = [(each.page, each.item) for each in self.items]
        if (part.page, part.item) in ids:
            self.choose(ids.index((part.page, part.item)))

    def refresh(self) -> None:
        """List the open findings; if the current one is gone, the next becomes current."""
        none: frozenset[str] = frozenset()
        if self._types is None and not self.is_running:  # usual types need all pages
            self._types = types_against(tuple(self._typed.values()))
            for page, parts in self._parts.items():
                self._parts[page] = tuple(with_origins(parts, self._sketches))
        every = (part for parts in (*self._parts.values(), self._types or ()) for part in parts)
        result = order_parts([e for e in every if e.item not in self.settled.get(e.page, none)])
        current, before = self.current, self.index
        self.open_count, self.items = len(result), tuple(result[:MOST])
        self.index = -1
        if current is not None:
            ids = [(each.page, each.item) for each in self.items]
            is_left = (current.page, current.item) in ids
            after = min(before, len(ids) - 1)
            self.index = ids.index((current.page, current.item)) if is_left else after
        self.changed.emit()
        if self.current != current:
            self.index_changed.emit()
