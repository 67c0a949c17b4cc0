"""Paths of nodes as XPath writes them: a step is a name and its number among such siblings."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from annotate.marks.page_text import PICTURE_TAGS
from engine.nodes import NodeTable
from engine.tree import TEXT, Bools


def row_at(nodes: NodeTable, path: str) -> int:
    """Return the row with this `NodeTable.path`, -1 if there is none. O(depth)."""
    return path_index(nodes).row_at(path)


@dataclass(frozen=True, eq=False)
class PathIndex:
    """Paths ↔ rows of one page.

    Attributes:
        steps: Of each row the last step of its path, ``div[2]``, counting siblings of its name.
        rows: Parent's row and step → row.
    """

    nodes: NodeTable
    steps: tuple[str, ...]
    rows: Mapping[tuple[int, str], int]

    def path(self, row: int) -> str:
        """Return the same as `NodeTable.path`.  O(depth)."""
        result = []
        while row >= 0:
            result.append(self.steps[row])
            row = int(self.nodes.parent[row])
        return "/" + "/".join(reversed(result))

    def row_at(self, path: str) -> int:
        """Return the row with this path, -1 if there is none.  O(depth)."""
        row = -1
        for step in path.split("/")[1:]:
            row = self.rows.get((row, step), -1)
            if row < 0:
                break
        return row

    @cached_property
    def pictures(self) -> Bools:
        """Rows that show content without text, bool (n,)."""
        return self.nodes.has_tag(*PICTURE_TAGS)


def last_step(path: str) -> tuple[str, int]:
    """Return the tag name and the depth of what a path leads to."""
    steps = path.split("/")[1:]
    name = steps[-1].partition("[")[0] if steps else ""
    return TEXT if name == "text()" else name, len(steps) - 1


@lru_cache(maxsize=4)
def path_index(nodes: NodeTable) -> PathIndex:
    """Return the index of a page, all siblings counted; made once for the last four.  O(n)."""
    names = ["text()" if name == TEXT else name for name in nodes.names]
    counts: dict[tuple[int, int], int] = {}
    rows: dict[tuple[int, str], int] = {}
    steps = []
    for row, key in enumerate(zip(nodes.parent.tolist(), nodes.tag.tolist(), strict=True)):
        counts[key] = position = counts.get(key, 0) + 1
        step = f"{names[key[1]]}[{position}]"
        steps.append(step)
        rows[key[0], step] = row
    return PathIndex(nodes, tuple(steps), rows)
