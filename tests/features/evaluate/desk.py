"""A window at the table of scores."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication

from annotate.marks import gold_file
from gui.features.evaluate.headers import HeaderLines
from gui.features.evaluate.view import EvaluateView
from tests.features.evaluate.scored import (
    METHODS,
    STORIES,
    file_of,
    key_of,
    marked,
    rows,
)

LEFT = Qt.MouseButton.LeftButton
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
PLAIN, BTE, DSC, LQF, WEBTERRAIN = range(len(METHODS))


class Desk:
    """A window on a folder of pages, at the table of their scores."""

    def __init__(self, window, qtbot, folder):
        self.window, self.qtbot, self.folder = window, qtbot, folder
        self.session, self.main_area = window.session, window.main_area
        self.table = window.main_area.get(EvaluateView)
        self.grid, self.bar, self.model = self.table.grid, self.table.filter_bar, self.table.model
        self.shown = self.model.shown

    def open_pages(self):
        for name in STORIES:
            file = self.folder / name
            file.write_bytes(file_of(name))
            gold_file.write(gold_file.gold_path(file), *marked(name))
        layers = [layer for layer in self.session.layers.all if layer.is_gold]
        self.session.layers.set_layers(tuple(layers))
        for key in METHODS:
            self.session.layers.add_method(key)
        with self.qtbot.waitSignal(self.session.open.page_changed, timeout=20_000):
            self.window.workbench.navigation.open_path(str(self.folder))

    def fill(self):
        for name in STORIES:
            self.table.running.page_done.emit(key_of(name), rows(name))

    def mark(self, hand, mode, selector):
        """Change the marks of the open page by a click on it."""
        before = self.session.open.gold
        self.press(Qt.Key.Key_F8)
        hand.workbench.session.selection.set_mode(mode)
        hand.click(selector)
        self.qtbot.waitUntil(lambda: self.session.open.gold != before)

    def press(self, key, modifier=Qt.KeyboardModifier.NoModifier):
        self.qtbot.keyClick(QApplication.focusWidget(), key, modifier)

    def listed(self):
        return [self.shown.table.pages[page].name for page in self.shown.order]

    def click_head(self, section, modifier=Qt.KeyboardModifier.NoModifier, y=None):
        heads = self.grid.heads
        x = heads.sectionViewportPosition(section) + heads.sectionSize(section) // 2
        position = QPoint(x, HeaderLines(heads).band + 8 if y is None else y)
        self.qtbot.mouseClick(heads.viewport(), LEFT, modifier, position)

    def click_cell(self, row, section):
        index = self.grid.visualRect(self.model.index(row, section)).center()
        self.qtbot.mouseClick(self.grid.viewport(), LEFT, pos=index)

    def open_cell(self, row, section):
        """Double-click a cell: beside the inspector a click only moves that."""
        index = self.grid.visualRect(self.model.index(row, section)).center()
        self.qtbot.mouseClick(self.grid.viewport(), LEFT, pos=index)
        self.qtbot.mouseDClick(self.grid.viewport(), LEFT, pos=index)

    def wait_for_page(self, name):
        self.qtbot.waitUntil(
            lambda: self.session.open.page is not None and self.session.open.document.path == name,
            timeout=20_000,
        )

    def drawn(self):
        return {layer.key for layer in self.session.layers.all if layer.visible}


def make_desk(window, qtbot, folder):
    folder.mkdir()
    made = Desk(window, qtbot, folder)
    made.open_pages()
    window.workbench.canvas.view.setFocus()
    made.press(Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: made.bar.type.count() == 2)  # the gold has been read
    made.fill()
    made.grid.setFocus()  # where starting a run puts the focus
    return made
