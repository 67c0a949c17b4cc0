"""Pages that were marked under an older version of the guideline: listed, opened, confirmed."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject

from annotate.workspace import guideline_versions
from annotate.workspace.guideline_versions import OlderPage
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.words import plural
from gui.core.findings import DecideFinding
from gui.core.workbench import Workbench
from gui.state.undo import WorkHistory
from gui.widgets.quick_pick import Choice


class OlderPages(QObject):
    """Actions on pages of an older version; the list of pages finds them by these words."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self._workspace = workbench.workspace
        self.found: Mapping[str, OlderPage] = {}
        self._were: frozenset[str] = frozenset()  # pages that undo may make older again
        workbench.requests.others_marked.connect(self.read)
        self._session.open.gold_changed.connect(self._on_gold)
        self.read()

    @property
    def open_page(self) -> OlderPage | None:
        """The version of the open page's marks, if it is an older one."""
        document = self._session.open.document
        return None if document is None else self.found.get(page_key(document))

    def read(self) -> None:
        """Look again which pages there are; the list of pages follows."""
        with self._session.messages.errors():
            self._show(guideline_versions.older_pages(self._workspace))

    def _show(self, found: Mapping[str, OlderPage]) -> None:
        self.found, self._were = found, self._were | found.keys()
        pages = self._workbench.pages
        pages.remarks = {key: f"older guideline: {each}" for key, each in self.found.items()}
        pages.changed.emit()
        self._workbench.requests.enable.emit()

    def _on_gold(self) -> None:
        document = self._session.open.document
        key = "" if document is None else page_key(document)
        if key in self._were and self._workbench.saving.is_saved:
            now = guideline_versions.older_page(self._workspace, key)
            if now != self.found.get(key):
                rest = {each: old for each, old in self.found.items() if each != key}
                self._show(rest if now is None else {**self.found, key: now})

    def ask(self) -> None:
        """List the pages; the chosen one is opened."""
        listed = [each for each in self._session.documents if page_key(each) in self.found]
        if not listed:
            self._session.messages.say("no page of the list is marked under an older guideline")
            return
        title = self._workbench.pages.title
        names = {f"{title(each)} ({each.name})": each for each in listed}
        choices = [Choice(x, str(self.found[page_key(each)])) for x, each in names.items()]
        self._workbench.main_area.field.ask(
            f"{plural(len(listed), 'page')} marked under an older guideline",
            "A page to open",
            partial(self._open, names),
            choices,
        )

    def _open(self, names: Mapping[str, Document], name: str) -> None:
        if (document := names.get(name)) is not None:
            self._workbench.navigation.open_document(self._session.documents.index(document))

    def confirm(self) -> None:
        """State that the open page's marks follow the present version; can be undone."""
        document = self._session.open.document
        self._confirm([] if document is None else [document])

    def confirm_listed(self) -> None:
        """State it of all pages that the list of pages shows; can be undone."""
        session = self._session
        self._confirm([session.documents[row] for row in session.listed])

    def _confirm(self, documents: Sequence[Document]) -> None:
        keys = [key for each in documents if (key := page_key(each)) in self.found]
        if not keys:
            self._session.messages.say("no page here is marked under an older guideline")
            return
        before = guideline_versions.confirmed_pages(self._workspace)
        what = f"confirm {plural(len(keys), 'page')} under the present guideline"
        put = partial(self._put, keys, before)
        self._session.get(WorkHistory).push(DecideFinding(what, put))

    def _put(self, keys: Sequence[str], before: Mapping[str, str], is_done: bool) -> None:
        with self._session.messages.errors("not saved: "):
            if is_done:
                guideline_versions.confirm(self._workspace, keys)
                name = guideline_versions.ref_in_use(self._workspace)
                self._session.messages.say(f"{plural(len(keys), 'page')} confirmed under {name}")
            else:
                guideline_versions.put_confirmed(self._workspace, before)
        self.read()
