"""Method editor: a method of one's own beside the page and its scores."""

from annotate.datasets.looking.found import Found
from gui.core.action import Action
from gui.core.feature import Feature, FileStep, Panel, Side
from gui.core.when import When
from gui.core.workbench import Workbench
from gui.plugins.method_editor.controller import MethodEditorController
from gui.plugins.method_editor.panel import MethodEditorDock

WITH_FILE = When(
    "open a method file in the method editor first",
    lambda now: now.get(MethodEditorController).path is not None,
    lambda now: "method-editor",
)


def _open(workbench: Workbench, found: Found) -> None:
    workbench.get(MethodEditorController).open(found.path)


FEATURE = Feature(
    "method_editor",
    after="training",
    guide="own-method.md",
    controllers=(MethodEditorController,),
    panels=(
        Panel(
            "method editor",
            lambda workbench, window: MethodEditorDock(
                workbench.get(MethodEditorController), window
            ),
            Side.BELOW,
        ),
    ),
    file_steps=(FileStep(("method file",), "method", _open),),
    actions=(
        Action("method-editor", "Method editor", "Methods", MethodEditorDock.toggle,
               keys=("Ctrl+Alt+W",), icon="source", line=True, order=140,
               help="Your own method beside the page; saving it runs it on all pages",
               words=("write an extractor", "own algorithm", "edit python code", "code editor")),
        Action("method-new", "New method file…", "Methods ▸ Method file",
               MethodEditorController.ask_new, order=150,
               help="From the template, a method that works",
               words=("new extractor", "method template")),
        Action("method-open", "Open a method file…", "Methods ▸ Method file",
               MethodEditorController.ask_file, order=160,
               words=("edit own method", "open python file")),
        Action("method-save", "Save the method file and run it", "Methods ▸ Method file",
               MethodEditorController.save,
               keys=("Ctrl+S",), when=WITH_FILE, order=170,
               help="On the open page, and on all pages against the version before",
               words=("save code", "run own method")),
    ),
)  # fmt: skip
