"""Comparison of a page as it was frozen with the restored one, by properties of nodes.

Nodes are paired by their place in the tree: the parent's pair, the tag, and the how-manieth of that
tag.  All is compared exactly, boxes to the 64th of a pixel that Chromium lays out in.
"""

import re
import struct
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from annotate.archives.frozen.certificate import MOST_CHANGES, Check, NodeChange
from engine.nodes import NodeTable
from engine.tree import Bools, Ints
from engine.words import plural

_LONGEST = 80
_PNG_HEAD = 24
_MOST_PIXELS = 2**28
"""A picture of more is not unpacked: no viewport is larger, no picture higher than 16,384 px."""

_ADDRESS = re.compile(r"(?:https?|pagelet)://([^/:\"')]+)(?::\d+)?")
"""What a style names: the page may have been read under another scheme."""


def compare(before: NodeTable, now: NodeTable) -> tuple[list[Check], list[NodeChange]]:
    """Return the comparisons of two tables, and the nodes that differ (`MOST_CHANGES`)."""
    at = pair_rows(before, now)
    is_there = at >= 0
    is_new = np.ones(len(now), dtype=bool)
    is_new[at[is_there]] = False
    rows, others = np.flatnonzero(is_there).astype(np.int32), at[is_there]
    changes = list(_missing(before, ~is_there, "gone")) + list(_missing(now, is_new, "new"))
    lost, come = int(np.count_nonzero(~is_there)), int(np.count_nonzero(is_new))
    checks = [
        Check(
            "tree",
            not lost and not come and bool(np.all(np.diff(others) > 0)),
            plural(len(before), "node") if not (lost or come) else f"{lost} gone, {come} new",
        )
    ]

    def boxes(nodes: NodeTable, row: int) -> str:
        return " ".join(f"{value:g}" for value in nodes.rect[row].tolist())

    count = _known_properties(before)
    styles = _styles_of(before, count), _styles_of(now, count)

    def own(nodes: NodeTable, row: int) -> str:
        return " ".join(f'{key}="{value}"' for key, value in nodes.attributes[row].items())

    same_text = _equal(before.text, now.text, rows, others)
    same_own = _equal(before.attributes, now.attributes, rows, others)
    same_box = np.all(before.rect[rows] == now.rect[others], axis=1)
    is_alike = before.visible[rows] == now.visible[others]
    same_style = _same_styles(before, now, rows, others, styles)
    properties: tuple[tuple[str, str, Bools, Callable[[NodeTable, int], str]], ...] = (
        ("text", "text", same_text, lambda nodes, row: nodes.text[row]),
        ("attributes", "attributes", same_own, own),
        ("boxes", "box", same_box, boxes),
        ("visibility", "shown", is_alike, lambda n, row: "shown" if n.visible[row] else "hidden"),
        ("styles", "style", same_style, lambda nodes, row: styles[nodes is now][nodes.style[row]]),
    )
    for name, what, is_same, tell in properties:
        wrong = np.flatnonzero(~is_same)
        text = (
            plural(rows.size, "node") if not wrong.size else f"{wrong.size} of {rows.size} differ"
        )
        checks.append(Check(name, not wrong.size, text))
        changes += _changed(before, now, rows[wrong], others[wrong], what, tell)
    before_size, size = (before.width, before.height), (now.width, now.height)
    text = "{}×{} px".format(*before_size)
    if before_size != size:
        text += " became {}×{} px".format(*size)
    checks.append(Check("size", before_size == size, text))
    return checks, changes[:MOST_CHANGES]


def compare_pictures(before: bytes, now: bytes) -> Check:
    """Return whether two PNG files show the same, pixel by pixel."""
    first, second = _pixels(before), _pixels(now)
    if first is None or second is None:
        return Check("picture", False, "cannot be read")
    size = f"{first.shape[1]}×{first.shape[0]} px"
    if first.shape != second.shape:
        return Check("picture", False, f"{size} became {second.shape[1]}×{second.shape[0]} px")
    wrong = np.any(first != second, axis=2)
    count = int(np.count_nonzero(wrong))
    if not count:
        return Check("picture", True, size)
    lines = np.flatnonzero(wrong.any(axis=1))
    share = count / wrong.size
    where = f"{share:.2%} of the pixels, between {lines[0]} and {lines[-1]} px from the top"
    return Check("picture", False, where)


