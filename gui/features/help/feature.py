"""Help: the documentation in the window."""

from gui.core.action import Action, Context
from gui.core.feature import Feature, ViewRow
from gui.core.when import When
from gui.features.help.controller import HelpController
from gui.features.help.view import HelpView

__all__ = ["FEATURE", "HelpController"]

FAILED = When("nothing has gone wrong", lambda now: bool(now.session.messages.error_report))

FEATURE = Feature(
    "help",
    guide="start.md",
    controllers=(HelpController,),
    views=(ViewRow(HelpView, HelpView),),
    actions=(
        Action("guide", "Documentation", "Help", HelpController.toggle, keys=("F1",), icon="info",
               help="On what has the keyboard; Esc leads back", order=10,
               words=("manual", "help", "user guide"),
               context=(Context.NO_PAGE, Context.PANEL)),
        Action("help-glossary", "Glossary", "Help", HelpController.open, ("glossary.md",),
               help="What the words mean", order=40,
               words=("vocabulary", "terms", "definitions")),
        Action("help-methods", "Methods", "Help", HelpController.open, ("methods.md",), line=True,
               help="Every method, its paper, and where it departs from it", order=50,
               words=("list of algorithms", "papers", "method reference")),
        Action("help-measures", "Measures", "Help", HelpController.open, ("measures.md",),
               help="What is counted, and what a score is where there is nothing to count",
               order=60,
               words=("metrics explained", "measure reference")),
        Action("help-formats", "Formats", "Help", HelpController.open, ("formats.md",),
               help="Data sets that can be read, and files that are written", order=70,
               words=("file formats", "data sets", "supported files")),
        Action("help-changelog", "What is new", "Help", HelpController.open, ("changelog.md",),
               line=True, order=80,
               words=("release notes", "news", "changelog")),
        Action("help-licence", "Licence", "Help", HelpController.open, ("licence.md",), order=90,
               words=("copyright", "terms of use")),
        Action("copy-report", "Copy error report", "Help", HelpController.copy_report,
               when=FAILED, order=95, help="What is known of the last error, for a bug report",
               words=("bug report", "traceback", "crash log")),
        Action("help-about", "About Pagelet", "Help", HelpController.open, ("about.md",),
               help="Versions of Pagelet and of what it runs on", order=100,
               words=("version", "credits", "chromium version")),
    ),
)  # fmt: skip
