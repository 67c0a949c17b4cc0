"""Workspaces in a team folder, and their contents regardless of row numbers."""

import sqlite3
from contextlib import closing
from pathlib import Path

from annotate.marks import edits
from annotate.marks.gold import Target
from annotate.plugins.team_folder.membership import join
from annotate.plugins.team_folder.sync import Synced, TeamFolder
from annotate.workspace.workspace import Workspace
from engine.document import Document
from tests.annotate.pages import nodes_of, row_of

NODES = nodes_of("<h1>Harbour</h1><p id=a>A ferry</p><p id=b>comes <b>back</b></p>")
KEYS = ("https://example.org/ferry", "https://example.org/mill", "https://example.org/quay")
FERRY, MILL, QUAY = KEYS


def member(folder: Path, path: Path, name: str) -> Path:
    """Make a workspace whose annotator works in a team folder."""
    with Workspace.open(path) as workspace:
        workspace.add_pages([Document(key, key) for key in KEYS])
        join(workspace, folder, name)
    return path


def mark(path: Path, key: str, name: str, kind: str = "") -> None:
    with Workspace.open(path) as workspace:
        gold = workspace.load_gold(key, NODES)
        gold = edits.add_block(gold, NODES, [Target(row_of(NODES, name))], 1, kind)
        workspace.save_gold(key, gold, NODES, f"mark {name}")


def sync(path: Path, *, folder: Path | None = None) -> Synced:
    """Synchronise a workspace with its folder, as a newly started program does."""
    with TeamFolder.opened(path) as team:
        if folder is not None:
            assert team._logs.folder == folder
        return team.sync()


def accept(path: Path) -> Synced:
    """Accept every device that writes as the annotator of a workspace, and synchronise."""
    with TeamFolder.opened(path) as team:
        for held in team.sync().held:
            if held.is_mine:
                team.answer(held.voice, is_accepted=True)
        return team.sync()


def contents(path: Path) -> dict:
    """Return the rows of each table, equal in all workspaces that have read the same logs."""
    sheets = "pages JOIN annotators ON annotators.id = annotator"
    on_sheet = "JOIN pages ON pages.id = page JOIN annotators ON annotators.id = annotator"
    asked = {
        "people": "SELECT uid, name, role FROM annotators",
        "pages": f"SELECT uid, key, status, revision, title FROM {sheets}"
        " WHERE revision > 0 OR status <> 'open'",
        "marks": f"SELECT uid, key, marks.id, record FROM marks {on_sheet}",
        "changes": "SELECT uid, key, changes.revision, made, what, step, delta"
        f" FROM changes {on_sheet}",
        "comments": "SELECT comments.id, annotators.uid, key, sayer.uid, mark, made, kind, text,"
        f" answers, settled FROM comments {on_sheet}"
        " JOIN annotators AS sayer ON sayer.id = author",
        "assignments": "SELECT uid, key, assignments.place, control FROM assignments"
        " JOIN annotators ON annotators.id = annotator",
        "decisions": f"SELECT uid, key, item, choice FROM decisions {on_sheet}",
    }
    with closing(sqlite3.connect(path)) as db:
        return {name: sorted(db.execute(sql).fetchall()) for name, sql in asked.items()}


def logs(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.pagelet-log"))


def replace_with(path: Path, data: bytes) -> None:
    """Write a file as programs that copy folders do: a temporary file, then renamed."""
    beside = path.with_name(f".{path.name}.tmp")
    beside.write_bytes(data)
    beside.replace(path)


def types(path, key=FERRY):
    """Return the types of all marks on a page by the names of their annotators."""
    with Workspace.open(path) as workspace:
        return {
            who.name: [each.type for each in gold.marks]
            for who, gold in workspace.golds(key, NODES).items()
        }
