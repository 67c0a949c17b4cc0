"""Drafts: marks made by a method, to be confirmed."""

from annotate.marks.drafts import unsure
from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, dock_with
from gui.core.when import ALWAYS, ON_PAGE, WITH_MARK, WITH_METHOD, on_page
from gui.core.workbench import Workbench
from gui.features.drafts.controller import DraftsController
from gui.features.drafts.learning import LearningDrafts, LearningState
from gui.features.drafts.panel import LearningDock

__all__ = ["FEATURE", "DraftsController", "LearningDrafts"]


UNSURE = on_page(
    "there is no draft and no moved mark here",
    lambda now: bool(unsure(now.session.open.gold)),
    lambda now: "adopt",
)


DROPPED = on_page("no draft was dropped here", lambda now: bool(now.session.open.dropped))


def _dropped_words(now: Workbench) -> str:
    return f"Bring back dropped ({count})" if (count := now.session.open.dropped) else (
        "Bring back dropped"
    )  # fmt: skip


FEATURE = Feature(
    "drafts",
    guide="drafts.md",
    controllers=(DraftsController, LearningDrafts),
    panels=(
        Panel("learning", dock_with(LearningDock, LearningDrafts), "details", LearningState,
              toggle=Action("draft-learning", "What drafts have learned",
                            "Mark ▸ Drafts ▸ Learned drafts",
               when=ALWAYS, help="Edits a mark page by page, and whether drafts bias the gold",
               order=176, words=("learning curve", "draft bias", "effort per block"))),
    ),
    actions=(
        Action("suggest-types", "Suggest types for the blocks I mark", "Mark ▸ Type",
               DraftsController.toggle_types, keys=("Alt+Shift+T",), section="Type of a block",
               help="Shown as Menu?; Y confirms one, Shift+Y all in view, a letter gives another",
               is_on=lambda now: now.session.selection.suggests_types,
               order=160,
               words=("auto label", "guess categories", "predict types")),
        Action("adopt", "Adopt the current layer as drafts", "Mark ▸ Drafts",
               DraftsController.adopt,
               keys=("Shift+A",), icon="copy", when=WITH_METHOD,
               help="What the method found, as drafts: gold only when you confirm them", order=140,
               words=("pre-annotate", "use method output", "copy predictions", "prelabel"),
               context=(Context.OUTLINE, Context.LAYER)),
        Action("adopt-here", "Adopt drafts in the selection", "Mark ▸ Drafts",
               DraftsController.adopt_here, keys=("Alt+Shift+A",), when=WITH_METHOD,
               help="In the selected marks, else in the framed element", order=150,
               words=("pre-annotate selection", "use predictions here"),
               context=(Context.ELEMENT,)),
        Action("adopt-type", "Adopt its blocks of a type…", "Mark ▸ Drafts",
               DraftsController.ask_type,
               keys=("Ctrl+Shift+A",), when=WITH_METHOD, order=160,
               words=("pre-annotate one label", "predictions of one class")),
        Action("begin-drafted", "Begin new pages with drafts", "Mark ▸ Drafts",
               DraftsController.toggle_begins, keys=("Ctrl+Alt+A",),
               help="From the current layer, on pages nobody has worked on; for this workspace",
               is_on=lambda now: now.get(DraftsController).begins, order=170,
               words=("pre-annotate automatically", "auto drafts", "start from predictions")),
        Action("learn-drafts", "Learn drafts from what I confirm",
               "Mark ▸ Drafts ▸ Learned drafts",
               LearningDrafts.toggle, when=ALWAYS,
               help="New pages begin with them; some pages stay without; for this workspace",
               is_on=lambda now: now.get(LearningDrafts).is_on, order=172,
               words=("adaptive drafts", "personal model", "drafts that learn")),
        Action("adopt-learned", "Adopt learned drafts", "Mark ▸ Drafts ▸ Learned drafts",
               LearningDrafts.adopt,
               when=ON_PAGE,
               help="What the shipped models and the pages you confirmed expect on this page",
               order=174, words=("pre-annotate from my marks", "predict my marks")),
        Action("weak-drafts", "Weak drafts", "Mark ▸ Drafts ▸ Learned drafts",
               LearningDrafts.toggle_weak,
               is_on=lambda now: now.session.layers.draws_weak, order=179,
               help="Draws those that are more probably wrong than right",
               words=("low confidence drafts", "unlikely drafts")),
        Action("draft-parts", "Draft level-2 blocks", "Mark ▸ Drafts",
               DraftsController.draft_parts, keys=("Shift+O",), when=ON_PAGE,
               help="What stands side by side in the level-1 block; again: finer", order=180,
               words=("subdivide block", "propose children", "suggest sub-blocks")),
        Action("confirm", "Confirm mark", "Mark ▸ Drafts", DraftsController.confirm, keys=("Y",),
               icon="check", when=WITH_MARK, line=True,
               help="The mark is right at its present position; goes to the next to be confirmed",
               order=190,
               words=("accept draft", "approve mark", "verify annotation"),
               context=(Context.BLOCK, Context.BLOCKS, Context.MAIN)),
        Action("confirm-here", "Confirm all drafts in the selection", "Mark ▸ Drafts",
               DraftsController.confirm_here, keys=("Alt+Y",), when=UNSURE,
               help="In the selected marks, else in the framed element", order=200,
               words=("accept drafts here", "approve selection")),
        Action("confirm-all", "Confirm all drafts and moved marks in view", "Mark ▸ Drafts",
               DraftsController.confirm_all, keys=("Shift+Y",), when=UNSURE, order=210,
               help="Says how many are above and below the view, and shows the next of them",
               words=("accept everything", "approve all drafts", "bulk accept"),
               context=(Context.OUTLINE,)),
        Action("confirm-seen", "Confirm all that I have seen", "Mark ▸ Drafts",
               DraftsController.confirm_seen, keys=("Alt+Return",), when=UNSURE, order=215,
               help="Drafts, moved marks and suggested types that were in view, as they are now",
               words=("accept reviewed", "approve what I scrolled past", "confirm the page")),
        Action("confirm-certain", "Confirm the drafts that are certain", "Mark ▸ Drafts",
               DraftsController.confirm_certain, keys=("Ctrl+Shift+Y",), when=UNSURE,
               help="Transferred or learned, 80 % sure, in view; the others stay drafts", order=220,
               words=("accept confident ones", "approve high confidence")),
        Action("unsure-next", "Next mark to confirm", "Mark ▸ Drafts", DraftsController.step, (1,),
               keys=("Shift+N",), when=UNSURE, help="A draft, or a mark that moved",
               order=250,
               words=("next draft", "next unconfirmed"),
               context=(Context.OUTLINE,)),
        Action("unsure-previous", "Previous mark to confirm", "Mark ▸ Drafts",
               DraftsController.step,
               (-1,), keys=("Shift+P",), when=UNSURE, order=260,
               words=("previous draft", "previous unconfirmed")),
        Action("next-place", "Next likely position", "Mark ▸ Checks", DraftsController.next_place,
               keys=("Ctrl+Alt+Y",), when=WITH_MARK, order=145,
               help="Of a mark that moved: where else its text, or something like it, stands",
               words=("relocate annotation", "re-anchor mark", "wrong position")),
        Action("drop-drafts", "Drop all drafts", "Mark ▸ Drafts ▸ Drop", DraftsController.drop_all,
               keys=("Shift+Del",),
               icon="delete", when=UNSURE, line=True, help="What is confirmed stays",
               order=270,
               words=("discard drafts", "delete suggestions", "reject all drafts"),
               context=(Context.OUTLINE,)),
        Action("drop-here", "Drop all drafts in the selection", "Mark ▸ Drafts ▸ Drop",
               DraftsController.drop_here, keys=("Alt+Del",), when=UNSURE,
               help="In the selected marks, the one under the mouse, or the framed element",
               order=280,
               words=("discard drafts here", "reject drafts in area")),
        Action("bring-back-dropped", "Bring back dropped", "Mark ▸ Drafts",
               DraftsController.bring_back, when=DROPPED, order=300, named=_dropped_words,
               help="Drafts dropped on this page, which nothing offers again, are drafts again",
               words=("restore rejected drafts", "undo discarded suggestions")),
        Action("draft-share", "Keep pages free of drafts…", "Mark ▸ Drafts",
               DraftsController.ask_share,
               help="A share of the workspace's pages, always the same: for unbiased gold",
               order=420,
               words=("control sample", "unbiased pages", "unassisted share")),
    ),
)  # fmt: skip
