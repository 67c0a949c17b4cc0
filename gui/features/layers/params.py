"""Form of parameters, with a field for each declaration."""

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFileDialog,
    QHBoxLayout,
    QLineEdit,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from algorithms.params import FileKind, Params, Spec, Value
from engine.errors import ParameterError
from engine.words import sentence
from gui.widgets.controls import make_clearable, text_label
from gui.widgets.events import take_copy
from gui.widgets.file_dialog import file_dialog
from gui.widgets.fitted_texts import WrappedLabel
from gui.widgets.layouts import lay_out
from gui.widgets.parts import IconButton, clear
from gui.widgets.texts import plain


class FileField(QWidget):
    """Path with a button that asks for one; only valid files are accepted.

    An invalid path stays for correction, with the reason below, and the method keeps its file. An
    accepted path is checked again whenever it is shown.

    Args:
        kind: Kind of file.
        problem: Returns the problem of a path's file, "" if there is none.
    """

    taken = Signal(str)  # a valid path, "" for none

    def __init__(self, kind: FileKind, problem: Callable[[str], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._kind, self._problem_of = kind, problem
        self._path = ""
        self.setAcceptDrops(True)
        self.line = QLineEdit(self)
        self.line.setPlaceholderText(kind.none)
        make_clearable(self.line)
        self.line.setAcceptDrops(False)  # the whole field takes files
        self.line.editingFinished.connect(lambda: self._offer(self.line.text()))
        self.line.textChanged.connect(self._on_text)
        tip = f"Choose a file ({' '.join(kind.patterns)})"
        self.button = IconButton("open", tip, self, self._choose)
        self.trouble = text_label(self, color="bad", factor=0.9)
        self.trouble.hide()
        row = lay_out(QHBoxLayout(), (self.line, 1), self.button, spacing=4)
        lay_out(QVBoxLayout(self), row, self.trouble, spacing=3)

    def show_path(self, path: str) -> None:
        """Show the used path, and whether its file is still valid; emits nothing."""
        self._path = path
        self._show(path, self._problem_of(path) if path else "")

    def _on_text(self, text: str) -> None:
        if not text:  # cleared, with the button or the keyboard
            self._offer("")

    def _offer(self, text: str) -> None:
        path = str(Path(text.strip()).expanduser()) if text.strip() else ""
        problem = self._problem_of(path) if path else ""
        self._show(path, problem)
        if not problem and path != self._path:
            self._path = path
            self.taken.emit(path)

    def _show(self, path: str, problem: str) -> None:
        if path != self.line.text():
            with QSignalBlocker(self.line):
                self.line.setText(path)
        self.line.setToolTip(plain(path))
        # The file is named just above.
        text = problem.removeprefix(f"{path}: ").removeprefix(f"{Path(path).name}, ")
        self.trouble.setText(sentence(text))
        self.trouble.setVisible(bool(problem))

    # choosing and dropping -------------------------------------------------------------------
    def _choose(self) -> None:
        kinds = f"{self._kind.name} ({' '.join(self._kind.patterns)});;All files (*)"
        folder = str(Path(self._path).parent) if self._path else str(Path.home())
        dialog = file_dialog(self.window(), f"{self._kind.name}: choose a file", folder, kinds)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._offer)
        dialog.open()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a file, and show that it can be dropped."""
        if _file_of(event.mimeData()):
            take_copy(event)
            self.line.setPlaceholderText("Drop to use this file")

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.line.setPlaceholderText(self._kind.none)

    def dropEvent(self, event: QDropEvent) -> None:
        """Accept the file if it is valid."""
        self.line.setPlaceholderText(self._kind.none)
        if path := _file_of(event.mimeData()):
            take_copy(event)
            self._offer(path)


def _file_of(data: QMimeData) -> str:
    """Return the first local file of a drag; "" if there is none."""
    return next((url.toLocalFile() for url in data.urls() if url.isLocalFile()), "")


STEPS = 200
"""Number of slider steps over a range of fractions."""


class _QuietWheel(QObject):
    """Lets the wheel scroll the panel instead of changing the field under the mouse."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass wheel events of unfocused fields to the panel."""
        is_wheel = event.type() == QEvent.Type.Wheel
        if is_wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()
            return True
        return False


class ParamField(QWidget):
    """Field of a parameter: name, a control for its type and bounds, help."""

    changed = Signal(str, object)  # name, value; only from the user

    def __init__(
        self, name: str, spec: Spec, default: Value, quiet: QObject, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.name = name
        self._set: list[Callable[[Value], None]] = []
        self._quiet = quiet
        self.setToolTip(plain(f"{spec.help}\nDefault: {_in_words(default)}"))
        top = lay_out(QHBoxLayout(), spacing=8)
        layout = lay_out(QVBoxLayout(self), top, spacing=2)
        title = name.replace("_", " ")
        if isinstance(default, bool):
            top.addWidget(self._check_box(title))
        else:
            top.addWidget(WrappedLabel(title, self), 1)
            if spec.choices:
                top.addWidget(self._combo(spec.choices))
            elif spec.file is not None:
                layout.addWidget(self._file(spec, spec.file))
            elif isinstance(default, str):
                top.addWidget(self._line())
            else:
                top.addWidget(self._spin(default, spec.low, spec.high))
                if spec.low is not None and spec.high is not None:
                    layout.addWidget(self._slider(default, spec.low, spec.high))
        layout.addWidget(text_label(self, spec.help, factor=0.85))
        self.show_value(default)

    def show_value(self, value: Value) -> None:
        """Show a value; emits nothing."""
        for show in self._set:
            show(value)

    def _give(self, value: Value) -> None:
        self.show_value(value)
        self.changed.emit(self.name, value)

    def _register(self, widget: QWidget, show: Callable[[Value], None]) -> None:
        def quietly(value: Value) -> None:
            with QSignalBlocker(widget):
                show(value)

        self._set.append(quietly)
        widget.setAccessibleName(self.name.replace("_", " "))
        widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        widget.installEventFilter(self._quiet)

    def _check_box(self, title: str) -> QCheckBox:
        box = QCheckBox(title, self)
        self._register(box, lambda value: box.setChecked(bool(value)))
        box.toggled.connect(self._give)
        return box

    def _combo(self, choices: tuple[str, ...]) -> QComboBox:
        combo = QComboBox(self)
        combo.addItems(list(choices))
        self._register(combo, lambda value: combo.setCurrentText(str(value)))
        combo.currentTextChanged.connect(self._give)
        return combo

    def _line(self) -> QLineEdit:
        line = QLineEdit(self)
        self._register(line, lambda value: line.setText(str(value)))
        line.editingFinished.connect(lambda: self._give(line.text()))
        return line

    def _file(self, spec: Spec, kind: FileKind) -> FileField:
        field = FileField(kind, spec.problem, self)
        self._register(field.line, lambda value: field.show_path(str(value)))
        field.taken.connect(self._give)
        return field

    def _spin(
        self, default: float, low: float | None, high: float | None
    ) -> QSpinBox | QDoubleSpinBox:
        least, most = -1e6 if low is None else low, 1e6 if high is None else high
        spin: QSpinBox | QDoubleSpinBox
        if isinstance(default, int):
            whole = spin = QSpinBox(self)
            whole.setRange(math.ceil(least), math.floor(most))
            self._register(whole, lambda value: whole.setValue(int(value)))
        else:
            part = spin = QDoubleSpinBox(self)
            part.setDecimals(decimals(default, low, high))
            part.setRange(least, most)
            part.setSingleStep(10.0 ** -min(part.decimals(), 2))
            self._register(part, lambda value: part.setValue(float(value)))
        spin.valueChanged.connect(self._give)
        spin.setKeyboardTracking(False)
        spin.setAlignment(Qt.AlignmentFlag.AlignRight)
        spin.setFixedWidth(spin.fontMetrics().horizontalAdvance("00000.00") + 16)
        return spin

    def _slider(self, default: float, low: float, high: float) -> QSlider:
        slider = QSlider(Qt.Orientation.Horizontal, self)
        if isinstance(default, int):
            slider.setRange(math.ceil(low), math.floor(high))
            slider.setPageStep(max(1, round((high - low) / 10)))
            self._register(slider, lambda value: slider.setValue(int(value)))
            slider.valueChanged.connect(self._give)
            return slider
        digits = decimals(default, low, high)
        slider.setRange(0, STEPS)
        slider.setPageStep(STEPS // 10)
        scale = (high - low) / STEPS
        self._register(slider, lambda value: slider.setValue(round((float(value) - low) / scale)))
        slider.valueChanged.connect(lambda step: self._give(round(low + step * scale, digits)))
        return slider


class ParamsForm(QWidget):
    """Form of one `Params` class."""

    changed = Signal(object)  # Params

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._params: Params | None = None
        self._fields: dict[str, ParamField] = {}
        self._quiet = _QuietWheel(self)
        self._layout = lay_out(QVBoxLayout(self), spacing=10)

    def field(self, name: str) -> ParamField:
        """Return the field of a parameter."""
        return self._fields[name]

    def show_params(self, params: Params) -> None:
        """Show values; fields are rebuilt only for another method."""
        if type(params) is not type(self._params):
            clear(self._layout)
            self._fields = {}
            defaults = params.defaults()
            for name, spec in params.specs().items():
                field = ParamField(name, spec, defaults[name], self._quiet, self)
                field.changed.connect(self._on_changed)
                self._fields[name] = field
                self._layout.addWidget(field)
        if params != self._params:
            self._params = params
            for name, value in params.as_dict().items():
                self._fields[name].show_value(value)

    def _on_changed(self, name: str, value: Value) -> None:
        assert self._params is not None  # there are no fields before
        try:
            self._params = dataclasses.replace(self._params, **{name: value})
        except ParameterError:  # a combination the method refuses: keep what it had
            self._fields[name].show_value(self._params.as_dict()[name])
        else:
            self.changed.emit(self._params)


def decimals(default: float, low: float | None, high: float | None) -> int:
    """Return the number of decimals for a parameter, enough for its range and default."""
    shown = f"{default:.6f}".rstrip("0").partition(".")[2]
    width = (high - low) if low is not None and high is not None else 100.0
    by_range = 3 if width <= 1 else 2 if width <= 20 else 1
    return max(len(shown), by_range)


def _in_words(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)
