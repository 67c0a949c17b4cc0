"""Team: annotators, comments, questions, assigned pages."""

from functools import partial

from PySide6.QtWidgets import QWidget

from annotate.plugins.team_work.comments import CommentKind
from annotate.workspace.annotators import Role
from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel
from gui.core.when import ON_PAGE, WITH_DOCUMENT
from gui.core.workbench import Workbench
from gui.plugins.team_work.review.feature import ReviewController
from gui.plugins.team_work.team.controller import TeamController
from gui.plugins.team_work.team.panel import CommentsDock, Scope, TeamDock
from gui.plugins.team_work.team.prompts import TeamPrompts


def _teamwork(workbench: Workbench) -> TeamController:
    teamwork = TeamController(workbench)
    workbench.pages.assigned = teamwork.assigned
    teamwork.said.connect(workbench.pages.refresh)
    workbench.saving.late_saved.connect(teamwork.said)
    workbench.saving.late_refused.connect(teamwork.offer_refused)
    # Where plug-ins are missing, the review may be made later.
    teamwork.changed.connect(lambda: workbench.get(ReviewController).timer.start())

    def reopen() -> None:
        with workbench.session.messages.errors():
            workbench.workspace.add_pages(workbench.session.documents)
        workbench.pages.refresh()
        workbench.navigation.reload()

    teamwork.reload_asked.connect(reopen)

    def note() -> None:
        me = teamwork.me
        role = " (reviewer)" if me.role is Role.REVIEWER else ""
        name = me.shown if teamwork.people() else me.name
        tip = "Whose marks are shown and changed: Alt+W to mark as another, Alt+Shift+W to review"
        workbench.note("who", f"{name}{role}", tip)

    for signal in (teamwork.changed, teamwork.said):
        workbench.requests.others_marked.connect(signal)
    teamwork.changed.connect(note)
    note()
    return teamwork


def _panel(workbench: Workbench, window: QWidget) -> CommentsDock:
    comments = CommentsDock(workbench.session, workbench.get(TeamController), window)
    comments.said.connect(lambda: workbench.canvas.view.setFocus())
    workbench.get(TeamPrompts).question_asked.connect(partial(comments.start, CommentKind.QUESTION))
    return comments


def _team_panel(workbench: Workbench, window: QWidget) -> TeamDock:
    team = TeamDock(workbench.get(TeamController).members, workbench.pages.changed, window)
    workbench.session.open.gold_changed.connect(team.refresh)  # a mark may be unsure now
    return team


FEATURE = Feature(
    "team",
    after="unsure",
    guide="annotators.md",
    controllers=(_teamwork, TeamPrompts),
    panels=(
        Panel("comments", _panel, "details",
              toggle=Action("comments", "Comments", "Review ▸ Comments",
               keys=("Alt+Shift+N",), line=True,
               help="What annotators and reviewers wrote about marks of the page", order=120,
               words=("notes", "remarks list", "discussion"))),
        Panel("team", _team_panel, "comments",
              toggle=Action("team", "Team", "Review ▸ Team", order=172,
               help="How far each is: pages done, how the quiz went, unsure marks",
               words=("annotator progress", "quiz results", "who has done what"))),
    ),
    actions=(
        Action("comment", "Comment on the mark", "Review ▸ Comments", CommentsDock.start,
               (CommentKind.COMMENT,), ("Alt+N",), when=ON_PAGE, order=130,
               words=("add note", "write remark", "annotate with text"),
               context=(Context.BLOCK, Context.MAIN)),
        Action("question", "Ask about the mark", "Review ▸ Comments", CommentsDock.start,
               (CommentKind.QUESTION,), ("Alt+Q",), when=ON_PAGE,
               help="The page is listed as one with a question until it is answered", order=140,
               words=("ask reviewer", "put a question", "query about block"),
               context=(Context.MAIN,)),
        Action("answer", "Answer", "Review ▸ Comments", CommentsDock.start, (CommentKind.ANSWER,),
               ("Alt+Shift+R",), when=ON_PAGE, order=150,
               words=("reply to comment", "resolve question")),
        Action("comment-next", "Next comment", "Review ▸ Comments", CommentsDock.step, (1,),
               ("Alt+K",), when=ON_PAGE, order=160, words=("next note", "next remark")),
        Action("comment-previous", "Previous comment", "Review ▸ Comments", CommentsDock.step,
               (-1,), ("Alt+Shift+K",), when=ON_PAGE, order=162,
               words=("previous note", "comment before")),
        Action("comment-resolve", "Resolve the comment, or open it again", "Review ▸ Comments",
               CommentsDock.resolve, keys=("Alt+Shift+Y",), when=ON_PAGE, order=164,
               help="The one chosen in the Comments panel; an answer resolves a question, too",
               words=("settle comment", "close thread", "comment is dealt with")),
        Action("comments-all", "Comments of all pages", "Review ▸ Comments", CommentsDock.list_of,
               (Scope.ALL,), ("Ctrl+Shift+N",), order=166,
               help="Lists them by page; the next comment key continues across pages",
               words=("all notes", "list every remark", "discussion of the workspace")),
        Action("comments-open", "Comments still open", "Review ▸ Comments", CommentsDock.list_of,
               (Scope.OPEN,), order=168, help="Of all pages: not answered, not resolved",
               words=("unanswered questions", "unresolved notes", "open threads")),
        Action("comments-export", "Save comments…", "Review ▸ Comments",
               TeamPrompts.export_comments, order=169,
               help="Of all pages, as CSV or JSON, with the text of their marks",
               words=("export comments", "notes to csv", "write remarks to a file")),
        Action("status-question", "Page has a question", "File ▸ Status", TeamPrompts.question,
               (), ("Shift+D",), "status-question", when=ON_PAGE, group="status",
               value="question", section="Pages", order=130,
               help="Type the question and press Enter; Esc keeps the status without one",
               words=("page is unclear", "flag page", "ask about page")),
        Action("merge", "Merge marks of a workspace…", "File ▸ Import", TeamPrompts.merge,
               keys=("Ctrl+Shift+I",), section="Pages", order=230,
               help="Puts another annotator's marks beside those here; overwrites nothing",
               words=("combine annotators", "import workspace", "join annotations")),
        Action("assign", "Assign pages…", "Review ▸ Team", TeamPrompts.assign_pages,
               keys=("Alt+Shift+D",), when=WITH_DOCUMENT, line=True, order=170,
               help="Deals the open pages to annotators, with overlap, controls and quiz pages",
               words=("distribute pages", "work share", "deal tasks to annotators")),
        Action("work-as", "Mark as…", "Review", TeamPrompts.work_as, (Role.ANNOTATOR,),
               ("Alt+W",), help="Another annotator of this workspace, or a new one", order=180,
               words=("switch annotator", "change user", "log in as")),
        Action("review-as", "Review as…", "Review", TeamPrompts.work_as, (Role.REVIEWER,),
               ("Alt+Shift+W",), help="Somebody whose marks are the decisions", order=190,
               words=("become curator", "adjudicator name", "switch reviewer")),
    ),
)  # fmt: skip
