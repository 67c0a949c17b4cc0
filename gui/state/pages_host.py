"""What lists of pages ask of who opens them: the panel of pages and the Evaluate view alike."""

from typing import Protocol

from PySide6.QtCore import SignalInstance

from annotate.page_search import PageClues
from engine.document import Document


class PagesHost(Protocol):
    """Who opens pages and knows how far each is."""

    @property
    def statuses_changed(self) -> SignalInstance:
        """Emitted when `page_status` may answer differently."""

    def open_document(self, index: int) -> None:
        """Open one of the session's documents."""

    def page_status(self, document: Document) -> str:
        """Return ``new``, ``open``, ``in progress``, ``question`` or ``done``."""

    def page_facts(self, document: Document) -> PageClues:
        """Return what is known of a page besides: what it can be found by."""

    def is_assigned(self, document: Document) -> bool:
        """Return whether who works is to mark a page."""

    def page_title(self, document: Document) -> str:
        """Return what to call a page."""
