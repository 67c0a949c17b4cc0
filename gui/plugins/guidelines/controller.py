"""Guideline page of the current type, with examples cropped from gold."""

from collections import deque
from pathlib import Path

from PySide6.QtCore import QObject

from annotate.marks.guideline import default, read
from annotate.workspace.stored_guideline import of_workspace, store_in
from annotate.workspace.workspace import page_key
from engine.errors import PageletError
from gui.core.workbench import Workbench
from gui.plugins.guidelines.cropper import CropOrder, Example, crop_worker
from gui.plugins.guidelines.state import GuidelineState, title_in_hand
from gui.widgets.debounce import debounce
from gui.widgets.worker_process import QtWorkerProcess

MOST_PAGES = 12
"""Largest number of cropped pages: more examples do not help."""

_MOST_S = 60.0


class GuidelineController(QObject):
    """Actions of the Guideline panel and its keys."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        session = self._session = workbench.session
        self._workspace = workbench.workspace
        self._state = session.get(GuidelineState)
        self._waiting: deque[CropOrder] = deque()
        self._cropped: dict[str, tuple[Example, ...]] = {}  # page → its examples
        self._at = ""  # the page that is being cropped
        self._jump: tuple[str, str] | None = None  # page and mark, once it is there
        self._worker = QtWorkerProcess(
            crop_worker, doing="rendering", most=MOST_PAGES, seconds=_MOST_S, parent=self
        )
        self._worker.answered.connect(self._take)
        self._worker.failed.connect(lambda _why: self._take(()))
        self._follow = debounce(self, 60, self.follow)
        for signal in (
            session.selection.selection_changed, session.selection.candidate_changed,
            session.selection.mode_changed, session.selection.pointed_changed,
            session.open.gold_changed, self._state.shown_changed,
        ):  # fmt: skip
            signal.connect(self._follow.start)
        self._state.shown_changed.connect(self._on_shown)
        session.open.page_changed.connect(self._on_page)
        self._read()

    def turn_to(self, title: str) -> None:
        """Show a page of the guideline until the type changes."""
        self._state.turn_to(title)

    def follow(self) -> None:
        """Show the guideline page of the type being marked."""
        if self._state.is_shown:
            self._state.turn_to(title_in_hand(self._session))

    # choice ----------------------------------------------------------------------------------
    def ask(self) -> None:
        """Ask for the project's own guideline."""
        files = self._workbench.main_area.files
        files.open("Guideline of this project", "Markdown (*.md);;All files (*)", self.use)

    def ask_folder(self) -> None:
        """Ask for a folder with a file for each type."""
        self._workbench.main_area.files.open_folder("Folder of the guideline", self.use)

    def use(self, path: str) -> None:
        """Store the project's guideline in the workspace, and show it."""
        try:
            guideline = read(Path(path))
            store_in(self._workspace, guideline)
        except PageletError as error:
            self._session.messages.say(str(error))
            return
        self._session.messages.say(f"the guideline {guideline.name} is stored with the workspace")
        self._read()
        self._state.show(True)

    def drop(self) -> None:
        """Return to Pagelet's guideline."""
        try:
            store_in(self._workspace, None)
        except PageletError as error:
            self._session.messages.say(f"not saved: {error}")
            return
        self._session.messages.say("Pagelet's own guideline is in use again")
        self._read()

    def _read(self) -> None:
        try:
            own = of_workspace(self._workspace)
        except PageletError as error:
            self._session.messages.say(str(error))
            return
        self._state.set_guideline(own or default())

    # examples --------------------------------------------------------------------------------
    @property
    def is_cropping(self) -> bool:
        """Whether examples are being cropped."""
        return bool(self._waiting or self._at)

    def stop(self) -> None:
        """Stop cropping."""
        self._waiting.clear()
        self._at = ""
        self._worker.end()

    def jump(self, key: str, mark: str) -> None:
        """Open the page of an example, and select its mark."""
        documents = {page_key(each): index for index, each in enumerate(self._session.documents)}
        document = self._session.open.document
        self._jump = key, mark
        if document is not None and page_key(document) == key:
            self._on_page()
        elif key in documents:
            self._workbench.navigation.open_document(documents[key])
        else:
            self._session.messages.say("the page of this example is not in the list: open it first")

    def _on_page(self) -> None:
        session = self._session
        if session.open.document is None or session.open.page is None:
            return
        key, mark_id = self._jump or ("", "")
        if page_key(session.open.document) == key:
            self._jump = None
            mark = session.open.gold.find(mark_id)
            if mark is not None and mark.targets:
                session.selection.set_selected((mark.id,))
                self._workbench.canvas.scroll_to(mark.targets[0].row)
        self._on_shown()

    def _on_shown(self) -> None:
        """Crop the listed pages with marks that are not cropped yet, while the panel is visible."""
        if not self._state.is_shown:
            self.stop()
            return
        if self.is_cropping:
            return
        try:
            marked = self._workspace.marked_keys()
        except PageletError as error:
            self._session.messages.say(str(error))
            return
        known = {page_key(each): each for each in self._session.documents}
        keys = [key for key in marked if key in known and key not in self._cropped]
        room = max(0, MOST_PAGES - len(self._cropped))
        self._waiting.extend(
            CropOrder(
                self._workspace.path, key, self._workbench.pages.title(known[key]), known[key]
            )
            for key in keys[:room]
        )
        self._next()

    def _next(self) -> None:
        if self._waiting:
            order = self._waiting.popleft()
            self._at = order.key
            self._worker.hand(order)
        else:
            self._at = ""
            self._worker.end()  # its browser is no longer needed

    def _take(self, examples: tuple[Example, ...]) -> None:
        self._cropped[self._at] = examples
        self._state.set_examples(tuple(e for each in self._cropped.values() for e in each))
        self._next()
