"""Logs of a team folder that somebody made up, against what the others did.

    python -m tests.plugins.team_folder.fuzzed_logs [COUNT [SEED]]

prints a table.  Mal may write in the folder and knows what is in it: one field of a record is
turned, a record is put in another's name, a clock is set ahead, bytes are turned, a log is deleted,
a link lies in its place.  Whatever it is, the work of Anna and Ben is as it was in both workspaces,
these can be opened, no other file is touched, and what Anna does next comes to Ben.
"""

import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from annotate.plugins.team_folder.record import SHAPES, LogLine, read
from annotate.plugins.team_work import comments
from annotate.workspace.store import Store
from annotate.workspace.workspace import PageStatus, Workspace
from engine.errors import InputError
from tests.plugins.team_folder.parts import KEYS, contents, logs, mark, member, sync

HARMS = (
    "field", "shape", "name of another", "clock", "number", "bytes", "lines", "head", "claim",
    "link", "hard link", "gone", "cut", "written anew", "kind", "endless", "change", "comment",
)  # fmt: skip
SECONDS = 20.0
_VICTIM = b"alias ll='ls -l'\nthe last line has no end"


@dataclass
class Trial:
    """What came of one seed.

    Attributes:
        harm: What was done.
        said: Notes and held logs of both.
        is_refused: Whether a sync ended with a sentence, since its own log was taken away.
        findings: What is wrong.
    """

    harm: str
    said: int = 0
    is_refused: bool = False
    findings: list[str] = field(default_factory=list)


@cache
def _base() -> Path:
    """Return a folder with the work of Anna, Ben and Mal, who have seen each other's."""
    base = Path(tempfile.mkdtemp(prefix="team-logs-"))
    folder = base / "team"
    folder.mkdir()
    paths = [member(folder, base / f"{name}.pagelet", name) for name in ("Anna", "Ben", "Mal")]
    for path, where in zip(paths, ("h1", "a", "b"), strict=True):
        mark(path, KEYS[0], where, "Title")
        with Workspace.open(path) as workspace:
            comments.add(workspace, KEYS[0], f"of {path.stem}")
            workspace.set_status(KEYS[0], PageStatus.DONE)
        sync(path)
    for path in paths:
        sync(path)
    return base


def trial(seed: int, out: Path) -> Trial:
    """Harm a team folder, sync Anna and Ben with it, and look at what they have."""
    dice = random.Random(seed)
    harm = HARMS[seed % len(HARMS)]
    result = Trial(harm)
    # The same paths for all: a workspace elsewhere would be another device.
    base = _base()
    kept = out / "kept"
    shutil.copytree(base, kept, dirs_exist_ok=True)
    victim = base / "victim.txt"
    victim.write_bytes(_VICTIM)
    begin = time.monotonic()
    try:
        before = {name: _work(base / f"{name}.pagelet") for name in ("Anna", "Ben")}
        _harm(dice, harm, base / "team", victim)
        _sync_all(result, base, before)
        _go_on(result, base)
    except Exception as error:  # noqa: BLE001  (whatever it is, it is a finding)
        result.findings.append(f"{type(error).__name__}: {error}"[:300])
    if victim.read_bytes() != _VICTIM:
        result.findings.append("a file outside the logs was written to")
    if (seconds := time.monotonic() - begin) > SECONDS:
        result.findings.append(f"{seconds:.0f} s")
    shutil.rmtree(base)
    shutil.move(kept, base)
    return result


def _work(path: Path) -> dict[str, Any]:
    """Return what stands in a workspace under the names of Anna and Ben, without their uids."""
    there = contents(path)
    with closing(sqlite3.connect(path)) as db:
        uids = dict(db.execute("SELECT uid, name FROM annotators WHERE name IN ('Anna', 'Ben')"))
    result = {
        name: [row for row in rows if any(value in uids for value in row[:4])]
        for name, rows in there.items()
        if name != "assignments"  # anybody may deal them
    }
    # Whoever may settle a comment, too.
    result["comments"] = [row[:-1] for row in result["comments"] if row[3] in uids]
    return result


def _sync_all(result: Trial, base: Path, before: dict[str, Any]) -> None:
    for name in ("Anna", "Ben", "Anna", "Ben"):
        path = base / f"{name}.pagelet"
        try:
            synced = sync(path)
        except InputError as error:
            result.is_refused = True
            if "move it away" not in str(error):
                result.findings.append(f"{name}: {error}")
            continue
        result.said += len(synced.notes) + len(synced.held)
        store = Store.reading(path, is_deep=True)
        if store.is_partial:
            result.findings.append(f"{name}: {store.damage}")
        store.close()
        if (now := _work(path)) != before[name]:
            changed = [kind for kind in now if now[kind] != before[name][kind]]
            result.findings.append(f"{name}: {changed} of Anna or Ben are others")


