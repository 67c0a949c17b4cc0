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
from collections.abc import Iterator, Sequence

from lxml.html import HtmlElement

from algorithms.structure.inline_markdown import (
    INLINE,
    TICKS,
    Inline,
    content_of,
    is_display,
    tex_of,
)
from algorithms.structure.kinds import HEADINGS, LISTS, span_of
from algorithms.structure.rows import numbers_of
from algorithms.structure.table_rows import GridCell, grid_of

_AT_START = re.compile(r"[#>+=|:-]|\d{1,9}(?=[.)](?:\s|$))")
_RULES = {"": "---", "left": ":--", "center": ":-:", "right": "--:"}


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
        if is_display(child):
            for text in (*_paragraph(inline), f"$$\n{tex_of(child)}\n$$"):
                yield text, (before := "")
            inline = []
        elif child.tag in INLINE:
            inline.append(child)
        else:
            for text in _paragraph(inline):
                yield text, (before := "")
            inline = []
            for text, marker in _block(child, before):
                yield text, (before := marker)
        if child.tail and (child.tag in INLINE or child.tail.strip()):
            inline.append(child.tail)
    for text in _paragraph(inline):
        yield text, ""


def _paragraph(inline: Sequence[HtmlElement | str]) -> Iterator[str]:
    text = Inline().of(inline).strip(" \n")
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
        for items in _counted(element):
            before = _marker(items[0][0] is not None, before)
            yield _list(items, before), before
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
    text = Inline(one_line=True).of(content_of(element)).strip()
    text = re.sub(r"(#+)\Z", r"\\\1", text)
    return f"{'#' * int(tag[1])} {text}" if text else ""


def _note(note: HtmlElement) -> str:
    lines = "\n\n".join(_blocks(note)).split("\n")
    rest = [f"    {line}" if line else "" for line in lines[1:]]
    return "\n".join([f"[^{note.get('data-note')}]: {lines[0]}".rstrip(), *rest])


def _descriptions(element: HtmlElement, before: str) -> Iterator[tuple[str, str]]:
    """Yield the terms of a ``dl``, each with its descriptions below it after a colon.

    A description without a term is separate.
    """
    group: list[str] = []
    for child in element:
        blocks = list(_marked_blocks(child, "" if group else before))
        if group and child.tag == "dd" and blocks:
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
    longest = max((len(run) for run in TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    classes = pre[0].get("class", "") if len(pre) else ""
    language = re.sub(r"[\s`]", "", classes.removeprefix("language-"))
    return f"{fence}{language}\n{text}\n{fence}"


def _counted(element: HtmlElement) -> Iterator[Sequence[tuple[int | None, HtmlElement]]]:
    """Yield the items of a list with their numbers, None for bullets.

    Markdown reads the first number of a list alone, and counts up: where an item has another one, a
    new list begins.  It has no numbers below 0, which become bullets.
    """
    items: list[tuple[int | None, HtmlElement]] = []
    if element.tag == "ul" or any(number < 0 for _, _, number in numbers_of(element)):
        items = [(None, item) for item in element.iterchildren("li")]
    else:
        for item, _, number in numbers_of(element):
            if items and number != (items[-1][0] or 0) + 1:
                yield items
                items = []
            items.append((number, item))
    if items:
        yield items


def _marker(is_numbered: bool, before: str) -> str:
    """Return the marker of a list, other than that of the one before it."""
    if not is_numbered:
        return "*" if before == "-" else "-"
    return ")" if before == "." else "."


def _list(numbered: Sequence[tuple[int | None, HtmlElement]], marker: str) -> str:
    items = []
    is_tight = True
    for number, item in numbered:
        lead = f"{marker} " if number is None else f"{number}{marker} "
        blocks = list(_blocks(item))
        is_tight &= all(
            (each.tag in INLINE and not is_display(each)) or each.tag in LISTS for each in item
        )
        text = ("\n" if _may_follow(item) else "\n\n").join(blocks)
        indent = " " * len(lead)
        lines = text.split("\n")
        rest = [f"{indent}{line}" if line else "" for line in lines[1:]]
        items.append("\n".join([f"{lead}{lines[0]}".rstrip(), *rest]))
    return ("\n" if is_tight else "\n\n").join(items)


def _may_follow(item: HtmlElement) -> bool:
    """Whether the blocks of an item may follow each other without an empty line.

    A text and lists may, where a list is one and begins with 1: another number ends no paragraph.
    """
    blocks = [each for each in item if each.tag not in INLINE or is_display(each)]
    return len(blocks) < 2 and all(
        each.tag in LISTS
        and not each.xpath("@start | @reversed | li/@value")
        and not (each.tail or "").strip()
        for each in blocks
    )


def _table(table: HtmlElement) -> str:
    caption = table.find("caption")
    lines = list(table.iter("tr"))
    spans = [[(c, _span(c, "colspan"), _span(c, "rowspan")) for c in line]
             for line in lines]  # fmt: skip
    grid = grid_of(spans)
    width = max((each.column + 1 for each in grid), default=0)  # a column begins with a cell
    rows = [[""] * width for _ in lines]
    for each in grid:
        rows[each.row][each.column] = _cell(each.cell)
    if not rows or table.find("thead") is None:
        rows.insert(0, [""] * width)
    rows.insert(1, [_RULES[align] for align in _aligned(grid, width)])
    text = "\n".join(f"| {' | '.join(row)} |" for row in rows) if width else ""
    title = [] if caption is None else list(_paragraph(content_of(caption)))
    return "\n\n".join([*title, *filter(None, [text])])


def _aligned(grid: Sequence[GridCell[HtmlElement]], width: int) -> list[str]:
    """Return how each column is aligned: as its header declares, or all its other cells."""
    said: list[list[str]] = [[] for _ in range(width)]
    for each in grid:
        if each.width == 1 and (len(each.cell) or each.cell.text):
            said[each.column].append(each.cell.get("align", ""))
    return [
        column[0] or (column[1] if len(set(column[1:])) == 1 else "") if column else ""
        for column in said
    ]


def _span(cell: HtmlElement, name: str) -> int:
    return span_of({name: cell.get(name, "")}, name)


def _cell(cell: HtmlElement) -> str:
    """Return a cell in one line, its paragraphs parted by ``<br>``."""
    parts: list[str] = []
    for inline in _lines_in(cell):
        text = Inline(one_line=True, in_table=True).of(inline).strip()
        if text:
            parts.append(text)
    return "<br>".join(parts)


def _lines_in(element: HtmlElement) -> Iterator[Sequence[HtmlElement | str]]:
    """Yield the inline content of an element and of all blocks in it, one after the other."""
    inline: list[HtmlElement | str] = [element.text] if element.text else []
    for child in element:
        if child.tag in INLINE and child.tag != "br":
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
