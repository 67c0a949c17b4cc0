"""Search of pages without opening them: types, comments, scores.

A query is words, all of which must occur, and conditions such as ``score<.5``: the mean F1 (or
other first measure) of the runs kept with the workspace.
"""

import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass

from annotate.workspace.annotators import Role
from annotate.workspace.workspace import Workspace

_CONDITION = re.compile(r"score\s*(<=|>=|<|>)\s*(\d*\.?\d+)", re.IGNORECASE)
_SIGNS = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}


@dataclass(frozen=True)
class PageClues:
    """Known data of a page.

    Attributes:
        words: Types of its marks and texts of its comments, in lower case.
        score: Mean of its runs' first measures; None where none was kept.
        unsure: Number of its marks flagged as unsure.
    """

    words: str = ""
    score: float | None = None
    unsure: int = 0


NO_FACTS = PageClues()


@dataclass(frozen=True)
class Query:
    """Search query: words, in lower case, and signs and numbers that a score is held to."""

    words: tuple[str, ...] = ()
    conditions: tuple[tuple[str, float], ...] = ()

    def finds(self, text: str, score: float | None) -> bool:
        """Return whether a page with this lower-case text and score matches."""
        if not all(word in text for word in self.words):
            return False
        return all(score is not None and _SIGNS[s](score, n) for s, n in self.conditions)


def query_of(typed: str) -> Query:
    """Return the parsed query."""
    conditions = tuple((sign, float(number)) for sign, number in _CONDITION.findall(typed))
    return Query(tuple(_CONDITION.sub(" ", typed).casefold().split()), conditions)


def facts_of_pages(workspace: Workspace) -> Mapping[str, PageClues]:
    """Return what a workspace knows of its pages, by their keys; `WorkspaceError` if it cannot."""
    store = workspace.store
    words: dict[str, list[str]] = {}
    for key, kinds in workspace.marked().items():
        words.setdefault(key, []).extend(sorted(kind for _, kind in kinds if kind))
    for key, text in store.all(
        "SELECT key, text FROM comments JOIN pages ON pages.id = comments.page"
    ):
        words.setdefault(key, []).append(text)
    unsure = unsure_marks(workspace)
    for key in unsure:
        words.setdefault(key, []).append("unsure")
    scores = dict(
        store.all(
            "SELECT key, avg(coalesce(value, 0)) FROM runs JOIN scores ON run = runs.id"
            " JOIN pages ON pages.id = runs.page WHERE scores.place = 0 GROUP BY key"
        )
    )
    return {
        key: PageClues(" ".join(words.get(key, ())).casefold(), scores.get(key), unsure.get(key, 0))
        for key in words.keys() | scores.keys()
    }


def unsure_marks(workspace: Workspace) -> dict[str, int]:
    """Return how many marks are unsure by page: an annotator's own, for a reviewer all."""
    who = workspace.annotator
    rows = workspace.store.all(
        "SELECT key, count(*) FROM marks JOIN pages ON pages.id = marks.page"
        " WHERE (? OR annotator = ?) AND json_extract(record, '$.unsure') AND"
        " json_extract(record, '$.draft') IS NULL GROUP BY key",
        *(who.role is Role.REVIEWER, who.number),
    )
    return dict(rows)
