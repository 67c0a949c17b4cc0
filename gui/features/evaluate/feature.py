"""Evaluate: the scores of all methods on all open pages."""

from gui.core.action import Action, Where
from gui.core.feature import Feature
from gui.core.when import IN_TABLE
from gui.features.evaluate.bundle_writer import BundleWriter
from gui.features.evaluate.view import EvaluateView

FEATURE = Feature(
    "evaluate",
    guide="evaluate.md",
    actions=(
        Action("evaluate-all", "Run all again", "Evaluate", EvaluateView.run_all, when=IN_TABLE,
               order=30),
        Action("evaluate-methods", "Choose methods…", "Evaluate", EvaluateView.choose_methods,
               keys=("Alt+Shift+M",), where=Where.TABLE, when=IN_TABLE, line=True, order=40),
        Action("evaluate-measure", "Choose a measure…", "Evaluate", EvaluateView.choose_measure,
               keys=("Alt+M",), where=Where.TABLE, when=IN_TABLE,
               help="Each with what it measures", order=50),
        Action("evaluate-sort", "Order pages by this column", "Evaluate",
               EvaluateView.sort_by_current,
               keys=("Alt+S",), where=Where.TABLE, when=IN_TABLE, line=True, order=60),
        Action("evaluate-compare", "Compare this method with another", "Evaluate",
               EvaluateView.compare_current, keys=("Alt+C",), where=Where.TABLE, when=IN_TABLE,
               help="Choose one, then the other; again: back to all", order=70),
        Action("evaluate-copy", "Copy the selected scores", "Evaluate", EvaluateView.copy,
               keys=("Ctrl+C",), where=Where.TABLE, when=IN_TABLE, icon="copy", order=80),
        Action("evaluate-export", "Save the table as CSV…", "Evaluate", EvaluateView.export,
               keys=("Ctrl+Shift+S",), where=Where.TABLE, when=IN_TABLE, icon="export",
               order=90),
        Action("evaluate-bundle", "Save as web pages…", "Evaluate", BundleWriter.ask,
               keys=("Alt+B",), where=Where.TABLE, when=IN_TABLE,
               help="A folder for those without Pagelet: methods, pages, layers to switch",
               order=100),
    ),
)  # fmt: skip
