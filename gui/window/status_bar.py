"""Status line: hint, three facts, and a sheet with all others."""

from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStatusBar,
    QWidget,
)

from annotate.marks import edits
from annotate.marks.edits import is_main
from annotate.marks.gold import MAIN, MarkState, Target
from annotate.workspace.workspace import page_key
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.words import in_one_line
from gui.core.clock import format_duration
from gui.core.feature import TaskView
from gui.core.workbench import Workbench
from gui.page.framing import LEVEL_OF
from gui.page.overlay.hit import chain
from gui.state.describe import describe
from gui.state.selection import Mode
from gui.state.session import Session
from gui.widgets.choice_popup import PopupCard
from gui.widgets.controls import text_label
from gui.widgets.jobs import Task
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, IconButton, IconLabel, small
from gui.widgets.texts import plain
from gui.window.tasks import TASKS

BETWEEN = " · "

Key = Callable[[str], str]
"""Returns the shortcut of an action as it is written; "" for none."""

_BY_MODE = {
    Mode.SELECT: "Click a mark · {mode-main} {mode-1} {mode-2} mark · Shift-click adds · "
    "Right click: more",
    Mode.MAIN: "Click: add or take out · Drag: what lies in the box · {widen} wider · "
    "Over text: a part of it",
    Mode.LEVEL_1: "Click: mark a block · Drag: all in the box · {widen} wider · "
    "A letter: the type of the next",
    Mode.LEVEL_2: "Click: mark a block · Drag: all in the box · {widen} wider · "
    "A letter: the type of the next",
    Mode.WHY: "Click: why it was kept or dropped · {error-next} next error · {task-mark} marks",
}
_FRAMED = (
    "Click or Enter: {1} {0} · {3}: with all between · {2} all like it · {widen} wider · "
    "{narrow} narrower · Esc"
)
_DRAFT = (
    "{confirm} right · Letter: right, with this type · Del · {confirm-all} all in view · "
    "{confirm-seen} all seen"
)
_MARK = "Letter: type · {widen} to parent · {ungroup} ungroup · Del · Drag a handle"
_READ = "Click: a mark · {mode-why} then click: why · {task-mark} marks"


def hint(now: Workbench, key: Key, *, marks: bool = True) -> str:
    """Return the effect of mouse and keys now; "" for none.

    ``marks`` tells whether the view is one to mark in.
    """
    view, session = now.main_area.current, now.session
    if view is not now.main_area.page:
        return _filled(view.hint, key)
    page, selection = session.open.page, session.selection
    if page is None or page.nodes is None:
        return ""
    if now.marking.handles.taken:
        return f"Release: take {now.marking.handles.words} · Esc: leave it as it was"
    framed, mode = selection.candidate, selection.mode
    if 0 <= framed < len(page.nodes) and mode not in (Mode.SELECT, Mode.WHY):
        is_taken = mode is Mode.MAIN and is_main(session.open.gold, page.nodes, Target(framed))
        name = in_one_line(describe(page.nodes, framed))  # an id may have line breaks
        alike = key("drop-alike" if is_taken else "mark-alike") if mode is Mode.MAIN else ""
        joins = "Shift-click" if _extends(session, page.nodes, framed) else ""
        return _filled(_FRAMED, key, name, "take out" if is_taken else "take", alike, joins)
    chosen = selection.selected_marks()
    if chosen and mode is not Mode.WHY and marks:
        is_draft = any(mark.state is not MarkState.EXACT for mark in chosen)
        return _filled(_DRAFT if is_draft else _MARK, key)
    return _filled(_READ if mode is Mode.SELECT and not marks else _BY_MODE[mode], key)


def _extends(session: Session, nodes: NodeTable, row: int) -> bool:
    """Return whether a Shift-click on a node extends the selected blocks."""
    level, target = LEVEL_OF.get(session.selection.mode, MAIN), Target(row)
    blocks = [mark for mark in session.selection.selected_marks() if mark.level != MAIN]
    known = {mark.targets for mark in session.open.gold.of_level(level)}
    if level == MAIN or not blocks or (target,) in known:
        return False
    with suppress(InputError):
        ids = [mark.id for mark in blocks]
        return edits.extended(session.open.gold, nodes, ids, target, level)[1] not in known
    return False


