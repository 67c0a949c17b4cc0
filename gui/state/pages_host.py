"""What lists of pages ask of who opens them: the panel of pages and the Evaluate view alike."""

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import SignalInstance

from annotate.workspace.page_search import PageClues
from engine.document import Document


class ListedPages(Protocol):
    """State of pages without opening them."""

    @property
    def changed(self) -> SignalInstance:
        """Emitted when an answer may be another one."""

    def status(self, document: Document) -> str:
        """Return ``new``, ``open``, ``in progress``, ``question`` or ``done``."""

    def count_done(self, documents: Sequence[Document]) -> int:
        """Return how many of the pages are done."""

    def has_question(self, document: Document) -> bool:
        """Return whether a question waits for an answer, also where the page is done."""

    def facts(self, document: Document) -> PageClues:
        """Return further notes on a page: what it can be found by."""

    def is_assigned(self, document: Document) -> bool:
        """Return whether who works is to mark a page."""

    def title(self, document: Document) -> str: ...


class PagesHost(Protocol):
    """Opens pages and knows their status."""

    @property
    def pages(self) -> ListedPages:
        """State of the pages."""

    def open_document(self, index: int) -> None:
        """Open one of the session's documents."""

    def switch_no_page(self, document: Document) -> None:
        """List a file that is no page as one and open it; or leave it out again."""
