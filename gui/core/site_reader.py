"""Reads the site of the open page, off the window's thread, once something wants to know it."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QThreadPool

from algorithms.templates.site import Site
from annotate.datasets.site_pages import place_of, site_of
from engine.document import Document
from gui.state.session import Session
from gui.widgets.jobs import Job

ALONE = "it reads a page together with its site, and no other page of it is open"


class SiteReader(QObject):
    """Puts `Session.site` there; pages of one site share what methods found out about them."""

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._of: tuple[Document, ...] = ()
        self._site: Site | None = None  # of these documents, with any seed
        self._job: Job | None = None
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)

    def want(self) -> None:
        """Read the open page's site, unless it is known or on its way."""
        session = self._session
        if session.site is not None or session.site_problem or session.document is None:
            return
        if not session.siblings:
            session.set_site(None, ALONE)
        elif session.siblings == self._of:
            if self._job is None:
                self._hand_out()
        else:
            if self._job is not None:
                self._job.cancel()
            self._of, self._site = session.siblings, None
            self._job = Job(partial(_read, session.siblings), self)
            self._job.done.connect(self._on_read)
            self._job.failed.connect(self._on_failed)
            self._job.start(self._pool)

    def _on_read(self, site: Site) -> None:
        self._job, self._site = None, site
        if self._session.siblings == self._of:
            self._hand_out()

    def _on_failed(self, error: Exception) -> None:
        self._job, self._of = None, ()
        self._session.set_site(None, f"its site cannot be read: {error}")

    def _hand_out(self) -> None:
        session = self._session
        if self._site is None or session.document is None or session.site is not None:
            return
        try:
            place = place_of(self._of, session.document)
        except ValueError:
            session.set_site(None, ALONE)
            return
        session.set_site(self._site.at(place))


def _read(documents: Sequence[Document]) -> Site:
    return site_of(documents)
