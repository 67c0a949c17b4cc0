"""Combo box that elides its text; the tool tip has all of it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter, QWidget

from gui.widgets.tips import plain


class ElidedCombo(QComboBox):
    """Asks for the room of a few letters; the list that opens is as wide as its entries."""

    def __init__(self, name: str, letters: int = 10, parent: QWidget | None = None) -> None:
        """``name`` is for who cannot see it, and the tool tip while all of the choice is shown."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setToolTip(plain(name))
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.setSizeAdjustPolicy(policy)
        self.setMinimumContentsLength(letters)
        self.setMaxVisibleItems(24)
        self._name = name

    def offer(self, entries: Sequence[tuple[str, object]]) -> bool:
        """Offer texts with their values; return whether they are others than before."""
        if [*entries] == [(self.itemText(k), self.itemData(k)) for k in range(self.count())]:
            return False
        self.clear()
        for text, value in entries:
            self.addItem(text, value)
        return True

    def shown_text(self) -> str:
        """Return the elided text."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        mode = Qt.TextElideMode.ElideRight
        return self.fontMetrics().elidedText(self.currentText(), mode, field.width() - 4)

    def showPopup(self) -> None:
        """Open the list wide enough for its longest entry, as far as the window goes."""
        view = self.view()
        width = view.sizeHintForColumn(0) + 2 * view.frameWidth() + 28
        view.setMinimumWidth(min(max(width, self.width()), self.window().width()))
        super().showPopup()

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.shown_text()
        tip = self._name if shown == self.currentText() else self.currentText()
        if self.toolTip() != plain(tip):
            self.setToolTip(plain(tip))
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = shown
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
