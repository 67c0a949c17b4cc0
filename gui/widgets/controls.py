"""Labels, buttons and fields as panels and views show them, each made in one call.

Screen readers get messages, and names of parts that Qt makes without one.  Qt knows the roles of
Qt's classes.  One that paints itself has none, and PySide cannot give it one (an interface made in
Python is freed twice), so its accessible description says what it is.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from gui.widgets.parts import small, tone
from gui.widgets.texts import plain
from gui.widgets.theme import themed_icon

_SELECTABLE = Qt.TextInteractionFlag.TextSelectableByMouse


def text_label(
    parent: QWidget,
    text: str = "",
    color: str = "muted",
    factor: float = 0.95,
    *,
    is_selectable: bool = False,
) -> QLabel:
    """Return a label of plain text in as many lines as it takes, in a tone of the style sheet."""
    label = small(QLabel(text, parent), factor)
    label.setWordWrap(True)
    if is_selectable:
        label.setTextInteractionFlags(_SELECTABLE)
    tone(label, color)
    return label


def note_label(parent: QWidget) -> QLabel:
    """Return a box for an explanation that can be copied; hidden at first."""
    label = text_label(parent, color="", factor=0.9, is_selectable=True)
    label.setObjectName("Note")
    label.setContentsMargins(9, 6, 9, 7)
    label.hide()
    return label


def column_head(text: str, parent: QWidget, factor: float = 0.82) -> QLabel:
    """Return the heading of a column of numbers."""
    label = small(QLabel(text, parent), factor)
    label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom)
    tone(label, "muted")
    return label


def push_button(
    text: str,
    parent: QWidget,
    act: Callable[[], object] | None = None,
    tip: str = "",
    *,
    look: str = "",
) -> QPushButton:
    """Return a button; ``look`` is a property of the style sheet: "link" or "main"."""
    button = QPushButton(text, parent)
    if look:
        button.setProperty(look, True)
    button.setToolTip(plain(tip))
    if act is not None:
        button.clicked.connect(lambda: act())
    return button


class SearchField(QLineEdit):
    """A field to search by, with a lens and a button that clears it."""

    def __init__(self, words: str, parent: QWidget, name: str = "") -> None:
        """``name`` is for screen readers, where ``words`` would not do."""
        super().__init__(parent)
        self.setPlaceholderText(words)
        self.setAccessibleName(name or words)
        self.setProperty("quiet", True)
        make_clearable(self)
        self._lens = self.addAction(
            themed_icon(self, "search", "muted"), QLineEdit.ActionPosition.LeadingPosition
        )
        self._lens.setText("Find")

    def start(self) -> None:
        """Take the keyboard, all words selected."""
        self.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.selectAll()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_lens"):
            self._lens.setIcon(themed_icon(self, "search", "muted"))


def announce(widget: QWidget, text: str) -> None:
    """Announce a message to screen readers."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def search_field(placeholder: str, parent: QWidget, name: str = "") -> QLineEdit:
    """Return a field that can be emptied; readers get its ``name``, else the placeholder."""
    field = QLineEdit(parent, placeholderText=placeholder)
    field.setAccessibleName(name or placeholder)
    make_clearable(field)
    return field


def make_clearable(field: QLineEdit) -> None:
    """Add the button that empties a field, with a name."""
    field.setClearButtonEnabled(True)
    button = field.findChild(QToolButton)
    assert isinstance(button, QToolButton)
    button.setAccessibleName("Clear")
