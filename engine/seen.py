"""The page as it is seen: its DOM with the layout written into it, as HTML.

Text follows the rules of ``innerText`` (HTML standard, 3.2.7); what differs is listed in
methods.md#the-page-as-it-is-seen.  Readers of HTML know tags and no style sheets, so tags express
the layout:

* content that is not displayed is left out;
* an inline element with the layout of a block becomes a ``div`` or is put into one; in a paragraph
  or heading it gets a ``br``;
* a block element with the layout of a line becomes a ``span``;
* white space at the edges of boxes in a line is dropped, forced line breaks become ``br``;
* an element whose text is struck through by a style sheet says so in its own style;
* content of a slot is in its slot, content of a frame in a ``div`` in place of the frame.

Tags, classes, addresses and all other attributes stay as they are wherever they fit.
"""

import re
from dataclasses import dataclass

import numpy as np

from engine.align import RAW_TEXT_TAGS, Alignment, Pieces
from engine.layout import FRAMES, Layout
from engine.nodes import NodeTable
from engine.source import Source
from engine.tree import BLOCK_TAGS, TEXT
from engine.xhtml import VOID

_KEPT = frozenset(
    "html body p br hr table caption colgroup col thead tbody tfoot tr td th option "
    "optgroup".split()
)
"""Elements that keep their tags in any layout: parsers move what is put between the
parts of a table, and ``innerText`` parts paragraphs always."""
_PLAIN = frozenset("span font bdi bdo data slot small big tt nobr center div".split())
"""Elements whose names express only their layout."""
_IN_BREAKS = frozenset("p h1 h2 h3 h4 h5 h6 dt summary button label".split())
"""Elements in which no ``div`` may stand, or none should: blocks in them are parted by breaks."""
_BARS_P = frozenset(["table", "td", "th", "caption", "button"])
"""Elements in which a block does not end a paragraph that is open around them."""
_REPLACED = frozenset("img input svg canvas video audio object embed select textarea math".split())
_AROUND_ALL = frozenset(["math", "mrow", "mstyle", "semantics"])
"""Elements around the whole of a formula, where they are alone: an annotation may be of a part."""
_STRUCK = "text-decoration: line-through"
_HEAD = frozenset(["title", "meta", "link", "base"])
_DATA = re.compile(r"application/ld\+json|math/", re.IGNORECASE)
_HIDING = re.compile(
    r"(?:^|(?<=;))\s*(?:display|visibility|content-visibility)\s*:[^;]*(?:;|$)", re.IGNORECASE
)
_DOCTYPE = re.compile(r"\s*(?:<!--.*?-->\s*)*(<!doctype[^>]*>)", re.IGNORECASE | re.DOTALL)
_NO_WORDS = re.compile(r"\s*(?:<[^>]*>\s*)*")
_SPACE = " \t\n\r\f"


@dataclass(frozen=True, eq=False)
class Seen:
    """The page as it is seen: its HTML, and the location of its words in the rendered nodes."""

    source: Source
    alignment: Alignment

    @classmethod
    def of(cls, nodes: NodeTable, dom: Source | None = None) -> "Seen":
        """Write a page's layout into its HTML, some 10 µs a row; ``dom`` marks shadow trees."""
        html, pieces = _SeenWriter(nodes, "" if dom is None else dom.html).write()
        source = Source.from_text(html)
        return cls(source, Alignment.of_pieces(source, pieces))


def _is_line_through(line: str) -> bool:
    return "line-through" in line


@dataclass
class _OpenElement:
    """Element whose content is being written."""

    row: int
    name: str  # tag in the output; "" for none
    kids: list[int]  # its visible children, of which `next` is next
    at: int  # where its start tag is in the output
    after: str  # markup to write after it
    in_p: int  # index of the open paragraph around it; -1 for none
    breaks: str  # separator of blocks in it; "" where they are put into a ``div``
    is_atomic: bool  # an inline-level box that contains lines
    is_inline: bool  # no block
    next: int = 0


