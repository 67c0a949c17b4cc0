"""Extract: text of a layer with its headings, lists, tables and links, beside the page."""

from gui.core.action import Action, Context
from gui.core.feature import Feature, Panel, dock_of
from gui.core.when import ON_PAGE
from gui.features.extract.panel import ExtractDock

FEATURE = Feature(
    "extract",
    guide="structure.md",
    panels=(
        Panel("extract", dock_of(ExtractDock), "details",
              toggle=Action("extract", "Extract with headings, lists and tables", "Methods ▸ Text",
               keys=("Alt+Shift+U",), when=ON_PAGE, order=72,
               help="What the current layer keeps: rendered, as Markdown or as clean HTML",
               words=("markdown", "clean html", "reader view", "structure of the extract"),
               context=(Context.LAYER,))),
    ),
    actions=(
        Action("extract-form", "Extract as another form", "", ExtractDock.next_form,
               keys=("Ctrl+Alt+E",), when=ON_PAGE, section="Methods",
               help="Rendered, Markdown, HTML",
               words=("switch to markdown", "show html of extract")),
        Action("copy-markdown", "Copy the current layer as Markdown", "Methods ▸ Text",
               ExtractDock.copy_markdown, keys=("Alt+Shift+X",), icon="copy", when=ON_PAGE,
               help="With headings, lists, tables, code and links", order=74,
               words=("copy extract with structure", "markdown to clipboard"),
               context=(Context.LAYER,)),
    ),
)  # fmt: skip
