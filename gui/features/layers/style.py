"""Opacity of a layer and its shown levels: a part of the Details panel."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from algorithms.core.catalogue import method
from gui.state.session import Session
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Segments, ValueSlider


class StylePart(QWidget):
    """Opacity and levels of one layer."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._key = session, session.layers.current_layer
        self.opacity = ValueSlider(10, 100, " %", "Opacity", self)
        self.opacity.slider.setToolTip("Opacity")
        self.opacity.changed.connect(
            lambda value: session.layers.change_layer(self._key, opacity=value / 100)
        )
        self.level = Segments(
            [(0, "1 + 2", "Both levels"), (1, "1", "Level 1 only"), (2, "2", "Level 2 only")], self
        )
        self.level.picked.connect(lambda level: session.layers.change_layer(self._key, level=level))
        lay_out(QHBoxLayout(self), (self.opacity, 1), self.level, spacing=10)

    def show_layer(self, key: str) -> None:
        """Show the style of a layer."""
        layer = self._session.layers.layer(key)
        self._key = key
        self.opacity.set_value(round(layer.opacity * 100))
        self.level.set_value(layer.level)
        self.level.setVisible(not layer.is_gold and method(key).output == "segmentation")
