"""Audit of the gold of all listed pages in the background, and of its findings one by one."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject

from annotate.evaluation.run.open_pages import dataset_of
from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Target
from annotate.marks.targets import selected_targets
from annotate.plugins.audit.auditing import AuditedPart, GoldTexts, ReadPage, read_page, with_crowd
from annotate.plugins.audit.block_auditing import (
    marks_against,
    measure_blocks,
    typed_blocks,
    typed_of,
)
from annotate.workspace.workspace import page_key
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.page import Page
from engine.words import plural, quote_start
from gui.core.findings import DecideFinding
from gui.core.workbench import Workbench
from gui.plugins.audit.auditor import AuditAnswer, AuditOrder, audit_worker
from gui.plugins.audit.state import AuditWalk
from gui.widgets.events import debounce
from gui.widgets.jobs import Task
from gui.widgets.worker_process import PageQueue

SETTLED = "audit settled"
"""Workspace setting: decided items by page."""

TextRange = tuple[int, int, int]
_MOST_S = 120.0
_LIST_MS, _REST_MS = 300, 200


class AuditController(QObject):
    """Actions of the Audit panel and its keys."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        session = self._session
        self._workspace, self._marking = workbench.workspace, workbench.marking
        self._history = workbench.page_session.history
        self._walk = session.get(AuditWalk)
        # The part whose fix was undone: it is made current when it is listed again.
        self._undone: AuditedPart | None = None
        self._queue = PageQueue(
            audit_worker, doing="reading", most=500, seconds=_MOST_S, parent=self
        )
        self._queue.answered.connect(lambda _order, answer: self._take(answer))
        self._queue.failed.connect(
            lambda order, why: self._take(AuditAnswer(order.page, None, why))
        )
        self._queue.ended.connect(self._end)
        self._again = Task(self)
        self._weighing = Task(self)
        self._lister = debounce(self, _LIST_MS, self._walk.refresh)
        self._timer = debounce(self, _REST_MS, self._read_open_page)
        self._ranges: tuple[object, tuple[TextRange, ...]] = (None, ())
        self._row: tuple[object, tuple[int, ...]] = (None, ())
        workbench.stop_asked.connect(self.stop)
        session.documents_changed.connect(self._start_over)
        session.open.gold_changed.connect(self._timer.start)
        session.open.page_changed.connect(self._show)
        self._walk.index_changed.connect(self._go)

    # reading -----------------------------------------------------------------------------------
    def toggle(self) -> None:
        """Show the panel and read the gold of all listed pages if not done yet; or hide it."""
        walk = self._walk
        walk.show(not walk.is_shown)
        if walk.is_shown and not walk.total:
            self.start()

    def start(self) -> None:
        """Read the gold of all listed pages from the start."""
        self.stop()
        session = self._session
        documents = [each for each in session.documents if not each.is_live]
        named = [(page_key(each), each) for each in documents]
        with session.messages.errors():
            settled = self._workspace.setting(SETTLED, {})
            dataset = dataset_of("", named, self._workspace, session.files)
            pages = settled.items() if isinstance(settled, dict) else ()
            self._walk.settled = {page: frozenset(items) for page, items in pages}
            self._walk.begin(len(dataset.pages))
            self._queue.start(AuditOrder(name, files[""]) for name, files in dataset.pages)

    def stop(self) -> None:
        """Stop reading pages; findings so far stay."""
        self._queue.stop()
        if self._walk.is_running:
            self._walk.is_running = False
            self._walk.refresh()

    def _start_over(self) -> None:
        self.stop()
        self._walk.begin(0)

    def _end(self) -> None:
        self._walk.is_running = False
        self._lister.stop()
        self._walk.refresh()
        if pages := tuple(self._walk.shared.values()):
            self._weighing.start(
                lambda: [(page, page.parts) for page in with_crowd(pages)], self._weigh
            )

    def _weigh(self, pages: Sequence[tuple[ReadPage, Sequence[AuditedPart]]]) -> None:
        """List further contradictions of other annotators, whose weights are known now."""
        for page, parts in pages:
            self._walk.weigh(page, parts)
        self._walk.refresh()

    def _take(self, answer: AuditAnswer) -> None:
        walk = self._walk
        walk.done += 1
        walk.trouble = answer.trouble or walk.trouble
        walk.take(answer)
        if not self._lister.isActive():
            self._lister.start()

    def _read_open_page(self) -> None:
        """Read the open page again, whose marks have changed."""
        page, key, gold = self._session.open.page, self._session.open.key, self._session.open.gold
        if page is None or not self._walk.is_read(key):
            return
        site = self._walk.site_of(key) or key
        shared = self._walk.shared.get(key)
        work = partial(_read_again, key, site, page, gold.sure, shared)
        self._again.start(work, self._take_again)

    def _take_again(self, answer: AuditAnswer) -> None:
        self._walk.take(answer)
        self._walk.refresh()
        if self._undone is not None and self._undone.page == answer.page:
            undone, self._undone = self._undone, None
            self._walk.look_at(undone)

    # steps -------------------------------------------------------------------------------------
    def step(self, by: int) -> None:
        """Go to the next or previous part, on any page; shows the panel."""
        walk = self._walk
        if not walk.is_shown:
            self.toggle()
        if not walk.items:
            self._session.messages.say(none_text(walk))
        walk.step(by)

    @property
    def ranges(self) -> tuple[TextRange, ...]:
        """Text ranges of the current part on the open page: row, start and end of each text."""
        page, part = self._session.open.page, self._walk.current
        if page is None or page.original is None or part is None or not self._is_open(part):
            return ()
        if part.is_block or part.span is None:
            return ()
        if self._ranges[0] != (page, part):
            result = page.alignment(page.original).ranges([part.span]).tolist()
            self._ranges = (page, part), tuple((row, start, end) for row, start, end in result)
        return self._ranges[1]

    @property
    def rows(self) -> tuple[int, ...]:
        """Nodes of the open page with the current part; for a block its node."""
        page, part = self._session.open.page, self._walk.current
        if page is None or part is None or not part.is_block or not self._is_open(part):
            return tuple(dict.fromkeys(row for row, _, _ in self.ranges))
        if self._row[0] != (page, part):
            self._row = (page, part), _row_of(page.rendered(), part)
        return self._row[1]

    def title_of(self, key: str) -> str:
        """Return the title of a listed page by its key."""
        return self._workbench.pages.title_of(key) or key

    def _is_open(self, part: AuditedPart) -> bool:
        return self._session.open.key == part.page

    def _go(self) -> None:
        """Show the current part, on its page."""
        part = self._walk.current
        if part is None or not self._walk.is_shown:
            return
        if self._is_open(part):
            self._show()
        else:
            self._workbench.navigation.open_key(part.page)

    def _show(self) -> None:
        part = self._walk.current
        if part is None or not self._walk.is_shown or not self._is_open(part):
            return
        if self.ranges:
            self._workbench.canvas.scroll_to_texts(self.ranges)
        elif self.rows:
            self._workbench.canvas.scroll_to(self.rows[0])
        elif self._session.open.page is not None:
            self._session.messages.say(_not_shown(part))

    # deciding ----------------------------------------------------------------------------------
    def fix(self) -> None:
        """Correct the gold: mark the current part, or remove its mark."""
        part = self._decided()
        if part is None:
            return
        ranges, rows = self.ranges, self.rows
        if not rows:
            self._session.messages.say(f"{_not_shown(part)}: edit it by hand")
            return
        text = f"audit: {_fix_of(part)}"
        if part.is_block:
            fixed = partial(_fixed_block, part=part, row=rows[0])
        else:
            fixed = partial(_fixed, part=part, ranges=ranges)
        if self._marking.change(text, fixed):
            self._history.return_to_last()
            self._history.push(DecideFinding(text, partial(self._show_again, part)), part.page)
            self._history.join_last()
            self._session.messages.say(f"gold fixed: {_fix_of(part)}")

    def keep(self) -> None:
        """Keep the gold as right: the part is not listed again."""
        part = self._decided()
        if part is not None:
            self._history.push(DecideFinding("keep gold", partial(self._settle, part)), part.page)
            self._session.messages.say(f"gold kept: {quote_start(part.text)}")

    def ask(self) -> None:
        """Ask a question about the current part; it is not listed again."""
        part = self._decided()
        if part is None:
            return
        before = self._history.last
        self._workbench.requests.ask(
            "question",
            f"Is this {part.says} in gold: {quote_start(part.text, 80)}? "
            f"{'; '.join(part.finding.reasons)}",
        )
        if self._history.last is not before:
            self._history.push(
                DecideFinding("ask about gold", partial(self._settle, part)), part.page
            )
            self._history.join_last()
            self._session.messages.say(f"question asked about {quote_start(part.text)}")

    def _decided(self) -> AuditedPart | None:
        """Return the part to decide on; None if one must be shown first."""
        part = self._walk.current
        if part is None:
            self.step(1)
            return None
        if self._session.open.page is None or not self._is_open(part):
            self._go()
            return None
        return part

    def _settle(self, part: AuditedPart, is_settled: bool) -> None:
        settled = dict(self._walk.settled)
        items = settled.get(part.page, frozenset()) - {part.item}
        settled[part.page] = items | {part.item} if is_settled else items
        stored = {page: sorted(each) for page, each in settled.items() if each}
        with self._session.messages.errors("not saved: "):
            self._workspace.set_setting(SETTLED, stored)
            self._walk.set_settled(settled)
            if not is_settled:
                self._walk.look_at(part)

    def _show_again(self, part: AuditedPart, is_fixed: bool) -> None:
        """Make a part current once it is listed again, after its fix was undone."""
        self._undone = None if is_fixed else part


