"""Blocks of code: their elements, their lines, and the content beside the code itself."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from algorithms.structure.code_boxes import (
    KEEPS_SPACE,
    NUMBER_HINTS,
    SAYS_CODE,
    code_boxes,
    is_button,
    is_language,
)
from algorithms.structure.rows import PageRows

_EDITORS = re.compile(
    r" (?:cm-content|CodeMirror-code|view-lines|ace_text-layer|syntaxhighlighter|crayon-pre"
    r"|react-code-lines|enlighter) "
)
_HINTS = ("cm-content", "codemirror-code", "view-lines", "ace_text-layer", "syntaxhighlighter",
          "crayon-", "react-code-lines", "js-file-line-container", "blob-", "hljs-ln", "gutter",
          "lineno", "lntd", "line-no", "line_n", "line-n", "lines-n", "linenum",
          "enlighter")  # fmt: skip
_NUMBERS = re.compile(
    r"(?:^|[\s_-])(?:line-?_?no|line-?_?nos|line-?_?num|line-?_?nums|line-?_?numbers?|ln|lnt|lntd|lnlinks"
    r"|gutter|rouge-gutter|gl|hljs-ln-numbers|blob-num|linenodiv|cm-gutters?|code-gutter|ln-num"
    r"|react-line-number|linenum|lines-num|numbers|nums)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_NOT_SELECTED = re.compile(r"user-select\s*:\s*none")
_DIGITS = re.compile(r"[\s\d.:|]*\d[\s\d.:|]*")
_LINES = re.compile(
    r" (?:line|code-line|cm-line|CodeMirror-line|view-line|ec-line|token-line|react-code-line"
    r"|react-file-line|codeline|code__line|hljs-ln-line|ace_line|crayon-line|react-code-text|LineOfCode"
    r"|highlight-line|line-content|code-block-line) "
)
_LINE_TAGS = frozenset(["div", "p", "tr", "li", "section"])
_LABEL_TAGS = frozenset(["div", "header", "span", "p", "figcaption"])
_HEADER = re.compile(
    r"header|toolbar|copy|filename|file-?name|code-?title|lang(?:uage)?(?:-?(?:label|name|tag))?\b|caption",
    re.IGNORECASE,
)
_SHOWN_AS_BLOCK = re.compile(r"display\s*:\s*(?:block|flex|grid|table-row)\b")
_MOST_WORDS = 6
"""Of a label above a block of code: a language, a file, a button."""


class Code(NamedTuple):
    """Code found on a page.

    Attributes:
        blocks: Rows of blocks of code that are no ``pre``.
        lines: Rows that begin a line.
        tags: Tags that replace those of some rows.
        left_out: Rows of line numbers, labels and buttons.
        joined: Those of the blocks that hold several.
    """

    blocks: set[int]
    lines: set[int]
    tags: dict[int, str]
    left_out: set[int]
    joined: set[int]


def code_of(rows: PageRows) -> Code:
    """Return the code on a page beside ``pre``, and the rows inside code that are none."""
    code = Code(set(), set(), {}, set(), set())
    pres = rows.named("pre", "listing", "xmp")
    hinted = rows.mentioning(*_HINTS)
    in_pre = rows.tree.within("pre", "listing", "xmp")
    for row in {*hinted, *rows.named("code"), *rows.mentioning(*_LANGUAGE_NAMES)}:
        if not in_pre[row] and _is_block(rows, row):
            code.blocks.add(row)
            code.tags[row] = "pre"
    for row in code_boxes(rows, _is_number):
        if not in_pre[row]:
            code.blocks.add(row)
            code.tags[row] = "pre"
    for row in _numbered_tables(rows, hinted):
        code.blocks.add(row)
        code.tags[row] = "pre"
    hovers = rows.mentioning("hover-info")
    code.left_out.update(row for row in hovers if " hover-info " in rows.classes(row))
    _join_fragments(rows, code)
    for row in code.blocks:  # CodeMirror 5 puts each line in a separate pre
        lines = [at for at in pres if row < at < rows.end[row] and _LINES.search(rows.classes(at))]
        if lines and _EDITORS.search(rows.classes(row)):
            code.joined.add(row)
            code.tags.update(dict.fromkeys(lines, ""))
    _without_nested(rows, code)
    _without_gutters(rows, hinted, code)
    for row in (*pres, *sorted(code.blocks)):
        _read_block(rows, row, code)
    return code


def _numbered_tables(rows: PageRows, hinted: Sequence[int]) -> Iterator[int]:
    """Yield the tables with a line of code in each row, and cells of numbers before it.

    As those of GitHub, Gitea and their changes: all cells of code say so, by class or element.
    """
    gutters = [row for row in hinted if rows.names[row] == "td" and _is_gutter(rows, row)]
    of_each = ([at for at in rows.above(row) if rows.names[at] == "table"] for row in gutters)
    for table in {above[0] for above in of_each if above}:
        inside = range(table + 1, rows.end[table])
        if any(rows.names[at] in ("pre", "table", "th") for at in inside):
            continue
        lines = [at for at in inside if rows.names[at] == "tr"]
        cells = [[at for at in rows.elements(line) if not _is_gutter(rows, at)] for line in lines]
        if len(lines) > 1 and all(len(own) == 1 and _says_code(rows, own[0]) for own in cells):
            yield table


def _says_code(rows: PageRows, cell: int) -> bool:
    inside = range(cell, rows.end[cell])
    return bool(SAYS_CODE.search(rows.get(cell, "class"))) or any(
        rows.names[at] == "code" for at in inside
    )


def _without_gutters(rows: PageRows, hinted: Sequence[int], code: Code) -> None:
    """Leave out cells of line numbers; their tables are none."""
    for row in hinted:
        if rows.names[row] in ("td", "th") and _is_gutter(rows, row):
            code.left_out.add(row)
            table = next((at for at in rows.above(row) if rows.names[at] == "table"), None)
            if table is not None:
                code.tags.setdefault(table, "")


_MAY_HOLD = ("<pre", "<code", "<listing", "<xmp", "white-space", *_HINTS)


def may_hold_code(html: str) -> bool:
    """Return whether a document in lower case may hold code of more than a line."""
    return any(sign in html for sign in (*_MAY_HOLD, *_LANGUAGE_NAMES, *NUMBER_HINTS))


def line_numbers(rows: PageRows) -> set[int]:
    """Return the elements on a page that number lines of code."""
    left_out = (row for row in code_of(rows).left_out if rows.names[row] != "#text")
    return {row for row in left_out if _DIGITS.fullmatch(rows.glued(row))}


def _join_fragments(rows: PageRows, code: Code) -> None:
    """Make boxes that hold but commands and their output, as Verso's do, one block of code."""
    for box in {rows.parent[row] for row in code.blocks if " hl " in rows.classes(row)}:
        parts = rows.elements(box)
        if len(parts) < 2 or rows.names[box] not in ("div", "figure", "section"):
            continue
        if all(" hl " in rows.classes(at) and rows.names[at] in ("code", "pre") for at in parts):
            code.blocks.difference_update(parts)
            for at in parts:
                code.tags.pop(at, None)
            code.blocks.add(box)
            code.joined.add(box)
            code.lines.update(parts[1:])
            code.tags[box] = "pre"


