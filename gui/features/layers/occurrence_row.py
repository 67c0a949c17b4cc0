"""Row below the layers: frequency of blocks on the site's pages, and its threshold."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSlider, QWidget

from gui.features.layers.layer_row import LayersHost
from gui.state.session import Session
from gui.widgets.layouts import lay_out
from gui.widgets.parts import tone


class OccurrenceRow(QWidget):
    """Row shown while the open page has siblings."""

    def __init__(self, session: Session, host: LayersHost, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.box = QCheckBox("On at least", self)
        self.box.setToolTip(
            "Draws how often each block stands on the pages of the site  (Ctrl+Shift+H)"
        )
        self.slider = QSlider(Qt.Orientation.Horizontal, self)
        self.slider.setRange(0, 100)
        self.slider.setPageStep(10)
        self.slider.setAccessibleName("Share of the site's pages from which a block is drawn")
        self.words = QLabel(self)
        tone(self.words, "muted")
        self.words.setMinimumWidth(self.words.fontMetrics().horizontalAdvance("100% of 1000 pages"))
        lay_out(
            QHBoxLayout(self), self.box, (self.slider, 1), self.words,
            margins=(10, 4, 10, 6), spacing=8,
        )  # fmt: skip
        self.box.clicked.connect(lambda: host.toggle_occurrence())
        self.slider.valueChanged.connect(
            lambda value: session.layers.occurrence.set_least(value / 100)
        )
        session.layers.occurrence.shown_changed.connect(self._refresh)
        session.layers.occurrence.changed.connect(self._refresh)
        session.open.document_changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        state = self._session.layers.occurrence
        self.setVisible(bool(self._session.open.siblings))
        self.box.setChecked(state.is_shown)
        self.slider.setEnabled(state.is_shown)
        self.slider.blockSignals(True)
        self.slider.setValue(round(100 * state.least))
        self.slider.blockSignals(False)
        of = f"{state.pages} pages" if state.pages else "the site"
        self.words.setText(f"{state.least:.0%} of {of}")
