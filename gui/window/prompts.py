"""What is asked in the one-line field over the page: a type, a name, who marks which pages."""

from collections.abc import Sequence
from functools import partial

from annotate.team.comments import CommentKind
from annotate.workspace.annotators import Role
from gui.core.workbench import Workbench
from gui.features.drafts.controller import SHARES, Drafting
from gui.features.team.controller import Teamwork
from gui.features.team.panel import CommentsDock
from gui.window.quick_pick import Choice, QuickPick, type_choices


class Prompts:
    """Asks, and lets the workbench do what was answered; a page's question goes to its panel."""

    def __init__(self, workbench: Workbench, field: QuickPick, comments: CommentsDock) -> None:
        self._workbench, self._field, self._comments = workbench, field, comments
        self._session = workbench.session

    def question(self) -> None:
        """Say that the page has a question, and let the user say which."""
        document = self._session.document
        if document is None:
            return
        before = self._workbench.pages.status(document)
        if before == "new":
            before = "open"  # which is what a page is once it was looked at
        self._workbench.set_status("question")
        is_open = before in ("open", "in progress")  # as it is once the question is answered
        then = partial(self._workbench.set_status, before) if is_open else None
        self._comments.start(CommentKind.QUESTION, then)

    def type_name(self) -> None:
        """Ask for the type of the selected blocks, or of the one under the mouse."""
        self._session.set_selected([mark.id for mark in self._session.meant_marks()])
        self._field.ask(
            "Type of the block",
            "Type a name",
            self._workbench.set_type,
            type_choices(self._session),
        )

    def assign_pages(self) -> None:
        """Ask who marks the open pages, with which overlap and how many control pages."""
        names = [
            name for name, role in self._workbench.get(Teamwork).people() if role == Role.ANNOTATOR
        ]
        self._field.ask(
            "Names; share of pages two mark; hidden control pages: Anna, Ben; 20 %; 2",
            "Anna, Ben; 20 %; 2",
            self._workbench.get(Teamwork).assign,
            [Choice(f"{', '.join(names)}; 20 %; 0")] if len(names) > 1 else [],
        )

    def work_as(self, role: Role) -> None:
        """Ask who goes on: an annotator of the workspace, or a new one."""
        team = self._workbench.get(Teamwork)
        if not self._workbench.saving.is_safe():
            return
        asked = "Mark as" if role is Role.ANNOTATOR else "Review as"
        choices = [Choice(name, remark) for name, remark in team.workers()]

        def more(typed: str, _offered: Sequence[Choice]) -> list[Choice]:
            is_new = typed not in [choice.text for choice in choices]
            found = [Choice(typed, "someone new")] if is_new else []
            if role is Role.ANNOTATOR and team.may_take_name(typed):
                # A first name may be one's own, or that of the next person: both are offered.
                taken = partial(team.take_name, typed, role)
                found.append(Choice(typed, "the marks made so far are mine", taken=taken))
            return found

        self._field.ask(asked, "A name", lambda name: team.work_as(name, role), choices, more=more)

    def adopt_type(self) -> None:
        """Ask for the type of block to take over as drafts."""
        drafting = self._workbench.get(Drafting)
        choices = [Choice(name) for name in drafting.types()]
        if choices:
            self._field.ask("Blocks of which type", "Type", drafting.adopt_type, choices)
        else:
            self._session.say("the current layer has no blocks on this page")

    def draft_share(self) -> None:
        """Ask how many pages are kept free of drafts."""
        drafting = self._workbench.get(Drafting)
        self._field.ask(
            f"Pages kept free of drafts, {100 * drafting.share:g} % now",
            "20 %",
            drafting.set_share,
            [Choice(share) for share in SHARES],
        )
