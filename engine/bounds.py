"""Bounds of numbers and JSON that come from files.

A number of a file reaches widgets of Qt, arrays and loops.  Beyond these bounds a window ends (a
page of 100,000 × 100,000 px: Chromium aborts the whole process), or memory does.

Python's reader makes some seventy bytes of an empty list of two, and fails on nested ones with its
own kind of error; `read_json` limits both before and while it reads.
"""

import json
from dataclasses import dataclass
from typing import Any

from engine.errors import InputError


@dataclass(frozen=True)
class Bound:
    """Least and largest value of a number.

    Attributes:
        name: What it is, in messages.
        least, most: Both may be taken.
        is_whole: Whether it has no fraction.
    """

    name: str
    least: int
    most: int
    is_whole: bool = True


SIDE = Bound("side of a viewport", 1, 16_384)
"""CSS px.  The largest texture of common graphics, so that a page can be drawn at all."""

AREA = Bound("area of a viewport", 1, 2**26)
"""CSS px²: 8,192 × 8,192, a picture of 256 MB."""

NOTED_SIDE = Bound("side of a viewport", 0, 1_000_000)
"""Of a page rendered elsewhere: noted with its marks, never drawn.  0 where it is unknown."""

OPACITY = Bound("opacity", 0, 1, is_whole=False)
LEVEL = Bound("level", 0, 2)
"""Of a layer's blocks."""

WIDTH = Bound("width of the window", 0, 1_000_000)
"""Px, as the settings hold it."""

PICTURE_SIDE = Bound("side of a picture", 1, 1_000_000)
"""Px, of a picture that somebody drew masks on."""

BOX = Bound("number of a box", -(10**9), 10**9, is_whole=False)
"""Px, or percent, of a picture: place or side of what somebody drew on it."""

STATUS = Bound("status of an answer", 0, 999)
"""Of HTTP; 0 where there was no answer."""

LENGTH = Bound("length of an answer", 0, 2**53)
"""Bytes."""


def number(value: object, bound: Bound) -> float:
    """Return a number of a file; raises `InputError` for a text, NaN, or a number out of bounds."""
    if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
        raise InputError(f"the {bound.name} must be a number, got {shown(value)}")
    if not bound.least <= value <= bound.most or (bound.is_whole and value % 1):
        span = f"from {bound.least:,} to {bound.most:,}"
        whole = "a whole number " if bound.is_whole else ""
        raise InputError(f"the {bound.name} must be {whole}{span}, got {shown(value)}")
    return value


def whole(value: object, bound: Bound) -> int:
    """Return a whole number of a file; raises as `number`."""
    return int(number(value, bound))


def sides(value: object, side: Bound = SIDE, area: Bound | None = AREA) -> tuple[int, int]:
    """Return two sides; raises `InputError` for anything else, or out of bounds."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        what = side.name.partition(" of ")[2]
        raise InputError(f"the size of {what} must be two numbers, got {shown(value)}")
    width, height = (whole(each, side) for each in value)
    if area is not None and width * height > area.most:
        raise InputError(
            f"the {area.name} must be at most {area.most:,} px, got {width} × {height}"
        )
    return width, height


def shown(value: object) -> str:
    """Return a value for a message, cut where it is long."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**18:
        return "one with more than 18 digits"  # Python refuses to print the longest
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


MAX_BYTES = 128 * 2**20
"""The largest JSON that is read."""

MAX_CONTAINERS = 5_000_000
"""Lists and objects in it at most; brackets within its texts are counted with them."""


def read_json(data: bytes, where: str) -> Any:  # noqa: ANN401  whatever it holds
    """Return the value of JSON in UTF-8; raise `InputError`, in which ``where`` names it."""
    if len(data) > MAX_BYTES:
        raise InputError(f"{where} is larger than {MAX_BYTES // 2**20} MB")
    if data.count(b"[") + data.count(b"{") > MAX_CONTAINERS:
        raise InputError(f"{where} has more than {MAX_CONTAINERS:,} lists and objects")
    try:
        return json.loads(data)
    except RecursionError:
        raise InputError(f"{where} is nested too deeply") from None
    except MemoryError:
        raise InputError(f"{where} takes more memory than there is") from None
    except (ValueError, OverflowError) as error:
        raise InputError(f"{where} is not JSON: {_reason(error)}") from None


def read_object(data: bytes, where: str) -> dict[str, Any]:
    """Return the JSON object that bytes are; raises `InputError`."""
    value = read_json(data, where)
    if not isinstance(value, dict):
        raise InputError(f"{where} is not a JSON object")
    return value


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if text.isprintable() else repr(text)[1:-1]