class _SeenWriter:
    def __init__(self, nodes: NodeTable, dom: str) -> None:
        self._nodes = nodes
        self._layout = Layout(nodes, dom)
        self._tag, self._look = self._layout.tag, self._layout.look
        self._is_struck = nodes.is_computed("text-decoration-line", _is_line_through)
        self._is_struck &= ~nodes.has_tag("del", "s", "strike")
        self._out: list[str] = []
        self._pieces: list[tuple[int, int, int, bool]] = []  # in the output, row, start, is raw
        self._stack: list[_OpenElement] = []
        # The text before: its row, whether the next text would be joined to it, whether the
        # edge of a box in the line is between; where the white space after it is.
        self._last, self._hangs, self._at_edge = -1, False, False
        self._trail, self._is_leading = -1, False
        self._has_gap = False  # what stands in no line is between: a blank, where letters follow

    def write(self) -> tuple[str, Pieces]:
        """Return the HTML and the locations of its texts."""
        if len(self._nodes):
            doctype = _DOCTYPE.match(self._layout.dom)
            self._out.append(doctype[1] if doctype else "")
            self._enter(0, -1, None)
        while self._stack:
            top = self._stack[-1]
            if top.next == len(top.kids):
                self._leave()
                continue
            at, row = top.next, top.kids[top.next]
            top.next += 1
            if self._tag[row] == TEXT:
                self._text(row, top)
            else:
                self._enter(row, at, top)
        starts = np.cumsum([0, *map(len, self._out)])
        at_piece, rows, first, is_raw = np.array(self._pieces or np.zeros((0, 4)), dtype=np.int64).T
        pieces = Pieces(starts[at_piece], starts[at_piece + 1], rows, first, is_raw.astype(bool))
        return "".join(self._out), pieces

    # Elements

    def _enter(self, row: int, at: int, parent: _OpenElement | None) -> None:
        """Write the markup before an element's children, and stack it; or leave it out."""
        tag, look = self._tag[row], self._look[row]
        if tag == "head" and not self._layout.frame[row]:
            self._head(row)
            return
        if look.is_out:
            self._hidden(row, tag)
            return
        if parent is not None and look.is_placed and self._parts_line(at):
            box = self._line_box()
            if not (box.is_atomic or self._layout.is_beside(self._last, row)):
                box.kids.append(row)  # it is drawn in no line: behind them
                return
            look = self._look[row] = look._replace(is_block=False, is_atomic=True)
            self._has_gap = True
        if parent is not None and self._is_initial(row, at, parent):
            look = self._look[row] = look._replace(is_block=False)
        name = self._name(row, at, parent)
        before, after = self._edges(row, at, name, parent)
        self._out.append(before)
        in_p = parent.in_p if parent is not None else -1
        if name in BLOCK_TAGS or before == "<div>" or after == "</div>":
            if in_p >= 0:
                in_p = self._open_up(in_p)
            self._break()
        elif before or tag == "br":
            self._break()
        if name == "p":
            in_p = len(self._stack)
        elif name in _BARS_P:
            in_p = -1
        entry = _OpenElement(
            row, name, self._layout.shown(row), len(self._out), after, in_p,
            self._breaks_in(name, parent), look.is_atomic, not look.is_block,
        )  # fmt: skip
        self._out.append(f"<{name}{self._attributes(row)}>" if name else "")
        if tag in _REPLACED:
            self._trail, self._is_leading, self._at_edge = -1, False, False
        elif look.is_atomic:
            self._trail, self._is_leading, self._at_edge = -1, True, True
        self._stack.append(entry)

    def _leave(self) -> None:
        entry = self._stack.pop()
        if entry.is_atomic and self._tag[entry.row] not in _REPLACED:
            if self._trail > entry.at:
                self._out[self._trail] = ""
                self._hangs = True
            self._trail, self._is_leading, self._at_edge = -1, False, True
            self._has_gap |= self._look[entry.row].is_placed
        if entry.name and entry.name not in VOID:
            self._out.append(f"</{entry.name}>")
        if entry.after or entry.name in BLOCK_TAGS:
            self._out.append(entry.after)
            self._break()

    def _break(self) -> None:
        """Record that the next text is not joined to the text before."""
        self._hangs, self._trail = False, -1

    def _breaks_in(self, name: str, parent: _OpenElement | None) -> str:
        if name == "pre":
            return "\n"
        if name in _IN_BREAKS:
            return "<br>"
        return "" if parent is None or name in BLOCK_TAGS else parent.breaks

    def _open_up(self, at: int) -> int:
        """Make the open paragraph a ``div``: a block is written in it; return the next around."""
        paragraph = self._stack[at]
        self._out[paragraph.at] = "<div" + self._out[paragraph.at][2:]
        paragraph.name = "div"
        around = self._stack[at - 1].in_p if at else -1
        for entry in self._stack[at:]:
            entry.in_p = around if entry.in_p == at else entry.in_p
            entry.breaks = "" if entry.breaks == "<br>" else entry.breaks
        return self._open_up(around) if around >= 0 else -1

    def _name(self, row: int, at: int, parent: _OpenElement | None) -> str:
        """Return the tag an element gets; "" for one that gets none."""
        tag, look, frame = self._tag[row], self._look[row], self._layout.frame
        is_framed = parent is not None and frame[row] != frame[parent.row]
        if is_framed or (parent is not None and frame[row] and tag == "body"):
            return "div"
        if tag == "frameset" or (tag in FRAMES and self._layout.holds_frame(row)):
            return "div"
        if tag in _KEPT or not look.is_known:
            return tag
        is_plain = tag in _PLAIN or "-" in tag
        if look.is_contents and is_plain:
            return ""
        if tag in BLOCK_TAGS:
            if look.is_block or self._layout.holds_blocks(row):
                return tag
            return "span" if is_plain or self._is_glued(at, parent) else tag
        if look.is_block and is_plain and (parent is None or not parent.breaks):
            return "div"
        return "span" if tag == "slot" else tag

    def _edges(self, row: int, at: int, name: str, parent: _OpenElement | None) -> tuple[str, str]:
        """Return the markup before and after an element shown as a block."""
        look = self._look[row]
        if parent is None or not look.is_block or name in BLOCK_TAGS or name == "br":
            return "", ""
        is_before = self._meets_text(parent, at, -1)
        is_after = self._meets_text(parent, at, 1)
        if self._tag[row] in _REPLACED and not (is_before and is_after):
            return "", ""  # a picture has no words to keep apart
        if parent.breaks:
            return parent.breaks * is_before, parent.breaks * is_after
        return ("<div>", "</div>") if is_before or is_after else ("", "")

    def _meets_text(self, parent: _OpenElement, at: int, step: int) -> bool:
        """Return whether text beside a block would run into its text.

        Where breaks part blocks, the one before has written its break.
        """
        kids = parent.kids
        index = at + step
        while 0 <= index < len(kids):
            row = kids[index]
            tag, look = self._tag[row], self._look[row]
            if tag == TEXT:
                text = self._nodes.text[row]
                has_break = parent.breaks == "\n" and "\n" in _edge_of(text, step)
                if has_break or not text.isspace():
                    return not has_break
            elif tag == "br":
                return False
            elif not look.is_out:
                if parent.breaks and look.is_block:
                    return step > 0
                return not (look.is_block and (tag in BLOCK_TAGS or tag in _PLAIN or "-" in tag))
            index += step
        return parent.is_inline and parent.name not in BLOCK_TAGS

    def _is_initial(self, row: int, at: int, parent: _OpenElement) -> bool:
        behind = (k for k in parent.kids[at + 1 :] if not self._look[k].is_out)
        following = next(behind, -1) if self._look[row].is_float else -1
        is_initial = following >= 0 and self._layout.is_initial(row, following)
        return is_initial and not self._goes_on(at, -1)

    def _line_box(self) -> _OpenElement:
        """Return the element whose lines are being written."""
        return next(e for e in reversed(self._stack) if e.is_atomic or not e.is_inline)

    def _parts_line(self, at: int) -> bool:
        """Return whether words stand before and behind a child of the open element in its line."""
        return self._goes_on(at, -1) and self._goes_on(at, 1)

    def _goes_on(self, at: int, step: int) -> bool:
        for entry in reversed(self._stack):
            for row in entry.kids[at + 1 :] if step > 0 else entry.kids[:at][::-1]:
                look = self._look[row]
                if self._tag[row] == TEXT:
                    if not self._nodes.text[row].isspace():
                        return True
                elif self._tag[row] == "br" or not (look.is_out or look.is_placed):
                    is_line = self._tag[row] != "br" and not look.is_block
                    if not is_line or self._nodes.text_below(row).strip():
                        return is_line
            if not entry.is_inline or entry is self._stack[0]:
                return False
            at = self._stack[self._stack.index(entry) - 1].next - 1
        return False

    def _is_glued(self, at: int, parent: _OpenElement | None) -> bool:
        """Return whether a box in a line is joined to the content beside it."""
        if parent is None:
            return False
        kids, row = parent.kids, parent.kids[at]
        for step in (-1, 1):
            other = kids[at + step] if 0 <= at + step < len(kids) else -1
            if other < 0 or self._tag[other] == "br":
                continue
            if self._tag[other] == TEXT:
                if self._nodes.text[other] and not _edge_of(self._nodes.text[other], step):
                    return True
            elif not (self._look[other].is_out or self._look[other].is_block):
                one, two = (other, row) if step < 0 else (row, other)
                if not self._layout.is_apart(one, two):
                    return True
        return False

    def _head(self, row: int) -> None:
        """Write the metadata in the head; it is no text."""
        kids = [k for k in self._layout.children(row) if self._tag[k] in _HEAD or self._is_data(k)]
        self._out.append("".join(["<head>", *map(self._layout.markup, kids), "</head>"]))

    def _is_data(self, row: int) -> bool:
        kind = self._nodes.attributes[row].get("type", "")
        return self._tag[row] == "script" and _DATA.match(kind) is not None

    def _hidden(self, row: int, tag: str) -> None:
        """Write elements without box and words: data of the page, pictures that load late."""
        if tag == "noscript":
            markup = self._layout.markup(row)
            if "<img" in markup and _NO_WORDS.fullmatch(markup):
                self._out.append(markup)
        elif self._is_data(row):
            self._out.append(self._layout.markup(row))
        elif self._nodes.styles[int(self._nodes.style[row])][0] not in ("none", ""):
            self._cut_away(row, tag)

    def _cut_away(self, row: int, tag: str) -> None:
        """Write the TeX of formulas for screen readers beside the drawn ones."""
        text = self._nodes.text_below(row)
        self._has_gap |= text != text.strip()
        inside = range(row, int(self._nodes.end[row]))
        formulas = [self._attributes(k) for k in inside if self._tag[k] == "math"]
        maths = "".join(f"<math{each}></math>" for each in formulas if " alttext=" in each)
        if maths:
            self._out.append(f"<{tag}{self._attributes(row)}>{maths}</{tag}>")

    def _attributes(self, row: int) -> str:
        """Return the attributes of an element, but those that hide it."""
        own = self._nodes.attributes[row]
        is_struck = self._is_struck[row] and "line-through" not in own.get("style", "")
        parts = []
        for name, value in own.items():
            if name in ("hidden", "popover"):
                continue
            if name == "style" and ("none" in value or "hidden" in value):
                value = _HIDING.sub("", value)  # another rule overrides it
            if name == "style" and is_struck:
                value = f"{value.rstrip('; ')}; {_STRUCK}"
            parts.append(f' {name}="{_escaped(value).replace(chr(34), "&quot;")}"')
        if is_struck and "style" not in own:
            parts.append(f' style="{_STRUCK}"')
        if self._tag[row] == "math" and "alttext" not in own:
            parts.append(self._formula(row))
        return "".join(parts)

    def _formula(self, row: int) -> str:
        """Return TeX that is written beside a formula, and not displayed, as its ``alttext``."""
        inner = [row]
        while len(inner) == 1 and self._tag[inner[0]] in _AROUND_ALL:
            below = range(inner[0] + 1, int(self._nodes.end[inner[0]]))
            inner = [k for k in below if self._nodes.parent[k] == inner[0] and self._tag[k] != TEXT]
        for at in inner:
            kind = self._nodes.attributes[at].get("encoding", "")
            text = _escaped(self._nodes.text_below(at).strip()).replace('"', "&quot;")
            if self._tag[at] == "annotation" and "tex" in kind.lower() and text:
                return f' alttext="{text}"'
        return ""

    # Texts

    def _text(self, row: int, parent: _OpenElement) -> None:
        text, look = self._nodes.text[row], self._look[parent.row]
        is_raw, in_pre = parent.name in RAW_TEXT_TAGS, parent.breaks == "\n"
        is_blank = not text or text.isspace()
        if look.keeps_lines and not is_blank:
            self._part(row, text)
            self._kept_lines(row, text, in_pre, is_raw)
            return
        if in_pre and not look.keeps_lines:
            text = text.replace("\n", " ")
        start = len(text) - len(text.lstrip(_SPACE)) if self._is_leading else 0
        inked = len(text.rstrip(_SPACE))
        if inked > start:
            self._part(row, text[start:])
            self._piece(text[start:inked], row, start, is_raw)
            self._hangs, self._is_leading, self._at_edge = True, False, False
        if len(text) > max(inked, start):
            self._trail = len(self._out)
            self._out.append(text[max(inked, start) :])
            self._hangs = False

    def _part(self, row: int, text: str) -> None:
        """Separate a text from the one before where boxes in the line do."""
        is_beside = self._hangs and self._at_edge and text[0] not in _SPACE and self._last >= 0
        is_gap = self._has_gap and self._hangs and text[0].isalnum()
        if is_gap or (is_beside and self._layout.is_apart(self._last, row)):
            self._out.append(" ")
        self._last, self._has_gap = row, False

    def _kept_lines(self, row: int, text: str, in_pre: bool, is_raw: bool) -> None:
        """Write a text whose line ends are kept: as they are in ``pre``, else as ``br``."""
        start = 0
        for line in [text] if in_pre else text.split("\n"):
            self._out.append("<br>" if start else "")
            if line:
                self._piece(line, row, start, is_raw)
            start += len(line) + 1
        self._trail, self._is_leading, self._at_edge = -1, False, False
        self._hangs = text[-1] not in _SPACE

    def _piece(self, text: str, row: int, start: int, is_raw: bool) -> None:
        if self._pieces and not any(self._out[self._pieces[-1][0] + 1 :]):
            self._out.append("<!---->")  # two nodes, whose words must not be joined
        self._pieces.append((len(self._out), row, start, is_raw))
        self._out.append(text if is_raw else _escaped(text))


_TO_ESCAPE = re.compile("[&<>\u00a0]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;"}


def _escaped(text: str) -> str:
    """Return a text as a serialiser of HTML writes it (HTML standard, "escaping a string")."""
    return _TO_ESCAPE.sub(lambda found: _ENTITIES[found[0]], text)


def _edge_of(text: str, step: int) -> str:
    """Return the white space at the end of a text that is first in the direction of ``step``."""
    return text[: len(text) - len(text.lstrip())] if step > 0 else text[len(text.rstrip()) :]
