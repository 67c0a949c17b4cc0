"""Drafts: marks made by a method, to be confirmed."""

from PySide6.QtWidgets import QWidget

from annotate.marks.drafts import unsure
from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel
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


def _panel(workbench: Workbench, window: QWidget) -> LearningDock:
    learning = workbench.get(LearningDrafts)
    return LearningDock(learning.state, learning, window)


FEATURE = Feature(
    "drafts",
    guide="drafts.md",
    controllers=(DraftsController, LearningDrafts),
    panels=(
        Panel("learning", _panel, "details", LearningState,
              toggle=Action("draft-learning", "What drafts have learned", "Drafts ▸ Learned drafts",
               when=ALWAYS, help="Edits a mark page by page, and whether drafts bias the gold",
               order=46, words=("learning curve", "draft bias", "effort per block"))),
    ),
    actions=(
        Action("suggest-types", "Suggest types for the blocks I mark", "Type",
               DraftsController.toggle_types, keys=("Alt+Shift+T",), section="Type of a block",
               help="Shown as Menu?; Y confirms one, Shift+Y all in view, a letter gives another",
               is_on=lambda now: now.session.selection.suggests_types,
               order=40,
               words=("auto label", "guess categories", "predict types")),
        Action("adopt", "Adopt the current layer as drafts", "Drafts", DraftsController.adopt,
               keys=("Shift+A",), icon="copy", when=WITH_METHOD,
               help="What the method found, as drafts: gold only when you confirm them", order=10,
               words=("pre-annotate", "use method output", "copy predictions", "prelabel"),
               context=(Context.OUTLINE, Context.LAYER)),
        Action("adopt-here", "Adopt drafts in the selection", "Drafts",
               DraftsController.adopt_here, keys=("Alt+Shift+A",), when=WITH_METHOD,
               help="In the selected marks, else in the framed element", order=20,
               words=("pre-annotate selection", "use predictions here"),
               context=(Context.ELEMENT,)),
        Action("adopt-type", "Adopt its blocks of a type…", "Drafts", DraftsController.ask_type,
               keys=("Ctrl+Shift+A",), when=WITH_METHOD, order=30,
               words=("pre-annotate one label", "predictions of one class")),
        Action("begin-drafted", "Begin new pages with drafts", "Drafts",
               DraftsController.toggle_begins, keys=("Ctrl+Alt+A",),
               help="From the current layer, on pages nobody has worked on; for this workspace",
               is_on=lambda now: now.get(DraftsController).begins, order=40,
               words=("pre-annotate automatically", "auto drafts", "start from predictions")),
        Action("learn-drafts", "Learn drafts from what I confirm",
               "Drafts ▸ Learned drafts",
               LearningDrafts.toggle, when=ALWAYS,
               help="New pages begin with them; some pages stay without; for this workspace",
               is_on=lambda now: now.get(LearningDrafts).is_on, order=42,
               words=("adaptive drafts", "personal model", "drafts that learn")),
        Action("adopt-learned", "Adopt learned drafts", "Drafts ▸ Learned drafts",
               LearningDrafts.adopt,
               when=ON_PAGE,
               help="What the shipped models and the pages you confirmed expect on this page",
               order=44, words=("pre-annotate from my marks", "predict my marks")),
        Action("draft-parts", "Draft level-2 blocks", "Drafts",
               DraftsController.draft_parts, keys=("Shift+O",), when=ON_PAGE,
               help="What stands side by side in the level-1 block; again: finer", order=50,
               words=("subdivide block", "propose children", "suggest sub-blocks")),
        Action("confirm", "Confirm mark", "Drafts", DraftsController.confirm, keys=("Y",),
               icon="check", when=WITH_MARK, line=True,
               help="The mark is right where it stands now; goes on to the next to be confirmed",
               order=60,
               words=("accept draft", "approve mark", "verify annotation"),
               context=(Context.BLOCK, Context.BLOCKS, Context.MAIN)),
        Action("confirm-here", "Confirm all drafts in the selection", "Drafts",
               DraftsController.confirm_here, keys=("Alt+Y",), when=UNSURE,
               help="In the selected marks, else in the framed element", order=70,
               words=("accept drafts here", "approve selection")),
        Action("confirm-all", "Confirm all drafts and moved marks in view", "Drafts",
               DraftsController.confirm_all, keys=("Shift+Y",), when=UNSURE, order=80,
               help="Says how many are above and below the view, and shows the next of them",
               words=("accept everything", "approve all drafts", "bulk accept"),
               context=(Context.OUTLINE,)),
        Action("confirm-certain", "Confirm the drafts that are certain", "Drafts",
               DraftsController.confirm_certain, keys=("Ctrl+Shift+Y",), when=UNSURE,
               help="Transferred or learned, 80 % sure, in view; the others stay drafts", order=90,
               words=("accept confident ones", "approve high confidence")),
        Action("unsure-next", "Next mark to confirm", "Drafts", DraftsController.step, (1,),
               keys=("Shift+N",), when=UNSURE, help="A draft, or a mark that moved",
               order=120,
               words=("next draft", "next unconfirmed"),
               context=(Context.OUTLINE,)),
        Action("unsure-previous", "Previous mark to confirm", "Drafts", DraftsController.step,
               (-1,), keys=("Shift+P",), when=UNSURE, order=130,
               words=("previous draft", "previous unconfirmed")),
        Action("next-place", "Next likely position", "Drafts ▸ Checks", DraftsController.next_place,
               keys=("Ctrl+Alt+Y",), when=WITH_MARK, order=135,
               help="Of a mark that moved: where else its text, or something like it, stands",
               words=("relocate annotation", "re-anchor mark", "wrong position")),
        Action("drop-drafts", "Drop all drafts", "Drafts ▸ Drop", DraftsController.drop_all,
               keys=("Shift+Del",),
               icon="delete", when=UNSURE, line=True, help="What is confirmed stays",
               order=140,
               words=("discard drafts", "delete suggestions", "reject all drafts"),
               context=(Context.OUTLINE,)),
        Action("drop-here", "Drop all drafts in the selection", "Drafts ▸ Drop",
               DraftsController.drop_here, keys=("Alt+Del",), when=UNSURE,
               help="In the selected marks, the one under the mouse, or the framed element",
               order=150,
               words=("discard drafts here", "reject drafts in area")),
        Action("drop-alike", "Drop the draft and all similar ones", "Drafts ▸ Drop",
               DraftsController.drop_alike, keys=("Ctrl+Del",), when=UNSURE,
               help="Of its level; what is confirmed stays", order=160,
               words=("discard similar drafts", "reject all like this")),
        Action("draft-share", "Keep pages free of drafts…", "Drafts", DraftsController.ask_share,
               help="A share of the workspace's pages, always the same: for unbiased gold",
               order=290,
               words=("control sample", "unbiased pages", "unassisted share")),
    ),
)  # fmt: skip