def _not_shown(part: AuditedPart) -> str:
    is_gold = not part.is_block and part.span is None
    return f"this {'gold' if is_gold else 'part of the source'} is not shown on the page"


def none_text(walk: AuditWalk) -> str:
    """Return why nothing is listed, and the first step; "" if something is listed."""
    if walk.items:
        return ""
    if walk.is_running:
        return "the gold is being read"
    if not walk.total:
        return "open pages with gold first: a data set, a workspace, or pages you have marked"
    if not walk.with_gold:
        why = f" ({walk.trouble})" if walk.trouble else ""
        return f"none of these pages has main content or blocks marked: press M and click{why}"
    if walk.settled:
        return "nothing is left to decide: what is not listed agrees, or was decided"
    return f"nothing in the gold of {plural(walk.with_gold, 'page')} is contradicted"


def _read_again(
    key: str, site: str, page: Page, gold: Gold, shared: ReadPage | None
) -> AuditAnswer:
    """Read the open page with its current marks, and others' marks as read before."""
    text = gold.as_results(page).text
    result: list[AuditedPart] = []
    has_text = text is not None and page.original is not None
    if text is not None and page.original is not None:
        shown = "" if page.dom is None else page.dom.text
        known = read_page("", key, GoldTexts(page.original, text.text, shown=shown))
        if shared is not None and shared.gold.size == known.gold.size:
            shared = known = replace(known, others=shared.others, crowd=shared.crowd)
        result += known.parts
    blocks = gold.blocks_as_results(page).block_gold
    if blocks is None or not blocks.texts:
        return AuditAnswer(key, tuple(result) if has_text else None, shared=shared)
    typed = None
    with suppress(InputError):  # the page has no gold block
        nodes, types = page.rendered(), typed_of(gold)
        read = measure_blocks(nodes, blocks.texts, types, dataset="", name=key, site=site)
        result += marks_against(read)
        typed = typed_blocks(read)
    return AuditAnswer(key, tuple(result), typed=typed, shared=shared)


