"""File of a frozen page for reading: its document, responses to its requests, and its reference."""

import json
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from annotate.archives.frozen import warc
from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.manifest import (
    CERTIFICATE,
    FORMAT,
    MANIFEST,
    PICTURE,
    VERSION,
    check_manifest,
    frames_prefix,
    reference_member,
)
from annotate.archives.frozen.wacz import frames_from
from annotate.archives.members import member_names, quote_member, read_member, sizes_of
from engine import archive, bounds
from engine.bounded_file import Stamp, stamp_of
from engine.bounds import read_object
from engine.document import Document
from engine.encoding import declared_in
from engine.errors import InputError
from engine.fetch import Received
from engine.page import Page
from engine.saved import FrozenFrame, Stored, key_of, shown_address, web_address
from engine.xhtml import is_xml_kind

_LARGEST = 512 * 2**20
_LARGEST_TEXT = 64 * 2**20
_LARGEST_FRAMES = 256 * 2**20
_MOST_MEMBERS = 10_000
_MOST_UNPACKED = 2**30
_ALWAYS_UNPACKED = 64 * 2**20  # a page of one letter, repeated, is a page, too
_MOST_GROWTH = 250
"""Bytes that all members have for one of the file; most pages need ten."""


def is_frozen(path: Path) -> bool:
    """Return whether a path is the file of a frozen page, intact or damaged."""
    if not path.is_file() or path.suffix.lower() != ".wacz":
        return False
    try:
        return MANIFEST in member_names(path)
    except InputError:
        return False


@dataclass(frozen=True)
class FrozenFile:
    """The file of a frozen page; a `ResourceStore` and, to its document, the `Content`."""

    path: Path

    @property
    def manifest(self) -> dict[str, Any]:
        """Manifest of the file; raises `InputError`."""
        return _opened(self.path, stamp_of(self.path))[0]

    def document(self) -> Document:
        """Return the page; raises `InputError` if the file is damaged."""
        about = self.manifest
        address = str(about["address"])
        home = str(about["home"]) or ("" if ".invalid/" in address else address)
        self.frames()
        return Document(
            address=str(self.path),
            url=shown_address(address),
            root=self.path.parent,
            path=self.path.name,
            content=self,
            scripts=False,
            viewport=bounds.sides(about["viewport"]),
            title=str(about["title"]),
            home=home,
            repeatable=False,
            store=self,
        )

    def receive(self) -> Received:
        """Return the document as it was received; as rendered if that is not in the file."""
        about = self.manifest
        result = warc.find(self.path, str(about["address"]))
        if result is None:
            return Received(self.frames()[0].html.encode("utf-8", "replace"), "utf-8")
        encoding = str(about["encoding"] or "")
        charset = "" if declared_in(result.data) == encoding else encoding
        return Received(result.data, charset, is_xml=is_xml_kind(result.kind))

    def find(self, url: str) -> Stored | None:
        """Return the response for an address, or the stored DOM of the frame with that address."""
        try:
            goal = web_address(url)
            for frame in self.frames()[1:]:
                address = frame.address
                is_on_web = address.startswith(("http", "pagelet"))
                if is_on_web and key_of(web_address(address)) == key_of(goal):
                    return Stored(frame.html.encode("utf-8", "replace"), "text/html; charset=utf-8")
            return warc.find(self.path, goal)
        except (InputError, ValueError, OverflowError):
            return None

    def frames(self) -> tuple[FrozenFrame, ...]:
        """Return the documents as they stood; raises `InputError` if the file is damaged."""
        return _opened(self.path, stamp_of(self.path))[1]

    def digest(self) -> str:
        """Return the SHA-256 of the file, the certificate aside."""
        return sha256(json.dumps(self.manifest["members"]).encode()).hexdigest()

    def reference(self) -> Page:
        """Return the page as it was read when it was frozen; raises `InputError`."""
        version = self.manifest["version"]
        listed = self.manifest["members"]
        names = [x for x in ("original.bin", "dom.html") if reference_member(version, x) in listed]
        return archive.page_of(
            lambda name: self._member(reference_member(version, name)), names, str(self.path)
        )

    def picture(self) -> bytes:
        """Return its picture as it was frozen, PNG; raises `InputError`."""
        return self._member(PICTURE)

    def certificate(self) -> Certificate | None:
        """Return the certificate made right after freezing; None if there is none."""
        if CERTIFICATE not in member_names(self.path):
            return None
        data = read_member(self.path, CERTIFICATE, _LARGEST_TEXT)
        result = read_object(data, f"{CERTIFICATE} in {self.path}")
        inner = result if self.manifest["version"] == 1 else result.get("certificate")
        if not isinstance(inner, dict):
            raise InputError(f"{CERTIFICATE} in {self.path} holds no certificate")
        try:
            return Certificate.from_json(inner)
        except InputError as error:
            raise InputError(f"{CERTIFICATE} in {self.path}: {error}") from None

    def members(self) -> dict[str, bytes]:
        """Return all that the manifest names and the manifest; raises `InputError` for damage."""
        result = {name: self._member(name) for name in self.manifest["members"]}
        result[MANIFEST] = read_member(self.path, MANIFEST, _LARGEST_TEXT)
        return result

    def _member(self, name: str) -> bytes:
        return _unchanged(self.path, name, self.manifest["members"].get(name), _LARGEST)


