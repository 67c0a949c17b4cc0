"""Quiz pages: control pages whose known gold is shown once they are marked, and how they went."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from annotate.marks.gold import Gold
from annotate.marks.records import BROKEN, read_json
from annotate.plugins.team_work.feedback import MINE
from annotate.plugins.team_work.review import MarksCompared, compare
from annotate.workspace.annotators import Annotator
from annotate.workspace.store import Store
from annotate.workspace.stored_guideline import put_setting
from annotate.workspace.workspace import Workspace
from engine.nodes import NodeTable
from engine.words import plural

KNOWN = "known gold"
"""What the reference of a quiz is called."""

SETTING = "quiz results"


@dataclass(frozen=True)
class QuizResult:
    """Score of a quiz page, or of several.

    Attributes:
        right: Marks as the known gold has them.
        of: These, and the differences from it.
    """

    right: int
    of: int

    def __str__(self) -> str:
        return f"{self.right} of {self.of} right"


def compare_marks(nodes: NodeTable, mine: Gold, known: Gold) -> tuple[MarksCompared, QuizResult]:
    """Return how one's marks differ from the known gold, and the result."""
    found = compare(nodes, {MINE: mine.sure, KNOWN: known.sure})
    return found, QuizResult(len(found.agreed), len(found.agreed) + len(found.differences))


def is_quiz(store: Store, who: Annotator, key: str) -> bool:
    """Return whether a page is a quiz for an annotator."""
    row = store.one(
        "SELECT control FROM assignments WHERE annotator = ? AND key = ?", who.number, key
    )
    return row is not None and row[0] == 2


def keep_result(workspace: Workspace, key: str, result: QuizResult) -> None:
    """Store a page's first result; later ones are ignored, as the known gold was shown."""
    stored = results_by_page(workspace.store)
    mine = stored.setdefault(workspace.annotator.uid, {})
    if key not in mine:
        mine[key] = [result.right, result.of]
        workspace.set_setting(SETTING, stored)


def results(workspace: Workspace) -> Mapping[str, QuizResult]:
    """Return uid of an annotator → how all his quiz pages went; without those who had none."""
    return {
        uid: QuizResult(*map(sum, zip(*pages.values(), strict=True)))
        for uid, pages in results_by_page(workspace.store).items()
        if pages
    }


def merge_results(target: Store, source: Store) -> None:
    """Add the results of another workspace; to be called within a transaction."""
    if theirs := results_by_page(source):
        mine = results_by_page(target)
        both = {uid: {**pages, **mine.get(uid, {})} for uid, pages in theirs.items()}
        store_results(target, mine | both)


def store_results(store: Store, results: Mapping[str, Mapping[str, Sequence[int]]]) -> None:
    """Write down uid → page → right and of; to be called within a transaction."""
    put_setting(store, SETTING, results)


def results_by_page(store: Store) -> dict[str, dict[str, list[int]]]:
    """Return uid → page → right and of; empty where the stored value is damaged."""
    row = store.one("SELECT value FROM settings WHERE key = ?", SETTING)
    try:
        stored = read_json(row[0]) if row is not None else {}
        return {
            str(uid): {str(key): [int(right), int(of)] for key, (right, of) in pages.items()}
            for uid, pages in stored.items()
        }
    except BROKEN:
        return {}


@dataclass(frozen=True)
class Member:
    """Progress of a team member.

    Attributes:
        name, role: Name and role.
        done, assigned: Pages.
        unsure: Marks flagged as unsure.
        quiz: Result of the quiz pages; None without any.
    """

    name: str
    role: str
    done: int
    assigned: int
    unsure: int
    quiz: QuizResult | None

    def __str__(self) -> str:
        of = f" of {self.assigned}" if self.assigned else ""
        parts = [f"{self.done}{of} {'page' if (self.assigned or self.done) == 1 else 'pages'} done"]
        if self.quiz is not None:
            parts.append(f"quiz {self.quiz}")
        if self.unsure:
            parts.append(f"{plural(self.unsure, 'mark')} unsure")
        return ", ".join(parts)


def members(workspace: Workspace) -> tuple[Member, ...]:
    """Return how far all are who have a name."""
    quiz = results(workspace)
    rows = workspace.rows(
        "SELECT uid, name, role,"
        " (SELECT count(*) FROM pages WHERE annotator = who.id AND status = 'done'),"
        " (SELECT count(*) FROM assignments WHERE annotator = who.id),"
        " (SELECT count(*) FROM marks JOIN pages ON pages.id = marks.page"
        "  WHERE annotator = who.id AND json_extract(record, '$.unsure'))"
        " FROM annotators who WHERE name <> '' ORDER BY id"
    )
    return tuple(
        Member(name, role, done, assigned, unsure, quiz.get(uid))
        for uid, name, role, done, assigned, unsure in rows
    )
