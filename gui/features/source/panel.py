"""Source panel: the HTML that methods read, scrolled with the page."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from algorithms.core.catalogue import method
from algorithms.explain.differences import words_kept
from algorithms.params import Params
from algorithms.results import Extraction, Result
from algorithms.trace import Trace
from engine.errors import MethodError
from engine.page import SOURCES, Input
from engine.runs import runs_of
from engine.source import Source
from engine.words import plural
from gui.core.workbench import Workbench
from gui.features.source.locations import SourceLocations, find_scripted
from gui.features.source.view import NO_MARKS, Marks, SourceView
from gui.state.describe import describe
from gui.state.session import Session
from gui.widgets.controls import search_field
from gui.widgets.events import debounce, until_collected
from gui.widgets.fitted_texts import ElidedCombo
from gui.widgets.jobs import Task
from gui.widgets.layouts import lay_out
from gui.widgets.parts import ElidedLabel, PanelDock, Segments, small, tone

PLAIN, ALIGNED, SCRIPTS, RESULT = "plain", "aligned", "scripts", "result"
_STEP = "step:"

_DROPPED, _AMISS, _SCRIPTED = "#8a8f9b", "#d08a00", "#c2185b"

MarkedSource = tuple[Marks, str]
"""Highlighted spans and their explanation."""

_SCRIPTED_WORDS = {"original": "Removed by scripts", "dom": "Added by scripts"}
_INPUTS = (
    ("original", "Original", "The document as received"),
    ("dom", "DOM", "The document as scripts left it"),
    ("seen", "Seen", "The DOM as it is laid out, without hidden parts"),
)


class SourceDock(PanelDock):
    """Sources of one page, a choice of highlighting, and a search."""

    @property
    def key_holder(self) -> QWidget:
        """The text view; arrow keys belong to the search field while it has the focus."""
        return self.view

    def __init__(self, session: Session, host: Workbench, parent: QWidget | None = None) -> None:
        super().__init__("Source", "SourceDock", parent)
        self._session, self._host = session, host
        self._locations: SourceLocations | None = None
        self._input: Input = "dom"
        self._task = Task(self, in_line=True)
        self._traces: dict[tuple[str, Params, Input], Trace | None] = {}
        self._is_leading = False  # the caret moves the frame on the page, not the other way round
        self.view = SourceView(self)
        self.inputs = Segments(_INPUTS, self)
        self.inputs.set_value(self._input)
        self.marking = ElidedCombo("What is marked in the source", 12, self, least=4)
        self.field = search_field("Find in the source", self)
        self.field.setProperty("quiet", True)
        self.field.installEventFilter(self)
        self.message = small(ElidedLabel("", self))
        tone(self.message, "muted")
        self.message.setContentsMargins(12, 3, 8, 4)
        self.add_to_title(self.field)
        self.add_close("Close  (Ctrl+U)")
        parts = (self.inputs, (self.marking, 1))
        top = QWidget(self)  # in the body they would get the panel's background
        lay_out(QHBoxLayout(top), *parts, margins=(12, 0, 10, 6), spacing=8)
        lay_out(self.body, top, (self.view, 1), self.message)
        self._soon = debounce(self, 0, self._mark)
        self._connect()

    def _connect(self) -> None:
        session = self._session
        self.inputs.picked.connect(self.set_input)
        self.marking.activated.connect(lambda _: self._soon.start())
        self.field.textChanged.connect(self._on_typed)
        self.view.moved.connect(self._on_caret)
        self.view.taken.connect(lambda _: self.take())
        self.visibilityChanged.connect(lambda _: self._on_page())
        for signal in (session.open.page_changed, session.open.document_changed):
            signal.connect(self._on_page)
        session.selection.candidate_changed.connect(self._on_candidate)
        session.selection.selection_changed.connect(self._on_selection)
        session.layers.outcome_changed.connect(lambda _: self._on_method())
        session.layers.layers_changed.connect(self._on_method)

    # contents ------------------------------------------------------------------------------
    def toggle(self) -> None:
        """Show and focus the panel, or hide it."""
        super().toggle()
        if not self.isHidden():
            self.view.setFocus()

    def set_input(self, source: object) -> None:
        """Show the document as received, the DOM, or the rendered page."""
        if source != self._input:
            self._input = next(name for name in SOURCES if name == source)
            self.inputs.set_value(self._input)
            self._on_page()

    def other_input(self) -> None:
        """Show the next of the sources."""
        self.set_input(SOURCES[(SOURCES.index(self._input) + 1) % len(SOURCES)])

    def next_marking(self) -> None:
        """Choose the next highlighting."""
        if self.marking.count():
            self.marking.setCurrentIndex((self.marking.currentIndex() + 1) % self.marking.count())
            self._soon.start()

    def fold(self, way: int) -> None:
        """Fold or unfold at the caret."""
        self.view.fold(way)

    def unfold_all(self) -> None:
        self.view.unfold_all()

    def search(self) -> None:
        """Show the panel and focus the search field."""
        self.show()
        self.raise_()
        self.field.setFocus()
        self.field.selectAll()

    def find_next(self, step: int) -> None:
        """Go to the next or previous match."""
        number = self.view.go_to_hit(step)
        if number:
            self.message.setText(f"{number} of {self.view.search(self.field.text())} found")

    def take(self) -> None:
        """Select the node at the caret on the page."""
        locations = self._locations
        row = locations.row(self.view.caret) if locations is not None else -1
        if locations is None or row < 0:
            self.message.setText("this text is not on the page")
            return
        self._is_leading = True
        self._host.select_row(row)
        self._is_leading = False
        self.view.show_span(*locations.span(row), scrolls=False)

    # following the page ------------------------------------------------------------------------
    def _source_now(self) -> Source | None:
        page = self._session.open.page
        with suppress(MethodError):
            return page.source(self._input) if page is not None else None
        return None

    def _on_page(self) -> None:
        source = None if self.isHidden() else self._source_now()
        if self._locations is not None and self._locations.source is source:
            return
        self._task.cancel()
        page = self._session.open.page
        if source is None or page is None:
            self._locations = None
            self.view.set_source(None)
            self.set_remark("")
            return
        if self._locations is None or self._locations.page is not page:
            self._traces.clear()
        self._locations = SourceLocations(page, source)
        self.view.set_source(source)
        self.set_remark(f"{len(source.html):,} characters")
        self.message.setText("")
        self.view.search(self.field.text())
        self._fill_markings()
        self._on_candidate()
        self._mark()

    def _on_candidate(self) -> None:
        row = self._session.selection.candidate
        if self._locations is None or self._is_leading or row < 0:
            return
        start, end = self._locations.span(row)
        self.view.show_span(start, end)
        name = describe(self._locations.page.rendered(), row)
        self.message.setText(name if start >= 0 else f"{name} is not in this source")

    def _on_selection(self) -> None:
        marks = self._session.selection.selected_marks()
        if self._locations is not None and marks and marks[0].targets and not self._is_leading:
            self.view.show_span(*self._locations.span(marks[0].targets[0].row))

    def _on_caret(self, offset: int) -> None:
        if self._locations is None:
            return
        row = self._locations.row(offset)
        self._is_leading = True
        self._session.selection.set_candidate(row)
        self._is_leading = False
        span = self._locations.span(row) if row >= 0 else (-1, -1)
        self.view.show_span(*span, scrolls=False)

    # highlighting ------------------------------------------------------------------------------
    def _on_method(self) -> None:
        if self._locations is not None:
            self._fill_markings()
            self._soon.start()

    def _trace_key(self) -> tuple[str, Params, Input] | None:
        key = self._session.layers.shown_method
        params = self._session.layers.layer(key).params if key else None
        return None if params is None else (key, params, self._input)

    def _fill_markings(self) -> None:
        chosen = self.marking.currentData()
        entries = [("Syntax only", PLAIN), ("Not on the page", ALIGNED)]
        if self._input in _SCRIPTED_WORDS:
            entries.append((_SCRIPTED_WORDS[self._input], SCRIPTS))
        key = self._trace_key()
        if key is not None:
            name = self._session.layers.layer(key[0]).name
            outcome = self._session.layers.outcomes.get(key[0])
            if outcome is not None and isinstance(outcome.result, Extraction):
                entries.append((f"{name}: what it takes", RESULT))
            entry = method(key[0])
            if entry.says_why and (self._session.open.site or not entry.reads_site):
                entries += _steps_of(name, self._traces.get(key))
        if self.marking.offer(entries):
            index = self.marking.findData(chosen)
            if index < 0 and str(chosen).startswith(_STEP):
                index = self.marking.count() - 1  # the last step decides
            self.marking.setCurrentIndex(max(0, index))

    def _mark(self) -> None:
        """Compute the highlighting, in the background where it takes time."""
        self._task.cancel()
        locations, shown = self._locations, str(self.marking.currentData())
        if locations is None:
            return
        if shown == PLAIN:
            self._show_marks(shown, (NO_MARKS, ""))
            return
        key, layers = self._trace_key(), self._session.layers
        if shown == RESULT and key is not None:
            outcome = layers.outcomes.get(key[0])
            result = outcome.result if outcome is not None else None
            work = partial(_taken, locations, result, layers.layer(key[0]).color)
        elif shown.startswith(_STEP) and key is not None:
            self._trace(locations, key, int(shown.removeprefix(_STEP)))
            return
        else:
            work = partial(_unplaced if shown == ALIGNED else _scripted, locations)
        self._start(work, partial(self._show_marks, shown))

    def _start(self, work: Callable[[], Any], then: Callable[[Any], None]) -> None:
        self._task.start(work, then, lambda error: self.message.setText(str(error)))

    def _trace(self, locations: SourceLocations, key: tuple[str, Params, Input], step: int) -> None:
        if key not in self._traces:
            work = partial(method(key[0]).trace, locations.page, *key[1:], self._session.open.site)

            def keep(trace: Trace | None) -> None:
                self._traces[key] = trace
                self._fill_markings()
                self._mark()

            self._start(work, keep)
            return
        color = self._session.layers.layer(key[0]).color
        result = _step_marks(locations.source, self._traces[key], step, color)
        self._show_marks(f"{_STEP}{step}", result)

    def _show_marks(self, shown: str, marked_source: MarkedSource) -> None:
        if shown == self.marking.currentData():
            self.view.set_marks(marked_source[0])
            if marked_source[1]:
                self.message.setText(marked_source[1])

    # search --------------------------------------------------------------------------------
    def _on_typed(self, text: str) -> None:
        count = self.view.search(text)
        self.message.setText(f"{count} found" if text else "")
        if count:
            self.find_next(1)

    @until_collected
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter in the field goes to the next match, Shift+Enter back, Esc to the source."""
        enter = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if watched is self.field and isinstance(event, QKeyEvent) and event.key() in enter:
            if event.type() == QEvent.Type.KeyPress:
                back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                self.find_next(-1 if back else 1)
            return True
        return super().eventFilter(watched, event)


