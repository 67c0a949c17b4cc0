"""Rows of the Agreement view, and the process that renders a page and computes its row."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from algorithms.levels import LEVELS
from annotate.plugins.team_work.agreement import (
    AgreementLevel,
    PageAgreement,
    added_confusion,
    mean,
    page_agreement,
)
from annotate.plugins.team_work.shared_pages import marks_of_annotators
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.processes.worker_process import Handler, Send
from engine.web.worker_browser import open_browser

if TYPE_CHECKING:
    from engine.web.headless import Browser


@dataclass(frozen=True)
class AgreementRow:
    """Agreement of the annotators on one page.

    Attributes:
        key, name: Its key in the workspace, and its title.
        agreement: How far its annotators agree.
    """

    key: str
    name: str
    agreement: PageAgreement


def types_of(
    rows: Sequence[AgreementRow], shown: AgreementLevel = "both"
) -> list[tuple[str, int, float]]:
    """Return types with level, number of pages and mean alpha, those most disagreed on first.

    Only types of the shown level are listed; main content has none.
    """
    result: dict[str, list[float]] = {}
    for row in rows:
        for (level, name), values in row.agreement.types.items():
            if shown in ("both", str(level)):
                result.setdefault(f"level {level}, {name}", []).append(values.alpha)
    means = [(name, len(values), mean(values)) for name, values in result.items()]
    return sorted(means, key=lambda each: (np.isnan(each[2]), each[2]))


def find_confused(
    rows: Sequence[AgreementRow], shown: AgreementLevel = "both"
) -> list[tuple[str, str, float]]:
    """Return pairs of types that two annotators gave to one text, with their share of characters.

    The share is of all characters in a block of any annotator; the largest come first.
    """
    result: list[tuple[str, str, float]] = []
    for level in LEVELS:
        if shown in ("both", str(level)):
            table = added_confusion(row.agreement.confusion[level] for row in rows)
            total = sum(table.values())
            result += [(a, b, n / total) for (a, b), n in table.items() if a != b and total > 0]
    return sorted(result, key=lambda each: (-each[2], each))


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
