"""Agreement view: table, plot and types, filled while pages are read."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from annotate.plugins.team_work.agreement import DIAL, AgreementLevel, Atoms, column_means
from annotate.plugins.team_work.shared_pages import count_shared, pages_in, roles_by_page
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace
from engine.words import plural
from gui.core.main_area import Room, View
from gui.plugins.team_work.agreement.granularity_plot import GranularityPlot
from gui.plugins.team_work.agreement.rows import (
    AgreementRow,
    CompareOrder,
    compare_worker,
    find_confused,
    types_of,
)
from gui.plugins.team_work.agreement.table import AgreementTable
from gui.widgets.empty_state import EmptyState
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, ElidedLabel, IconButton, Segments, small, tone
from gui.widgets.worker_process import PageQueue

_MOST_S = 120.0
"""Seconds allowed per page."""


class _Nothing(EmptyState):
    """Placeholder that explains why there is nothing to compare, and how to change that."""

    def welcome(self) -> None:
        self._show(
            "side",
            "No page is marked by two annotators yet",
            "Merge the marks of another workspace, or let somebody else mark these pages here.",
            (("merge", "Merge marks…"), ("work-as", "Mark as another…")),
        )


def _plain_list(name: str, parent: QWidget) -> QListWidget:
    result = QListWidget(parent)
    result.setAccessibleName(name)
    result.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    result.setSelectionMode(QListWidget.SelectionMode.NoSelection)
    result.setFrameShape(QListWidget.Shape.NoFrame)
    return result


class AgreementView(QWidget, View):
    """Agreement of annotators on the pages they share, in place of the page."""

    left = Signal()
    opened = Signal(str)  # key of a page to review
    asked = Signal(str)  # the name of an action
    room = Room.OVER_PAGE
    hint = "Enter on a page: review it · Esc: back to the page"

    def __init__(
        self,
        workspace: Workspace,
        parent: QWidget | None = None,
        title_of: Callable[[str], str] = lambda _key: "",
    ) -> None:
        """Create the view; ``title_of`` returns a page's title by its key, "" if not listed."""
        super().__init__(parent)
        self._title_of = title_of
        self.setMinimumSize(320, 240)  # takes no room from the panels while hidden
        self.setObjectName("AgreementView")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._workspace = workspace
        self.pages: list[AgreementRow] = []
        self._level: AgreementLevel = "both"
        self._atoms: Atoms = "chars"
        self._count, self._problem = 0, ""
        self.run = PageQueue(
            compare_worker, doing="rendering", most=100, seconds=_MOST_S, parent=self
        )
        self.run.answered.connect(self._on_compared)
        self.run.failed.connect(self._on_failed)
        self.run.ended.connect(self._on_ended)
        self.level = Segments(
            [
                ("both", "Blocks", "Blocks of both levels"),
                ("1", "Level 1", "Blocks of level 1"),
                ("2", "Level 2", "Blocks of level 2"),
                ("main", "Main content", "Content or not, text by text"),
            ],
            self,
        )
        self.atoms = Segments(
            [
                ("chars", "Characters", "Each text counts by its characters, white space left out"),
                ("nodes", "Nodes", "Each text counts once"),
            ],
            self,
        )
        self.level.picked.connect(self._on_level)
        self.atoms.picked.connect(self._on_atoms)
        self.level.set_value(self._level)
        self.atoms.set_value(self._atoms)
        self.busy = Busy(self, 14)
        self.words = ElidedLabel("", self)
        tone(self.words, "muted")
        self.again = QPushButton("Recalculate", self)
        self.again.clicked.connect(self.start)
        self.leave = IconButton("close", "Back to the page  (Ctrl+F10)", self)
        self.leave.clicked.connect(self.left)
        self.table = AgreementTable(self)
        self.table.opened.connect(self.opened)
        self.table.chosen.connect(self._draw_plot)
        self.plot = GranularityPlot(self)
        self.plot.cut_changed.connect(lambda _cut: self._fill())
        self.types = _plain_list("Agreement by type", self)
        self.confused = _plain_list("Types confused", self)
        self.nothing = _Nothing(self)
        self.nothing.asked.connect(self.asked)
        self._build_layout()
        self.busy.hide()

    def _build_layout(self) -> None:
        bar = lay_out(
            QHBoxLayout(), self.level, self.atoms, self.busy, (self.words, 1), self.again,
            self.leave, margins=(12, 8, 8, 8), spacing=8,
        )  # fmt: skip
        side = self._side = QWidget(self)
        column = lay_out(QVBoxLayout(side), margins=(10, 6, 10, 10), spacing=6)
        for title, widget, stretch in (
            ("Leave out small blocks", self.plot, 3),
            ("By type: Krippendorff's α, the least agreed on first", self.types, 3),
            ("Types confused, by share of characters", self.confused, 2),
        ):
            head = small(QLabel(title, side), 0.95)
            head.setWordWrap(True)
            column.addWidget(head)
            column.addWidget(widget, stretch)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.addWidget(self.table)
        split.addWidget(side)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        split.setSizes([760, 340])
        split.setChildrenCollapsible(False)
        lay_out(QVBoxLayout(self), bar, (split, 1), (self.nothing, 1), spacing=0)
        self._split = split
        self._show_nothing(is_so=False)

    def open(self) -> bool:
        self.start()
        return True

    def take_focus(self) -> None:
        if self.nothing.isHidden():
            self.table.setFocus()
        else:
            self.nothing.take_focus()

    @property
    def is_busy(self) -> bool:
        return self.run.is_busy

    @property
    def is_ready(self) -> bool:
        return bool(self.pages) and not self.run.is_busy

    def start(self) -> None:
        """Compute the agreement of the current marks."""
        self.pages = []
        self._fill()
        count = count_shared(self._workspace.store)
        self._show_nothing(is_so=not count)
        if not count:
            self.words.setText("")
            return
        self.busy.show()
        self.words.setText(f"Reading {plural(count, 'page')}")
        problems: list[str] = []
        pages = pages_in(self._workspace, problems)
        self._count, self._problem = len(pages), "".join(problems[-1:])
        path = self._workspace.path
        self.run.start(CompareOrder(path, each.key, each.name, each.document) for each in pages)

    def show_outdated(self) -> None:
        """Show that some marks are newer than the table; compute it if it has no pages."""
        if not self.isVisible() or self.run.is_busy:
            return
        if self.pages:
            self.words.setText("Others have marked more since: recalculate")
        else:
            self.start()

    def _show_nothing(self, *, is_so: bool) -> None:
        self.nothing.setVisible(is_so)
        self._split.setVisible(not is_so)
        for part in (self.level, self.atoms):
            part.setEnabled(not is_so)

    def stop(self) -> None:
        """Stop reading pages; the results so far stay."""
        self.run.stop()
        self.busy.hide()

    close_up = close_down = stop  # the result would not be visible

    def _on_compared(self, _order: CompareOrder, page: AgreementRow) -> None:
        self.pages.append(replace(page, name=self._title_of(page.key) or page.name))
        self.words.setText(f"Page {self._count - len(self.run)} of {self._count}")
        self._fill()

    def _on_failed(self, _order: CompareOrder, why: str) -> None:
        """Skip a page; show the reason if none can be compared."""
        self._problem = why

    def _on_ended(self) -> None:
        self.busy.hide()
        missing = count_shared(self._workspace.store) - len(self.pages)
        text = f"{plural(len(self.pages), 'page')} marked by two annotators or more"
        if missing > 0:
            text += f"; {missing} could not be read"
        marked = roles_by_page(self._workspace.store).values()
        people = (each for roles in marked for each in roles.items())
        counts = Counter(who for who, role in people if role is Role.ANNOTATOR)
        text += f" ({', '.join(f'{who} {count}' for who, count in counts.items())} marked)"
        self.words.setText(text if self.pages else self._problem or text)

    def _on_level(self, level: AgreementLevel) -> None:
        self._level = level
        self._fill()

    def _on_atoms(self, atoms: Atoms) -> None:
        self._atoms = atoms
        self._fill()

    def _fill(self) -> None:
        self.table.fill(self.pages, self._level, self._atoms, self.plot.cut)
        self._side.setVisible(self._level != "main")  # plot and types are of blocks
        self._draw_plot()
        self.confused.clear()
        for first, second, share in find_confused(self.pages, self._level):
            QListWidgetItem(f"{share:.1%}   {first} / {second}", self.confused)
        self.types.clear()
        for name, count, alpha in types_of(self.pages, self._level):
            text = "–" if alpha != alpha else f"{alpha:.3f}".replace("-", "−")
            QListWidgetItem(f"{text}   {name}  ·  {plural(count, 'page')}", self.types)

    def _draw_plot(self) -> None:
        if not self.pages:
            self.plot.show_curves((), ())
            return
        means = column_means(page.agreement.dial(self._level) for page in self.pages)
        chosen = self.table.page()
        curve = chosen.agreement.dial(self._level) if chosen is not None else ()
        self.plot.show_curves(DIAL, means, curve)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "types"):
            self._fill()
