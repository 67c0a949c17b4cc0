"""Actions for a page of the list that is not open."""

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from engine.document import Document
from gui.core.workbench import Workbench


class PageMenu(QObject):
    """Page of the list under a right click."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._session = workbench, workbench.session
        self._index = -1
        self._session.documents_changed.connect(lambda: self.choose(-1))

    @property
    def is_chosen(self) -> bool:
        return 0 <= self._index < len(self._session.documents)

    @property
    def is_other(self) -> bool:
        """Whether a page is open, and this is another one."""
        documents, document = self._session.documents, self._session.open.document
        return self.is_chosen and document in documents and documents[self._index] != document

    def choose(self, index: int) -> None:
        """Set the chosen document; -1 for none."""
        self._index = index

    def open(self) -> None:
        if self.is_chosen:
            self._workbench.navigation.open_document(self._index)
            self._workbench.main_area.show_page()

    @property
    def pair(self) -> tuple[int, int] | None:
        """Positions of the open page and of this one in the list; None unless they differ."""
        documents, document = self._session.documents, self._session.open.document
        if document is None or not self.is_other:
            return None
        return documents.index(document), self._index

    @property
    def is_no_page(self) -> bool:
        """Whether it is a file that is not a page, listed or left out."""
        document = self._document
        return document is not None and any(each == document for each, _ in self._session.no_pages)

    @property
    def is_listed_no_page(self) -> bool:
        """Whether it is a listed file that is not a page."""
        return self.is_no_page and self.is_chosen

    def switch_no_page(self) -> None:
        """List a file that is not a page, or leave it out again."""
        if self.is_no_page and (document := self._document) is not None:
            self._workbench.navigation.switch_no_page(document)

    @property
    def _document(self) -> Document | None:
        """Document of the chosen row; None for no row."""
        documents = (*self._session.documents, *(each for each, _ in self._session.left_out))
        return documents[self._index] if 0 <= self._index < len(documents) else None

    def copy_address(self) -> None:
        if self.is_chosen:
            document = self._session.documents[self._index]
            QGuiApplication.clipboard().setText(document.home or document.address)

    def tag(self) -> None:
        """Ask for a tag of the chosen page."""
        if self.is_chosen:
            self._workbench.tags.ask([self._session.documents[self._index]])

    def tag_open(self) -> None:
        """Ask for a tag of the open page."""
        document = self._session.open.document
        self._workbench.tags.ask([] if document is None else [document])

    def tag_listed(self) -> None:
        """Ask for a tag of all pages that the list shows."""
        session = self._session
        self._workbench.tags.ask([session.documents[row] for row in session.listed])

    def set_status(self, status: str) -> None:
        """Set the status of the chosen page; the open one stays open."""
        if self.is_chosen:
            self._workbench.page_session.set_status_of(self._session.documents[self._index], status)
