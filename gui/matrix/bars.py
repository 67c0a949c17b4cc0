"""The bars above the table: run and progress; which pages are listed; what is compared."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.matrix.arrangement import Arrangement
from gui.matrix.narrow import ANY, EVERY, Narrow, Pair
from gui.matrix.running import State
from gui.matrix.scores import EMPTY, FAILED, NOT_RUN, OK, SKIPPED, STATUSES, TIMED_OUT, Column
from gui.theme import theme_of, themed_icon
from gui.widgets import Busy, ElidedLabel, IconButton, Meter, Segments, small, tone

_STATUS_WORDS: dict[str, int | None] = {
    "Any status": None,
    "Has a result": OK,
    "Empty": EMPTY,
    "Failed": FAILED,
    "Timed out": TIMED_OUT,
    "Skipped": SKIPPED,
    "Not run yet": NOT_RUN,
}
_SHOWN_KINDS = (
    ("all", "All", "Methods of both kinds"),
    ("extraction", "Main content", "Methods that find the main content"),
    ("segmentation", "Blocks", "Methods that find blocks"),
)
_MOST_NOTES = 25
_ALL_TYPES = "Any block type"


def duration(seconds: float) -> str:
    """Return a time as one says it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def progress_words(state: State) -> str:
    """Return how far an evaluation is, in words."""
    words = [f"{state.done} of {state.total} pages"]
    if state.pages_per_s > 0:
        words.append(f"{state.pages_per_s:.1f} pages/s")
    if state.seconds_left is not None and state.done < state.total:
        words.append(f"{duration(state.seconds_left)} left")
    return "  ·  ".join(words)


