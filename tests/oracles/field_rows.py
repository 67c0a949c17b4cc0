"""How a page of others' complaints is checked; and the checks of lists, tables and code."""

from typing import NamedTuple

import pytest


class Row(NamedTuple):
    """A check of one page: how it is read, and patterns that follow each other or never stand."""

    page: str
    method: str
    inputs: str
    forms: str
    must: tuple[str, ...]
    never: tuple[str, ...] = ()


def rows(page, how, must, never=(), wrong=""):
    """Return a row as parameters, one a method; ``how`` is methods|inputs|forms.

    ``wrong`` says in words what does not hold today, if need be by method.
    """
    methods, inputs, forms = how.split("|")
    for method in methods.split():
        reason = wrong.get(method, "") if isinstance(wrong, dict) else wrong
        marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
        row = Row(page, method, inputs, forms, tuple(must), tuple(never))
        yield pytest.param(row, id=f"{page}: {method}|{inputs}|{forms}", marks=marks)


def once(*patterns):
    """Return for each pattern one that holds where it stands a second time."""
    return tuple(f"(?s){each}.*{each}" for each in patterns)


def pre(text, language=""):
    """Return a pattern for a block of code of exactly this text, as HTML."""
    code = f'(<code class="[^"]*({language})[^"]*">)' if language else "(<code[^>]*>)?"
    return f"<pre[^>]*>{code}{text}\\s*(</code>)?</pre>"


def cells(*texts):
    """Return a pattern for a row of a table, of exactly these cells."""
    cells = (rf"<t[dh][^>]*>\s*{text}\s*</t[dh]>\s*" for text in texts)
    return rf"<tr[^>]*>\s*{''.join(cells)}</tr>"


_ITEM = r"<li>\s*(<p>)?"
_END = r"(</p>)?\s*"
_OF_CELLS = ("AlderKeeper", "KeeperUpper", "openclose", "MondayTuesday", "BirchClerk", "dailyat")

CODE = (
    rows(
        "TABS", "plain gleaner|original|read",
        ["(?s)^(?=.*JavaScript).*Python",
         pre(r"import gauge\nprint\(gauge\.level\(\)\)", "language-python"),
         pre(r'const gauge = require\("gauge"\);\nconsole\.log\(gauge\.level\(\)\);', "js|java")],
        ["Copy", *once("Python", "JavaScript")],
    ),
    rows(
        "TABS", "plain gleaner|seen|read",
        ["Python", pre(r"import gauge\nprint\(gauge\.level\(\)\)", "language-python")],
        ["Copy", *once("Python")],
    ),
    rows(
        "TWOCOPY", "plain gleaner|original seen|read html",
        [pre("npm install gauge"), r">\s*or\s*<", pre("yarn add gauge"), pre("gauge ring")],
        ["Copy"],
    ),
    rows(
        "CODETITLE", "plain|original seen|read html",
        [r"Filename: src/gauge\.rs", pre("fn level.*"), r"bell/ring\.py", pre("def ring.*"),
         "Second way: by hand", pre("make gauge"), pre("gate: upper", "yaml")],
        ["Copy", r">\s*yaml\s*<"],
    ),
    rows(
        "RUNOUTPUT", "plain|original seen|read html",
        [pre(r"level\(gate\)"), pre("312 cm"), pre(r"ring\(\)"), "Bell rung twice"],
    ),
    rows(
        "DIVCODE", "plain gleaner|original|markdown",
        [r"^\[getTides\(\)\]\(https://api\.example\.org/docs/getTides\)",
         r"^ *```http\n( *)GET \S+tides\n *\n\1> \{%\n\1    console\.log\(.*\)\n\1%\}\n\1```",
         r"^\[addHarbour\(name\)\]\(https://api\.example\.org/docs/addHarbour\)"],
    ),
    rows(
        "PREBOLD", "plain gleaner|original|read",
        [pre(r"gate = 2\nlevel = 312\nunit = cm\nalarm = \*none\*")],
    ),
    rows("PREBOLD", "plain gleaner|original|text", [r"gate = 2\s+level = 312\s+unit = cm\s+alarm"]),
    rows(
        "CODEBR", "plain gleaner|original|read",
        ["weir open( |</code>.*<code>)weir shut", "<code>ab</code>", "<code> ?x = 1 ?</code>"],
    ),
    rows("CODEBR", "plain gleaner|original|text", [r"weir open\s+weir shut", r"\bab\b", "x = 1"]),
    rows(
        "CODESPAN", "plain gleaner|original|read",
        ["prefix is( <code>|<code> )x</code>", "<code>a  ?b</code>", "<code>`</code>",
         "<code>`a`</code>", r"nothing\s*, and", r"<code><b>\*x\*</b></code>",
         "and <strong>bold</strong> words", '<ol start="9">', _ITEM + "Ninth", _ITEM + "Tenth",
         pre("echo ```\n  two", "language-sh"), r"<p>After it\.</p>\s*</li>\s*</ol>"],
    ),
)  # fmt: skip

