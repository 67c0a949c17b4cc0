"""Updates suggestions as results and marks change; accepts or rejects one."""

from functools import partial

from PySide6.QtCore import QObject

from algorithms.core.catalogue import method
from annotate.marks import drafts
from annotate.marks.gold import Gold
from annotate.plugins.suggestions.suggestions import (
    Suggestion,
    SuggestionKey,
    accept_suggestion,
    open_ones,
    suggest,
)
from engine.nodes import NodeTable
from engine.page import Page
from engine.version import pagelet_version
from gui.core.findings import DecideFinding
from gui.core.workbench import Workbench
from gui.features.drafts.feature import DraftsController
from gui.plugins.suggestions.state import SuggestionWalk
from gui.state.selection import NOTHING, Highlight
from gui.widgets.events import debounce


class SuggestionsController(QObject):
    """Actions of the Suggestions panel and its keys."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        session = self._session = workbench.session
        self._marking, self._canvas = workbench.marking, workbench.canvas
        self._history = workbench.page_session.history
        self._walk = session.get(SuggestionWalk)
        drafting = self._drafting = workbench.get(DraftsController)
        self._rejected: dict[str, frozenset[SuggestionKey]] = {}  # by page
        self._made_of: object = None
        self._made: tuple[Suggestion, ...] = ()
        self._timer = debounce(self, 0, self.refresh)
        walk = self._walk
        for signal in (
            session.open.page_changed, session.open.gold_changed, session.layers.layers_changed,
            session.layers.outcome_changed, walk.shown_changed, walk.rejected_changed,
            drafting.share_changed,
        ):  # fmt: skip
            signal.connect(self._soon)
        session.open.document_changed.connect(self._start_over)
        walk.index_changed.connect(self._point)
        walk.shown_changed.connect(self._point)

    # actions of the panel ----------------------------------------------------------------------
    def step(self, by: int) -> None:
        """Go to the next or previous suggestion; shows them if hidden."""
        walk = self._walk
        walk.show(True)
        self.refresh()
        if not walk.items:
            none = "the methods shown have no more suggestions here"
            self._session.messages.say(walk.trouble or none)
        walk.step(by)

    def accept(self) -> None:
        """Mark the current suggestion."""
        suggestion = self._walk.current
        if suggestion is None:
            self.step(1)
            return
        layer = self._session.layers.layer(suggestion.methods[0])
        if layer.params is None or layer.source is None:
            return
        version = method(layer.key).version or pagelet_version()
        seed = drafts.seed_of(layer.key, version, layer.params, layer.source)

        def edit(gold: Gold, nodes: NodeTable) -> Gold:
            after, old = (
                accept_suggestion(gold, nodes, suggestion),
                {mark.id for mark in gold.marks},
            )
            return Gold(tuple(m if m.id in old else m.with_(seed=seed) for m in after.marks))

        if self._marking.change(f"accept a suggestion of {layer.title}", edit):
            self._marking.show_layer(suggestion.level)
            self.refresh()

    def reject(self) -> None:
        """Reject the current suggestion: it is not suggested on this page again."""
        walk, page = self._walk, self._session.open.key
        if walk.current is not None and page:
            turn_down = partial(self._turn_down, page, walk.current.key)
            self._history.push(DecideFinding("reject a suggestion", turn_down), page)

    def _turn_down(self, page: str, key: SuggestionKey, is_rejected: bool) -> None:
        before = self._rejected.get(page, frozenset())
        self._rejected[page] = before | {key} if is_rejected else before - {key}
        if self._session.open.key == page:
            self._walk.set_rejected(self._rejected[page])
            self.refresh()

    # following results and marks -----------------------------------------------------------------
    def _soon(self, _key: str = "") -> None:
        if self._walk.is_shown:
            self._timer.start()

    def _start_over(self) -> None:
        self._made_of, self._made = None, ()
        self._walk.set_rejected(self._rejected.get(self._session.open.key, frozenset()))
        self._walk.set_suggestions(())

    def refresh(self) -> None:
        """Compute the suggestions; new results of methods are combined only here."""
        session, walk, page = self._session, self._walk, self._session.open.page
        if not walk.is_shown or page is None:
            return
        if self._drafting.is_unassisted:
            walk.set_suggestions((), "This page is kept free of drafts: mark it by hand.")
            return
        result = self._suggestions(page)
        trouble = "" if result else "Show layers of methods that found something (Shift+G, eyes)."
        left = open_ones(result, session.open.gold, page.rendered(), walk.rejected)
        walk.set_suggestions(left, trouble)

    def _suggestions(self, page: Page) -> tuple[Suggestion, ...]:
        session = self._session
        results = {
            layer.key: outcome.result
            for layer in session.layers.all
            if not layer.is_gold
            and layer.visible
            and (outcome := session.layers.outcomes.get(layer.key)) is not None
            and outcome.result is not None
        }
        made_of = (page, tuple(results.items()))
        if made_of != self._made_of:
            self._made_of, self._made = made_of, suggest(page, results)
        return self._made

    def _point(self) -> None:
        walk, session = self._walk, self._session
        suggestion = walk.current if walk.is_shown else None
        if suggestion is None:
            session.selection.set_highlight(NOTHING)
            return
        texts = tuple((t.row, t.start, t.end) for t in suggestion.targets if not t.is_whole)
        rows = tuple(target.row for target in suggestion.targets if target.is_whole)
        session.selection.set_highlight(Highlight(texts, rows))
        self._canvas.scroll_to(suggestion.rows[0])
