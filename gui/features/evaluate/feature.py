"""Evaluate: the scores of all methods on all open pages."""

from functools import partial

from annotate.datasets.case_files import PageFiles
from annotate.evaluation.run import open_pages
from annotate.evaluation.run.runner import carry_out
from engine.document import Document
from gui.core.action import Action, Context
from gui.core.background_run import BackgroundWork
from gui.core.feature import Feature, ViewRow
from gui.core.main_area import MainArea, Where
from gui.core.when import WITH_DOCUMENT, showing
from gui.core.workbench import Workbench
from gui.features.evaluate.controller import BundleWriter, EvaluationController
from gui.features.evaluate.gold_lookup import GoldLookup
from gui.features.evaluate.run_state import Request, plan_of
from gui.features.evaluate.run_store import WindowRuns
from gui.features.evaluate.view import EvaluateView

IN_TABLE = showing(EvaluateView, "open the Evaluate view first (F8)", "evaluate")


def _table(workbench: Workbench) -> EvaluateView:
    session, workspace = workbench.session, workbench.workspace
    main_area, gold = workbench.main_area, workbench.get(GoldLookup)

    def work(request: Request) -> BackgroundWork:
        pages = table.model.shown.table.pages
        plan = plan_of(request, pages, session.documents, workspace, session.files)
        return partial(carry_out, plan)

    def files_of(document: Document) -> PageFiles:
        return open_pages.files_of(document, workspace, session.files)

    store = WindowRuns(session, workspace)
    table = EvaluateView(session, workbench.navigation, work, store, files_of, main_area.stack)
    if gold.facts:
        table.set_gold(gold.facts)
    gold.found.connect(table.set_gold)
    table.asked_gold.connect(gold.count)
    table.left.connect(main_area.show_page)
    table.errors_asked.connect(lambda _: workbench.requests.task.emit("debug"))
    table.errors_asked.connect(workbench.requests.errors)
    table.asked.connect(main_area.asked)
    table.progress_changed.connect(partial(main_area.progressed.emit, "evaluate"))
    return table


FEATURE = Feature(
    "evaluate",
    guide="evaluate.md",
    controllers=(GoldLookup, EvaluationController, BundleWriter),
    views=(ViewRow(EvaluateView, _table, Where.TABLE),),
    actions=(
        Action("evaluate", "All pages × methods", "Evaluate", MainArea.toggle, (EvaluateView,),
               ("F8",), icon="evaluate",
               help="Scores of the methods on all open pages; again: back to the page", order=10,
               words=("benchmark", "score table", "compare methods", "experiment")),
        Action("evaluate-run", "Run what is missing", "Evaluate", EvaluationController.run,
               keys=("Shift+F8",), when=WITH_DOCUMENT,
               help="Runs new, changed and unfinished methods", order=20,
               words=("start evaluation", "compute scores", "continue benchmark"),
               context=(Context.SCORE,)),
        Action("evaluate-all", "Run all again", "Evaluate", EvaluateView.run_all, when=IN_TABLE,
               order=30,
               words=("rerun benchmark", "recompute scores")),
        Action("evaluate-open", "Open the page with this method and its errors", "Evaluate",
               EvaluateView.open_current, when=IN_TABLE, help="As Enter and a click do", order=35,
               context=(Context.SCORE,),
               words=("open cell", "errors of this score")),
        Action("evaluate-inspector", "Inspector of the score", "Evaluate",
               EvaluateView.toggle_inspector, keys=("I",), where=Where.TABLE, when=IN_TABLE,
               help="The page with its errors, all methods on it, all pages of one method",
               order=36,
               words=("picture of the page", "details of the score", "side panel")),
        Action("evaluate-worst", "Next page that is not robust", "Evaluate",
               EvaluationController.show_next_worst, when=WITH_DOCUMENT, keys=("Ctrl+Alt+H",),
               help="Of results of pagelet evaluate --perturb, worst first: opens the page with "
                    "what the method keeps otherwise after a harmless change",
               order=37,
               words=("robustness", "perturbation", "fragile methods", "worst cases")),
        Action("evaluate-methods", "Choose methods…", "Evaluate", EvaluateView.choose_methods,
               keys=("Alt+Shift+M",), where=Where.TABLE, when=IN_TABLE, line=True, order=40,
               words=("pick algorithms", "select columns of methods"),
               context=(Context.SCORE,)),
        Action("evaluate-measure", "Choose a measure…", "Evaluate", EvaluateView.choose_measure,
               keys=("Ctrl+Shift+M",), where=Where.TABLE, when=IN_TABLE,
               help="Each with what it measures", order=50,
               words=("select metric", "change score", "pick f1"),
               context=(Context.SCORE,)),
        Action("evaluate-sort", "Order pages by this column", "Evaluate",
               EvaluateView.sort_by_current,
               keys=("Alt+S",), where=Where.TABLE, when=IN_TABLE, line=True, order=60,
               words=("sort table", "rank pages", "worst pages first"),
               context=(Context.SCORE,)),
        Action("evaluate-compare", "Compare this method with another", "Evaluate",
               EvaluateView.compare_current, keys=("Alt+C",), where=Where.TABLE, when=IN_TABLE,
               help="Choose one, then the other; again: back to all", order=70,
               words=("significance test", "wilcoxon", "method against method"),
               context=(Context.SCORE,)),
        Action("evaluate-only", "Only such pages", "Evaluate", EvaluateView.list_alike,
               where=Where.TABLE, when=IN_TABLE, order=72,
               help="Where this method ends as here, or scores in the same tenth",
               words=("filter by this score", "pages with this status"),
               context=(Context.SCORE,)),
        Action("evaluate-not", "Not these", "Evaluate", EvaluateView.list_others,
               where=Where.TABLE, when=IN_TABLE, order=74,
               help="All pages but those where this method ends or scores as here",
               words=("filter out this score", "exclude this status"),
               context=(Context.SCORE,)),
        Action("evaluate-tag", "Tag the pages…", "Evaluate", EvaluationController.tag,
               where=Where.TABLE, when=IN_TABLE, order=76,
               help="Adds a word of your own to the pages of the selected scores, or removes it",
               words=("label pages", "add tag to selected pages", "remove tag of pages"),
               context=(Context.SCORE,)),
        Action("evaluate-copy", "Copy the selected scores", "Evaluate", EvaluateView.copy,
               keys=("Ctrl+C",), where=Where.TABLE, when=IN_TABLE, icon="copy", order=80,
               words=("copy table cells", "scores to clipboard"),
               context=(Context.SCORE,)),
        Action("evaluate-export", "Save the table as CSV…", "Evaluate", EvaluateView.export,
               keys=("Ctrl+Shift+S",), where=Where.TABLE, when=IN_TABLE, icon="export",
               order=90,
               words=("export spreadsheet", "save excel table", "export csv"),
               context=(Context.SCORE,)),
        Action("evaluate-bundle", "Save as web pages…", "Evaluate", BundleWriter.ask,
               keys=("Alt+B",), where=Where.TABLE, when=IN_TABLE,
               help="A folder for those without Pagelet: methods, pages, layers to switch",
               order=100,
               words=("publish results", "export website", "share results"),
               context=(Context.SCORE,)),
    ),
)  # fmt: skip
