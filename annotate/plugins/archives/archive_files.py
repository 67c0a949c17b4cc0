"""Files of web archives: what a file is by its content, which WARC files are in it, opening one.

WARC and ARC, plain, in gzip, Zstandard or LZ4; WACZ, and several WACZ in one or named by a file of
JSON (Multi-WACZ).
"""

import json
import os
import re
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from annotate.archives.gzip_records import ALWAYS_UNPACKED, MOST_GROWTH
from annotate.archives.members import BROKEN, member_names, open_member, reason_of
from annotate.archives.page_ranges import WARC_SUFFIXES
from annotate.plugins.archives.byte_streams import CHUNK, GZIP, MemberStream
from annotate.plugins.archives.zstandard_streams import FrameStream, is_zstandard
from engine import bounded_file, held_files
from engine.bounded_file import Stamp, stamp_of
from engine.errors import InputError
from engine.fetch import MAX_BYTES

_LZ4 = b"\x04\x22\x4d\x18"
_WARC_LENGTH = re.compile(
    rb"WARC/[\s\S]*?\ncontent-length:[ \t]*(\d{1,18})[ \t]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n",
    re.IGNORECASE,
)
_ARC_LENGTH = re.compile(rb"filedesc://[^\n]* (\d{1,18})\r?\n")
_HEAD = 8192
"""Number of bytes read to recognise a file."""
_LONGEST_HEAD = 1 << 16
_CUT_RECORD = b"\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nContent-Length: 1\r\n\r\n"
"""Stands for what comes behind damage, so that readers say that something is missing."""
_MOST_MEMBERS = 1_000
"""WARC files in a WACZ; crawlers write one for each gigabyte."""


def archive_kind(path: Path) -> str:
    """Return "WARC", "ARC", "WACZ" or "multi-WACZ" for what a file is by its content, or "".

    A damaged file counts as the kind that its name gives.
    """
    name = path.name.lower()
    try:
        if not path.is_file():
            return ""
        with held_files.open_held(path) as file:
            head = file.read(_HEAD)
    except (OSError, InputError):
        return ""
    if head[:2] == b"\x1f\x8b":
        with suppress(zlib.error):
            head = zlib.decompressobj(wbits=31).decompress(head, _HEAD)
    elif head.startswith(_LZ4) or is_zstandard(head[:4]):
        return "WARC" if "warc" in name or not name.endswith((".lz4", ".zst")) else ""
    if head.lstrip().startswith(b"WARC/"):
        return "WARC"
    if head.startswith(b"filedesc://"):
        return "ARC"
    if head.startswith(b"PK\3\4"):
        try:
            return "WACZ" if warc_members(path) else ""
        except InputError:
            return "WACZ" if name.endswith(".wacz") else ""
    if head.lstrip()[:1] == b"{":
        return "multi-WACZ" if _waczs_named(path) else ""
    if name.endswith((".arc", ".arc.gz")):
        return "ARC"
    if name.endswith(".wacz"):
        return "WACZ"
    return "WARC" if name.endswith(WARC_SUFFIXES) else ""


def warc_members(path: Path) -> tuple[str, ...]:
    """Return the WARC files in a WACZ, also of those in it; of a WARC file ("",).

    A member of a WACZ in another, or beside the JSON file that names it, is "X.wacz!/MEMBER".
    """
    if path.suffix.lower() == ".json":
        return tuple(
            f"{name}!/{inner}"
            for name in _waczs_named(path)
            if (path.parent / name).is_file()
            for inner in warc_members(path.parent / name)
        )
    with path.open("rb") as file:
        is_package = file.read(4) == b"PK\3\4"
    if not is_package and not path.name.lower().endswith((".wacz", ".zip")):
        return ("",)
    result: list[str] = []
    for name in sorted(member_names(path)):
        if name.lower().endswith((*WARC_SUFFIXES, ".arc", ".arc.gz")):
            result.append(name)
        elif name.lower().endswith(".wacz"):
            with _inner(path, name) as package:
                inner = sorted(package.namelist())
            result += [f"{name}!/{each}" for each in inner if each.lower().endswith(WARC_SUFFIXES)]
    if len(result) > _MOST_MEMBERS:
        raise InputError(
            f"{path} holds {len(result):,} WARC files, more than {_MOST_MEMBERS:,}: "
            "unpack it, and name the folder"
        )
    return tuple(result)


def missing_packages(path: Path) -> tuple[str, ...]:
    """Return the WACZ packages that a JSON file names and that do not lie beside it."""
    named = _waczs_named(path) if path.suffix.lower() == ".json" else ()
    return tuple(each for each in named if not (path.parent / each).is_file())


def packages_of(path: Path) -> tuple[str, ...]:
    """Return the WACZ packages in one, or that a JSON file names; of a plain WACZ ("",)."""
    return tuple(dict.fromkeys(name.rpartition("!/")[0] for name in warc_members(path)))


@contextmanager
def _inner(path: Path, name: str) -> Iterator[zipfile.ZipFile]:
    """Open a WACZ in another, or one that a JSON file names."""
    try:
        if path.suffix.lower() == ".json":
            with zipfile.ZipFile(path.parent / name) as package:
                yield package
        else:
            with open_member(path, name) as file, zipfile.ZipFile(file) as package:
                yield package
    except BROKEN as error:
        raise InputError(f"{name} in {path} is damaged: {reason_of(error)}") from None


