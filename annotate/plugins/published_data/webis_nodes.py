"""Recorded nodes of a Webis page put onto its DOM: ``nodes.csv`` and ``nodes-texts.csv``.

The boxes were recorded when the screenshot was taken, with style sheets the folder does not hold,
so a rendering of ``dom.html`` has the nodes and not their places.  Recorded paths begin at the body
and count an element among its siblings of the same name that have a box, a text among those that
are not blank (webis-web-archiver, ``get-elements.js``).  Which elements had a box depends on the
style sheets, so a path alone does not tell a node.  What tells it is text: recorded texts are found
among the page's, in order, those whose ancestors have the same names first; each of them votes for
what its ancestors are.  From the body down the rest is then told by its place between siblings
that are known: counting all of them, unless exactly as many as were recorded can be seen.

On 30 of Kreuzer's pages, recorded with their style sheets and found again without, 99.9 % of 8,434
nodes get their own rows, whichever siblings were counted; 6 ms a page.
"""

import csv
import io
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from rapidfuzz.distance import LCSseq

from engine import geometry
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.tree import TEXT, Bools, Doubles, Ints
from engine.words import plural

_LONGEST = 1 << 30  # of a field; Python's own limit is shorter than some scripts
_FARTHEST = 1e6  # px; no screenshot is as large


@dataclass(frozen=True, eq=False)
class Recorded:
    """The recorded nodes.

    Attributes:
        paths: Upper-case absolute XPaths, in the file's order.
        boxes: float64 (k, 4). Left, top, right, bottom of each, px.
        texts: Text content, by path.
        problems: A sentence for each file with lines that cannot be used.
    """

    paths: tuple[str, ...]
    boxes: Doubles
    texts: dict[str, str]
    problems: tuple[str, ...] = ()


def read_recorded(folder: Path) -> Recorded:
    """Read a page's nodes; `InputError` if there is no ``nodes.csv`` that can be read."""
    problems: list[str] = []
    paths, boxes, bad = [], [], 0
    for line in _lines(folder / "nodes.csv", ("left", "bottom", "right", "top", "xpath")):
        try:
            left, bottom, right, top = (float(value) for value in line[:4])
        except ValueError:
            left = bottom = right = top = np.nan
        is_position = all(abs(side) < _FARTHEST for side in (left, bottom, right, top))
        if is_position and line[4].startswith("/"):
            paths.append(line[4])
            boxes.append((left, top, right, bottom))
        else:
            bad += 1
    if bad:
        problems.append(f"{plural(bad, 'line')} of nodes.csv left out: no node")
    texts: dict[str, str] = {}
    if (folder / "nodes-texts.csv").is_file():
        columns = ("xpath", "ncharacter", "text")
        lines = _lines(folder / "nodes-texts.csv", columns)
        texts = {path: text for path, _, text in lines if path.startswith("/")}
    else:
        problems.append("there is no nodes-texts.csv; nodes are found by their paths alone")
    corners = np.array(boxes, dtype=np.float64).reshape(-1, 4)
    return Recorded(tuple(paths), corners, texts, tuple(problems))


def _lines(path: Path, columns: Sequence[str]) -> Iterable[list[str]]:
    """Yield the named columns of a table, or the first ones if it does not name them all."""
    limit = csv.field_size_limit(_LONGEST)
    try:
        text = decode_text(path.read_bytes())
        rows = [row for row in csv.reader(io.StringIO(text, newline="")) if row]
    except (OSError, csv.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path} cannot be read: {reason}") from None
    finally:
        csv.field_size_limit(limit)
    head = [name.strip().lower() for name in rows[0]] if rows else []
    indices = list(range(len(columns)))
    if set(columns) <= set(head):
        indices = [head.index(name) for name in columns]
        rows = rows[1:]
    return [[row[k] for k in indices] for row in rows if len(row) > max(indices)]


