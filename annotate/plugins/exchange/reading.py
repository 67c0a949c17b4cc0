"""Shared functions of readers of other tools' files: text, JSON, XML, lists, names, shapes."""

import csv
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from lxml import etree

from engine import bounded_file
from engine.account import Account
from engine.csv_cells import rows_of, table_text
from engine.errors import InputError, convert_os_error
from engine.geometry import Box
from engine.words import join_words, shorten


def items_of(value: object) -> list[Any]:
    """Return a list of a file; of anything else an empty one."""
    return value if isinstance(value, list) else []


def list_in(account: Account, content: Mapping[str, Any], key: str) -> list[Any]:
    """Return the list under a key, or the values of an object there; anything else is counted."""
    value = content.get(key)
    if isinstance(value, dict):
        return list(value.values())
    if value is not None and not isinstance(value, list):
        account.pass_over(f"its {key} is not a list")
    return items_of(value)


def name_unknown(account: Account, content: Mapping[str, Any], known: Sequence[str]) -> None:
    """Pass over the items of lists that a format does not have, such as of a key misspelt."""
    for key, value in content.items():
        if key not in known and any(isinstance(each, dict) for each in items_of(value)):
            account.pass_over(f"in {shorten(key, 40)}, which is not read", key, len(value))


def read_text(path: Path, tool: str) -> str:
    """Return the text of a file; raises `InputError` if it cannot be read."""
    return read_raw(path, tool).replace("\r\n", "\n").replace("\r", "\n")


def read_raw(path: Path, tool: str) -> str:
    """Return the same with its line ends and byte order mark as they are, for positions in it.

    UTF-8, or UTF-16 and UTF-32 as PowerShell writes them, which JSON allows (RFC 4627, 3).
    """
    try:
        data = bounded_file.read_bytes(path)
        encoding = json.detect_encoding(data).removesuffix("-sig")
        if encoding in ("utf-16", "utf-32"):  # their codecs take the mark away
            encoding += "-be" if data[0] in (0, 0xFE) else "-le"
        return data.decode(encoding)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise InputError(f"{path.name} cannot be read as a file of {tool}: {error}") from None


def read_table(path: Path) -> str:
    """Return the text of a file that may be a table, saved again by a spreadsheet program.

    Raises `InputError` if it cannot be read.
    """
    with convert_os_error(f"read {path}"):
        return table_text(bounded_file.read_bytes(path)).lstrip("\ufeff \t\n")


def rows_by_name(text: str, name: str, *needed: str) -> list[dict[str, str]]:
    """Return the rows of a table by the names in its head.

    `InputError` for anything but a table with one of the columns ``needed``.
    """
    try:
        head, *rows = rows_of(text.removeprefix("#")) or [[]]
    except csv.Error as error:
        raise InputError(f"{name} cannot be read as a table: {error}") from None
    if not {*needed} & {*head}:
        raise InputError(f"{name} is no table with a column {join_words(needed, 'or')}")
    return [dict(zip(head, row, strict=False)) for row in rows]


def read_json(path: Path, tool: str) -> Any:  # noqa: ANN401
    """Return the JSON of a file, of JSON Lines as a list; a damaged line is None in it.

    Raises `InputError` if a file cannot be read.
    """
    text = read_text(path, tool).lstrip("\ufeff")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        values = [_json_or_none(line) for line in text.split("\n") if line.strip()]
        if len(values) > 1 and any(isinstance(each, dict) for each in values):
            return values
        raise InputError(f"{path.name} cannot be read as a file of {tool}: {error}") from None


def _json_or_none(text: str) -> Any:  # noqa: ANN401
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def begins_with(path: Path, sign: bytes) -> bool:
    """Return whether a file begins with an ASCII sign, in any encoding, blanks aside."""
    with convert_os_error(f"read {path}"):
        head = bounded_file.read_bytes(path)[:64]
    return head.replace(b"\0", b"").lstrip(_BLANK)[:1] == sign


_BLANK = b"\xef\xbb\xbf\xff\xfe \t\r\n"


