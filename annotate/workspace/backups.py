"""Backups of a workspace: one before its format is changed, and some that rotate.

They lie in ``NAME.pagelet.backups`` beside the file: ``format-2 TIME.pagelet`` before a migration,
which stay, and ``TIME.pagelet``, of which the last three, one a day of the last week and one a week
of the last two months are kept, as long as they are not too large together.  Each is a whole
workspace and opened like one.
"""

import errno
import filecmp
import logging
import os
import platform
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count as numbers
from pathlib import Path

from annotate.workspace import side_files
from annotate.workspace.workspace_file import connect, read_only
from engine import held_files
from engine.errors import WorkspaceError
from engine.words import plural

log = logging.getLogger(__name__)

FRESH = timedelta(hours=4)
"""A workspace with a backup younger than this needs none."""

LATEST, DAYS, WEEKS = 3, 7, 8

JOURNALS = 9
"""Journals that were not used, and copies of a file with a journal that was, which stay."""

_PART, _ENDINGS = ".part", ("", *side_files.ENDINGS)
_ABANDONED = 86400.0  # seconds: on a network share another machine may be writing

LARGEST = 200 * 2**20
"""Bytes of all rotating backups of a file together; the last two stay however large they are."""

_TIME = "%Y-%m-%dT%H-%M-%S"
_FINE_TIME = f"{_TIME}-%f"  # names sort by age, though several are kept within a second
_STEP = 1024  # pages (4 MB) that are copied at once: no other save can finish meanwhile


@dataclass(frozen=True)
class Backup:
    """A backup that is whole, with the number of its pages and of the marks on them."""

    path: Path
    made: datetime
    pages: int
    marks: int

    @property
    def summary(self) -> str:
        """Local time and content of the backup."""
        when = f"{self.made.astimezone():%d %B %Y, %H:%M}".lstrip("0")
        return f"the backup of {when} has {plural(self.marks, 'mark')}"


def folder_of(path: Path) -> Path:
    """Return where the backups of a workspace lie."""
    return path.with_name(f"{path.name}.backups")


def before_migration(path: Path, version: int) -> Path:
    """Copy a workspace before it is migrated to another format; return the copy.

    Where one of the same content already exists, of a migration that was killed, that is it.
    """
    before = sorted(folder_of(path).glob(f"format-{version} *.pagelet"))
    copy = _copy(path, f"format-{version} {datetime.now(UTC):{_TIME}}.pagelet")
    for other in before:
        is_free = other != copy and not held_files.is_held(other)
        if is_free and filecmp.cmp(other, copy, shallow=False):
            copy.unlink()
            return other
    return copy


def rotate(path: Path, now: datetime | None = None) -> Path | None:
    """Make a backup unless the last one is fresh or the file as then; return the new one.

    Old ones go.  Those dated in the future, from when a clock was wrong, neither replace a new one
    nor push older ones out.

    Raises `sqlite3.Error` or `OSError`; then nothing is lost but the new backup.
    """
    now = now or datetime.now(UTC)
    every = [when for when, each in _dated(path) if " " not in each.stem]
    ahead = [when for when in every if _is_ahead(when, now)]
    there = [when for when in every if when not in ahead]
    made, last = None, max(there or ahead, default=None)
    is_fresh = bool(there) and now - max(there) < FRESH
    if last is None or (not is_fresh and _is_changed(path, last)):
        if ahead:
            log.warning("%s has a backup of %s: a clock is wrong", path.name, max(ahead).date())
        made = _copy(path, f"{now:{_TIME}}.pagelet")
        there = [*there, now.replace(microsecond=0)]
    for times in filter(None, (ahead, there)):
        stay = choose_retained(times)
        for when in set(times) - set(stay):
            with suppress(OSError):
                _named(path, when).unlink()
        _limit(path, stay)
    return made


def _is_ahead(when: datetime, now: datetime) -> bool:
    """Whether a time is in the future by more than clocks of two machines differ."""
    return when - now > FRESH


def _named(path: Path, when: datetime) -> Path:
    return folder_of(path) / f"{when:{_TIME}}.pagelet"


def _is_changed(path: Path, since: datetime) -> bool:
    try:
        return path.stat().st_mtime_ns != _named(path, since).stat().st_mtime_ns
    except OSError:
        return True


def _limit(path: Path, times: Sequence[datetime]) -> None:
    """Delete the oldest backups while all of them are too large."""
    sizes: dict[datetime, int] = {}
    for when in times:
        with suppress(OSError):
            sizes[when] = _named(path, when).stat().st_size
    for when in sorted(sizes)[:-2]:
        if sum(sizes.values()) <= LARGEST:
            return
        with suppress(OSError):
            _named(path, when).unlink()
        del sizes[when]


def newest(path: Path) -> Backup | None:
    """Return the last undamaged backup of a workspace; None if there is none."""
    now = datetime.now(UTC)
    dated = sorted(_dated(path), key=lambda each: (not _is_ahead(each[0], now), each), reverse=True)
    for when, each in dated:
        with suppress(sqlite3.Error, UnicodeError, WorkspaceError), closing(read_only(each)) as db:
            if db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",):
                return Backup(each, when, *_counts(db))
    return None


def listed(path: Path) -> tuple[Backup, ...]:
    """Return the backups of a workspace that can be read, the newest first."""
    result = []
    for when, each in sorted(_dated(path), reverse=True):
        with suppress(sqlite3.Error, UnicodeError, WorkspaceError), closing(read_only(each)) as db:
            result.append(Backup(each, when, *_counts(db)))
    return tuple(result)