def _without_nested(rows: PageRows, code: Code) -> None:
    """Remove blocks of code that hold a ``pre``, or are inside another."""
    past = 0
    for row in sorted(code.blocks):
        holds = any(rows.names[at] == "pre" for at in range(row, rows.end[row]))
        if (holds and row not in code.joined) or row < past:
            code.blocks.discard(row)
            code.tags.pop(row, None)
        else:
            past = rows.end[row]


def _is_block(rows: PageRows, row: int) -> bool:
    """Return whether an element outside ``pre`` is a block of code."""
    classes, name = rows.classes(row), rows.names[row]
    if _EDITORS.search(classes):
        return name in ("div", "table")
    if name == "table":
        return " js-file-line-container " in classes or " hljs-ln " in classes
    if name == "div":
        return _is_code_box(rows, row)
    if name != "code":
        return False
    text = rows.glued(row)
    if not text.strip():
        return False
    inside = range(row + 1, rows.end[row])
    has_lines = "\n" in text.strip() or any(rows.names[at] in ("br", *_LINE_TAGS) for at in inside)
    has_lines |= sum(bool(_LINES.search(rows.classes(at))) for at in inside
                     if rows.names[at] == "span") > 1  # fmt: skip
    if " block " in classes and " hl " in classes:
        return True
    if not has_lines:
        return False
    is_pre = bool(KEEPS_SPACE.search(rows.get(row, "style")))
    is_alone = _is_alone(rows, row)
    return is_alone and (is_pre or any(rows.names[at] in ("br", *_LINE_TAGS) or
                                       _LINES.search(rows.classes(at)) for at in inside
                                       if rows.names[at] != "#text"))  # fmt: skip


