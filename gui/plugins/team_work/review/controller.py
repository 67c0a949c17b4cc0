"""Review of the open page: annotators' marks compared, listed and decided by key."""

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QUndoCommand

from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.plugins.team_work.agreement import heat
from annotate.plugins.team_work.resolving import (
    decide,
    decide_versions,
    decisions,
    find_taken,
    marked_again,
    text_taken,
    with_marks,
)
from annotate.plugins.team_work.review import Disagreement, MarksCompared, Version, compare
from annotate.workspace.annotators import Role
from annotate.workspace.workspace import PageStatus
from engine.errors import PageletError
from engine.page import Page
from engine.words import join_words, plural
from gui.core.workbench import Workbench
from gui.page.framing import LEVEL_OF
from gui.page.marking import LOCKED
from gui.plugins.team_work.review.state import ReviewState
from gui.widgets.events import debounce

CLOSES = "close pages in agreement"
"""Setting: whether pages on which all agree are closed automatically."""

AT_ONCE = "take agreed marks at once"
"""Setting: whether the review of a page begins with the agreed marks."""

ALONE = "nobody else has marked this page: merge another annotator's workspace"
AGREED = "take what all agree on"
NONE = "none"
NEITHER = "neither"
"""Decision on a difference of which no version is taken; new marks may replace it."""


class Decide(QUndoCommand):
    """Stores decisions on differences of a page; undo makes the first of them current again."""

    def __init__(
        self, reviewing: "ReviewController", page: str, text: str, decided: Mapping[str, str]
    ) -> None:
        super().__init__(text)
        self._reviewing, self._page, self._decided = reviewing, page, decided
        self._before = {item: reviewing.decided.get(item, "") for item in decided}

    def redo(self) -> None:
        self._reviewing.keep(self._page, self._decided)

    def undo(self) -> None:
        self._reviewing.keep(self._page, self._before)
        self._reviewing.look_at(next(iter(self._before)))


