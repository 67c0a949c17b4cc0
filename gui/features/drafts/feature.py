"""Drafts: marks made by a method, to be confirmed."""

from annotate.marks.drafts import unsure
from gui.core.action import Action
from gui.core.feature import Feature
from gui.core.when import ON_PAGE, WITH_MARK, WITH_METHOD, on_page
from gui.features.drafts.controller import Drafting

__all__ = ["FEATURE", "Drafting"]


UNSURE = on_page(
    "there is no draft and no moved mark here",
    lambda now: bool(unsure(now.session.gold)),
    lambda now: "adopt",
)

FEATURE = Feature(
    "drafts",
    guide="drafts.md",
    controllers=(Drafting,),
    actions=(
        Action("suggest-types", "Suggest types for the blocks I mark, or none", "Type",
               Drafting.toggle_types, keys=("Alt+T",), section="Type of a block",
               help="Shown as Menu?; Y confirms one, Shift+Y all, a letter gives another",
               order=40,
               words=("auto label", "guess categories", "predict types")),
        Action("adopt", "Adopt the current layer as drafts", "Drafts", Drafting.adopt,
               keys=("Shift+A",), icon="copy", when=WITH_METHOD,
               help="What the method found, as drafts: gold only when you confirm them", order=10,
               words=("pre-annotate", "use method output", "copy predictions", "prelabel")),
        Action("adopt-here", "Adopt drafts in the selection", "Drafts",
               Drafting.adopt_here, keys=("Alt+Shift+A",), when=WITH_METHOD,
               help="In the selected marks, else in the framed element", order=20,
               words=("pre-annotate selection", "use predictions here")),
        Action("adopt-type", "Adopt its blocks of a type…", "Drafts", Drafting.ask_type,
               keys=("Ctrl+Shift+A",), when=WITH_METHOD, order=30,
               words=("pre-annotate one label", "predictions of one class")),
        Action("begin-drafted", "Begin new pages with drafts, or without", "Drafts",
               Drafting.toggle_begins, keys=("Ctrl+Alt+A",),
               help="From the current layer, on pages nobody has worked on; for this workspace",
               order=40,
               words=("pre-annotate automatically", "auto drafts", "start from predictions")),
        Action("draft-parts", "Draft the parts of the level-1 block; again: finer ones", "Drafts",
               Drafting.draft_parts, keys=("Shift+O",), when=ON_PAGE,
               help="Its level-2 drafts give way to what stands side by side in it", order=50,
               words=("subdivide block", "propose children", "suggest sub-blocks")),
        Action("confirm", "Confirm mark", "Drafts", Drafting.confirm, keys=("Y",),
               icon="check", when=WITH_MARK, line=True,
               help="The mark is right where it stands now; goes on to the next to be confirmed",
               order=60,
               words=("accept draft", "approve mark", "verify annotation")),
        Action("confirm-here", "Confirm all drafts in the selection", "Drafts",
               Drafting.confirm_here, keys=("Alt+Y",), when=UNSURE,
               help="In the selected marks, else in the framed element", order=70,
               words=("accept drafts here", "approve selection")),
        Action("confirm-all", "Confirm all drafts and moved marks", "Drafts",
               Drafting.confirm_all, keys=("Shift+Y",), when=UNSURE, order=80,
               words=("accept everything", "approve all drafts", "bulk accept")),
        Action("confirm-certain", "Confirm the transferred marks that are certain", "Drafts",
               Drafting.confirm_certain, keys=("Ctrl+Shift+Y",), when=UNSURE,
               help="Uncertain ones stay drafts", order=90,
               words=("accept confident ones", "approve high confidence")),
        Action("unsure-next", "Next mark to confirm", "Drafts", Drafting.step, (1,),
               keys=("Shift+N",), when=UNSURE, help="A draft, or a mark that moved",
               order=120,
               words=("next draft", "next unconfirmed")),
        Action("unsure-previous", "Previous mark to confirm", "Drafts", Drafting.step, (-1,),
               keys=("Shift+P",), when=UNSURE, order=130,
               words=("previous draft", "previous unconfirmed")),
        Action("drop-drafts", "Drop all drafts", "Drafts", Drafting.drop_all, keys=("Shift+Del",),
               icon="delete", when=UNSURE, line=True, help="What is confirmed stays",
               order=140,
               words=("discard drafts", "delete suggestions", "reject all drafts")),
        Action("drop-here", "Drop all drafts in the selection", "Drafts", Drafting.drop_here,
               keys=("Alt+Del",), when=UNSURE,
               help="In the selected marks, the one under the mouse, or the framed element",
               order=150,
               words=("discard drafts here", "reject drafts in area")),
        Action("drop-alike", "Drop the draft and all similar ones", "Drafts",
               Drafting.drop_alike, keys=("Ctrl+Del",), when=UNSURE,
               help="Of its level; what is confirmed stays", order=160,
               words=("discard similar drafts", "reject all like this")),
        Action("draft-share", "Keep pages free of drafts…", "Drafts", Drafting.ask_share,
               help="A share of the workspace's pages, always the same: for unbiased gold",
               order=290,
               words=("control sample", "unbiased pages", "unassisted share")),
    ),
)  # fmt: skip
