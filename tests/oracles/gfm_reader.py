"""What HTML says to a reader, by lexbor; and what GitHub's own reader makes of Markdown.

Neither shares code with Pagelet.  A page says blocks in their order, each with the boxes around it
(lists with their start, items, quotes, cells by row, column and alignment), its kind, and its
letters in runs of the same marks.  Marks are a set, so that emphasis in emphasis of its kind is
one; white space is as it is shown.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote, unquote

import cmarkgfm
from cmarkgfm.cmark import Options
from selectolax.lexbor import LexborHTMLParser, LexborNode

_EXTENSIONS = ["table", "strikethrough", "tasklist", "autolink"]
_OPTIONS = Options.CMARK_OPT_UNSAFE | Options.CMARK_OPT_FOOTNOTES

_MARKS = {
    "em": "em", "i": "em", "cite": "em", "var": "em", "dfn": "em",
    "strong": "strong", "b": "strong", "del": "del", "s": "del", "strike": "del",
    "code": "code", "kbd": "code", "samp": "code", "tt": "code", "sub": "sub", "sup": "sup",
}  # fmt: skip
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BOXES = {"ul": "ul", "menu": "ul", "dir": "ul", "blockquote": "quote"}
_PARTING = frozenset(
    "address article aside body center details dialog div dl dt dd fieldset figcaption figure "
    "footer form header hgroup html legend main nav p search section summary li caption".split()
)
_UNSEEN = frozenset(
    "script style template title head noscript iframe svg math select button noframes".split()
)
_SCRIPTS = re.compile(r"(?!(?:https?|ftp|mailto|tel):)[a-z][a-z0-9+.-]*:", re.IGNORECASE)


_BLANKS = " \t\n\r\f\xa0"
_QUOTES = '"“”„‟‘’‚«»‹›「」『』'
_BREAK = "\ue002"


class Run(NamedTuple):
    """Letters with the same marks, `_BREAK` for the end of a line; of a picture its text."""

    text: str
    marks: frozenset[str]


class Block(NamedTuple):
    """A paragraph, heading, block of code, cell or rule with what is around it."""

    around: tuple[str, ...]
    kind: str
    runs: tuple[Run, ...]


def read_gfm(markdown: str) -> str:
    """Return the HTML that cmark-gfm, GitHub's reader, makes of Markdown."""
    html: str = cmarkgfm.markdown_to_html_with_extensions(markdown, _OPTIONS, _EXTENSIONS)
    return html


def said(html: str) -> tuple[Block, ...]:
    """Return what HTML says; nothing of what is hidden or empty."""
    body = LexborHTMLParser(html).body
    teller = _Teller()
    if body is not None:
        teller.tell(body, (), frozenset())
    teller.end()
    return tuple(_numbered(teller.blocks))


def letters(blocks: tuple[Block, ...]) -> str:
    """Return the text of blocks without white space."""
    return "".join("".join(run.text for run in each.runs) for each in blocks).replace(_BREAK, "")


def is_in_cell(around: tuple[str, ...]) -> bool:
    """Return whether the boxes around a block are those of a table's cell."""
    return any(each.startswith("column") for each in around)


