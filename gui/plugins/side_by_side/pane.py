"""View side by side: the page with one layer, from one input, and its score."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from algorithms.core.attempt import GoldResults, Outcome, attempt_located
from algorithms.core.catalogue import method
from algorithms.measures.text import TextScores
from algorithms.results import Result
from annotate.marks.gold import Gold
from engine.document import Document
from engine.page import Input, Page
from engine.words import plural
from gui.page.overlay.specs import LayerSpec, gold_specs, result_spec
from gui.plugins.side_by_side.page_pane import PagePane
from gui.plugins.side_by_side.scroll_sync import ScrollSync, follow
from gui.state.layers import LayerState, has_seen
from gui.state.session import Session
from gui.widgets.jobs import Task
from gui.widgets.texts import plain

Golds = Callable[[], Mapping[str, Gold]]

GOLD_OF = "gold of "
GOLD, DRAWN = "gold", "drawn"
"""Keys shown in place of a method: all gold, or the layers of the Methods panel."""

_INPUTS: dict[Input, str] = {
    "original": "original", "dom": "DOM", "seen": "seen", "rendered": "rendered"
}  # fmt: skip


@dataclass(frozen=True)
class PaneContent:
    """Content of a pane.

    Attributes:
        key: `GOLD`, `DRAWN`, the key of a method's layer, or `GOLD_OF` and an annotator's name.
        source: Input of the method; None for its layer's own.
        has_scripts: Whether the page's own scripts have run.
    """

    key: str
    source: Input | None = None
    has_scripts: bool = True


class Pane(PagePane):
    """Pane that shows the session's page a second time."""

    chosen = Signal()  # something else to show

    def __init__(
        self,
        session: Session,
        shown: PaneContent,
        parent: QWidget | None = None,
        golds: Golds = dict,
        number: int = 1,
    ) -> None:
        """Create a pane; ``golds`` returns annotators' marks on the session's page, by name."""
        super().__init__(f"What page {number} shows", "source", parent)
        self.canvas.name_page(f"Page {number}")
        self._session, self._golds = session, golds
        self.shown = shown
        self.sync: ScrollSync | None = None  # from the session's page to this one
        self._sync_back: ScrollSync | None = None  # and back
        self._outcome: Outcome | None = None
        self._made: object = None
        self._task = Task(self)
        self.choice.activated.connect(self._on_choice)
        self.scripts = self.head.button
        self.scripts.setCheckable(True)
        self.scripts.setAccessibleName(f"Page {number} without its scripts")
        self.scripts.clicked.connect(self._on_scripts)

    # contents ------------------------------------------------------------------------------
    def load(self, document: Document) -> None:
        """Open a document in this pane too."""
        self.sync, self._document = None, document
        self._outcome, self._made = None, None
        self.begin(replace(document, scripts=document.scripts and self.shown.has_scripts))

    def show_nothing(self) -> None:
        """Unload the page."""
        self._task.cancel()
        self.sync = None
        super().show_nothing()

    def set_shown(self, shown: PaneContent) -> None:
        """Set the shown content."""
        before, self.shown = self.shown, shown
        self.refresh()
        if before.has_scripts != shown.has_scripts and self._document is not None:
            self.load(self._document)

    def choices(self) -> list[tuple[str, PaneContent]]:
        """Return the possible contents, in words: gold, drawn layers, each method on each input."""
        result = [("Gold", PaneContent(GOLD)), ("As in the Methods panel", PaneContent(DRAWN))]
        result += [(f"Gold of {name}", PaneContent(GOLD_OF + name)) for name in self._golds()]
        for layer in self._session.layers.all:
            if layer.is_gold:
                continue
            inputs = method(layer.key).inputs
            for source in inputs:
                words = f"{layer.title} · {_INPUTS[source]}" if len(inputs) > 1 else layer.title
                result.append((words, PaneContent(layer.key, source)))
        return [
            (words, replace(each, has_scripts=self.shown.has_scripts)) for words, each in result
        ]

    def step(self, by: int) -> None:
        """Show the next or previous content."""
        shown = [each for _, each in self.choices()]
        position = shown.index(self._settled()) if self._settled() in shown else 0
        self.set_shown(shown[(position + by) % len(shown)])
        self.chosen.emit()

    def _settled(self) -> PaneContent:
        """Return the shown content, with the input its method reads."""
        layer = self.layer
        if layer is None or self.shown.source is not None:
            return self.shown
        return replace(self.shown, source=layer.source)

    @property
    def layer(self) -> LayerState | None:
        """Layer of the shown method; None for gold and all."""
        result = [x for x in self._session.layers.all if x.key == self.shown.key and not x.is_gold]
        return result[0] if result else None

    def layers(self) -> tuple[LayerState, ...]:
        """Return all shown layers, the topmost first."""
        session = self._session
        if self.shown.key == GOLD or self.shown.key.startswith(GOLD_OF):
            return tuple(x for x in session.layers.all if x.is_gold)
        if self.shown.key == DRAWN:
            return tuple(x for x in session.layers.all if session.layers.is_drawn(x))
        return (self.layer,) if self.layer is not None else ()

    # drawing -------------------------------------------------------------------------------
    def refresh(self) -> None:
        """Redraw the pane; run its method if needed."""
        self._fill()
        page, main, pieces = self.page, self._session.open.page, self.canvas.pieces
        if page is None or main is None or pieces is None or self.sync is None:
            return
        specs: list[LayerSpec] = []
        for layer in reversed(self.layers()):
            if layer.is_gold:
                if self.sync.is_same:
                    specs += gold_specs(layer, self._marks(), (), pieces)
                continue
            result = self._result(layer, page)
            if result is not None:
                source = main if self.sync.is_same else page
                specs.append(result_spec(layer, result, source, pieces, is_named=False))
        self.canvas.draw(specs)
        self._say()

    def _marks(self) -> Gold:
        """Return the shown marks: the user's, or an annotator's."""
        if not self.shown.key.startswith(GOLD_OF):
            return self._session.open.gold
        return self._golds().get(self.shown.key.removeprefix(GOLD_OF), Gold())

    def _result(self, layer: LayerState, page: Page) -> Result | None:
        """Return a method's result here, that of the window if it is the same run."""
        source = self.shown.source if layer.key == self.shown.key else None
        source = source or layer.source
        assert self.sync is not None
        if self.sync.is_same and source == layer.source:
            self._task.cancel()
            self._outcome = self._session.layers.outcomes.get(layer.key)
            self._made = None
            return self._outcome.result if self._outcome is not None else None
        if layer.key != self.shown.key:
            return None
        made = (layer.key, layer.params, source, page)
        if made != self._made:
            self._run(layer, source, page, made)
        return self._outcome.result if self._outcome is not None else None

    def _run(self, layer: LayerState, source: Input | None, page: Page, made: object) -> None:
        self._task.cancel()
        self._made, self._outcome = made, None
        on = self._session.open.page if self.sync is not None and self.sync.is_same else page
        assert on is not None
        assert layer.params is not None
        assert source is not None
        work = partial(attempt_located, method(layer.key), on, layer.params, source)
        self._task.start(work, self._on_ran)

    def _on_ran(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self.refresh()

    def _say(self) -> None:
        """Show the score beside the choice, or why there is none."""
        sync, layer = self.sync, self.layer
        assert sync is not None
        if layer is None:
            is_gold = self.shown.key == GOLD or self.shown.key.startswith(GOLD_OF)
            text = plural(len(self._marks().marks), "mark") if is_gold else ""
            is_gone = is_gold and not sync.is_same
            self.head.say("marks belong to the page with its scripts" if is_gone else text)
            return
        if self._outcome is None:
            self.head.say("running")
            return
        result, main = self._outcome.result, self._session.open.page
        if result is None or main is None:
            self.head.say(self._outcome.error or "")
            return
        gold = self._gold(main)
        score = gold.score(result) if sync.is_same else None
        seen = ", gold seen" if score is not None and has_seen(layer, main, gold) else ""
        if score is None:
            self.head.say("")
        elif isinstance(score, TextScores):
            self.head.say(f"F1 {score.ws.f1:.3f}{seen}")
        else:
            self.head.say(f"F1 {score.fuzzy['all'].prf.f1:.3f}{seen}")

    def _gold(self, main: Page) -> GoldResults:
        return self._session.open.gold.as_results(main)

    def draw_candidate(self, row: int) -> None:
        """Frame a row of the session's page."""
        if self.sync is not None:
            own = self.sync.row(row) if row >= 0 else -1
            self.frame((own,) if own >= 0 else ())

    def _fill(self) -> None:
        entries = self.choices()
        self.choice.offer([(words, None) for words, _ in entries])
        shown = [each for _, each in entries]
        settled = self._settled()
        self.choice.setCurrentIndex(shown.index(settled) if settled in shown else -1)
        self.scripts.setChecked(not self.shown.has_scripts)
        tip = "with" if self.shown.has_scripts else "without"
        self.scripts.setToolTip(plain(f"The page {tip} its own scripts; a click changes that"))

    # the page in it ----------------------------------------------------------------------------
    def _on_captured(self, page: Page) -> None:
        main = self._session.open.page
        if main is None:
            return
        self.sync = ScrollSync(main.rendered(), page.rendered())
        self._sync_back = ScrollSync(page.rendered(), main.rendered())
        super()._on_captured(page)
        self.refresh()

    def matching_row(self, row: int) -> int:
        """Return the row of the session's page for a row here."""
        return self.sync.back(row) if self.sync is not None else -1

    def _on_choice(self, index: int) -> None:
        self.set_shown(self.choices()[index][1])
        self.chosen.emit()

    def _on_scripts(self) -> None:
        self.set_shown(replace(self.shown, has_scripts=not self.shown.has_scripts))
        self.chosen.emit()

    def follow(self, leader: "Pane", top: float) -> None:
        """Scroll to the top of another pane."""
        if self.page and self.sync and leader.page and leader._sync_back:
            main = follow(leader._sync_back, top)  # via the session's page, which all follow
            self.scroll_to(follow(self.sync, main))


def usual(session: Session, current: str, count: int) -> Sequence[PaneContent]:
    """Return the default contents: gold, the current method, then the visible ones."""
    methods = [x.key for x in session.layers.all if not x.is_gold]
    drawn = [x.key for x in session.layers.all if not x.is_gold and session.layers.is_drawn(x)]
    order = dict.fromkeys([*([current] if current else []), *drawn, *methods])
    shown = [PaneContent(GOLD), *(PaneContent(key) for key in order)]
    return (shown + [PaneContent(DRAWN)] * count)[:count]
