"""The address of a picture, wherever a page keeps it until it is needed."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from lxml.html import HtmlElement

from algorithms.structure.kept_parts import Leaf, legal
from algorithms.structure.kinds import safe_address
from algorithms.structure.leaves import KeptPage
from algorithms.structure.table_rows import new
from engine.tree import Bools

_SETS = re.compile(r"^(?:data-.*)?(?:srcset|src-?set|original-set)$")
_LAZY = re.compile(
    r"^data-(?:.*-)?(?:src|original|actualsrc|lazy|url|image|img|full|large|hi-?res|file|echo|defer|load)"
    r"(?:-.*)?$"
)
_FIRST = ("data-src", "data-original", "data-lazy-src", "data-actualsrc", "data-lazy", "src")
_LOOKS_LIKE_ONE = re.compile(
    r"\.(?:jpe?g|png|gif|webp|avif|svg|bmp|tiff?)(?:[?#!@]|$)|^https?://", re.I
)
_PLACEHOLDER = re.compile(
    r"^(?:#.*|about:blank|data:.*)?$|(?:^|[/_-])(?:blank|spacer|placeholder|transparent|pixel|1x1|lazy"
    r"|loading|grey|clear|empty)(?:[_-]\w+)?\.(?:gif|png|svg|jpe?g|webp)(?:\?|$)",
    re.IGNORECASE | re.DOTALL,
)
_SIZE = re.compile(r"\s*[0-2](?:px)?\s*\Z")
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_CANDIDATE = re.compile(r"\s*([^\s,]\S*[^\s,])(?:\s+([\d.]+)([wx]))?\s*(?:,|$)")


class PagePictures:
    """The pictures of a page as elements of a clean tree, each once."""

    def __init__(self, page: KeptPage, base: str) -> None:
        self._page, self._reading, self._base = page, page.reading, base
        self._tree = page.reading.rows.tree

    def among(self, given: Sequence[Leaf]) -> list[Leaf]:
        """Return leaves without missing pictures, and without copies of the picture beside them."""
        leaves: list[Leaf] = []
        before = ""
        for leaf in given:
            address = ""
            if leaf.text is None and leaf.thing is None:
                picture = self.element(leaf.row)
                address = "" if picture is None else picture.get("src", "")
                if picture is None:
                    continue
                if before and self._duplicates(leaf.row, leaves[-1].row, address == before):
                    if self._in_fallback[leaf.row]:  # as a rule the larger one
                        leaves[-1], before = leaf, address
                    continue
            leaves.append(leaf)
            before = address
        return leaves

    def _duplicates(self, row: int, other: int, is_same: bool) -> bool:
        """Return whether a picture is the same as the one before it, once more."""
        rows, in_fallback = self._reading.rows, self._in_fallback
        if not (in_fallback[row] or in_fallback[other]):
            figure = next((at for at in rows.above(row) if rows.names[at] == "figure"), row)
            return is_same and figure < other
        return is_same or rows.parent[self._box(row)] == rows.parent[self._box(other)]

    def _box(self, picture: int) -> int:
        """Return a picture, or the outermost ``noscript`` and ``picture`` that hold it alone."""
        rows = self._reading.rows
        while rows.names[rows.parent[picture]] in ("noscript", "picture"):
            picture = rows.parent[picture]
        return picture

    @cached_property
    def _in_fallback(self) -> Bools:
        return self._tree.within("noscript")

    def element(self, row: int) -> HtmlElement | None:
        """Return the picture of a row; None if it is hidden, counts readers or has no address."""
        given = self._reading.rows.attributes(row)
        if any(_SIZE.match(given.get(name, "")) for name in ("width", "height")):
            return None  # counts readers
        if "hidden" in given or _HIDDEN.search(given.get("style", "")):
            return None
        rows, parent = self._reading.rows, int(self._tree.parent[row])
        beside = rows.elements(parent) if parent >= 0 and rows.names[parent] == "picture" else []
        sources = [rows.attributes(at) for at in beside if rows.names[at] == "source"]
        for each in addresses_of(given, sources):
            address = safe_address(each, self._base)
            if address is not None:
                alt = " ".join(given.get("alt", "").split())
                picture = new("img", src=legal(address), alt=legal(alt))
                set_title(picture, given)
                return picture
        return None


def set_title(element: HtmlElement, given: Mapping[str, str]) -> None:
    """Add the title that attributes of the page give, if any."""
    title = " ".join(given.get("title", "").split())
    if title:
        element.set("title", legal(title))


def addresses_of(given: Mapping[str, str], sources: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the addresses of a picture, the best first.

    Args:
        given: Attributes of the ``img``.
        sources: Those of the ``source`` elements beside it in a ``picture``.

    The largest candidate of a ``srcset``, of whatever name, comes before attributes that a script
    copies into ``src``; placeholders are none.
    """
    found: list[str] = []
    lazy = [
        (name, value) for name, value in given.items()
        if _LAZY.match(name) and not _SETS.match(name) and _LOOKS_LIKE_ONE.search(value)
    ]  # fmt: skip
    for value in (value for name, value in given.items() if _SETS.match(name)):
        found += _largest(value)
    found += [given[name] for name in _FIRST[:-1] if given.get(name)]
    src = given.get("src", "")
    if not lazy and not found:
        sets = (value for each in sources for name, value in each.items() if _SETS.match(name))
        found += [address for value in sets for address in _largest(value)]
    found += [value for _, value in lazy]
    ordered = [*found, src]
    return [each for each in dict.fromkeys(ordered) if not _PLACEHOLDER.search(each.strip())]


def _largest(srcset: str) -> list[str]:
    """Return the largest candidate of a ``srcset``, as a list of at most one.

    >>> _largest("a.jpg 300w, b.jpg 900w")
    ['b.jpg']
    """
    best, size = [], -1.0
    for match in _CANDIDATE.finditer(srcset):
        address, number = match[1], match[2]
        try:
            own = float(number) if number else 1.0
        except ValueError:
            own = 1.0
        if own > size and not address.startswith("data:"):
            best, size = [address], own
    return best