def _go_on(result: Trial, base: Path) -> None:
    """Have Anna say something, and look whether it comes to Ben."""
    anna, ben = base / "Anna.pagelet", base / "Ben.pagelet"
    with Workspace.open(anna) as workspace:
        said = comments.add(workspace, KEYS[1], "what comes next")
    try:
        sync(anna)
        sync(ben)
    except InputError:
        result.is_refused = True
        for log in logs(base / "team"):  # as the sentence says
            if log.is_symlink() or log.stat().st_nlink > 1:
                log.unlink()
        sync(anna)
        sync(ben)
    if said not in {row[0] for row in contents(ben)["comments"]}:
        result.findings.append("what Anna said next did not come to Ben")
    for path in (anna, ben, anna, ben):
        sync(path)
    if written := sum(sync(path).written for path in (anna, ben)):
        result.findings.append(f"{written} records are written for ever")


# harms -----------------------------------------------------------------------------------------
def _harm(dice: random.Random, harm: str, folder: Path, victim: Path) -> None:
    log = {path.name.partition("-")[0]: path for path in logs(folder)}
    own, other = log["Mal"], log[dice.choice(("Anna", "Ben"))]
    if harm in ("link", "hard link"):
        other.unlink()
        (os.symlink if harm == "link" else os.link)(victim, other)
    elif harm == "gone":
        other.unlink()
    elif harm == "cut":
        data = other.read_bytes()
        other.write_bytes(data[: dice.randrange(len(data))])
    elif harm == "bytes":
        own.write_bytes(_turned(dice, own.read_bytes()))
    elif harm == "endless":
        lines = dice.choice((b"\0" * 3_000_000, b"{" * 100_000, b'{"number":' + b"[" * 90_000))
        own.write_bytes(own.read_bytes() + lines + dice.choice((b"", b"\n")))
    else:
        records = [read(line) for line in own.read_bytes().splitlines()]
        theirs = [read(line) for line in other.read_bytes().splitlines()]
        _forge(dice, harm, folder, own, records, theirs)


def _turned(dice: random.Random, data: bytes) -> bytes:
    there = bytearray(data)
    for _ in range(dice.randint(1, 20)):
        there[dice.randrange(len(there))] = dice.randrange(256)
    return bytes(there)


def _forge(
    dice: random.Random, harm: str, folder: Path, own: Path, records: list[Any], theirs: list[Any]
) -> None:
    """Write a log that is one, line by line, with something in it that nobody should believe."""
    bodies = [(each.kind, dict(each.body)) for each in records]
    theirs_ = [(each.kind, dict(each.body)) for each in theirs[1:]]
    clocks = [each.clock for each in records]
    path = own
    if harm == "name of another":
        victim_uid = theirs[0].body["uid"]
        for kind, body in [dice.choice(theirs_) for _ in range(dice.randint(1, 6))]:
            bodies.append((kind, _twisted(dice, kind, body, victim_uid)))
    elif harm == "claim":  # a log of its own that says it is another's
        path = folder / dice.choice(
            ("!a.pagelet-log", f"{own.stem} (1).pagelet-log", "z.pagelet-log")
        )
        bodies[0] = ("log", dict(theirs[0].body))
        bodies[0][1]["name"] = dice.choice(
            ("../victim.txt", "/etc/passwd", "C:\\x", own.name, theirs[0].body["name"], path.name)
        )
        if dice.random() < 0.5:
            bodies[0][1]["device"] = "0badc0de"
        bodies += [(kind, _twisted(dice, kind, dict(body), body.get("uid", "x")))
                   for kind, body in theirs_]  # fmt: skip
    elif harm == "head":
        name = dice.choice(tuple(bodies[0][1]))
        bodies[0][1][name] = _odd(dice)
    elif harm == "clock":
        bodies.append(dice.choice(bodies[1:]))
        clocks.append(dice.choice((2**53, 2**52, 2**40, 2**31, clocks[-1] + (1 << 24), 1, 0)))
    elif harm == "lines":
        dice.shuffle(bodies)
    elif harm == "kind":
        bodies.append((dice.choice((*SHAPES, "", "x" * 1000, "log")), dict(bodies[1][1])))
    elif harm in ("change", "comment"):
        _, body = next(each for each in bodies if each[0] == harm)
        name = dice.choice(tuple(body))
        bodies.append((harm, body | {name: dice.choice((_odd(dice), theirs[0].body["uid"]))}))
    elif harm == "written anew":
        bodies = bodies[: dice.randrange(1, len(bodies))] + [
            ("status", {"uid": records[0].body["uid"], "key": KEYS[2], "status": "question"})
        ] * dice.randint(1, 9)
    else:
        kind, body = dice.choice([*bodies[1:], *_MORE])
        body = body | {"uid": records[0].body["uid"]} if "uid" in body else dict(body)
        name = dice.choice(tuple(body))
        if harm == "shape":
            body.pop(name)
        elif harm == "field":
            body[name] = _odd(dice)
        bodies.append((kind, body))
    made: list[LogLine] = []
    for index, (kind, body) in enumerate(bodies):
        clock = clocks[index] if index < len(clocks) else made[-1].clock + 1
        number = index + (dice.choice((-1, 1, 7)) if harm == "number" and index > 2 else 0)
        made.append(LogLine.made(number, clock, made[-1].hash if made else "", kind, body))
    path.write_bytes(b"".join(each.line for each in made))