def _filled(words: str, key: Key, *names: str) -> str:
    """Write the keys of actions into a hint; parts whose action has none are left out."""
    result = []
    for part in words.split(BETWEEN):
        pieces = part.split("{")
        said = pieces[0]
        is_whole = True
        for piece in pieces[1:]:
            name, _, rest = piece.partition("}")
            word = names[int(name)] if name.isdigit() else key(name)
            is_whole = is_whole and bool(word)
            said += word + rest
        if is_whole:
            result.append(said)
    return BETWEEN.join(result)


LOCK_TIP = (
    "These marks came with the data set: they are shown and scored, and cannot be changed.\n"
    "Copy them into your workspace to go on marking (Ctrl+Shift+K)"
)

REPEATED = (
    ".\nIts scripts get the same random numbers and date each time (1 January 2026),\n"
    "so that it looks the same each time"
)


class Fact(QWidget):
    """An icon and a few words, explained by the tool tip."""

    def __init__(self, icon: str, parent: QWidget, color: str = "muted") -> None:
        super().__init__(parent)
        self._sign = IconLabel(icon, self, color=color, size=15) if icon else None
        self._words = small(QLabel("", self), 0.92)
        self.tip = ""
        signs = [] if self._sign is None else [self._sign]
        lay_out(QHBoxLayout(self), *signs, self._words, spacing=5)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    def say(self, text: str, tip: str = "", icon: str = "", color: str = "muted") -> None:
        self._words.setText(text)
        self.tip = tip
        self.setToolTip(plain(tip))
        if icon and self._sign is not None:
            self._sign.set_icon(icon, color)
        self.setVisible(bool(text))


class HintLine(QLabel):
    """One line of parts; those at the right give way where there is no room for all."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("", parent)
        self._whole = ""
        small(self, 0.92)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setMinimumWidth(24)

    @property
    def whole(self) -> str:
        """The hint with all its parts."""
        return self._whole

    def say(self, words: str) -> None:
        """Show a hint."""
        if words != self._whole:
            self._whole = words
            self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        parts, width = self._whole.split(BETWEEN), self.fontMetrics().horizontalAdvance
        while len(parts) > 1 and width(BETWEEN.join(parts)) > self.width():
            parts.pop()
        elide, end = self.fontMetrics().elidedText, Qt.TextElideMode.ElideRight
        self.setText(elide(BETWEEN.join(parts), end, max(self.width(), 0)))


class FactsCard(PopupCard):
    """Facts that are seldom needed, each with its explanation."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__("About this page and this window", parent)
        self.rows.setSpacing(4)
        self._facts: list[tuple[Fact, QLabel]] = []
        self._nothing = small(QLabel("Nothing to report", self), 0.92)
        self.rows.addWidget(self._nothing)

    def add(self, fact: Fact) -> None:
        """Give a fact a row."""
        words = text_label(self, color="muted", factor=0.85)
        self.rows.addWidget(fact)
        self.rows.addWidget(words)
        self._facts.append((fact, words))

    def open_at(self, button: QWidget, *, above: bool = True) -> None:
        """Update the rows and show the sheet."""
        for fact, words in self._facts:
            words.setText(fact.tip)
            words.setVisible(bool(fact.text and fact.tip))
        self._nothing.setVisible(not any(fact.text for fact, _ in self._facts))
        self.setFixedWidth(self.fontMetrics().averageCharWidth() * 62)
        super().open_at(button, above=above)


