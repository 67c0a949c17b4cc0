"""Exchange panel: formats of other tools, their losses, marks without a position."""

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QListWidget, QStackedWidget, QVBoxLayout, QWidget

from annotate.plugins.exchange.formats import format_of, formats
from annotate.plugins.exchange.imports import KEYS, NAMES
from engine.words import quote_start
from gui.plugins.exchange.controller import ExchangeController
from gui.state.session import Session
from gui.widgets.controls import push_button, text_label
from gui.widgets.layouts import lay_out
from gui.widgets.parts import PanelDock, Segments
from gui.widgets.texts import plain


class ExchangeDock(PanelDock):
    """Export on one side, import on the other; marks without a position below."""

    def __init__(
        self, session: Session, host: ExchangeController, parent: QWidget | None = None
    ) -> None:
        super().__init__("Exchange", "ExchangeDock", parent)
        self._session, self._host = session, host
        self.way = Segments(
            [("out", "Export", "Marks of this page for other tools"),
             ("in", "Import", "Marks of other tools onto this page")],
            self,
        )  # fmt: skip
        self.way.picked.connect(self._on_way)
        self.formats = self._combo("Format", {each.name: each.key for each in formats()})
        self.origins = self._combo("Format of the file", {NAMES[key]: key for key in KEYS})
        self.says = text_label(self)
        self.lines = QListWidget(self)
        self.lines.setObjectName("CommentList")
        self.lines.setAccessibleName("What is lost")
        self.lines.setWordWrap(True)
        self.lines.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.lines.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.lines.setFrameShape(QListWidget.Shape.NoFrame)
        self.lines.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.lines.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.write = push_button("Export this page…", self, self._ask_folder)
        tip = "All pages of the workspace that you have marked"
        ask_all = partial(self._ask_folder, is_all=True)
        self.write_all = push_button("Export all pages…", self, ask_all, tip)
        self.choose = push_button("Choose a file…", self, self._ask_file)
        self.take = push_button("Import", self, host.take_in)
        self._build_layout()
        for box in (self.formats, self.origins):
            box.currentIndexChanged.connect(lambda _index: self._refresh())
        host.changed.connect(self._refresh)
        self.start("out")
        self.hide()

    def _build_layout(self) -> None:
        self._top = QStackedWidget(self)
        for parts in (
            (self.formats, self.write, self.write_all),
            (self.origins, self.choose, self.take),
        ):
            page = QWidget(self._top)
            lay_out(QVBoxLayout(page), *parts, None, spacing=6)
            self._top.addWidget(page)
        top = QWidget(self)  # in the body they would get the panel's background
        lay_out(QVBoxLayout(top), self.way, self._top, self.says, margins=(14, 2, 10, 4), spacing=6)
        lay_out(self.body, top, (self.lines, 1))

    def _combo(self, name: str, values: Mapping[str, str]) -> QComboBox:
        combo = QComboBox(self)
        combo.setAccessibleName(name)
        combo.setToolTip(plain(name))
        for text, value in values.items():
            combo.addItem(text, value)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(12)
        return combo

    def start(self, way: str) -> None:
        """Show the panel with one of its sides: ``out`` or ``in``."""
        self._on_way(way)
        self.show()
        self.raise_()
        (self.formats if way == "out" else self.origins).setFocus()

    def entries(self) -> list[str]:
        return [self.lines.item(row).text() for row in range(self.lines.count())]

    def _on_way(self, way: object) -> None:
        self.way.set_value(way)
        self._top.setCurrentIndex(0 if way == "out" else 1)
        self._is_out = way == "out"
        self._refresh()

    def _refresh(self) -> None:
        has_page = self._session.open.page is not None
        for part in (self.write, self.choose):
            part.setEnabled(has_page)
        self.write_all.setEnabled(not self._host.is_exporting)
        self.lines.clear()
        result = self._host.import_lines()
        self.take.setEnabled(result is not None)
        if self._is_out:
            chosen = format_of(self.formats.currentData())
            lost = self._host.lost(chosen.key) if has_page else ()
            head = f"Writes {chosen.writes}; {chosen.comes_back}."
            self.says.setText(f"{head} {chosen.loses}".strip())
            note = ["This format keeps all of this page"] if has_page else []
            self.lines.addItems([*(f"Lost: {each}" for each in lost)] or note)
        else:
            self.says.setText(
                "Marks are matched by path, position and text; boxes to the elements they fit."
            )
            self.lines.addItems(list(result or ()))
        for mark, made in self._host.orphans():
            text = quote_start(mark.quote, 200) if mark.quote else mark.type or "no text"
            self.lines.addItem(f"No longer on the page: {text}{f', {made}' if made else ''}")

    def _ask_folder(self, *, is_all: bool = False) -> None:
        what = "all pages of the workspace" if is_all else "this page"
        export = self._host.export_all if is_all else self._host.export
        self._host.files.open_folder(
            f"Export the marks of {what} into a folder",
            lambda folder: export(str(self.formats.currentData()), folder),
        )

    def _ask_file(self) -> None:
        self._host.files.open(
            "Import marks of another tool",
            "",
            lambda path: self._host.show_preview(str(self.origins.currentData()), path),
        )
