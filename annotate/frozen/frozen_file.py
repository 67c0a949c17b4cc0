"""A frozen page's file, read: its document, what answers its requests, and what it is held to."""

import json
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from annotate.datasets.members import member_names, read_member
from annotate.frozen import warc
from annotate.frozen.certificate import Certificate
from annotate.frozen.package import (
    CERTIFICATE,
    FORMAT,
    FRAMES,
    MANIFEST,
    PICTURE,
    REFERENCE,
    VERSION,
    frames_from,
)
from engine.archive import page_of
from engine.document import Document
from engine.encoding import declared_in
from engine.errors import InputError
from engine.fetch import Received
from engine.file_stamp import Stamp, stamp_of
from engine.page import Page
from engine.saved import FrozenFrame, Stored, key_of, shown_address, web_address

_LARGEST = 512 * 2**20
_LARGEST_TEXT = 64 * 2**20


def is_frozen(path: Path) -> bool:
    """Tell whether a path is the file of a frozen page, whole or damaged within."""
    if not path.is_file() or path.suffix.lower() != ".wacz":
        return False
    try:
        with zipfile.ZipFile(path) as package:
            return MANIFEST in package.namelist()
    except (OSError, zipfile.BadZipFile, ValueError, OverflowError):
        return False


@dataclass(frozen=True)
class FrozenFile:
    """The file of a frozen page; a `ResourceStore` and, to its document, the `Content`.

    Attributes:
        path: Where it is.
    """

    path: Path

    @property
    def manifest(self) -> dict[str, Any]:
        """What the file says of itself; raises `InputError`."""
        return _read(self.path).manifest

    def document(self) -> Document:
        """Return the page; raises `InputError` if the file is damaged."""
        about = self.manifest
        address = str(about["address"])
        home = str(about["home"]) or ("" if ".invalid/" in address else address)
        width, height = about["viewport"]
        self.frames()
        return Document(
            address=str(self.path),
            url=shown_address(address),
            root=self.path.parent,
            path=self.path.name,
            content=self,
            scripts=False,
            viewport=(int(width), int(height)),
            title=str(about["title"]),
            home=home,
            repeatable=False,
            store=self,
        )

    def receive(self) -> Received:
        """Return the document as it was sent; as it stood where that is not in the file."""
        about = self.manifest
        index = warc.index_of(self.path)
        found = warc.find(self.path, index, str(about["address"]))
        if found is None:
            return Received(self.frames()[0].html.encode("utf-8", "replace"), "utf-8")
        encoding = str(about["encoding"] or "")
        return Received(found.data, "" if declared_in(found.data) == encoding else encoding)

    def find(self, url: str) -> Stored | None:
        """Return what was sent for an address, or how the frame of that address stood."""
        try:
            wanted = web_address(url)
            for frame in self.frames()[1:]:
                if frame.address.startswith(("http", "pagelet")) and _same(frame.address, wanted):
                    return Stored(frame.html.encode("utf-8", "replace"), "text/html; charset=utf-8")
            return warc.find(self.path, warc.index_of(self.path), wanted)
        except (InputError, ValueError, OverflowError):
            return None

    def frames(self) -> tuple[FrozenFrame, ...]:
        """Return the documents as they stood; raises `InputError` if the file is damaged."""
        return _read(self.path).frames

    def digest(self) -> str:
        """Return the SHA-256 of the file, the certificate aside."""
        return sha256(json.dumps(self.manifest["members"]).encode()).hexdigest()

    def reference(self) -> Page:
        """Return the page as it was read when it was frozen; raises `InputError`."""
        names = {
            name.removeprefix(REFERENCE)
            for name in member_names(self.path)
            if name.startswith(REFERENCE)
        }
        return page_of(lambda name: self._member(f"{REFERENCE}{name}"), names, str(self.path))

    def picture(self) -> bytes:
        """Return its picture as it was frozen, PNG; raises `InputError`."""
        return self._member(PICTURE)

    def certificate(self) -> Certificate | None:
        """Return what came of bringing it back right after; None if that was not done."""
        if CERTIFICATE not in member_names(self.path):
            return None
        data = read_member(self.path, CERTIFICATE, _LARGEST_TEXT)
        return Certificate.from_json(_parsed(data, self.path))

    def members(self) -> dict[str, bytes]:
        """Return all that the manifest names and the manifest; raises `InputError` for damage."""
        found = {name: self._member(name) for name in self.manifest["members"]}
        found[MANIFEST] = read_member(self.path, MANIFEST, _LARGEST_TEXT)
        return found

    def damage(self) -> tuple[str, ...]:
        """Return a sentence for each member that is not what was written; reads all of them."""
        found = []
        for name in self.manifest["members"]:
            try:
                self._member(name)
            except InputError as error:
                found.append(str(error))
        return tuple(found)

    def _member(self, name: str) -> bytes:
        data = read_member(self.path, name, _LARGEST)
        wanted = self.manifest["members"].get(name)
        if wanted != sha256(data).hexdigest():
            raise InputError(f"{name} in {self.path} was changed after it was written")
        return data


@dataclass(frozen=True, eq=False)
class _ReadFile:
    manifest: dict[str, Any]
    frames: tuple[FrozenFrame, ...]


def _read(path: Path) -> _ReadFile:
    return _opened(path, stamp_of(path))


@lru_cache(maxsize=4)
def _opened(path: Path, _stamp: Stamp) -> _ReadFile:
    manifest = _parsed(read_member(path, MANIFEST, _LARGEST_TEXT), path)
    try:
        if manifest["format"] != FORMAT:
            raise InputError(f"{path} is not a frozen page")
        if int(manifest["version"]) > VERSION:
            raise InputError(
                f"{path} has format {manifest['version']}, this Pagelet reads up to {VERSION}: "
                "open it with a newer one"
            )
        wanted: dict[str, str] = dict(manifest["members"])
        width, height = (int(side) for side in manifest["viewport"])
        if not (0 < width <= 16_384 and 0 < height <= 16_384):
            raise ValueError(f"its viewport of {width}×{height} is out of range")
        if not str(manifest["address"]).startswith(("http://", "https://")):
            raise ValueError("its address does not begin with http:// or https://")
        for name in ("home", "title", "encoding", "captured", "engine", "fonts", "lost"):
            manifest[name]
        parts = {}
        for name in (name for name in wanted if name.startswith(FRAMES)):
            parts[name] = read_member(path, name, _LARGEST)
            if wanted[name] != sha256(parts[name]).hexdigest():
                raise InputError(f"{name} in {path} was changed after it was written")
        frames = frames_from(parts)
        if not frames:
            raise ValueError("it holds no document")
        return _ReadFile(manifest, frames)
    except (
        KeyError,
        TypeError,
        ValueError,
        OverflowError,
        AttributeError,
        RecursionError,
    ) as error:
        raise InputError(f"{path} is not a frozen page, or is damaged: {error}") from error


def _parsed(data: bytes, path: Path) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, OverflowError, RecursionError) as error:
        raise InputError(f"{path} is not a frozen page, or is damaged: {error}") from error
    if not isinstance(value, dict):
        raise InputError(f"{path} is not a frozen page, or is damaged")
    return value


def _same(address: str, wanted: str) -> bool:
    return key_of(web_address(address)) == key_of(wanted)