def _counts(db: sqlite3.Connection) -> tuple[int, int]:
    pages, marks = (db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                    for table in ("pages", "marks"))  # fmt: skip
    return pages, marks


def put_back(path: Path, backup: Backup) -> Path:
    """Replace a whole workspace by a backup; return a backup of its former content.

    Raises `sqlite3.Error` or `OSError`; then the workspace is as it was.
    """
    now = datetime.now(UTC)
    while (folder_of(path) / (name := f"restored {now:{_TIME}}.pagelet")).exists():
        now += timedelta(seconds=1)  # never in place of another one
    kept = _copy(path, name)
    aside = take(path, backup)
    for ending in _ENDINGS:
        Path(f"{aside}{ending}").unlink(missing_ok=True)
    return kept


def take(path: Path, backup: Backup) -> Path:
    """Replace a damaged workspace by a backup; return the path of the damaged one.

    Raises `sqlite3.Error` or `OSError`; then the workspace is as it was.
    """
    aside = path.with_name(f"{path.stem} damaged {datetime.now(UTC):{_TIME}}{path.suffix}")
    beside = _part(folder_of(path), path.name)
    _copy_to(backup.path, beside)
    for ending in _ENDINGS:
        with suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{aside}{ending}")
    beside.replace(path)
    return aside


def choose_retained(times: Sequence[datetime]) -> list[datetime]:
    """Return which backups stay: the last ones, one a day, one a week."""
    newest_first = sorted(times, reverse=True)
    result = newest_first[:LATEST]
    for unit, count in ((timedelta(days=1), DAYS), (timedelta(weeks=1), WEEKS)):
        # The oldest of each span stays: it grows old with it.
        taken = {(newest_first[0] - when) // unit: when for when in newest_first}
        result += (when for age, when in taken.items() if age < count)
    return sorted(set(result))


def _dated(path: Path) -> Iterator[tuple[datetime, Path]]:
    for each in folder_of(path).glob("*.pagelet"):
        with suppress(ValueError):
            when = datetime.strptime(each.stem.rpartition(" ")[2], _TIME).replace(tzinfo=UTC)
            yield when, each


def _copy(path: Path, name: str) -> Path:
    """Write a backup, whole and on the disk, or none."""
    folder = _made_folder(path)
    _clean(folder)
    there, beside = folder / name, _part(folder, name)
    changed = path.stat().st_mtime_ns
    _copy_to(path, beside)
    os.utime(beside, ns=(changed, changed))
    beside.replace(there)
    return there


def _made_folder(path: Path) -> Path:
    """Return the folder of backups, made if it is missing; `OSError` where it leads elsewhere."""
    folder = folder_of(path)
    if folder.is_symlink():
        raise OSError(errno.ENOTDIR, f"{folder.name} is a link, not a folder", str(folder))
    folder.mkdir(exist_ok=True)
    return folder


def keep_with(path: Path, beside: Path) -> None:
    """Copy a workspace, byte by byte, and a journal or log beside it; raises `OSError`."""
    folder = _made_folder(path)
    kept = _new(folder, f"unfinished {datetime.now(UTC):{_FINE_TIME}}")
    kept.mkdir()
    copy_bytes(path, kept / path.name)
    shutil.copy2(beside, f"{kept / path.name}{beside.name[beside.name.rindex('-') :]}")
    for older in sorted(folder.glob("unfinished *"))[:-JOURNALS]:
        shutil.rmtree(older, ignore_errors=True)


def put_away(path: Path, beside: Path) -> Path:
    """Move a journal or log that is not used to the backups; return where; raises `OSError`."""
    folder = _made_folder(path)
    there = _new(folder, f"not-used {datetime.now(UTC):{_FINE_TIME}} {beside.name}")
    beside.rename(there)
    for older in sorted(folder.glob("not-used *"))[:-JOURNALS]:
        with suppress(OSError):
            older.unlink()
    return there


def _new(folder: Path, name: str) -> Path:
    names = (name if number == 1 else f"{name} {number}" for number in numbers(1))
    return next(path for each in names if not os.path.lexists(path := folder / each))


def copy_bytes(path: Path, copy: Path) -> None:
    """Copy the bytes of a workspace, without its side files; `OSError` or `sqlite3.Error`."""
    if held_files.is_held(path):  # another descriptor would drop this process's locks
        with closing(connect(path, "ro&immutable=1", 0)) as db:
            copy.write_bytes(db.serialize())
        return
    with held_files.open_held(path) as source, copy.open("wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)


def _part(folder: Path, name: str) -> Path:
    return folder / f"{name}.{_host()}-{os.getpid()}{_PART}"


def _host() -> str:
    return "".join(letter for letter in platform.node() if letter.isalnum())[:40]


def _clean(folder: Path) -> None:
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
    with suppress(OSError, OverflowError):
        try:
            os.kill(int(number), 0)
        except ProcessLookupError:
            return False
    return True


def _copy_to(path: Path, copy: Path) -> None:
    """Copy a workspace by SQLite; `sqlite3.DatabaseError` if it is damaged, and no copy stays."""
    is_whole = False
    try:
        with closing(read_only(path)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target, pages=_STEP, sleep=0.01)
            (state,) = target.execute("PRAGMA quick_check(1)").fetchone()
            if state != "ok":  # it must not replace a complete one
                raise sqlite3.DatabaseError(f"{path} is damaged")
        with copy.open("rb") as file:
            os.fsync(file.fileno())
        is_whole = True
    finally:
        for ending in _ENDINGS[is_whole:]:
            with suppress(OSError):
                Path(f"{copy}{ending}").unlink()
