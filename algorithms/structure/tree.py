"""Conversion of any method's kept content to a clean tree of elements.

A result is words of a source or rows of the rendered page; its structure is that of the elements
around them.  Each kept text comes with the blocks around it (headings, lists, tables, quotes, code)
and the marks on it (links, emphasis, inline code); the tree is put together from these, so that

* an element of which a part is kept holds that part alone, and one of which nothing is kept is
  gone, but for cells of a table beside kept ones, which stay empty so that columns stay;
* list items and cells without their list or table get one again;
* layout tables (`kinds.is_layout`) and boxes of any kind only separate paragraphs;
* blocks in a link give links in blocks, but where one of them is a heading it alone is the link;
* what elements are beyond their tags (`algorithms.structure.reading`) comes before their tags: a
  formula is one ``math`` with its TeX, a callout a quote with its kind, a mark of a note a ``sup``
  with the note's label; what no reader reads is left out.

Elements are ``p h1…h6 ul ol li dl dt dd blockquote pre code table caption thead tbody tr th td
figure figcaption img br hr a em strong del ins q sub sup math input aside``, attributes ``href``
(absolute where the page's address is known; no scripts), ``title``, ``src``, ``alt``, ``start``,
``reversed`` and ``type`` of lists, ``value`` of items where it is not the next number, ``lang`` of
``q``, ``align``, ``colspan``, ``rowspan``, ``class`` for the language of code, ``display`` and
``data-mathml`` of a formula, ``data-callout`` of a quote, ``checked``, and ``data-note`` of marks
and of the ``aside`` of each note, which come last.  The words of the tree are those of the result,
but that formulas are TeX, and notes that something kept refers to are there whether they are kept
or not.
"""

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import takewhile

import numpy as np
from lxml import etree
from lxml.html import HtmlElement

from algorithms.results import Extraction, Segmentation
from algorithms.structure.code import language_of_block
from algorithms.structure.comments import PageComment
from algorithms.structure.kept_parts import Leaf, NoteMark, TaskBox, ThematicBreak, legal
from algorithms.structure.kinds import ALL_BLOCK_TAGS, INLINE_BLOCKS, LISTS, Key, safe_address
from algorithms.structure.leaves import KeptNote, KeptPage, kept_page
from algorithms.structure.noise import hidden_rows, inline_boxes
from algorithms.structure.pictures import PagePictures, set_title
from algorithms.structure.rows import has_own_brackets, numbers_of, numbers_on_page
from algorithms.structure.surroundings import Around, Surroundings, without_bare_lists
from algorithms.structure.table_rows import new, table_rows
from algorithms.structure.tex import Formula
from engine.source import Source
from engine.tree import Bools, Ints, Longs, Tree

_COMPACT = ("li", "td", "th", "dd", "figcaption")
"""Blocks of which a single paragraph is written without ``p``."""

