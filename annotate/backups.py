"""Backups of a workspace: one before its format is changed, and some that rotate.

They lie in ``NAME.pagelet.backups`` beside the file: ``format-2 TIME.pagelet`` before a migration,
which stay, and ``TIME.pagelet``, of which the last three, one a day of the last week and one a week
of the last two months are kept.  Each is a whole workspace and opened like one.
"""

import filecmp
import os
import platform
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from annotate.workspace_file import read_only
from engine import held_files

FRESH = timedelta(hours=4)
"""A workspace with a backup younger than this needs none."""

LATEST, DAYS, WEEKS = 3, 7, 8

_PART, _ENDINGS = ".part", ("", "-wal", "-shm", "-journal")
_ABANDONED = 86400.0  # seconds: on a network share another machine may be writing

_TIME = "%Y-%m-%dT%H-%M-%S"


def folder_of(path: Path) -> Path:
    """Return where the backups of a workspace lie."""
    return path.with_name(f"{path.name}.backups")


def before_migration(path: Path, version: int) -> Path:
    """Copy a workspace as it is before it is brought to another format; return the copy.

    Where one of the same content is there already, of a migration that was killed, that is it.
    """
    before = sorted(folder_of(path).glob(f"format-{version} *.pagelet"))
    copy = _copy(path, f"format-{version} {datetime.now(UTC):{_TIME}}.pagelet")
    for other in before:
        if (
            other != copy
            and not held_files.is_held(other)
            and filecmp.cmp(other, copy, shallow=False)
        ):
            copy.unlink()
            return other
    return copy


def rotate(path: Path, now: datetime | None = None) -> Path | None:
    """Make a backup unless there is a fresh one, and let old ones go; return the new one.

    Raises `sqlite3.Error` or `OSError`; then nothing is lost but the new backup.
    """
    now = now or datetime.now(UTC)
    there = _times(path)
    made = None
    if not there or now - max(there) >= FRESH:
        made = _copy(path, f"{now:{_TIME}}.pagelet")
        there = [*there, now.replace(microsecond=0)]
    for when in set(there) - set(kept(there)):
        with suppress(OSError):
            (folder_of(path) / f"{when:{_TIME}}.pagelet").unlink()
    return made


def kept(times: Sequence[datetime]) -> list[datetime]:
    """Return which backups stay: the last ones, one a day, one a week."""
    newest_first = sorted(times, reverse=True)
    if not newest_first:
        return []
    now = newest_first[0]
    found = newest_first[:LATEST]
    for unit, count in ((timedelta(days=1), DAYS), (timedelta(weeks=1), WEEKS)):
        taken: dict[int, datetime] = {}
        for when in newest_first:
            age = (now - when) // unit
            if age < count:
                taken[age] = when  # the oldest of its span: it grows old with it
        found += taken.values()
    return sorted(set(found))


def _times(path: Path) -> list[datetime]:
    found = []
    for each in folder_of(path).glob("*.pagelet"):
        with suppress(ValueError):
            found.append(datetime.strptime(each.stem, _TIME).replace(tzinfo=UTC))
    return found


def _copy(path: Path, name: str) -> Path:
    """Write a copy, whole and on the disk, or none."""
    folder = folder_of(path)
    folder.mkdir(exist_ok=True)
    _clean(folder)
    there, beside = folder / name, folder / f"{name}.{_host()}-{os.getpid()}{_PART}"
    try:
        with closing(read_only(path)) as source, closing(sqlite3.connect(beside)) as target:
            source.backup(target)
        with beside.open("rb") as file:
            os.fsync(file.fileno())
        beside.replace(there)
    finally:
        for ending in _ENDINGS:
            with suppress(OSError):
                Path(f"{beside}{ending}").unlink()
    return there


def _host() -> str:
    """Return the name of this machine as a file's name can say it, without dots."""
    return "".join(letter for letter in platform.node() if letter.isalnum())[:40]


def _clean(folder: Path) -> None:
    """Remove what was left of copies by programs that were killed in the middle of one."""
    for part in folder.glob(f"*{_PART}"):
        host, _, number = part.name.removesuffix(_PART).rpartition(".")[2].rpartition("-")
        with suppress(OSError):
            age = time.time() - part.stat().st_mtime
            if age > _ABANDONED or (host in ("", _host()) and not _is_running(number)):
                for ending in _ENDINGS:
                    Path(f"{part}{ending}").unlink(missing_ok=True)


def _is_running(number: str) -> bool:
    """Whether a process may be running; where that cannot be asked without harm, it may."""
    if os.name != "posix" or not number.isdecimal():
        return True
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