def pair_rows(before: NodeTable, now: NodeTable) -> Ints:
    """Return the row in ``now`` for each row of ``before``, int32 (n,); -1 for missing rows."""
    keys: dict[tuple[int, str, int], int] = {}
    of_now = _keys(now, keys)
    rows = np.full(len(keys), -1, dtype=np.int32)
    rows[of_now] = np.arange(len(now), dtype=np.int32)
    of_before = _keys(before, keys)
    known = of_before < rows.size
    result = np.full(len(before), -1, dtype=np.int32)
    result[known] = rows[of_before[known]]
    return result


def _keys(nodes: NodeTable, keys: dict[tuple[int, str, int], int]) -> Ints:
    """Number each row's place in the tree; the same place has the same number in all tables."""
    counts: dict[tuple[int, int], int] = {}
    result: list[int] = []
    for parent, tag in zip(nodes.parent.tolist(), nodes.tag.tolist(), strict=True):
        position = counts[parent, tag] = counts.get((parent, tag), 0) + 1
        above = result[parent] if parent >= 0 else -1
        result.append(keys.setdefault((above, nodes.names[tag], position), len(keys)))
    return np.array(result, dtype=np.int32)


def _equal(before: Sequence[object], now: Sequence[object], rows: Ints, others: Ints) -> Bools:
    pairs = zip(rows.tolist(), others.tolist(), strict=True)
    return np.fromiter((before[a] == now[b] for a, b in pairs), bool, rows.size)


def _known_properties(nodes: NodeTable) -> int:
    """Return how many of the properties a page has: one that was frozen earlier lacks the last."""
    values = (any(column) for column in zip(*nodes.styles, strict=True))
    return max((place for place, known in enumerate(values, 1) if known), default=0)


def _styles_of(nodes: NodeTable, count: int) -> list[str]:
    return [_ADDRESS.sub(r"//\1", "; ".join(values[:count])) for values in nodes.styles]


def _same_styles(
    before: NodeTable, now: NodeTable, rows: Ints, others: Ints, styles: tuple[list[str], list[str]]
) -> Bools:
    numbers: dict[str, int] = {}
    first, second = (
        np.array([numbers.setdefault(each, len(numbers)) for each in table], dtype=np.int32)
        for table in styles
    )
    return np.asarray(first[before.style[rows]] == second[now.style[others]])


def _missing(nodes: NodeTable, selected: Bools, what: str) -> Iterator[NodeChange]:
    for row in np.flatnonzero(selected)[:MOST_CHANGES].tolist():
        text = _short(nodes.text_below(row) if not nodes.is_text[row] else nodes.text[row])
        at, *texts = (-1, text, "") if what == "gone" else (row, "", text)
        yield NodeChange(nodes.path(row), at, what, *texts)


def _changed(
    before: NodeTable, now: NodeTable, rows: Ints, others: Ints, what: str,
    tell: Callable[[NodeTable, int], str],
) -> Iterator[NodeChange]:  # fmt: skip
    for row, other in list(zip(rows.tolist(), others.tolist(), strict=True))[:MOST_CHANGES]:
        first, second = _differing(tell(before, row), tell(now, other))
        yield NodeChange(now.path(other), other, what, first, second)


def _differing(first: str, second: str) -> tuple[str, str]:
    """Return two texts without what both begin with, shortened."""
    start = 0
    if max(len(first), len(second)) > _LONGEST:
        pairs = enumerate(zip(first, second, strict=False))
        start = next((k for k, (a, b) in pairs if a != b), min(len(first), len(second)))
        start = max(start - _LONGEST // 4, 0)
    return _short(first[start:]), _short(second[start:])


def _short(text: str) -> str:
    texts = " ".join(text.split())
    return texts if len(texts) <= _LONGEST else f"{texts[: _LONGEST - 1]}…"


def _pixels(data: bytes) -> npt.NDArray[np.uint8] | None:
    from engine.opencv import cv2

    if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) < _PNG_HEAD:
        return None
    width, height = struct.unpack_from(">II", data, 16)
    if width * height > _MOST_PIXELS:
        return None
    image = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), cv2.IMREAD_COLOR)
    return None if image is None else np.asarray(image, dtype=np.uint8)
