"""Process that compares marks: renders a page and computes its annotators' agreement."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from annotate.plugins.team_work.agreement import page_agreement
from annotate.plugins.team_work.shared_pages import marks_of_annotators
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.processes.worker_process import Handler, Send
from engine.web.worker_browser import open_browser
from gui.plugins.team_work.agreement.rows import AgreementRow

if TYPE_CHECKING:
    from engine.web.headless import Browser


@dataclass(frozen=True)
class CompareOrder:
    """Request to compare the marks of a workspace on a page."""

    workspace: Path
    key: str
    name: str
    document: Document


@contextmanager
def compare_worker(_: Send) -> Iterator[Handler]:
    """Answer a `CompareOrder` with the agreement of the page's annotators."""
    with open_browser() as browser:
        yield partial(_compare, browser)


def _compare(browser: "Browser", order: CompareOrder) -> AgreementRow:
    page = browser.capture(order.document)
    with Workspace.reading(order.workspace) as workspace:
        golds = marks_of_annotators(workspace, order.key, page)
    return AgreementRow(order.key, order.name, page_agreement(page, golds))
