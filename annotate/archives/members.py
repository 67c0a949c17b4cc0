"""Members of a package, zip or folder, read within limits: the one reader of window and batch.

A zip's directory is parsed once a process, however many members are read.  Any error in a zip or a
member of it is raised as `InputError`, in one sentence.
"""

import lzma
import os
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO

from annotate.archives import zip_directory
from annotate.archives.disk_names import DiskNames
from engine import bounded_file
from engine.bounded_file import Stamp, stamp_in
from engine.errors import InputError
from engine.fetch import MAX_BYTES, read_file

_ZLIB = re.compile(r"^Error -?\d+ (while \w+ing data: )?")

NOWHERE = -1
"""Of a member that has no entry in a zip's directory, or one that nobody has looked for."""

MAX_MEMBERS = 1_000_000
"""Members a package may have."""

_UNPACKING = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError)
BROKEN = (*_UNPACKING, OSError, ValueError, OverflowError, MemoryError)
"""What the standard library raises for bytes that are no zip, or are not what it says of them."""


def is_zip(path: Path) -> bool:
    """Return whether a path is a file that is a zip, or is named like one."""
    return path.is_file() and (path.suffix.lower() == ".zip" or zipfile.is_zipfile(path))


def member_names(package: Path) -> frozenset[str]:
    """Return the members of a zip or the files below a folder, with ``/``; raises `InputError`."""
    if package.is_file():
        return frozenset(_opened(package).namelist())
    files = (each for each in package.rglob("*") if each.is_file())
    return frozenset(each.relative_to(package).as_posix() for each in files)


def listed_members(package: Path) -> DiskNames:
    """Return `member_names`, on disk, with where `read_member` finds each; raises `InputError`."""
    if not package.is_file():
        return DiskNames((name, NOWHERE) for name in files_below(package))
    try:
        bounded_file.check(package)
        if zip_directory.count_of(package) <= MAX_MEMBERS:
            names, count = DiskNames(), 0
            for count, (name, at) in enumerate(zip_directory.entries(package), 1):  # noqa: B007
                names.add(name, at)
            if names.count == count:
                return names
    except (*BROKEN, NotImplementedError, RuntimeError):
        pass  # `_opened` reports the error, or can use it
    return DiskNames((name, NOWHERE) for name in _opened(package).namelist())


def files_below(folder: Path) -> Iterator[str]:
    """Yield the files below a folder, with ``/``, in no order.

    Folders behind links, and what may not be looked into, are left out.
    """
    waiting = [""]
    while waiting:
        inside = waiting.pop()
        try:
            with os.scandir(folder / inside) as entries:
                for entry in entries:
                    with suppress(OSError):
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append(f"{inside}{entry.name}/")
                        elif entry.is_file():
                            yield f"{inside}{entry.name}"
        except OSError:
            continue


def read_member(package: Path, name: str, limit: int = MAX_BYTES, at: int = NOWHERE) -> bytes:
    """Return the bytes of a member of a zip or folder; raises `InputError`.

    Never unpacks more than ``limit`` bytes, whatever size the directory gives.  ``at`` is where
    `listed_members` has found it: the directory of a zip is not read for it then.
    """
    is_packed = package.is_file()
    data = _at(package, name, limit, at) if is_packed and at != NOWHERE else None
    if data is None and is_packed:
        with open_member(package, name) as file:
            data = file.read(limit + 1)
    elif data is None:
        data = read_file(package / name)
    if len(data) > limit:
        raise InputError(f"{quote_member(name)} in {package} is larger than {declared_size(limit)}")
    return data


def quote_member(name: str) -> str:
    """Return a member's name for a message: control characters are written as escapes."""
    return name if name.isprintable() else repr(name)[1:-1]


def declared_size(size: int) -> str:
    """Return a number of bytes in words."""
    return f"{size // 2**20} MB" if size >= 2**20 else f"{size // 2**10} KB"