class _Teller:
    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._around: tuple[str, ...] = ()
        self._kind = "p"
        self._runs: list[Run] = []
        self._number = 0

    def end(self) -> None:
        """End the block that is being told."""
        runs = _shown(self._runs) if not self._kind.startswith("code") else tuple(self._runs)
        if runs:
            self.blocks.append(Block(self._around, self._kind, runs))
        self._runs = []

    def tell(self, node: LexborNode, around: tuple[str, ...], marks: frozenset[str]) -> None:
        """Tell all in an element."""
        for child in node.iter(include_text=True):
            tag = child.tag or ""
            if tag == "-text":
                self._say(child.text_content or "", around, marks)
            elif tag in _UNSEEN or tag.startswith(("-", "!", "_")):
                continue
            else:
                self._element(child, tag, around, marks)

    def _say(self, text: str, around: tuple[str, ...], marks: frozenset[str]) -> None:
        if not self._runs:
            self._around = around
        self._runs.append(Run(text, marks))

    def _break(self, around: tuple[str, ...], marks: frozenset[str]) -> None:
        """End a line; a second time in a row, or in a cell, it ends a paragraph."""
        last = next((text for text, _ in reversed(self._runs) if text.strip(_BLANKS)), "")
        if self._kind == "p" and (last == _BREAK or is_in_cell(around)):
            self.end()
        else:
            self._say(_BREAK, around, marks)

    def _element(
        self, node: LexborNode, tag: str, around: tuple[str, ...], marks: frozenset[str]
    ) -> None:
        given = {name: value or "" for name, value in node.attributes.items()}
        if "hidden" in given:
            return
        if tag == "br":
            self._break(around, marks)
        elif tag == "img":
            target = _target(given.get("src", ""), given.get("title", ""))
            if target:
                self._say(f"\ue000{given.get('alt', '')}\ue001", around, marks | {f"img {target}"})
        elif tag == "input":
            if given.get("type") == "checkbox":
                box = "\u2611" if "checked" in given else "\u2610"
                self._say(f"{box} ", around, marks)
        elif "footnote-ref" in given.get("class", ""):
            self._say(node.text(deep=True).strip(), around, marks | {"note"})
        elif "footnote-backref" in given.get("class", ""):
            return
        elif tag == "a":
            target = _target(given.get("href", ""), given.get("title", ""))
            self.tell(node, around, marks | {f"a {target}"} if target else marks)
        elif tag == "q" and (node.text(deep=True) or "").strip(_BLANKS):
            outside = marks - {"code"}  # code holds its letters alone
            self._say('"', around, outside)
            self.tell(node, around, marks)
            self._say('"', around, outside)
        elif tag in _MARKS:
            self.tell(node, around, marks | {_MARKS[tag]})
        elif tag in ("pre", "listing", "xmp") and is_in_cell(around):
            self._code_in_cell(node, around)
        elif tag in ("pre", "listing", "xmp"):
            self._code(node, around)
        elif tag == "hr":
            self.end()
            self.blocks.append(Block(around, "hr", ()))
        elif tag == "table":
            self.end()
            self._table(node, around)
        else:
            self._inside(node, tag, given, around, marks)

    def _inside(
        self,
        node: LexborNode,
        tag: str,
        given: dict[str, str],
        around: tuple[str, ...],
        marks: frozenset[str],
    ) -> None:
        is_block = tag in _PARTING or tag in _BOXES or tag in _HEADINGS or tag == "ol"
        if not is_block:
            self.tell(node, around, marks)
            return
        if self._kind in _HEADINGS:  # a heading is one line, whatever is in it
            self._say(" ", around, marks)
            self.tell(node, around, marks)
            self._say(" ", around, marks)
            return
        self.end()
        if tag in _HEADINGS:
            self._kind = tag
        if tag == "ol":
            self._numbered_list(node, around, marks)
            return
        inner = around
        if tag in _BOXES:
            self._number += 1
            inner = (*around, f"{_BOXES[tag]} #{self._number}")
        elif tag == "li":
            self._number += 1
            inner = (*around, f"li #{self._number}")
        self.tell(node, inner, marks)
        self.end()
        self._kind = "p"

    def _numbered_list(
        self, node: LexborNode, around: tuple[str, ...], marks: frozenset[str]
    ) -> None:
        """Tell a list; where its numbers do not just count up, it is as if another one began."""
        expected, inner = None, around
        for item, number in _numbers(node):
            if number != expected:
                self._number += 1
                inner = (*around, f"ol {number} #{self._number}")
            self._number += 1
            self.tell(item, (*inner, f"li #{self._number}"), marks)
            self.end()
            expected = number + 1

    def _code(self, node: LexborNode, around: tuple[str, ...]) -> None:
        self.end()
        text = (node.text(deep=True) or "").strip("\n")
        code = node.css_first("code")
        names = ((code.attributes.get("class") or "") if code is not None else "").split()
        language = next((n for n in names if n.startswith("language-")), "")
        if text.strip():
            self.blocks.append(Block(around, f"code {language}".strip(), (Run(text, frozenset()),)))

    def _code_in_cell(self, node: LexborNode, around: tuple[str, ...]) -> None:
        """Tell code in a cell, where Markdown has lines of code alone: each line that says a word.

        A cell shows its white space as one blank.
        """
        for line in (node.text(deep=True) or "").split("\n"):
            self.end()
            self._say(line, around, frozenset(["code"]))
        self.end()

    def _table(self, table: LexborNode, around: tuple[str, ...]) -> None:
        self._number += 1
        box = f"table #{self._number}"
        caption = table.css_first("caption")
        if caption is not None:
            self.tell(caption, around, frozenset())
            self.end()
        taken: dict[int, int] = {}  # by column: rows below that a cell reaches down to
        for row in table.css("tr"):
            self._number += 1
            line = f"row #{self._number}"
            column = 0
            for cell in row.iter():
                if cell.tag not in ("td", "th"):
                    continue
                while taken.get(column, 0):
                    column += 1
                width, height = (_span(cell, name) for name in ("colspan", "rowspan"))
                inner = (*around, box, line, f"column {column + 1}{_align(cell)}")
                self.tell(cell, inner, frozenset())
                self.end()
                taken |= dict.fromkeys(range(column, column + width), height)
                column += width
            taken = {each: left - 1 for each, left in taken.items() if left > 1}


def _span(cell: LexborNode, name: str) -> int:
    given = cell.attributes.get(name) or ""
    return max(1, int(given)) if given.isdecimal() else 1


def _align(cell: LexborNode) -> str:
    style = re.search(r"text-align:\s*(\w+)", cell.attributes.get("style") or "")
    align = style[1] if style else cell.attributes.get("align") or ""
    return f" {align.lower()}" if align else ""