LISTS = (
    rows(
        "OLVALUE", "plain|original|read",
        [f'<ol start="3">\\s*{_ITEM}shut the gate', f'<ol start="2">\\s*{_ITEM}ring the bell',
         f"<ol>\\s*{_ITEM}light the lamp", f'<ol start="7">\\s*{_ITEM}gauge',
         f'<ol start="20">\\s*{_ITEM}wheel{_END}</li>\\s*{_ITEM}rope',
         f"<ol>\\s*{_ITEM}oil{_END}</li>\\s*{_ITEM}grease{_END}</li>\\s*{_ITEM}tallow"],
    ),
    rows("OLVALUE", "plain|original|html", ["<ol[^>]* reversed", 'start="7"', 'value="20"']),
    rows(
        "LISTDIV", "plain gleaner|original seen|read",
        [f"<ol>\\s*{_ITEM}Close the upper gate", f"<ul>\\s*{_ITEM}Turn the wheel twice",
         f"{_ITEM}Wait for the bell\\.{_END}</li>\\s*</ul>\\s*</li>\\s*{_ITEM}Write the level",
         r"<p>Use the red book\.</p>",
         pre("level 312 cm\ntime  07:40") + f"\\s*</li>\\s*{_ITEM}Open the lower gate"],
        once("<ol"),
    ),
    rows(
        "LISTTABLE", "plain gleaner|original seen|read",
        [f"<ol>\\s*{_ITEM}Read the gauge", f"{_ITEM}Compare it with the table",
         cells("Level", "What to do"), cells("below 200", r".*nothing\W.*write it down.*"),
         cells("above 300", "open the gate"), f"</table>\\s*</li>\\s*{_ITEM}Call the next",
         f"{_ITEM}Sign the book\\.{_END}</li>\\s*</ol>"],
        once("<ol"),
    ),
    rows("LISTTABLE", "plain gleaner|original seen|text", [r"nothing\s.*write it down"]),
    rows(
        "QUOTEBR", "plain|original|read",
        [r"<blockquote>\s*<p>first line<br />\s*second line</p>\s*<p>after a gap</p>\s*<ul>",
         f"{_ITEM}one<br />\\s*more of one{_END}</li>\\s*{_ITEM}two{_END}</li>\\s*</ul>",
         r"^\s*<p>— <em>the clerk</em>, 1921</p>\s*</blockquote>",
         rf"{_ITEM}Before</p>\s*<blockquote>\s*<p>quoted in a list</p>\s*<blockquote>",
         r"and once more</p>\s*</blockquote>\s*</blockquote>\s*<p>After</p>\s*</li>",
         r"<blockquote>\s*" + pre("gate\n  open") + r"\s*<table>", cells(1, 2),
         r"</table>\s*</blockquote>"],
    ),
    rows(
        "DLBLOCKS", "plain|original|markdown",
        [r"^mole\n:   > A wall in the sea\.", "^knots\n:   1. bowline"],
    ),
    rows(
        "GOVLIST", "gleaner|original seen|markdown",
        ["Follow these steps", "^## Before you start", "^- be 18 or over", "^- live in the valley",
         "^- own a lamp", "^## Apply", "^1. Fill in the form", "^2. Pay 9", "^3. Ring the bell",
         "^## Afterwards", "^You will get:", "^- a key", "^- a book", "^- a rod",
         "^Call the clerk"],
    ),
)  # fmt: skip

TABLES = (
    rows(
        "CELLBLOCKS", "plain gleaner|original|read",
        [cells("<strong>Alder</strong>.+<em>Keeper</em>.+<em>Upper gate</em>", r"open\W.*close",
                r"Monday\W.*Tuesday", ""),
         cells(r"Birch\W.*Clerk", r".*write\W.*call.*", r"daily\W.*at noon", ""),
         cells("Cedar", "none", "never", "retired")],
        [*_OF_CELLS, *once("<table")],
    ),
    rows("CELLBLOCKS", "plain gleaner|original|text", ["(?s)Alder.*Birch.*retired"], _OF_CELLS),
    rows(
        "COLSPAN", "plain gleaner|original|read",
        ["All values from the upper gauge", cells("[^<]*", "Rain", "Level"),
         cells("May", 41, 212), cells("June", "not measured", ""), cells("July", 77, 305)],
        once("<table"),
    ),
    rows(
        "COLSPAN", "plain gleaner|original|html",
        ['colspan="2"[^>]*>2025', 'colspan="2"[^>]*>not measured'],
    ),
    rows(
        "ROWSPAN", "plain gleaner|original|read",
        [cells("Region", "Station", "Reading"), cells("North", "Mill", 12),
         cells("", "Gate", 7), cells("South", "closed", ""), cells("", "Ford", 3),
         cells("Sum", "", 22)],
    ),
    rows(
        "PIPES", "plain gleaner|original|read",
        [cells("Name", "Form"), cells("either", r"<code>a\|b</code>"),
         cells(r"path\\\|x", r"c:\\\|d"), cells("tick", r"<code>`\|`</code>"),
         cells(r"end\\", "z"), cells(r"<a [^>]*>pipe \| link</a>", r"two<br ?/?>\s*lines")],
    ),
    rows(
        "PIPES/operators", "gleaner|original|read",
        [r"<code>\|</code>", "<code>&&</code>", "<code>!=</code>", pre(":-\\)\n;-\\)")],
    ),
    rows(
        "SHORTCELLS", "gleaner|original|markdown",
        [r"(?s)(\| [X?] (?=\|).*?){36}"],
    ),
)  # fmt: skip
