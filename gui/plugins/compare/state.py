"""Comparison of two versions on the open pages, with a current change."""

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from annotate.evaluation.run.plan import Plan
from annotate.plugins.compare.compare import PageChange, VersionComparison
from gui.state.walk import Walk


@dataclass(frozen=True, eq=False)
class ComparedVersions:
    """Result of a comparison.

    Attributes:
        plan: Versions that were run.
        result: Their differences.
        failures: Reason by name of each version that failed on every page.
    """

    plan: Plan
    result: VersionComparison
    failures: Mapping[str, str]


@dataclass(frozen=True)
class ChangeFilter:
    """Filter of changes by type of page or by kind of change; all if it has no name.

    Attributes:
        name: Name of the type or kind.
        is_kind: Whether it is a kind of change.
        says: The name with numbers.
    """

    name: str
    is_kind: bool
    says: str

    def has(self, change: PageChange) -> bool:
        if not self.name:
            return True
        own = change.text.kind if self.is_kind else change.page.page_type or "unknown"
        return own == self.name


class ChangeWalk(Walk[PageChange]):
    """Changed pages, the worst first.

    Attributes:
        before, after: Compared versions, as typed.
        compared: Result; None before and during the run.
        sort: Filter of the listed changes.
        is_running: Whether pages are being run.
        progress: Progress in words.
        trouble: Why there is no result; "" if nothing is wrong.
    """

    marked = Signal()  # lost and gained text of the open page was computed or dropped

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.before = self.after = ""
        self.compared: ComparedVersions | None = None
        self.sort = ChangeFilter("", False, "")
        self.is_running = False
        self.progress = self.trouble = ""

    def begin(self, before: str, after: str) -> None:
        """Clear the list before running two versions."""
        self.before, self.after = before, after
        self.is_running = True
        self._set(None, "Starting", "")

    def clear(self) -> None:
        """Reset the list for other pages."""
        self.is_running = False
        self._set(None, "", "")

    def take(self, compared: ComparedVersions) -> None:
        self._set(compared, "", "")

    def end(self, trouble: str) -> None:
        """Mark the run as finished."""
        self.is_running, self.progress, self.trouble = False, "", trouble
        self.changed.emit()

    def show_progress(self, words: str) -> None:
        self.progress = words
        self.changed.emit()

    def set_sort(self, sort: ChangeFilter) -> None:
        """Set the listed kind of changes."""
        self.sort = sort
        self._list()

    def _set(self, compared: ComparedVersions | None, progress: str, trouble: str) -> None:
        self.compared, self.progress, self.trouble = compared, progress, trouble
        self.sort = ChangeFilter("", False, "")
        self._list()

    def _list(self) -> None:
        every = () if self.compared is None else self.compared.result.changes
        self.items = tuple(change for change in every if self.sort.has(change))
        had, self.index = self.index, -1
        self.changed.emit()
        if had >= 0:
            self.index_changed.emit()
