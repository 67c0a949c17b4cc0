"""Drafts in the window: adopted from a layer, confirmed one by one, by area or all, deleted."""

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from PySide6.QtCore import QObject, Signal

from algorithms.core.catalogue import method
from algorithms.results import Segmentation
from annotate.marks import drafts, edits
from annotate.marks.anchor import likely_places
from annotate.marks.drafts import NO_TYPE, DraftScope, brought_back, certain, draft_parts
from annotate.marks.gold import Gold, Mark, MarkState
from annotate.marks.journal import BROUGHT_BACK
from annotate.workspace.workspace import page_key
from engine.errors import PageletError
from engine.nodes import NodeTable
from engine.version import pagelet_version
from engine.words import plural
from gui.core.marks_in_view import by_view
from gui.core.workbench import Workbench
from gui.features.drafts.seen import SeenMarks
from gui.page.gesture_edits import SUGGESTS_TYPES
from gui.widgets.events import debounce
from gui.widgets.quick_pick import Choice

_ASKED = (MarkState.MOVED, MarkState.DRAFT)
BEGINS = "begins pages with drafts"
"""Workspace setting: whether an untouched page begins with drafts."""

LEARNS = "drafts learn"
"""Workspace setting: whether new pages begin with drafts learned from confirmed ones."""

WEAK_ENTRY = "Mark → Drafts → Learned drafts → Weak drafts"
SHARES = ("0 %", "10 %", "20 %", "30 %", "50 %")
KEPT_FREE = "this page is kept free of drafts: mark it by hand"


