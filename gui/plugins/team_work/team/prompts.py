"""Prompts for several annotators: who continues, who marks which pages, a page's question."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from annotate.plugins.team_work.comment_files import ENDINGS
from annotate.workspace.annotators import Role
from gui.core.workbench import Workbench
from gui.plugins.team_work.team.controller import TeamController
from gui.widgets.quick_pick import Choice


class TeamPrompts(QObject):
    """Asks in the field over the page, or for a file; passes the answers to `TeamController`."""

    question_asked = Signal(object)  # called once the page's question is written, or None

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        self._workbench, self._team = workbench, workbench.get(TeamController)

    def question(self) -> None:
        """Set the page's status to *question*, and ask for the text."""
        document = self._workbench.session.open.document
        if document is None:
            return
        before = self._workbench.pages.status(document)
        if before == "new":
            before = "open"  # the status of a page once opened
        self._workbench.page_session.set_status("question")
        is_open = before in ("open", "in progress")  # as after the question is answered
        then = partial(self._workbench.page_session.set_status, before) if is_open else None
        self.question_asked.emit(then)

    def assign_pages(self) -> None:
        """Ask who marks the open pages, with the overlap and the number of control pages."""
        names = [name for name, role in self._team.people() if role == Role.ANNOTATOR]
        self._workbench.main_area.field.ask(
            "Names; share of pages that two mark; hidden controls; quiz pages",
            "Anna, Ben; 20 % by two; 2 controls; 1 quiz",
            self._team.assign,
            [Choice(f"{', '.join(names)}; 20 % by two")] if len(names) > 1 else [],
        )

    def work_as(self, role: Role) -> None:
        """Ask who continues: an annotator of the workspace, or a new one."""
        team = self._team
        if not self._workbench.saving.is_safe():
            return
        title = "Mark as" if role is Role.ANNOTATOR else "Review as"
        choices = [Choice(name, remark) for name, remark in team.workers()]

        def more(typed: str, _offered: Sequence[Choice]) -> list[Choice]:
            is_new = typed not in [choice.text for choice in choices]
            offered = [Choice(typed, "someone new")] if is_new else []
            if role is Role.ANNOTATOR and team.may_take_name(typed):
                # A first name may be one's own, or that of the next person: both are offered.
                taken = partial(team.take_name, typed, role)
                offered.append(Choice(typed, "the marks made so far are mine", taken=taken))
            return offered

        self._workbench.main_area.field.ask(
            title, "A name", lambda name: team.work_as(name, role), choices, more=more
        )

    def export_comments(self) -> None:
        """Ask where to save the comments of all pages."""
        name = f"{self._workbench.workspace.path.stem}-comments.csv"
        self._workbench.main_area.files.save(
            "Save comments", "Comments", ENDINGS, self._team.export_comments, name
        )

    def merge(self) -> None:
        """Ask for a workspace, and merge its marks."""
        self._workbench.main_area.files.open(
            "Merge marks of a workspace", "Workspaces (*.pagelet);;All files (*)", self._team.merge
        )