def _is_code_box(rows: PageRows, row: int) -> bool:
    """Return whether a box names a programming language, and holds lines of text and no blocks."""
    language = next(filter(None, (rows.get(row, name) for name in _LANGUAGE_NAMES)), "")
    if not language or not (  # else it may be a language that people speak
        language.lower() in _BARE or SAYS_CODE.search(rows.get(row, "class"))
    ):
        return False
    inside = range(row + 1, rows.end[row])
    lines = [at for at in inside if rows.names[at] == "div" and _LINES.search(rows.classes(at))]
    names = {rows.names[at] for at in inside if at not in lines}
    has_lines = len(lines) > 1 or "br" in names or "\n" in rows.raw(row).strip()
    return has_lines and not names & _NOT_IN_CODE


_NOT_IN_CODE = frozenset("p div ul ol table pre code img textarea h1 h2 h3 h4 h5 h6".split())
_AROUND = frozenset("p div td li figure section dd body article main".split())


def _is_alone(rows: PageRows, row: int) -> bool:
    """Return whether an element has the only text in its paragraph, cell or box."""
    around = next((above for above in rows.above(row) if rows.names[above] in _AROUND), None)
    if around is None:
        return False
    if rows.names[around] in ("p", "td", "li", "dd"):
        return not (rows.has_text(around, row) or rows.has_text(rows.end[row], rows.end[around]))
    return not any(at != row and rows.names[at] == "#text" for at in rows.children(around))


def _is_gutter(rows: PageRows, row: int) -> bool:
    if not _NUMBERS.search(rows.get(row, "class")) and not rows.get(row, "data-line-number"):
        return False
    text = rows.glued(row)
    return not text.strip() or _DIGITS.fullmatch(text) is not None


def _read_block(rows: PageRows, block: int, code: Code) -> None:
    """Find lines, numbers, labels and buttons in a block of code."""
    inside = [at for at in range(block + 1, rows.end[block]) if rows.names[at] != "#text"]
    editor = next((at for at in inside if _EDITORS.search(rows.classes(at))), None)
    if editor is not None:
        code.left_out.update(_beside_editor(rows, block, editor))
        inside = [at for at in inside if editor < at < rows.end[editor]]
    lines: list[int] = []
    tagged: list[int] = []
    for at in inside:
        if _is_no_code(rows, at, block):
            code.left_out.add(at)
        elif _LINES.search(rows.classes(at)) or "data-line" in rows.attributes(at):
            if not lines or at >= rows.end[lines[-1]]:
                lines.append(at)
        elif _is_drawn_as_line(rows, at):
            tagged.append(at)
    if len(lines) < 2:
        lines = [at for at in tagged if not any(at < other < rows.end[at] for other in tagged)]
    code.lines.update(lines)
    code.left_out.update((*_beside_code(rows, block), *_labels_beside(rows, block)))


def _beside_editor(rows: PageRows, block: int, editor: int) -> Iterator[int]:
    """Yield the rows of a block outside the editor's element with the code."""
    path = {editor, *(up for up in rows.above(editor) if up >= block)}
    for up in path - {editor}:
        yield from (at for at in rows.children(up) if at not in path)


