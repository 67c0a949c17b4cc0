"""Audit panel: probable errors in gold, with reasons; fixed, kept or asked by key."""

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QListWidgetItem, QVBoxLayout, QWidget

from annotate.plugins.audit.auditing import AuditedPart
from annotate.plugins.audit.block_auditing import AuditedBlock
from engine.words import plural
from gui.plugins.audit.controller import none_text
from gui.plugins.audit.state import AuditWalk
from gui.plugins.audit.style import style_of
from gui.plugins.audit.worker import Part
from gui.state.session import Session
from gui.widgets.entry_delegate import Entry, EntryDelegate
from gui.widgets.item_index import ItemIndex
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, PanelDock, hint, small
from gui.widgets.theme import Theme
from gui.widgets.tips import plain
from gui.widgets.walk_bar import WalkBar
from gui.widgets.walked_list import WalkedList

_OF_TEXT = ("Too much", "Missing")
_OF_BLOCKS = ("No block", "Missing block")
_LINES = 2
PART = Qt.ItemDataRole.UserRole + 1
NAME = PART + 1


class AuditHost(Protocol):
    """Gold and decisions used by the Audit panel."""

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def fix(self) -> None: ...

    def keep(self) -> None: ...

    def ask(self) -> None: ...


class AuditDock(PanelDock):
    """Parts of all pages, the most suspicious first, with the reasons of the current one."""

    def __init__(
        self,
        session: Session,
        host: AuditHost,
        title_of: Callable[[str], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__("Audit", "AuditDock", parent)
        self._walk, self._title_of = session.get(AuditWalk), title_of
        self.again = IconButton("reload", "Read the gold of all pages again", self)
        self.again.clicked.connect(host.start)
        self.halt = IconButton("stop", "Stop reading", self)
        self.halt.clicked.connect(host.stop)
        self.close_button = IconButton("close", "Close  (Ctrl+Shift+G)", self)
        self.close_button.clicked.connect(lambda: self._walk.show(False))
        for button in (self.again, self.halt, self.close_button):
            self.add_to_title(button)

        top = QWidget(self)
        self.fix = IconButton("check", "Fix: mark it, or take it out  (Shift+F)", top)
        self.keep = IconButton("lock", "Keep: gold is right here  (Shift+K)", top)
        self.ask = IconButton("status-question", "Ask about it  (Shift+H)", top)
        for button, act in ((self.fix, host.fix), (self.keep, host.keep), (self.ask, host.ask)):
            button.clicked.connect(act)
        self.bar = WalkBar(
            "Previous part  (Ctrl+Alt+G)", "Next part  (Ctrl+G)", top,
            buttons=(self.fix, self.keep, self.ask),
        )  # fmt: skip
        self.bar.stepped.connect(self._walk.step)
        self.reasons = small(QLabel("", top), 0.95)
        self.reasons.setTextFormat(Qt.TextFormat.PlainText)
        self.reasons.setWordWrap(True)
        self.reasons.setAccessibleName("Reasons")
        lay_out(QVBoxLayout(top), self.bar, self.reasons, margins=(14, 2, 8, 4), spacing=5)

        self.list = _AuditList(host, self)
        self.list.setObjectName("AuditList")
        self.list.setAccessibleName("Parts of gold to check")
        self.list.setItemDelegate(EntryDelegate(_entry, self.list, lines=_LINES))
        self.list.chosen.connect(self._walk.choose)
        self._none = hint("", self)
        self.body.addWidget(top)
        self.body.addWidget(self._none)
        self.body.addWidget(self.list, 1)
        self._walk.changed.connect(self._refresh)
        self._walk.index_changed.connect(self._on_index)
        self._refresh()

    def entries(self) -> list[str]:
        """Return the text of each entry for screen readers."""
        return self.list.entries()

    @property
    def none_text(self) -> str:
        """Text in place of the list; "" if there is a list."""
        return self._none.text()

    def _refresh(self) -> None:
        walk = self._walk
        with self.list.being_filled():
            self.list.clear()
            for part in walk.items:
                item = QListWidgetItem(self.list)
                name = self._title_of(part.page)
                item.setData(PART, part)
                item.setData(NAME, name)
                spoken = f"{_title(part)}, {name}: {_line(part)}"
                item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken)
                item.setToolTip(plain(f"{_title(part)}\n{name}\n{_why(part)}\n{_line(part)}"))
        none = none_text(walk)
        self._none.setText(f"{none[:1].upper()}{none[1:]}." if none else "")
        self._none.setVisible(bool(none))
        self.list.setVisible(not none)
        self.halt.setVisible(walk.is_running)
        self.again.setVisible(not walk.is_running)
        self.set_remark(_remark(walk))
        self._on_index()

    def _on_index(self) -> None:
        walk = self._walk
        self.list.show_position(walk.index)
        part = walk.current
        for button in (self.fix, self.keep, self.ask):
            button.setEnabled(part is not None)
        self.reasons.setText("" if part is None else _why(part))
        self.reasons.setVisible(part is not None)
        at = "" if part is None else f"{walk.index + 1} of {walk.open_count}"
        self.bar.show_position(at, "Ctrl+G: to the first", can_walk=bool(walk.items))


class _AuditList(WalkedList):
    """List of parts; Enter fixes, Del keeps the gold."""

    def __init__(self, host: AuditHost, parent: QWidget) -> None:
        super().__init__(parent)
        self._host = host

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Fix the gold of the current part, or keep it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._host.fix()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._host.keep()
        else:
            super().keyPressEvent(event)


def _entry(index: ItemIndex, _theme: Theme) -> Entry | None:
    part: Part | None = index.data(PART)
    if part is None:
        return None
    style = style_of(part)
    name = str(index.data(NAME))
    return Entry(style.sign, style.color, "#ffffff", _title(part), name, _line(part))


def _title(part: Part) -> str:
    if isinstance(part, AuditedBlock) and part.suggested:
        title = f"{part.type} → {part.suggested}"
    elif isinstance(part, AuditedPart) and part.flaw is not None:
        title = f"{part.says[:1].upper()}{part.says[1:]}"
    else:
        titles = _OF_BLOCKS if isinstance(part, AuditedBlock) else _OF_TEXT
        title = titles[not part.finding.is_marked]
    return f"{title} · {plural(part.finding.words, 'word')}"


def _why(part: Part) -> str:
    """Return the reasons, one per line."""
    return "\n".join(f"· {reason}" for reason in part.finding.reasons)


def _line(part: Part) -> str:
    return " ".join(part.text[:300].split())


def _remark(walk: AuditWalk) -> str:
    if walk.is_running:
        return f"{walk.done} of {plural(walk.total, 'page')} read"
    return f"{plural(walk.open_count, 'part')} of {plural(walk.with_gold, 'page')}" * bool(
        walk.total
    )
