"""What marks under review hold, and main content as texts, however it was cut into marks."""

import uuid
from collections.abc import Sequence

from annotate.marks.gold import MAIN, Gold, Mark, Target
from annotate.marks.targets import grow_targets, leaves
from engine.nodes import NodeTable

ALIKE = 0.5
"""Share of what two blocks hold together that both must hold, to be two versions of one."""

Held = frozenset[tuple[int, int, int]]
"""What a mark holds: rows of texts and pictures, with the part of a text, (-1, -1) for all."""

_SPACE = uuid.UUID("3f9a2b47-0c5b-4b6e-9a54-6d8c2f0c1e77")


TextParts = tuple[tuple[int, int], ...]
"""Stretches of a text, in characters; all of it as one that ends behind its last."""


class PageMarks:
    """Content of the marks of a page, each computed once."""

    def __init__(self, nodes: NodeTable) -> None:
        self.nodes = nodes
        self._held: dict[tuple[Target, ...], Held] = {}

    def held(self, mark: Mark) -> Held:
        """Return the content of a mark: texts and pictures, or its nodes if it has neither."""
        if mark.targets not in self._held:
            result: set[tuple[int, int, int]] = set()
            for target in mark.targets:
                if target.is_whole:
                    inside = leaves(self.nodes, target.row).tolist() or [target.row]
                    result.update((row, -1, -1) for row in inside)
                else:
                    result.add((target.row, target.start, target.end))
            self._held[mark.targets] = frozenset(result)
        return self._held[mark.targets]

    def likeness(self, one: Held, other: Held) -> float:
        """Return the share of what two hold together that both hold, 0 to 1."""
        both = one & other
        return self.weight(both) / self.weight(one | other) if both else 0.0

    def weight(self, held: Held) -> float:
        """Return how much is held: characters, and ten for a picture or an empty node."""
        total = 0.0
        for row, start, end in held:
            text = self.nodes.text[row] if start < 0 else self.nodes.text[row][start:end]
            total += len("".join(text.split())) or 10
        return total


def covered_texts(nodes: NodeTable, gold: Gold) -> dict[int, TextParts]:
    """Return which part of each text is main content, without white space at the ends."""
    result: dict[int, list[tuple[int, int]]] = {}
    for mark in gold.of_level(MAIN):
        for target in mark.targets:
            if target.is_whole:
                below = range(target.row, int(nodes.end[target.row]))
                for row in below:
                    if nodes.is_text[row] and nodes.text[row].strip():
                        result.setdefault(row, []).append((0, len(nodes.text[row])))
            else:
                result.setdefault(target.row, []).append((target.start, target.end))
    return {row: _united(nodes.text[row], parts) for row, parts in result.items()}


def _united(text: str, parts: list[tuple[int, int]]) -> TextParts:
    united: list[tuple[int, int]] = []
    for start, end in sorted(parts):
        piece = text[start:end]
        start += len(piece) - len(piece.lstrip())
        end -= len(piece) - len(piece.rstrip())
        if start >= end:
            continue
        if united and not text[united[-1][1] : start].strip():
            united[-1] = united[-1][0], max(united[-1][1], end)
        else:
            united.append((start, end))
    return tuple(united)


def targets_of(row: int, parts: TextParts, nodes: NodeTable) -> list[Target]:
    whole = _united(nodes.text[row], [(0, len(nodes.text[row]))])
    if parts == whole:
        return [Target(row)]
    return [Target(row, start, end) for start, end in parts]


def text_marks(nodes: NodeTable, targets: Sequence[Target]) -> list[Mark]:
    """Return texts as marks of main content, each as large as its words allow.

    The same texts give the same marks, so that accepted ones are recognised.
    """
    return [
        Mark(_text_id(target), MAIN, (target,), quote=_quote(nodes, target))
        for target in grow_targets(nodes, sorted(targets))
    ]


def _text_id(target: Target) -> str:
    return uuid.uuid5(_SPACE, f"{target.row} {target.start} {target.end}").hex


def is_taken_over(mark: Mark) -> bool:
    """Return whether a mark is main content as `text_marks` makes it, not made by an annotator."""
    return mark.level == MAIN and [mark.id] == [_text_id(target) for target in mark.targets]


def _quote(nodes: NodeTable, target: Target) -> str:
    if not target.is_whole:
        return " ".join(nodes.text[target.row][target.start : target.end].split())
    below = range(target.row, int(nodes.end[target.row]))
    return " ".join(" ".join(nodes.text[row] for row in below if nodes.visible[row]).split())
