"""Evaluates open pages with the workers of the command line, without writing anything."""

import os
from collections.abc import Callable, Sequence

from algorithms.batch import measures_of
from algorithms.catalogue import method
from annotate.workspace import Workspace
from engine.document import Document
from gui.evaluation.plan import Chosen, Plan
from gui.evaluation.run import carry_out
from gui.matrix.cases import dataset_of
from gui.matrix.running import Request, Watcher
from gui.matrix.scores import Column, Page

MOST_JOBS = 6
"""Each worker has a browser of its own: some 300 MB."""


def plan_of(
    request: Request, pages: Sequence[Page], documents: Sequence[Document], workspace: Workspace
) -> Plan:
    """Return what to carry out; reads the workspace, so on the window's thread."""
    named = [(pages[row].name, documents[row]) for row in request.pages]
    dataset = dataset_of(pages[0].dataset, named, workspace)
    return Plan(
        (dataset,),
        tuple(map(_chosen, request.columns)),
        measures_of("all"),
        jobs=jobs(len(named)),
    )


def jobs(pages: int) -> int:
    """Return how many workers to start: all processors but one, which is the window's."""
    return max(1, min((os.cpu_count() or 2) - 1, MOST_JOBS, pages))


def task_of(plan: Plan) -> Callable[[Watcher], None]:
    """Return the work for another thread."""

    def work(watcher: Watcher) -> None:
        carry_out(plan, watcher)

    return work


def _chosen(column: Column) -> Chosen:
    entry = method(column.method)
    return Chosen(entry, entry.params(**column.values), input=column.input)
