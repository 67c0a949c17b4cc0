"""Session: the open page, its gold, results and scores; the only state that panels share.

Signals are past participles and carry at most a key; readers ask the session, so nobody holds an
old value.  Setting an equal value emits nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from annotate.datasets.case_files import PageFiles
from annotate.datasets.no_pages import NoPage
from annotate.datasets.site_pages import Siblings
from annotate.marks.gold import Gold
from annotate.marks.journal import HistoryStep
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.errors import PageletError
from engine.page import Page
from gui.state.layer_list import Layers
from gui.state.messages import Messages
from gui.state.open_page import CurrentPage
from gui.state.selection import Selection

S = TypeVar("S", bound=QObject)


class Session(QObject):
    """The state behind the window: the list of pages, four parts, and the states of features.

    Its own methods change several parts at once; each part changes itself.

    Attributes:
        open: The open page with its marks.
        selection: What is selected there, and what a click does.
        layers: What is drawn, with results and scores.
        messages: What the user is told.
        documents: The pages of the list.
        files: Page key → where its gold is.
        no_pages: Files that are no pages, with the reason.
        left_out: Those of them that are not among the documents.
        listed: Indices of the documents listed, in the order of the list.
        former_types: Former → present name of types that were renamed: new marks have that.
    """

    documents_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.open = CurrentPage(self)
        self.selection = Selection(self.open, self)
        self.messages = Messages(self)
        self.layers = Layers(self.messages, self)
        self._states: dict[type[QObject], QObject] = {}  # of features
        self.documents: tuple[Document, ...] = ()
        self.files: Mapping[str, PageFiles] = {}
        self.no_pages: tuple[NoPage, ...] = ()
        self.left_out: tuple[NoPage, ...] = ()
        self.listed: Sequence[int] = ()
        self.former_types: Mapping[str, str] = {}
        self._siblings = Siblings((), {})

    def get(self, kind: type[S]) -> S:
        """Return a feature's state of this class, made of the session when first asked for."""
        state = self._states.get(kind)
        if state is None:
            state = self._states[kind] = kind(self)
        assert isinstance(state, kind)
        return state

    def renamed(self, gold: Gold) -> Gold:
        """Return gold whose marks that are not on the page yet have types by their present names.

        So letters, methods and suggestions that know a former name give the present one.
        """
        names, known = self.former_types, set(self.open.gold.marks) if self.former_types else set()
        if not names:
            return gold
        return replace(gold, marks=tuple(
            mark if mark in known else mark.renamed(names) for mark in gold.marks
        ))  # fmt: skip

    def set_documents(
        self,
        documents: Sequence[Document],
        files: Sequence[PageFiles] = (),
        no_pages: Sequence[NoPage] = (),
    ) -> None:
        """Replace the page list; ``files`` has the location of each page's gold.

        ``no_pages`` are files that are none with the reason, those in the list among them.
        """
        self.documents = tuple(documents)
        keys = set(map(page_key, documents))
        self.no_pages = tuple(no_pages)
        self.left_out = tuple(each for each in no_pages if page_key(each[0]) not in keys)
        self.files = dict(zip(map(page_key, documents), files, strict=False))
        self.listed = range(len(self.documents))
        self._siblings = Siblings(self.documents, self.files)
        if self.layers.lent_for is not None and self.layers.lent_for not in self.documents:
            self.layers.return_layers()
        self.documents_changed.emit()

    def set_document(self, document: Document | None) -> None:
        """Set the page that is being opened; what belonged to the last one goes."""
        siblings: tuple[Document, ...] = ()
        problem = ""
        if document is not None:
            try:
                siblings = self._siblings.of(document)
            except PageletError as error:
                problem = str(error)
        self.open.reset(document, siblings, problem)
        self.layers.reset()
        self.selection.reset()
        self.open.document_changed.emit()

    def set_page(self, page: Page, gold: Gold, *, is_locked: bool = False) -> None:
        """Show a page that has become data, with its marks; see `CurrentPage.is_locked`."""
        self.open.page, self.open.gold, self.open.is_locked = page, gold, is_locked
        self.layers.await_results()
        self.open.page_changed.emit()

    def set_gold(
        self, gold: Gold, change: str = "change marks", step: HistoryStep = "edit"
    ) -> None:
        """Replace the marks of the open page; ``change`` describes the change.

        They are on disk before they are shown or scored, so that errors there lose none.
        """
        if gold == self.open.gold:
            return
        self.open.gold = gold
        self.open.keep(change, step)
        remaining = tuple(mark_id for mark_id in self.selection.selected if gold.find(mark_id))
        self.open.gold_changed.emit()
        self.selection.set_selected(remaining)
