"""Process that predicts: reads a page, and estimates gleaner's score on it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from annotate.evaluation.run.triage import predict_quality, ranks_of, reasons_of
from engine.document import Document
from engine.errors import PageletError
from engine.processes.worker_process import Handler, Send
from gui.state.work_order import WorkRank


@dataclass(frozen=True)
class TriageOrder:
    """Request to read a page, with its key."""

    page: str
    document: Document


@contextmanager
def triage_worker(_: Send) -> Iterator[Handler]:
    """Answer a `TriageOrder` with a `WorkRank`."""

    def triage(order: TriageOrder) -> WorkRank:
        try:
            page = predict_quality(order.page, order.document)
        except PageletError as error:
            return WorkRank(-1.0, str(error))
        ranks, reasons = ranks_of(page.best), reasons_of(page)
        return WorkRank(page.best.f1, page.reason, ranks, reasons)

    yield triage