def _unchanged(path: Path, name: str, digest: str | None, most: int) -> bytes:
    data = read_member(path, name, most)
    if digest != sha256(data).hexdigest():
        raise InputError(f"{name} in {path} was changed after it was written")
    return data


@lru_cache(maxsize=4)
def _opened(path: Path, _stamp: Stamp) -> tuple[dict[str, Any], tuple[FrozenFrame, ...]]:
    """Return the manifest and the frames of a file."""
    _check_sizes(path)
    data = read_member(path, MANIFEST, _LARGEST_TEXT)
    manifest = read_object(data, f"{MANIFEST} in {path}")
    try:
        if manifest.get("format") != FORMAT:
            raise InputError(f"{path} is not a frozen page")
        version = manifest.get("version")
        if type(version) is not int or version < 1:
            raise ValueError("its version is not a number")
        if version > VERSION:
            raise InputError(
                f"{path} has format {version}, this Pagelet reads up to {VERSION}: "
                "open it with a newer one"
            )
        manifest = check_manifest(manifest)
        frames = frames_from(_frame_members(path, manifest), version)
        if not frames:
            raise ValueError("it holds no document")
        return manifest, frames
    except (ValueError, MemoryError) as error:
        raise InputError(f"{path} is not a frozen page, or is damaged: {error}") from error


def _frame_members(path: Path, manifest: dict[str, Any]) -> dict[str, bytes]:
    result: dict[str, bytes] = {}
    left = _LARGEST_FRAMES
    prefix, members = frames_prefix(manifest["version"]), manifest["members"]
    for name, digest in ((x, members[x]) for x in members if x.startswith(prefix)):
        result[name] = _unchanged(path, name, digest, left)
        left -= len(result[name])
    return result


def _check_sizes(path: Path) -> None:
    """Raise `InputError` for a package that no page makes, before any of it is unpacked."""
    result = sizes_of(path)
    if result.members > _MOST_MEMBERS:
        raise InputError(f"{path} is not a frozen page: it has {result.members:,} members")
    most = min(_MOST_UNPACKED, max(_ALWAYS_UNPACKED, _MOST_GROWTH * result.packed))
    if result.unpacked > most:
        raise InputError(
            f"{path} is not a frozen page: its {result.packed:,} bytes "
            f"unpack to {result.unpacked:,}"
        )
    if result.odd:
        raise InputError(
            f"{path} is not a frozen page: {quote_member(result.odd)} is a link or leads out of it"
        )
