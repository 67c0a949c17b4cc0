"""The user's choice of methods and measures in the Evaluate view."""

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from algorithms.measures.choice import on_level
from algorithms.measures.measure import Measure, ScoredLevel
from annotate.evaluation.tables.axes import Column, OutputKind
from gui.features.evaluate.arrangement import DELTA
from gui.features.evaluate.columns import columns_of, entries
from gui.features.evaluate.measures import KIND_NAMES, KINDS, MEASURES
from gui.features.evaluate.model import ScoresModel
from gui.state.session import Session
from gui.widgets.choice_popup import ChoicePopup, PopupEntry
from gui.widgets.parts import Segments

_LEVELS: tuple[tuple[ScoredLevel, str, str], ...] = (
    ("all", "Both levels", "Blocks of both levels together"),
    ("1", "Level 1", "Blocks of level 1 only"),
    ("2", "Level 2", "Blocks of level 2 only"),
)


class MeasurePopup(QWidget):
    """Asks for a measure; its definition is below its name, in full in its tool tip."""

    picked = Signal(str, str)  # kind, key

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._kind: OutputKind = "extraction"
        self._now = MEASURES["extraction"][0]
        self._measured: frozenset[str] = frozenset()
        self._level: ScoredLevel = "all"
        self.popup = ChoicePopup("Measure", self)
        self.levels = Segments(_LEVELS, self.popup)
        self.levels.picked.connect(self._set_level)
        self.popup.extra.addWidget(self.levels)
        self.popup.extra.addStretch(1)
        self.popup.picked.connect(lambda key: self.picked.emit(self._kind, key))

    def ask(
        self, kind: OutputKind, now: Measure, measured: frozenset[str], position: QPoint
    ) -> None:
        """Offer the measures of a kind of methods; those without values come last."""
        self._kind, self._now, self._measured = kind, now, measured
        if now.level:
            self._level = now.level
        self.levels.setVisible(kind == "segmentation")
        self.levels.set_value(self._level)
        self._fill()
        self.popup.open_at(position + QPoint(0, 4))

    def _set_level(self, level: object) -> None:
        """Offer the measures of a level, with the shown one on that level."""
        self._level = cast(ScoredLevel, level)
        same = on_level(self._now, self._level)
        if same is not None and same != self._now:
            self._now = same
            self.picked.emit(self._kind, same.key)
        self._fill()

    def _fill(self) -> None:
        heading = f"{KIND_NAMES[self._kind]}: measured"
        entries = []
        for measure in MEASURES[self._kind]:
            if measure.level not in ("", self._level):
                continue
            is_there = measure.key in self._measured or not self._measured
            group = heading if is_there else "Not measured yet: run again"
            is_now = measure == self._now
            entries.append(PopupEntry(measure.key, measure.label, measure.sentence, group, is_now))
        entries.sort(key=lambda entry: entry.group != heading)
        self.popup.fill(entries)


class ChoicePopups(QObject):
    """Popups for methods, kinds of methods and measures.

    Attributes:
        golds: Kinds of methods with gold; all, until known.
        methods, measures: The popups.
    """

    toggled = Signal()  # other methods are chosen

    def __init__(self, session: Session, model: ScoresModel, view: QWidget) -> None:
        super().__init__(view)
        self._session, self._model = session, model
        self._chosen: list[str] | None = None  # None: the methods of the layers
        self._picked = "all"  # or the one shown kind of methods
        self.golds: frozenset[OutputKind] = frozenset(KINDS)
        self.methods = ChoicePopup("Methods to evaluate", view, stays=True)
        self.measures = MeasurePopup(view)

    @property
    def follows(self) -> bool:
        """Whether the methods are those of the layers."""
        return self._chosen is None

    @property
    def kinds(self) -> list[OutputKind]:
        """Shown kinds of methods: chosen, and with gold."""
        return [kind for kind in KINDS if self._picked in ("all", kind) and kind in self.golds]

    def pick_kind(self, kind: str) -> None:
        """Show methods of one kind, or of "all"."""
        self._picked = kind

    def columns(self) -> tuple[Column, ...]:
        """Return the columns of the chosen methods."""
        return columns_of(self._session.layers.all, self._chosen)

    def open_at(self, position: QPoint) -> None:
        """Show the choice of methods."""
        self._fill(self._shown())
        self.methods.open_at(position)

    def toggle(self, key: str) -> None:
        """Select or deselect a method."""
        chosen = self._shown()
        self._chosen = [k for k in chosen if k != key] if key in chosen else [*chosen, key]
        self.toggled.emit()
        self._fill(self._chosen)

    def ask_measure(self, column: int, position: QPoint) -> None:
        """Show the choice of measures for the kind of methods in a column."""
        shown = self._model.shown
        kind = shown.table.columns[shown.compared.one if column == DELTA else column].kind
        self.measures.ask(kind, shown.shown[kind], shown.table.measured(), position)

    def _shown(self) -> list[str]:
        return [column.method for column in self._model.shown.chosen]

    def _fill(self, chosen: Sequence[str]) -> None:
        with_sites = bool(self._session.open.siblings)
        self.methods.fill(entries(chosen, with_sites=with_sites))
