"""Page ↔ one file: a zip of JSON, HTML and NumPy columns.

Members: ``page.json`` (format number, address, viewport, names, styles), ``original.bin`` (the
bytes as received), ``dom.html`` (UTF-8), ``nodes.json`` (texts, attributes), ``columns/NAME.npy``.
The same page always gives the same bytes.
"""

import io
import json
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from engine import bounds
from engine.bounded_file import atomic_write
from engine.bounds import read_object
from engine.errors import InputError, convert_os_error
from engine.nodes import STYLE_PROPERTIES, NodeTable
from engine.page import Page
from engine.source import Source

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
_FIRST = STYLE_PROPERTIES.index("content-visibility")
"""How many properties version 1.0 asked for; the later ones are "" where they were not."""

_THEN = (1980, 1, 1, 0, 0, 0)


def write_page(path: Path, page: Page) -> None:
    """Write a page to a file atomically; raises `InputError` if it cannot be written."""
    with atomic_write(path) as beside:
        beside.write_bytes(pack(page))


def read_page(path: Path) -> Page:
    """Return the page of a file; `InputError` if it is none, damaged or of a newer format."""
    with convert_os_error(f"read {path}"):
        data = path.read_bytes()
    return unpack(data, str(path))


def pack(page: Page) -> bytes:
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
    """Return the page that `pack` packed; raises `InputError`, which calls it ``name``."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return page_of(archive.read, archive.namelist(), name)
    except (*_BROKEN, NotImplementedError, RuntimeError) as error:
        raise _none(name, error) from error


def page_of(read: Callable[[str], bytes], members: Collection[str], name: str) -> Page:
    """Return the page of these members, which ``read`` reads; ``name`` is for messages.

    Raises `InputError`.
    """
    try:
        about = _object(read("page.json"), "page.json")
        if about.get("format") != FORMAT:
            raise InputError(f"{name} is not a page saved by Pagelet")
        version = _is(about.get("version"), int, "page.json: version")
        if version > VERSION:
            raise InputError(
                f"{name} has format {version}, this Pagelet reads up to {VERSION}: "
                "open it with a newer one"
            )
        return _page(about, read, members)
    except _BROKEN as error:
        raise _none(name, error) from error


_BROKEN = (
    zipfile.BadZipFile, zlib.error, struct.error, KeyError, ValueError, TypeError, AttributeError,
    EOFError, OverflowError, MemoryError,
)  # fmt: skip


def _none(name: str, error: Exception) -> InputError:
    reason = f"there is no {error}" if isinstance(error, KeyError) else f"{error}"
    return InputError(f"{name} is not a page saved by Pagelet, or is damaged: {reason}")


def _page(about: dict[str, Any], read: Callable[[str], bytes], members: Collection[str]) -> Page:
    original = dom = nodes = None
    if "original.bin" in members:
        data, encoding = read("original.bin"), _is(about["encoding"], str, "page.json: encoding")
        if encoding == "text":
            original = Source.from_text(_decoded(data))
        else:
            original = Source.from_bytes(data, encoding)
    if "dom.html" in members:
        dom = Source.from_text(_decoded(read("dom.html")))
    if about["nodes"] is not None:
        nodes = _nodes(_is(about["nodes"], dict, "page.json: nodes"), read)
    return Page(
        url=_is(about["url"], str, "page.json: url"),
        original=original,
        dom=dom,
        nodes=nodes,
        viewport=bounds.sides(about["viewport"], bounds.NOTED_SIDE, None),
        title=_is(about["title"], str, "page.json: title"),
        notes=_all(about["notes"], str, "page.json: notes"),
    )


def _nodes(about: dict[str, Any], read: Callable[[str], bytes]) -> NodeTable:
    properties = _all(about["properties"], str, "page.json: properties")
    known = (STYLE_PROPERTIES[:count] for count in range(_FIRST, len(STYLE_PROPERTIES) + 1))
    if properties not in known:
        raise ValueError("it was saved with other computed properties: render it again")
    own = _object(read("nodes.json"), "nodes.json")
    rows = [_all(values, str, "page.json: styles") for values in about["styles"]]
    if any(len(values) != len(properties) for values in rows):
        raise ValueError("page.json: one of its styles has not all properties")
    missing = ("",) * (len(STYLE_PROPERTIES) - len(properties))
    rows = [(*values, *missing) for values in rows]
    arrays: dict[str, Any] = {
        name: _column(read(f"columns/{name}.npy"), kind, f"columns/{name}.npy")
        for name, kind in _COLUMNS.items()
    }
    table = NodeTable(
        names=_all(about["names"], str, "page.json: names"),
        styles=tuple(rows),
        width=_is(about["width"], int, "page.json: width"),
        height=_is(about["height"], int, "page.json: height"),
        text=_all(own["text"], str, "nodes.json: text"),
        attributes=_all(own["attributes"], dict, "nodes.json: attributes"),
        **arrays,
    )
    for mapping in table.attributes:
        if not all(type(value) is str for value in mapping.values()):
            raise ValueError("nodes.json: an attribute is not a text")
    for name, least, end in (
        ("tag", 0, len(table.names)), ("style", 0, len(rows)), ("parent", -1, len(table)),
        ("frame", 0, 2**15), ("outer", -1, 2**31), ("inner", -1, 2**31),
    ):  # fmt: skip
        column = arrays[name]
        if column.size and not (least <= column.min() and column.max() < end):
            raise ValueError(f"columns/{name}.npy has a value out of range")
    if not np.isfinite(arrays["rect"]).all():
        raise ValueError("columns/rect.npy has a value that is no number")
    return table


_NPY_HEAD = re.compile(
    rb"\{'descr': '([<>|](?:b1|[iu][1248]|f[248]))', 'fortran_order': (True|False), "
    rb"'shape': \(((?:\d{1,12}, ?){0,8}\d{0,12})\), \}\s*"
)
"""As NumPy writes it; NumPy's own reader takes it for Python, and may raise or warn of anything."""


