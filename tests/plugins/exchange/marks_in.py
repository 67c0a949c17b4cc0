"""Balance of a file of marks: found = taken + to be confirmed + lost + passed over = rows stored.

What is stored is read from the workspace's SQLite file, without Pagelet's store; what the file
holds is counted by `mark_peers`, without Pagelet's readers.
"""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from html import escape
from pathlib import Path

from annotate.marks.gold import Gold
from annotate.plugins.exchange.imports import MarkFile, fresh_marks, recognise_format
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.page import Page
from tests.annotate.pages import page_of
from tests.oracles.mark_peers import NOTES, bare


@dataclass(frozen=True)
class Said:
    """What an import says of a file, as its JSON has it."""

    found: int
    taken: int
    moved: int
    lost: dict[str, int]
    passed: dict[str, int]

    @classmethod
    def of(cls, account: dict) -> "Said":
        return cls(*(account[key] for key in ("found", "taken", "moved", "lost", "passed over")))

    @property
    def marks(self) -> int:
        """How many marks it finds, without what only says that something has none."""
        return self.found - sum(self.passed.get(note, 0) for note in NOTES)


def stored(workspace: Path) -> list[dict]:
    """Return the records of all marks in a workspace, by SQLite alone."""
    if not workspace.exists():
        return []
    with closing(sqlite3.connect(f"file:{workspace}?mode=ro", uri=True)) as file:
        rows = file.execute("SELECT record FROM marks ORDER BY page, place").fetchall()
    return [json.loads(record) for (record,) in rows]


def problems(said: Said, new: list[dict], peer: int | None, stated: list[str] | None) -> list[str]:
    """Return a sentence for each way in which what is said, stored and in the file differ.

    Args:
        said: By the import.
        new: The records that it stored.
        peer: How many marks the file holds; None if nobody else counts them.
        stated: The words that the file says its marks have; None if it says none.
    """
    result = []
    parts = said.taken + said.moved + sum(said.lost.values()) + sum(said.passed.values())
    if parts != said.found:
        result.append(f"{said.found} found, {parts} accounted for")
    if said.taken + said.moved != len(new):
        result.append(f"{said.taken + said.moved} taken or to be confirmed, {len(new)} stored")
    if sum(bool(record.get("moved")) for record in new) != said.moved:
        result.append(f"{said.moved} to be confirmed, others are stored so")
    if peer is not None and said.marks != peer:
        result.append(f"{said.marks} found, a peer counts {peer}")
    if stated is not None:
        gold = Counter(words_of(record) for record in new if not record.get("moved"))
        odd = gold - Counter(map(bare, stated))
        result += [f"gold {words!r}, which the file does not state" for words in odd]
    return result


def words_of(record: dict) -> str:
    """Return the words a record stands on, without white space and unseen signs."""
    return bare("".join(target["quote"] for target in record["targets"]))


def page_with(text: str, url: str = "https://example.org/story.html") -> Page:
    """Return a page that shows the lines of a text, a paragraph each."""
    lines = [line for line in text.replace("\r", "\n").split("\n") if line.strip()]
    return page_of("".join(f"<p>{escape(line, quote=False)}</p>" for line in lines), url)


def bring(file: Path, page: Page, workspace: Path, key: str | None = None) -> Said:
    """Bring all marks of a file, whatever it calls its pages, onto one page; save them."""
    marks = MarkFile(file, key or recognise_format(file))
    document = Document(page.url, page.url)
    account = marks.account
    with Workspace.open(workspace) as opened:
        opened.add_pages([document])
        for name in marks.names:
            result = marks.marks(name, page)
            before = opened.load_gold(page_key(document), page.rendered())
            gold = Gold((*before.marks, *fresh_marks(result, before)))
            opened.save_gold(page_key(document), gold, page.rendered(), "import")
            account.add(result.account)
    return Said.of(account.as_json())
