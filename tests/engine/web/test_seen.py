"""Test that the page as seen has the text of ``innerText`` in tags that follow the layout.

The cases follow web-platform-tests (the-innertext-and-outertext-properties), as far as they are
about text, in our own words; text keeps the case of the source.
"""

import json
from itertools import pairwise

import pytest

from algorithms.core.catalogue import method
from algorithms.structure.parts import form_of

pytestmark = pytest.mark.web

CASES = """
<div>one|one
<div> one|one
<div>one |one
<div>one  two|one two
<div>one\\ntwo|one two
<div>one\\ttwo|one two
<div>one <br>two|one / two
<div>one<br> two|one / two
<pre> one|one
<pre>one  two|one two
<pre>one\\ttwo|one two
<div><pre>one</pre><pre>two</pre>|one / two
<div style="white-space:pre"> one|one
<div style="white-space:pre">one\\ntwo|one / two
<span style="white-space:pre">one\\ntwo|one / two
<div style="white-space:pre-wrap">one\\n\\ntwo|one / two
<div style="white-space:pre-line"> one  two|one two
<div style="white-space:pre-line">one\\ntwo|one / two
<div style="white-space:break-spaces">one\\ntwo|one / two
<pre style="white-space:normal">one\\ntwo|one two
<div style="white-space:nowrap">one\\ntwo|one two
<div><i>one </i> two|one two
<div><i>one </i><i></i> two|one two
<div>one <input> two|one two
<div>one <i style="display:inline-block"></i> two|one two
<div>one <i style="display:inline-block"> two </i> three|one two three
<div>one<i style="display:inline-block"> two </i>three|onetwothree
<div>one<i style="display:inline-block">two</i>three|onetwothree
<div>one<i style="display:inline-flex">two</i>three|onetwothree
<div><input> <div>one</div>|one
<div>one <img> two|one two
<div>one<img>two|onetwo
<div>one <b></b> two|one two
<div>one <img style="display:block"> two|one / two
<div>one<img style="display:block">two|one / two
<div>one<canvas style="display:block"></canvas>two|one / two
<div style="width:0">one two|one two
<div style="width:0">one-two|one-two
<div style="width:1px;word-break:break-word"><x>one</x>two|onetwo
<div style="width:1px;word-break:break-word"><x>one</x> <x> two</x>|one two
<div>one<i style="display:none">two</i>three|onethree
<div>one<p style="display:none">two</p>three|onethree
one<br style="display:none">two|onetwo
<div style="display:contents">one|one
<div>one<div style="display:contents">two</div>three|onetwothree
<section style="display:contents"><div>one</div><div>two</div></section>|one / two
<div style="visibility:hidden">one|
<div>one<i style="visibility:hidden">two|one
<div style="visibility:hidden">one<i style="visibility:visible">two|two
<table><tbody style="visibility:collapse"><tr><td>one|
<table><tr style="visibility:collapse"><td>one|
<table><tr><td style="visibility:collapse">one|
<table><tbody style="visibility:collapse"><tr><td style="visibility:visible">one|one
<div style="display:flex"><i style="visibility:collapse">one</i><i>two</i></div>|two
<div style="opacity:0">one|one
<div style="content-visibility:hidden">one</div>two|two
<div popover>one</div>two|two
<dialog>one</dialog>two|two
<dialog open>one</dialog>two|one / two
<div hidden>one</div>two|two
<button>one|one
<fieldset><legend>one|one
<input value=one>|
<textarea>one|
<iframe>one|
<audio style="display:block">one|
<video>one|
<canvas>one|
<img alt=one>|
<div><svg><text>one</text></svg></div>|one
<svg><foreignObject><i>one</i></foreignObject></svg>|one
<select size=1><option>one</option><option>two|one / two
<div>one<select><option></select>two|one / two
<select><optgroup><option>one</select>|one
<div>one<optgroup></optgroup>two|one / two
<div>one<div>two</div>three|one / two / three
<div>one<i style="display:block">two</i>three|one / two / three
<div>one<a style="display:block" href=x>two</a>three|one / two / three
<div>one<i><b style="display:block">two</b></i>three|one / two / three
<div>one<div></div>two|one / two
<div><p>one<p>two|one / two
<div>one<p>two</p>three|one / two / three
<div>one<p style="display:inline-block">two|one / two
<div>one<h1>two</h1>three|one / two / three
<h2><i style="display:block">one</i><i style="display:block">two</i></h2>|one / two
<p>one<i style="display:block">two</i>three|one / two / three
<p>one<i><b style="display:block">two</b></i>three|one / two / three
<div>one<div style="display:inline">two</div>three|onetwothree
<div>one<b>two</b><code>three</code>|onetwothree
<div>one&shy;two|one\xadtwo
<div>one<wbr>two|onetwo
<div>one<!-- two -->three|onethree
<div><table><tr><td>one<td>two</table>|one / two
<div><table><tr><td>one<tr><td>two</table>|one / two
<div>one<table><td>two</table>three|one / two / three
<div><table><tr><td>one<caption>two</caption></table>|one / two
<div style="display:table"><i class=cell>one</i><i class=cell>two</i>|one / two
<div><ol><li>one<li>two|one / two
<div><noscript style="display:block">one|
<div><template style="display:block">one|
<div>one<hr>two|one / two
<div>one<i>two<div>three</div>four</i>five|onetwo / three / fourfive
<div>one<i style="float:left">two</i>three|one / two / three
<div>one<i style="position:relative">two</i>three|onetwothree
<div style="width:0;overflow:hidden">one|one
<div style="text-transform:uppercase">one|one
<div><ruby>one<rp>(</rp><rt>two</rt><rp>)</rp></ruby>|onetwo
<div><rp style="display:block"> one </rp>two|one / two
<div style="display:flex"><div style="order:1">one</div><div>two</div></div>|one / two
<div style="display:flex"><i>one</i><i>two</i></div>|one / two
<div style="display:flex"><a href=x>one</a>two<a href=y>three</a></div>|one / two / three
<div style="display:grid"><i>one</i><i>two</i></div>|one / two
"""

