"""Boxes of code that are no ``pre``: white space kept by their style, or their lines numbered."""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import cache

from algorithms.structure.rows import PageRows

_BUTTONS = frozenset(
    "copy|copied|copied!|copy code|copy snippet|copy text|copy link|copy command|copy page"
    "|copy to clipboard|click to copy|code copied|wrap|wrap lines|wrap text|unwrap|word wrap"
    "|toggle word wrap|toggle wrap|line wrap|expand|collapse|expand code|collapse code|show more"
    "|show less|show all|run|run code|run ▶|▶|edit|edit code|download|download code|raw|view raw"
    "|view source|print|fullscreen|full screen|enter fullscreen mode|exit fullscreen mode"
    "|toggle line numbers|line numbers|open in new window|open in playground|open in codepen"
    "|open in stackblitz|explain|explain code|ask ai|try it|light|dark|toggle theme".split("|")
)
_SHOWN = frozenset(
    "c++|c#|f#|objective-c|plain text|plaintext|text|txt|none|code|terminal|shell script"
    "|shell session|bash session|console session|command line|cmd|powershell session|jsonc|json5"
    "|markdown|md|mdx|html5|xhtml|vue|svelte|astro|dockerfile|docker|curl|http|graphql|solidity"
    "|visual basic|vb.net|assembly|wasm|regex|csv|env|dotenv|git|vbnet|node.js|react|jsx".split("|")
)
_NO_LANGUAGE = frozenset(["output", "ring", "gate", "debsources", "pan", "tea"])
"""Names of lexers that are words of other meaning beside code."""


@cache
def _languages() -> frozenset[str]:
    from pygments.lexers import get_all_lexers

    every = (name for long, short, *_ in get_all_lexers(plugins=False) for name in (long, *short))
    return frozenset(map(str.casefold, every)) - _NO_LANGUAGE | _SHOWN


def is_language(text: str) -> bool:
    """Return whether a text is the name of a programming language, and nothing else.

    >>> [is_language(each) for each in ("C++", "yaml", "Output", "gauge.rs")]
    [True, True, False, False]
    """
    return _plain(text) in _languages()


def is_button(text: str) -> bool:
    """Return whether a text is that of a button beside code, and nothing else.

    >>> [is_button(each) for each in (" Copy code ", "Copied!", "Copy of a letter")]
    [True, True, False]
    """
    return _plain(text) in _BUTTONS


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip(" :·•|⧉📋⎘").casefold()


KEEPS_SPACE = re.compile(r"white-space\s*:\s*(?:pre|pre-wrap|break-spaces)\b")
SAYS_CODE = re.compile(r"code|highlight|snippet|listing|source|syntax", re.IGNORECASE)
_ONE_WIDTH = re.compile(
    r"font(?:-family)?\s*:[^;]*\b(?:mono|courier|consolas|menlo)", re.IGNORECASE
)
NUMBER_HINTS = ("lineno", "line-n", "line_n", "linenum", 'class="ln"', "class=ln", "gutter",
                 "user-select")  # fmt: skip
_NOT_IN_CODE = frozenset("p ul ol table pre img textarea h1 h2 h3 h4 h5 h6".split())
_BOXES = ("div", "code", "span", "figure", "section")


def code_boxes(rows: PageRows, is_number: Callable[[PageRows, int], bool]) -> set[int]:
    """Return the boxes of code by how they are drawn; ``is_number`` knows a line's number.

    Both kinds need a second sign: a class for code, or a font of one width.
    """
    drawn = (
        row for row in rows.mentioning("white-space")
        if rows.names[row] == "div" and KEEPS_SPACE.search(rows.get(row, "style"))
    )  # fmt: skip
    boxes = {row for row in (*drawn, *_numbered(rows, is_number)) if _says_code(rows, row)}
    return {row for row in boxes if not _NOT_IN_CODE & set(rows.names[row : rows.end[row]])}


def _numbered(rows: PageRows, is_number: Callable[[PageRows, int], bool]) -> list[int]:
    """Return the boxes whose lines, or boxes of lines, begin with numbers that count up."""
    of_box: dict[int, list[int]] = defaultdict(list)
    numbers = [row for row in rows.mentioning(*NUMBER_HINTS)
               if rows.names[row] not in ("td", "th") and is_number(rows, row)]  # fmt: skip
    beside = Counter(rows.parent[row] for row in numbers)
    for row in numbers:
        line = rows.parent[row]
        of_box[line if beside[line] > 1 else rows.parent[line]].append(row)
    return [
        box for box, inside in of_box.items()
        if box >= 0 and rows.names[box] in _BOXES and _count_up(rows, inside)
    ]  # fmt: skip


def _count_up(rows: PageRows, numbers: list[int]) -> bool:
    texts = [rows.glued(row).strip() for row in numbers]
    if len(texts) < 2 or not all(text.isdecimal() and len(text) < 7 for text in texts):
        return False
    return all(int(after) == int(text) + 1 for text, after in itertools.pairwise(texts))


def _says_code(rows: PageRows, row: int) -> bool:
    around = [row, *rows.above(row)][:3]
    return rows.names[row] == "code" or any(
        SAYS_CODE.search(rows.get(at, "class")) or _ONE_WIDTH.search(rows.get(at, "style"))
        for at in around
    )
