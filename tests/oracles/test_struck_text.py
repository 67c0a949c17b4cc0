"""Test that text struck through is struck through in Markdown and HTML, by whatever it is struck.

Reported of jina-ai/reader (#120), markitdown (#2340) and of a book's chapters (online #54).
"""

import html as entities
import re

import pagelet
import pytest

from engine import seen
from gui.cli.main import main

_OWN = {
    "jina-ai/reader #120": (
        'Price: <span style="text-decoration: line-through;">80€</span> 70€',
        "Price: ~~80€~~ 70€",
    ),
    "markitdown #2340": (
        (
            'Plain <span style="TEXT-DECORATION-LINE: line-through">longhand</span>, <s>s</s>, '
            "<strike>strike</strike> after."
        ),
        "Plain ~~longhand~~, ~~s~~, ~~strike~~ after.",
    ),
    "online #54": (
        'They <font style="text-decoration:underline line-through red"> ran </font>walked',
        "They ~~ran~~ walked",
    ),
    "a line below it alone": (
        '<span style="text-decoration: underline; color: line-through">new</span>',
        "new",
    ),
    "struck twice": ('<del style="text-decoration: line-through">once</del>', "~~once~~"),
}
_PAGE = """<!doctype html><title>Prices</title><style>
.old, aside p { text-decoration: line-through } .none { text-decoration: none } .new {
text-decoration: underline }</style><p>The rope was <span class=old>4.20</span> and is <b
class=new>3.10</b>; <a class=old href=/x>no link</a>, <del class=old>once</del>.</p><aside><p>All of
it <i>is</i> gone.</p></aside><ul><li class=old style="color: red; ">Buy rope</li><li
class=none>Sell it</li></ul>"""
_STRUCK = """(() => { const struck = [];
  const walk = (node, is) => { for (const child of node.childNodes) {
    if (child.nodeType === 3 && is && child.data.trim()) struck.push(child.data.trim());
    if (child.nodeType === 1) walk(child, is ||
      getComputedStyle(child).textDecorationLine.includes('line-through')); } };
  walk(document.body, false); return struck; })()"""


@pytest.mark.parametrize(("html", "markdown"), _OWN.values(), ids=_OWN.keys())
def test_text_that_its_own_style_strikes_is_struck_in_markdown(html, markdown):
    result = pagelet.open(f"<!doctype html><p>{html}</p>".encode()).run("plain")
    assert result.markdown.strip() == markdown
    assert result.html.count("<del>") == markdown.count("~~") / 2


def _struck_in_html(path, capfd):
    """Return the texts in ``del`` of the page as it is seen, white space collapsed."""
    assert main(["extract", "plain", str(path), "--input", "seen", "--format", "html"]) == 0
    found = re.findall("<del>(.*?)</del>", capfd.readouterr().out, re.DOTALL)
    pieces = [each for text in found for each in re.split("<[^>]*>", text)]
    return [" ".join(entities.unescape(each).split()) for each in pieces if each.strip()]


@pytest.mark.web
def test_text_that_a_style_sheet_strikes_is_what_the_browser_strikes(
    tmp_path, qtbot, capfd, monkeypatch
):
    from tests.reader import read_in_browser

    path = tmp_path / "page.html"
    path.write_text(_PAGE)
    with read_in_browser(path, qtbot) as reader:
        expected = [" ".join(each.split()) for each in reader.ask(_STRUCK)]
    assert len(expected) == 7
    assert _struck_in_html(path, capfd) == expected
    monkeypatch.setattr(seen, "_is_line_through", lambda line: False)
    assert _struck_in_html(path, capfd) == ["once"]  # the oracle finds the planted fault