DIFFERENCES = """
<pre>one\\ntwo|one two
<div><script style="display:block">one</script>two|two
<div>one<div style="display:inline-table"><i class=cell>two</i></div>three|one / two / three
<a style="display:inline-block;margin:9px">one</a><a style="display:inline-block">two</a>|one two
<iframe srcdoc="<p>one"></iframe>|one
<object>one|one
<div>one<select></select>two|one two
<div><svg><defs><text>one</text></defs></svg></div>|
<div style="content-visibility:auto">one</div>two|one / two
<div hidden=until-found>one</div>two|one / two
<div>one<i style="position:absolute">two</i>three|one two three
<div>one<i style="position:absolute;top:-99px">two</i>three|onethree / two
<div>one<i style="position:fixed">two</i>three|one two three
<div>one<i style="position:fixed;top:-99px">two</i>three|onethree / two
<details><summary>one</summary>two</details>|one / two
"""
"""Where it is not what ``innerText`` gives; methods.md says why."""


def parsed(cases):
    pairs = (line.rpartition("|")[::2] for line in cases.strip().split("\n"))
    return [(html.replace("\\n", "\n").replace("\\t", "\t"), text) for html, text in pairs]


def test_text_equals_innertext_except_for_the_listed_differences(capture):
    alike, others = parsed(CASES), parsed(DIFFERENCES)
    pieces = json.dumps([html for html, _ in alike + others]).replace("</", "<\\/")
    page = capture(
        f"<!doctype html><style>.cell{{display:table-cell}}</style><body><script>{pieces}"
        ".forEach(piece => { const section = document.createElement('section');"
        "section.innerHTML = piece; document.body.append(section);"
        "section.title = section.innerText; })</script>"
    )
    source, tree = page.source("seen"), page.source("seen").tree
    rows = tree.has_tag("section").nonzero()[0].tolist()
    cases = [row for row in rows if "title" in source.attributes(row)]
    lines = [source.text_of([tree.inner[row].tolist()]).split("\n") for row in cases]
    expected = dict(alike + others)
    assert dict(zip(expected, map(" / ".join, lines), strict=True)) == expected
    of_browser = [source.attributes(row)["title"].lower().split() for row in cases]
    given = dict(zip(expected, of_browser, strict=True))
    assert {html: given[html] for html, _ in alike} == {
        html: text.replace("/", " ").split() for html, text in alike
    }
    alignment = page.alignment(source)
    assert alignment.is_placed.all()
    for word, (row, start, end) in zip(source.words, alignment.place.tolist(), strict=True):
        assert page.nodes.text[row][start:end] == word


