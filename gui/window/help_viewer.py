"""The documentation in a window of its own: contents and search at the left, the text beside it."""

import re
from collections.abc import Iterator
from functools import cached_property

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QSplitter,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.widgets.parts import IconButton
from gui.widgets.tips import plain
from gui.window.help_text import ABOUT, HelpText
from resources.documentation import PAGES, Section, read_page, sections

_TARGET = Qt.ItemDataRole.UserRole
_SEARCH_MS = 120
_MARKUP = re.compile(r"<!--.*?-->|[`*|]|\[([^\]]*)\]\([^)]*\)", re.DOTALL)


def hits(words: str) -> Iterator[tuple[str, Section, str]]:
    """Yield page, section and a line of it for each section that has all the words in it."""
    wanted = words.casefold().split()
    for page in PAGES if wanted else ():
        for section in sections(read_page(page)):
            plain = _MARKUP.sub(lambda found: found[1] or "", section.text)
            whole = f"{section.title} {plain}".casefold()
            if all(word in whole for word in wanted):
                lines = (line.strip(" -") for line in plain.splitlines())
                yield page, section, next((ln for ln in lines if wanted[0] in ln.casefold()), "")


class HelpViewer(QWidget):
    """Made once, shown when asked for; never in the way of the window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.setWindowTitle("Help – Pagelet")
        self.setObjectName("HelpViewer")
        self.resize(1000, 760)
        self.search = QLineEdit(self)
        self.search.setPlaceholderText("Search the help")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the help")
        self.tree = QTreeWidget(self)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setAccessibleName("Contents")
        self.text = HelpText(self)
        self._later = QTimer(self, singleShot=True, interval=_SEARCH_MS)
        self._later.timeout.connect(self._look)
        self._arrange()
        self._list_contents()
        self.search.textChanged.connect(lambda _: self._later.start())
        self.search.installEventFilter(self)
        self.tree.itemClicked.connect(lambda item, _: self._go_to(item))
        self.tree.itemActivated.connect(lambda item, _: self._go_to(item))
        self.text.sourceChanged.connect(lambda url: self._show_in_contents(url.fileName()))

    def open_at(self, target: str) -> None:
        """Show a page, or a heading of it, and bring the window to the front."""
        self.search.clear()
        self.text.open_page(target)
        self.show()
        self.raise_()
        self.activateWindow()
        self.text.setFocus()

    def found(self) -> list[str]:
        """Return what the list at the left names, line by line."""
        items = self.tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive)
        return [item.text(0) for item in items]

    # building ------------------------------------------------------------------------------
    def _arrange(self) -> None:
        back = IconButton("previous", "Back  (Alt+←)", self)
        forward = IconButton("next", "Forward  (Alt+→)", self)
        for button, go, can in (
            (back, self.text.backward, self.text.backwardAvailable),
            (forward, self.text.forward, self.text.forwardAvailable),
        ):
            button.setEnabled(False)
            button.clicked.connect(go)
            can.connect(button.setEnabled)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)
        QShortcut(QKeySequence("/"), self, self.search.setFocus)
        head = QHBoxLayout()
        head.setContentsMargins(10, 10, 8, 6)
        for part, stretch in ((self.search, 1), (back, 0), (forward, 0)):
            head.addWidget(part, stretch)
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.tree)
        split = QSplitter(self)
        split.setHandleWidth(1)
        split.setChildrenCollapsible(False)
        split.addWidget(left)
        split.addWidget(self.text)
        split.setStretchFactor(1, 1)
        split.setSizes([280, 720])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(split)

    def _list_contents(self) -> None:
        self.tree.clear()
        for page, title in PAGES.items():
            top = _item(title, page)
            self.tree.addTopLevelItem(top)
            for section in sections(read_page(page)):
                if section.level == 2:
                    top.addChild(_item(section.title, f"{page}#{section.anchor}"))
        self.tree.addTopLevelItem(_item("About Pagelet", ABOUT))
        self._show_in_contents(self.text.page)

    # what the user does --------------------------------------------------------------------
    def _look(self) -> None:
        words = self.search.text()
        if not words.strip():
            self._list_contents()
            self.text.mark("")
            return
        self.tree.clear()
        tops: dict[str, QTreeWidgetItem] = {}
        for page, section, line in hits(words):
            if page not in tops:
                tops[page] = _item(PAGES[page], page)
                self.tree.addTopLevelItem(tops[page])
                tops[page].setExpanded(True)
            item = _item(f"{section.title} – {line}", f"{page}#{section.anchor}")
            tops[page].addChild(item)
        if not tops:
            nothing = _item(f"Nothing found for “{words.strip()}”", "")
            nothing.setFlags(Qt.ItemFlag.NoItemFlags)
            self.tree.addTopLevelItem(nothing)
        self.text.mark(words.split()[0])

    def _go_to(self, item: QTreeWidgetItem) -> None:
        target = str(item.data(0, _TARGET))
        if target:
            self.text.open_page(target)
            words = self.search.text().split()
            self.text.mark(words[0] if words else "")

    def _show_in_contents(self, page: str) -> None:
        """Unfold a page in the table of contents, and no other."""
        if self.search.text().strip():
            return
        for index in range(self.tree.topLevelItemCount()):
            item = self.tree.topLevelItem(index)
            assert item is not None
            is_shown = str(item.data(0, _TARGET)) == page
            item.setExpanded(is_shown)
            if is_shown:
                self.tree.setCurrentItem(item)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down and Enter in the search field go on to what was found."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Down:
                self.tree.setFocus()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._open_first()
                return True
        return super().eventFilter(watched, event)

    def _open_first(self) -> None:
        self._later.stop()
        self._look()
        top = self.tree.topLevelItem(0)
        first = top.child(0) if top is not None else None
        if first is not None:
            self.tree.setCurrentItem(first)
            self._go_to(first)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc ends a search, then closes the window."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.search.text():
            self.search.clear()
        else:
            self.close()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.text.set_again()


def _item(text: str, target: str) -> QTreeWidgetItem:
    item = QTreeWidgetItem([text])
    item.setData(0, _TARGET, target)
    item.setToolTip(0, plain(text))
    return item


class Help:
    """The documentation in a window of its own."""

    def __init__(self, window: QWidget) -> None:
        self._window = window

    @cached_property
    def viewer(self) -> HelpViewer:
        """Made when it is first asked for."""
        return HelpViewer(self._window)

    def open_at(self, target: str) -> None:
        """Show a page of the documentation."""
        self.viewer.open_at(target)
