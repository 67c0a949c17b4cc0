"""Page ↔ one file: a zip of JSON, HTML and NumPy columns.

Members: ``page.json`` (format number, address, viewport, names, styles), ``original.bin`` (the
bytes as received), ``dom.html`` (UTF-8), ``nodes.json`` (texts, attributes), ``columns/NAME.npy``.
The same page always gives the same bytes.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import InputError
from engine.nodes import STYLE_PROPERTIES, NodeTable
from engine.page import Page
from engine.source import Source
from engine.whole_file import replaced

FORMAT = "pagelet-page"
VERSION = 1

_COLUMNS = {
    "tag": np.int32,
    "parent": np.int32,
    "rect": np.float32,
    "offset": np.int32,
    "visible": np.bool_,
    "style": np.int32,
    "frame": np.int16,
    "outer": np.int32,
    "inner": np.int32,
}
_THEN = (1980, 1, 1, 0, 0, 0)


def write_page(path: Path, page: Page) -> None:
    """Write a page to a file, whole or not at all; raises `InputError` if it cannot be written."""
    with replaced(path) as beside:
        beside.write_bytes(pack(page))


def read_page(path: Path) -> Page:
    """Return the page of a file; `InputError` if it is none, damaged or of a newer format."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    return unpack(data, str(path))


def pack(page: Page) -> bytes:
    """Return a page as the bytes of its file."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members_of(page).items():
            member = zipfile.ZipInfo(name, _THEN)
            member.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(member, data, compresslevel=1)
    return file.getvalue()


def members_of(page: Page) -> dict[str, bytes]:
    """Return the members of a page's file, by name."""
    about: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "url": page.url,
        "viewport": page.viewport,
        "title": page.title,
        "notes": page.notes,
        "encoding": None if page.original is None else page.original.encoding,
        "nodes": None,
    }
    members: dict[str, bytes] = {}
    if page.original is not None:
        members["original.bin"] = page.original.data or _encoded(page.original.html)
        if not page.original.data:
            about["encoding"] = "text"
    if page.dom is not None:
        members["dom.html"] = _encoded(page.dom.html)
    if page.nodes is not None:
        nodes = page.nodes
        about["nodes"] = {
            "names": nodes.names,
            "properties": STYLE_PROPERTIES,
            "styles": nodes.styles,
            "width": nodes.width,
            "height": nodes.height,
        }
        own = [dict(attributes) for attributes in nodes.attributes]
        members["nodes.json"] = _json({"text": nodes.text, "attributes": own})
        for name in _COLUMNS:
            column = io.BytesIO()
            np.save(column, getattr(nodes, name), allow_pickle=False)
            members[f"columns/{name}.npy"] = column.getvalue()
    return {"page.json": _json(about), **members}


def unpack(data: bytes, name: str = "the file") -> Page:
    """Return the page that `pack` packed; ``name`` is what messages call it.

    Raises `InputError`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return page_of(archive.read, archive.namelist(), name)
    except _BROKEN as error:
        raise InputError(
            f"{name} is not a page saved by Pagelet, or is damaged: {error}"
        ) from error


def page_of(read: Callable[[str], bytes], members: Collection[str], name: str) -> Page:
    """Return the page of these members, which ``read`` reads; ``name`` is for messages.

    Raises `InputError`.
    """
    try:
        about = json.loads(read("page.json"))
        if about.get("format") != FORMAT:
            raise InputError(f"{name} is not a page saved by Pagelet")
        if about["version"] > VERSION:
            raise InputError(
                f"{name} has format {about['version']}, this Pagelet reads up to {VERSION}: "
                "open it with a newer one"
            )
        return _page(about, read, members)
    except _BROKEN as error:
        raise InputError(
            f"{name} is not a page saved by Pagelet, or is damaged: {error}"
        ) from error


_BROKEN = (
    zipfile.BadZipFile, zlib.error, KeyError, ValueError, TypeError, AttributeError, EOFError,
)  # fmt: skip


def _page(about: dict[str, Any], read: Callable[[str], bytes], members: Collection[str]) -> Page:
    original = dom = nodes = None
    if "original.bin" in members:
        data, encoding = read("original.bin"), about["encoding"]
        if encoding == "text":
            original = Source.from_text(_decoded(data))
        else:
            original = Source.from_bytes(data, encoding)
    if "dom.html" in members:
        dom = Source.from_text(_decoded(read("dom.html")))
    if about["nodes"] is not None:
        nodes = _nodes(about["nodes"], read)
    width, height = about["viewport"]
    return Page(
        url=about["url"],
        original=original,
        dom=dom,
        nodes=nodes,
        viewport=(int(width), int(height)),
        title=about["title"],
        notes=tuple(about["notes"]),
    )


def _nodes(about: dict[str, Any], read: Callable[[str], bytes]) -> NodeTable:
    if tuple(about["properties"]) != STYLE_PROPERTIES:
        raise ValueError("it keeps other computed properties than this Pagelet")
    own = json.loads(read("nodes.json"))
    arrays: dict[str, Any] = {}
    for name, kind in _COLUMNS.items():
        stored = np.load(io.BytesIO(read(f"columns/{name}.npy")), allow_pickle=False)
        arrays[name] = stored.astype(kind, copy=False)
    return NodeTable(
        names=tuple(about["names"]),
        styles=tuple(tuple(values) for values in about["styles"]),
        width=int(about["width"]),
        height=int(about["height"]),
        text=tuple(own["text"]),
        attributes=tuple(own["attributes"]),
        **arrays,
    )


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
