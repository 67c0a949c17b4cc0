"""A clean tree as Markdown: CommonMark with the pipe tables of GitHub.

Every character of a text that Markdown would read is escaped, so that the text of what a reader of
CommonMark makes of it is the text of the tree.  Where Markdown has no notation (emphasis inside a
word of punctuation) the mark is written as the HTML element, which CommonMark allows.  Cells of
several columns or rows are followed by empty ones; a table without a header row gets an empty one;
terms of a ``dl`` are followed by their descriptions after a colon, as PHP Markdown Extra, Pandoc
and MkDocs read them; sub- and superscripts are elements of HTML.  Formulas are written between
dollars, and dollars of a text are escaped where a block has two; notes and callouts are written as
GitHub and Obsidian read them.

Own code, because no library keeps the text: of 28 small cases with markup characters in
texts, cells, code and addresses, markdownify 1.2 loses 15 and html-to-markdown 3.21 (22 MB) six;
html2text is under the GPL.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from lxml.html import HtmlElement

from algorithms.structure.kinds import HEADINGS, LISTS, span_of
from algorithms.structure.table_rows import grid_of

_ESCAPED = re.compile(r"[\\`*\[\]<~]|&(?=#?\w+;)|(?<![^\W_])_|_(?![^\W_])")
_AT_START = re.compile(r"[#>+=~|:-]|\d{1,9}(?=[.)])")
_INLINE = frozenset(["a", "em", "strong", "code", "sub", "sup", "math", "br", "img", "input"])
_DELIMITERS = {"em": "*", "strong": "**"}
_TICKS = re.compile("`+")


def markdown_of(tree: HtmlElement) -> str:
    """Return a clean tree as Markdown, without a line end at its end; "" of an empty one."""
    return "\n\n".join(_blocks(tree))


# Blocks ------------------------------------------------------------------------------------


def _blocks(parent: HtmlElement) -> Iterator[str]:
    """Yield the blocks of an element; texts between blocks are paragraphs."""
    return (text for text, _ in _marked_blocks(parent, ""))


def _marked_blocks(parent: HtmlElement, before: str) -> Iterator[tuple[str, str]]:
    """Yield the blocks of an element, each with its marker if it is a list, "" else.

    ``before`` is the marker of the list directly before the first of them, "" if none is.
    """
    inline: list[HtmlElement | str] = [parent.text] if parent.text else []
    for child in parent:
        if _is_display(child):
            for text in (*_paragraph(inline), f"$$\n{_tex(child)}\n$$"):
                yield text, (before := "")
            inline = []
        elif child.tag in _INLINE:
            inline.append(child)
        else:
            for text in _paragraph(inline):
                yield text, (before := "")
            inline = []
            for text, marker in _block(child, before):
                yield text, (before := marker)
        if child.tail and (child.tag in _INLINE or child.tail.strip()):
            inline.append(child.tail)
    for text in _paragraph(inline):
        yield text, ""


def _is_display(element: HtmlElement) -> bool:
    return element.tag == "math" and element.get("display") == "block"


def _tex(formula: HtmlElement) -> str:
    """Return the TeX of a formula; dollars within it become brackets of the same meaning."""
    tex = re.sub(r"(?<!\\)\$([^$]*)(?<!\\)\$", r"\\(\1\\)", formula.text or "")
    return "\n".join(line.rstrip() for line in tex.split("\n") if line.strip())


def _paragraph(inline: Sequence[HtmlElement | str]) -> Iterator[str]:
    text = _Inline().of(inline).strip(" \n")
    if text:
        yield _safe_lines(text)


def _safe_lines(text: str) -> str:
    return "\n".join(_AT_START.sub(_escaped_start, line, count=1) if _AT_START.match(line) else line
                     for line in text.split("\n"))  # fmt: skip


def _escaped_start(match: re.Match[str]) -> str:
    start = match[0]
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def _block(element: HtmlElement, before: str) -> Iterator[tuple[str, str]]:
    """Yield a block in Markdown, as `_marked_blocks` does: nothing where it is empty."""
    tag = element.tag
    if tag in LISTS:
        marker = _list_marker(element, before)
        text = _list(element, marker)
        if text:
            yield text, marker
    elif tag == "hr":
        parent = element.getparent()  # "- ---" would be a rule, not an item with one
        yield ("___" if parent is not None and parent.tag == "li" else "---"), ""
    elif tag == "aside":
        yield _note(element), ""
    elif tag == "dl":
        yield from _descriptions(element, before)
    elif tag in HEADINGS or tag in ("pre", "table", "blockquote"):
        text = _lone_block(element)
        if text:
            yield text, ""
    else:
        yield from _marked_blocks(element, before)


def _lone_block(element: HtmlElement) -> str:
    """Return a heading, a block of code, a table or a quote."""
    tag = str(element.tag)
    if tag == "pre":
        return _fenced(element)
    if tag == "table":
        return _table(element)
    if tag == "blockquote":
        blocks = list(_blocks(element))
        kind = element.get("data-callout")
        if kind:
            has_title = len(element) and element[0].get("class") == "callout-title"
            title = blocks.pop(0) if has_title and blocks else kind.capitalize()
            blocks.insert(0, f"[!{re.sub(r'[^a-z0-9-]', '', kind)}] {title}")
        lines = "\n\n".join(blocks).split("\n")
        return "\n".join(f"> {line}" if line else ">" for line in lines)
    text = _Inline(one_line=True).of(_content(element)).strip()
    text = re.sub(r"(#+)\Z", r"\\\1", text)
    return f"{'#' * int(tag[1])} {text}" if text else ""


def _note(note: HtmlElement) -> str:
    lines = "\n\n".join(_blocks(note)).split("\n")
    rest = [f"    {line}" if line else "" for line in lines[1:]]
    return "\n".join([f"[^{note.get('data-note')}]: {lines[0]}".rstrip(), *rest])


def _descriptions(element: HtmlElement, before: str) -> Iterator[tuple[str, str]]:
    """Yield the terms of a ``dl``, each with its descriptions below it after a colon.

    A description without a term, or one that begins with a list, a table or the like, is separate.
    """
    group: list[str] = []
    for child in element:
        is_text = child.tag == "dd" and (
            child.text or (len(child) and child[0].tag in _INLINE | {"p"})
        )
        blocks = list(_marked_blocks(child, "" if group else before))
        if group and is_text and blocks:
            lines = "\n\n".join(text for text, _ in blocks).split("\n")
            rest = [f"    {line}" if line else "" for line in lines[1:]]
            group.append("\n".join([f":   {lines[0]}", *rest]))
            continue
        if child.tag == "dt" and group and not group[-1].startswith(":"):
            group += [text for text, _ in blocks]
            continue
        if group:
            yield "\n".join(group), (before := "")
        group = [text for text, _ in blocks] if child.tag == "dt" else []
        if child.tag != "dt":
            for text, marker in blocks:
                yield text, (before := marker)
    if group:
        yield "\n".join(group), ""


def _fenced(pre: HtmlElement) -> str:
    text = "".join(pre.itertext()).replace("\r\n", "\n").replace("\r", "\n")
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    classes = pre[0].get("class", "") if len(pre) else ""
    language = re.sub(r"[\s`]", "", classes.removeprefix("language-"))
    return f"{fence}{language}\n{text}\n{fence}"


def _list_marker(element: HtmlElement, before: str) -> str:
    """Return the marker of a list, other than that of the one before it."""
    if element.tag == "ul":
        return "*" if before == "-" else "-"
    return ")" if before == "." else "."


def _list(element: HtmlElement, marker: str) -> str:
    number = int(element.get("start", "1"))
    items = []
    is_tight = True
    for item in element.iterchildren("li"):
        lead = f"{number}{marker} " if element.tag == "ol" else f"{marker} "
        blocks = list(_blocks(item))
        is_tight &= all(
            (each.tag in _INLINE and not _is_display(each)) or each.tag in LISTS for each in item
        )
        text = ("\n" if _may_follow(item) else "\n\n").join(blocks)
        indent = " " * len(lead)
        lines = text.split("\n")
        rest = [f"{indent}{line}" if line else "" for line in lines[1:]]
        items.append("\n".join([f"{lead}{lines[0]}".rstrip(), *rest]))
        number += 1
    return ("\n" if is_tight else "\n\n").join(items)


def _may_follow(item: HtmlElement) -> bool:
    """Whether the blocks of an item may follow each other without an empty line.

    A text and lists may, where the first of a list is number 1: another does not end a paragraph.
    """
    blocks = [each for each in item if each.tag not in _INLINE or _is_display(each)]
    return len(blocks) < 2 and all(
        each.tag in LISTS and each.get("start", "1") == "1" and not (each.tail or "").strip()
        for each in blocks
    )


def _table(table: HtmlElement) -> str:
    caption = table.find("caption")
    lines = list(table.iter("tr"))
    spans = [[(c, _span(c, "colspan"), _span(c, "rowspan")) for c in line]
             for line in lines]  # fmt: skip
    grid = grid_of(spans)
    width = max((each.column + each.width for each in grid), default=0)
    rows = [[""] * width for _ in lines]
    for each in grid:
        rows[each.row][each.column] = _cell(each.cell)
    if not rows or table.find("thead") is None:
        rows.insert(0, [""] * width)
    rows.insert(1, ["---"] * width)
    text = "\n".join(f"| {' | '.join(row)} |" for row in rows) if width else ""
    title = [] if caption is None else list(_paragraph(_content(caption)))
    return "\n\n".join([*title, *filter(None, [text])])


def _span(cell: HtmlElement, name: str) -> int:
    return span_of({name: cell.get(name, "")}, name)


def _cell(cell: HtmlElement) -> str:
    """Return a cell in one line, its paragraphs parted by ``<br>``."""
    parts: list[str] = []
    for inline in _lines_in(cell):
        text = _Inline(one_line=True, in_table=True).of(inline).strip()
        if text:
            parts.append(text)
    return "<br>".join(parts)


def _lines_in(element: HtmlElement) -> Iterator[Sequence[HtmlElement | str]]:
    """Yield the inline content of an element and of all blocks in it, one after the other."""
    inline: list[HtmlElement | str] = [element.text] if element.text else []
    for child in element:
        if child.tag in _INLINE and child.tag != "br":
            inline.append(child)
        else:
            yield inline
            inline = []
            if child.tag == "pre":
                yield [child]
            elif child.tag != "br":
                yield from _lines_in(child)
        if child.tail:
            inline.append(child.tail)
    yield inline


# Texts and marks ---------------------------------------------------------------------------


def _content(element: HtmlElement) -> list[HtmlElement | str]:
    content: list[HtmlElement | str] = [element.text] if element.text else []
    for child in element:
        content.append(child)
        if child.tail:
            content.append(child.tail)
    return content


class _Inline:
    """Writer of texts with marks; the text before and after decides how emphasis is written."""

    def __init__(self, *, one_line: bool = False, in_table: bool = False) -> None:
        self._one_line, self._in_table = one_line, in_table
        self._has_dollars: bool | None = None

    def of(self, content: Sequence[HtmlElement | str], before: str = "", after: str = "") -> str:
        """Write content between two characters, "" for a line's start or end."""
        written = ""
        if self._has_dollars is None:
            self._has_dollars = _dollars(content) > 1
        for each, follows in zip(content, _following(content, after), strict=True):
            if isinstance(each, str):
                written += self._text(each)
                continue
            if each.tag == "a" and (written[-1:] or before) == "!":
                written = f"{written[:-1]}\\!"  # or it would be a picture
            written += self._element(each, written[-1:] or before, follows)
        return written

    def _text(self, text: str) -> str:
        text = _ESCAPED.sub(lambda match: f"\\{match[0]}", " ".join(_split(text)))
        if self._has_dollars:
            text = text.replace("$", "\\$")
        return text.replace("|", "\\|") if self._in_table else text

    def _element(self, element: HtmlElement, before: str, after: str) -> str:
        tag = element.tag
        if tag == "math":
            tex = " ".join(_tex(element).split("\n"))
            mark = "$$" if _is_display(element) and not self._one_line else "$"
            return f"{mark}{tex.replace('|', chr(92) + '|') if self._in_table else tex}{mark}"
        if tag == "input":
            box = "[x]" if element.get("checked") is not None else "[ ]"
            return box if after.isspace() else f"{box} "
        if tag == "sup" and element.get("data-note"):
            return f"[^{element.get('data-note')}]"
        if tag in ("sub", "sup"):
            text = self.of(_content(element), ">", "<")
            return f"<{tag}>{text}</{tag}>" if text.strip() else text
        if tag == "br":
            return " " if self._one_line else "\\\n"
        if tag in ("code", "pre"):
            return self._code(_code_text(element), before)
        if tag == "img":
            alt = self._text(element.get("alt", ""))
            return f"![{alt}]({self._target(element, 'src')})"
        if tag == "a":
            text = self.of(_content(element), "[", "]")
            return f"[{text}]({self._target(element, 'href')})"
        if tag in _DELIMITERS:
            return self._emphasis(element, before, after)
        return self.of(_content(element), before, after)

    def _emphasis(self, element: HtmlElement, before: str, after: str) -> str:
        text = self.of(_content(element), "*", "*")
        bare = text.strip()
        if not bare:
            return text
        lead, trail = text[: text.index(bare[0])], text[len(text.rstrip()) :]
        before, after = (" " if lead else before), (" " if trail else after)
        tag = str(element.tag)
        delimiter = _DELIMITERS[tag]
        if _opens(before, bare) and _closes(bare, after):
            return f"{lead}{delimiter}{bare}{delimiter}{trail}"
        return f"{lead}<{tag}>{bare}</{tag}>{trail}"

    def _code(self, text: str, before: str) -> str:
        text = " ".join(text.splitlines()) if "\n" in text or "\r" in text else text
        if not text.strip():
            return text
        if before == "`":  # or both would be one run of ticks
            return f"<code>{self._text(text)}</code>"
        if self._in_table:
            text = text.replace("|", "\\|")
        longest = {len(run) for run in _TICKS.findall(text)}
        ticks = "`" * next(n for n in range(1, len(longest) + 2) if n not in longest)
        is_padded = text[0] in " `" or text[-1] in " `"
        pad = " " if is_padded else ""
        return f"{ticks}{pad}{text}{pad}{ticks}"

    def _target(self, element: HtmlElement, name: str) -> str:
        """Return the address of a link or picture, with its title in quotes."""
        address, title = self._address(element.get(name, "")), element.get("title", "")
        title = re.sub(r'[\\"]|&(?=#?\w+;)', lambda match: f"\\{match[0]}", title)
        title = title.replace("|", "\\|") if self._in_table else title
        return f'{address or "<>"} "{title}"' if title else address

    def _address(self, address: str) -> str:
        address = re.sub(r"[\\()]|&(?=#?\w+;)", lambda match: f"\\{match[0]}", address)
        for character, code in ((" ", "%20"), ("<", "%3C"), (">", "%3E"), ("|", "%7C")):
            address = address.replace(character, code)
        return "".join(quote(each) if each.isspace() else each for each in address)


