"""The process that audits gold: reads a page, and renders it where its gold are marks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from annotate.datasets.case_files import PageFiles
from annotate.evaluation.auditing import AuditedPart, gold_texts, read_page
from engine.errors import PageletError
from engine.processes.worker_process import Handler, Send
from engine.web.worker_browser import LateBrowser


@dataclass(frozen=True)
class AuditOrder:
    """A page to be read: its key, and where it and its gold are."""

    page: str
    files: PageFiles


@dataclass(frozen=True)
class AuditAnswer:
    """What came of it.

    Attributes:
        page: Its key.
        parts: What is contradicted; None where it has no gold text.
        trouble: Why it could not be read, or "".
    """

    page: str
    parts: tuple[AuditedPart, ...] | None
    trouble: str = ""


@contextmanager
def audit_worker(_: Send) -> Iterator[Handler]:
    """Answer an `AuditOrder` by an `AuditAnswer`."""
    with LateBrowser() as browser:

        def audit(order: AuditOrder) -> AuditAnswer:
            try:
                gold = gold_texts(order.files, browser)
            except PageletError as error:
                return AuditAnswer(order.page, None, str(error))
            if gold is None:
                return AuditAnswer(order.page, None)
            return AuditAnswer(order.page, tuple(read_page("", order.page, gold).parts))

        yield audit
