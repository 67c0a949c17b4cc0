"""Files nobody would write: packages, workspaces, settings, results and gold, whole and damaged.

The same seed gives the same file.
"""

import io
import json
import random
import sqlite3
import zipfile
from contextlib import closing, suppress
from pathlib import Path

from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.nodes import NodeTable
from tests.annotate.pages import nodes_of
from tests.fuzz.documents import VALUES, WORDS, document

ODD: tuple[object, ...] = (
    None, True, 0, -1, 1e308, float("nan"), float("inf"), 10**400, "", "x", "\0", "\ud800", [], {},
    [[]], {"a": {}}, "../../x", "/etc/passwd", "=1+1", "\x1b[2J", ["a", 1], "x" * 10_000,
)  # fmt: skip
KEYS = [f"https://example.org/{n}" for n in range(8)]


def odd(dice: random.Random) -> object:
    """Return a value that is seldom meant."""
    if dice.random() < 0.1:
        result: object = dice.choice(ODD)
        for _ in range(dice.choice((1, 5, 300, 1_200))):
            result = [result] if dice.random() < 0.5 else {"a": result}
        return result
    return dice.choice(ODD)


def as_json(dice: random.Random, value: object) -> bytes:
    """Return a value as JSON, some of it replaced by odd ones, some of its bytes turned."""
    with suppress(RecursionError):
        return turned(dice, json.dumps(_with_odd(dice, value)).encode("utf-8", "replace"), 0.2)
    return b"[" * 100_000


def _with_odd(dice: random.Random, value: object) -> object:
    if dice.random() < 0.06:
        return odd(dice)
    if isinstance(value, dict):
        return {k: _with_odd(dice, v) for k, v in value.items() if dice.random() > 0.03}
    return [_with_odd(dice, each) for each in value] if isinstance(value, list) else value


def turned(dice: random.Random, data: bytes, chance: float = 0.5, start: int = 0) -> bytes:
    """Return bytes of which, by chance, some are turned, cut off or doubled."""
    if dice.random() > chance or len(data) <= start + 1:
        return data
    changed = bytearray(data)
    for _ in range(dice.choice((1, 3, 20))):
        changed[dice.randrange(start, len(changed))] = dice.randrange(256)
    if dice.random() < 0.3:
        del changed[dice.randrange(start, len(changed)) :]
    if dice.random() < 0.1:
        changed.extend(bytes(changed))
    return bytes(changed)


def package(seed: int, folder: Path) -> Path:
    """Write a package of documents with texts and metadata."""
    dice = random.Random(f"package {seed}")
    path = folder / "package.zip"
    buffer = io.BytesIO()
    methods = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    with zipfile.ZipFile(buffer, "w", dice.choice(methods)) as archive:
        names = dice.choices(
            ("a", "b", "sub/c", "../d", "/e", "f\x1b[2J", "ü", "g" * 200, "."), k=3
        )
        for name in names:
            about = {"url": dice.choice(VALUES), "title": "x", "encoding": dice.choice(VALUES)}
            members = {
                "html": document(dice.randrange(10**6)).data[:20_000],
                "txt": " ".join(dice.choices(WORDS, k=9)).encode("utf-8", "replace"),
                dice.choice(("json", "properties", "xml", "meta")): as_json(dice, about),
            }
            for suffix, data in members.items():
                if dice.random() < 0.9:
                    _add(archive, f"{name}.{suffix}", data)
        documents = [{"name": name, "title": "t"} for name in names]
        if dice.random() < 0.7:
            _add(archive, "package.json", as_json(dice, {"name": "n", "documents": documents}))
        if dice.random() < 0.1:
            _add(archive, "bomb.html", bytes(30_000_000))
    path.write_bytes(turned(dice, buffer.getvalue()))
    return path


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    with suppress(ValueError):  # as of a name with a NUL
        archive.writestr(zipfile.ZipInfo(name), data)


def nodes() -> NodeTable:
    """Return the page that the marks of `workspace` are on."""
    return nodes_of("<h1>Harbour</h1><p>A ferry</p><p>comes <b>back</b></p>")


