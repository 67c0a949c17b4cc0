"""Complaints of other tools' users: what each page must say, as a person who read it wrote down.

The pages lie beside a clone (`outside.field`), each with the words of what is right.  A row here is
what a program can check of them.  A row that is wrong today says what is wrong; where it becomes
right its test fails, so that the row is mended as well.
"""

import re
from functools import cache
from html import unescape
from itertools import chain, product

import pagelet
import pytest

from gui.cli.main import main
from tests.oracles.field_rows import CODE, LISTS, TABLES, once, rows
from tests.oracles.gfm_reader import read_gfm

pytestmark = [pytest.mark.web, pytest.mark.slow]


def _linked(page):
    """Return a pattern for the beginning of a link to a page of the mill's shop, as HTML."""
    return rf'<a href="https://mill\.test/{page}">((?!</a>)[\s\S])*'


_STAYS = r"((?!</p>)[\s\S])*"
_WEIR, _KEEPERS, _MEADOW = "The old weir above", "Two keepers turned", "By noon the meadow"
_VALLEY, _SPRING, _COUNCIL = "The valley below", "When the engineers", "The council has"
_MILLS = ("Alder", "Birch", "Cedar", "Dogwood", "Elm")
_OF_LABELS = ("axis", "Georgia", "svgscript", "May8", "May15")

_LINES = (
    rows(
        "SRONLY", "plain gleaner|seen|text markdown",
        ["^The gate is open on .*these days.*, and the ferry goes .*twice an hour.*until dusk",
         r"^Tickets cost .*9.*\$7 for all who come on foot"],
    ),
    rows(
        "KATEXSEEN", "plain gleaner|original seen|markdown",
        [r"^Let \$q\$ be the flow and \$h\$ the height; then \$q=2h\$, as the keepers know\.$",
         r"^- Where \$h\$ is small, nothing flows\.$"],
    ),
    rows(
        "KATEXSEEN", "plain gleaner|original seen|text",
        ["^Let .*q.* be the flow and .*h.* the height; then .*2h.*, as the keepers know",
         "^.*Where .*h.* is small, nothing flows"],
    ),
    rows(
        "DROPCAP", "plain gleaner|original dom seen|text markdown",
        ["^The river rose", "^It was the ferryman", "^Water came"],
    ),
    rows(
        "QMARKS", "plain gleaner|original|markdown",
        ['[“"]the gate is [‘"“]shut[’"”][”"] and', '["„“]Wasser!["“”] und'],
    ),
    rows(
        "QMARKS", "plain|original|html",
        ["<q[^>]*>the gate is <q[^>]*>shut</q></q>", "<q[^>]*>Wasser!</q>"],
    ),
    rows(
        "DEL", "plain|original|markdown",
        [r"~~4\.20~~", "~~pay half~~", "~~cancelled~~", "^- ~~Buy rope~~$"],
    ),
    rows("DEL", "plain|original|html", [f"<del>{w}" for w in ("4.20", "pay", "canc", "Buy")]),
    rows(
        "LINKNEWLINE", "plain gleaner|original|read",
        [f'<p>The level is measured twice a day{_STAYS}"https://books\\.test/ref9"{_STAYS}>9<',
         rf'{_STAYS}, and the\s+<a href="https://books\.test/b">',
         r"book of\s+the\s+keepers</a>\s+is\s+kept in"],
        ["<pre"],
    ),
    rows(
        "LINKNEWLINE", "plain gleaner|original|text",
        ["a day ?9, and the book of the keepers is kept in"],
    ),
    rows(
        "NBSPBOLD", "plain|original|words",
        ["Water rises at night, and levels fall by day; the gate stays, and so does the wheel",
         "Shut!.they cried. After that the bellrang and none slept, x y z"],
        [r"\*", "_"],
    ),
    rows(
        "ZWNJ", "plain gleaner|original seen|text markdown html",
        ["آب\u200cبند بالای", "نگهبان\u200cها", "می\u200cچرخاندند",
         "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f3f3\ufe0f?\u200d\U0001f308",
         "super\xad?califragilistic", "/var/\u200b?log/\u200b?gate"],
    ),
    rows(
        "LYRICS", "plain gleaner|seen|read",
        [r"Open the gate, open the gate,<br />\s*the river is up and the miller is late\.</p>",
         r"<p>Ring the bell, ring it twice,<br />\s*the water is coming with branches and ice",
         r"Shut it again(<br />|</p>\s*<p>)\s*before the rain"],
    ),
    rows(
        "LYRICS", "plain gleaner|original|text",
        [r"open the gate,\s+the river", r"late\.\s+Ring", r"twice,\s+the water", r"again\s+before"],
    ),
    rows(
        "BLANKLINES", "gleaner|original seen|text markdown",
        [_WEIR, _KEEPERS, "At the very bottom", _MEADOW], [r"\n{10}"],
    ),
    rows(
        "INLINEDIV", "plain gleaner|original|text",
        [r"per hour of water\. It paid less before the war\."],
    ),
    rows(
        "INLINEDIV", "plain gleaner|seen|text markdown",
        [r"^The mill pays the county \\?\$5\.22 per hour of water\. It paid less before the war"],
    ),
    rows(
        "DUPLABEL", "plain|seen|text words",
        [r"Functional\s+Functional\s+Always active", r"Save\s+Cancel", r"Level\s+cm",
         r"Upper\s+Lower"],
    ),
    rows("DUPLABEL", "plain|original|text", [_WEIR, "Functional", "Level"], ["SaveCancel"]),
    rows("NOTDRAWN", "plain|seen|words", ["^before a b c d after$"]),
)  # fmt: skip