def decode_text(data: bytes) -> str:
    """Return text that was written in the page's own encoding, mostly UTF-8."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def align(nodes: NodeTable, recorded: Recorded) -> Ints:
    """Return the row of each recorded node, int32 (k,); -1 for those that are not on the page."""
    paths = _Paths.of(recorded)
    result = _Search(nodes, paths).run()
    return np.array([result[paths.number[path]] for path in recorded.paths], dtype=np.int32)


def with_boxes(
    nodes: NodeTable, rows: Ints, boxes: Doubles, size: tuple[int, int] | None = None
) -> NodeTable:
    """Return the nodes with the boxes of some rows; all others are not seen and have none.

    Args:
        nodes: The page.
        rows: int32 (k,). -1 for a box without a row.
        boxes: float64 (k, 4). Left, top, right, bottom.
        size: Width and height of the page; as it was if None.
    """
    rect = np.zeros((len(nodes), 4), dtype=np.float32)
    rect[rows[rows >= 0]] = geometry.from_corners(boxes[rows >= 0])
    rect[geometry.areas(rect) == 0] = 0
    width, height = size or (nodes.width, nodes.height)
    return replace(
        nodes,
        rect=rect,
        offset=np.rint(rect[:, 2:]).astype(np.int32),
        visible=geometry.areas(rect) > 0,
        width=width,
        height=height,
    )


@dataclass
class _Paths:
    """Recorded paths and all above them as a tree; an item's parent has a smaller number."""

    number: dict[str, int] = field(default_factory=dict)
    parent: list[int] = field(default_factory=list)
    name: list[str] = field(default_factory=list)
    index: list[int] = field(default_factory=list)
    texts: list[tuple[int, str]] = field(default_factory=list)

    @classmethod
    def of(cls, recorded: Recorded) -> "_Paths":
        paths = cls()
        for path in recorded.paths:
            paths._add(path)
        for path, text in recorded.texts.items():
            squeezed = _squeezed(text)
            if squeezed:
                paths.texts.append((paths._add(path), squeezed))
        return paths

    def _add(self, path: str) -> int:
        missing = []
        while path and path not in self.number:
            missing.append(path)
            path = path.rpartition("/")[0]
        parent = self.number[path] if path else -1
        for each in reversed(missing):
            name, _, index = each.rpartition("/")[2].lower().partition("[")
            digits = index.rstrip("] ")
            self.number[each] = len(self.parent)
            self.parent.append(parent)
            self.name.append(TEXT if name == "text()" else name)
            self.index.append(int(digits) if digits.isdecimal() else 1)
            parent = self.number[each]
        return parent

    def __len__(self) -> int:
        return len(self.parent)


class _Search:
    """Finds the row of each item of a tree of paths."""

    def __init__(self, nodes: NodeTable, paths: _Paths) -> None:
        self._nodes = nodes
        self._paths = paths
        self._parents: list[int] = nodes.parent.tolist()
        self._names = [nodes.names[tag] for tag in nodes.tag.tolist()]
        has_box = geometry.areas(geometry.visual_rects(nodes)) > 0
        self._is_seen: Bools = np.where(nodes.is_text, nodes.has_words, has_box)
        self._row = [-1] * len(paths)
        self._taken: set[int] = set()

    def run(self) -> list[int]:
        """Return the row of each item, -1 if it has none."""
        votes = self._votes()
        groups: dict[tuple[int, str], list[int]] = defaultdict(list)
        order: list[int] = []
        for item, parent in enumerate(self._paths.parent):
            groups[parent, self._paths.name[item]].append(item)
            order.append(parent)
        # Groups follow the order of their parents, which are placed before them.
        for parent, name in dict.fromkeys(zip(order, self._paths.name, strict=True)):
            group = sorted(groups[parent, name], key=self._paths.index.__getitem__)
            self._assign(group, parent, name, votes)
        return self._row

    def _votes(self) -> list[Counter[int]]:
        """Return for each item the rows that texts at or below it match, with their number."""
        votes: list[Counter[int]] = [Counter() for _ in range(len(self._paths))]
        for item, row in self._same_texts():
            while item >= 0 and row >= 0 and self._paths.name[item] == self._names[row]:
                votes[item][row] += 1
                item, row = self._paths.parent[item], self._parents[row]
        return votes

    def _same_texts(self) -> list[tuple[int, int]]:
        """Return which recorded text is which row: those below the same names, then the rest."""
        nodes, paths = self._nodes, self._paths
        here = np.flatnonzero(nodes.has_words & (nodes.frame == 0)).tolist()
        squeezed = {row: _squeezed(nodes.text[row]) for row in here}
        # Items and rows are named by numbers: the same number, the same names on the path.
        known: dict[tuple[int, str], int] = {}
        kinds = _kinds(paths.parent, paths.name, known)
        row_kinds = _kinds(self._parents, self._names, known)
        pairs: list[tuple[int, int]] = []
        texts, rows = list(paths.texts), here
        for strict, match in ((True, _common), (False, _common), (False, _unique)):
            ours = [(kinds[item] if strict else 0, text) for item, text in texts]
            theirs = [(row_kinds[row] if strict else 0, squeezed[row]) for row in rows]
            matches = match(ours, theirs)
            pairs.extend((texts[a][0], rows[b]) for a, b in matches)
            done, used = {a for a, _ in matches}, {b for _, b in matches}
            texts = [text for k, text in enumerate(texts) if k not in done]
            rows = [row for k, row in enumerate(rows) if k not in used]
        return pairs

    def _assign(self, group: list[int], parent: int, name: str, votes: list[Counter[int]]) -> None:
        """Place all recorded siblings of one name; ``group`` is in their order."""
        above = self._row[parent] if parent >= 0 else -1
        children: list[int] = []
        if parent < 0 and len(self._nodes):
            children = [0] if self._names[0] == name else []
        elif above >= 0:
            children = [
                row
                for row in self._nodes.children(above).tolist()
                if self._names[row] == name and self._nodes.frame[row] == 0
            ]
        ordinal = {row: index for index, row in enumerate(children)}
        known: list[tuple[int, int]] = []  # place in the group, place among the children
        rest: list[int] = []
        for k, item in enumerate(group):
            row = max(votes[item], key=votes[item].__getitem__) if votes[item] else -1
            if row < 0:
                rest.append(k)
            elif row not in ordinal:  # moved
                self._take(item, row)
            elif not known or ordinal[row] > known[-1][1]:
                known.append((k, ordinal[row]))
        for k, position_of in known:
            self._take(group[k], children[position_of])
        bounds = [(-1, -1), *known, (len(group), len(children))]
        for (a, x), (b, y) in pairwise(bounds):
            between = [k for k in rest if a < k < b]
            base = self._paths.index[group[a]] if a >= 0 else 0
            self._fill([group[k] for k in between], children[x + 1 : y], base)

    def _fill(self, items: list[int], rows: list[int], base: int) -> None:
        """Place siblings between two that are known; ``base`` is the index of the one before."""
        if not items:
            return
        seen = [row for row in rows if self._is_seen[row]]
        if len(rows) != len(items) and len(seen) == len(items):
            rows = seen
        if len(rows) == len(items):
            for item, row in zip(items, rows, strict=True):
                self._take(item, row)
            return
        for item in items:
            k = self._paths.index[item] - base - 1
            if 0 <= k < len(rows):
                self._take(item, rows[k])

    def _take(self, item: int, row: int) -> None:
        if row not in self._taken:
            self._taken.add(row)
            self._row[item] = row


