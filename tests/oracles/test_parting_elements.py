"""Test that texts and tables are parted where the browser parts them, element by element.

Reported of markdownify (#231), cline (PR 14190): cells over very many columns.
"""

import json

import pagelet
import pytest

from tests.reader import read_in_browser

pytestmark = pytest.mark.web

_NAMES = (
    "a abbr acronym address article aside b bdi bdo big blink blockquote center cite code dd del "
    "details dfn dialog dir div dl dt em fieldset figcaption figure font footer form h1 h6 header "
    "hgroup i ins kbd label legend li listing main map mark marquee menu meter nav nobr ol output "
    "p pre progress q rp rt ruby s samp search section slot small spacer span strike strong sub "
    "summary sup time tt u ul var xmp x-card"
).split()
_OTHERWISE = frozenset("details dialog meter progress rp rt".split())
"""Closed, not drawn, or in brackets: methods.md has them."""
_TEXTS = """((names) => names.map(name => { const box = document.createElement('div');
  box.innerHTML = `x<${name}>y</${name}>z`; document.body.append(box);
  const text = box.innerText; box.remove(); return text; }))"""


def _parted(name):
    page = f"<!doctype html><meta charset=utf-8><title>t</title><div>x<{name}>y</{name}>z</div>"
    return pagelet.open(page.encode()).run("plain").text.split()


def test_elements_part_the_text_as_the_browser_does(tmp_path, qtbot):
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><title>t</title><body>")
    with read_in_browser(path, qtbot) as reader:
        texts = reader.ask(f"{_TEXTS}({json.dumps(_NAMES)})")
    read = {name: text.split() for name, text in zip(_NAMES, texts, strict=True)}
    other = {name for name, words in read.items() if _parted(name) != words}
    assert other == _OTHERWISE
    assert sum(len(words) == 3 for words in read.values()) > 30


_TABLES = (
    "<tr><th>a<th>b<tr><td colspan=100>c",
    "<tr><th colspan=2>a<th>b<tr><td>c<td>d<td>e",
    "<tr><th>a<td colspan=1000>b",
    "<tr><td colspan=3>a<tr><td>b<td colspan=9>c",
    "<tr><th rowspan=2>a<th colspan=2>b<tr><th>c<th>d<tr><td>e<td>f<td>g",
)
_COLUMNS = """((tables) => tables.map(html => { const box = document.createElement('div');
  box.innerHTML = `<table>${html}</table>`; document.body.append(box);
  const left = [...box.querySelectorAll('td, th')].map(cell => cell.offsetLeft);
  box.remove(); return new Set(left).size; }))"""


def test_a_table_has_as_many_columns_as_cells_begin_at(tmp_path, qtbot):
    path = tmp_path / "page.html"
    path.write_text("<!doctype html><title>t</title><body>")
    with read_in_browser(path, qtbot) as reader:
        drawn = reader.ask(f"{_COLUMNS}({json.dumps(_TABLES)})")
    written = []
    for html in _TABLES:
        page = f"<!doctype html><meta charset=utf-8><table>{html}</table>"
        lines = pagelet.open(page.encode()).run("plain").markdown.strip().split("\n")
        written.append({line.count("|") - 1 for line in lines})
    assert written == [{count} for count in drawn]
