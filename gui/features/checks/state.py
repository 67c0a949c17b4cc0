"""Findings on the marks of the open page, with a current one."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject

from annotate.marks.checks import Finding, FindingKind
from gui.state.walk import Walk


class CheckWalk(Walk[Finding]):
    """List of findings with a current one.

    Attributes:
        items: In document order; without the ignored ones.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ignored: frozenset[Finding] = frozenset()

    @property
    def by_mark(self) -> Mapping[str, str]:
        """Findings in words, by mark."""
        texts: dict[str, str] = {}
        for each in self.items:
            for mark in each.marks[:1]:
                texts[mark] = f"{texts[mark]}\n{each.says}" if mark in texts else each.says
        return texts

    def set_findings(self, findings: Sequence[Finding]) -> None:
        """Set the findings; if the current one is gone, the next becomes current."""
        result = tuple(each for each in findings if not self._is_ignored(each))
        if result == self.items:
            return
        current, self.items = self.current, result
        last = min(self.index, len(result) - 1)
        self.index = result.index(current) if current in result else last
        self.changed.emit()
        self.index_changed.emit()

    def ignore(self, finding: Finding, *, is_ignored: bool = True) -> None:
        """Ignore a finding while the page is open, or list it again from the next check on."""
        self._ignored = self._ignored | {finding} if is_ignored else self._ignored - {finding}
        self.set_findings(self.items)

    def _is_ignored(self, finding: Finding) -> bool:
        """Return whether a finding was ignored, also if it had fewer marks then."""
        if finding.kind is not FindingKind.AGAINST:
            return finding in self._ignored
        before = (each for each in self._ignored if each.kind is finding.kind)
        return any(not set(each.marks).isdisjoint(finding.marks) for each in before)

    def start_over(self) -> None:
        self._ignored = frozenset()
        self.set_findings(())
