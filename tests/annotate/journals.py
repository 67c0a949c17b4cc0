"""Make journals and logs beside a workspace: its own, another file's, or damaged ones."""

import os
import random
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from annotate.marks import edits
from annotate.marks.gold import Target
from annotate.workspace import checksums
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.nodes import NodeTable
from tests.annotate.pages import nodes_of

KEY = "https://example.org/"
SAVES = 8
MAGIC = bytes.fromhex("d9d505f920a163d7")
SECTOR, PAGE = 512, 4096


@cache
def nodes() -> NodeTable:
    """Return the page that is marked."""
    return nodes_of("".join(f"<p>Paragraph {k} of the page</p>" for k in range(40)))


@cache
def states(name: str = "") -> tuple[bytes, ...]:
    """Return the bytes of a workspace after each save of a mark; ``name`` makes another one."""
    result = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "w.pagelet"
        with Workspace.open(path) as workspace:
            workspace.add_pages([Document(KEY + name, KEY + name)])
        for number in range(SAVES):
            mark(path, number, name)
            result.append(path.read_bytes())
    return tuple(result)


def mark(path: Path, number: int, name: str = "") -> None:
    """Open a workspace, save one more mark, and close it."""
    with Workspace.open(path, create=False) as workspace:
        add_mark(workspace, number, name)


def add_mark(workspace: Workspace, number: int, name: str = "") -> None:
    """Save one more mark."""
    gold = workspace.load_gold(KEY + name, nodes())
    gold = edits.add_block(gold, nodes(), [Target(2 + 2 * number)], 1)
    workspace.save_gold(KEY + name, gold, nodes(), "mark")


def pages_of(data: bytes) -> list[bytes]:
    return [data[at : at + PAGE] for at in range(0, len(data), PAGE)]


def journal(before: bytes, after: bytes, salt: int = 0x1234_5678, segments: int = 1) -> bytes:
    """Return the journal that SQLite keeps while it brings a file from one state to another."""
    then, now = pages_of(before), pages_of(after)
    records = [
        number.to_bytes(4, "big") + page + checksum(page, salt).to_bytes(4, "big")
        for number, page in enumerate(then, 1)
        if number > len(now) or page != now[number - 1]
    ]
    result = b""
    for part in range(segments):
        mine = records[part::segments]
        result += header(len(mine), len(then), salt) + b"".join(mine)
        result += bytes(-len(result) % SECTOR if part < segments - 1 else 0)
    return result


def header(records: int, pages: int, salt: int = 0, page_size: int = PAGE) -> bytes:
    """Return the first sector of a journal."""
    numbers = b"".join(n.to_bytes(4, "big") for n in (records, salt, pages, SECTOR, page_size))
    return (MAGIC + numbers).ljust(SECTOR, b"\0")


def checksum(page: bytes, salt: int) -> int:
    return (salt + sum(page[len(page) - 200 : 0 : -200])) & 0xFFFFFFFF


def naming(journal: bytes, victim: Path) -> bytes:
    """Return a journal that names a file to be deleted, a "super-journal"."""
    name = os.fsencode(victim.absolute())
    total = sum(name) & 0xFFFFFFFF
    tail = len(name).to_bytes(4, "big") + total.to_bytes(4, "big") + MAGIC
    return journal + b"\0\0\0\0" + name + tail


def torn(before: bytes, after: bytes, written: int) -> bytes:
    """Return a file of which only so many of a save's pages were written when it was killed."""
    then, now = pages_of(before), pages_of(after)
    changed = [k for k, page in enumerate(now) if k >= len(then) or page != then[k]]
    result = [*then, *(bytes(PAGE) for _ in now[len(then) :])]
    for k in changed[:written]:
        result[k] = now[k]
    last = max([len(then), *(k + 1 for k in changed[:written])])
    return b"".join(result[:last])


def hot_journal(folder: Path) -> bytes:
    """Return a journal that SQLite itself wrote for some other database, and did not end."""
    path = folder / "other.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous = OFF")
        db.execute("CREATE TABLE t (a)")
        db.executemany("INSERT INTO t VALUES (?)", [(str(k) * 50,) for k in range(900)])
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN")
        db.execute("UPDATE t SET a = a || 'x'")
        data = Path(f"{path}-journal").read_bytes()
        db.execute("ROLLBACK")
    path.unlink()
    return data


def with_log(data: bytes, title: str = "in the log") -> tuple[bytes, bytes]:
    """Return a workspace that is written to through a log, as by 0.2, and a log with a title."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "w.pagelet"
        path.write_bytes(data)
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA wal_autocheckpoint = 0")
            checksums.register(db)
            db.execute("UPDATE pages SET title = ?", (title,))
            db.executescript(checksums.fill())
            return path.read_bytes(), Path(f"{path}-wal").read_bytes()


NO_FILES: dict[str, Callable[[Path, Path], None]] = {
    "a pipe": lambda path, victim: os.mkfifo(path),
    "a link": lambda path, victim: path.symlink_to(victim),
    "a link to nothing": lambda path, victim: path.symlink_to(victim.with_name("nothing")),
    "a link to a folder": lambda path, victim: path.symlink_to(victim.parent),
    "a second name": lambda path, victim: os.link(victim, path),
    "a folder": lambda path, victim: path.mkdir(),
    "a socket": lambda path, victim: _listen(path),
    "a device": lambda path, victim: path.symlink_to("/dev/zero"),
}
"""What may lie there in place of a file → what makes it, given its path and a file elsewhere."""


def _listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(path.parent)  # such a name has a hundred letters at most
        try:
            made.bind(path.name)
        finally:
            os.chdir(here)


def changes(path: Path) -> set[tuple[object, ...]]:
    """Return the changes in a file as it is, whatever lies beside it; empty where it is damaged."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            asked = "SELECT key, changes.revision, delta FROM changes JOIN pages ON page = pages.id"
            return set(db.execute(asked))
    except sqlite3.Error:
        return set()


def saved(data: bytes) -> set[tuple[object, ...]]:
    """Return the changes in the bytes of a workspace."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "w.pagelet"
        path.write_bytes(data)
        return changes(path)


def shuffled(dice: random.Random, data: bytes) -> bytes:
    """Return the bytes with some turned, cut off or put in between."""
    result = bytearray(data)
    for _ in range(dice.choice((1, 2, 9))):
        at = min(dice.choice((dice.randrange(28), dice.randrange(len(result)))), len(result) - 1)
        match dice.randrange(4):
            case 0:
                result[at] = dice.randrange(256)
            case 1:
                del result[max(1, at) :]
            case 2:
                result[at:at] = dice.randbytes(dice.choice((1, 8, 512)))
            case _:
                result[at : at + 4] = dice.choice((0, 1, 2**31, 2**32 - 1)).to_bytes(4, "big")
    return bytes(result)
