"""Team: annotators, comments, questions, assigned pages."""

from PySide6.QtWidgets import QWidget

from annotate.team.comments import CommentKind
from gui.core.action import Action
from gui.core.feature import Feature, Panel
from gui.core.when import ON_PAGE
from gui.core.workbench import Workbench
from gui.features.review.feature import Reviewing
from gui.features.team.controller import Teamwork
from gui.features.team.panel import CommentsDock


def _teamwork(workbench: Workbench) -> Teamwork:
    session, workspace, canvas = workbench.session, workbench.workspace, workbench.canvas
    teamwork = Teamwork(session, workspace, workbench.marking, canvas, workbench)
    workbench.pages.assigned = teamwork.assigned
    teamwork.said.connect(workbench.pages.refresh)
    workbench.saving.late_saved.connect(teamwork.said)
    workbench.saving.late_refused.connect(teamwork.offer_refused)
    teamwork.changed.connect(workbench.get(Reviewing).timer.start)
    teamwork.reload_asked.connect(workbench.open_for_other_annotator)
    return teamwork


def _panel(workbench: Workbench, window: QWidget) -> CommentsDock:
    comments = CommentsDock(workbench.session, workbench.get(Teamwork), window)
    comments.said.connect(lambda: workbench.canvas.view.setFocus())
    return comments


FEATURE = Feature(
    "team",
    guide="annotators.md",
    controllers=(_teamwork,),
    panels=(
        Panel("comments", _panel, "details"),
    ),
    actions=(
        Action("comments", "Comments", "Review", CommentsDock.toggle, keys=("Alt+Shift+N",),
               line=True,
               help="What is said about marks of the page", order=120),
        Action("comment", "Comment on the mark", "Review", CommentsDock.start,
               (CommentKind.COMMENT,), ("Alt+N",), when=ON_PAGE, order=130),
        Action("question", "Ask about the mark", "Review", CommentsDock.start,
               (CommentKind.QUESTION,), ("Alt+Q",), when=ON_PAGE,
               help="The page is listed as one with a question until it is answered", order=140),
        Action("answer", "Answer", "Review", CommentsDock.start, (CommentKind.ANSWER,), ("Alt+R",),
               when=ON_PAGE, order=150),
        Action("comment-next", "Next comment", "Review", CommentsDock.step, (1,), ("Alt+K",),
               when=ON_PAGE, order=160),
    ),
)  # fmt: skip
