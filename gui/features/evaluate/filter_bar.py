"""Bar that filters the listed pages and chooses the two compared methods, on request."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QStyledItemDelegate,
    QWidget,
)

from annotate.evaluation.tables.axes import Column
from annotate.evaluation.tables.result_table import (
    EMPTY,
    FAILED,
    NOT_RUN,
    OK,
    SKIPPED,
    STATUSES,
    TIMED_OUT,
)
from engine.words import join_words
from gui.features.evaluate.arrangement import Arrangement
from gui.features.evaluate.filtering import ANY, EVERY, ComparedPair, PageFilter
from gui.features.evaluate.saved_filters import SavedFilters
from gui.widgets.choice_popup import PopupCard
from gui.widgets.controls import SearchField, push_button
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Fold, clear, tone
from gui.widgets.texts import plain

_STATUS_WORDS: dict[str, int | None] = {
    "Any status": None,
    "Has a result": OK,
    "Empty": EMPTY,
    "Failed": FAILED,
    "Timed out": TIMED_OUT,
    "Skipped": SKIPPED,
    "Not run yet": NOT_RUN,
}
_ALL_TYPES, _ALL_TAGS = "Any block type", "Any tag"


def _label(text: str, parent: QWidget) -> QLabel:
    label = QLabel(text, parent)
    tone(label, "muted")
    return label


def _offer(
    combo: QComboBox, nothing: str, indices: list[int], shown: Arrangement, now: int | None
) -> list[int | None]:
    """Fill a combo box with methods, after a line for none; return the value of each line."""
    combo.clear()
    combo.addItems([nothing, *(shown.table.columns[position].name for position in indices)])
    combo.setCurrentIndex(1 + indices.index(now) if now in indices else 0)
    combo.view().setMinimumWidth(combo.view().sizeHintForColumn(0) + 24)  # whole names
    return [None, *indices]


def _refill(combo: QComboBox, nothing: str, entries: Iterable[str]) -> None:
    """Offer other texts after the line for none; the chosen one stays if it is there."""
    now = combo.currentText()
    combo.clear()
    combo.addItems([nothing, *entries])
    combo.setCurrentText(now)
    combo.setEnabled(combo.count() > 1)


class FilterBar(QWidget):
    """Filter of the listed pages, and choice of the two compared methods."""

    changed = Signal()
    compare_asked = Signal(object)  # ComparedPair | None
    pick_asked = Signal(int)  # a column of the table
    left = Signal()  # the keyboard goes back to the table
    refused = Signal(str)  # why a saved filter cannot be shown

    def __init__(self, saved: SavedFilters, parent: QWidget) -> None:
        super().__init__(parent)
        self.saved = saved
        saved.current = self.page_filter
        saved.applied.connect(self.show_filter)
        self.words = SearchField("Find a page", self, "Find a page in the table")
        self.words.setMinimumWidth(110)
        self.words.setMaximumWidth(260)
        self.of = self._combo(
            "Status and score must hold for any method, for every one, or for this one"
        )
        self.status = self._combo("Status")
        self.status.addItems(list(_STATUS_WORDS))
        self.low = self._number("Lowest score", 0.0)
        self.high = self._number("Highest score", 1.0)
        self.type = self._combo("Pages whose gold has a block of this type")
        self.type.addItem(_ALL_TYPES)
        self.tag = self._combo("Pages with this tag")
        self.tag.addItem(_ALL_TAGS)
        self.others = QCheckBox("All pages but these", self)
        self.all = push_button("List all", self, self.clear, look="link")
        self.one = self._combo("Where do this method and another one differ most?")
        self.other = self._combo("The other one; it is scored by the same measure")
        self._ones: list[int | None] = [None]
        self._others: list[int | None] = [None]
        self._of: list[str | Column] = [ANY, EVERY]

        self.more = push_button("+ Filter", self, self._open_filters, look="link")
        self.more.setAccessibleName("Add a filter")
        self.compare = push_button("Compare…", self, self._open_comparison, look="link")
        self._conditions = PopupCard("Which pages are listed", self)
        score = lay_out(QHBoxLayout(), self.low, _label("–", self), self.high, None, spacing=6)
        form = QFormLayout()
        for words, field in (
            ("Method", self.of), ("Status", self.status), ("Score", score), ("Has a", self.type),
            ("Tag", self.tag),
        ):  # fmt: skip
            form.addRow(words, field)
        lay_out(self._conditions.rows, form, self.others, self.all, Fold(self), saved)
        self._comparison = PopupCard("Compare two methods", self)
        pair = QFormLayout()
        pair.addRow("Compare", self.one)
        pair.addRow("with", self.other)
        self._comparison.rows.addLayout(pair)
        for card in (self._conditions, self._comparison):
            card.closed.connect(self.left)
        self._chips = lay_out(QHBoxLayout(), spacing=4)
        self._chip_words: tuple[str, ...] = ()
        lay_out(
            QHBoxLayout(self), (self.words, 1), self.more, self._chips, None, self.compare,
            margins=(12, 4, 8, 6), spacing=6,
        )  # fmt: skip

        parts = (self.of, self.status, self.type, self.tag)
        combos = tuple(part.activated for part in parts)
        for signal in (
            self.words.textChanged, *combos, self.low.valueChanged, self.high.valueChanged,
            self.others.clicked,
        ):  # fmt: skip
            signal.connect(lambda _: self.changed.emit())
        self.changed.connect(self._refresh)
        for combo in (self.one, self.other):
            combo.activated.connect(lambda _: self._compare())
        self._refresh()

    def _open_filters(self) -> None:
        self._conditions.open_at(self.more)

    def _open_comparison(self) -> None:
        self._comparison.open_at(self.compare)

    def _combo(self, name: str, letters: int = 9) -> QComboBox:
        combo = QComboBox(self)
        combo.setAccessibleName(name)
        combo.setToolTip(plain(name))
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(letters)
        combo.setMaxVisibleItems(24)
        combo.setItemDelegate(QStyledItemDelegate(combo))  # the style sheet gives lines their room
        return combo

    def _number(self, name: str, value: float) -> QDoubleSpinBox:
        box = QDoubleSpinBox(self)
        box.setRange(0.0, 1.0)
        box.setSingleStep(0.05)
        box.setDecimals(2)
        box.setValue(value)
        box.setAccessibleName(name)
        box.setToolTip(plain(f"{name}; while two methods are compared: of their difference"))
        box.lineEdit().setTextMargins(4, 0, 0, 0)  # in line with the fields beside it
        box.setFixedWidth(self.fontMetrics().averageCharWidth() * 8)
        return box

    # requests --------------------------------------------------------------------------------
    def page_filter(self) -> PageFilter:
        """Return the conditions for listed pages."""
        chosen, tag = self.type.currentText(), self.tag.currentText()
        return PageFilter(
            words=tuple(self.words.text().casefold().split()),
            of=self._of[max(self.of.currentIndex(), 0)],
            status=_STATUS_WORDS[self.status.currentText()],
            low=round(self.low.value(), 2),
            high=round(self.high.value(), 2),
            type="" if chosen == _ALL_TYPES else chosen,
            tag="" if tag == _ALL_TAGS else tag,
            excludes=self.others.isChecked(),
        )

    def ask(self, of: Column, status: int, low: float, high: float, *, excludes: bool) -> None:
        """List the pages where a method has this status and a score in the range, or all others."""
        now = self.page_filter()
        self.show_filter(replace(now, of=of, status=status, low=low, high=high, excludes=excludes))

    def clear(self) -> None:
        """List all pages."""
        self.show_filter(PageFilter())

    def show_filter(self, asked: PageFilter) -> None:
        """List the pages of a filter, unless it asks for what the table does not have."""
        kind, tag = asked.type or _ALL_TYPES, asked.tag or _ALL_TAGS
        lacks = [
            text
            for text, is_there in (
                (getattr(asked.of, "name", "this method"), asked.of in self._of),
                (f"a page with {kind}", self.type.findText(kind) >= 0),
                (f"a page with the tag {tag}", self.tag.findText(tag) >= 0),
            )
            if not is_there
        ]
        if lacks:
            self.refused.emit(f"this filter asks for {join_words(lacks)}: not in the table")
            return
        blockers = [QSignalBlocker(part) for part in (self.words, self.low, self.high)]
        self.words.setText(" ".join(asked.words))
        self.of.setCurrentIndex(self._of.index(asked.of))
        self.status.setCurrentIndex([*_STATUS_WORDS.values()].index(asked.status))
        self.low.setValue(asked.low)
        self.high.setValue(asked.high)
        self.type.setCurrentText(kind)
        self.tag.setCurrentText(tag)
        self.others.setChecked(asked.excludes)
        del blockers
        self.changed.emit()

    def _refresh(self) -> None:
        chosen = self.page_filter()
        self.all.setVisible(chosen != PageFilter())
        self.saved.refresh()
        empty = PageFilter()
        chips: list[tuple[str, Callable[[], None]]] = []
        if chosen.of != empty.of:
            chips.append((self.of.currentText(), lambda: self._undo(self.of)))
        if chosen.status is not None:
            chips.append((self.status.currentText(), lambda: self._undo(self.status)))
        if (chosen.low, chosen.high) != (empty.low, empty.high):
            chips.append((f"Score {chosen.low:.2f} – {chosen.high:.2f}", self._undo_scores))
        if chosen.excludes:
            chips.insert(0, ("Not these", self._undo_others))
        if chosen.type:
            chips.append((chosen.type, lambda: self._undo(self.type)))
        if chosen.tag:
            chips.append((f"Tag {chosen.tag}", lambda: self._undo(self.tag)))
        self._show_chips(chips)

    @property
    def chips(self) -> tuple[str, ...]:
        """The conditions that hold, in words."""
        return self._chip_words

    def _undo(self, combo: QComboBox) -> None:
        combo.setCurrentIndex(0)
        self.changed.emit()

    def _undo_others(self) -> None:
        self.others.setChecked(False)
        self.changed.emit()

    def _undo_scores(self) -> None:
        with QSignalBlocker(self.low):
            self.low.setValue(0.0)
        with QSignalBlocker(self.high):
            self.high.setValue(1.0)
        self.changed.emit()

    def _show_chips(self, chips: Sequence[tuple[str, Callable[[], None]]]) -> None:
        """Show each condition that holds, with a cross that takes it away."""
        words = tuple(text for text, _ in chips)
        if words == self._chip_words:
            return
        self._chip_words = words
        clear(self._chips)
        for text, undo in chips:
            chip = push_button(f"{text}  ×", self, undo)
            chip.setObjectName("Chip")
            chip.setAccessibleName(f"Filter {text}: remove")
            self._chips.addWidget(chip)

    # contents --------------------------------------------------------------------------------
    def show_columns(self, shown: Arrangement, picked: int | None) -> None:
        """Offer the methods of a table; ``picked`` is the first of a pair to be completed."""
        asked = self._of[max(self.of.currentIndex(), 0)]
        indices = sorted(column for column in shown.columns if column >= 0)
        columns = [shown.table.columns[position] for position in indices]
        self._of = [ANY, EVERY, *columns]
        self.of.clear()
        self.of.addItems(["Any method", "Every method", *(column.name for column in columns)])
        self.of.setCurrentIndex(self._of.index(asked) if asked in self._of else 0)

        pair = shown.pair
        one = pair.one if pair is not None else picked
        kind = None if one is None else shown.table.columns[one].kind
        others = [p for p in indices if p != one and shown.table.columns[p].kind == kind]
        self._ones = _offer(self.one, "nothing", indices, shown, one)
        self._others = _offer(self.other, "with …", others, shown, pair.other if pair else None)
        self.other.setEnabled(bool(others))
        names = [column.name for column in shown.table.columns]
        has_pair = pair is not None
        self.compare.setText(f"{names[pair.one]} − {names[pair.other]} ▾" if pair else "Compare…")
        self.compare.setVisible(len(indices) > 1 or has_pair)

    def show_types(self, types: Iterable[str]) -> None:
        """Offer types of blocks."""
        _refill(self.type, _ALL_TYPES, types)

    def show_tags(self, tags: Iterable[str]) -> None:
        """Offer tags of pages; the one that is asked for stays while a page has it."""
        asked = self.page_filter().tag
        _refill(self.tag, _ALL_TAGS, tags)
        if asked != self.page_filter().tag:
            self.changed.emit()

    def _compare(self) -> None:
        one = self._ones[max(self.one.currentIndex(), 0)]
        other = self._others[max(self.other.currentIndex(), 0)]
        if one is None:
            self.compare_asked.emit(None)
        elif other is None or one == other:
            self.compare_asked.emit(None)
            self.pick_asked.emit(one)
        else:
            self.compare_asked.emit(ComparedPair(one, other))


assert set(_STATUS_WORDS.values()) - {None} == set(range(len(STATUSES)))
