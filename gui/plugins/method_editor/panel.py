"""Panel *Method editor*: code with its errors, saved by key."""

from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QWidget

from engine.words import sentence, shorten
from gui.plugins.method_editor.code_field import CodeField
from gui.plugins.method_editor.controller import MethodEditorController
from gui.widgets.controls import push_button
from gui.widgets.layouts import lay_out
from gui.widgets.parts import ElidedLabel, PanelDock, hint, small, tone
from gui.widgets.texts import plain, translate

_FIRST = (
    "Write an extractor of your own beside the page. Begin a new file from the template, or open "
    "one: saving it runs it on this page, and then on all pages against the version before."
)


_OFFERED = (
    "This workspace names a method file that was not opened here before. A method file runs as "
    "soon as it is open: open it if you know who wrote it."
)

_CHANGED = (
    "The method file of this workspace has changed since it was opened here ({change}). A method "
    "file runs as soon as it is open: open it if you know who changed it."
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
        self.save = push_button("Save and run", self, editing.save, "Ctrl+S")
        for widget in (self.on_all, self.save):
            self.add_to_title(widget)
        tip = "New method file from the template"
        self.new = self.title_button("plus", tip, editing.ask_new)
        self.open = self.title_button("open", "Open a method file", editing.ask_file)
        self.add_close("Close  (Ctrl+Alt+W)")
        self.code = CodeField(self)
        self.trouble = small(ElidedLabel("", self))
        self.trouble.setContentsMargins(12, 3, 8, 4)
        tone(self.trouble, "bad")
        self._none = hint(_FIRST, self)
        self.accept = push_button("", self, editing.accept)
        accept = (self.accept, 0, Qt.AlignmentFlag.AlignHCenter)
        lay_out(self.body, self._none, accept, (self.code, 1), self.trouble)
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
        super().toggle()
        if not self.isHidden():
            (self.new if self._editing.path is None else self.code).setFocus()

    def _show_text(self) -> None:
        if self.code.toPlainText() != self._editing.text:
            with QSignalBlocker(self.code):
                self.code.setPlainText(self._editing.text)

    def _on_typed(self) -> None:
        if self._editing.path is not None:
            self._editing.type(self.code.toPlainText())

    def _show_state(self) -> None:
        editing = self._editing
        has_file = editing.path is not None
        self._none.setVisible(not has_file)
        self._none.setText(translate(_FIRST if editing.offered is None else _OFFERED))
        if editing.offered is not None and editing.change:
            self._none.setText(plain(translate(_CHANGED).format(change=editing.change)))
        self.accept.setVisible(editing.offered is not None)
        if editing.offered is not None:
            self.accept.setText(f"Open {shorten(editing.offered.name)}".replace("&", "&&"))
            self.accept.setToolTip(plain(str(editing.offered)))
        for part in (self.code, self.save, self.on_all):
            part.setVisible(has_file)
        name = editing.path.name if editing.path is not None else ""
        self.set_remark(f"{name}{' · not saved' * (has_file and editing.is_modified)}")
        self.save.setEnabled(editing.is_modified)
        self.trouble.setText(sentence(editing.problem))
        self.trouble.setVisible(bool(editing.problem))
        if self.code.error_line != editing.error_line:
            self.code.show_error(editing.error_line, goes_there=not self.code.hasFocus())
            # The sentence below takes a line from the code.
            QTimer.singleShot(0, self.code, self.code.ensureCursorVisible)
