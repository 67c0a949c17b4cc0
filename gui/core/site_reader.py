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
    """Puts `OpenPage.site` there; pages of one site share what methods found out about them."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._of: tuple[Document, ...] = ()
        self._site: Site | None = None  # of these documents, with any seed
        self._task = Task(self, in_line=True)

    def want(self) -> None:
        """Read the open page's site, unless it is known or on its way."""
        session = self._session
        if (
            session.open.site is not None
            or session.open.site_problem
            or session.open.document is None
        ):
            return
        if not session.open.siblings:
            session.open.set_site(None, ALONE)
        elif session.open.siblings == self._of:
            if not self._task.is_busy:
                self._hand_out()
        else:
            self._of, self._site = session.open.siblings, None
            self._task.start(
                partial(site_of, session.open.siblings), self._on_read, self._on_failed
            )

    def _on_read(self, site: Site) -> None:
        self._site = site
        if self._session.open.siblings == self._of:
            self._hand_out()

    def _on_failed(self, error: Exception) -> None:
        self._of = ()
        self._session.open.set_site(None, f"its site cannot be read: {error}")

    def _hand_out(self) -> None:
        session = self._session
        if self._site is None or session.open.document is None or session.open.site is not None:
            return
        try:
            position = index_of(self._of, session.open.document)
        except ValueError:
            session.open.set_site(None, ALONE)
            return
        session.open.set_site(self._site.at(position))