class ReviewController(QObject):
    """Actions of the review; every decision is one undoable step."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        session = self._session = workbench.session
        self._workspace, self._marking = workbench.workspace, workbench.marking
        self._canvas = workbench.canvas
        self._review = session.get(ReviewState)
        workbench.left_to_do.append(self._left)
        workbench.requests.review.connect(lambda: self._review.show(True))
        self._golds: dict[str, Gold] = {}
        self._compared = MarksCompared((), (), ())
        self._theirs: frozenset[str] = frozenset()
        self.decided: dict[str, str] = {}
        self._begun: set[str] = set()  # pages that were begun with the agreed marks
        self.timer = debounce(self, 0, self.compare_marks)
        review = self._review
        review.shown_changed.connect(self.timer.start)
        session.open.page_changed.connect(self.timer.start)
        session.open.document_changed.connect(self._clear)
        session.open.gold_changed.connect(self._judge)
        review.index_changed.connect(self._scroll)

    def ask_merge(self) -> None:
        """Ask for the workspace of another annotator."""
        self._workbench.main_area.asked.emit("merge")

    # showing ---------------------------------------------------------------------------------
    def toggle_heat(self) -> None:
        """Show the heat map of disagreement, or the differences."""
        review = self._review
        review.show_heat(not review.shows_heat)
        review.show(True)

    def compare_marks(self) -> None:
        """Compare the annotators' marks on the open page."""
        session = self._session
        page, key = session.open.page, session.open.key
        if not self._review.is_shown or page is None:
            return
        nodes = page.rendered()
        try:
            me = self._workspace.annotator
            marked = self._workspace.golds(key, nodes).items()
            golds = {who.shown: gold for who, gold in marked if who != me}
            self.decided = decisions(self._workspace, key)
        except PageletError as error:
            session.messages.say(str(error))
            return
        self._review.own = ""
        if len(golds) == 1 and me.role is not Role.REVIEWER and session.open.gold.sure.marks:
            self._review.own = me.shown  # two people need no third one to compare
            golds = {me.shown: session.open.gold.sure, **golds}
        self._golds = golds
        is_unsure = any(mark.is_unsure for gold in golds.values() for mark in gold.marks)
        if len(golds) < 2 and not is_unsure:
            who = f"only {join_words(list(golds))} has marked this page" if golds else ALONE
            self._review.set_differences(tuple(golds), (), {}, who)
            return
        compared = self._compared = compare(nodes, golds)
        made = [mark for gold in golds.values() for mark in gold.marks]
        made += [m for each in compared.differences for v in each.versions for m in v.marks]
        self._theirs = frozenset(m.id for m in (*made, *compared.agreed, *compared.fused))
        self._review.set_differences(tuple(golds), compared.differences, _hot(page, golds))
        self._judge()
        if self._review.index < 0:
            self._review.step(1, stops_at=self._review.is_open)
        if not compared.differences:
            self._close()
        elif self.is_at_once and not session.open.gold.marks and key not in self._begun:
            self._begun.add(key)
            if me.role is Role.REVIEWER and compared.agreed:
                self.take_agreed()

    def step(self, by: int) -> None:
        """Go to the next or previous difference; shows the review if hidden."""
        review = self._review
        if review.is_shown:
            review.step(by)
        else:
            review.show(True)

    def _left(self) -> str:
        """Return the number of differences left to a reviewer, "" for none; shows the review."""
        review, is_shown = self._review, self._review.is_shown
        if not is_shown:
            try:
                is_reviewer = self._workspace.annotator.role is Role.REVIEWER
            except PageletError:
                return ""
            if not is_reviewer or self._session.open.page is None:
                return ""
            review.show(True)
        if self.timer.isActive():
            self.timer.stop()
            self.compare_marks()
        if not is_shown and not review.items:
            review.show(False)
        left = review.open_count
        return f"{plural(left, 'difference')} not decided" if left else ""

    def _clear(self) -> None:
        self._golds, self._compared, self.decided = {}, MarksCompared((), (), ()), {}
        self._review.set_differences((), (), {})

    def _scroll(self) -> None:
        current = self._review.current
        if current is not None:
            self._canvas.scroll_to(current.rows[0])

    # deciding --------------------------------------------------------------------------------
    def take(self, side: str) -> None:
        """Take a version of the current difference: ``left``, ``right``, ``both`` or `NONE`.

        After `NONE` a click makes a new mark.
        """
        review, difference = self._review, self._review.current
        if difference is None:
            self.step(1)
            return
        names = self._names_of(side)
        decision = f"as {join_words(names)}" if names else NEITHER
        if not self._push([(difference, _versions(difference, names))], decision):
            return
        if side == NONE:
            mode = next(m for m, level in LEVEL_OF.items() if level == difference.level)
            self._session.selection.set_mode(mode)
            self._session.messages.say("neither is taken: mark what should be there, or go on")
        else:
            review.step(1, stops_at=review.is_open)

    def take_rest(self, side: str) -> None:
        """Take the ``left`` or ``right`` version of all undecided differences."""
        review, names = self._review, self._names_of(side)
        chosen = [(each, _versions(each, names)) for each in review.items if review.is_open(each)]
        if not chosen:
            self._session.messages.say("no difference is left to decide")
        elif self._push(chosen, f"as {join_words(names)}"):
            count = plural(len(chosen), "difference")
            self._session.messages.say(
                f"{count} decided as {join_words(names)}; undo opens them again"
            )

    def _names_of(self, side: str) -> list[str]:
        left, right = self._review.left, self._review.right
        return {"left": [left], "right": [right], "both": [left, right]}.get(side, [])

    def _push(
        self, chosen: Sequence[tuple[Disagreement, Sequence[Version]]], decision: str
    ) -> bool:
        opened = self._session.open
        if opened.page is None:
            return False
        if opened.is_locked:
            self._session.messages.say(LOCKED)
            return False
        after, stored, nodes = opened.gold, {}, opened.page.rendered()
        own = self._review.own
        for difference, versions in chosen:
            if own and difference.level == MAIN and not any(own in each.who for each in versions):
                after = edits.remove_main(after, nodes, [*map(Target, difference.rows)])
            after = decide_versions(after, nodes, difference, versions)
            # Existing marks are known; that there is none must be stored, and that
            # the annotator's own marks were chosen.
            has_marks = any(version.marks for version in versions)
            stored[difference.item] = "" if has_marks and not own else decision
        text, history = f"decide {decision}", self._workbench.page_session.history
        has_changed = self._marking.change(text, lambda _gold, _nodes: after)
        history.push(Decide(self, opened.key, text, stored), opened.key)
        if has_changed:
            history.join_last()
        self._judge()
        return True

    def look_at(self, item: str) -> None:
        """Make a difference of the open page current."""
        items = [each.item for each in self._review.items]
        if item in items:
            self._review.choose(items.index(item))

    def keep(self, page: str, decided: Mapping[str, str]) -> None:
        """Store decisions on differences of a page, "" for none."""
        is_open = self._session.open.key == page
        for item, decision in decided.items():
            if is_open and self.decided.get(item, "") == decision:
                continue
            with self._session.messages.errors("not saved: "):
                decide(self._workspace, page, item, decision)
                if is_open:
                    self.decided[item] = decision
                    self._judge()

    def fuse(self) -> None:
        """Start from the marks of more than half of the annotators, besides existing marks."""
        self._compare_now()
        marks = self._compared.fused
        if self._add("start from the majority", marks):
            taken = f"{plural(len(marks), 'mark')} of the majority taken; undo drops them"
            self._session.messages.say(taken)
        else:
            self._session.messages.say("no mark is left that most annotators share")

    def take_agreed(self) -> None:
        """Take the marks shared by all annotators; differences stay to be decided."""
        self._compare_now()
        marks = self._compared.agreed
        if self._add(AGREED, marks):
            left = f"{plural(self._review.open_count, 'difference')} left to decide"
            taken = f"{plural(len(marks), 'mark')} that all agree on taken; {left}"
            self._session.messages.say(taken)
        else:
            self._session.messages.say("no mark is left that all annotators agree on")

    def _compare_now(self) -> None:
        """Show the review with the marks compared, unless it is shown."""
        if not self._review.is_shown:
            self._review.show(True)
            self.compare_marks()

    def _add(self, text: str, marks: Sequence[Mark]) -> bool:
        return self._marking.change(text, lambda gold, nodes: with_marks(gold, nodes, marks))

    @property
    def is_at_once(self) -> bool:
        """Whether the review of a page begins with the agreed marks."""
        return self._workspace.setting(AT_ONCE) is True

    def toggle_at_once(self) -> None:
        """Toggle whether the review of a page begins with the agreed marks."""
        self.set_at_once(not self.is_at_once)

    def set_at_once(self, is_at_once: bool) -> None:
        """Set whether the review of a page begins with the agreed marks."""
        begins = f"begins {'with what all agree on' if is_at_once else 'without marks'}"
        if self._set(AT_ONCE, is_at_once, f"the review of a page {begins}"):
            self._begun.clear()
            if is_at_once:
                self.timer.start()

    def _set(self, setting: str, value: bool, text: str) -> bool:
        with self._session.messages.errors("not saved: "):
            self._workspace.set_setting(setting, value)
            self._review.changed.emit()
            self._session.messages.say(text)
            return True
        return False

    def toggle_closing(self) -> None:
        """Toggle whether pages on which all agree are closed automatically."""
        self.set_closing(not self.closes)

    @property
    def closes(self) -> bool:
        """Whether pages on which all agree are closed automatically."""
        return self._workspace.setting(CLOSES) is True

    def set_closing(self, closes: bool) -> None:
        """Set whether pages on which all agree are closed automatically."""
        text = f"pages on which all agree {'close by themselves' if closes else 'stay open'}"
        if self._set(CLOSES, closes, text) and closes:
            self.compare_marks()

    def _close(self) -> None:
        """Take the agreed marks and close the page, if allowed."""
        marks = self._compared.agreed
        if not self.closes or not marks or self._session.open.is_locked:
            return
        is_taken = self._add(AGREED, marks)
        document, workbench = self._session.open.document, self._workbench
        if document is not None and workbench.pages.status(document) != PageStatus.DONE:
            self._session.messages.say("all agree on this page: it is closed")
            workbench.page_session.set_status(PageStatus.DONE)
            if is_taken:
                workbench.page_session.history.join_last()

    def _judge(self) -> None:
        session = self._session
        if session.open.page is None or not self._review.items:
            return
        nodes, gold, result = session.open.page.rendered(), session.open.gold, self._review.items
        texts = text_taken(result, gold, nodes)
        anew = marked_again(result, gold, nodes, self._theirs)
        own = self._review.own
        verdicts = {}
        for each in result:
            there, decision = find_taken(each, gold), self.decided.get(each.item, "")
            if own and not decision and _is_untouched(each, own, there, texts.get(each.item)):
                continue
            if there and not (own and decision):
                verdicts[each.item] = " + ".join(join_words(version.who) for version in there)
            elif decision and decision != NEITHER:
                verdicts[each.item] = decision  # a decision keeps its name
            elif each.item in texts:
                verdicts[each.item] = join_words(texts[each.item].who)
            elif each.item in anew:
                verdicts[each.item] = "marked anew"
            elif decision:
                verdicts[each.item] = decision
        self._review.set_verdicts(verdicts)


def _hot(page: Page, golds: Mapping[str, Gold]) -> dict[int, float]:
    """Return the elements with disputed texts, and their disagreement."""
    nodes = page.rendered()
    shares = heat(page, golds)
    texts = np.flatnonzero(nodes.is_text & nodes.visible & nodes.has_words & (shares > 0))
    return {int(row): float(shares[row]) for row in np.unique(nodes.parent[texts]).tolist()}


def _is_untouched(
    difference: Disagreement, own: str, there: Sequence[Version], text: Version | None
) -> bool:
    """Return whether one's own marks are unchanged since they were compared with another's."""
    mine = [each for each in difference.versions if own in each.who and each.marks]
    if difference.level == MAIN:
        return text is None if not mine else text in mine
    return all(each in mine for each in there) and all(each in there for each in mine)


def _versions(difference: Disagreement, names: Sequence[str]) -> list[Version]:
    """Return the annotators' distinct versions of a difference."""
    present = [n for n in names if any(n in version.who for version in difference.versions)]
    return list(dict.fromkeys(difference.of(name) for name in present))