@contextmanager
def open_member(package: Path, name: str) -> Iterator[IO[bytes]]:
    """Open a member of a zip; any error, also while it is read, is raised as `InputError`."""
    where = f"{quote_member(name)} in {package}"
    archive = _opened(package)
    try:
        member = archive.getinfo(name)
    except KeyError:
        raise InputError(f"{where} is missing") from None
    if _is_link(member):
        raise InputError(f"{where} is a symbolic link: pack the file itself")
    try:
        with archive.open(member) as file:
            yield file
    except NotImplementedError:
        raise InputError(
            f"{where} is packed in a way that cannot be read: pack it again as plain zip"
        ) from None
    except RuntimeError:  # zipfile has no exception class for "password required"
        raise InputError(f"{where} is encrypted: pack it again without a password") from None
    except BROKEN as error:
        raise InputError(f"{where} is damaged: {reason_of(error)}") from None


def _at(package: Path, name: str, limit: int, at: int) -> bytes | None:
    """Return a member whose entry was found before; None where there is trouble of any kind."""
    try:
        with (
            bounded_file.open_bounded(package) as file,
            zip_directory.open_entry(file, at) as archive,
        ):
            (member,) = archive.filelist
            if member.filename != name or _is_link(member):
                return None
            with archive.open(member) as unpacked:
                return unpacked.read(limit + 1)
    except (*BROKEN, NotImplementedError, RuntimeError):
        return None


def leaves_package(name: str) -> bool:
    """Return whether a member's name leads out of the package, or is empty."""
    steps = name.replace("\\", "/").split("/")
    return ".." in steps or not steps[0] or ":" in steps[0]


@dataclass(frozen=True)
class MemberSizes:
    """Sizes according to the directory of a zip.

    Attributes:
        members: Number of members.
        packed, unpacked: Bytes of the file, and of all members together.
        odd: The first member that is a link or has a name that leads out of the package; "" if
            there is none.
    """

    members: int
    packed: int
    unpacked: int
    odd: str


def sizes_of(package: Path) -> MemberSizes:
    """Return the sizes in a zip's directory, without unpacking; raises `InputError`."""
    infos = _opened(package).filelist
    odd = (each.filename for each in infos if leaves_package(each.filename) or _is_link(each))
    unpacked = sum(each.file_size for each in infos)
    return MemberSizes(len(infos), package.stat().st_size, unpacked, next(odd, ""))


def _is_link(member: zipfile.ZipInfo) -> bool:
    return stat.S_ISLNK(member.external_attr >> 16)


def _opened(package: Path) -> zipfile.ZipFile:
    """Return the zip, its directory parsed; again if the file has changed or in another process."""
    try:
        return _parsed(package, stamp_in(package.stat()), os.getpid())
    except (*BROKEN, NotImplementedError, RuntimeError) as error:
        raise InputError(f"{package} is not a package of pages: {reason_of(error)}") from None


@lru_cache(maxsize=4)
def _parsed(package: Path, _stamp: Stamp, _process: int) -> zipfile.ZipFile:
    # Kept open: a process that is forked off shares the file's position and so opens its own.
    bounded_file.check(package)
    archive = zipfile.ZipFile(package)
    if len(archive.filelist) > MAX_MEMBERS:
        archive.close()
        raise zipfile.BadZipFile(f"it has more than {MAX_MEMBERS:,} members")
    if len(archive.NameToInfo) < len(archive.filelist):
        counts = Counter(each.filename for each in archive.filelist)
        ((twice, _),) = counts.most_common(1)
        archive.close()
        raise zipfile.BadZipFile(f"two of its members are named {twice}")
    return archive


def reason_of(error: BaseException) -> str:
    """Return why bytes cannot be read, in words."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, zipfile.BadZipFile) and "not a zip file" in str(error):
        return "it is no zip file, or one that is cut short"
    if isinstance(error, MemoryError):
        return "unpacking it takes more memory than there is"
    # zlib's messages begin with an error number
    text = _ZLIB.sub("", " ".join(quote_member(str(error)).split()))
    return text or "its bytes end too early"