_NOTES = (
    rows(
        "AMPURL", "plain|original seen|markdown",
        [r"\(https://g\.test/list\?page=1&section=2\)", r"\(https://g\.test/list\?a=1&copy=3\)",
         r"\?a=1&region=north&center=2&params=x&times=3&current=5&notify=1\)",
         r"!\[Mill © Birch\]\(https://g\.test/p\.png\?w=9&lt=3&degree=4\)",
         r"\?x=1&copy=2\)", r"\?q=café&y=1\)", r"\?q=1©2\)"],
    ),
    rows(
        "LINKPARA", "gleaner|original seen|markdown",
        [_WEIR, r"^\[the first gate\]\(.*are all lit at night", r"^\[Sleep in the valley",
         _KEEPERS, r"^See \[this study", r"^\[“Nobody sleeps when", _MEADOW],
    ),
    rows(
        "FIRSTLINK", "gleaner|original seen|markdown",
        [part for k, name in enumerate(_MILLS, 1) for part in (
            rf"^## {k}\\?\. \[{name} Mill\]\(https://mills\.test/{k}\)",
            rf"^\[{name} Mill\]\(https://mills\.test/{k}\) stands")],
    ),
    rows("TOCONLY", "gleaner|original seen|text", ["small hand and little ink"] * 12),
    rows(
        "PARSOID", "plain gleaner|original|markdown",
        [r"!\[.*weir\.jpg", r"A weir with \[gates\]\((https:)?//en\.wikipedia\.test/wiki/Gate",
         r"measured\.\[\^1\] Most", r"alike\.\[\^2\]", r"^\[\^1\]: .*Alder, \*Rivers\*, 1921\.",
         r"^\[\^2\]: .*Birch, "],
        [r"(?<!!)\[\]\(", "mw[A-Z]"],
    ),
    rows(
        "LOOSENOTES", "plain|original|markdown",
        [r"before dusk\.\[\^1\]", r"first is lit\.\[\^2\]", "Added in 1902:.* The bell was",
         r"^\[\^1\]: .*In winter", r"^\[\^2\]: .*Since the new"],
    ),
    rows(
        "LOOSENOTES/class", "plain|original|markdown",
        [r"rape oil\[\^1\]", r"cellar\[\^2\]", r"^\[\^1\]: Until 1860", r"^\[\^2\]: The cellar"],
    ),
    rows(
        "BLOCKLINK", "plain|original|read",
        [f"{_linked('a')}Oat flour", f"{_linked('b')}Rye flour", r"(?s)\W.*Fine, stone ground</",
         f"{_linked('c')}<img", "Bran</"],
        [r"\[", r"\]\("],
    ),
    rows(
        "BLOCKLINK", "plain|seen|words",
        [r"Oat flour\W+\$ ?18\.66 ?USD", r"Rye flour\W+Fine, stone ground", "Bran"],
        [r"70\.00", r"\[", r"\]\("],
    ),
)  # fmt: skip

