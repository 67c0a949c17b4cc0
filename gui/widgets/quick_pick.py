"""A small field over the page that one types into: names of types, addresses.  Never modal."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.widgets.events import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import ElidedLabel, KeyCap, small, tone

MOST = 8
"""Matches shown at a time."""


@dataclass(frozen=True)
class Choice:
    """Something offered: its text, a remark, a key that takes it without the field.

    ``taken`` is called in place of what gets the text, where there are two ways to mean it.
    ``detail`` is shown below the text; a choice that ``is_off`` is grey.
    """

    text: str
    remark: str = ""
    key: str = ""
    taken: Callable[[], None] | None = None
    detail: str = ""
    is_off: bool = False

    @property
    def spoken(self) -> str:
        """Text for screen readers."""
        return ", ".join(filter(None, (self.text, self.remark, self.key, self.detail)))


Offer = Callable[[str], Sequence[Choice]]
"""What fits the typed letters, best first."""


def as_typed(typed: str, offered: Sequence[Choice]) -> list[Choice]:
    """Return the typed text as a choice, unless it is one: "List" is not "Link list"."""
    return [] if typed in [choice.text for choice in offered] else [Choice(typed, "as typed")]


def matching(choices: Sequence[Choice], typed: str) -> list[Choice]:
    """Return what fits the typed letters: names that start so, then words, then anywhere."""
    query = typed.casefold().strip()
    if not query:
        return list(choices)

    def rank(choice: Choice) -> int:
        text = choice.text.casefold()
        if text.startswith(query):
            return 0
        if any(word.startswith(query) for word in text.split()):
            return 1
        return 2 if query in text else 3

    return sorted((c for c in choices if rank(c) < 3), key=rank)


class QuickPick(QFrame):
    """Asks for one line of text, with type-ahead; Enter takes, Esc leaves."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self._ground = ground
        self.setObjectName("TypeField")
        self._choices: Sequence[Choice] = ()
        self._taken: Callable[[str], None] = lambda _text: None
        self._is_whole: Callable[[str], bool] = lambda _text: False
        self._more: Callable[[str, Sequence[Choice]], Sequence[Choice]] | None = None
        self._offer: Offer | None = None
        self._offered: list[Choice] = []
        self._before: QWidget | None = None
        self._title = QLabel("", self)
        tone(small(self._title, 0.9), "muted")
        self.line = QLineEdit(self)
        self.line.installEventFilter(self)
        self.line.textChanged.connect(self._refresh)
        self.list = QListWidget(self)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemClicked.connect(self._take_item)
        self.list.currentItemChanged.connect(self._speak)
        parts = (self._title, self.line, self.list)
        lay_out(QVBoxLayout(self), *parts, margins=(12, 10, 12, 12), spacing=7)
        self.setGraphicsEffect(QGraphicsDropShadowEffect(self, blurRadius=28, offset=QPointF(0, 6)))
        ground.installEventFilter(self)
        self.hide()

    def ask(
        self,
        title: str,
        placeholder: str,
        taken: Callable[[str], None],
        choices: Sequence[Choice] = (),
        text: str = "",
        *,
        is_whole: Callable[[str], bool] = lambda _text: False,
        more: Callable[[str, Sequence[Choice]], Sequence[Choice]] | None = None,
    ) -> None:
        """Ask for a line; ``taken`` gets it once, unless the user leaves.

        If ``is_whole`` returns that the typed text needs no completion, Enter takes it as typed.
        ``more(text)`` returns entries listed after the matching ``choices``; without it
        that is `as_typed`, where there are choices at all.
        """
        self._choices, self._taken, self._is_whole = choices, taken, is_whole
        self._more, self._offer = more or (as_typed if choices else None), None
        self._open(title, placeholder, text)

    def ask_for(self, title: str, placeholder: str, offer: Offer) -> None:
        """Ask for one of what ``offer`` gives for the typed letters; each is ``taken`` by itself.

        The first is chosen from the start.
        """
        self._choices, self._taken, self._is_whole = (), lambda _text: None, lambda _text: False
        self._more, self._offer = None, offer
        self._open(title, placeholder, "")

    @property
    def asks(self) -> Offer | None:
        """Source of the shown choices (`ask_for`)."""
        return self._offer if self.isVisible() else None

    def _open(self, title: str, placeholder: str, text: str) -> None:
        if not self.isVisible():
            self._before = self.window().focusWidget()
        self._title.setText(title)
        self.line.setPlaceholderText(placeholder)
        self.line.setAccessibleName(title)
        self.line.setText(text)
        self.line.selectAll()
        self._refresh()
        self.show()
        self.raise_()
        self.line.setFocus()

    def offered(self) -> list[str]:
        """Return what the list offers now."""
        return [choice.text for choice in self._offered]

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows choose from the list, Enter takes, Esc leaves; going elsewhere leaves too."""
        if watched is self.line and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                return self._key(event)
        if watched is self.line and event.type() == QEvent.Type.FocusOut:
            self.hide()
        if watched is self._ground and event.type() == QEvent.Type.Resize:
            self._arrange()
        return False

    def _key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.leave()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            row = self.list.currentRow()
            self._take(self._offered[row] if row >= 0 else Choice(self.line.text().strip()))
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self.list.count():
            step = 1 if key == Qt.Key.Key_Down else -1
            self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
        else:
            return False
        return True

    def _take_item(self, item: QListWidgetItem) -> None:
        self._take(self._offered[self.list.row(item)])

    def _take(self, choice: Choice) -> None:
        self.leave()
        if choice.taken is not None:
            choice.taken()
        elif choice.text:
            self._taken(choice.text)

    def leave(self) -> None:
        """Return the focus."""
        self.line.clearFocus()  # else hiding hands it on to the next field of the window
        self.hide()
        if self._before is not None:
            self._before.setFocus()

    def _refresh(self) -> None:
        typed = self.line.text().strip()
        self.list.clear()
        offered = list(
            self._offer(typed) if self._offer is not None else matching(self._choices, typed)
        )[:MOST]
        if self._more is not None and typed:
            offered += self._more(typed, offered)
        self._offered = offered
        for choice in offered:
            item = QListWidgetItem(self.list)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, choice.spoken)
            row = _ChoiceRow(choice, self.list)
            item.setSizeHint(row.sizeHint())
            self.list.setItemWidget(item, row)
        self._level()
        # Enter takes the first match; the typed text itself comes last.
        chosen = 0
        if typed and self._is_whole(typed):
            chosen = next((k for k, each in enumerate(offered) if each.text == typed), 0)
        is_chosen = bool(self.list.count()) and (bool(typed) or self._offer is not None)
        self.list.setCurrentRow(chosen if is_chosen else -1)
        height = sum(self.list.sizeHintForRow(i) for i in range(self.list.count()))
        self.list.setFixedHeight(height + 2)
        self.list.setVisible(bool(self.list.count()))
        self._arrange()

    def _level(self) -> None:
        """Make rows of two lines equally high, with or without a key."""
        items = [self.list.item(n) for n in range(self.list.count())]
        rows = [item.sizeHint().height() for item in items]
        high = max((height for height in rows if height < 1.4 * min(rows)), default=0)
        for item in items:
            item.setSizeHint(item.sizeHint().expandedTo(QSize(0, high)))

    def _speak(self, item: QListWidgetItem | None) -> None:
        """Announce the current choice: it keeps the keyboard."""
        spoken = item.data(Qt.ItemDataRole.AccessibleTextRole) if item is not None else ""
        self.line.setAccessibleDescription(str(spoken or ""))

    def _arrange(self) -> None:
        ground = self._ground
        widest = 660 if self._offer is not None else 560 if self._more is None else 400
        width = min(widest, ground.width() - 32)
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((ground.width() - width) // 2, min(64, max(8, ground.height() // 10)))


class _ChoiceRow(QWidget):
    """A choice: its name, remark and key, and a line below."""

    def __init__(self, choice: Choice, parent: QWidget) -> None:
        super().__init__(parent)
        name = small(QLabel(choice.text, self), 1.0)
        if choice.is_off:
            tone(name, "muted")
        remark = small(QLabel(choice.remark, self), 0.88)
        tone(remark, "muted")
        keys = [KeyCap(choice.key, self)] if choice.key else []
        line = lay_out(QHBoxLayout(), name, (remark, 1), *keys, margins=None, spacing=8)
        whole = lay_out(QVBoxLayout(self), line, margins=(8, 3, 6, 3), spacing=0)
        if choice.detail:
            detail = ElidedLabel(choice.detail, self)
            tone(small(detail, 0.86), "muted")
            whole.addWidget(detail)
