"""Whatever may lie beside a workspace, at every door: no mark is lost, no other file changed.

The same seed gives the same files; this tries 200 seeds:

    python -m tests.plugins.team_work.fuzzed_journals 200
"""

import faulthandler
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from annotate.datasets.readers import read_dataset
from annotate.plugins.team_work.merging import merge
from annotate.workspace import backups, side_files
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from tests.annotate import journals
from tests.annotate.journals import NO_FILES, SAVES, changes, states
from tests.fuzz.methods import told

SECONDS = 30


@dataclass(frozen=True)
class Left:
    """What lies in the folder.

    Attributes:
        kind: In words.
        data: The workspace's bytes; None for no file.
        beside: Ending → bytes, or a key of `NO_FILES`.
        kept: How many saves must be in the workspace afterwards; None for one that may be damaged.
    """

    kind: str
    data: bytes | None
    beside: dict[str, bytes | str]
    kept: int | None


def left(dice: random.Random, victim: Path) -> Left:
    """Return what lies beside some workspace."""
    now = dice.randrange(1, SAVES)
    then, of = dice.randrange(SAVES - 1), dice.choice(("", "", "another"))
    mine, others = states(), states(of)
    salt, segments = dice.getrandbits(32), dice.choice((1, 1, 2, 3))
    some = journals.journal(others[then], others[then + 1], salt, segments)
    own = journals.journal(mine[now - 1], mine[now], salt, segments)
    half = journals.torn(mine[now - 1], mine[now], dice.randrange(6))
    log = journals.with_log(others[then], f"title {then}")[1]
    shared = dice.randbytes(dice.choice((0, 32768)))
    match dice.randrange(11):
        case 0:
            return Left("own, of a save that was killed", half, {"-journal": own}, now - 1)
        case 1:
            return Left("own, of the last save", mine[now], {"-journal": own}, now)
        case 2:
            return Left("some journal", mine[now], {"-journal": some}, now)
        case 3:
            any_ = dice.choice((some, own, bytes(512), b"", dice.randbytes(600)))
            named = journals.naming(any_, victim)
            return Left("naming another file", mine[now], {"-journal": named}, now)
        case 4:
            changed = journals.shuffled(dice, dice.choice((some, own)))
            return Left("a changed journal", mine[now], {"-journal": changed}, now)
        case 5:
            changed = journals.shuffled(dice, own)
            return Left("a changed own journal", half, {"-journal": changed}, None)
        case 6:
            number = dice.choice((0, 1, 2, 5, 2**31, 2**32 - 1))
            head = journals.header(number, dice.choice((0, 1, 9, 19, 2**31)), salt,
                                   dice.choice((512, 4096, 4096, 65536, 0, 4095)))  # fmt: skip
            return Left("a header", mine[now], {"-journal": head + own[512:]}, now)
        case 7:
            kind = dice.choice(tuple(NO_FILES))
            return Left(kind, mine[now], {dice.choice(side_files.ENDINGS): kind}, now)
        case 8:
            log = dice.choice((log, journals.shuffled(dice, log)))
            return Left("a log", mine[now], {"-wal": log, "-shm": shared}, now)
        case 9:
            mine_of, mine_log = journals.with_log(mine[now], "kept")
            log = dice.choice((log, mine_log, journals.shuffled(dice, mine_log)))
            beside: dict[str, bytes | str] = {"-wal": log, "-shm": shared}
            if dice.random() < 0.3:
                beside["-journal"] = some
            return Left("a log of a file with one", mine_of, beside, now)
        case _:
            empty = dice.choice((None, b""))
            return Left("no workspace", empty, {dice.choice(("-journal", "-wal")): some}, None)


def _save(path: Path) -> None:
    with Workspace.open(path) as workspace:
        if not workspace.damage and workspace.pages():
            journals.add_mark(workspace, SAVES + 1)


def _read(path: Path) -> None:
    with Workspace.reading(path) as workspace:
        workspace.load_gold(journals.KEY, journals.nodes())


def _merge_in(path: Path) -> None:
    other = path.with_name("other.pagelet")
    other.write_bytes(states("another")[2])
    merge([other], path)


def _save_twice(path: Path) -> None:
    _save(path)
    _save(path)