_PICTURES = (
    rows(
        "PREVIEW", "plain gleaner|original seen|markdown",
        [r"!\[The meadow\]\(https://c\.test/meadow-1200\.jpg",
         "The meadow on Monday. Photo: county", r"https://c\.test/ferry-900\.jpg"],
        ["data:", "meadow-20", *once("meadow-1200", "The meadow on Monday")],
    ),
    rows(
        "LAZYIMG", "plain|original|markdown",
        [r"!\[gate one\]\(https://cdn\.valley\.test/a/one\.jpg",
         r"!\[gate two\]\(https://mm\.test/two\.jpg",
         r"!\[gate three\]\(https://cdn\.valley\.test/a/three\.jpg",
         r"!\[gate four\]\(https://cdn\.valley\.test/a/four-[sl]\.jpg",
         r"!\[gate five\]\(https://cdn\.valley\.test/a/five[-.]",
         r"!\[gate six\]\(https://cdn\.valley\.test/a/six\.jpg",
         r"!\[gate seven\]\(https://cdn\.valley\.test/a/seven\.jpg"],
        ["data:", r"\(#\)", *once(*(f"gate {k}" for k in ("one", "two", "four", "five", "six")))],
    ),
    rows(
        "SVGTEXT", "plain|original|text markdown html", ["The level fell in May"], _OF_LABELS,
    ),
    rows("SVGTEXT", "plain|seen|text markdown html", ["The level fell in May"], _OF_LABELS),
    rows("SVGTEXT", "gleaner|original seen|text markdown html", [_WEIR, _KEEPERS], _OF_LABELS),
    rows("SVGTEXT", "plain|original seen|text", ["Peak at dawn"]),
    rows("SVGTEXT", "plain|original seen|read", [r"<p>(<em>)?The level fell in May\."]),
    rows(
        "MATH", "gleaner|original|markdown",
        [r"if and only if .*B=-B\^.* holds", r"trace is then zero: .*t=0.* for every size"],
        once(r"B=-B\^", "t=0"),
    ),
    rows(
        "MATH", "gleaner|original|text",
        ["if and only if .*holds", "zero: .*t ?= ?0.* for every"], [r"BT\{", *once("t ?= ?0")],
    ),
    rows(
        "MATHOPEN", "plain|original|markdown",
        ["^before$", "a ?b", "^inside the paragraph that ends the formula$", "data shown",
         "^after$"],
    ),
)  # fmt: skip

