"""Snapshots: rendered pages kept on disk, so that the same page is not rendered twice.

A page is the same if nothing that can change its rendering has changed: the bytes of the document
and of every file in the folder its resources come from, how it is to be shown, the browser engine,
and Pagelet's own code that loads and reads pages.  Pages stored under other conditions are never
found again.  Edge masks of a page's picture lie beside it, and a thumbnail for lists.

Reading a snapshot sets its time, so that `tidy` knows what nobody has used for long: pages that
have changed, and those of older versions.
"""

import hashlib
import os
import re
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from engine.archive import read_page, write_page
from engine.bounded_file import atomic_write
from engine.document import Document
from engine.edge_masks import Masks, pack, unpack
from engine.errors import InputError, convert_os_error
from engine.fetch import MAX_BYTES
from engine.page import Page

_CODE = (
    "engine/web", "resources/js", "engine/archive.py", "engine/document.py", "engine/encoding.py",
    "engine/fetch.py", "engine/nodes.py",
)  # fmt: skip
_ROOT = Path(__file__).resolve().parent.parent
_OURS = re.compile(r"([0-9a-f]{2})/\1[0-9a-f]{38}\.(page|jpg|[0-9a-f]{8}\.edges)(\.[0-9]+\.part)?")
"""Names of files that this module writes."""

MOST_DAYS = 30
"""Files unused for this long are removed: a month's holiday costs rendering once more."""

MOST_BYTES = 4 << 30
"""Room for all snapshots.  The entry of a page takes 0.1 to 0.3 MB with its edges, so that the
largest data set, Webis-WebSeg-20 with its 8,490 pages, fits; no more of a disk is used without the
user's consent."""


def default_folder() -> Path:
    """Return the folder for snapshots in this system's cache."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "pagelet" / "snapshots"


class Snapshots:
    """A folder of rendered pages; several processes may use it at once.

    Args:
        folder: Made when the first page is stored.
        renderer: Name and version of the browser engine.
    """

    def __init__(self, folder: Path, renderer: str) -> None:
        self._folder = folder
        self._salt = f"{renderer}\n{code_digest()}"

    def path(self, document: Document) -> Path:
        """Return the path of a document's page, stored or not; raises `InputError` if it is gone.

        Costs reading the document, and once a process the folder of its resources.
        """
        received, store, root = document.receive(), document.store, document.root
        resources = store.digest() if store is not None else _folder_digest(root) if root else ""
        # An explicit `repeatable` is reported by the page's notes.
        shown = document.scripts, document.is_repeatable, document.repeatable, document.viewport
        identity = (self._salt, document.url, received.charset, *shown, document.title, resources)
        key = hashlib.blake2b(repr(identity).encode("utf-8", "surrogatepass"), digest_size=20)
        key.update(received.data)
        name = key.hexdigest()
        return self._folder / name[:2] / f"{name}.page"

    def find(self, document: Document) -> Page | None:
        """Return the page as it was stored; None if it was not, or can no longer be read."""
        path = self.path(document)
        if not _touch(path):
            return None
        try:
            return read_page(path)
        except InputError:
            return None

    def keep(self, document: Document, page: Page) -> None:
        """Store a page; raises `InputError` if the folder cannot be written to."""
        path = self.path(document)
        _make_folder(path.parent)
        write_page(path, page)

    def find_edges(self, document: Document) -> Masks | None:
        """Return the edge masks stored with a document's page; None as `find`."""
        path = self._edges_path(document)
        if not _touch(path):
            return None
        try:
            return unpack(path.read_bytes(), str(path))
        except (OSError, InputError):
            return None

    def keep_edges(self, document: Document, masks: Masks) -> None:
        """Store the edge masks of a page beside it; raises `InputError` as `keep`."""
        path = self._edges_path(document)
        _make_folder(path.parent)
        with atomic_write(path) as beside:
            beside.write_bytes(pack(masks))

    def find_thumbnail(self, document: Document) -> Path | None:
        """Return where the thumbnail of a document's page is; None if there is none."""
        path = self.path(document).with_suffix(".jpg")
        return path if _touch(path) else None

    def keep_thumbnail(self, document: Document, data: bytes) -> Path:
        """Store a thumbnail, a JPEG, and return where; raises `InputError` as `keep`."""
        path = self.path(document).with_suffix(".jpg")
        _make_folder(path.parent)
        with atomic_write(path) as beside:
            beside.write_bytes(data)
        return path

    def _edges_path(self, document: Document) -> Path:
        # Masks of another way to find edges are never read, and the pages stay good.
        return self.path(document).with_suffix(f".{_edges_digest()}.edges")


