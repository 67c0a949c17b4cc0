"""A scroll area for a panel: scrolls down, never across, since it is as wide as what it holds."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QStyle, QWidget

from gui.widgets.event_filters import until_collected


class ColumnArea(QScrollArea):
    """Asks for the width its content needs, so that nothing is cut off at any width."""

    def __init__(self, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._content = content
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(content)
        content.installEventFilter(self)

    def minimumSizeHint(self) -> QSize:
        """Return the width of the content with the scroll bar, and little height."""
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
        return QSize(self._content.minimumSizeHint().width() + bar, 60)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and watched is self._content:
            self.updateGeometry()
        return super().eventFilter(watched, event)