def read_package_member(path: Path, package: str, name: str) -> bytes:
    """Return a member of one of `packages_of`; raises `InputError`."""
    where = f"{package}!/{name}" if package else name
    with open_archive(path, where) as file:
        return bytes(file.read(MAX_BYTES))


def package_members(path: Path, package: str) -> tuple[str, ...]:
    """Return the names of the members of one of `packages_of`; raises `InputError`."""
    if not package:
        return tuple(sorted(member_names(path)))
    with _inner(path, package) as inner:
        return tuple(sorted(inner.namelist()))


def _waczs_named(path: Path) -> tuple[str, ...]:
    """Return the WACZ packages that a JSON file names in its folder (Multi-WACZ 0.1)."""
    try:
        value = json.loads(bounded_file.read_text(path))
        resources = value.get("resources") if isinstance(value, dict) else None
        paths = [str(each.get("path") or each.get("name") or "") for each in resources or []]
    except (OSError, ValueError, AttributeError, TypeError, RecursionError, InputError):
        return ()
    return tuple(
        each for each in paths
        if each.lower().endswith(".wacz") and "://" not in each and ".." not in Path(each).parts
        and not Path(each).is_absolute()
    )  # fmt: skip


@contextmanager
def open_archive(path: Path, member: str) -> Iterator[IO[Any]]:
    """Open a WARC file, or one in a WACZ; damage in it raises `InputError`.

    One that is packed with LZ4 is unpacked.
    """
    is_lz4 = _first_bytes(path, member, stamp_of(path)) == _LZ4
    with _unpacked_file(path, member) if is_lz4 else _packed(path, member) as file:
        yield file


def _unpacked_file(path: Path, member: str) -> IO[bytes]:
    return _unpacked(path, member, stamp_of(path), os.getpid()).path.open("rb")


def is_arc(path: Path, member: str, stamp: Stamp) -> bool:
    if _first_bytes(path, member, stamp) == b"file":
        return True
    with _packed(path, member) as file:
        return bool(MemberStream(file, 0).peek(8) == b"filedesc")


@lru_cache(maxsize=64)
def _first_bytes(path: Path, member: str, _stamp: Stamp) -> bytes:
    with _packed(path, member) as file:
        return bytes(file.read(4))


@contextmanager
def _packed(path: Path, member: str) -> Iterator[IO[Any]]:
    package, separator, name = member.rpartition("!/")
    if not member:
        with path.open("rb") as file:
            yield file
    elif not separator:
        with open_member(path, member) as packed:
            yield packed
    else:
        with _inner(path, package) as inner, inner.open(name) as packed:
            yield packed


@contextmanager
def opened_for_warcio(path: Path, member: str) -> Iterator[IO[Any]]:
    """Open a WARC file; unpack it first if warcio cannot read its compression.

    That is Zstandard, and gzip with all records in one member.
    """
    is_odd = _is_odd_for_warcio(path, member, stamp_of(path))
    with _unpacked_file(path, member) if is_odd else open_archive(path, member) as file:
        yield file


@lru_cache(maxsize=64)
def _is_odd_for_warcio(path: Path, member: str, _stamp: Stamp) -> bool:
    with _packed(path, member) as file:
        first = file.read(4)
        if first[:3] != GZIP:
            return is_zstandard(first)
        stream = MemberStream(file, 0)
        head = stream.peek(_LONGEST_HEAD)
        length = _WARC_LENGTH.match(head) or _ARC_LENGTH.match(head)
        if length is None:
            return False
        stream.skip(length.end() + int(length[1]))
        return bool(stream.peek(8).strip(b"\r\n\0"))


class _UnpackedFile:
    """Temporary unpacked file, deleted when it is no longer used."""

    def __init__(self) -> None:
        number, name = tempfile.mkstemp(prefix="pagelet-", suffix=".warc")
        os.close(number)
        self.path = Path(name)
        weakref.finalize(self, self.path.unlink, missing_ok=True)


@lru_cache(maxsize=2)
def _unpacked(path: Path, member: str, _stamp: Stamp, _process: int) -> _UnpackedFile:
    """Return the content of a packed archive, up to the first damage."""
    unpacked = _UnpackedFile()
    most = ALWAYS_UNPACKED + MOST_GROWTH * path.stat().st_size
    with _packed(path, member) as packed, unpacked.path.open("wb") as result:
        is_lz4 = packed.read(4) == _LZ4
        for part in _lz4_parts(packed) if is_lz4 else _parts(packed):
            result.write(part)
            if result.tell() > most:
                raise InputError(f"{path} unpacks to more than any archive of its size")
    return unpacked


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    """Yield what members of gzip or frames of Zstandard hold, those behind damage aside."""
    at = file.seek(0)
    stream_of = FrameStream if is_zstandard(file.read(4)) else MemberStream
    while not (stream := stream_of(file, at)).is_end_of_file:
        while data := stream.take(CHUNK):
            yield data
        if stream.damage or stream.end <= at:
            return
        at = stream.end


def _lz4_parts(file: IO[bytes]) -> Iterator[bytes]:
    try:
        from fastwarc.stream_io import Lz4Reader
    except ImportError:
        raise InputError("archives in LZ4 need FastWARC: pip install 'pagelet[web]'") from None
    passed = 0
    for size in (CHUNK, 1024, 1):  # a read that meets damage returns nothing of the data before it
        file.seek(0)
        reader, at = Lz4Reader(file), 0
        with suppress(OSError, ValueError):
            while data := reader.read(min(CHUNK, passed - at) or size):
                at += len(data)
                if at > passed:
                    yield data
                    passed = at
            return
    yield _CUT_RECORD
