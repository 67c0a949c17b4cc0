"""Evaluates open pages with the workers of the command line, without writing files."""

from collections.abc import Mapping, Sequence

from algorithms.core.batch import measures_of
from algorithms.core.catalogue import method
from annotate.datasets.case_files import PageFiles
from annotate.datasets.site_pages import Siblings
from annotate.evaluation.run.open_pages import dataset_of
from annotate.evaluation.run.plan import Chosen, Plan
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.tables.axes import Column, ListedPage
from annotate.workspace.workspace import Workspace
from engine.document import Document
from gui.core.background_run import jobs
from gui.features.evaluate.run_state import Request


def plan_of(
    request: Request,
    pages: Sequence[ListedPage],
    documents: Sequence[Document],
    workspace: Workspace,
    given: Mapping[str, PageFiles],
) -> Plan:
    """Return the plan of an evaluation; reads the workspace, so on the window's thread.

    ``given`` gives by page key the location of gold that comes with a page.
    """
    named = [(pages[row].name, documents[row]) for row in request.pages]
    of_sites = any(method(column.method).reads_site for column in request.columns)
    known = Siblings(documents, given) if of_sites else None
    dataset = dataset_of(
        pages[0].dataset, named, workspace, given, known.of if known else lambda _document: ()
    )
    return Plan(
        (dataset,),
        tuple(map(_chosen, request.columns)),
        measures_of("all,predicted"),
        options=EvaluationOptions(jobs=jobs(len(named))),
        left_out=frozenset((pages[row].name, column.method) for row, column in request.left_out),
    )


def _chosen(column: Column) -> Chosen:
    entry = method(column.method)
    return Chosen(entry, entry.params(**column.values), input=column.input)
