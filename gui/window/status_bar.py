"""Status line: page, size, alignment, whether all is saved, and running work."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QStatusBar, QWidget

from annotate.workspace.workspace import page_key
from engine.document import Document
from gui.core.clock import spoken
from gui.core.workbench import Workbench
from gui.page.overlay.hit import chain
from gui.state.describe import describe
from gui.widgets.jobs import Task
from gui.widgets.layouts import lay_out
from gui.widgets.parts import Busy, ElidedLabel, IconLabel, small
from gui.widgets.tips import plain

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
        signs = [] if self._sign is None else [self._sign]
        lay_out(QHBoxLayout(self), *signs, self._words, spacing=5)
        self.hide()

    @property
    def text(self) -> str:
        return self._words.text()

    def say(self, text: str, tip: str = "", icon: str = "", color: str = "muted") -> None:
        self._words.setText(text)
        self.setToolTip(plain(tip))
        if icon and self._sign is not None:
            self._sign.set_icon(icon, color)
        self.setVisible(bool(text))


class StatusBar(QStatusBar):
    """Status line at the bottom of the window."""

    def __init__(self, workbench: Workbench, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        session = self._session = workbench.session
        self._workbench, self._saving = workbench, workbench.saving
        self._task = Task(self)
        self._instead = ""  # of the open page's address and facts
        self.setSizeGripEnabled(False)

        line = QWidget(self)
        self.busy, self.doing = Busy(line, 14), small(QLabel("", line), 0.92)
        self.stop = QPushButton("Stop", line)
        self.stop.setProperty("link", True)
        self.stop.clicked.connect(lambda: workbench.stop())
        self.address = ElidedLabel("", line, Qt.TextElideMode.ElideMiddle)
        small(self.address, 0.92)
        self.sandbox = Fact("shield-off", line, "warn")
        self.view = Fact("eye", line, "accent")
        self.viewport = Fact("", line)
        self.aligned = Fact("", line)
        self.who = Fact("", line)
        self.team = Fact("group", line)
        self.bundle = Fact("export", line, "accent")
        self.learning = Fact("reload", line, "accent")
        self.saved = Fact("saved", line)
        self.checks = Fact("warning", line, "warn")
        self.time = Fact("", line)
        self.lock = QPushButton("Copy to edit", line)
        self.lock.setProperty("link", True)
        progress = lay_out(QHBoxLayout(), self.busy, self.doing, self.stop, spacing=7)
        lay_out(
            QHBoxLayout(line), progress, (self.address, 1), self.sandbox, self.view, self.viewport,
            self.aligned, self.bundle, self.learning, self.time, self.checks, self.who, self.team,
            self.saved, self.lock, margins=(12, 0, 12, 0), spacing=16,
        )  # fmt: skip
        self.addWidget(line, 1)

        session.open.document_changed.connect(self._refresh)
        session.open.page_changed.connect(self._refresh)
        session.messages.progress_changed.connect(self._refresh_progress)
        session.open.gold_changed.connect(self._refresh_saved)
        session.open.lock_changed.connect(self._refresh_saved)
        session.layers.layers_changed.connect(self._refresh_view)
        session.selection.candidate_changed.connect(self._refresh_address)
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
        self._refresh_address()
        notes = "\n".join(session.messages.notes)
        self.sandbox.say("Sandbox off" if "sandbox" in notes else "", notes)
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

    def _refresh_address(self) -> None:
        """Show the source of the page; while an element is framed, its ancestors."""
        if self._instead:
            self.address.setText(self._instead)
            self.address.setToolTip("")
            return
        document, page = self._session.open.document, self._session.open.page
        row = self._session.selection.candidate
        self.address.setToolTip(plain("" if document is None else document.address))
        if page is not None and page.nodes is not None and 0 <= row < len(page.nodes):
            names = [describe(page.nodes, each) for each in chain(page.nodes, row)]
            self.address.setText(" › ".join(reversed(names)))
        else:
            self.address.setText("" if document is None else document.home or shown_path(document))

    def _refresh_notes(self, _item: str = "") -> None:
        """Show the notes of features; of the open page only where that is seen."""
        for item in ("checks", "who", "team", "bundle", "learning"):
            text, tip = self._workbench.notes.get(item, ("", ""))
            is_hidden = item == "checks" and self._instead
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
        tip = "\n".join(["At work on this page; by day:", *(f"{d}  {spoken(s)}" for d, s in days)])
        text = f"{spoken(here)}, today {spoken(clock.today())}"
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


def shown_path(document: Document) -> str:
    """Return a local page's path from its folder's name on; the whole is in the tool tip."""
    if document.is_live or document.root is None or not document.path:
        return document.address
    return f"{document.root.name}/{document.path}"
