"""Guideline: definition of a type, beside the page, with examples from gold."""

from annotate.marks.guideline import default
from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, dock_with
from gui.core.when import WITH_MARK, When
from gui.plugins.guidelines.controller import GuidelineController
from gui.plugins.guidelines.mark_fields import MarkFields
from gui.plugins.guidelines.older_pages import OlderPages
from gui.plugins.guidelines.panel import GuidelineDock
from gui.plugins.guidelines.retyper import Retyper
from gui.plugins.guidelines.state import GuidelineState

OWN = When(
    "this workspace has no guideline of its own",
    lambda now: now.session.get(GuidelineState).guideline != default(),
    lambda now: "guideline-own",
)

OLDER = When(
    "no page is marked under an older guideline", lambda now: bool(now.get(OlderPages).found)
)
OLDER_HERE = When(
    "this page is not marked under an older guideline",
    lambda now: now.get(OlderPages).open_page is not None,
)

FEATURE = Feature(
    "guidelines",
    after="checks",
    guide="guideline.md",
    controllers=(OlderPages, GuidelineController, Retyper, MarkFields),
    panels=(
        Panel("guideline", dock_with(GuidelineDock, GuidelineController), "details", GuidelineState,
              toggle=Action("guideline", "Guideline", "Mark ▸ Type", keys=("Shift+F1",),
               section="Type of a block",
               help="What belongs to the type in hand and what does not, with examples",
               order=170, words=("annotation rules", "what belongs to a type", "codebook"),
               context=(Context.BLOCK, Context.BLOCKS))),
    ),
    actions=(
        Action("guideline-own", "Guideline of this project…", "Mark ▸ Guideline",
               GuidelineController.ask, line=True, order=182,
               help="A Markdown file with a heading for each type; stored with the workspace",
               words=("load annotation rules", "own codebook", "import guideline")),
        Action("guideline-folder", "Guideline from a folder…", "Mark ▸ Guideline",
               GuidelineController.ask_folder,
               order=184, help="A Markdown file for each type; stored with the workspace",
               words=("codebook folder", "annotation rules in several files")),
        Action("mark-fields", "Fields of the mark…", "Mark ▸ Guideline", MarkFields.ask,
               keys=("Alt+O",), when=WITH_MARK, order=180, section="Type of a block",
               help="Values that the guideline asks for: text, choice, yes or no, number",
               words=("attributes", "own fields", "properties of the mark"),
               context=(Context.BLOCK, Context.BLOCKS, Context.MAIN)),
        Action("older-pages", "Pages of an older guideline…", "Mark ▸ Guideline", OlderPages.ask,
               when=OLDER, order=187, line=True,
               help="Pages marked under another version; the search of Pages finds them, too",
               words=("outdated guideline", "marks of an old version", "guideline version")),
        Action("confirm-guideline", "Confirm this page under the present guideline",
               "Mark ▸ Guideline", OlderPages.confirm, when=OLDER_HERE, order=188,
               help="Its marks follow the present version; undo takes it back",
               words=("accept under new guideline", "guideline checked", "marks still valid")),
        Action("confirm-guideline-listed", "Confirm all listed pages under it",
               "Mark ▸ Guideline", OlderPages.confirm_listed, when=OLDER, order=189,
               help="All pages that the list of pages shows; undo takes it back",
               words=("accept all under new guideline", "confirm many pages", "all still valid")),
        Action("rename-type", "Rename a type everywhere…", "Mark ▸ Guideline", Retyper.ask,
               order=190, line=True,
               help="All marks of the workspace, the guideline and the letters follow; an existing "
               "name joins both; one undo takes it back",
               words=("merge types", "join labels", "rename label", "change class name")),
        Action("guideline-drop", "Pagelet's own guideline again", "Mark ▸ Guideline",
               GuidelineController.drop,
               when=OWN, order=186, help="The project's is removed from the workspace",
               words=("default annotation rules", "remove project guideline")),
    ),
)  # fmt: skip