def test_slots_and_frames_are_read_where_they_are_shown(capture):
    page = capture(
        "<!doctype html><body><article-view></article-view><p>before<iframe srcdoc='<h2>Framed</h2>"
        "<style>b{display:none}</style><b>never</b>'></iframe>after<script>"
        "const view = document.querySelector('article-view');"
        "view.attachShadow({mode: 'open'}).innerHTML = '<h1>By <slot name=by>nobody</slot></h1>"
        "<p>Text<p><slot></slot><slot name=none>Nothing else</slot>';"
        "view.innerHTML = '<p>In the default slot</p><i slot=by>Ann</i><b slot=other>never</b>';"
        "</script>"
    )
    source = page.source("seen")
    assert source.text == ("By Ann\nText\nIn the default slot\nNothing else\nbefore\nFramed\nafter")
    tree = source.tree
    assert [tree.name_of(r) for r in range(len(tree)) if tree.name_of(r) in ("h1", "h2")] == [
        "h1",
        "h2",
    ]
    spans = source.tokens.spans[[source.words.index("Ann"), source.words.index("Framed")]]
    ranges = page.alignment(source).ranges(spans).tolist()
    assert sorted(page.nodes.text[row][start:end] for row, start, end in ranges) == [
        "Ann",
        "Framed",
    ]
    again = page.alignment(source).spans(ranges)
    assert sorted(again.tolist()) == sorted(spans.tolist())


def test_frame_sets_are_read(capture):
    page = capture(
        "<frameset cols=*,*><frame src=a.html><frame src=b.html></frameset>",
        **{"a.html": "<p>left", "b.html": "<p>right"},
    )
    assert page.source("seen").text == "left\nright"
    assert "<frame" not in page.source("seen").html


def test_tags_and_attributes_of_visible_elements_are_kept(capture):
    page = capture(
        "<!doctype html><title>Gate</title><meta name=author content=Ann>"
        "<style>.menu{display:flex}.line{display:block}.gone{display:none}</style>"
        "<script type=application/ld+json>{}</script><div class=menu id=top><a href=/a>One</a>"
        "<a href=/b>Two</a></div><ul class=menu><li>Three</ul><p>A <b>bold</b> word</p>"
        "<pre><code><span class=line>a = 1</span><span class=line>b = 2</span></code></pre>"
        "<p hidden=until-found class=x>Four<p class=gone>never<table><tr><td>Five</table>"
    )
    html = page.source("seen").html
    for part in (
        "<title>Gate</title>", '<meta name="author" content="Ann">', "{}</script>",
        '<div class="menu" id="top"><div><a href="/a">One</a></div>', "<li>Three</li>",
        "<p>A <b>bold</b> word</p>", "a = 1</span>\n<span", '<p class="x">Four',
        "<tr><td>Five</td></tr>",
    ):  # fmt: skip
        assert part in html
    assert "never" not in html
    assert "<style" not in html
    result = method("plain").run(page, method("plain").params(), "seen")
    assert "```\na = 1\nb = 2\n```" in form_of(result, "markdown", "")


def test_blocks_inserted_by_scripts_do_not_end_a_paragraph(capture):
    page = capture(
        "<!doctype html><body><p id=outer>one <i id=hole></i> three</p><script>"
        "hole.innerHTML = '<section>two</section>'</script>"
    )
    source = page.source("seen")
    assert source.text == "one\ntwo\nthree"
    tree = source.tree
    (outer,) = (r for r in range(len(tree)) if source.attributes(r).get("id") == "outer")
    assert tree.name_of(outer) == "div"
    assert source.text_of([tree.outer[outer].tolist()]) == "one\ntwo\nthree"


def test_flex_items_are_wrapped_in_blocks_for_third_party_parsers(capture):
    lxml = pytest.importorskip("lxml.html")
    page = capture(
        "<!doctype html><style>li{display:flex}.off{display:none}</style>"
        "<ul><li><span>500 g</span><span>plain flour</span><li class=off>nothing</ul>"
    )
    document = lxml.document_fromstring(page.source("seen").html)
    assert [each.text for each in document.iter("div")] == ["500 g", "plain flour"]


def test_rows_ascend_in_a_page_without_slots(capture):
    page = capture("<!doctype html><p>one <b>two</b> three<p>four")
    rows = page.alignment(page.source("seen")).place[:, 0].tolist()
    assert all(one <= two for one, two in pairwise(rows))