def _steps_of(name: str, trace: Trace | None) -> list[tuple[str, str]]:
    """Return the steps of a method that read something, in words, with their keys."""
    if trace is None:
        return [(f"{name}: as it sees it", f"{_STEP}-1")]
    return [
        (f"{name}: {step.rule.asks}", f"{_STEP}{index}")
        for index, step in enumerate(trace.steps)
        if len(step)
    ]


def _unplaced(locations: SourceLocations) -> MarkedSource:
    spans = locations.unplaced
    return Marks.of(spans, _AMISS), f"{plural(len(spans), 'word')} not found on the page"


def _scripted(locations: SourceLocations) -> MarkedSource:
    spans = find_scripted(locations.page, locations.source)
    words = plural(len(spans), "word or tag", "words and tags")
    did = "added" if locations.is_dom else "removed"
    return Marks.of(spans, _SCRIPTED), f"scripts {did} {words}"


def _taken(locations: SourceLocations, result: Result | None, color: str) -> MarkedSource:
    if not isinstance(result, Extraction):
        return NO_MARKS, "the method has no text to show"
    if result.source is not locations.source:
        return NO_MARKS, "the method reads the other input: choose it in the Methods panel"
    first, last = runs_of(words_kept(result))
    words = locations.source.tokens.spans
    spans = np.stack([words[first, 0], words[last - 1, 1]], axis=1).astype(np.int32)
    return Marks.of(spans, color), f"{plural(int((last - first).sum()), 'word')} taken"


def _step_marks(source: Source, trace: Trace | None, index: int, color: str) -> MarkedSource:
    """Return the words, lines or blocks read by a step of a method, and its decisions."""
    if trace is None or index >= len(trace.steps):
        return NO_MARKS, "the method says nothing of its steps on this input"
    step, words = trace.steps[index], source.tokens.spans
    has_words = step.places[:, 1] > step.places[:, 0]
    at, is_kept = step.places[has_words], step.kept[has_words]
    order = np.argsort(at[:, 0], kind="stable")
    at, is_kept = at[order], is_kept[order]
    spans = np.stack([words[at[:, 0], 0], words[at[:, 1] - 1, 1]], axis=1).astype(np.int32)
    marks = Marks(spans, np.where(is_kept, 0, 1).astype(np.int32), (color, _DROPPED))
    says = f"{plural(len(spans), 'decision')}, {int(is_kept.sum())} to keep"
    return marks, f"{step.rule.asks}: {says}"
