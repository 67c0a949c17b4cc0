"""Panel *Method editor*: code with its errors, saved by key."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QPushButton, QWidget

from engine.words import sentence, shortened
from gui.plugins.method_editor.code_field import CodeField
from gui.plugins.method_editor.controller import MethodEditorController
from gui.widgets.parts import ElidedLabel, IconButton, PanelDock, hint, small, tone
from gui.widgets.texts import translated
from gui.widgets.tips import plain

_FIRST = (
    "Write an extractor of your own beside the page. Begin a new file from the template, or open "
    "one: saving it runs it on this page, and then on all pages against the version before."
)


_OFFERED = (
    "This workspace names a method file that was not opened here before. A method file runs as "
    "soon as it is open: open it if you know who wrote it."
)


class MethodEditorDock(PanelDock):
    """Editor of a method file; without a file, a sentence on how to begin."""

    def __init__(self, editing: MethodEditorController, parent: QWidget | None = None) -> None:
        super().__init__("Method editor", "MethodEditorDock", parent)
        self._editing = editing
        self.on_all = QCheckBox("All pages on saving", self)
        self.on_all.setToolTip("Saving also lists which of all pages changed, the worst first")
        self.on_all.setChecked(editing.is_on_all)
        self.on_all.toggled.connect(editing.set_on_all)
        self.save = QPushButton("Save and run", self)
        self.save.setToolTip("Ctrl+S")
        self.save.clicked.connect(editing.save)
        self.new = IconButton("plus", "New method file from the template", self)
        self.new.clicked.connect(editing.ask_new)
        self.open = IconButton("open", "Open a method file", self)
        self.open.clicked.connect(editing.ask_file)
        self.close_button = IconButton("close", "Close  (Ctrl+Alt+W)", self)
        self.close_button.clicked.connect(self.hide)
        for widget in (self.on_all, self.save, self.new, self.open, self.close_button):
            self.add_to_title(widget)
        self.code = CodeField(self)
        self.trouble = small(ElidedLabel("", self))
        self.trouble.setContentsMargins(12, 3, 8, 4)
        tone(self.trouble, "bad")
        self._none = hint(_FIRST, self)
        self.accept = QPushButton(self)
        self.accept.clicked.connect(editing.accept)
        self.body.addWidget(self._none)
        self.body.addWidget(self.accept, 0, Qt.AlignmentFlag.AlignHCenter)
        self.body.addWidget(self.code, 1)
        self.body.addWidget(self.trouble)
        self.code.textChanged.connect(self._on_typed)
        editing.opened.connect(self._show_text)
        editing.watch.is_in_sight = lambda path: path == editing.path and self.isVisible()
        editing.state_changed.connect(self._show_state)
        self._show_text()
        self._show_state()

    def toggle(self) -> None:
        """Show and focus the panel, or hide it."""
        if self.isHidden():
            self._editing.restore()
            self.show()
            self.raise_()
            (self.new if self._editing.path is None else self.code).setFocus()
        else:
            self.hide()

    def _show_text(self) -> None:
        if self.code.toPlainText() != self._editing.text:
            self.code.blockSignals(True)
            self.code.setPlainText(self._editing.text)
            self.code.blockSignals(False)

    def _on_typed(self) -> None:
        if self._editing.path is not None:
            self._editing.type(self.code.toPlainText())

    def _show_state(self) -> None:
        editing = self._editing
        has_file = editing.path is not None
        self._none.setVisible(not has_file)
        self._none.setText(translated(_FIRST if editing.offered is None else _OFFERED))
        self.accept.setVisible(editing.offered is not None)
        if editing.offered is not None:
            self.accept.setText(f"Open {shortened(editing.offered.name)}".replace("&", "&&"))
            self.accept.setToolTip(plain(str(editing.offered)))
        for part in (self.code, self.save, self.on_all):
            part.setVisible(has_file)
        self.set_remark("" if editing.path is None else
                        f"{editing.path.name}{' · not saved' * editing.is_modified}")  # fmt: skip
        self.save.setEnabled(editing.is_modified)
        self.trouble.setText(sentence(editing.problem))
        self.trouble.setVisible(bool(editing.problem))
        if self.code.error_line != editing.error_line:
            self.code.show_error(editing.error_line, goes_there=not self.code.hasFocus())
            # The sentence below takes a line from the code.
            QTimer.singleShot(0, self.code, self.code.ensureCursorVisible)
