"""Test that letters are bold and slanted in Markdown as their elements' own styles draw them.

Reported of marktext (#4688), typora (#1681), decap-cms (PR 7351) and clipboard2markdown (#15).
"""

import pagelet
import pytest

from algorithms.structure import reading
from algorithms.structure.noise import StyledMarks
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
<ul><li><span style="font-style:oblique">eight</span> nine</li></ul>
<p>So <span style="font-style:inherit">ten</span> <span style="font-style:initial">eleven</span>
<span style="font-style:unset">twelve</span> <span style="font-style:var(--x)">thirteen</span>
<span style="font-weight:var(--x)">fourteen</span> <span style="font-weight:inherit">fifteen</span>
<i style="font-style:revert">sixteen</i> <i style="font-style:inherit">seventeen</i>
<b style="font-weight:initial">eighteen</b> <b style="font-weight:unset">nineteen</b>
<strong style="font-weight:500">twenty</strong> <b style="font-weight:600 !important">more</b>
<span style="font-weight:650;font-style:oblique 10deg">both</span>
<b style="font-style:italic">too</b> <em style="font-weight:bold;font-style:normal">turned</em>
<span style="font-weight:bold; font-weight:normal">last</span>
<span style="font-weight:bold; font-weight:nonsense">valid</span>
<span style="font-weight:1200">none</span> end</p>"""
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
    assert len(drawn) == 37
    assert sum(bold for _, bold, _ in drawn) == 9
    assert sum(slanted for _, _, slanted in drawn) == 6
    assert _written() == drawn
    monkeypatch.setattr(reading, "styled_marks", lambda rows: StyledMarks({}, {}))
    assert _written() != drawn  # the oracle finds the planted fault


def test_a_heading_is_not_bold_once_more():
    page = "<!doctype html><h2><span style='font-weight:700'>Gate</span></h2>"
    assert pagelet.open(page.encode()).run("plain").markdown.strip() == "## Gate"


@pytest.mark.parametrize(("name", "written"), [("code", "`let it be`"), ("pre", "let it be")])
def test_a_bold_token_does_not_part_code(name, written):
    style = "font-weight:bold;font-style:italic"
    page = f"<!doctype html><p>Then</p><{name}>let <span style='{style}'>it</span> be</{name}>"
    assert written in pagelet.open(page.encode()).run("plain").markdown


def test_a_mark_whose_style_is_a_variable_stays():
    marked = "<b style='font-weight:var(--x)'>much</b> <i style='font-style:var(--x)'>so</i>"
    page = f"<!doctype html><p>So {marked}"
    assert pagelet.open(page.encode()).run("plain").markdown.strip() == "So **much** *so*"
