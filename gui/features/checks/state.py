"""What may be wrong with the marks of the open page, walked one by one."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from annotate.marks.checks import Finding


class CheckWalk(QObject):
    """The findings, and the one looked at.

    Attributes:
        is_shown: Whether the list is wanted.
        findings: In document order; without the ignored ones.
        index: Of the one looked at, -1 for none.
    """

    shown_changed = Signal()
    changed = Signal()
    index_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.is_shown = False
        self.findings: tuple[Finding, ...] = ()
        self.index = -1
        self._ignored: frozenset[Finding] = frozenset()

    @property
    def current(self) -> Finding | None:
        return self.findings[self.index] if 0 <= self.index < len(self.findings) else None

    @property
    def by_mark(self) -> Mapping[str, str]:
        """Mark → what may be wrong with it, in words."""
        said: dict[str, str] = {}
        for each in self.findings:
            for mark in each.marks[:1]:
                said[mark] = f"{said[mark]}\n{each.says}" if mark in said else each.says
        return said

    def show(self, is_shown: bool) -> None:
        """Say whether the list is wanted."""
        if is_shown != self.is_shown:
            self.is_shown = is_shown
            self.shown_changed.emit()

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Say what may be wrong; who looked at one that is gone looks at the next."""
        found = tuple(each for each in findings if each not in self._ignored)
        if found == self.findings:
            return
        current, before = self.current, self.index
        self.findings = found
        if current in found:
            self.index = found.index(current)
        else:
            self.index = min(before, len(found) - 1)
        self.changed.emit()
        self.index_changed.emit()

    def ignore(self) -> None:
        """Ignore: do not list it again while the page is open."""
        if self.current is not None:
            self._ignored |= {self.current}
            self.set_findings(self.findings)

    def start_over(self) -> None:
        self._ignored = frozenset()
        self.set_findings(())

    def choose(self, index: int) -> None:
        """Look at one; -1 for none."""
        index = index if 0 <= index < len(self.findings) else -1
        if index != self.index:
            self.index = index
            self.index_changed.emit()

    def step(self, by: int) -> None:
        """Look at the next one or the one before, round and round."""
        if self.findings:
            first = 0 if by > 0 else len(self.findings) - 1
            self.choose(first if self.index < 0 else (self.index + by) % len(self.findings))