def _is_no_code(rows: PageRows, row: int, block: int) -> bool:
    """Return whether an element in a block of code is a button, a number of a line or a label."""
    is_drawn = rows.names[row] in ("button", "svg")
    is_gutter = rows.names[row] in ("td", "th") and _is_gutter(rows, row)
    return is_drawn or is_gutter or _is_number(rows, row) or _is_header(rows, row, block)


def _is_drawn_as_line(rows: PageRows, row: int) -> bool:
    """Return whether an element in code is drawn in a separate line."""
    name = rows.names[row]
    is_shown = name == "span" and _SHOWN_AS_BLOCK.search(rows.get(row, "style"))
    return name in _LINE_TAGS or bool(is_shown)


def _code_in(rows: PageRows, block: int) -> int | None:
    """Return the only ``code`` in a ``pre``; None where there are more, or none."""
    inner = [at for at in range(block + 1, rows.end[block]) if rows.names[at] == "code"]
    return inner[0] if len(inner) == 1 and rows.names[block] == "pre" else None


def _beside_code(rows: PageRows, block: int) -> list[int]:
    """Return the elements of a ``pre`` beside its ``code``: a language, buttons."""
    code = _code_in(rows, block)
    if code is None:
        return []
    path = {code, *rows.above(code)}
    beside = [at for up in path if block <= up and up != code for at in rows.children(up)
              if at not in path]  # fmt: skip
    return [at for at in beside if rows.names[at] == "button" or _is_label(rows, at)]


def _is_number(rows: PageRows, row: int) -> bool:
    given = rows.attributes(row)
    style, classes = given.get("style", ""), given.get("class", "")
    if not (_NUMBERS.search(classes) or _NOT_SELECTED.search(style) or "aria-hidden" in given
            or "select-none" in classes or rows.names[row] in ("td", "th")):  # fmt: skip
        return False
    text = rows.glued(row).strip()
    is_number = bool(text) and _DIGITS.fullmatch(text) is not None
    return is_number and (rows.names[row] not in ("td", "th") or _is_gutter(rows, row))


def _is_header(rows: PageRows, row: int, block: int) -> bool:
    """Return whether an element in a block of code is a label above it."""
    if rows.names[row] not in _LABEL_TAGS or not _HEADER.search(rows.get(row, "class")):
        return False
    is_above = rows.has_text(rows.end[row], rows.end[block]) and not rows.has_text(block, row)
    return is_above and _is_label(rows, row)


def _is_label(rows: PageRows, row: int) -> bool:
    """Return whether an element beside code has only names of languages and buttons as text.

    A file's name, another block of code, its output, a caption are content.
    """
    texts = [rows.glued(at) for at in range(row, rows.end[row]) if rows.names[at] == "#text"]
    texts = [each for each in texts if each.strip()]
    if not texts or len(" ".join(texts).split()) > _MOST_WORDS:
        return False
    whole = [rows.text(row)]
    return any(
        all(is_language(each) or is_button(each) for each in words) for words in (texts, whole)
    )


def _labels_beside(rows: PageRows, block: int) -> Iterator[int]:
    """Yield labels and columns of line numbers in boxes of only a block of code and short texts."""
    box = block
    for _ in range(3):
        parent = rows.parent[box]
        if parent < 0 or rows.names[parent] not in ("div", "figure", "span", "section"):
            return
        beside = [at for at in rows.elements(parent) if at != box]
        names = {rows.names[at] for at in beside}
        if not names <= {"div", "span", "button", "header", "p", "figcaption"}:
            return
        labels = [
            at for at in beside
            if _is_column_of_numbers(rows, at)
            or (rows.names[at] not in ("p", "figcaption") and _is_label(rows, at))
        ]  # fmt: skip
        yield from labels
        if any(len(rows.text(at).split()) > _MOST_WORDS for at in beside if at not in labels):
            return
        box = parent


def _is_column_of_numbers(rows: PageRows, row: int) -> bool:
    """Return whether an element beside code is a column of line numbers, by text and attributes."""
    if not _DIGITS.fullmatch(rows.glued(row) or "-"):
        return False
    inside = [at for at in range(row, rows.end[row]) if rows.names[at] != "#text"]
    return any(
        _NUMBERS.search(rows.get(at, "class")) or rows.get(at, "aria-hidden") for at in inside
    )