class DraftsController(QObject):
    """Actions of drafts; every action is one undoable step."""

    share_changed = Signal()

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        session = self._session = workbench.session
        self._workspace, self._marking = workbench.workspace, workbench.marking
        self._canvas = workbench.canvas
        workbench.decide, workbench.confirm = self.decide, self.confirm
        self.seen = SeenMarks(workbench, self)
        self._reached = ""  # the mark reached by a key
        self._begun = ""  # the page whose drafts have begun
        session.layers.outcome_changed.connect(self._begin)
        session.open.document_changed.connect(self._spare)
        self.share_changed.connect(self._spare)
        self._marking.dropped = self._dropped
        session.open.dropped_changed.connect(workbench.requests.enable.emit)
        self._count = debounce(self, 60, lambda: session.open.set_dropped(len(self._dropped())))
        for signal in (session.open.document_changed, session.open.gold_changed,
                       session.open.page_changed):  # fmt: skip
            signal.connect(self._count.start)

    def stop(self) -> None:
        """Stop counting dropped drafts: the workspace is closed next."""
        self._count.stop()
        self._count.blockSignals(True)
        self.seen.stop()

    # adopting --------------------------------------------------------------------------------
    def adopt(self) -> None:
        """Adopt the current layer as drafts."""
        self._adopt(())

    def toggle_begins(self) -> None:
        """Toggle whether untouched pages begin with drafts from the current layer."""
        is_on = not self.begins
        with self._session.messages.errors("not saved: "):
            self._workspace.set_setting(BEGINS, is_on)
            layer = self._session.layers.layer(self._session.layers.current_layer)
            whose = "the current layer, once that is a method's" if layer.is_gold else layer.title
            on = f"new pages begin with drafts from {whose}"
            self._session.messages.say(on if is_on else "pages begin without drafts")
            self._begin(layer.key)

    def is_set(self, name: str) -> bool:
        """Return whether a setting of the workspace is on; False where it cannot be read."""
        with suppress(PageletError):
            return self._workspace.setting(name, False) is True
        return False

    @property
    def begins(self) -> bool:
        """Whether untouched pages begin with drafts."""
        return self.is_set(BEGINS)

    def _begin(self, key: str) -> None:
        """Adopt the current layer as soon as it is ready, on an untouched page."""
        session, opened = self._session, self._session.open
        outcome = session.layers.outcomes.get(key)
        if key != session.layers.current_layer or outcome is None or outcome.result is None:
            return
        if opened.document is None or opened.gold.marks or opened.is_locked or self.is_unassisted:
            return
        page = page_key(opened.document)
        if page == self._begun or not self.begins:
            return
        with session.messages.errors():
            learns = self._workspace.setting(LEARNS, False) is True
            if not learns and not self._workspace.history(page):
                self._begun = page
                self.adopt()

    def adopt_here(self) -> None:
        """Adopt the current layer's results in the selected marks, else in the frame."""
        if rows := self._area():
            self._adopt(rows)
        else:
            self._session.messages.say(
                "select a mark or frame an element first: drafts come from within it"
            )

    def draft_parts(self) -> None:
        """Draft the parts of the level-1 block, or around the mark; again: finer parts."""
        session = self._session
        meant = session.selection.meant_marks()
        if session.open.page is None or len(meant) != 1:
            session.messages.say("point at a level-1 block, or select one: its parts become drafts")
        elif self.is_unassisted:
            session.messages.say(KEPT_FREE)
        elif self._marking.change(
            "draft the parts of a block",
            lambda gold, nodes: draft_parts(gold, nodes, meant[0].id, pagelet_version()),
        ):
            self._marking.show_layer(2)

    def adopt_type(self, name: str) -> None:
        """Adopt the current layer's blocks of one type."""
        self._adopt((), "" if name == NO_TYPE else name)

    def ask_type(self) -> None:
        """Ask for the type of blocks to adopt as drafts."""
        if choices := [Choice(name) for name in self.types()]:
            field = self._workbench.main_area.field
            field.ask("Blocks of which type", "Type", self.adopt_type, choices)
        else:
            self._session.messages.say("the current layer has no blocks on this page")

    def types(self) -> list[str]:
        """Return the distinct types of the current layer's blocks, in their order."""
        outcome = self._session.layers.outcomes.get(self._session.layers.current_layer)
        result = outcome.result if outcome is not None else None
        if not isinstance(result, Segmentation):
            return []
        return list(dict.fromkeys(block.type or NO_TYPE for block in result.blocks))

    def _adopt(self, rows: Sequence[int], type_name: str | None = None) -> None:
        session = self._session
        layer, page = session.layers.layer(session.layers.current_layer), session.open.page
        if page is None:
            return
        if self.is_unassisted:
            session.messages.say(KEPT_FREE)
            return
        if layer.is_gold or layer.params is None or layer.source is None:
            session.messages.say(
                "choose the layer of a method first: a click on its name makes it current"
            )
            return
        outcome = session.layers.outcomes.get(layer.key)
        if outcome is None or outcome.result is None:
            is_late = outcome is None or not outcome.error
            why = "is not done yet" if is_late else "failed on this page"
            session.messages.say(f"{layer.title} {why}: there is nothing to adopt")
            return
        version = method(layer.key).version or pagelet_version()
        seed = drafts.seed_of(layer.key, version, layer.params, layer.source)
        scope = DraftScope(layer.level, tuple(rows), type_name)
        result = drafts.adopt(session.open.gold, page, outcome.result, seed, scope)
        gold = self._marking.without_dropped(result.gold)
        made = len(gold.marks) - len(session.open.gold.marks)
        again = result.made - made
        text = f"adopt {plural(made, 'draft')} from {layer.title}"
        if not self._marking.change(text, lambda _gold, _nodes: gold):
            if not session.open.is_locked:
                all_ = f"the rest was dropped ({again})" if again else "all of it is marked"
                session.messages.say(f"{layer.title} has nothing new here: {all_}")
            return
        rest = f"; {again} not offered again, since dropped" if again else ""
        left = f"; {result.left_out} left out, since marks are there" if result.left_out else ""
        self.show_made(f"{plural(made, 'draft')} from {layer.title}{left}{rest}")

    def show_made(self, what: str) -> None:
        """Show the layers of the page's drafts, and a message on those just made."""
        for level in sorted({mark.level for mark in self._session.open.gold.drafts()}):
            self._marking.show_layer(level)
        self._session.messages.say(f"{what}. Y confirms the selected one, Shift+Y all in view")

    # deciding ----------------------------------------------------------------------------------
    def confirm(self) -> None:
        """Confirm the selected marks; go on to the next draft or moved mark.

        Suggested types do so too, except while marking, where the mouse leads.
        """
        selection = self._session.selection
        marks = [mark for mark in selection.meant_marks() if _is_asked(mark)]
        is_walk = any(mark.state in _ASKED for mark in marks) or not selection.mode.makes_block
        done = bool(marks) and self._confirm([mark.id for mark in marks])
        if done and is_walk and selection.selected:
            self._select_next(max((mark.targets[0].row, mark.level) for mark in marks))

    def next_place(self) -> None:
        """Move the selected mark to the next place with its text or a similar text."""
        session, gone = self._session, (MarkState.MOVED, MarkState.LOST)
        marks = [mark for mark in session.selection.meant_marks() if mark.state in gone]
        if session.open.page is None or len(marks) != 1:
            session.messages.say("select one mark that moved: Shift+N shows the next")
            return
        (mark,) = marks
        places = likely_places(session.open.page.rendered(), mark)
        at = next((n for n, (targets, _) in enumerate(places) if targets == mark.targets), -1)
        if not places or (len(places) == 1 and at == 0):
            session.messages.say("no other text on this page is similar")
            return
        number = (at + 1) % len(places)
        targets, score = places[number]
        if self._marking.change(
            "next likely position", lambda gold, _n: edits.move_to(gold, mark.id, targets, score)
        ):
            if moved := session.open.gold.find(mark.id):
                self._select(moved)
            session.messages.say(
                f"place {number + 1} of {len(places)}, {score:.0%} alike: Y confirms it"
            )

    def decide(self, act: Callable[[], None]) -> None:
        """Type or delete the selection; if a key led to this draft, go on to the next as `Y` does.

        Marks chosen with the mouse stay in view: only a draft reached by a key is followed by the
        next.
        """
        session = self._session
        is_reached = session.selection.selected == (self._reached,)
        mark = session.open.gold.find(self._reached) if is_reached else None
        act()
        if mark is not None and _is_asked(mark):
            now = session.open.gold.find(mark.id)
            if now is None or not _is_asked(now):
                self._select_next((mark.targets[0].row, mark.level))

    def confirm_here(self) -> None:
        """Confirm the drafts that are drawn in the selected marks, else in the frame."""
        drawn = {mark.id for mark in self.seen.asked()}
        if ids := self._drafts_here():
            if seen := [i for i in ids if i in drawn]:
                self._confirm(seen)
            else:
                self._session.messages.say(self._none_left("no draft is drawn there"))

    def _drafts_here(self) -> list[str]:
        """Return the drafts in the selected marks, else in the frame; show a message for none."""
        page, gold = self._session.open.page, self._session.open.gold
        if page is None:
            return []
        result = drafts.drafts_in(gold, page.rendered(), self._area())
        if not result:
            self._session.messages.say("no draft in the selection or frame")
        return [mark.id for mark in result]

    def confirm_all(self) -> None:
        """Confirm the drafts and moved marks in view, and go on to the next out of view."""
        self._confirm_seen(self.seen.asked(), self._none_left())

    def confirm_seen(self) -> None:
        """Confirm the drafts and moved marks that have been in view, and go to one that has not."""
        session, marks = self._session, self.seen.marks()
        if not self.seen.asked():
            session.messages.say(self._none_left())
            return
        if marks and not self._confirm([mark.id for mark in marks]):
            return
        done = f"{plural(len(marks), 'mark')} confirmed that you saw"
        left = self.seen.asked()
        rest = f"; {plural(len(left), 'mark')} not seen yet" if left else ""
        session.messages.say((done if marks else "none of it was in view yet") + rest)
        for mark in left[:1]:
            self._select(mark)

    def _none_left(self, none: str = "nothing is left to confirm") -> str:
        """Return that there is nothing, and how to draw the marks to confirm that are not drawn."""
        drawn, draws_weak = set(self.seen.asked()), self._session.layers.draws_weak
        hidden = [m for m in drafts.unsure(self._session.open.gold) if m not in drawn]
        weak = sum(mark.is_weak for mark in hidden) if not draws_weak else 0
        others = len(hidden) - weak
        weak_ones = f"{plural(weak, 'weak draft')} not drawn: {WEAK_ENTRY} draws them"
        rest = f"{plural(others, 'mark')} not drawn: show the layer in Methods"
        return "; ".join((none, *[weak_ones] * bool(weak), *[rest] * bool(others)))

    def confirm_certain(self) -> None:
        """Confirm the transferred drafts in view that are certain; the others stay drafts."""
        marks = self._workbench.drawing.drawn(certain(self._session.open.gold))
        self._confirm_seen(marks, "no high-confidence drafts here")

    def _confirm_seen(self, marks: Sequence[Mark], none: str) -> None:
        """Confirm the marks that are in view, show how many are not, and go to the next."""
        session, canvas = self._session, self._canvas
        if session.open.page is None or not marks:
            session.messages.say(none)
            return
        nodes = session.open.page.rendered()
        sides = by_view(marks, nodes, canvas.seen, canvas.page_height)
        done = self._confirm([mark.id for mark in sides.inside])
        if sides.inside and not done:
            return  # a message was shown
        text = f"{plural(len(sides.inside), 'mark')} confirmed" if done else "none of it is in view"
        left = len(drafts.unsure(session.open.gold)) - len(sides.above) - len(sides.below)
        asked = f"{plural(left, 'uncertain mark')} left: Shift+N walks them" if left else ""
        session.messages.say("; ".join(filter(None, (text, sides.rest, asked))))
        for mark in (*sides.below, *sides.above)[:1]:
            self._select(mark)

    def drop_all(self) -> None:
        """Delete all drafts; confirmed marks stay."""
        ids = [mark.id for mark in self._session.open.gold.drafts()]
        if ids:
            self._drop(ids, "draft")
        else:
            self._session.messages.say("there are no drafts on this page")

    def drop_here(self) -> None:
        """Delete the drafts in the selected marks, else the one under the mouse or framed."""
        if ids := self._drafts_here():
            self._drop(ids, "draft")

    def bring_back(self) -> None:
        """Make the dropped drafts of the page drafts again, but where marks are now."""
        dropped = self._dropped()
        made = len(self._session.open.gold.marks)
        self._marking.change(BROUGHT_BACK, lambda gold, nodes: brought_back(gold, nodes, dropped))
        made = len(self._session.open.gold.marks) - made
        left = len(dropped) - made
        rest = f"; {left} not, since marks are there" if left else ""
        self.show_made(f"{plural(made, 'dropped draft')} brought back{rest}")

    def _dropped(self) -> tuple[Mark, ...]:
        """Return the drafts of the open page that were rejected."""
        opened = self._session.open
        if opened.page is None or opened.is_locked:
            return ()
        try:
            return self._workspace.dropped_drafts(opened.key, opened.page.rendered())
        except PageletError:  # another program writes: they are offered once more
            return ()

    def _drop(self, ids: Collection[str], what: str) -> None:
        text = f"drop {plural(len(ids), what)}"
        self._marking.change(text, lambda gold, _nodes: edits.remove(gold, ids))

    def step(self, way: int) -> None:
        """Select the next or previous mark to be confirmed, and scroll to it."""
        waiting = drafts.unsure(self._session.open.gold)
        if not waiting:
            self._session.messages.say("nothing is left to confirm")
            return
        ids = [mark.id for mark in waiting]
        current = self._session.selection.selected[-1:]
        first = -1 if way > 0 else 0
        start = ids.index(current[0]) if current and current[0] in ids else first
        self._select(waiting[(start + way) % len(ids)])

    def _confirm(self, ids: Collection[str]) -> bool:
        def edit(gold: Gold, nodes: NodeTable) -> Gold:
            return edits.confirm(gold, nodes, ids)

        result = [self._session.open.gold.find(mark_id) for mark_id in ids]
        is_type = all(mark is not None and mark.state not in _ASKED for mark in result)
        what = f"confirm {plural(len(ids), 'mark')}"
        return bool(ids) and self._marking.change(what, edit, types=ids if is_type else ())

    def _select_next(self, after: tuple[int, int]) -> None:
        if waiting := drafts.unsure(self._session.open.gold):
            later = (m for m in waiting if (m.targets[0].row, m.level) >= after)
            self._select(next(later, waiting[0]))

    def _select(self, mark: Mark) -> None:
        self._reached = mark.id
        self._session.selection.set_selected((mark.id,))
        self._workbench.sight.bring(mark)

    def _area(self) -> list[int]:
        """Return the rows of the selected marks, or the one under the mouse, else the frame's."""
        selection = self._session.selection
        rows = [t.row for mark in selection.meant_marks() for t in mark.targets if t.is_whole]
        return rows or ([selection.candidate] if selection.candidate >= 0 else [])

    def toggle_types(self) -> None:
        """Switch suggested types for untyped blocks on or off, on all pages."""
        is_on = self._session.selection.suggests_types = not self._session.selection.suggests_types
        with self._session.messages.errors("not saved: "):
            self._workspace.set_setting(SUGGESTS_TYPES, is_on)
            self._session.messages.say(
                "blocks you mark get a suggested type" if is_on else "no type is suggested"
            )

    # pages without drafts ------------------------------------------------------------------------
    @property
    def share(self) -> float:
        """Share of the workspace's pages kept free of drafts, 0 to 1."""
        with suppress(PageletError):
            return drafts.share_of(self._workspace.setting(drafts.FREE_SHARE, 0.0))
        return 0.0

    @property
    def is_unassisted(self) -> bool:
        """Whether the open page is kept free of drafts."""
        document = self._session.open.document
        return document is not None and drafts.is_unassisted(page_key(document), self.share)

    def _spare(self) -> None:
        self._session.open.is_unassisted = self.is_unassisted

    def ask_share(self) -> None:
        """Ask for the share of pages kept free of drafts."""
        self._workbench.main_area.field.ask(
            f"Pages kept free of drafts, {100 * self.share:g} % now",
            "20 %",
            self.set_share,
            [Choice(share) for share in SHARES],
        )

    def set_share(self, text: str) -> None:
        """Keep a share of the pages free of drafts, given as ``20 %``."""
        try:
            percent = float(text.replace("%", "").strip())
        except ValueError:
            percent = -1.0
        if not 0 <= percent <= 100:
            self._session.messages.say(f"{text} is not a percentage: expected 0 % to 100 %")
            return
        with self._session.messages.errors("not saved: "):
            self._workspace.set_setting(drafts.FREE_SHARE, percent / 100)
            self._session.messages.say(
                f"{percent:g} % of the pages are kept free of drafts"
                if percent
                else "no pages are kept free of drafts"
            )
            self.share_changed.emit()


def _is_asked(mark: Mark) -> bool:
    return mark.state in _ASKED or mark.awaits_type
