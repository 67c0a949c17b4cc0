"""The elements of a page as plain columns: what all methods on records read."""

from dataclasses import dataclass, field
from functools import cached_property

from engine.source import Source

Record = tuple[int, ...]
"""Rows of `Elements`, in document order, none within another: the subtrees of one record."""

RecordSet = list[Record]
"""Records of one list, table or grid, in document order."""

_TEXTLESS = frozenset({"head", "script", "style", "template", "title"})


@dataclass(frozen=True, eq=False)
class Elements:
    """Elements of a document in document order, n of them; row 0 is ``html``.

    Attributes:
        source: The document.
        tags: Name of each element, lower case.
        parent: Row of each one's parent; -1 for the root.
        end: One past the last row of each one's subtree.
        children: Rows of the children of each, in order.
        own: The texts right below each, in order; none in the head, scripts and styles.
        outer: Where the markup of each starts and ends in the source.
        attributes: The attributes of each, by name.
    """

    source: Source = field(repr=False)
    tags: list[str]
    parent: list[int]
    end: list[int]
    children: list[list[int]]
    own: list[list[str]]
    outer: list[list[int]]
    attributes: list[dict[str, str]]

    @classmethod
    def of(cls, source: Source) -> "Elements":
        """Read the elements of a document.  O(n)."""
        tree = source.tree
        is_text, texts, outers = tree.is_text.tolist(), tree.text, tree.outer.tolist()
        result = cls(source, [], [], [], [], [], [], [])
        row_of = [-1] * len(tree)
        is_hidden: list[bool] = []
        for old, (tag, above) in enumerate(
            zip(tree.tag.tolist(), tree.parent.tolist(), strict=True)
        ):
            up = row_of[above] if above >= 0 else -1
            if is_text[old]:
                if not is_hidden[up]:
                    result.own[up].append(texts[old])
                continue
            row_of[old] = row = len(result.tags)
            if up >= 0:
                result.children[up].append(row)
            is_hidden.append(tree.names[tag] in _TEXTLESS or (up >= 0 and is_hidden[up]))
            result.tags.append(tree.names[tag])
            result.parent.append(up)
            result.children.append([])
            result.own.append([])
            result.outer.append(outers[old])
            result.attributes.append(source.attributes(old))
            result.end.append(row + 1)
        for row in range(len(result) - 1, 0, -1):
            up = result.parent[row]
            result.end[up] = max(result.end[up], result.end[row])
        return result

    def __len__(self) -> int:
        return len(self.tags)

    @cached_property
    def before(self) -> list[int]:
        """Number of rows before each that have own text; n + 1 numbers."""
        counts = [0]
        for texts in self.own:
            counts.append(counts[-1] + bool(texts))
        return counts

    def leaves(self, row: int) -> int:
        """Return how many elements of a subtree have own text.  O(1)."""
        return self.before[self.end[row]] - self.before[row]

    def text_rows(self, record: Record) -> list[int]:
        """Return the rows with own text that a record holds, in order."""
        return [at for row in record for at in range(row, self.end[row]) if self.own[at]]

    def text(self, row: int) -> str:
        """Return the text of an element, lines as on the page."""
        return self.source.text_of([self.outer[row]])

    def classes(self, row: int) -> str:
        """Return the value of ``class``, "" if there is none."""
        return self.attributes[row].get("class", "")

    def xpath(self, row: int) -> str:
        """Return the path of an element as NEXT-EVAL writes it: each step below html, numbered."""
        steps: list[str] = []
        while (up := self.parent[row]) >= 0:
            name = self.tags[row]
            same = [other for other in self.children[up] if self.tags[other] == name]
            steps.append(f"/{name}[{same.index(row) + 1}]")
            row = up
        return "".join(reversed(steps))