def _code_text(element: HtmlElement) -> str:
    """Return the text of code in a line, with a blank for each line break."""
    inside = (
        (" " if each.tag == "br" else _code_text(each)) + (each.tail or "") for each in element
    )
    return (element.text or "") + "".join(inside)


def _following(content: Sequence[HtmlElement | str], after: str) -> list[str]:
    """Return the character that comes after each: the first of those behind it that have one."""
    following = []
    for each in reversed(content):
        following.append(after)
        after = _first_character(each) or after
    return following[::-1]


def _dollars(content: Sequence[HtmlElement | str]) -> int:
    """Return the number of dollars in a text, including those of formulas."""
    count = 0
    for each in content:
        if isinstance(each, str):
            count += each.count("$")
        elif each.tag == "math":
            count += 2
        else:
            count += _dollars(_content(each))
    return count


def _first_character(each: HtmlElement | str) -> str:
    texts = (each,) if isinstance(each, str) else each.itertext()
    return next(filter(None, texts), "")[:1]


def _split(text: str) -> list[str]:
    """Return words, with "" at an end with white space, so that blanks join them."""
    words = text.split()
    if not words:
        return ["", ""] if text else [""]
    return [*([""] if text[0].isspace() else []), *words, *([""] if text[-1].isspace() else [])]


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _opens(before: str, text: str) -> bool:
    """Whether ``*`` before a text opens emphasis (CommonMark, left-flanking), and that alone."""
    if before == "*" or text[0] == "*":
        return False
    return not _is_punctuation(text[0]) or not before or before.isspace() or _is_punctuation(before)


def _closes(text: str, after: str) -> bool:
    """Whether ``*`` after a text closes emphasis (right-flanking)."""
    if after == "*" or text[-1] == "*":
        return False
    return not _is_punctuation(text[-1]) or not after or after.isspace() or _is_punctuation(after)