_LATE = (
    rows(
        "SRCDOC", "plain gleaner|seen|read",
        ["The lesson is shown below", "<h2>The lesson</h2>", "<p>This lesson explains",
         "<p>It ends with three questions"],
    ),
    rows("SRCDOC", "plain gleaner|original dom|text", ["lesson"], ["<h2>", "&lt;", "srcdoc"]),
    rows(
        "SUSPENSE", "gleaner|original dom seen|text",
        [_WEIR, _KEEPERS, _MEADOW], ["Loading"],
    ),
    rows(
        "LAZYTEXT", "plain gleaner|dom seen|text",
        [_WEIR, *(f"^Part {k} tells" for k in range(1, 7)), _MEADOW],
        once(*(f"Part {k}" for k in range(1, 7))),
    ),
    rows("LAZYTEXT", "plain gleaner|original|text", [_WEIR, _MEADOW], ["Part 1"]),
    rows(
        "HIDDENSRC", "gleaner|original|text",
        ["The wind turns", "Small craft stay"],
        ["another newspaper", "Nor is this one", "keeps its room"],
    ),
    rows(
        "HIDDENCSS", "plain gleaner|seen|text",
        [_VALLEY, _SPRING, "The first wall was built", _COUNCIL, "a marked rod"],
        ["Quick abstract"],
    ),
    rows("INNERSCROLL", "plain|seen|text", [f"^Row{k} Boats" for k in range(1, 41)]),
    rows(
        "REVEAL", "plain|seen|text",
        ["^First Boats", "^Second Passengers", "^Fourth Boats"], ["Fifth"],
        wrong="what is transparent for ever is in the text, and only its words are counted",
    ),
    rows(
        "SHADOW", "plain|original dom seen|text",
        [_VALLEY, _SPRING, _COUNCIL, "By a reporter of ours"],
    ),
    rows("SHADOW", "gleaner|original dom seen|text", [_VALLEY, _SPRING, _COUNCIL]),
    rows("SHADOW/js", "plain gleaner|dom seen|text", [_VALLEY, _SPRING, _COUNCIL]),
    rows(
        "ALERT", "plain|dom|text",
        [_VALLEY, _SPRING, _COUNCIL, "late text is here"],
    ),
    rows("METAREFRESH", "plain|dom|text", ["Ferry", "Boats leave", "Passengers"], ["Elsewhere"]),
    rows("METAREFRESH/now", "plain|dom|text", ["Moved", "The summer"], ["Elsewhere"]),
    rows("METAREFRESH/js", "plain|dom|text", ["Boats leave"], ["Elsewhere"]),
)  # fmt: skip

_KEPT = (
    rows(
        "THREAD", "gleaner|original|markdown",
        ["Eight millimetres", r"^(>|  |- ).*Same here\.", "Hemp!"],
    ),
    rows(
        "RELATED", "gleaner|original|markdown",
        ["The harbour bell was cast", "electric motor took over", "^- Rung on the day", "Today it"],
        ["Related Posts", r"\d min", "the mole was"],
    ),
    rows(
        "COOKIE", "gleaner|original seen|text",
        ["^The county has today closed", "^The keepers have been told"],
        ["partners", "legitimate interest", "marketing"],
    ),
    rows("COOKIE", "gleaner|original seen|markdown", ["^# Statement on the gate", "The county"]),
)  # fmt: skip

_SIGNS = (
    rows("JISROW13/eucjp", "plain|original dom|text", ["^① № ㈱ Ⅰ 9\uff5e18 \uff0d5 end$"]),
    rows("JISROW13/iso2022jp", "plain|original dom|text", ["^① ㈱ ﾐ end$"]),
    rows("JISROW13/gbk", "plain|original dom|text", ["^€5 价格 end$"]),
    rows(
        "CHARSET", "plain gleaner|original dom|text",
        ["(?s)^(?=.*水门的故事)(?=.*朱镕基)(?=.*陶喆)"], ["\ufffd"],
    ),
    rows("CHARSET/nometa", "plain gleaner|original dom|text", ["朱镕基"], ["\ufffd"]),
)  # fmt: skip

_ALL = tuple(chain(*CODE, *LISTS, *TABLES, *_LINES, *_NOTES, *_PICTURES, *_LATE, *_KEPT, *_SIGNS))


@cache
def _open(file):
    return pagelet.open(file)


@cache
def _run(file, method, source):
    return _open(file).run(method, input=source)


