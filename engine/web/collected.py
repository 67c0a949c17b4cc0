"""Conversion of the replies of collect.js for all frames to one `NodeTable`. No Qt."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.errors import ScriptError
from engine.nodes import NodeTable
from engine.tree import Ints, Tree

_LIKE_THIS = ("tag", "rect", "offset", "visible", "style")
"""Columns of a page that are its frames' one after the other."""

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class FrameReply:
    """Reply of collect.js for a frame, whose path is as that of a `FrozenFrame`."""

    path: tuple[int, ...]
    columns: dict[str, Any]


def node_table(replies: Sequence[FrameReply]) -> tuple[NodeTable, Ints]:
    """Join the frames of a page into one table.

    Args:
        replies: The main frame first; frames whose place is not found in their parent are left out.

    Returns:
        The table, and int32 (k,): its row for each row of the main frame's own walk.

    Raises:
        ScriptError: A reply is not what collect.js gives.
    """
    try:
        return _joined(replies)
    except (KeyError, TypeError, ValueError, OverflowError, IndexError) as error:
        raise ScriptError(f"the page's snapshot is damaged: {error!r}") from error


def _joined(replies: Sequence[FrameReply]) -> tuple[NodeTable, Ints]:
    names: dict[str, int] = {}
    styles: dict[tuple[str, ...], int] = {}
    by_path = {reply.path: reply for reply in replies}

    def build(reply: FrameReply) -> tuple[_NodeColumns, Ints]:
        rows = _NodeColumns.of(reply.columns, names, styles)
        children = []
        for frame, child in _framed(reply, by_path):
            row = int(frame["row"])
            below, _ = build(child)
            children.append((row, below.placed(frame, is_shown=bool(rows.visible[row]))))
        return rows.with_children(children)

    main = replies[0]
    rows, local_rows = build(main)
    html = str(main.columns["html"])
    table = NodeTable(
        **{name: getattr(rows, name) for name in ("parent", *_LIKE_THIS)},
        names=tuple(names),
        text=tuple(rows.text),
        styles=tuple(styles),
        attributes=tuple(rows.attributes),
        frame=_numbered(rows.frame),
        outer=code_points(html, rows.outer),
        inner=code_points(html, rows.inner),
        width=int(main.columns["width"]),
        height=int(main.columns["height"]),
    )
    return table, local_rows


