"""Bar above the table: run and stop, choice of methods, progress, messages on pages."""

from collections.abc import Collection, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QKeyEvent, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from annotate.evaluation.tables.axes import OutputKind
from engine.words import plural, sentence
from gui.features.evaluate.measures import KIND_NAMES, KINDS
from gui.features.evaluate.run_state import RunState, progress_words
from gui.widgets.choice_popup import PopupCard
from gui.widgets.controls import push_button
from gui.widgets.events import until_collected
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, ElidedLabel, IconButton, Meter, Segments, small, tone
from gui.widgets.texts import plain
from gui.widgets.theme import theme_of

_WIDTH, _HEIGHT = 96, 26
"""Largest size of the popup, in letters and lines."""


class NotesPopup(QFrame):
    """Popup at a position; Esc or a click elsewhere closes it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("ChoicePopup")
        self.text = QPlainTextEdit(self)
        self.text.setObjectName("Notes")
        self.text.setReadOnly(True)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setAccessibleName("Notes on pages")
        lay_out(QVBoxLayout(self), self.text, margins=(8, 8, 8, 8))

    def open_at(self, position: QPoint, notes: Sequence[str]) -> None:
        """Show messages with the upper left corner at a position on the screen."""
        self.text.setPlainText("\n".join(sentence(note) for note in notes))
        metrics, screen = self.fontMetrics(), self.screen().availableGeometry()
        longest = max((metrics.horizontalAdvance(note) for note in notes), default=0)
        wide = min(longest + 60, _WIDTH * metrics.averageCharWidth(), screen.width())
        rows = sum(1 + metrics.horizontalAdvance(note) // max(wide - 60, 1) for note in notes)
        high = min((min(rows, _HEIGHT) + 2) * metrics.lineSpacing() + 16, screen.height())
        self.resize(wide, high)
        self.move(
            max(screen.left(), min(position.x(), screen.right() - wide)),
            max(screen.top(), min(position.y(), screen.bottom() - high)),
        )
        self.show()
        self.text.setFocus()


_SHOWN_KINDS = (
    ("all", "All", "Methods of both kinds"),
    ("extraction", "Main content", "Methods that find the main content"),
    ("segmentation", "Blocks", "Methods that find blocks"),
)


class RunBar(QWidget):
    """Run, stop, choice of methods, progress; the view connects the buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        tip = "Run: score what is missing  (Shift+F8)"
        self.run = push_button("Run", self, tip=tip, look="main")
        tip = "Stop: finished pages keep their scores  (Ctrl+.)"
        self.stop = push_button("Stop", self, tip=tip)
        self.again = push_button("Run all again", self, look="link")
        self.close_file = push_button("Back to the open pages", self)
        self.close_file.hide()
        self.methods = push_button("Methods", self)
        self.kinds = Segments(_SHOWN_KINDS, self)
        self.kinds.set_value("all")
        self.busy = Busy(self, 14)
        self.doing = QLabel("", self)
        self.doing.setTextFormat(Qt.TextFormat.PlainText)
        tip = "Notes on single pages"
        self.notes = push_button("", self, self._show_notes, tip, look="link")
        self.noted = NotesPopup(self)
        self._last: RunState | None = None
        self.workers = small(ElidedLabel("", self), 0.9)
        tone(self.workers, "muted")
        tip = "Save the table as CSV"
        self.export = push_button("Save as CSV…", self, tip=tip, look="link")
        self.more = IconButton("more", "More: kinds of methods, run all, save", self)
        self._card = PopupCard("More", self)
        lay_out(self._card.rows, self.kinds, self.again, self.export)
        self.more.clicked.connect(lambda: self._card.open_at(self.more))
        self.run.installEventFilter(self)
        self.meter = Meter("Pages done", self)
        row = lay_out(
            QHBoxLayout(), self.run, self.stop, self.close_file, self.methods, 6, self.busy,
            self.doing, self.notes, (self.workers, 1), self.more,
            margins=(12, 6, 8, 4), spacing=8,
        )  # fmt: skip
        lay_out(QVBoxLayout(self), row, self.meter, spacing=0)
        self.show_idle("Run", None, can_run=False, has_results=False)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Press the focused button on Enter, as on Space."""
        enter = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if watched is self.run and isinstance(event, QKeyEvent) and event.key() in enter:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
            if event.type() == QEvent.Type.KeyPress:
                self.run.click()
                return True
        return False

    def show_idle(
        self,
        offer: str,
        last: RunState | None,
        *,
        can_run: bool,
        has_results: bool,
        summary: tuple[str, str] = ("", ""),
    ) -> None:
        """Show what the button would run, and how the last run ended.

        ``summary`` is a short and a long text on the age of the scores and on outdated ones.
        """
        count = 0 if last is None else len(last.notes)
        self._last = last
        self.notes.setVisible(count > 0)
        self.notes.setText(plural(count, "note"))
        self.doing.setText(summary[0] if last is None else last.words)
        self.doing.setToolTip(plain(summary[1]))
        tone(self.doing, "muted")
        self.run.setText(offer)
        self.run.setEnabled(can_run)
        self.run.show()
        self.again.setVisible(has_results and offer != "Run again")
        for part in (self.close_file, self.stop, self.busy):
            part.hide()
        self.workers.setText("")
        self.workers.set_tip("")
        self.meter.set_share(0.0, theme_of(self).line)
        self.export.setEnabled(has_results)

    def show_file(self, path: Path, pages: int, methods: int) -> None:
        """Show that the results come from a file, which cannot be run."""
        for part in (self.run, self.again, self.methods):
            part.hide()
        self.close_file.show()
        self.doing.setText(f"{path.name}: {plural(pages, 'page')}, {plural(methods, 'column')}")
        self.doing.setToolTip(plain(f"Results in {path}, read-only"))

    def _show_notes(self) -> None:
        if self._last is not None:
            position = self.notes.mapToGlobal(QPoint(0, self.notes.height() + 2))
            self.noted.open_at(position, self._last.notes)

    def offer_kinds(self, golds: Collection[OutputKind]) -> None:
        for kind in KINDS:
            button = self.kinds.button(kind)
            button.setEnabled(kind in golds)
            missing = f"No page has gold of this kind: {KIND_NAMES[kind].lower()}"
            button.setToolTip(plain("" if kind in golds else missing))

    def show_tools(self, *, on: bool) -> None:
        """Show the tools of a table; without one, show the next step."""
        self.more.setVisible(on)
        if not on:
            self.run.hide()

    def show_running(self, run_state: RunState | None, *, is_ending: bool) -> None:
        """Show the progress; None for a cancelled run that is ending."""
        state = None if run_state is None else run_state.state
        for part in (self.run, self.again, self.notes):
            part.hide()
        self.stop.setVisible(True)
        self.stop.setEnabled(not is_ending)
        self.busy.show()
        tone(self.doing, "")
        if is_ending:
            self.doing.setText("Stopping after the pages in progress")
        else:
            self.doing.setText("Starting" if state is None else progress_words(state))
        if state is not None:
            self.workers.setText("    ".join(state.workers))
            self.workers.set_tip("\n".join(state.workers))
            share = state.done / state.total if state.total else 0.0
            self.meter.set_share(share, theme_of(self).accent)

    def show_methods(self, names: Sequence[str], others: Sequence[str], *, follows: bool) -> None:
        """Show how many methods are chosen; ``others`` are left out, without gold or their kind."""
        count = plural(len(names) + len(others), "method")
        text = f"{f'{len(names)} of ' * bool(others)}{count}"
        self.methods.setText(f"{text}  ▾")
        self.methods.setAccessibleName(text)
        where = "As in the Methods panel" if follows else "Chosen here"
        tip = f"{where}: {', '.join(names) or 'none'}"
        if others:
            tip += f"\nNot run, no gold of their kind here or not shown: {', '.join(others)}"
        self.methods.setToolTip(plain(tip))