def _numbers(node: LexborNode) -> Iterator[tuple[LexborNode, int]]:
    """Yield the items of an ordered list with their numbers.

    Empty items between others count only where numbers do not just count up (how-to/structure.md).
    """
    items = list(_items(node))
    is_reversed = "reversed" in node.attributes
    counts_up = not is_reversed and not any("value" in each.attributes for each in items)
    number = _integer(node, "start", len(items) if is_reversed else 1)
    has_begun = False
    for item in items:
        number = _integer(item, "value", number)
        has_begun |= not _is_empty(item)
        if not _is_empty(item):
            yield item, number
        if not (counts_up and has_begun and _is_empty(item)):
            number += -1 if is_reversed else 1


def _items(node: LexborNode) -> Iterator[LexborNode]:
    for each in node.iter():
        if each.tag == "li":
            yield each
        elif each.tag not in _BOXES and each.tag != "ol":
            yield from _items(each)


def _is_empty(item: LexborNode) -> bool:
    text = (item.text(deep=True) or "").strip(_BLANKS)
    return not text and item.css_first("img[src], hr, input") is None


def _integer(node: LexborNode, name: str, other: int) -> int:
    given = (node.attributes.get(name) or "").strip()
    match = re.match(r"[+-]?\d+", given)
    return int(match[0]) if match else other


def _target(address: str, title: str) -> str:
    """Return an address in one way of writing, and a title; "" of what leads nowhere."""
    address = address.strip()
    if not address or _SCRIPTS.match(address):
        return ""
    address = quote(unquote(address), safe="/:?&=#%")
    return f"{address} {' '.join(title.split())}".strip()


def _shown(runs: list[Run]) -> tuple[Run, ...]:
    """Return runs as they are shown: white space once, none at a line's ends."""
    characters: list[tuple[str, frozenset[str]]] = []
    for text, marks in runs:
        for character in text:
            letter = " " if character in _BLANKS else character
            if letter in _QUOTES:  # whatever they are of the language, and blanks within them
                letter = '"'
                while characters and characters[-1][0] == " ":
                    characters.pop()
            if letter in " \ue002":
                while letter == _BREAK and characters and characters[-1][0] == " ":
                    characters.pop()
                if letter == " " and (not characters or characters[-1][0] in ' "\ue002'):
                    continue
            characters.append((letter, marks))
    while characters and characters[-1][0] in " \ue002":
        characters.pop()
    while characters and characters[0][0] in " \ue002":
        del characters[0]
    return _joined(_without_own_links(_joined(tuple(_with_marks(characters)))))


def _with_marks(characters: list[tuple[str, frozenset[str]]]) -> Iterator[Run]:
    """Yield letters with their marks; blanks, which show none, have those of both neighbours."""
    before: frozenset[str] = frozenset()
    for at, (letter, marks) in enumerate(characters):
        if letter.isspace() or letter == _BREAK:
            later = (own for each, own in characters[at + 1 :] if not each.isspace())
            marks = before & next(later, frozenset())
        before = marks
        yield Run(letter, marks)


def _joined(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    joined: list[Run] = []
    for text, marks in runs:
        if joined and joined[-1].marks == marks:
            joined[-1] = Run(joined[-1].text + text, marks)
        else:
            joined.append(Run(text, marks))
    return tuple(joined)


def _without_own_links(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Return runs without links that say no more than their text: GFM makes such by itself."""
    bare = []
    for text, marks in runs:
        words = {quote(unquote(word), safe="/:?&=#%") for word in text.split()}
        own = {f"a {start}{word}" for word in words for start in ("", "http://", "mailto:")}
        bare.append(Run(text, marks - own if len(words) == 1 else marks))
    return tuple(bare)


def _numbered(blocks: list[Block]) -> Iterator[Block]:
    """Yield blocks with the boxes around them numbered in the order of those that say something."""
    numbers: dict[str, str] = {}
    for around, kind, runs in blocks:
        boxes = []
        for each in around:
            name, _, number = each.partition("#")
            if number:
                number = numbers.setdefault(number, str(len(numbers) + 1))
            boxes.append(f"{name}#{number}" if number else name)
        yield Block(tuple(boxes), kind, runs)


def differences(
    before: tuple[Block, ...], after: tuple[Block, ...]
) -> tuple[list[Block], list[Block]]:
    """Return the blocks that are said before alone, and after alone.

    A language of code counts where it is said as HTML 5 does; other ways are the writer's to find.
    """
    plain = {(each.around, each.runs) for each in before if each.kind == "code"}
    after = tuple(
        each._replace(kind="code") if (each.around, each.runs) in plain else each for each in after
    )
    if before == after:
        return [], []
    lost = [each for each in before if each not in after]
    more = [each for each in after if each not in before]
    return lost or list(before), more or list(after)