def workspace(seed: int, folder: Path) -> Path:
    """Write a workspace with some marks, and damage it."""
    dice = random.Random(f"workspace {seed}")
    path = folder / "marks.pagelet"
    page = nodes()
    with Workspace.open(path) as made:
        made.add_pages([Document(key, key) for key in KEYS])
        for key in KEYS:
            gold = edits.add_block(Gold(), page, [Target(2)], 1)
            made.save_gold(key, gold, page, "mark")
            made.save_gold(key, edits.add_block(gold, page, [Target(4)], 1), page, "mark")
        made.set_setting("layers", [{"key": "vips", "color": "#ffffff", "dash": "solid"}])
    columns = (
        "pages.key pages.title pages.digest pages.width pages.status pages.revision marks.record "
        "marks.id marks.place changes.delta changes.step settings.value settings.key"
    ).split()
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        for _ in range(dice.choice((0, 1, 2, 6))):
            table, column = dice.choice(columns).split(".")
            old = ""
            with suppress(sqlite3.Error):  # one that was turned before
                (old,) = db.execute(f"SELECT {column} FROM {table} LIMIT 1").fetchone() or ("",)
            new = dice.choice((as_json(dice, odd(dice)), turned(dice, str(old).encode(), 1.0), old))
            kind = dice.choice(("CAST(? AS TEXT)", "?", "CAST(? AS INTEGER)"))
            with suppress(sqlite3.Error):
                where = f"rowid = {dice.randrange(9)}" if table == "pages" else "1"
                db.execute(f"UPDATE {table} SET {column} = {kind} WHERE {where}", (new,))
        db.commit()
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    path.write_bytes(turned(dice, path.read_bytes(), 0.5, 100))
    return path


LAYER = {
    "key": "vips", "color": "#123456", "dash": "solid", "visible": True, "opacity": 0.5, "level": 1,
    "source": "rendered", "params": {"pdoc": 5},
}  # fmt: skip


def layers(seed: int) -> object:
    """Return a setting of layers with odd values."""
    dice = random.Random(f"layers {seed}")
    remaining = [dict(LAYER, key=key) for key in ("vips", "accb", "gold-1", "nothing")]
    try:
        return json.loads(as_json(dice, remaining))
    except (ValueError, RecursionError):
        return remaining


_COMMANDS = (
    "exit 3", "kill -SEGV $$", "kill -STOP $$", "kill -9 $PPID", "setsid sleep 300 & sleep 300",
    "(setsid sleep 300 >/dev/null 2>&1 &); echo harbour", "yes", "yes >&2", "exec 1>&-; sleep 300",
    "printf '\\377 harbour'", "cat", "trap '' TERM; while :; do sleep 1; done", "echo harbour",
    "sh -c 'sleep 300 & sleep 300 & wait' &", "cat >/dev/null; printf '\\033[2J' >&2; exit 1",
)  # fmt: skip


def settings(seed: int, folder: Path) -> Path:
    """Write a ``methods.toml`` of a few commands and proxies."""
    dice = random.Random(f"settings {seed}")
    path = folder / "methods.toml"
    lines = []
    for number in range(dice.choice((1, 1, 2))):
        command = json.dumps(["sh", "-c", dice.choice(_COMMANDS)])
        lines += [f"[command.c{number}]", f"run = {command}", "seconds = 0.4"]
        for name in dice.choices(("name", "answer", "cite", "version", "run", "seconds", "x"), k=1):
            if dice.random() < 0.4:
                lines.append(f"{name} = {_toml(dice)}")
    if dice.random() < 0.5:
        lines += ["[proxy.p]", f"address = {_toml(dice)}", "seconds = 0.3"]
    if dice.random() < 0.3:
        lines += [
            f"[{dice.choice(('readability-js', 'comand', 'command'))}]",
            f"package = {_toml(dice)}",
        ]
    if dice.random() < 0.1:
        lines.append("deep = " + "[" * dice.choice((100, 3_000)))
    text = "\n".join(lines).encode("utf-8", "replace")
    path.write_bytes(turned(dice, text, 0.3))
    return path


def _toml(dice: random.Random) -> str:
    return dice.choice((
        "'127.0.0.1:1'", "'~nobody/x'", "''", "3", "[]", "{}", "nan", "1979-05-27", "'exa mple:1'",
        "['a', 'b']", "['~nobody/run']", '"\\u0000"', '"\\u001b[2J"', "'localhost:99999'", "true",
        "[" * 60 + "]" * 60, "9" * 5_000, "'" + "x" * 5_000 + "'", "['\\0']", "1e400", "'::1'",
    ))  # fmt: skip
