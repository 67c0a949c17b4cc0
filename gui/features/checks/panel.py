"""Checks panel: possible errors in the marks, with "show" and, where safe, "fix"."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QHBoxLayout, QListWidgetItem, QWidget

from gui.features.checks.controller import ChecksController
from gui.features.checks.state import CheckWalk
from gui.state.session import Session
from gui.widgets.controls import push_button
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock, hint
from gui.widgets.texts import plain
from gui.widgets.theme import themed_icon
from gui.widgets.walked_list import WalkedList


class ChecksDock(PanelDock):
    """List of findings, a line each; choosing one shows its mark."""

    def __init__(
        self, session: Session, host: ChecksController, parent: QWidget | None = None
    ) -> None:
        super().__init__("Checks", "ChecksDock", parent)
        self._walk = session.get(CheckWalk)
        self.add_close("Close  (Shift+C)", lambda: self._walk.show(False))
        self.list = WalkedList(self, enter=host.fix)
        self.list.setAccessibleName("Checks")
        self.list.setWordWrap(True)
        self.list.setUniformItemSizes(False)  # a finding takes the lines it needs
        self.list.setSpacing(2)
        self.list.chosen.connect(self._walk.choose)
        self.fix = push_button("Fix", self, host.fix)
        tip = "Not listed again while the page is open  (Shift+I)"
        self.ignore = push_button("Ignore", self, host.ignore, tip)
        row = lay_out(QHBoxLayout(), self.fix, self.ignore, None, margins=(12, 6, 12, 9), spacing=6)
        self._none = hint("Nothing to check in the marks so far.", self)
        self.body.addWidget(self._none)
        self.body.addWidget(self.list, 1)
        self.body.addLayout(row)
        self._walk.changed.connect(self._refresh)
        self._walk.index_changed.connect(self._on_index)
        self._refresh()

    def entries(self) -> list[str]:
        return [self.list.item(row).text() for row in range(self.list.count())]

    def _refresh(self) -> None:
        findings, icon = self._walk.items, themed_icon(self, "warning", "warn")
        with self.list.being_filled():
            self.list.clear()
            for finding in findings:
                QListWidgetItem(icon, finding.says, self.list).setToolTip(plain(finding.says))
        self._none.setVisible(not findings)
        self.list.setVisible(bool(findings))
        self.set_remark(str(len(findings)) if findings else "")
        self._on_index()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for row in range(self.list.count()):
                self.list.item(row).setIcon(themed_icon(self, "warning", "warn"))

    def _on_index(self) -> None:
        current = self._walk.current
        self.list.show_position(self._walk.index)
        fix = current.fix if current is not None else ""
        text = f"Fix: {fix}" if fix else "Fix"
        none = "No automatic fix: edit the mark, or ignore the finding"
        self.fix.setEnabled(bool(fix))
        self.fix.setText(text)
        self.fix.setToolTip(plain(f"{text}  (Shift+M)" if fix else none))
        self.ignore.setEnabled(current is not None)
