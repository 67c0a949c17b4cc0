"""Popup that chooses the measure of a kind of methods, with explanations."""

from typing import cast

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QWidget

from algorithms.measures.choice import on_level
from algorithms.measures.measure import Measure, ScoredLevel
from annotate.evaluation.columns import OutputKind
from gui.features.evaluate.measures import KIND_NAMES, MEASURES
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
