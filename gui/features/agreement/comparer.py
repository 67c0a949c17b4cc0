"""The process that compares marks: renders a page and finds how far its annotators agree."""

from dataclasses import dataclass
from functools import partial
from multiprocessing import connection
from pathlib import Path
from typing import TYPE_CHECKING

from annotate.team.agreement import page_agreement
from annotate.team.shared_pages import marks_of_annotators
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import PageletError
from engine.web.serving import answer_with_browser
from gui.features.agreement.rows import AgreementRow

if TYPE_CHECKING:
    from engine.web.headless import Browser


@dataclass(frozen=True)
class CompareOrder:
    """A page to be compared.

    Attributes:
        workspace: Where marks are.
        key, name: The page in it, and what to call it.
        document: What to render.
    """

    workspace: Path
    key: str
    name: str
    document: Document


Answer = AgreementRow | PageletError
"""How far they agree, or why that cannot be said."""


def serve(pipe: "connection.Connection[Answer, CompareOrder]") -> None:
    """Answer orders until the pipe closes; the body of a process."""
    answer_with_browser(pipe, lambda browser: partial(_compare, browser))


def _compare(browser: "Browser", order: CompareOrder) -> Answer:
    try:
        page = browser.capture(order.document)
        workspace = Workspace.reading(order.workspace)
        try:
            golds = marks_of_annotators(workspace, order.key, page)
        finally:
            workspace.close()
        return AgreementRow(order.key, order.name, page_agreement(page, golds))
    except PageletError as error:
        return error