def _label(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    tone(label, "muted")
    return label


class RunBar(QWidget):
    """Run, stop, which methods, how far it is."""

    run_asked = Signal()
    stop_asked = Signal()
    all_asked = Signal()
    methods_asked = Signal()
    export_asked = Signal()
    leave_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run = QPushButton("Run", self)
        self.run.setProperty("main", True)
        self.stop = QPushButton("Stop", self)
        self.again = QPushButton("Run all again", self)
        self.again.setProperty("link", True)
        self.methods = QPushButton("Methods", self)
        self.kinds = Segments(_SHOWN_KINDS, self)
        self.kinds.set_value("all")
        self.busy = Busy(self, 14)
        self.doing = QLabel("", self)
        self.workers = ElidedLabel("", self)
        small(self.workers, 0.9)
        tone(self.workers, "muted")
        self.export = IconButton("export", "Save the table as CSV", self)
        self.leave = IconButton("close", "Back to the page  (F8)", self)
        self.meter = Meter(self)
        row = QHBoxLayout()
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(8)
        for part in (self.run, self.stop, self.methods, self.kinds, self.again):
            row.addWidget(part)
        row.addSpacing(6)
        row.addWidget(self.busy)
        row.addWidget(self.doing)
        row.addWidget(self.workers, 1)
        row.addWidget(self.export)
        row.addWidget(self.leave)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(row)
        layout.addWidget(self.meter)
        for button, signal in (
            (self.run, self.run_asked), (self.stop, self.stop_asked),
            (self.again, self.all_asked), (self.methods, self.methods_asked),
            (self.export, self.export_asked), (self.leave, self.leave_asked),
        ):  # fmt: skip
            button.clicked.connect(lambda _on=False, s=signal: s.emit())
        self.show_idle("Run", "", can_run=False, has_results=False)

    def show_idle(
        self,
        offer: str,
        words: str,
        notes: Sequence[str] = (),
        *,
        can_run: bool,
        has_results: bool,
    ) -> None:
        """Show what a click on the button would run, how the last run ended, what it noted."""
        more = len(notes) - _MOST_NOTES
        shown = [*notes[:_MOST_NOTES], *([f"and {more} more"] if more > 0 else [])]
        self.doing.setToolTip("\n".join(shown))
        self.run.setText(offer)
        self.run.setEnabled(can_run)
        self.run.show()
        self.again.setVisible(has_results and offer != "Run again")
        for part in (self.stop, self.busy):
            part.hide()
        self.doing.setText(words)
        tone(self.doing, "muted")
        self.workers.setText("")
        self.meter.set_share(0.0, theme_of(self).line)
        self.export.setEnabled(has_results)

    def show_tools(self, *, on: bool) -> None:
        """Show what belongs to a table; without one, a card says what to do."""
        self.kinds.setVisible(on)
        self.export.setVisible(on)
        if not on:
            self.run.hide()

    def show_running(self, state: State | None, *, is_ending: bool) -> None:
        """Show how far it is."""
        self.run.hide()
        self.again.hide()
        self.stop.setVisible(True)
        self.stop.setEnabled(not is_ending)
        self.busy.show()
        tone(self.doing, "")
        if is_ending:
            self.doing.setText("Stopping after what is under way")
        elif state is None:
            self.doing.setText("Starting")
        else:
            self.doing.setText(progress_words(state))
        if state is not None:
            self.workers.setText("    ".join(state.workers))
            self.workers.set_tip("\n".join(state.workers))
            share = state.done / state.total if state.total else 0.0
            self.meter.set_share(share, theme_of(self).accent)

    def show_methods(self, names: Sequence[str], *, follows: bool) -> None:
        """Say how many methods are chosen."""
        self.methods.setText(f"{len(names)} method{'s' * (len(names) != 1)}  ▾")
        where = "As in the Layers panel" if follows else "Chosen here"
        self.methods.setToolTip(f"{where}: {', '.join(names) or 'none'}")


def _offer(
    combo: QComboBox, nothing: str, places: list[int], shown: Arrangement, now: int | None
) -> list[int | None]:
    """Fill a combo with methods, after one line for none; return what its lines stand for."""
    combo.clear()
    combo.addItems([nothing, *(shown.table.columns[place].name for place in places)])
    combo.setCurrentIndex(1 + places.index(now) if now in places else 0)
    return [None, *places]


class FilterBar(QWidget):
    """Which pages are listed, and which two methods are compared."""

    changed = Signal()
    compare_asked = Signal(object)  # Pair | None
    pick_asked = Signal(int)  # a column of the table

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = QLineEdit(self)
        self.words.setPlaceholderText("Find a page")
        self.words.setAccessibleName("Find a page in the table")
        self.words.setClearButtonEnabled(True)
        self.words.setProperty("quiet", True)
        self._lens = self.words.addAction(
            themed_icon(self, "search", "muted"), QLineEdit.ActionPosition.LeadingPosition
        )
        self.words.setMinimumWidth(110)
        self.words.setMaximumWidth(260)
        self.of = self._combo("Whose scores are asked")
        self.status = self._combo("Status")
        self.status.addItems(list(_STATUS_WORDS))
        self.low = self._number("Lowest score", 0.0)
        self.high = self._number("Highest score", 1.0)
        self.type = self._combo("Pages whose gold has a block of this type")
        self.type.addItem(_ALL_TYPES)
        self.all = QPushButton("List all", self)
        self.all.setProperty("link", True)
        self.one = self._combo("Compare this method")
        self.other = self._combo("with this one")
        self._ones: list[int | None] = [None]
        self._others: list[int | None] = [None]
        self._of: list[str | Column] = [ANY, EVERY]

        row = QHBoxLayout(self)
        row.setContentsMargins(12, 7, 8, 8)
        row.setSpacing(6)
        row.addWidget(self.words, 2)
        for part in (self.of, self.status, _label("Score", self), self.low, _label("–", self)):
            row.addWidget(part)
        row.addWidget(self.high)
        row.addWidget(self.type)
        row.addWidget(self.all)
        row.addStretch(1)
        row.addWidget(_label("Compare", self))
        row.addWidget(self.one)
        row.addWidget(self.other)

        self.words.textChanged.connect(lambda _: self.changed.emit())
        for combo in (self.of, self.status, self.type):
            combo.activated.connect(lambda _: self.changed.emit())
        for number in (self.low, self.high):
            number.valueChanged.connect(lambda _: self.changed.emit())
        self.all.clicked.connect(self.clear)
        self.changed.connect(self._refresh)
        self.one.activated.connect(lambda _: self._compare())
        self.other.activated.connect(lambda _: self._compare())
        self._refresh()

    def _combo(self, name: str, letters: int = 9) -> QComboBox:
        combo = QComboBox(self)
        combo.setAccessibleName(name)
        combo.setToolTip(name)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(letters)
        combo.setMaxVisibleItems(24)
        return combo

    def _number(self, name: str, value: float) -> QDoubleSpinBox:
        box = QDoubleSpinBox(self)
        box.setRange(0.0, 1.0)
        box.setSingleStep(0.05)
        box.setDecimals(2)
        box.setValue(value)
        box.setAccessibleName(name)
        box.setToolTip(f"{name}; of the difference while two methods are compared")
        box.setFixedWidth(self.fontMetrics().averageCharWidth() * 8)
        return box

    # what is asked ---------------------------------------------------------------------------
    def narrow(self) -> Narrow:
        """Return what pages must be like to be listed."""
        chosen = self.type.currentText()
        return Narrow(
            words=tuple(self.words.text().casefold().split()),
            of=self._of[max(self.of.currentIndex(), 0)],
            status=_STATUS_WORDS[self.status.currentText()],
            low=round(self.low.value(), 2),
            high=round(self.high.value(), 2),
            type="" if chosen == _ALL_TYPES else chosen,
        )

    def clear(self) -> None:
        """List all pages."""
        blockers = [QSignalBlocker(part) for part in (self.words, self.low, self.high)]
        self.words.clear()
        self.low.setValue(0.0)
        self.high.setValue(1.0)
        for combo in (self.of, self.status, self.type):
            combo.setCurrentIndex(0)
        del blockers
        self.changed.emit()

    def _refresh(self) -> None:
        self.all.setVisible(self.narrow() != Narrow())

    # what there is ---------------------------------------------------------------------------
    def show_columns(self, shown: Arrangement, picked: int | None) -> None:
        """Offer the methods of a table; ``picked`` is the one that waits for another."""
        asked = self._of[max(self.of.currentIndex(), 0)]
        places = sorted(column for column in shown.columns if column >= 0)
        columns = [shown.table.columns[place] for place in places]
        self._of = [ANY, EVERY, *columns]
        self.of.clear()
        self.of.addItems(["Any method", "Every method", *(column.name for column in columns)])
        self.of.setCurrentIndex(self._of.index(asked) if asked in self._of else 0)

        pair = shown.pair
        one = pair.one if pair is not None else picked
        kind = None if one is None else shown.table.columns[one].kind
        others = [p for p in places if p != one and shown.table.columns[p].kind == kind]
        self._ones = _offer(self.one, "nothing", places, shown, one)
        self._others = _offer(self.other, "with …", others, shown, pair.other if pair else None)
        self.other.setEnabled(bool(others))

    def show_types(self, types: Iterable[str]) -> None:
        """Offer types of blocks."""
        now = self.type.currentText()
        self.type.clear()
        self.type.addItems([_ALL_TYPES, *types])
        self.type.setCurrentText(now)
        self.type.setEnabled(self.type.count() > 1)

    def _compare(self) -> None:
        one = self._ones[max(self.one.currentIndex(), 0)]
        other = self._others[max(self.other.currentIndex(), 0)]
        if one is None:
            self.compare_asked.emit(None)
        elif other is None or one == other:
            self.compare_asked.emit(None)
            self.pick_asked.emit(one)
        else:
            self.compare_asked.emit(Pair(one, other))

    def tint(self) -> None:
        """Follow the theme."""
        self._lens.setIcon(themed_icon(self, "search", "muted"))


assert set(_STATUS_WORDS.values()) - {None} == set(range(len(STATUSES)))
