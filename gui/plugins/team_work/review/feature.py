"""Review of differences between annotators, one by one."""

from functools import partial

from gui.core.action import Action
from gui.core.feature import Feature, Panel, TaskView, dock_of, dock_with
from gui.core.overlay_sync import HiddenLayers, PageOverlay
from gui.core.when import ON_PAGE, on_page
from gui.core.workbench import Workbench
from gui.page.overlay.pieces import PageNumberings
from gui.page.overlay.specs import LayerSpec, heat_spec
from gui.plugins.team_work.review.controller import ReviewController
from gui.plugins.team_work.review.decisions import DecisionsInBar
from gui.plugins.team_work.review.feedback import Feedback
from gui.plugins.team_work.review.feedback_panel import FeedbackDock
from gui.plugins.team_work.review.feedback_state import FeedbackState
from gui.plugins.team_work.review.overlay import review_specs
from gui.plugins.team_work.review.panel import ReviewDock
from gui.plugins.team_work.review.state import ReviewState

__all__ = ["FEATURE", "ReviewController", "ReviewState"]


def _drawn(workbench: Workbench) -> PageOverlay:
    review = workbench.session.get(ReviewState)

    def specs(pieces: PageNumberings) -> list[LayerSpec]:
        return [heat_spec(review.heat, pieces)] if review.is_hot else review_specs(review, pieces)

    # Reviewers decide by annotators' marks: methods are hidden meanwhile.
    signals = (review.shown_changed, review.changed, review.index_changed)
    return PageOverlay(specs, lambda: review.is_shown, signals, HiddenLayers.METHODS)


def _feedback_drawn(workbench: Workbench) -> PageOverlay:
    state = workbench.session.get(FeedbackState)
    signals = (state.shown_changed, state.changed, state.index_changed)
    specs = partial(review_specs, state)
    return PageOverlay(specs, lambda: state.is_shown, signals, HiddenLayers.METHODS)


REVIEWING = on_page(
    "show where annotators differ first (Ctrl+Shift+R)",
    lambda now: now.session.get(ReviewState).is_shown,
    lambda now: "review",
)


FEATURE = Feature(
    "review",
    after="suggestions",
    guide="review.md",
    overlays=(_drawn, _feedback_drawn),
    controllers=(ReviewController, Feedback),
    panels=(
        Panel("review", dock_with(ReviewDock, ReviewController), "outline", ReviewState,
              toggle=Action("review", "Where annotators differ", "Review",
               keys=("Ctrl+Shift+R",), icon="side", when=ON_PAGE,
               help="Lists them to step through and decide; again: leave", order=10,
               words=("annotator differences", "adjudicate", "resolve disagreements", "curation"))),
        Panel("feedback", dock_of(FeedbackDock), "outline", FeedbackState,
              toggle=Action("feedback", "What the reviewer changed", "Review ▸ Reviewer's changes",
               keys=("Ctrl+Alt+R",), when=ON_PAGE, line=True,
               help="Your marks beside the decisions on this page; again: leave", order=116,
               words=("reviewer feedback", "corrections of my marks", "curator changes"))),
    ),
    tasks=(
        TaskView(
            "review", "Review", "Where annotators differ, decision by decision",
            ("adjudication view", "reviewing workspace"),
            "Open a page that two annotators have marked, or open a workspace that they share.",
            left=("review",), walks=(("review", "review"),),
            before="evaluate", ends_pages=True, parts=(DecisionsInBar,),
            card=("Review and work together", "Where annotators differ, decision by decision."),
        ),
    ),
    actions=(
        Action("review-next", "Next difference", "Review", ReviewController.step, (1,), ("Alt+J",),
               when=ON_PAGE, order=20,
               words=("next disagreement", "following conflict")),
        Action("review-previous", "Previous difference", "Review", ReviewController.step, (-1,),
               ("Alt+Shift+J",), when=ON_PAGE, order=30,
               words=("previous disagreement", "preceding conflict")),
        Action("take-left", "Take the left version", "Review ▸ Decide", ReviewController.take,
               ("left",), ("Ctrl+Left",), when=REVIEWING, line=True,
               help="For the difference shown; goes to the next open one", order=40,
               words=("accept first annotator", "choose left")),
        Action("take-right", "Take the right version", "Review ▸ Decide", ReviewController.take,
               ("right",), ("Ctrl+Right",), when=REVIEWING, order=50,
               words=("accept second annotator", "choose right")),
        Action("take-both", "Take both", "Review ▸ Decide", ReviewController.take, ("both",),
               ("Ctrl+Down",), when=REVIEWING, order=60,
               words=("keep both annotations", "accept union")),
        *(
            Action(f"take-rest-{side}", f"Take the {side} version of all that is open",
                   "Review ▸ Decide", ReviewController.take_rest, (side,),
                   (f"Alt+Shift+{side.capitalize()}",), when=REVIEWING, order=order,
                   help="Decides every difference that is left, as one step to undo",
                   words=(f"accept all of {which} annotator", f"choose {side} for the rest"))
            for side, which, order in (("left", "first", 62), ("right", "second", 64))
        ),
        Action("take-none", "Take neither", "Review ▸ Decide", ReviewController.take, ("none",),
               ("Ctrl+Up",), when=REVIEWING, help="A click then marks what should be there",
               order=70, words=("reject both annotations", "neither annotator")),
        Action("fuse", "Start from the majority", "Review", ReviewController.fuse,
               keys=("Alt+Shift+F",), when=ON_PAGE, line=True, order=80,
               help="Takes what more than half of them marked",
               words=("majority vote", "consensus", "merge by vote")),
        Action("take-agreed", "Take what all agree on", "Review", ReviewController.take_agreed,
               keys=("Alt+Shift+G",), when=ON_PAGE, help="Only what they differ in stays to decide",
               order=82, words=("accept agreed marks", "merge unanimous marks")),
        Action("agreed-at-once", "Begin reviews with what all agree on", "Review",
               ReviewController.toggle_at_once, order=84,
               is_on=lambda now: now.get(ReviewController).is_at_once,
               help="Each page of a reviewer then shows only differences to decide",
               words=("auto-merge agreed marks", "only differences remain")),
        Action("review-heat", "Heat map of disagreement", "Review", ReviewController.toggle_heat,
               keys=("Alt+Shift+H",), when=ON_PAGE,
               is_on=lambda now: now.session.get(ReviewState).shows_heat,
               help="How much annotators disagree, area by area", order=90,
               words=("disagreement heat map", "where annotators disagree")),
        Action("feedback-next", "Next change of the reviewer", "Review ▸ Reviewer's changes",
               Feedback.step, (1,), ("Ctrl+Alt+J",), when=ON_PAGE, order=117,
               words=("next correction", "following feedback")),
        Action("feedback-previous", "Previous change of the reviewer",
               "Review ▸ Reviewer's changes", Feedback.step, (-1,), ("Ctrl+Alt+K",),
               when=ON_PAGE, order=118,
               words=("previous correction", "feedback before")),
        Action("close-agreed", "Close pages on which all agree", "Review",
               ReviewController.toggle_closing, keys=("Alt+X",),
               is_on=lambda now: now.get(ReviewController).closes,
               help="Takes marks of all, and goes to the next page", order=110,
               words=("auto-finish agreed pages", "accept unanimous pages")),
    ),
)  # fmt: skip