def _row_of(nodes: NodeTable, part: AuditedPart) -> tuple[int, ...]:
    """Return the row of a block; rows may differ, as it was read from another rendering."""
    rows = (part.finding.first, *range(len(nodes)))
    return next(((k,) for k in rows if k < len(nodes) and nodes.path(k) == part.element), ())


def _fix_of(part: AuditedPart) -> str:
    """Return the name of a part's fix, for undo."""
    if part.suggested:
        return f"make a block {part.suggested}"
    what = "block" if part.is_block else "part"
    return f"{'remove' if part.finding.is_marked else 'mark'} a {what}"


def _fixed_block(gold: Gold, nodes: NodeTable, part: AuditedPart, row: int) -> Gold:
    """Mark a block (of level 2 inside one of level 1), remove its marks, or set its type."""
    marked = [mark for mark in gold.marks if [target.row for target in mark.targets] == [row]]
    if part.suggested:
        own = (part.level, part.type)
        typed = [mark.id for mark in marked if (mark.level, mark.type) == own]
        return edits.set_type(gold, typed, part.suggested)
    if part.finding.is_marked:
        here = [mark.id for mark in marked if mark.level != MAIN]
        if not here:
            raise InputError("the block is marked with others as one: edit the mark by hand")
        return edits.remove(gold, here)
    is_inside = any(
        mark.level == 1 and target.row <= row < int(nodes.end[target.row])
        for mark in gold.marks for target in mark.targets if target.row >= 0
    )  # fmt: skip
    return edits.add_block(gold, nodes, [Target(row)], 2 if is_inside else 1)


def _fixed(gold: Gold, nodes: NodeTable, part: AuditedPart, ranges: tuple[TextRange, ...]) -> Gold:
    (first, start, _), (last, _, end) = ranges[0], ranges[-1]
    targets = selected_targets(nodes, first, start, last, end)
    change = edits.remove_main if part.finding.is_marked else edits.add_main
    return change(gold, nodes, targets)
