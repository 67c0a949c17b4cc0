"""Test that letters are bold and slanted in Markdown as their elements' own styles draw them.

Reported of marktext (#4688), typora (#1681), decap-cms (PR 7351) and clipboard2markdown (#15).
"""

import pagelet
import pytest

from algorithms.structure import reading
from tests.oracles.gfm_reader import read_gfm, said
from tests.reader import read_in_browser

pytestmark = pytest.mark.web

_PAGE = """<!doctype html><meta charset=utf-8><title>Text</title>
<b style="font-weight:normal" id="docs-internal-guid-1"><p><span style="font-weight:700">Bold</span>
<span style="font-weight:400">plain</span> <span style="font-style:italic">slanted</span> end
</p></b><p>The <strong style="FONT-WEIGHT: 400">bare
</strong> <em style="font-style: normal">word</em> and
<i style="color:red">one</i> <b style="color:red">two</b> <font style="font-weight: bolder">three
</font> <span style="x-font-weight:bold">four</span> <span
style="font-weight:bold"><a href=/x>five</a>
</span> <span style="font-weight:lighter">six</span> <cite
style="font-style:normal">seven</cite></p>
<ul><li><span style="font-style:oblique">eight</span> nine</li></ul>"""
_DRAWN = """(() => { const words = [];
  const walk = (node) => { for (const child of node.childNodes) {
    if (child.nodeType === 1) walk(child);
    if (child.nodeType === 3) for (const word of child.data.split(/\\s+/).filter(Boolean)) {
      const style = getComputedStyle(node);
      words.push([word, style.fontWeight >= 600, style.fontStyle !== 'normal']); } } };
  walk(document.body); return words; })()"""


def _written():
    """Return the words of the page's Markdown, with whether they are bold and slanted."""
    markdown = pagelet.open(_PAGE.encode()).run("plain").markdown
    return [
        [word, "strong" in run.marks, "em" in run.marks]
        for block in said(read_gfm(markdown)) for run in block.runs for word in run.text.split()
    ]  # fmt: skip


def test_words_are_bold_and_slanted_as_the_browser_draws_them(tmp_path, qtbot, monkeypatch):
    path = tmp_path / "page.html"
    path.write_text(_PAGE)
    with read_in_browser(path, qtbot) as reader:
        drawn = reader.ask(_DRAWN)
    assert len(drawn) == 17
    assert sum(bold for _, bold, _ in drawn) == 4
    assert _written() == drawn
    monkeypatch.setattr(reading, "styled_marks", lambda rows: {})
    assert _written() != drawn  # the oracle finds the planted fault


def test_a_heading_is_not_bold_once_more():
    page = "<!doctype html><h2><span style='font-weight:700'>Gate</span></h2>"
    assert pagelet.open(page.encode()).run("plain").markdown.strip() == "## Gate"
