"""Test that the page as seen keeps lines whole that touch in the picture."""

import pytest

from annotate.datasets.opening import open_pages
from engine.errors import CaptureError
from engine.layout import Layout
from engine.web.headless import Browser
from tests.oracles.captured import capture_page
from tests.oracles.lines_seen import torn_lines

pytestmark = pytest.mark.web

_HIDDEN = "position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"
_PAGE = f"""<!doctype html><style>body{{font-size:20px;width:900px}}</style>
<p>The gate opens <a href=x>on days<span style="{_HIDDEN}"> (in a new tab)</span></a>, as they say.
<p>The ferry goes twice an hour<span style="{_HIDDEN}">: </span>until dusk.
<p>Tickets cost <s><b style="{_HIDDEN};white-space:nowrap">old price </b>$9</s> $7 a head.
<p>Let <span class=katex><span class=katex-mathml style="{_HIDDEN}"><math><semantics><mi>q</mi>
<annotation encoding="application/x-tex">q_1</annotation></semantics></math></span><span
aria-hidden=true><span style="display:inline-block">q₁</span></span></span> be the flow.
<p>A word<i style="position:absolute;top:500px">Note on it</i>, and its<b style="position:absolute;
left:-9999px">never</b> note <u style="display:inline-block;position:relative">beside<span
style="position:absolute;left:0;top:30px">tip</span></u> it.
<p><mjx-container style="position:relative">x<mjx-mml style="position:absolute;top:0;left:0;
clip:rect(1px,1px,1px,1px);overflow:hidden;display:block"><math><mi>x</mi></math></mjx-mml>
</mjx-container>is drawn once.
<div>It costs $<div style="display:inline"><em>5.22</em></div> a day.</div>
"""


@pytest.fixture(scope="module")
def browser(qapp):
    with Browser() as browser:
        yield browser


def test_what_is_hidden_or_placed_in_a_line_parts_nothing(browser, tmp_path):
    page = capture_page(browser, tmp_path, _PAGE, {})
    found = torn_lines(browser, page)
    assert found.touching > 10
    assert found.torn == ()
    assert page.source("seen").text.split("\n") == [
        "The gate opens on days, as they say.",
        "The ferry goes twice an hour until dusk.",
        "Tickets cost $9 $7 a head.",
        "Let q₁ be the flow.",
        "A word, and its note beside tip it.",
        "Note on it",
        "never",
        "x is drawn once.",
        "It costs $5.22 a day.",
    ]
    assert 'alttext="q_1"' in page.source("seen").html


def test_the_oracle_finds_lines_that_hidden_words_tear(browser, tmp_path, monkeypatch):
    monkeypatch.setattr(Layout, "_is_cut_away", lambda *_: False)
    monkeypatch.setattr("engine.seen._SeenWriter._parts_line", lambda *_: False)
    page = capture_page(browser, tmp_path, _PAGE, {})
    torn = torn_lines(browser, page).torn
    assert len(torn) >= 5
    assert ("word", ",") in torn


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p><span style='float:left'>T</span>he river", "The river"),
        ("<p><span style='float:left'>“T</span><b>he</b> river", "“The river"),
        ("<p><span style='display:inline-block;float:left'><b>I</b></span>t was", "It was"),
        ("<p><span style='float:left'>A</span> river", "A\nriver"),
        ("<p><span style='float:left'>1</span>river", "1\nriver"),
        ("<p><span style='float:left'>Note</span>the river", "Note\nthe river"),
    ],
)
def test_a_floated_first_letter_belongs_to_its_word(browser, tmp_path, html, text):
    page = capture_page(browser, tmp_path, "<!doctype html>" + html, {})
    assert page.source("seen").text == text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a<optgroup>one<option>b</optgroup>", "a\nb"),
        ("<select>one<option>b</select>", "b"),
        ("<svg>one<text>b</text><g>two</g></svg>", "b"),
        ("a<progress>one</progress>b<meter>two</meter>", "a b"),
    ],
)
def test_text_that_its_element_does_not_draw_is_out(browser, tmp_path, html, text):
    page = capture_page(browser, tmp_path, "<!doctype html>" + html, {})
    assert page.source("seen").text == text


@pytest.mark.long
def test_lines_of_real_pages_are_whole_in_the_page_as_seen(browser, datasets):
    touching, torn = 0, {}
    samples = {"kreuzer-random": 3, "wcxb": 90, "sites": 40}
    for name, step in samples.items():
        for document in open_pages(datasets / name, "repaired").documents[::step]:
            try:
                page = browser.capture(document, timeout_s=60.0)
            except CaptureError:
                continue
            found = torn_lines(browser, page)
            touching += found.touching
            if found.torn:
                torn[f"{name} {document.name}"] = found.torn
    count = sum(map(len, torn.values()))
    print(f"{touching} pairs of texts touch; torn: {count} on {len(torn)} pages")
    for page_name, those in torn.items():
        print(len(those), page_name, those[:3])
    assert touching > 3_000
    assert torn == {}
