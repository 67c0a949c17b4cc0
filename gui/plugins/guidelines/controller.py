"""Guideline page of the current type, with examples cropped from gold."""

from pathlib import Path

from PySide6.QtCore import QObject

from annotate.marks.guideline import default, read
from annotate.workspace.guideline_versions import use_guideline
from annotate.workspace.stored_guideline import of_workspace
from annotate.workspace.workspace import page_key
from gui.core.workbench import Workbench
from gui.plugins.guidelines.cropper import CropOrder, Example, crop_worker
from gui.plugins.guidelines.mark_fields import MarkFields
from gui.plugins.guidelines.older_pages import OlderPages
from gui.plugins.guidelines.retyper import Retyper
from gui.plugins.guidelines.state import GuidelineState, title_in_hand
from gui.widgets.events import debounce
from gui.widgets.worker_process import PageQueue

MOST_PAGES = 12
"""Largest number of cropped pages: more examples do not help."""

_MOST_S = 60.0

_MARKED_KEYS = """
SELECT key FROM pages JOIN annotators ON annotators.id = annotator
WHERE EXISTS (SELECT 1 FROM marks WHERE page = pages.id)
GROUP BY key ORDER BY max(role = 'reviewer') DESC, max(status = 'done') DESC, key
"""
"""Marked pages, those decided by a reviewer first."""


class GuidelineController(QObject):
    """Actions of the Guideline panel and its keys."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        session = self._session = workbench.session
        self._workspace = workbench.workspace
        self._state = session.get(GuidelineState)
        self._revisions: dict[str, int] = {}  # page → number of changes of its marks, by all
        self._pages: list[str] = []  # that examples are of
        self._cropped: dict[str, tuple[int, tuple[Example, ...]]] = {}  # page → revision, examples
        self._jump: tuple[str, str] | None = None  # page and mark, once it is there
        self._queue = PageQueue(
            crop_worker, doing="rendering", most=MOST_PAGES, seconds=_MOST_S, parent=self
        )
        self._queue.answered.connect(self._take)
        self._queue.failed.connect(lambda order, _why: self._take(order, ()))
        self._follow = debounce(self, 60, self.follow)
        for signal in (
            session.selection.selection_changed, session.selection.candidate_changed,
            session.selection.mode_changed, session.selection.pointed_changed,
            session.open.gold_changed, self._state.shown_changed,
        ):  # fmt: skip
            signal.connect(self._follow.start)
        self._state.shown_changed.connect(self._on_shown)
        session.open.page_changed.connect(self._on_page)
        workbench.requests.others_marked.connect(self._read)
        self._read()

    def turn_to(self, title: str) -> None:
        """Show a page of the guideline until the type changes."""
        self._state.turn_to(title)

    def follow(self) -> None:
        """Show the guideline page of the type being marked."""
        if self._state.is_shown:
            self._state.turn_to(title_in_hand(self._session))
            own = self._state.guideline.fields(self._state.title)
            marks = self._session.selection.meant_marks()
            values = dict(marks[-1].fields) if marks else {}
            rows = ((each.name, values.get(each.name, "")) for each in own)
            self._state.set_values(tuple(rows) if marks else ())

    def ask_value(self, name: str) -> None:
        """Ask for the value of a field of the mark in hand."""
        self._workbench.get(MarkFields).ask_value(name)

    def rename(self) -> None:
        """Ask for another name of the type whose page is shown."""
        self._workbench.get(Retyper).ask_name(self._state.title)

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
        with self._session.messages.errors():
            guideline = read(Path(path))
            use_guideline(self._workspace, guideline)
            self._session.messages.say(
                f"the guideline {guideline.name} is stored with the workspace"
            )
            self._read()
            self._state.show(True)

    def drop(self) -> None:
        """Return to Pagelet's guideline."""
        with self._session.messages.errors("not saved: "):
            use_guideline(self._workspace, None)
            self._session.messages.say("Pagelet's own guideline is in use again")
            self._read()

    def _read(self) -> None:
        with self._session.messages.errors():
            own = of_workspace(self._workspace)
            self._state.set_guideline(own or default())
            self._workbench.get(OlderPages).read()
            self._workbench.requests.enable.emit()

    # examples --------------------------------------------------------------------------------
    @property
    def is_cropping(self) -> bool:
        """Whether examples are being cropped."""
        return self._queue.is_busy

    def stop(self) -> None:
        """Stop cropping."""
        self._queue.stop()

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
        opened = self._session.open
        if opened.document is None or opened.page is None:
            return
        key, mark_id = self._jump or ("", "")
        if page_key(opened.document) == key:
            self._jump, mark = None, opened.gold.find(mark_id)
            if mark is not None and mark.targets:
                self._session.selection.set_selected((mark.id,))
                self._workbench.canvas.scroll_to(mark.targets[0].row)
        self._on_shown()

    def _on_shown(self) -> None:
        """Crop listed pages whose marks are new or have changed, while the panel is visible."""
        if not self._state.is_shown:
            self.stop()
            return
        if self.is_cropping:
            return
        with self._session.messages.errors():
            marked = [key for (key,) in self._workspace.store.all(_MARKED_KEYS)]
            revisions = self._workspace.rows("SELECT key, sum(revision) FROM pages GROUP BY key")
            known = {page_key(each): each for each in self._session.documents}
            self._revisions = dict(revisions)
            self._pages = [key for key in marked if key in known][:MOST_PAGES]
            self._cropped = {key: self._cropped[key] for key in self._pages if key in self._cropped}
            self._show_examples()
            workspace, title = self._workspace.path, self._workbench.pages.title
            self._queue.start(
                CropOrder(workspace, key, title(known[key]), known[key])
                for key in self._pages
                if key not in self._cropped or self._cropped[key][0] != self._revisions[key]
            )

    def _take(self, order: CropOrder, examples: tuple[Example, ...]) -> None:
        self._cropped[order.key] = self._revisions[order.key], examples
        self._show_examples()

    def _show_examples(self) -> None:
        cropped = [self._cropped[key][1] for key in self._pages if key in self._cropped]
        self._state.set_examples(tuple(example for each in cropped for example in each))