def _said(file, method, source, form):
    """Return a result as text, Markdown, HTML, GFM's HTML of the Markdown, or that's words."""
    run = _run(file, method, source)
    if form in ("text", "markdown", "html"):
        return getattr(run, form)
    read = read_gfm(run.markdown)
    if form == "words":
        read = " ".join(
            re.sub(r"<(?!/?(a|b|em|i|strong|code|del|sup|sub)\b)[^>]*>", " ", read).split()
        )
        return unescape(re.sub("<[^>]*>", "", read))
    return unescape(read)


def _faults(row, said):
    """Return the patterns of a row that do not hold of what is said."""
    faults, place = [], 0
    for pattern in row.must:
        if found := re.compile(pattern, re.MULTILINE).search(said, place):
            place = found.end()
        else:
            faults.append(f"missing here: {pattern}")
    return faults + [f"wrong: {each}" for each in row.never if re.search(each, said, re.MULTILINE)]


def _ways(row):
    return [(row.method, *way) for way in product(row.inputs.split(), row.forms.split())]


def _file(field, page):
    folder, _, name = page.partition("/")
    return field / folder / f"{name or 'page'}.html"


@pytest.fixture(scope="module", autouse=True)
def _rendering():
    """Begin to render before the first test, which would else be said to leave the process."""
    assert pagelet.open(b"<p>Tea").rendered
    yield
    pagelet.close()
    _run.cache_clear()
    _open.cache_clear()


@pytest.mark.parametrize("row", _ALL)
def test_a_page_that_others_complained_of_says_what_it_should(field, row):
    file = _file(field, row.page)
    wrong = {way: _faults(row, _said(file, *way)) for way in _ways(row)}
    assert {way: each for way, each in wrong.items() if each} == {}


_TOLD = (
    ("METAREFRESH", "dom", "wanted to go|would go on to next.html", 0),
    ("METAREFRESH/now", "dom", "wanted to go on to next.html", 0),
    ("METAREFRESH/js", "dom", "wanted to go on to next.html", 0),
    ("SRCDOC", "original", "1 frame .*srcdoc", 0),
    ("SRCDOC", "dom", "1 frame .*srcdoc", 0),
    ("REVEAL", "seen", "95 words are transparent", 0),
    pytest.param("ALERT/loop", "dom", "hangs", 3, marks=pytest.mark.long),
)
"""What a command says of a page beside its text, and its exit status."""


@pytest.mark.parametrize(("page", "source", "told", "status"), _TOLD)
def test_a_command_says_what_it_did_not_read(field, capfd, page, source, told, status):
    words = ["extract", "plain", str(_file(field, page)), "--input", source, "--no-sandbox"]
    assert main(words) == status
    assert re.search(told, capfd.readouterr().err)


@pytest.mark.parametrize("page", ["eucjp", "iso2022jp", "gbk"])
def test_a_command_says_nothing_of_letters_it_knows(field, capfd, page):
    assert main(["extract", "plain", str(_file(field, f"JISROW13/{page}"))]) == 0
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("row", {each.values[0].page: each.values[0] for each in _ALL}.values())
def test_no_other_page_says_what_a_page_should(field, row):
    other = _file(field, "JISROW13/gbk" if row.page == "DEL" else "DEL")
    form = row.forms.split()[0]
    assert len(_faults(row, _said(other, row.method, "original", form))) >= len(row.must)


def test_the_oracle_finds_cells_that_a_pipe_splits(field, monkeypatch):
    row = next(each.values[0] for each in _ALL if each.values[0].page == "PIPES")
    file = _file(field, "PIPES")
    assert _faults(row, _said(file, "plain", "original", "read")) == []
    monkeypatch.setattr("algorithms.structure.inline_markdown.Inline._text", lambda _, text: text)
    _run.cache_clear()
    assert _faults(row, _said(file, "plain", "original", "read")) != []
    _run.cache_clear()