def _squeezed(text: str) -> str:
    """Return a text without white space; recorded ones have ``\\n``, two characters, for a line."""
    return "".join(text.replace("\\n", " ").split())


def _kinds(
    parents: Sequence[int], names: Sequence[str], known: dict[tuple[int, str], int]
) -> list[int]:
    """Return a number for each node of a tree: that of the names from the root down to it."""
    kinds: list[int] = []
    for parent, name in zip(parents, names, strict=True):
        key = kinds[parent] if parent >= 0 else -1, name
        kinds.append(known.setdefault(key, len(known)))
    return kinds


def _common(ours: Sequence[object], theirs: Sequence[object]) -> list[tuple[int, int]]:
    """Return the places of a longest common sequence."""
    numbers: dict[object, int] = {}
    first = [numbers.setdefault(value, len(numbers)) for value in ours]
    second = [numbers.setdefault(value, len(numbers)) for value in theirs]
    return [
        (op.src_start + k, op.dest_start + k)
        for op in LCSseq.opcodes(first, second)
        if op.tag == "equal"
        for k in range(op.src_end - op.src_start)
    ]


def _unique(ours: Sequence[object], theirs: Sequence[object]) -> list[tuple[int, int]]:
    """Return the index pairs of the items that both have exactly once, whatever the order."""
    once, count = dict(zip(theirs, range(len(theirs)), strict=True)), Counter(theirs)
    mine = Counter(ours)
    return [
        (k, once[value]) for k, value in enumerate(ours) if mine[value] == 1 and count[value] == 1
    ]


def recorded_paths(nodes: NodeTable) -> dict[int, str]:
    """Return the paths of all rows that have one, in recorded form; see the module.

    A row has a box if ``display`` gives it and all above it one; rows in frames have no path.
    """
    display = nodes.computed("display")
    has_box = np.where(nodes.is_text, nodes.has_words, ~np.isin(display, ("none", "contents")))
    has_box &= nodes.frame == 0
    result: dict[int, str] = {}
    counts: Counter[tuple[int, int]] = Counter()
    tags, steps = nodes.tag.tolist(), _steps(nodes)
    for row, parent in enumerate(nodes.parent.tolist()):
        if not result and parent == 0 and nodes.name_of(row) == "body":
            result[row] = "/HTML[1]/BODY[1]"
        elif parent in result and has_box[row]:
            counts[parent, tags[row]] += 1
            result[row] = f"{result[parent]}/{steps[tags[row]]}[{counts[parent, tags[row]]}]"
    return result


def paths_of(nodes: NodeTable) -> list[str]:
    """Return the path of each row, counting all siblings, as XPath does in the DOM.  O(n)."""
    paths: list[str] = []
    counts: Counter[tuple[int, int]] = Counter()
    steps = _steps(nodes)
    for parent, tag in zip(nodes.parent.tolist(), nodes.tag.tolist(), strict=True):
        counts[parent, tag] += 1
        above = paths[parent] if parent >= 0 else ""
        paths.append(f"{above}/{steps[tag]}[{counts[parent, tag]}]")
    return paths


def rows_by_path(nodes: NodeTable) -> dict[str, int]:
    """Return the row of each path, all siblings counted; frames left out."""
    return {path: row for row, path in enumerate(paths_of(nodes)) if nodes.frame[row] == 0}


def _steps(nodes: NodeTable) -> list[str]:
    return ["text()" if name == TEXT else name.upper() for name in nodes.names]
