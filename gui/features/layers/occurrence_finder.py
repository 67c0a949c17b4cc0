"""Counts how often the blocks of the open page occur on its site, on request."""

from functools import partial

from PySide6.QtCore import QObject

from algorithms.templates.recurrence import shares_on_page
from algorithms.templates.site import Site, distinct
from engine.nodes import NodeTable
from engine.page import Page
from gui.core.runner import SiteReader
from gui.state.session import Session
from gui.widgets.jobs import Task


class OccurrenceFinder(QObject):
    """Keeps `Layers.occurrence` up to date while it is shown."""

    def __init__(self, session: Session, reader: SiteReader, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._reader = session, reader
        self._task = Task(self, in_line=True)
        session.layers.occurrence.shown_changed.connect(self._search)
        session.open.page_changed.connect(self._search)
        session.open.site_changed.connect(self._search)
        session.open.document_changed.connect(self._forget)

    def toggle(self) -> None:
        """Show or hide how often blocks occur on the site."""
        session = self._session
        if not session.layers.occurrence.is_shown and not session.open.siblings:
            session.messages.say("no other page of its site is open")
            return
        session.layers.occurrence.show(not session.layers.occurrence.is_shown)

    def _forget(self) -> None:
        self._task.cancel()
        self._session.layers.occurrence.set_shares({}, 0)

    def _search(self) -> None:
        session = self._session
        page, site = session.open.page, session.open.site
        if not session.layers.occurrence.is_shown or page is None or not session.open.siblings:
            return
        if site is None:
            if session.open.site_problem:
                session.messages.say(session.open.site_problem)
            else:
                self._reader.want()
            return
        self._task.start(partial(_shares, site, page.rendered()), partial(self._on_result, page))

    def _on_result(self, page: Page, result: tuple[dict[int, float], int]) -> None:
        if page is self._session.open.page:
            self._session.layers.occurrence.set_shares(*result)


def _shares(site: Site, nodes: NodeTable) -> tuple[dict[int, float], int]:
    return shares_on_page(site, nodes), len(distinct(site))