@dataclass(frozen=True)
class Capacity:
    """Capacity of a folder of snapshots: files, and bytes in them."""

    files: int
    size: int


def room(folder: Path) -> Capacity:
    """Return number and size of the snapshots in a folder; other files do not count."""
    sizes = [entry.size for entry in _cached_files(folder)]
    return Capacity(len(sizes), sum(sizes))


def tidy(folder: Path, most_bytes: int = MOST_BYTES) -> Capacity:
    """Remove snapshots that were not used for `MOST_DAYS`; return the removed files.

    Then the longest unused are removed until the rest takes ``most_bytes``.  Several processes
    may tidy, read and write at once: files that are being read or written stay, and a file that
    cannot be removed is left for the next time.  Nothing but snapshots is touched.  Costs a look at
    each file, some 10 ms for a thousand.
    """
    entries = sorted(_cached_files(folder), key=lambda entry: entry.used)
    left = sum(entry.size for entry in entries)
    oldest = time.time() - MOST_DAYS * 24 * 3600
    files = size = 0
    for entry in entries:
        if entry.used >= oldest and (left <= most_bytes or entry.is_part):
            continue  # a part may be being written
        left -= entry.size
        if _remove(entry):
            files, size = files + 1, size + entry.size
    return Capacity(files, size)


@dataclass(frozen=True)
class _CachedFile:
    """Cached file with the time of its last use, s since 1970, and its size in bytes."""

    path: Path
    used: float
    size: int

    @property
    def is_part(self) -> bool:
        """Whether it is, or was left, half written."""
        return self.path.suffix == ".part"


def _cached_files(folder: Path) -> Iterator[_CachedFile]:
    for directory in _entries(folder):
        if len(directory.name) != 2 or not directory.is_dir(follow_symlinks=False):
            continue
        for entry in _entries(Path(directory.path)):
            if not _OURS.fullmatch(f"{directory.name}/{entry.name}"):
                continue
            try:
                if entry.is_file(follow_symlinks=False):
                    stat = Path(entry.path).stat()
                    yield _CachedFile(Path(entry.path), stat.st_mtime, stat.st_size)
            except OSError:  # removed meanwhile
                continue


def _entries(folder: Path) -> "list[os.DirEntry[str]]":
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _remove(entry: _CachedFile) -> bool:
    try:
        if entry.path.stat().st_mtime != entry.used:
            return False  # in use
        entry.path.unlink()
    except OSError:
        return False
    return True


def _touch(path: Path) -> bool:
    """Mark a file as in use; return whether it exists."""
    try:
        os.utime(path)
    except FileNotFoundError:
        return False
    except OSError:
        return path.is_file()  # another user's, or on a read-only disk
    return True


def _make_folder(folder: Path) -> None:
    with convert_os_error(f"write to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)


@cache
def _edges_digest() -> str:
    code = (_ROOT / "engine" / "edges.py").read_bytes()
    return hashlib.blake2b(code, digest_size=4).hexdigest()


@cache
def code_digest() -> str:
    """Return a digest of the code that renders, reads and stores pages."""
    digest = hashlib.blake2b(digest_size=16)
    for name in _CODE:
        target = _ROOT / name
        for path in [target] if target.is_file() else sorted(target.rglob("*")):
            if path.suffix in (".py", ".js"):
                digest.update(path.relative_to(_ROOT).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def _folder_digest(folder: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    for parts, path in sorted(_files_below(os.fspath(folder))):
        digest.update(os.fsencode("/".join(parts)) + b"\0")
        try:
            about = Path(path).stat()
            if about.st_size > MAX_BYTES:  # a film beside the pages: no part of one is as large
                digest.update(f"{about.st_size} {about.st_mtime_ns}".encode())
            else:
                digest.update(hashlib.blake2b(Path(path).read_bytes()).digest())
        except OSError as error:
            # The browser cannot read it either.
            digest.update(type(error).__name__.encode())
    return digest.hexdigest()


def _files_below(folder: str, above: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the parts of each file's path in a folder, and its path; links to folders are none."""
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    yield from _files_below(entry.path, (*above, entry.name))
                elif entry.is_file(follow_symlinks=False) or Path(entry.path).is_file():
                    yield (*above, entry.name), entry.path
    except OSError:  # the browser cannot read it either
        return