DOORS: dict[str, Callable[[Path], object]] = {
    "reading": _read,
    "data set": read_dataset,
    "merge": lambda path: merge([path], path.with_name("merged.pagelet")),
    "backup": backups.rotate,
    "saving": _save,
    "merging into": _merge_in,
    "saving twice": _save_twice,
}


def trial(seed: int, folder: Path) -> str:
    """Lay something beside a workspace and go through every door; raise where that does harm."""
    dice = random.Random(f"journal {seed}")
    elsewhere, here = folder / "elsewhere", folder / "here"
    elsewhere.mkdir(parents=True)
    here.mkdir()
    victim = elsewhere / "thesis.txt"
    victim.write_bytes(dice.choice((b"a year of work\n", states("another")[3])))
    path = here / "w.pagelet"
    what = left(dice, victim)
    is_open = dice.random() < 0.3 and what.data is not None
    opened = None
    if is_open:  # a window is open while a sync client brings it
        path.write_bytes(what.data if what.kept is not None else states()[1])
        if path.read_bytes()[18:20] == b"\x01\x01" and what.kind[:3] != "own":
            opened = Workspace.open(path)
    if opened is None and what.data is not None:
        path.write_bytes(what.data)
    for ending, content in what.beside.items():
        beside = Path(f"{path}{ending}")
        if isinstance(content, str):
            NO_FILES[content](beside, victim)
        else:
            beside.write_bytes(content)
    before = _outside(elsewhere)
    ended = []
    if opened is not None:
        ended.append(_through("window", lambda _: _use_open(opened), path))
    doors = list(DOORS)
    dice.shuffle(doors)
    for door in doors:
        ended.append(_through(door, DOORS[door], path))
        assert _outside(elsewhere) == before, f"{door} changed a file elsewhere"
    _check_kept(what, path, is_changed=opened is not None)
    return f"{what.kind}{' at an open window' if opened else ''}: {'/'.join(sorted(set(ended)))}"


def _use_open(workspace: Workspace) -> None:
    with workspace:
        workspace.pages()
        journals.add_mark(workspace, SAVES)


def _through(door: str, go: Callable[[Path], object], path: Path) -> str:
    faulthandler.dump_traceback_later(SECONDS, exit=True)  # SQLite waits for a pipe for ever
    try:
        go(path)
    except PageletError as error:
        told(error)
        return "refused"
    except OSError:
        if door != "backup":  # of that the window says it
            raise
        return "refused"
    finally:
        faulthandler.cancel_dump_traceback_later()
    return "done"


def _outside(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        each.name: (each.read_bytes(), each.stat().st_mtime_ns)
        for each in folder.iterdir()
        if each.is_file()
    }


def _check_kept(what: Left, path: Path, *, is_changed: bool) -> None:
    """Raise where a save is neither in the workspace nor in its backups."""
    if what.kept is not None:
        lost = journals.saved(states()[what.kept]) - changes(path)
        assert not lost, f"{len(lost)} changes are lost"
    if what.data is None or is_changed:
        return
    left_alone = [path, *path.parent.glob("w.pagelet*/**/*")]
    files = [each.read_bytes() for each in left_alone if each.is_file()]
    is_there = what.data in files or journals.saved(what.data) <= changes(path)
    assert is_there, "the file as it was is nowhere"
    for content in what.beside.values():
        if isinstance(content, bytes) and what.kept is None and content[:1] not in (b"", b"\0"):
            beside = [each.read_bytes() for each in path.parent.glob("w.pagelet-*")]
            assert content in [*files, *beside], "the journal as it was is nowhere"


def main() -> None:
    """Try as many seeds as are asked for, and print how they ended."""
    logging.disable(logging.WARNING)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    ended: Counter[str] = Counter()
    slowest = 0.0
    failed = 0
    for seed in range(count):
        with tempfile.TemporaryDirectory() as folder:
            start = time.monotonic()
            try:
                ended[trial(seed, Path(folder))] += 1
            except Exception as error:  # noqa: BLE001
                failed += 1
                print(f"seed {seed}: {type(error).__name__}: {error}")
            slowest = max(slowest, time.monotonic() - start)
    for how, number in sorted(ended.items()):
        print(f"{number:5} {how}")
    print(f"{count} seeds, {failed} findings, the slowest took {slowest:.1f} s")


if __name__ == "__main__":
    main()
