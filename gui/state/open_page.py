"""OpenPage: the page that is open or being opened, its marks and its site."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from algorithms.templates.site import Site
from annotate.marks.gold import Gold
from annotate.marks.journal import HistoryStep
from annotate.workspace.workspace import page_key
from engine.document import Document
from engine.page import Page

Keep = Callable[[str, HistoryStep], None]
"""Saves the gold with a description of the change; reports its own errors."""


class CurrentPage(QObject):
    """What is open.  `Session` opens another page: that changes layers and selection, too.

    Attributes:
        document: The page that was asked for; None for none.
        page: Its data; None until they are there.
        gold: Its marks.
        is_locked: Whether the marks are a data set's: to be copied before they are changed.
        keep: Is called with every change of the gold before anyone else hears of it.
        siblings: The page's site, it among them; or none.
        site: That with the open page as its seed; None while it is not read.
        site_problem: Why it cannot be read.
        remarks: Mark → what may be wrong with it, in words.
        dropped: Number of drafts that were dropped there, and are offered no more.
        is_unassisted: Whether the page is one of those that nothing is proposed on.
    """

    document_changed = Signal()  # another page was asked for; `page` is None until it is there
    page_changed = Signal()
    gold_changed = Signal()
    lock_changed = Signal()
    site_changed = Signal()  # the site of the open page was read, or could not be
    remarks_changed = Signal()
    dropped_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document: Document | None = None
        self.page: Page | None = None
        self.gold = Gold()
        self.is_locked = self.is_unassisted = False
        self.dropped = 0
        self.keep: Keep = lambda _change, _step: None  # without a workspace it is forgotten
        self.siblings: tuple[Document, ...] = ()
        self.site: Site | None = None
        self.site_problem = ""
        self.remarks: Mapping[str, str] = {}

    @property
    def key(self) -> str:
        """Key of the page in the workspace; "" for none."""
        return "" if self.document is None else page_key(self.document)

    def reset(
        self, document: Document | None, siblings: Sequence[Document], site_problem: str
    ) -> None:
        """Set the next document, whose page is not loaded yet; emits nothing."""
        self.document, self.page = document, None
        self.siblings = tuple(siblings)
        self.site, self.site_problem = None, site_problem
        self.gold, self.is_locked = Gold(), False

    def set_site(self, site: Site | None, problem: str = "") -> None:
        """Set the site of the open page, or why it could not be read."""
        self.site, self.site_problem = site, problem
        self.site_changed.emit()

    def unlock(self) -> None:
        """Set the marks of the open page as the user's."""
        if self.is_locked:
            self.is_locked = False
            self.lock_changed.emit()

    def set_dropped(self, count: int) -> None:
        if count != self.dropped:
            self.dropped = count
            self.dropped_changed.emit()

    def set_remarks(self, remarks: Mapping[str, str]) -> None:
        if remarks != self.remarks:
            self.remarks = dict(remarks)
            self.remarks_changed.emit()