_MORE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("assigned", {"uid": "x", "name": "", "pages": [[KEYS[0], 0]]}),
    ("quiz", {"uid": "x", "key": KEYS[0], "right": 1, "of": 2}),
    ("guideline", {"name": "g", "pages": [["t", "text"]]}),
    ("decision", {"uid": "x", "key": KEYS[0], "item": "i", "choice": "c"}),
    ("settled", {"id": "0" * 32, "settled": True}),
    ("removed", {"id": "0" * 32}),
    ("accepted", {"uid": "x", "log": "0" * 32, "host": "h", "made": ""}),
)


def _twisted(dice: random.Random, kind: str, body: dict[str, Any], uid: str) -> dict[str, Any]:
    """Return a record of another's with something else in it, still in their name."""
    if "uid" in body:
        body["uid"] = uid
    twists: dict[str, dict[str, Any]] = {
        "status": {"status": dice.choice(("open", "question"))},
        "person": {"name": dice.choice(("Mallory", "x\x1b[31m", "Ben")), "role": "reviewer"},
        "page": {"title": "another", "visited": "2030-01-01T00:00:00+00:00"},
        "comment": {"id": os.urandom(16).hex(), "text": "I agree with Mal"},
    }
    if kind == "comment" and dice.random() < 0.5:
        return {"id": body["id"], "author": uid} if dice.random() < 0.1 else body
    if kind == "change":
        body["what"] = "forged"
    return body | twists.get(kind, {})


def _odd(dice: random.Random) -> Any:
    return dice.choice(
        (
            "", "x", "\0", "\ud800", "a\x1b[31m\u202eb", "x" * 200_000, "../../x", "/etc/passwd",
            "team:../x", "team:/x", "javascript:alert(1)", "file:///etc/passwd", "$(touch PWNED)",
            "zz", -1, -5, 0, 2**31 - 1, 2**31, 2**53, 2**70, 1.5, None, True, [], {}, [[[]]],
            ["a", 7], [[1, 2]], {"a": 1}, "null", "[]", "{}", '{"set":[{}],"drop":[]}',
            '{"set":[],"drop":[1]}', '{"set":[],"drop":[],"order":["q"]}', "9" * 5000,
        )
    )  # fmt: skip


def table(trials: list[Trial]) -> str:
    """Return what came of all, a line a harm."""
    lines = [f"{'harm':<18}{'seeds':>6}{'said':>6}{'refused':>9}{'findings':>10}"]
    for harm in HARMS:
        of_harm = [each for each in trials if each.harm == harm]
        lines.append(
            f"{harm:<18}{len(of_harm):>6}{sum(each.said > 0 for each in of_harm):>6}"
            f"{sum(each.is_refused for each in of_harm):>9}"
            f"{sum(bool(each.findings) for each in of_harm):>10}"
        )
    return "\n".join(lines)


def main(count: int = 500, seed: int = 0) -> int:
    trials = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            trials.append(trial(number, Path(folder)))
            for finding in trials[-1].findings:
                print(f"seed {number}, {trials[-1].harm}: {finding}", flush=True)
    print(table(trials))
    print(Counter(bool(each.findings) for each in trials)[True], "of", count, "with a finding")
    return int(any(each.findings for each in trials))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
