"""The Held panel: what logs would change whose device nobody has accepted."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from annotate.team.folder.held import Held
from annotate.team.folder.state import Voice
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock, hint
from gui.widgets.texts import translated
from gui.widgets.tips import plain

_HELD = Qt.ItemDataRole.UserRole + 1


class HeldDock(PanelDock):
    """A heading for each log and person, and below it a line for each change."""

    def __init__(self, answer: Callable[[Held, bool], None], parent: QWidget) -> None:
        """``answer`` is told which log is accepted, or refused."""
        super().__init__("Held back", "HeldDock", parent)
        self._answer = answer
        self._none = hint("Nothing: each writes only in his own name.", self)
        self.list = QListWidget(self)
        self.list.setAccessibleName("Held back")
        self.list.setWordWrap(True)
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._enable)
        self.accept_button, self.refuse_button = QPushButton(self), QPushButton(self)
        for button, is_accepted in ((self.accept_button, True), (self.refuse_button, False)):
            button.clicked.connect(lambda _=False, yes=is_accepted: self._say(is_accepted=yes))
        self._buttons = QWidget(self)
        lay_out(
            QHBoxLayout(self._buttons), self.accept_button, self.refuse_button, None,
            margins=(14, 6, 14, 8), spacing=8,
        )  # fmt: skip
        self.body.addWidget(self._none)
        room = QWidget(self)
        lay_out(QVBoxLayout(room), (self.list, 1), margins=(10, 2, 6, 0))
        self.body.addWidget(room, 1)
        self.body.addWidget(self._buttons)
        self.show_held(())

    def entries(self) -> list[str]:
        """Return the lines of the list."""
        return [self.list.item(row).text() for row in range(self.list.count())]

    def toggle(self) -> None:
        """Show the panel, or hide it."""
        if self.isHidden():
            self.show_up()
        else:
            self.hide()

    def show_up(self) -> None:
        """Show the panel, before those it shares its room with."""
        self.show()
        self.raise_()

    def show_held(self, held: Sequence[Held]) -> None:
        """List what is held now; the chosen log stays chosen."""
        chosen = self._chosen()
        self.list.clear()
        for each in held:
            row = self._add(each.file, each)
            self._add(f"{each.origin}: {each.why}", None)
            for change in each.changes:
                self._add(f"· {change}", None)
            if chosen is not None and each.voice == chosen:
                self.list.setCurrentItem(row)
        if self.list.currentItem() is None and held:
            self.list.setCurrentRow(0)
        for part, is_shown in ((self._none, not held), (self.list, held), (self._buttons, held)):
            part.setVisible(bool(is_shown))
        self.set_remark(str(len(held)) if held else "")
        self._enable()

    def _add(self, text: str, held: Held | None) -> QListWidgetItem:
        item = QListWidgetItem(text, self.list)
        item.setToolTip(plain(text))
        if held is None:
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)  # what it would do, and no choice of its own
        else:
            item.setData(_HELD, held)
            font = item.font()
            font.setBold(True)
            item.setFont(font)
        return item

    def _held(self) -> Held | None:
        item = self.list.currentItem()
        data = item.data(_HELD) if item is not None else None
        return data if isinstance(data, Held) else None

    def _chosen(self) -> Voice | None:
        held = self._held()
        return None if held is None else held.voice

    def _enable(self, *_items: object) -> None:
        held = self._held()
        is_mine = held is not None and held.is_mine
        self.accept_button.setText(translated("It is me" if is_mine else "Accept here"))
        self.refuse_button.setText(translated("Not me" if is_mine else "Refuse"))
        self.accept_button.setEnabled(held is not None)
        self.refuse_button.setEnabled(held is not None and not held.is_refused)

    def _say(self, *, is_accepted: bool) -> None:
        held = self._held()
        if held is not None:
            self._answer(held, is_accepted)