# Languages ---------------------------------------------------------------------------------

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:(?:language|lang|highlight-source|mw-highlight-lang|brush:|highlight-text)[-\s]?"
    r"|sourceCode\s(?:numberSource\s)?|syntaxhighlighter\s(?:nogutter\s)?|src\ssrc-)([\w+#-]+)"
    r"|(?:^|\s)highlight-([\w+#]+) notranslate|^hljs ([\w+#]+)$|^([\w+#]+) hljs$"
)
"""Names of Prism and highlight.js, GitHub, MediaWiki, SyntaxHighlighter, Pandoc, org and Sphinx."""

_BARE = frozenset(
    "bash c clojure cpp csharp css dart diff elixir elm erlang fortran fsharp go graphql groovy "
    "haskell html ini java javascript js json jsx julia kotlin latex lisp lua makefile matlab "
    "nginx "
    "nix objc ocaml perl php powershell prolog protobuf python r ruby rust scala scheme scss sh "
    "shell sql swift tex toml ts tsx typescript vim xml yaml zig zsh console".split()
)
_BOXES = frozenset(["div", "figure", "span", "code", "td", "tr", "tbody", "table"])
_BESIDE_CODE = frozenset(["pre", "p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol"])
_MOST_BOXES = 6
"""Around a block of code, of those that may name its language: a table is four of them."""

_LANGUAGE_NAMES = ("data-lang", "data-language", "data-code-lang")
_NO_LANGUAGE = frozenset(["plaintext", "text", "none", "default", "undefined", "plain", "txt"])


def language_of(attributes: Mapping[str, str]) -> str:
    """Return the programming language that an element of a code block names; "" if none.

    >>> language_of({"class": "hljs language-python"})
    'python'
    >>> language_of({"data-lang": "go"})
    'go'
    """
    for name in (*_LANGUAGE_NAMES, "language"):
        if re.fullmatch(r"[\w+#-]+", attributes.get(name, "")):
            return _language(attributes[name])
    classes = " ".join(attributes.get("class", "").split())
    match = _LANGUAGE.search(classes) or _LANGUAGE.search(
        attributes.get("data-syntaxhighlighter-params", "")
    )
    if match:
        return _language(next(filter(None, match.groups())))
    return next((each for each in classes.split() if each.lower() in _BARE), "")


def language_of_block(rows: PageRows, row: int) -> str:
    """Return the language of a block of code: its own, its first element's, or its boxes'."""
    first = [row + 1] if row + 1 < rows.end[row] and rows.names[row + 1] != "#text" else []
    inner = _code_in(rows, row)
    named = (row, *first, *([] if inner is None else [inner]), *_boxes_around(rows, row))
    own = next(filter(None, (language_of(rows.attributes(each)) for each in named)), "")
    return own or next(_languages_said(rows, row), "")


def _languages_said(rows: PageRows, block: int) -> Iterator[str]:
    """Yield the languages named by labels beside a block of code."""
    for label in (*_beside_code(rows, block), *_labels_beside(rows, block)):
        for at in range(label, rows.end[label]):
            said = rows.glued(at).strip().lower() if rows.names[at] == "#text" else ""
            if said in _BARE:
                yield said


def _boxes_around(rows: PageRows, row: int) -> Iterator[int]:
    """Yield the boxes around a block of code that hold no other, nor other blocks."""
    box = row
    for _ in range(_MOST_BOXES):
        box = rows.parent[box]
        if box < 0 or rows.names[box] not in _BOXES:
            return
        outside = (*range(box, row), *range(rows.end[row], rows.end[box]))
        beside = (at for at in outside if rows.names[at] in _BESIDE_CODE)
        if not all(rows.names[at] == "pre" and _DIGITS.fullmatch(rows.glued(at)) for at in beside):
            return
        yield box


def _language(name: str) -> str:
    return "" if name.lower() in _NO_LANGUAGE else name
