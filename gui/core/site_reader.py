"""Reads the site of the open page, off the window's thread, once something wants to know it."""

from functools import partial

from PySide6.QtCore import QObject

from algorithms.templates.site import Site
from annotate.datasets.site_pages import index_of, site_of
from engine.document import Document
from gui.state.session import Session
from gui.widgets.jobs import Task

ALONE = "it reads a page together with its site, and no other page of it is open"


class SiteReader(QObject):
    """Puts `Session.site` there; pages of one site share what methods found out about them."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._of: tuple[Document, ...] = ()
        self._site: Site | None = None  # of these documents, with any seed
        self._task = Task(self, in_line=True)

    def want(self) -> None:
        """Read the open page's site, unless it is known or on its way."""
        session = self._session
        if session.site is not None or session.site_problem or session.document is None:
            return
        if not session.siblings:
            session.set_site(None, ALONE)
        elif session.siblings == self._of:
            if not self._task.is_busy:
                self._hand_out()
        else:
            self._of, self._site = session.siblings, None
            self._task.start(partial(site_of, session.siblings), self._on_read, self._on_failed)

    def _on_read(self, site: Site) -> None:
        self._site = site
        if self._session.siblings == self._of:
            self._hand_out()

    def _on_failed(self, error: Exception) -> None:
        self._of = ()
        self._session.set_site(None, f"its site cannot be read: {error}")

    def _hand_out(self) -> None:
        session = self._session
        if self._site is None or session.document is None or session.site is not None:
            return
        try:
            position = index_of(self._of, session.document)
        except ValueError:
            session.set_site(None, ALONE)
            return
        session.set_site(self._site.at(position))