def read_xml(path: Path, tool: str) -> etree._Element:
    """Return the root of an XML file, in the encoding it declares; no entities, no network."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        with convert_os_error(f"read {path}"):
            data = bounded_file.read_bytes(path)
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise InputError(f"{path.name} cannot be read as a file of {tool}: {error}") from None


def name_in(item: object, *keys: str) -> str:
    """Return what to call an item in an account: the first of its keys that has a value."""
    if isinstance(item, Mapping):
        for key in keys:
            if item.get(key) not in (None, ""):
                return shorten(str(item[key]), 60)
    return ""


# -- boxes around shapes: polygons, masks in run lengths, brushes

_MOST_RUNS = 10**6
_MOST_VALUES = 4 * 10**8


def box_around(points: Sequence[Sequence[Any]]) -> Box:
    """Return the box around points; `InputError` for fewer than two."""
    if len(points) < 2:
        raise InputError("it has fewer than two points")
    corners = np.array([[float(n) for n in point] for point in points], dtype=float)
    if corners.ndim != 2 or corners.shape[1] != 2:
        raise InputError("its points are no pairs of numbers")
    (x, y), (right, bottom) = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return x, y, right - x, bottom - y


def turned(box: Box, degrees: object) -> Box:
    """Return the box around one that is turned around its middle."""
    angle = math.radians(degrees) if isinstance(degrees, int | float) else 0.0
    if not angle:
        return box
    x, y, width, height = box
    cos, sin = abs(math.cos(angle)), abs(math.sin(angle))
    wide, high = width * cos + height * sin, width * sin + height * cos
    return x + (width - wide) / 2, y + (height - high) / 2, wide, high


def pairs(numbers: Sequence[Any]) -> list[Sequence[Any]]:
    """Return numbers in a row as points."""
    return [numbers[at : at + 2] for at in range(0, len(numbers), 2)]


def run_length_box(counts: object, height: int, width: int) -> Box:
    """Return the box around a mask of COCO, whose runs go down the columns.

    Args:
        counts: Lengths of the runs, of the background first; or the same compressed to a string
            (pycocotools' ``rleToString``: five bits a character, from the third run on the
            difference to the one before the last).
        height, width: Of the mask, in pixels.
    """
    runs = _decompressed(counts) if isinstance(counts, str) else [int(n) for n in counts]  # type: ignore[attr-defined]
    if len(runs) > _MOST_RUNS:
        raise InputError("its mask has no believable size")
    stops = np.cumsum(np.array(runs, dtype=np.int64))
    if (np.array(runs) < 0).any() or (stops.size and stops[-1] > height * width):
        raise InputError("its mask is larger than its picture")
    starts, stops = stops[:-1][::2], stops[1::2]
    full = starts[: stops.size] < stops
    starts, stops = starts[: stops.size][full], stops[full]
    if not starts.size:
        raise InputError("its mask is empty")
    left, right = starts // height, (stops - 1) // height
    is_within = left == right
    top = np.where(is_within, starts % height, 0).min()
    bottom = np.where(is_within, (stops - 1) % height, height - 1).max()
    x, y = int(left.min()), int(top)
    return x, y, int(right.max()) + 1 - x, int(bottom) + 1 - y


def _decompressed(text: str) -> list[int]:
    runs: list[int] = []
    value = shift = 0
    for sign in text:
        code = ord(sign) - 48
        if not 0 <= code < 64 or shift > 60:
            raise InputError("its mask is damaged")
        value |= (code & 31) << shift
        shift += 5
        if code & 32:
            continue
        if code & 16:
            value -= 1 << shift
        runs.append(value + (runs[-2] if len(runs) > 2 else 0))
        value = shift = 0
    return runs


def brush_box(packed: Sequence[int], width: int, height: int) -> Box:
    """Return the box around a brush of Label Studio, in pixels of its picture.

    The picture is packed by thi.ng's rle-pack: a header (32 bits number of values, 5 bits size of
    a word, four times 4 bits sizes of lengths), then runs of equal and of different values, which
    are red, green, blue and alpha of each pixel, row by row.
    """
    bits = np.unpackbits(np.array(packed, dtype=np.uint8))
    position = 0

    def read(size: int) -> int:
        nonlocal position
        if position + size > bits.size:
            raise InputError("its brush ends too early")
        value = int("".join(map(str, bits[position : position + size].tolist())), 2)
        position += size
        return value

    count, word = read(32), read(5) + 1
    sizes = [read(4) + 1 for _ in range(4)]
    if count != 4 * width * height or count > _MOST_VALUES:
        raise InputError("its brush is not as large as its picture")
    seen = np.zeros(count, dtype=bool)
    at = 0
    while at < count:
        is_run = read(1)
        stop = min(at + 1 + read(sizes[read(2)]), count)
        if is_run:
            seen[at:stop] = read(word) > 0
        else:
            size = (stop - at) * word
            if position + size > bits.size:
                raise InputError("its brush ends too early")
            seen[at:stop] = bits[position : position + size].reshape(-1, word).any(axis=1)
            position += size
        at = stop
    rows, columns = np.nonzero(seen[3::4].reshape(height, width))
    if not rows.size:
        raise InputError("its brush is empty")
    x, y = int(columns.min()), int(rows.min())
    return x, y, int(columns.max()) + 1 - x, int(rows.max()) + 1 - y