_BASE = re.compile(r"<base\b", re.IGNORECASE)


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
    """Return the base of a page's relative addresses: its ``base``, else its own address."""
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
    def __init__(self, page: KeptPage, address: str) -> None:
        self._page, self._reading = page, page.reading
        self._tree = page.reading.rows.tree
        self._base = _base_of(self._tree, page.reading.rows.attributes, address)
        self._surroundings = Surroundings(page, self._base)
        self._pictures = PagePictures(page, self._base)
        self._root = new("div")
        self._open: list[tuple[Key, HtmlElement]] = []
        self._inline: HtmlElement | None = None  # node to which text is added
        self._marks: list[tuple[Key, HtmlElement]] = []
        self._made: dict[Key, HtmlElement] = {}  # rows and cells of tables
        self._texts: dict[tuple[HtmlElement, str], list[str]] = {}  # text or tail, in pieces
        self._numbers: dict[int, int] = {}  # items of ordered lists that do not just count up
        self._last = -1  # row of the leaf before
        self._follows_task = False

    def tree(self) -> HtmlElement:
        """Add all leaves, and tidy up."""
        for leaf in self._leaves:
            self._add(leaf)
        for note in self._page.notes:
            self._add_note(note)
        for (element, name), pieces in self._texts.items():
            setattr(element, name, "".join(pieces))
        _tidy(self._root)
        return self._root

    def _add_note(self, note: KeptNote) -> None:
        element = new("aside")
        element.set("data-note", note.label)
        self._root.append(element)
        self._open, self._inline, self._marks, self._last = [], None, [], -1
        if not note.rows:
            paragraph = etree.SubElement(element, "p")
            address = safe_address(note.address, self._base)
            if address:
                paragraph = etree.SubElement(paragraph, "a", href=address)
            paragraph.text = note.text
            return
        self._made["aside", note.rows[0]] = element
        for leaf in self._pictures.among(note.leaves):
            self._add(leaf)

    @cached_property
    def _leaves(self) -> list[Leaf]:
        return self._pictures.among(self._page.leaves)

    # adding --------------------------------------------------------------------------------
    def _add(self, leaf: Leaf) -> None:
        around = self._surroundings.of(self._surroundings.holder(leaf.row))
        blocks = without_bare_lists(around.blocks)
        is_new = self._go_to(blocks)
        above = blocks[-1][0] if blocks else ""
        if above == "pre":
            if leaf.text is not None:
                self._add_raw(leaf, is_new)
        elif isinstance(leaf.thing, ThematicBreak):
            if above not in INLINE_BLOCKS:
                (self._open[-1][1] if self._open else self._root).append(new("hr"))
                self._inline, self._marks = None, []
        else:
            self._add_inline(leaf, around, is_new)
        self._last = leaf.row

    def _add_raw(self, leaf: Leaf, is_new: bool) -> None:
        """Add code; where lines are separate boxes, as many ends of lines as boxes begin."""
        assert leaf.text is not None
        pre, text = self._open[-1][1], leaf.text
        if not len(pre):
            etree.SubElement(pre, "code")
        if not is_new:
            lines = int(self._counts[2][leaf.row] - self._counts[2][self._last + 1])
            space = text[: len(text) - len(text.lstrip())]
            before = self._texts.get((pre[0], "text"), [""])[-1]
            ends = len(before) - len(before.rstrip("\n"))
            text = "\n" * max(0, lines - space.count("\n") - ends) + text
        self._append(pre[0], text)

    def _add_inline(self, leaf: Leaf, around: Around, is_new: bool) -> None:
        is_inline_block = bool(self._open) and self._open[-1][0][0] in INLINE_BLOCKS
        is_apart, breaks = leaf.is_apart, 0
        is_apart |= bool(self._hidden_in[leaf.row] != self._hidden_in[self._last])
        if not is_new:
            parted = self._is_parted(leaf.row) and not self._follows_task
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
        self._follows_task = isinstance(leaf.thing, TaskBox)
        if leaf.text is None:
            self._here.append(self._thing(leaf))
        else:
            self._append(
                self._here, self._bracketed(leaf) if self._in_ruby[leaf.row] else leaf.text
            )

    @cached_property
    def _hidden_in(self) -> Ints:
        """The outermost hidden element around each row, -1 for none: its text is not joined."""
        rows = self._reading.rows
        around = np.full(len(self._tree), -1, dtype=np.int32)
        for row in reversed(hidden_rows(rows)):
            around[row : rows.end[row]] = row
        return around

    @cached_property
    def _in_ruby(self) -> Bools:
        return self._tree.within("rt")

    def _bracketed(self, leaf: Leaf) -> str:
        """Return the text of a reading, with brackets at its begin and end."""
        rows, text = self._reading.rows, (leaf.text or "").strip()
        reading = next(at for at in rows.above(leaf.row) if rows.names[at] == "rt")
        if has_own_brackets(rows, reading):
            return text
        is_first = not rows.has_text(reading, leaf.row)
        is_last = not rows.has_text(leaf.row + 1, rows.end[reading])
        return f"{'(' * is_first}{text}{')' * is_last}"

    def _thing(self, leaf: Leaf) -> HtmlElement:
        thing = leaf.thing
        if isinstance(thing, Formula):
            element = new("math")
            element.text = legal(thing.tex)
            if thing.is_display:
                element.set("display", "block")
            if thing.mathml:
                element.set("data-mathml", legal(thing.mathml))
            return element
        if isinstance(thing, NoteMark):
            element = new("sup")
            element.text = thing.label
            element.set("data-note", thing.label)
            return element
        if isinstance(thing, TaskBox):
            return new("input", type="checkbox", **({"checked": ""} if thing.is_done else {}))
        picture = self._pictures.element(leaf.row)
        assert picture is not None
        return picture

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
        last, of = self._last, self._surroundings.of
        before, after = (of(self._surroundings.holder(at)).block for at in (last, row))
        return before != after or bool(self._counts[0][row] > self._counts[0][last + 1])

    def _breaks_before(self, row: int) -> int:
        return int(self._counts[1][row] - self._counts[1][self._last + 1])

    @cached_property
    def _counts(self) -> tuple[Longs, Longs, Longs]:
        """Numbers of block-level elements, ``br`` and lines of code before each row, (n + 1,)."""
        tree = self._tree
        blocks, lines = tree.has_tag(*ALL_BLOCK_TAGS), np.zeros(len(tree), dtype=bool)
        notes = self._reading.rows.below(self._surroundings.notes)
        blocks[inline_boxes(self._reading.rows)] = False
        lines[list(self._reading.lines)] = True
        counted = (blocks & ~notes, tree.has_tag("br") & ~notes, lines)
        first, second, third = (np.append(0, np.cumsum(each)) for each in counted)
        return first, second, third

    # elements ------------------------------------------------------------------------------
    def _block(self, key: Key) -> HtmlElement:
        tag, row = key
        if tag == "table":
            made = table_rows(self._page, row, self._leaf_rows)
            self._made |= made
            return made[key]
        element = new(tag)
        if tag == "ol" and row >= 0:
            self._say_numbers(element, row)
        if tag == "li" and row in self._numbers:
            element.set("value", str(self._numbers[row]))
        if tag == "blockquote" and (comment := self._reading.comments.get(row)):
            element.append(self._comment_head(comment))
        if tag == "blockquote" and (callout := self._reading.callouts.get(row)):
            element.set("data-callout", callout.kind)
            if callout.title_rows:
                title = etree.SubElement(element, "p")
                title.text = legal(callout.title)
                title.set("class", "callout-title")
        if tag == "pre" and (language := language_of_block(self._reading.rows, row)):
            etree.SubElement(element, "code").set("class", f"language-{language}")
        return element

    def _comment_head(self, comment: PageComment) -> HtmlElement:
        """Return who wrote a comment and when, as a paragraph."""
        head = new("p")
        author = etree.SubElement(head, "strong")
        author.text = legal(comment.author)
        address = safe_address(comment.address, self._base) if comment.date else None
        date = author
        if address is not None:
            date = etree.SubElement(head, "a")
            date.set("href", address)
            author.tail, date.text = " · ", legal(comment.date)
        elif comment.date:
            author.tail = legal(f" · {comment.date}")
        if comment.score:
            date.tail = legal(f"{date.tail or ''} · {comment.score}")
        return head

    def _say_numbers(self, element: HtmlElement, row: int) -> None:
        """Give an ordered list the number, on the page, of its first item that is kept.

        Where the page counts down, or gives numbers to items, each item gets its own.
        """
        leaves, rows = self._leaf_rows, self._reading.rows
        given, at = rows.attributes(row), int(leaves.searchsorted(row))
        is_whole = at == leaves.size or leaves[at] >= rows.end[row]  # in a note, which is complete
        first = row if is_whole else int(leaves[at])
        numbers, is_reversed = numbers_on_page(rows, row), "reversed" in given
        kept = (number for item, number in numbers.items() if first < rows.end[item])
        start = next(kept, 1)
        if start != 1 or is_reversed:
            element.set("start", str(start))
        if is_reversed:
            element.set("reversed", "")
        if is_reversed or any("value" in rows.attributes(item) for item in numbers):
            self._numbers |= numbers
        if given.get("type") in ("a", "A", "i", "I"):
            element.set("type", given["type"])

    @cached_property
    def _leaf_rows(self) -> Ints:
        return np.array([leaf.row for leaf in self._leaves], dtype=np.int32)

    def _mark(self, key: Key) -> HtmlElement:
        tag, row = key
        element = etree.SubElement(self._here, tag)
        if tag == "a":
            element.set("href", self._surroundings.address_of(row) or "")
            set_title(element, self._reading.rows.attributes(row))
        if tag == "q" and (language := self._language_of(row)):
            element.set("lang", language)
        return element

    def _language_of(self, row: int) -> str:
        rows = self._reading.rows
        return next((said for at in (row, *rows.above(row)) if (said := rows.get(at, "lang"))), "")


def _common(keys: tuple[Key, ...], others: list[Key]) -> int:
    pairs = zip(keys, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _last_child(element: HtmlElement) -> HtmlElement | None:
    """Return the last child: in lxml ``len`` counts the children each time."""
    return next(element.iterchildren(reversed=True), None)


def _tidy(root: HtmlElement) -> None:
    """Remove empty wrappers: figures without pictures, lone paragraphs; numbers that follow."""
    for figure in root.findall(".//figure"):
        if figure.find(".//img") is None:
            for caption in figure.findall("figcaption"):
                caption.drop_tag()
            figure.drop_tag()
    for tag in (*_COMPACT, "figure"):
        for block in root.iter(tag):
            first = block[0] if len(block) and not block.text else None
            is_lone = all(each.tag in (*LISTS, "figcaption") for each in block[1:])
            if first is not None and first.tag == "p" and is_lone:
                first.drop_tag()
    for each in root.iter("ol"):
        for item, counted, number in numbers_of(each):
            if counted == number:
                item.attrib.pop("value", None)
    for pre in root.iter("pre"):
        if len(pre):
            pre[0].text = (pre[0].text or "").strip("\n")
