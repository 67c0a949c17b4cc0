"""What a file is that was opened, dropped or chosen and is no page, with one key to go on."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from algorithms.own import method_files
from annotate.datasets.looking.found import Found, NextStep
from engine.words import sentence
from gui.core.workbench import Workbench
from gui.widgets.parts import IconButton, KeyCap
from gui.widgets.toasts import Message
from gui.window.features import FEATURES

_RUNS = "Its code runs on this computer: add it only if you trust who wrote it"


class FoundBanner(Message):
    """A message with a button for each step; Enter takes the first, Esc closes it."""

    def __init__(self, ground: QWidget, *below: QWidget) -> None:
        super().__init__(ground, "info", "accent", *below)
        self.setAccessibleName("What the file is")
        self.buttons: list[QPushButton] = []
        self._added: list[QWidget] = []
        self._close = IconButton("close", "Dismiss (Esc)", self)
        self._close.clicked.connect(self.dismiss)

    def offer(
        self,
        text: str,
        steps: list[tuple[str, str, Callable[[], object]]],
        *,
        takes_keys: bool = True,
    ) -> None:
        """Show the description and the steps: label, tip and function; "" as label for none.

        Where it comes unasked it leaves the keys to the page.
        """
        self.row.removeWidget(self._close)
        for each in self._added:
            self.row.removeWidget(each)
            each.hide()  # deleted in the next event loop iteration
            each.deleteLater()
        self._added, self.buttons = [], []
        for index, (words, tip, call) in enumerate(steps):
            button = self.make_button(words, tip, call, is_main=index == 0)
            button.setAutoDefault(True)  # Enter presses it
            self.buttons.append(button)
            self._add(button)
            if index == 0 and takes_keys:
                self._add(KeyCap("Enter", self))
        self._close.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.row.addWidget(self._close)
        self.show_text(text)
        if takes_keys:
            (self.buttons[0] if self.buttons else self._close).setFocus()

    def _add(self, widget: QWidget) -> None:
        self._added.append(widget)
        self.row.addWidget(widget)
        widget.show()

    def event(self, event: QEvent) -> bool:
        """Close at Esc, before the window takes it for the page."""
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            event.accept()
            return True
        return super().event(event)


class FoundDoor(QObject):
    """Describes a file that is not a page and runs the chosen step."""

    def __init__(self, workbench: Workbench, banner: FoundBanner) -> None:
        super().__init__(banner)
        self._workbench, self.banner = workbench, banner
        self.found: Found | None = None
        self._steps = {
            (kind, row.deed): row
            for feature in FEATURES
            for row in feature.file_steps
            for kind in row.kinds
        }
        workbench.navigation.looked.connect(self.show)
        workbench.navigation.opened.connect(self._on_opened)
        workbench.navigation.refused.connect(self._on_opened)
        workbench.session.open.page_changed.connect(self._on_page)
        workbench.requests.offered.connect(self._offer)

    def _offer(self, text: str, steps: list[tuple[str, str, Callable[[], object]]]) -> None:
        self.dismiss()
        if text:
            self.banner.offer(text, steps, takes_keys=False)

    def show(self, found: Found) -> None:
        """Show what a file is, with what of it would come onto the open page."""
        self.found = found
        text, steps = found.description, found.steps
        calls: list[tuple[str, str, Callable[[], object]]] = []
        if found.kind == "annotations" and any(each.deed for each in steps):
            lines = self._preview(found)
            text = ". ".join([text, *(sentence(each) for each in lines)])
            if not self._workbench.session.open.page:
                steps = tuple(each for each in steps if each.deed != "import")
        if any(each.deed == "method" for each in steps) and found.kind == "method file":
            text = f"{text}. {_RUNS}"
        for step in steps:
            if step.deed and step.deed != "crawl":
                calls.append((step.words, step.command, partial(self._take, found, step)))
            elif step.command and len(calls) < 2:
                words = step.words if step.deed else "Copy the command"
                calls.append((words, step.command, partial(self._copy, step.command)))
        self.banner.offer(text, calls)

    def _preview(self, found: Found) -> list[str]:
        """Return what an import onto the open page would bring, nothing being taken in yet."""
        if self._workbench.session.open.page is None:
            return ["open the page that was marked, to import them onto it"]
        row = self._steps.get((found.kind, "import"))
        return [] if row is None or row.preview is None else row.preview(self._workbench, found)

    def _take(self, found: Found, step: NextStep) -> None:
        workbench, path = self._workbench, found.path
        self.dismiss()
        if (row := self._steps.get((found.kind, step.deed))) is not None:
            row.take(workbench, found)
            return
        match step.deed:
            case "workspace":
                workbench.navigation.open_workspace(path)
            case "method":
                self._add_model(path)
            case _:
                workbench.navigation.open_path(str(path))

    def _add_model(self, path: Path) -> None:
        messages = self._workbench.session.messages
        with messages.errors():
            name = method_files.add(path).name
            messages.say(f"{name} is among the methods: add its layer in Layers")

    def _copy(self, command: str) -> None:
        QGuiApplication.clipboard().setText(command)
        self.dismiss()
        self._workbench.session.messages.say(f"copied: {command}")

    def dismiss(self) -> None:
        self.found = None
        self.banner.dismiss()

    def _on_opened(self) -> None:
        if self.found is not None and self.found.kind != "annotations":
            self.dismiss()

    def _on_page(self) -> None:
        """Update the preview of marks for the open page."""
        found = self.found
        if found is not None and found.kind == "annotations" and self.banner.isVisible():
            self.show(found)
