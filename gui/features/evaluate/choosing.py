"""The user's choice of methods and measures in the Evaluate view."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QWidget

from annotate.evaluation.columns import Column, OutputKind
from gui.features.evaluate.arrangement import DELTA
from gui.features.evaluate.columns import columns_of, entries
from gui.features.evaluate.measure_popup import MeasurePopup
from gui.features.evaluate.measures import KINDS
from gui.features.evaluate.model import ScoresModel
from gui.state.session import Session
from gui.widgets.choice_popup import ChoicePopup


class MethodChoice(QObject):
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
