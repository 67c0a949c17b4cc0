"""A combo box and a label that fit their texts: one elides them, the other adds lines."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QWidget,
)

from gui.widgets.texts import plain


class ElidedCombo(QComboBox):
    """Asks for the room of a few letters; the list that opens is as wide as its entries."""

    def __init__(
        self, name: str, letters: int = 10, parent: QWidget | None = None, least: int | None = None
    ) -> None:
        """``name`` is for who cannot see it, and the tool tip while all of the choice is shown.

        It asks for the room of ``letters``, and gives way down to that of ``least`` letters.
        """
        super().__init__(parent)
        self._given = letters - (letters if least is None else least)
        self.setAccessibleName(name)
        self.setToolTip(plain(name))
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.setSizeAdjustPolicy(policy)
        self.setMinimumContentsLength(letters)
        self.setMaxVisibleItems(24)
        self._name = name

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        given = self._given * self.fontMetrics().horizontalAdvance("X")  # as Qt measures letters
        return QSize(hint.width() - given, hint.height())

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


class WrappedLabel(QLabel):
    """Keeps its lines when its text becomes bold, so that choosing it moves no others."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._metrics: QFontMetrics | None = None  # of the bold font; layouts ask again and again
        self._heights: dict[tuple[str, int], int] = {}

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._metrics = None
            self._heights.clear()
        super().changeEvent(event)

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines, as if they were bold."""
        sides = self.contentsMargins()
        text, room = self.text(), max(1, width - sides.left() - sides.right())
        height = self._heights.get((text, room))
        if height is None:
            inner = QRect(0, 0, room, 10_000)
            height = self._bold().boundingRect(inner, Qt.TextFlag.TextWordWrap, text).height()
            self._heights[text, room] = height
        return height + sides.top() + sides.bottom()

    def sizeHint(self) -> QSize:
        """Return what all of the text takes in one line."""
        return self._size(self._bold().horizontalAdvance(self.text()))

    def minimumSizeHint(self) -> QSize:
        """Return what the longest word takes."""
        words = self.text().split()
        return self._size(max(map(self._bold().horizontalAdvance, words), default=0))

    def _size(self, width: int) -> QSize:
        sides = self.contentsMargins()
        height = self._bold().height() + sides.top() + sides.bottom()
        return QSize(width + 2 + sides.left() + sides.right(), height)

    def _bold(self) -> QFontMetrics:
        if self._metrics is None:
            font = QFont(self.font())
            font.setWeight(max(font.weight(), QFont.Weight.DemiBold))
            self._metrics = QFontMetrics(font)
        return self._metrics
