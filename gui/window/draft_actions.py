"""The actions of drafts: rows of the table in `gui.window.actions`."""

from gui.window.action import Action, Needs

DRAFT_ACTIONS: tuple[Action, ...] = (
    Action("adopt", "Take the current layer over as drafts", "Drafts", "drafting.adopt",
           keys=("Shift+A",), icon="copy", needs=Needs.METHOD,
           help="What the method found, each to be confirmed; no gold before"),
    Action("adopt-here", "Take over what it has in the selection", "Drafts",
           "drafting.adopt_here", keys=("Alt+Shift+A",), needs=Needs.METHOD,
           help="In the selected marks, else in the framed element"),
    Action("adopt-type", "Take over its blocks of a type…", "Drafts", "window.adopt_type",
           keys=("Ctrl+Shift+A",), needs=Needs.METHOD),
    Action("confirm", "Confirm mark", "Drafts", "workbench.confirm_selected", keys=("Y",),
           icon="check", needs=Needs.MARK, line=True,
           help="The mark is right where it stands now; goes on to the next to be confirmed"),
    Action("confirm-here", "Confirm all drafts in the selection", "Drafts",
           "drafting.confirm_here", keys=("Alt+Y",), needs=Needs.UNSURE,
           help="In the selected marks, else in the framed element"),
    Action("confirm-all", "Confirm all drafts and moved marks", "Drafts",
           "drafting.confirm_all", keys=("Shift+Y",), needs=Needs.UNSURE),
    Action("unsure-next", "Next mark to confirm", "Drafts", "drafting.step", (1,),
           keys=("Shift+N",), needs=Needs.UNSURE, help="A draft, or a mark that moved"),
    Action("unsure-previous", "Previous mark to confirm", "Drafts", "drafting.step", (-1,),
           keys=("Shift+P",), needs=Needs.UNSURE),
    Action("drop-drafts", "Drop all drafts", "Drafts", "drafting.drop_all", keys=("Shift+Del",),
           icon="delete", needs=Needs.UNSURE, line=True, help="What is confirmed stays"),
    Action("draft-share", "Keep pages free of drafts…", "Drafts", "window.ask_draft_share",
           help="A share of the workspace's pages, always the same: for unbiased gold"),
)  # fmt: skip
