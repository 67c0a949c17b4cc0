"""Test that Markdown and HTML have the words of the text, but for labels of code and numbers."""

import gzip
import re
from collections import Counter

import lxml.html
import pagelet
import pytest

from algorithms.structure import code
from engine.source import Source
from tests.oracles.gfm_reader import read_gfm

_WORD = re.compile(r"\w+")
_LABELS = frozenset(
    "copy copied code copyclip to clipboard wrap lines line text toggle word expand collapse run "
    "download edit raw view open in playground try it bash shell sh console python java javascript "
    "js ts typescript json jsonc yaml yml toml html css scss xml sql go rust c cpp c# csharp cs "
    "php ruby rb swift kotlin r plain plaintext terminal powershell ps1 cmd diff ini docker "
    "dockerfile makefile markdown md http graphql jsx tsx vue none txt session objective "
    "perl lua scala dart elixir".split()
)  # fmt: skip
"""Words of languages and buttons, written down without the code under test."""


def lost(html: str | bytes, method: str) -> dict[str, list[str]]:
    """Return the words of a result's text that its Markdown, or HTML, lacks, but for labels."""
    data = html.encode() if isinstance(html, str) else html
    result = pagelet.open(data).run(method)
    words = Counter(_WORD.findall(result.text.casefold()))
    forms = {
        "markdown": lxml.html.fromstring(f"<div>{read_gfm(result.markdown)}</div>"),
        "html": lxml.html.fromstring(f"<div>{result.html}</div>"),
    }
    found = {}
    for name, tree in forms.items():
        there = Counter(_WORD.findall(" ".join(tree.itertext()).casefold()))
        pieces = " ".join(tree.itertext()).casefold().replace(" ", "")
        bare = (word.removesuffix("copy") for word in (words - there).elements())
        missing = [
            word for word in bare
            if word not in _LABELS and not word.isdigit() and word not in pieces
        ]  # fmt: skip
        if missing:
            found[name] = missing
    return found


CASES = {
    "two commands": "<div><div class=s><pre>npm install x</pre><button>Copy</button></div><p>or</p>"
    "<div class=s><pre>yarn add x</pre><button>Copy</button></div></div>",
    "file": "<figure><span class=file-name>src/gauge.rs</span><pre><code>fn a()</code></pre>"
    "</figure>",
    "caption": "<div class=card><div class=card-header>Second way</div><pre>make</pre></div>",
    "output": "<div><div class=cell-header><pre>level(gate)</pre><button>Copy</button></div>"
    "<div class=out><pre>312 cm</pre></div></div>",
    "box in pre": "<pre><div class=header>main.py<button>Copy</button></div>"
    "<code>run()</code></pre>",
    "shadow tree (whatwg/html PR 5465)": "<my-card><template shadowrootmode=open><style>b{}</style>"
    "<p>Shade of the gate</p><slot></slot></template><p>Light of the gate</p></my-card>",
    "note": "<div><pre>ring()</pre><div class=toolbar>Bell rung twice <button>Run</button></div>"
    "</div>",
}  # fmt: skip


@pytest.mark.parametrize("html", CASES.values(), ids=list(CASES))
@pytest.mark.parametrize("method", ["plain", "gleaner"])
def test_words_beside_code_are_in_markdown_and_html(html, method):
    text = (
        "<p>The keepers turned the wheels by hand, as the motor had been taken out in spring.</p>"
    )
    assert lost(f"<title>t</title><main><h1>Gauge</h1>{text}{html}{text}</main>", method) == {}


@pytest.mark.parametrize("behind", ["", "<p>The end of the page.</p>"])
def test_a_list_in_a_note_is_numbered_as_on_the_page(behind):
    note = "1. Of the gate: <ol start=4><li>shut<li>open</ol>"
    page = (
        "<!doctype html><title>t</title><p>The gate<sup><a href='#a'>1</a></sup> is shut.</p>"
        f"<div class=footnotes><div id=a class=footnote>{note}</div></div>{behind}"
    )
    assert lost(page, "plain") == {}
    markdown = pagelet.open(page.encode()).run("plain").markdown
    assert re.search(r"\[\^1\]: Of the gate:\s+4\. shut\s+5\. open", markdown)


def test_known_labels_are_left_out():
    html = "<div class=code><div class=code-header><span>yaml</span><button>Copy</button></div>"
    page = f"<meta charset=utf-8>{html}<pre><code>gate: up</code></pre></div>".encode()
    result = pagelet.open(page).run("plain")
    assert result.markdown.strip() == "```yaml\ngate: up\n```"


def test_the_oracle_finds_code_that_is_taken_for_a_label(monkeypatch):
    monkeypatch.setattr(code, "_is_label", lambda rows, row: len(rows.text(row).split()) < 7)
    assert "npm" in lost(CASES["two commands"], "plain")["markdown"]


_CODE_TEXTS = (
    ".//text()[not(ancestor::button or ancestor::style or ancestor::script)]"
    "[not(ancestor::*[contains(@class, 'hover-info')])]"
)
"""Tool tips are no code."""


def lost_code(data: bytes) -> list[str]:
    """Return the words of code that the Markdown of a whole page lacks, but for labels."""
    page = pagelet.open(data)
    tree = lxml.html.fromstring(Source.from_bytes(data).html)
    blocks = tree.xpath("//pre[not(ancestor::pre)][not(ancestor::template)]")
    code_words = Counter(
        word
        for block in blocks
        for text in block.xpath(_CODE_TEXTS)
        for word in _WORD.findall(text.casefold())
    )
    markdown = page.run("plain").markdown.casefold()
    there = Counter(_WORD.findall(markdown))
    missing = (code_words - there).elements()
    return [
        word for word in missing
        if word not in _LABELS and not word.isdigit() and word not in markdown
    ]  # fmt: skip


def real_pages(datasets):
    """Yield the pages with blocks of code, by name."""
    files = sorted((datasets / "wcxb" / "dev" / "html").glob("*.html.gz"))
    read = ((file.name, gzip.decompress(file.read_bytes())) for file in files)
    yield from ((name, data) for name, data in read if b"<pre" in data)
    for file in sorted((datasets / "defuddle" / "fixtures").glob("*.html")):
        yield file.name, file.read_bytes()


@pytest.mark.long
@pytest.mark.data
def test_code_of_real_pages_is_in_their_markdown(datasets):
    pages, found = 0, {}
    for name, data in real_pages(datasets):
        pages += 1
        if missing := lost_code(data):
            found[name] = missing
    print(f"{pages} pages, {len(found)} with lost code: {found}")
    assert not found


def test_the_oracle_finds_lost_code_of_a_page(monkeypatch):
    page = CASES["two commands"].encode()
    assert lost_code(page) == []
    monkeypatch.setattr(code, "_is_label", lambda rows, row: len(rows.text(row).split()) < 7)
    assert "yarn" in lost_code(page)