def code_points(text: str, units: Ints) -> Ints:
    """Return offsets in UTF-16 units, of any shape, as offsets in code points; -1 stays."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    wide = codes > 0xFFFF
    if not wide.any():
        return units
    starts = np.concatenate(([0], np.cumsum(1 + wide)))
    result = np.searchsorted(starts, units.ravel()).astype(np.int32).reshape(units.shape)
    return np.asarray(np.where(units < 0, np.int32(-1), result), dtype=np.int32)


def _framed(
    reply: FrameReply, by_path: Mapping[tuple[int, ...], FrameReply]
) -> list[tuple[dict[str, Any], FrameReply]]:
    """Pair the frame elements of one frame with the replies of its children, in row order."""
    children = {p[-1]: r for p, r in by_path.items() if p and p[:-1] == reply.path}
    pairs = []
    for element in reply.columns["frames"]:
        child = children.pop(element["index"], None) if element["isFrame"] else None
        if child is not None:
            pairs.append((element, child))
    return pairs


def _numbered(frame: npt.NDArray[np.int64]) -> npt.NDArray[np.int16]:
    """Number frames by the order in which their first rows come."""
    if not frame.size:
        return frame.astype(np.int16)
    _, first, inverse = np.unique(frame, return_index=True, return_inverse=True)
    rank = np.empty(first.size, dtype=np.int16)
    rank[np.argsort(first)] = np.arange(first.size, dtype=np.int16)
    return np.asarray(rank[inverse.ravel()], dtype=np.int16)


@dataclass
class _NodeColumns:
    """The columns of `NodeTable` while they are put together; offsets are in UTF-16 units."""

    tag: Ints
    parent: Ints
    rect: npt.NDArray[np.float32]
    offset: Ints
    visible: npt.NDArray[np.bool_]
    style: Ints
    outer: Ints
    inner: Ints
    frame: npt.NDArray[np.int64]
    text: list[str]
    attributes: list[Mapping[str, str]]

    @classmethod
    def of(
        cls, columns: dict[str, Any], names: dict[str, int], styles: dict[tuple[str, ...], int]
    ) -> "_NodeColumns":
        """Decode one frame's columns; names and styles are interned over all frames."""
        tag_of = [names.setdefault(name, len(names)) for name in columns["names"]]
        style_of = [styles.setdefault(tuple(s), len(styles)) for s in columns["styles"]]
        tag = _ints(columns["tag"])
        is_text = np.array([name == "#text" for name in columns["names"]], dtype=bool)[tag]
        n = tag.size
        texts, own = iter(columns["texts"]), iter(columns["attributes"])
        text, attributes = [], []
        for row_is_text in is_text.tolist():
            text.append(next(texts) if row_is_text else "")
            flat = () if row_is_text else next(own)
            attributes.append(dict(zip(flat[::2], flat[1::2], strict=True)) if flat else _NOTHING)
        return cls(
            tag=np.array(tag_of, dtype=np.int32)[tag],
            parent=_ints(columns["parent"]),
            rect=_array(columns["rect"], "<f4").reshape(n, 4).astype(np.float32),
            offset=_ints(columns["offset"]).reshape(n, 2),
            visible=_array(columns["visible"], "u1").astype(np.bool_),
            style=np.array(style_of, dtype=np.int32)[_ints(columns["style"])],
            outer=_ints(columns["outer"]).reshape(n, 2),
            inner=_ints(columns["inner"]).reshape(n, 2),
            frame=np.zeros(n, dtype=np.int64),
            text=text,
            attributes=attributes,
        )

    def placed(self, frame: Mapping[str, Any], *, is_shown: bool) -> "_NodeColumns":
        """Bring a frame's rows to where the frame is drawn, each box to that around what is drawn.

        ``frame`` has where its document begins (``x``, ``y``) and how its px are drawn (``matrix``,
        the linear part of a CSS matrix).  Nothing shows in a frame that does not.
        """
        has_box = np.any(self.rect != 0, axis=1)
        matrix = np.array(frame["matrix"], dtype=np.float64).reshape(2, 2)
        start, size = self.rect[has_box, :2] @ matrix, self.rect[has_box, 2:, None] * matrix
        start += np.minimum(size, 0).sum(axis=1) + np.array([frame["x"], frame["y"]])
        self.rect[has_box] = np.concatenate([start, np.abs(size).sum(axis=1)], axis=1)
        self.visible &= is_shown
        self.outer[:] = -1
        self.inner[:] = -1
        return self

    def with_children(
        self, children: list[tuple[int, "_NodeColumns"]]
    ) -> tuple["_NodeColumns", Ints]:
        """Insert each child's rows behind the subtree of its frame element.

        Returns:
            The joined rows, and int32 (n,): where each of these rows went.
        """
        n = self.tag.size
        if not children:
            return self, np.arange(n, dtype=np.int32)
        end = Tree((), self.tag, self.parent).end
        behind = np.zeros(n + 1, dtype=np.int32)  # rows inserted before row j
        for row, child in children:
            behind[end[row]] += child.tag.size
        position = (np.arange(n) + np.cumsum(behind)[:n]).astype(np.int32)

        positions, parents = [position], [_mapped(self.parent, position)]
        frames = [self.frame]
        used = np.zeros(n + 1, dtype=np.int32)
        total = np.cumsum(behind) + np.arange(n + 1)  # current position of row j
        highest = int(self.frame.max(initial=0))
        for row, child in children:
            at = int(end[row])
            start = int(total[at]) - int(behind[at]) + int(used[at])
            used[at] += child.tag.size
            positions.append(np.arange(start, start + child.tag.size, dtype=np.int32))
            below = child.parent + start
            parents.append(np.where(child.parent < 0, position[row], below).astype(np.int32))
            frames.append(child.frame + highest + 1)
            highest = int(frames[-1].max(initial=highest))
        order = np.argsort(np.concatenate(positions))
        parts = [self, *(child for _, child in children)]

        def column(name: str) -> Any:  # noqa: ANN401  arrays of several types
            return np.concatenate([getattr(part, name) for part in parts])[order]

        text = [t for part in parts for t in part.text]
        attributes = [a for part in parts for a in part.attributes]
        joined = _NodeColumns(
            **{name: column(name) for name in (*_LIKE_THIS, "outer", "inner")},
            parent=np.concatenate(parents)[order],
            frame=np.concatenate(frames)[order],
            text=[text[k] for k in order.tolist()],
            attributes=[attributes[k] for k in order.tolist()],
        )
        return joined, position


def _mapped(parent: Ints, index: Ints) -> Ints:
    return np.asarray(np.where(parent < 0, np.int32(-1), index[parent]), dtype=np.int32)


def _array(packed: str, kind: str) -> npt.NDArray[Any]:
    return np.frombuffer(base64.b64decode(packed), dtype=kind)


def _ints(packed: str) -> Ints:
    return _array(packed, "<i4").astype(np.int32)
