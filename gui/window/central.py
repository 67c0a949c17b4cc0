"""What the central area shows: the page with panels around it, scores, a site, help."""

from functools import cached_property
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, Signal
from PySide6.QtWidgets import QStackedLayout, QStackedWidget, QWidget

from annotate.workspace.workspace import page_key
from engine.page_cache import Snapshots, default_folder
from engine.web.renderer import renderer_name
from gui.core.workbench import Workbench
from gui.features.agreement.view import AgreementView
from gui.features.errors.state import ErrorWalk
from gui.features.evaluate.background import BackgroundWork, Request
from gui.features.evaluate.gold_lookup import GoldLookup
from gui.features.evaluate.run_plan import plan_of, task_of
from gui.features.evaluate.run_store import RunStore
from gui.features.evaluate.view import EvaluateView
from gui.features.help.view import HelpView
from gui.features.pages.panel import PagesDock
from gui.features.review.state import ReviewState
from gui.features.site.view import SiteView
from gui.features.transfer.controller import Transfer
from gui.window.dock_layout import DockLayout
from gui.window.features import guide_of


class Central(QObject):
    """Goes to the table or the site and back; each finds itself as it was left."""

    switched = Signal()
    table_made = Signal(object)  # EvaluateView
    stopped = Signal()  # what goes on behind is to end, too
    paired = Signal(int, int)  # two pages of the list are to be shown side by side
    looked = Signal()  # what gold the pages have is known
    asked = Signal(str)  # the name of an action

    def __init__(
        self, workbench: Workbench, panels: DockLayout, pages: PagesDock, stack: QStackedWidget
    ) -> None:
        """Put table and site on the stack that has the page."""
        super().__init__(stack)
        self._stack = stack
        self._workbench, self._panels, self._pages = workbench, panels, pages
        self._arranged: QByteArray | None = None  # the panels, while the page is not shown
        self._comes_back = False  # to the site, from two of its pages
        self._before_help: QWidget | None = None
        self._shown: QWidget | None = None  # in the page's place
        self._gold = GoldLookup(workbench.session, workbench.workspace, self)
        self._gold.found.connect(lambda _: self.looked.emit())
        workbench.session.documents_changed.connect(self._gold.look)
        pages.opened.connect(self.show_page)

    @cached_property
    def table(self) -> EvaluateView:
        """All pages × methods, made when it is first asked for."""
        session, workspace = self._workbench.session, self._workbench.workspace
        table = EvaluateView(
            session, self._workbench, self._work, RunStore(session, workspace), self._stack
        )
        self._stack.addWidget(table)
        table.left.connect(self.show_page)
        if self._gold.facts:
            table.set_gold(self._gold.facts)
        self._gold.found.connect(table.set_gold)
        table.asked_gold.connect(self._gold.look)
        table.errors_asked.connect(session.get(ErrorWalk).start)
        table.asked.connect(self.asked)
        self.table_made.emit(table)
        return table

    @cached_property
    def site(self) -> SiteView:
        """All pages by template, made when it is first asked for."""
        workbench, folder = self._workbench, default_folder()
        snapshots = Snapshots(folder, renderer_name())
        site = SiteView(workbench.session, snapshots, folder, self._stack, workbench.pages.title)
        workbench.pages.titles.found.connect(site.show_names)
        self._stack.addWidget(site)
        site.left.connect(self.show_page)
        site.opened.connect(self._open)
        site.transfer_asked.connect(self._transfer)
        site.pair_asked.connect(self.show_page_diff)
        return site

    @cached_property
    def agreement(self) -> AgreementView:
        """How far annotators agree, made when it is first asked for."""
        agreement = AgreementView(self._workbench.workspace, self._stack)
        self._stack.addWidget(agreement)
        agreement.left.connect(self.show_page)
        agreement.opened.connect(self._review)
        agreement.asked.connect(self.asked)
        return agreement

    @cached_property
    def help(self) -> HelpView:
        """The documentation, made when it is first asked for."""
        view = HelpView(self._stack)
        self._stack.addWidget(view)
        view.left.connect(self._leave_help)
        return view

    @property
    def is_help(self) -> bool:
        """Whether the documentation is shown."""
        return isinstance(self._shown, HelpView)

    @property
    def is_table(self) -> bool:
        """Whether the table is shown."""
        return isinstance(self._shown, EvaluateView)

    @property
    def is_site(self) -> bool:
        """Whether the site is shown."""
        return isinstance(self._shown, SiteView)

    @property
    def widget(self) -> QWidget | None:
        """What is shown in the page's place; None while the page is."""
        return self._shown

    def toggle(self) -> None:
        """Show the table in the page's place, or the page again."""
        if self.is_table:
            self.show_page()
            return
        self._gold.look()
        self._show(self.table)
        self.table.take_focus()

    def toggle_site(self) -> None:
        """Show all pages by template in the page's place, or the page again."""
        if self.is_site:
            self.show_page()
            return
        self._show(self.site)
        self.site.take_focus()

    def show_page_diff(self) -> None:
        """Show two pages side by side: those selected in the site, else the open one and its like.

        Where the site has not been looked at, that is the next page.
        """
        session, state = self._workbench.session, self.site.state
        pages = sorted(state.selected) if self.is_site else []
        if len(pages) != 2:
            if len(session.documents) < 2 or session.document not in session.documents:
                session.say("open a folder of pages first, to see two side by side")
                return
            first = session.documents.index(session.document)
            pages = [first, state.most_like(first)]
        self._comes_back = self.is_site
        self.show_page()
        self.paired.emit(*pages)

    def come_back(self) -> None:
        """Show the site again, if what is left was asked for there."""
        if self._comes_back:
            self._comes_back = False
            self.toggle_site()

    def toggle_agreement(self) -> None:
        """Show how far annotators agree in the page's place, or the page again."""
        if isinstance(self._shown, AgreementView):
            self.show_page()
            return
        self._show(self.agreement)
        self.agreement.table.setFocus()
        self.agreement.start()

    def open_help(self, target: str) -> None:
        """Show a page of the documentation."""
        if not self.is_help:
            self._before_help = self._shown
            self._show(self.help)
        self.help.open_at(target)

    def toggle_help(self) -> None:
        """Show the page of the documentation on what has the keyboard; or what was shown before."""
        if self.is_help:
            self._leave_help()
        else:
            self.open_help(guide_of(self._stack.window().focusWidget()))

    def _leave_help(self) -> None:
        if self._before_help is None:
            self.show_page()
        else:
            self._show(self._before_help)
            self._before_help.setFocus()

    def _transfer(self, pages: list[int]) -> None:
        """Transfer marks of these pages, else of the open one, to the pages of their clusters."""
        session, state = self._workbench.session, self.site.state
        if not pages and session.document in session.documents:
            pages = [session.documents.index(session.document)]
        members = {each for page in pages for each in state.members(page)}
        self._workbench.get(Transfer).transfer(pages, sorted(members - {*pages}))

    def _review(self, key: str) -> None:
        """Open a page, and what annotators differ in on it."""
        documents = self._workbench.session.documents
        place = next((n for n, each in enumerate(documents) if page_key(each) == key), None)
        if place is None:
            self._workbench.session.say("that page is not among those open: open its folder first")
            return
        self._workbench.session.get(ReviewState).show(True)
        self._open(place)

    def _show(self, widget: QWidget) -> None:
        if self._arranged is None:
            self._arranged = self._panels.put_away()
            self._lay(QStackedLayout.StackingMode.StackAll)
        self._shown = widget
        for kind in (EvaluateView, SiteView, HelpView):
            for each in self._stack.findChildren(kind):
                each.setVisible(each is widget)  # one behind the other would work unseen
        self._workbench.canvas.setEnabled(False)  # nothing behind takes keys
        self.switched.emit()

    def _open(self, page: int) -> None:
        self.show_page()
        self._workbench.open_document(page)

    def show_page(self) -> None:
        """Show the page, with the panels as they were around it."""
        if isinstance(self._shown, AgreementView):
            self._shown.stop()
        if self._arranged is not None:
            arranged, self._arranged = self._arranged, None
            self._shown = None
            self._workbench.canvas.setEnabled(True)
            self._panels.bring_back(arranged)
            self._lay(QStackedLayout.StackingMode.StackOne)
            self.switched.emit()
        self._workbench.canvas.view.setFocus()

    def _lay(self, mode: QStackedLayout.StackingMode) -> None:
        """Keep the page laid out behind: one that is opened meanwhile is measured."""
        layout = self._stack.layout()
        assert isinstance(layout, QStackedLayout)
        layout.setStackingMode(mode)

    def leave(self) -> bool:
        """Go back a step: from a field to the table, from there to the page; False at the page."""
        if self._shown is None:
            return False
        if self.is_help:
            if not self.help.end_search():
                self._leave_help()
        elif not self.is_table or not self.table.end_search():
            self.show_page()
        return True

    def open_results(self, path: str) -> None:
        """Show the table with the results that a folder or file holds."""
        if self.table.open_results(Path(path).expanduser()) and not self.is_table:
            self.toggle()

    def run(self) -> None:
        """Show the table and run what is missing in it."""
        if not self.is_table:
            self.toggle()
        self.table.run()

    def find(self) -> None:
        """Let the user type which page to look for, or what in the documentation."""
        if self.is_help:
            self.help.start_search()
        else:
            (self.table if self.is_table else self._pages).start_search()

    def stop(self) -> None:
        """Stop what is going on in sight, else an evaluation behind it."""
        self.stopped.emit()
        workbench = self._workbench
        is_busy = workbench.canvas.is_busy or workbench.runner.is_running
        if self.is_table or not is_busy:
            for table in self._stack.findChildren(EvaluateView):
                table.stop()
        if not self.is_table:
            workbench.stop()

    def close_down(self) -> None:
        """End what goes on in any of them."""
        for table in self._stack.findChildren(EvaluateView):
            table.close_down()
        for site in self._stack.findChildren(SiteView):
            site.close_down()
        for agreement in self._stack.findChildren(AgreementView):
            agreement.stop()
        for shown_help in self._stack.findChildren(HelpView):
            shown_help.close_down()

    def _work(self, request: Request) -> BackgroundWork:
        workbench, pages = self._workbench, self.table.model.shown.table.pages
        documents = workbench.session.documents
        return task_of(
            plan_of(request, pages, documents, workbench.workspace, workbench.session.files)
        )
