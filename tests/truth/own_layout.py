"""A rendered page out of a snapshot's file, and where blocks lie on it, written again.

A snapshot (``--cache``) is a zip of JSON and NumPy columns, a row a node in document order.  A
block is a list of rows; its area is that of its rows' boxes, each as large as what is seen in it.
"""

import io
import itertools
import json
import zipfile
from collections import Counter
from functools import cached_property
from hashlib import sha256
from pathlib import Path

import numpy as np

from tests.truth import own_text

Block = tuple[int, ...]
Atoms = list[tuple[frozenset, frozenset, float]]
"""Gold blocks and predicted blocks that atoms are in, and what these weigh together."""


class Layout:
    """A page as it was rendered."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as file:
            about = json.loads(file.read("page.json"))
            self.digest = sha256(file.read("original.bin")).hexdigest()
            self.text: list[str] = json.loads(file.read("nodes.json"))["text"]
            columns = {
                name: np.load(io.BytesIO(file.read(f"columns/{name}.npy"))).tolist()
                for name in ("tag", "parent", "rect", "visible")
            }
        self.names: list[str] = about["nodes"]["names"]
        self.size = about["nodes"]["width"], about["nodes"]["height"]
        self.tag, self.parent = columns["tag"], columns["parent"]
        self.rect, self.visible = columns["rect"], columns["visible"]

    @cached_property
    def row_of(self) -> dict[str, int]:
        """Path → row: ``/html[1]/body[1]/text()[2]``."""
        paths: list[str] = []
        seen: Counter = Counter()
        for row, parent in enumerate(self.parent):
            name = self.names[self.tag[row]]
            above = paths[parent] if parent >= 0 else ""
            step = "text()" if name == "#text" else name
            seen[parent, step] += 1
            paths.append(f"{above}/{step}[{seen[parent, step]}]")
        return {path: row for row, path in enumerate(paths)}

    @cached_property
    def boxes(self) -> list[tuple | None]:
        """Left, top, right, bottom of what is seen at or below each row, cut to the page."""
        result: list[tuple | None] = [None] * len(self.parent)
        width, height = self.size
        for row in reversed(range(len(self.parent))):
            x, y, wide, high = self.rect[row]
            if self.visible[row] and wide > 0 and high > 0:
                result[row] = _united(result[row], (x, y, x + wide, y + high))
            if self.parent[row] >= 0 and result[row] is not None:
                result[self.parent[row]] = _united(result[self.parent[row]], result[row])
        return [
            box and (max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height))
            for box in result
        ]

    def pixels(self, gold: list[Block], predicted: list[Block]) -> Atoms:
        """The page cut along all edges of blocks; what is in no block is left out."""
        sides = [[[self.boxes[row] for row in block if self.boxes[row]] for block in blocks]
                 for blocks in (gold, predicted)]  # fmt: skip
        boxes = [box for blocks in sides for block in blocks for box in block]
        xs = sorted({x for box in boxes for x in (box[0], box[2])})
        ys = sorted({y for box in boxes for y in (box[1], box[3])})
        areas: Counter = Counter()
        for y0, y1 in itertools.pairwise(ys):
            lines = [
                [
                    [box for box in block if box[1] <= y0 and y1 <= box[3]] for block in blocks
                ] for blocks in sides
            ]  # fmt: skip
            for x0, x1 in itertools.pairwise(xs):
                inside = tuple(
                    frozenset(
                        index for index, block in enumerate(blocks)
                        if any(box[0] <= x0 and x1 <= box[2] for box in block)
                    )
                    for blocks in lines
                )  # fmt: skip
                if any(inside):
                    areas[inside] += (x1 - x0) * (y1 - y0)
        return [(*inside, area) for inside, area in areas.items()]

    def nodes(self, gold: list[Block], predicted: list[Block], atoms: str) -> Atoms:
        """Visible nodes, or visible texts by characters or words, by the blocks they are in."""
        members = [self._members(blocks) for blocks in (gold, predicted)]
        weights: Counter = Counter()
        for row in range(len(self.parent)):
            inside = members[0][row], members[1][row]
            if any(inside) and (weight := self._weight(row, atoms)):
                weights[inside] += weight
        return [(*inside, weight) for inside, weight in weights.items()]

    def weight_of_all(self, atoms: str) -> float:
        if atoms == "pixels":
            return float(self.size[0] * self.size[1])
        return float(sum(self._weight(row, atoms) for row in range(len(self.parent))))

    def _members(self, blocks: list[Block]) -> list[frozenset]:
        """The blocks each row is at or below a node of."""
        result: list[frozenset] = []
        for row, parent in enumerate(self.parent):
            own = {index for index, block in enumerate(blocks) if row in block}
            result.append((result[parent] if parent >= 0 else frozenset()) | own)
        return result

    def _weight(self, row: int, atoms: str) -> int:
        if not self.visible[row]:
            return 0
        is_text = self.names[self.tag[row]] == "#text"
        if atoms == "nodes":
            return int(not is_text or bool(self.text[row].strip()))
        if not is_text:
            return 0
        if atoms == "words":
            return sum(own_text.pieces(each) for each in self.text[row].split())
        return len(" ".join(self.text[row].split()))


def _united(one: tuple | None, other: tuple) -> tuple:
    if one is None:
        return other
    return (
        min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3]),
    )  # fmt: skip


def layouts(cache: Path) -> dict[str, Layout]:
    """SHA-256 of the document → the page, of all snapshots in a folder."""
    result = (Layout(path) for path in sorted(cache.glob("*/*.page")))
    return {each.digest: each for each in result}
