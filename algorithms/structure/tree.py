"""From what a method keeps to a clean tree of elements, whatever the method.

A result is words of a source or rows of the rendered page; its structure is that of the elements
around them.  Each kept text comes with the blocks it stands in (headings, lists, tables, quotes,
code) and the marks on it (links, emphasis, inline code); the tree is put together from these, so
that

* an element of which a part is kept holds that part alone, and one of which nothing is kept is
  gone, but for cells of a table beside kept ones, which stay empty so that columns stay;
* list items and cells without their list or table get one again;
* tables that only arrange (`kinds.is_layout`) and boxes of any kind part paragraphs, no more;
* blocks in a link give links in blocks.

Elements are ``p h1…h6 ul ol li dl dt dd blockquote pre code table caption thead tbody tr th td
figure figcaption img br a em strong sub sup math``, attributes ``href`` (absolute where the page's
address is known; no scripts), ``src``, ``alt``, ``start``, ``colspan``, ``rowspan``, and ``class``
for the language of code.  The words of the tree are those of the result.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from lxml import etree
from lxml.html import HtmlElement

from algorithms.results import Extraction, Segmentation
from algorithms.structure.kinds import (
    ALL_BLOCK_TAGS,
    BLOCKS,
    CELLS,
    HEADINGS,
    INLINE_BLOCKS,
    LISTS,
    MARKS,
    Key,
    is_layout,
    language_of,
    safe_address,
)
from algorithms.structure.leaves import KeptPage, Leaf, kept_page
from algorithms.structure.table_rows import new, table_rows
from engine.source import Source
from engine.tree import Ints, Longs, Tree

_COMPACT = ("li", "td", "th", "dd", "figcaption")
"""Blocks of which a single paragraph is written without ``p``."""

_DEEPEST = 60
"""Blocks in each other; deeper ones part paragraphs alone: writers call themselves for each."""

_BOXES = ("div", "figure", "span")
_MOST_BOXES = 3
"""Around a block of code, of those that may name its language."""

_BASE = re.compile(r"<base\b", re.IGNORECASE)
_SIZE = re.compile(r"\s*[0-2](?:px)?\s*\Z")
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_LAZY = ("data-src", "data-original", "data-lazy-src", "src")
"""Where the address of a picture is: in ``src`` alone a script may put it later."""


@dataclass(frozen=True)
class _Around:
    """What surrounds a row.

    Attributes:
        blocks: Blocks of the clean tree, the outermost first.
        marks: Marks of the clean tree, the outermost first, each kind once.
        block: Row of the nearest block-level element.
    """

    blocks: tuple[Key, ...] = ()
    marks: tuple[Key, ...] = ()
    block: int = 0


def tree_of(result: Extraction | Segmentation, address: str = "") -> HtmlElement:
    """Return the clean tree of a result, below a ``div``.

    Args:
        result: Of any method.  Where another program gave its own HTML with the text, that is
            cleaned in the same way.
        address: The page's, which makes addresses absolute.

    O(rows of the page): 1 to 5 ms for a page of 2,000 words, reading the page not included.
    """
    markup = result.markup if isinstance(result, Extraction) else None
    if isinstance(result, Extraction) and markup is not None:
        return tree_of_html(markup, base_in(result.source, address))
    return _Builder(kept_page(result), address).tree()


def tree_of_html(html: str, address: str = "") -> HtmlElement:
    """Return the clean tree of all text of a document or a piece of one."""
    source = Source.from_text(html)
    spans = np.array([[0, len(html)]], dtype=np.int32)
    return _Builder(kept_page(Extraction(source, spans)), address).tree()


def base_in(source: Source, address: str) -> str:
    """Return what addresses of a page are relative to: its ``base``, else its own address."""
    if _BASE.search(source.html) is None:  # most pages: their tree need not be made
        return address
    return _base_of(source.tree, source.attributes, address)


def _base_of(tree: Tree, attributes: Callable[[int], Mapping[str, str]], address: str) -> str:
    for row in np.flatnonzero(tree.has_tag("base")).tolist():
        given = attributes(row).get("href")
        if given is not None:  # the first with an address: one may name but a frame
            return safe_address(given, address) or address
    return address


class _Builder:
    """Puts one tree together, leaf by leaf."""

    def __init__(self, page: KeptPage, address: str) -> None:
        self._page, self._tree = page, page.tree
        self._base = _base_of(page.tree, page.attributes, address)
        self._around: dict[int, _Around] = {-1: _Around()}
        self._root = new("div")
        self._open: list[tuple[Key, HtmlElement]] = []
        self._inline: HtmlElement | None = None  # what texts are added to
        self._marks: list[tuple[Key, HtmlElement]] = []
        self._made: dict[Key, HtmlElement] = {}  # rows and cells of tables
        self._texts: dict[tuple[HtmlElement, str], list[str]] = {}  # text or tail, in pieces
        self._last = -1  # row of the leaf before

    def tree(self) -> HtmlElement:
        """Add all leaves, and tidy up."""
        for leaf in self._leaves:
            self._add(leaf)
        for (element, name), pieces in self._texts.items():
            setattr(element, name, "".join(pieces))
        _tidy(self._root)
        return self._root

    @cached_property
    def _leaves(self) -> list[Leaf]:
        """All but pictures that are none, and a second one in ``noscript`` like that before it."""
        leaves, is_fallback, before = [], self._tree.within("noscript"), ""
        for leaf in self._page.leaves:
            address = ""
            if leaf.text is None:
                picture = self._picture(leaf.row)
                address = "" if picture is None else picture.get("src", "")
                if picture is None or (is_fallback[leaf.row] and address == before):
                    continue
            leaves.append(leaf)
            before = address
        return leaves

    # what surrounds a row ------------------------------------------------------------------
    def _surroundings(self, row: int) -> _Around:
        """What surrounds what stands in an element, itself included."""
        path = []
        while row not in self._around:
            path.append(row)
            row = int(self._tree.parent[row])
        around = self._around[row]
        for inner in reversed(path):
            around = self._around[inner] = self._within(around, inner)
        return around

    def _within(self, outer: _Around, row: int) -> _Around:
        tag = self._tree.name_of(row)
        mark = MARKS.get(tag)
        if mark is not None:
            return self._marked(outer, mark, row)
        if tag not in ALL_BLOCK_TAGS:
            return outer
        outer = replace(outer, block=row)
        block = BLOCKS.get(tag)
        above = outer.blocks[-1][0] if outer.blocks else ""
        if block is None or above in INLINE_BLOCKS or len(outer.blocks) >= _DEEPEST:
            return outer
        blocks = self._allowed(outer.blocks, above, block, row)
        return outer if blocks is None else replace(outer, blocks=(*blocks, (block, row)))

    def _allowed(
        self, blocks: tuple[Key, ...], above: str, block: str, row: int
    ) -> tuple[Key, ...] | None:
        """Return the blocks that a block may stand in, made up where need be; None if it may not.

        ``above`` is the tag of the last of ``blocks``.
        """
        parent, bare = int(self._tree.parent[row]), _without_bare_lists(blocks)
        if block == "table":
            return None if is_layout(self._tree, row, self._page.attributes(row)) else bare
        if block in ("tr", "caption"):
            return blocks if above == "table" else None
        if block in CELLS:
            return blocks if above == "tr" else None
        if above in ("table", "tr"):
            return None
        if block == "li":
            return blocks if above in LISTS else (*bare, ("ul", ~parent))
        if block in LISTS and above in LISTS:
            return (*blocks, ("li", ~blocks[-1][1]))
        if block in ("dt", "dd"):
            return blocks if above == "dl" else (*bare, ("dl", ~parent))
        if block == "figcaption":
            return blocks if above == "figure" else None
        return bare

    def _marked(self, outer: _Around, mark: str, row: int) -> _Around:
        if any(kind == mark for kind, _ in outer.marks):
            return outer
        if outer.blocks and outer.blocks[-1][0] == "pre":
            return outer
        if mark == "a" and self._address_of(row) is None:
            return outer
        marks = outer.marks
        if marks and marks[-1][0] in ("code", "math"):  # these hold text alone
            return replace(outer, marks=(*marks[:-1], (mark, row), marks[-1]))
        return replace(outer, marks=(*marks, (mark, row)))

    # adding --------------------------------------------------------------------------------
    def _add(self, leaf: Leaf) -> None:
        picture = self._picture(leaf.row) if leaf.text is None else None
        around = self._surroundings(int(self._tree.parent[leaf.row]))
        blocks = _without_bare_lists(around.blocks)
        is_new = self._go_to(blocks)
        is_raw = bool(blocks) and blocks[-1][0] == "pre"
        if is_raw:
            if picture is None:
                self._add_raw(leaf, is_new)
        else:
            self._add_inline(leaf, around, picture, is_new)
        self._last = leaf.row

    def _add_raw(self, leaf: Leaf, is_new: bool) -> None:
        assert leaf.text is not None
        pre, text = self._open[-1][1], leaf.text
        if not len(pre):
            etree.SubElement(pre, "code")
        if not is_new and self._is_parted(leaf.row) and not text.startswith("\n"):
            text = f"\n{text}"
        self._append(pre[0], text)

    def _add_inline(
        self, leaf: Leaf, around: _Around, picture: HtmlElement | None, is_new: bool
    ) -> None:
        is_inline_block = bool(self._open) and self._open[-1][0][0] in INLINE_BLOCKS
        is_apart, breaks = leaf.is_apart, 0
        if not is_new:
            parted = self._is_parted(leaf.row)
            breaks = 0 if parted else self._breaks_before(leaf.row)
            is_new = (parted or breaks > 1) and not is_inline_block
            is_apart |= parted or breaks > 0
        if is_new or self._inline is None:
            self._begin_paragraph(is_inline_block)
            is_apart, breaks = False, 0
        marks = around.marks
        shared = _common(marks, [key for key, _ in self._marks])
        del self._marks[shared:]
        if breaks and not is_inline_block:
            etree.SubElement(self._here, "br")
        elif is_apart:
            self._append(self._here, " ")
        for key in marks[shared:]:
            self._marks.append((key, self._mark(key)))
        if picture is not None:
            self._here.append(picture)
        else:
            assert leaf.text is not None
            self._append(self._here, leaf.text)

    def _append(self, element: HtmlElement, text: str) -> None:
        """Add a text at the end of an element; pieces are joined at last, not one by one."""
        last = _last_child(element)
        at = (element, "text") if last is None else (last, "tail")
        self._texts.setdefault(at, []).append(text)

    @property
    def _here(self) -> HtmlElement:
        """The element that texts are added to now."""
        assert self._inline is not None
        return self._marks[-1][1] if self._marks else self._inline

    def _begin_paragraph(self, is_inline_block: bool) -> None:
        block = self._open[-1][1] if self._open else self._root
        if is_inline_block:
            self._inline = block
        else:
            self._inline = new("p")
            block.append(self._inline)
        self._marks = []

    def _go_to(self, blocks: tuple[Key, ...]) -> bool:
        """Close and open blocks until these are open; return whether that was needed."""
        shared = _common(blocks, [key for key, _ in self._open])
        if shared == len(blocks) == len(self._open) and self._last >= 0:
            return False
        del self._open[shared:]
        for key in blocks[shared:]:
            above = self._open[-1][1] if self._open else self._root
            last = _last_child(above)
            if key[1] < 0 and key[0] == "li" and last is not None:
                element = last  # a list directly in a list belongs to the item before it
            elif key in self._made:
                element = self._made[key]
            else:
                element = self._block(key)
                if key[0] == "caption":
                    above.insert(0, element)
                else:
                    above.append(element)
            self._open.append((key, element))
        self._inline, self._marks = None, []
        return True

    def _is_parted(self, row: int) -> bool:
        """Whether a block-level element begins or ends between the leaf before and this one."""
        last, parents = self._last, self._tree.parent
        before = self._surroundings(int(parents[last])).block
        after = self._surroundings(int(parents[row])).block
        if before != after:
            return True
        counts = self._counts
        return bool(counts[0][row] > counts[0][last + 1])

    def _breaks_before(self, row: int) -> int:
        """How many ``br`` stand between the leaf before and this one."""
        return int(self._counts[1][row] - self._counts[1][self._last + 1])

    @cached_property
    def _counts(self) -> tuple[Longs, Longs]:
        """How many block-level elements, and ``br``, come before each row, (n + 1,)."""
        tree = self._tree
        return (
            np.append(0, np.cumsum(tree.has_tag(*ALL_BLOCK_TAGS))),
            np.append(0, np.cumsum(tree.has_tag("br"))),
        )

    # elements ------------------------------------------------------------------------------
    def _block(self, key: Key) -> HtmlElement:
        tag, row = key
        if tag == "table":
            made = table_rows(self._page, row, self._leaf_rows)
            self._made |= made
            return made[key]
        element = new(tag)
        if tag == "ol" and row >= 0:
            start = self._start_of(row)
            if start != 1:
                element.set("start", str(start))
        if tag == "pre":
            language = self._language(row)
            if language:
                etree.SubElement(element, "code").set("class", f"language-{language}")
        return element

    def _start_of(self, row: int) -> int:
        """Return the number, on the page, of the first item of an ordered list that is kept."""
        tree, leaves = self._tree, self._leaf_rows
        first = int(leaves[leaves.searchsorted(row)])
        number = _number_of(self._page.attributes(row).get("start"), 1)
        for child in tree.children(row).tolist():
            if tree.name_of(child) == "li":
                number = _number_of(self._page.attributes(child).get("value"), number)
                if first < tree.end[child]:
                    break
                number += 1
        return number

    def _language(self, row: int) -> str:
        """Return the language of a block of code: its own, its first element's, or its boxes'."""
        tree = self._tree
        first = [row + 1] if row + 1 < tree.end[row] and not tree.is_text[row + 1] else []
        for each in (row, *first, *self._boxes_of_code(row)):
            language = language_of(self._page.attributes(each))
            if language:
                return language
        return ""

    def _boxes_of_code(self, row: int) -> Iterator[int]:
        """Yield up to three boxes around a block of code that hold no other, nor other blocks."""
        tree, box = self._tree, row
        own = self._code_count(row)
        for _ in range(_MOST_BOXES):
            box = int(tree.parent[box])
            if box < 0 or tree.name_of(box) not in _BOXES or self._code_count(box) > own:
                return
            yield box

    def _code_count(self, row: int) -> int:
        counts = self._blocks_beside_code
        return int(counts[self._tree.end[row]] - counts[row])

    @cached_property
    def _blocks_beside_code(self) -> Longs:
        """How many blocks that a box of code alone has but once come before each row, (n + 1,)."""
        return np.append(0, np.cumsum(self._tree.has_tag("pre", "p", *HEADINGS, *LISTS)))

    @cached_property
    def _leaf_rows(self) -> Ints:
        return np.array([leaf.row for leaf in self._leaves], dtype=np.int32)

    def _mark(self, key: Key) -> HtmlElement:
        tag, row = key
        element = etree.SubElement(self._here, tag)
        if tag == "a":
            element.set("href", self._address_of(row) or "")
        return element

    def _address_of(self, row: int) -> str | None:
        address = self._page.attributes(row).get("href")
        return None if address is None else safe_address(address, self._base)

    def _picture(self, row: int) -> HtmlElement | None:
        given = self._page.attributes(row)
        if any(_SIZE.match(given.get(name, "")) for name in ("width", "height")):
            return None  # counts readers
        if "hidden" in given or _HIDDEN.search(given.get("style", "")):
            return None
        for name in _LAZY:
            address = safe_address(given.get(name, ""), self._base)
            if address is not None:
                alt = " ".join(given.get("alt", "").split())
                return new("img", src=address, alt=alt)
        return None


def _without_bare_lists(blocks: tuple[Key, ...]) -> tuple[Key, ...]:
    """Return blocks without lists and tables at the end that what follows cannot stand in."""
    while blocks and blocks[-1][0] in ("ul", "ol", "dl", "table", "tr"):
        blocks = blocks[:-1]
    return blocks


def _common(keys: tuple[Key, ...], others: list[Key]) -> int:
    for number, (mine, other) in enumerate(zip(keys, others, strict=False)):
        if mine != other:
            return number
    return min(len(keys), len(others))


def _number_of(given: str | None, other: int) -> int:
    """Return the number that an attribute gives, if Markdown has it, else another."""
    digits = (given or "").strip()[:12]
    is_number = digits.isdecimal() and digits.isascii() and int(digits) < 10**9
    return int(digits) if is_number else other


def _last_child(element: HtmlElement) -> HtmlElement | None:
    """Return the last child: in lxml ``len`` counts the children each time."""
    return next(element.iterchildren(reversed=True), None)


def _tidy(root: HtmlElement) -> None:
    """Take off what holds nothing of its own: figures without pictures, lone paragraphs."""
    for figure in root.findall(".//figure"):
        if figure.find(".//img") is None:
            for caption in figure.findall("figcaption"):
                caption.drop_tag()
            figure.drop_tag()
    for tag in (*_COMPACT, "figure"):
        for block in root.iter(tag):
            first = block[0] if len(block) and not block.text else None
            rest = block[1:]
            if first is None or first.tag != "p":
                continue
            if all(each.tag in (*LISTS, "figcaption") for each in rest):
                first.drop_tag()
    for pre in root.iter("pre"):
        if len(pre):
            pre[0].text = (pre[0].text or "").strip("\n")
