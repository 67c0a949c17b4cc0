"""Bar above the Site view: choice of the distance, progress, transfer of marks."""

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QWidget

from algorithms.plugins.site.distances import DISTANCES
from engine.words import plural
from gui.widgets.controls import push_button
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, ElidedLabel, tone
from gui.widgets.tips import plain


class SiteBar(QWidget):
    """Distance, state, transfer of marks, the way back."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.distance = QComboBox(self)
        self.distance.setAccessibleName("Distance of pages")
        for entry in DISTANCES:
            self.distance.addItem(entry.name, entry.key)
        self.distance.setCurrentIndex(self.distance.findData("cps-class"))
        self.transfer = push_button(
            "Transfer marks", self,
            tip="Finds what is marked on the selected pages, else on the open one, on the other "
            "pages of their cluster",
        )  # fmt: skip
        self.pair = QPushButton("Side by side", self)
        self.busy = Busy(self, 14)
        self.words = ElidedLabel("", self)
        tone(self.words, "muted")
        label = QLabel("Distance", self)
        label.setBuddy(self.distance)
        lay_out(
            QHBoxLayout(self), label, self.distance, self.transfer, self.pair, 6, self.busy,
            (self.words, 1), margins=(12, 8, 8, 8), spacing=8,
        )  # fmt: skip
        self.show_idle("", can_transfer=False)
        self.show_selected(0)

    def show_read(self, count: int, total: int) -> None:
        """Show that pages are read and compared."""
        self.busy.show()
        comparing = f"Comparing {plural(total, 'page')}"
        self.words.setText(f"Reading page {count} of {total}" if count < total else comparing)

    def show_selected(self, count: int) -> None:
        """Show the actions for a number of selected pages."""
        self.pair.setEnabled(count == 2)
        text = (
            "The two selected pages, aligned by their template  (Shift+F12)"
            if count == 2
            else "Select two pages to see them side by side: click one, Ctrl+click the other"
        )
        self.pair.setToolTip(plain(text))

    def show_idle(self, words: str, *, can_transfer: bool) -> None:
        self.busy.hide()
        self.words.setText(words)
        self.transfer.setEnabled(can_transfer)
