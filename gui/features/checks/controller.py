"""Checks marks after each change: lists findings, fixes them, asks before a page is done."""

import time
from functools import partial

from PySide6.QtCore import QObject

from annotate.marks import checks
from annotate.marks.checks import Finding, FindingKind
from annotate.workspace.workspace import page_key
from engine.words import join_words, plural
from gui.core.findings import DecideFinding
from gui.core.workbench import Workbench
from gui.features.checks.state import CheckWalk
from gui.widgets.events import debounce

REST_MS = 150
"""Delay of the checks after a change, so that nothing waits for them."""
CHECK_S = 0.4
"""Seconds within which `D` is ignored on a page it opened: a key held, or pressed twice."""


class ChecksController(QObject):
    """Actions of the Checks panel, its keys and `D`."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        session = self._session = workbench.session
        self._marking, self._canvas = workbench.marking, workbench.canvas
        self._walk = session.get(CheckWalk)
        self._asked: tuple[object, tuple[Finding, ...]] | None = None
        self._is_finishing = self._is_led_to = False  # the open page, by `finish`
        self._shown = 0.0
        self._timer = debounce(self, REST_MS, self.refresh)
        opened, layers = session.open, session.layers
        for signal in (opened.page_changed, opened.gold_changed, layers.layers_changed):
            signal.connect(self._timer.start)
        layers.outcome_changed.connect(lambda _key: self._timer.start())
        opened.document_changed.connect(self._start_over)
        for signal in (opened.document_changed, opened.page_changed):
            signal.connect(self._note_shown)
        self._walk.index_changed.connect(self._point)
        self._walk.changed.connect(self._show_count)

    def toggle(self) -> None:
        """Show or hide the list."""
        self.refresh()
        self._walk.show(not self._walk.is_shown)

    def step(self, by: int) -> None:
        """Go to the next or previous finding; shows the list."""
        self.refresh()
        walk = self._walk
        walk.show(True)
        if not walk.items:
            self._session.messages.say("nothing is left to check")
        walk.step(by)

    def fix(self) -> None:
        """Fix the current finding if there is only one possible fix."""
        finding = self._walk.current
        if finding is None:
            self.step(1)
        elif not finding.fix:
            self._session.messages.say("no automatic fix: edit the mark, or ignore the finding")
        else:
            self._marking.change(
                finding.fix, lambda gold, _nodes: checks.fix_finding(gold, finding)
            )
            self.refresh()

    def ignore(self) -> None:
        """Ignore the current finding: its mark is right."""
        finding, document = self._walk.current, self._session.open.document
        if finding is not None and document is not None:
            history = self._workbench.page_session.history
            ignore = partial(self.set_ignored, finding)
            history.push(DecideFinding("ignore a finding", ignore), page_key(document))

    def set_ignored(self, finding: Finding, is_ignored: bool) -> None:
        """Ignore a finding of the open page, or list it again and make it current."""
        self._walk.ignore(finding, is_ignored=is_ignored)
        if not is_ignored:
            self.refresh()
            if finding in self._walk.items:
                self._walk.choose(self._walk.items.index(finding))

    def finish(self) -> None:
        """Mark the page as done; with open findings only on the second request."""
        self.refresh()
        session, walk = self._session, self._walk
        if self._is_led_to and time.monotonic() - self._shown < CHECK_S:
            return
        sure, drafts = session.open.gold.sure.marks, session.open.gold.unconfirmed()
        # Marks that no method has may well be right: they do not block the page.
        left_over = [each for each in walk.items if each.kind is not FindingKind.AGAINST]
        others = [text for left in self._workbench.left_to_do if (text := left())]
        is_empty = not (sure or session.open.is_locked)
        counts = (
            (len(drafts), "draft" if all(mark.is_draft for mark in drafts) else "mark", "confirm"),
            (sum(mark.awaits_type for mark in sure), "suggested type", "confirm"),
            (len(left_over), "thing", "check"),
        )
        reasons = [*others, *["nothing is marked"] * is_empty]
        reasons += [f"{plural(count, what)} to {do}" for count, what, do in counts if count]
        asked = (session.open.document, tuple(left_over))
        if reasons and session.open.page is not None and self._asked != asked:
            self._asked = asked
            session.messages.say(f"{join_words(reasons)}: D again if the page is done all the same")
            if left_over:
                walk.show(True)
            return
        self._asked = None
        if others:
            session.messages.say(f"page is done with {join_words(others)}: Ctrl+Z takes it back")
        self._is_finishing = True
        self._workbench.page_session.set_status("done")
        self._is_finishing = False

    def refresh(self) -> None:
        """Check the marks again."""
        session = self._session
        self._timer.stop()
        if session.open.page is None:
            return
        results = {
            key: outcome.result
            for key, outcome in session.layers.outcomes.items()
            if outcome.result is not None and not session.layers.is_gold_only  # a single annotator
        }
        locked = session.open.is_locked  # a data set's own are as they are
        result = [] if locked else checks.check(session.open.gold, session.open.page, results)
        self._walk.set_findings(result)

    def _show_count(self) -> None:
        self._session.open.set_remarks(self._walk.by_mark)
        count = len(self._walk.items)
        text = f"{count} to check" if count else ""
        self._workbench.note("checks", text, "Shift+C lists them")

    def _note_shown(self) -> None:
        self._shown = time.monotonic()

    def _start_over(self) -> None:
        self._asked = None
        self._is_led_to = self._is_finishing
        self._timer.stop()
        self._walk.start_over()

    def _point(self) -> None:
        """Select the marks of a finding, and scroll to the first."""
        session, finding = self._session, self._walk.current
        marks = [m for i in (finding.marks if finding else ()) if (m := session.open.gold.find(i))]
        if marks and marks[0].targets:
            session.selection.set_selected([mark.id for mark in marks])
            self._canvas.scroll_to(marks[0].targets[0].row)