class StatusBar(QStatusBar):
    """Status line at the bottom of the window."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        session = self._session = workbench.session
        self._workbench, self._saving = workbench, workbench.saving
        self._task = Task(self)
        self._instead = ""  # of the open page's address and facts
        self._task_view = TASKS[0]
        self._key: Key | None = None
        self.setSizeGripEnabled(False)

        line = QWidget(self)
        self.busy, self.doing = Busy(line, 14), small(QLabel("", line), 0.92)
        self.stop = QPushButton("Stop", line)
        self.stop.setProperty("link", True)
        self.stop.clicked.connect(lambda: workbench.stop())
        self.hint = HintLine(line)
        self.sheet = FactsCard(self)
        self.sandbox = Fact("shield-off", self.sheet, "warn")
        self.viewport = Fact("", self.sheet)
        self.aligned = Fact("", self.sheet)
        self.time = Fact("", self.sheet)
        self.bundle = Fact("export", line, "accent")
        self.learning = Fact("reload", line, "accent")
        self.team = Fact("group", self.sheet)
        for fact in (self.sandbox, self.viewport, self.aligned, self.time, self.team):
            self.sheet.add(fact)
        self.view = Fact("eye", line, "accent")
        self.checks = Fact("warning", line, "warn")
        self.who = Fact("", line)
        self.saved = Fact("saved", line)
        self.lock = QPushButton("Copy to edit", line)
        self.lock.setProperty("link", True)
        self.info = IconButton("info", "About this page and this window", line, self._open_sheet)
        self.info.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        progress = lay_out(QHBoxLayout(), self.busy, self.doing, self.stop, spacing=7)
        lay_out(
            QHBoxLayout(line), progress, (self.hint, 1), self.info, self.view, self.bundle,
            self.learning, self.checks, self.who, self.saved, self.lock,
            margins=(12, 0, 12, 0), spacing=14,
        )  # fmt: skip
        self.addWidget(line, 1)

        session.open.document_changed.connect(self._refresh)
        session.open.page_changed.connect(self._refresh)
        session.messages.progress_changed.connect(self._refresh_progress)
        session.open.gold_changed.connect(self._refresh_saved)
        session.open.lock_changed.connect(self._refresh_saved)
        session.layers.layers_changed.connect(self._refresh_view)
        for signal in (
            session.selection.candidate_changed, session.selection.mode_changed,
            session.selection.selection_changed, session.open.gold_changed,
            session.open.page_changed, workbench.main_area.switched,
        ):  # fmt: skip
            signal.connect(self._refresh_hint)
        workbench.noted.connect(self._refresh_notes)
        workbench.saving.changed.connect(self._refresh_saved)
        session.open.page_changed.connect(self._refresh_time)
        workbench.clock.changed.connect(self._refresh_time)
        self._refresh()
        self._refresh_progress()
        self._refresh_view()
        self._refresh_notes()

    def _refresh(self) -> None:
        session = self._session
        document, page = session.open.document, session.open.page
        self._refresh_hint()
        notes = "\n".join(session.messages.notes)
        self.sandbox.say("Sandbox off" if "sandbox" in notes else "", notes)
        self.info.set_icon(*(("shield-off", "warn") if self.sandbox.text else ("info", "muted")))
        style = Qt.ToolButtonStyle
        with_word = style.ToolButtonTextBesideIcon
        self.info.setText(self.sandbox.text)
        self.info.setToolButtonStyle(with_word if self.sandbox.text else style.ToolButtonIconOnly)
        self.viewport.say("")
        self.aligned.say("")
        self._task.cancel()
        if page is not None and page.nodes is not None and not self._instead:
            width, height = page.viewport
            texts = int(page.nodes.is_text.sum())
            repeated = REPEATED if document is not None and document.is_repeatable else ""
            self.viewport.say(
                f"{width} × {height}",
                f"The page is laid out {width} CSS px wide whatever the window's size;\n"
                f"all of it is {page.nodes.width} × {page.nodes.height} px, with "
                f"{len(page.nodes) - texts:,} elements and {texts:,} texts{repeated}",
            )
            if page.original is not None:  # aligned off this thread
                self._task.start(lambda: page.original_alignment.share, self._on_measured)
        self._refresh_saved()

    def speak_of(self, words: str) -> None:
        """Show the name of a view other than the page; "" for the open page again."""
        if words != self._instead:
            self._instead = words
            self._refresh()
            self._refresh_notes()

    def _on_measured(self, share: float) -> None:
        text = f"{share * 100:.0f} % aligned"
        self.aligned.say(
            "" if text.startswith("100") else text,
            f"{share * 100:.1f} % of the words of the HTML as received are on the rendered page;\n"
            "methods that read the original are drawn and scored through them",
        )

    def show_task(self, task: TaskView) -> None:
        """Follow the view: its facts, and its hints."""
        self._task_view = task
        self._refresh_notes()
        self._refresh_hint()

    def use(self, key: Key) -> None:
        """Take what gives the keys of actions."""
        self._key = key
        self._refresh_hint()

    def _refresh_hint(self) -> None:
        if self._key is None:
            return
        self.hint.say(hint(self._workbench, self._key, marks=self._task_view.ends_pages))
        self.hint.setToolTip(plain(self._path()))
        self._workbench.canvas.setAccessibleDescription(self.hint.whole)

    def _path(self) -> str:
        """Return the ancestors of the framed element, else the address of the page."""
        document, page = self._session.open.document, self._session.open.page
        row = self._session.selection.candidate
        if page is not None and page.nodes is not None and 0 <= row < len(page.nodes):
            names = [describe(page.nodes, each) for each in chain(page.nodes, row)]
            return " › ".join(reversed(names))
        return self._instead or ("" if document is None else document.address)

    def _open_sheet(self) -> None:
        self.sheet.open_at(self.info)

    def _refresh_notes(self, _item: str = "") -> None:
        """Show the notes of features; of the open page only where that is seen."""
        for item in ("checks", "who", "team", "bundle", "learning"):
            text, tip = self._workbench.notes.get(item, ("", ""))
            is_hidden = item == "checks" and (self._instead or item not in self._task_view.facts)
            getattr(self, item).say("" if is_hidden else text, tip)

    def _refresh_saved(self) -> None:
        is_told = self._session.open.page is not None and not self._instead
        is_locked = is_told and self._session.open.is_locked
        self.lock.setVisible(is_locked)
        text, icon, color = "Not saved", "warning", "bad"
        if not is_told:
            text = tip = ""
        elif is_locked:
            text, tip, icon, color = "Gold of the data set, locked", LOCK_TIP, "lock", "muted"
        elif self._saving.is_all_saved:
            tip = "Every change is in the workspace at once"
            text, icon, color = "Saved", "saved", "good"
        elif self._saving.is_waiting or self._saving.is_saved:
            tip = "Another program is writing to the workspace: it is saved when that is done"
            text, icon, color = "Saving…", "saved", "muted"
        elif self._saving.is_contested:
            tip = (
                "Another window has changed the marks of this page too:\n"
                "keep yours or take theirs, above or in the menu Edit"
            )
        else:
            tip = "The last change could not be written to disk"
        self.saved.say(text, tip, icon, color)

    def _refresh_time(self) -> None:
        clock, document = self._workbench.clock, self._session.open.document
        here = clock.on_page(page_key(document)) if document is not None else 0
        days = list(clock.by_day().items())[:7]
        tip = "\n".join(
            ["At work on this page; by day:", *(f"{d}  {format_duration(s)}" for d, s in days)]
        )
        text = f"{format_duration(here)}, today {format_duration(clock.today())}"
        self.time.say(text if here else "", tip)

    def _refresh_view(self) -> None:
        layers, off = self._session.layers, {}
        if layers.is_gold_only:
            off["Only gold"] = "Methods are not drawn (Shift+G)"
        if not layers.has_labels:
            off["No labels"] = "Marks and blocks bear no names (Shift+L)"
        self.view.say(" · ".join(off), "\n".join(off.values()))

    def _refresh_progress(self) -> None:
        text = self._session.messages.progress
        self.doing.setText(text)
        for part in (self.busy, self.doing, self.stop):
            part.setVisible(bool(text))
