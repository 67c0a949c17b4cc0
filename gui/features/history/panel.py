"""Panel of the history: a row for each change, the newest first."""

from datetime import datetime

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPalette, QShowEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from annotate.marks.journal import PastChange
from engine.errors import PageletError
from engine.words import plural
from gui.features.history.controller import PageHistory
from gui.state.session import Session
from gui.widgets.events import debounce
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock, hint
from gui.widgets.texts import plain
from gui.widgets.theme import scale_font, theme_of

_CHANGE = Qt.ItemDataRole.UserRole

START = "before the first change"


def clock_of(made: str, now: datetime) -> str:
    """Return a time (ISO 8601) as a reader's clock shows it, with the day if that is not today."""
    at = datetime.fromisoformat(made).astimezone(now.tzinfo)
    if at.date() == now.date():
        return at.strftime("%H:%M")
    return at.strftime("%d %b %H:%M" if at.year == now.year else "%d %b %Y")


class HistoryDock(PanelDock):
    """All changes of the open page's marks; click or Enter brings the marks of then."""

    def __init__(
        self, session: Session, controller: PageHistory, parent: QWidget | None = None
    ) -> None:
        super().__init__("History", "HistoryDock", parent)
        self._controller = controller
        self.tree = QTreeWidget(self, columnCount=2)
        self.tree.setRootIsDecorated(False)
        self.tree.setHeaderHidden(True)
        self.tree.setFrameShape(QTreeWidget.Shape.NoFrame)
        self.tree.setAccessibleName("Changes of this page, the newest first")
        self.tree.setUniformRowHeights(True)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.empty = hint("Nothing was changed on this page yet.", self)
        self.body.addLayout(lay_out(QVBoxLayout(), self.tree, margins=(8, 0, 8, 4)), 1)
        self.body.addWidget(self.empty)
        self.add_close()
        self._timer = debounce(self, 0, self.refresh)
        for signal in (session.open.gold_changed, session.open.page_changed,
                       session.open.document_changed):  # fmt: skip
            signal.connect(self._timer.start)
        self.tree.itemClicked.connect(self._go)
        self.tree.itemActivated.connect(self._go)

    def showEvent(self, event: QShowEvent) -> None:
        """List the changes made meanwhile."""
        super().showEvent(event)
        self._timer.start()

    def changeEvent(self, event: QEvent) -> None:
        """Write the rows in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._timer.start()

    def refresh(self) -> None:
        """List the changes of the open page, if the panel is seen."""
        if not self.isVisible():
            return
        try:
            changes, words = self._controller.changes(), "Nothing was changed on this page yet."
        except PageletError as error:
            changes, words = (), str(error)
        self.tree.clear()
        self.tree.setVisible(bool(changes))
        self.empty.setText(words)
        self.empty.setVisible(not changes)
        self.set_remark("")
        if not changes:  # as while the window closes, when nobody can be asked who it is
            return
        self.set_remark(f"{plural(len(changes), 'change')} · {self._controller.who}")
        now = datetime.now().astimezone()
        for change in reversed(changes):
            self._add(change, change.revision.what, clock_of(change.revision.made, now),
                      change.back)  # fmt: skip
        first = changes[0].back
        self._add(None, START, "", None if first is None else first + 1)
        self.set_rows_enabled()

    def set_rows_enabled(self) -> None:
        """Grey all rows, with the reason, where the marks cannot be changed."""
        reason = self._controller.refusal
        for item in self.items() if reason else ():
            item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEnabled)
            item.setToolTip(0, plain(reason))

    def items(self) -> list[QTreeWidgetItem]:
        """Return the rows, the newest first."""
        found = (self.tree.topLevelItem(k) for k in range(self.tree.topLevelItemCount()))
        return [item for item in found if item is not None]

    def _add(self, change: PastChange | None, text: str, time: str, back: int | None) -> None:
        item = QTreeWidgetItem(self.tree, [text[:1].upper() + text[1:], time])
        item.setData(0, _CHANGE, change)
        item.setSizeHint(0, QSize(0, 28))
        item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        muted = QBrush(QColor(theme_of(self).muted))
        item.setForeground(1, muted)
        if back == 0:
            item.setFont(0, scale_font(self.tree.font(), 1.0, weight=QFont.Weight.DemiBold))
            item.setForeground(0, QBrush(self.palette().color(QPalette.ColorRole.Text)))
            tip = "the marks as they are now"
            self.tree.setCurrentItem(item)
        elif back is None:
            item.setForeground(0, muted)
            tip = "undone, and others were made in its place: its marks come back as a new change"
        elif back < 0:
            item.setForeground(0, muted)
            tip = f"undone: a click does {plural(-back, 'change')} again"
        else:
            tip = f"a click undoes {plural(back, 'change')} made since"
        who = f"{self._controller.who} · " if change else ""
        item.setToolTip(0, plain(f"{who}{tip}"))
        words = f"{item.text(0)}, {time}, {tip}" if time else f"{item.text(0)}, {tip}"
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, words)

    def _go(self, item: QTreeWidgetItem) -> None:
        if not item.flags() & Qt.ItemFlag.ItemIsEnabled:
            return
        change = item.data(0, _CHANGE)
        if change is None:
            self._controller.leave()
        else:
            self._controller.go_to(change)