def numbers(data: bytes, name: str) -> npt.NDArray[Any]:
    """Return a ``.npy`` file's array, read-only; its head is not trusted.

    Raises `ValueError` unless it is a complete array of numbers, in rows.
    """
    if data[:8] != b"\x93NUMPY\x01\x00":
        raise ValueError(f"{name} is not a column of numbers: its format is of another version")
    start = 10 + int.from_bytes(data[8:10], "little")
    match = _NPY_HEAD.fullmatch(data, 10, start)
    if match is None:
        raise ValueError(f"{name} is not a column of numbers: its head is damaged")
    kind = np.dtype(match[1].decode())
    shape = tuple(int(size) for size in match[3].replace(b" ", b"").split(b",") if size)
    if kind.itemsize > 8 or match[2] == b"True":
        raise ValueError(f"{name} has the wrong type: {kind}")
    if math.prod(shape) * kind.itemsize != len(data) - start:
        raise ValueError(f"{name} is not as long as its head says")
    return np.frombuffer(data, kind, offset=start).reshape(shape)


def _column(data: bytes, kind: Any, name: str) -> npt.NDArray[Any]:  # noqa: ANN401  a NumPy type
    values, kind = numbers(data, name), np.dtype(kind)
    if (values.dtype.kind, values.dtype.itemsize) != (kind.kind, kind.itemsize):
        raise ValueError(f"{name} has the wrong type: {values.dtype}")
    return values.astype(kind, copy=True)


def _object(data: bytes, what: str) -> dict[str, Any]:
    try:
        return read_object(data, what)
    except InputError as error:
        raise ValueError(str(error)) from None


_Kind = TypeVar("_Kind")


def _is(value: object, kind: type[_Kind], what: str) -> _Kind:
    if type(value) is not kind:
        raise ValueError(f"{what} has the wrong type")
    return value


def _all(values: object, kind: type[_Kind], what: str) -> tuple[_Kind, ...]:
    if type(values) is not list or not all(type(value) is kind for value in values):
        raise ValueError(f"{what} has the wrong type")
    return tuple(values)


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
