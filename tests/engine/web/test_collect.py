"""Test the columns that one walk over the page collects."""

import html as html_module

import numpy as np
import pytest

from annotate.datasets.opening import list_documents
from engine.nodes import STYLE_PROPERTIES
from engine.tree import TEXT

pytestmark = pytest.mark.web

RAW = ("style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext", "noscript")
DOCTYPE = "<!doctype html><style>body{margin:0}</style>"


def assert_exact(page, unseen=()):
    """Assert that each row's spans fit the DOM's HTML and all words but ``unseen`` are aligned."""
    nodes, html = page.nodes, page.dom.html
    for row in range(len(nodes)):
        (outer, outer_end), (inner, inner_end) = (
            nodes.outer[row].tolist(),
            nodes.inner[row].tolist(),
        )
        name = nodes.name_of(row)
        if nodes.frame[row]:
            assert (outer, inner) == (-1, -1)
        elif name == TEXT:
            assert (outer, outer_end) == (inner, inner_end)
            markup = html[inner:inner_end]
            above = nodes.name_of(int(nodes.parent[row]))
            text = markup if above in RAW else html_module.unescape(markup)
            assert text == nodes.text[row]
        else:
            assert html[outer : outer + 1 + len(name)].lower() == f"<{name}"
            assert outer < inner <= inner_end <= outer_end
            above = int(nodes.parent[row])
            if above >= 0:
                assert nodes.inner[above][0] <= outer
                assert outer_end <= nodes.inner[above][1]
    alignment = page.dom_alignment
    lost = [html[a:b] for a, b in alignment.words[alignment.place[:, 0] < 0].tolist()]
    assert lost == list(unseen)


def test_boxes_are_in_css_pixels_from_the_top_left(capture, row):
    nodes = capture(
        DOCTYPE + "<div style='margin:10px 0 0 5px;width:300px;height:40px'></div>"
        "<p style='margin:2000px 0 0'>below</p>"
    ).nodes
    assert nodes.rect[row(nodes, "div")].tolist() == [5, 10, 300, 40]
    assert nodes.offset[row(nodes, "div")].tolist() == [300, 40]
    assert nodes.rect[row(nodes, "p"), 1] == 2050
    assert nodes.width == 1366
    assert nodes.height == 2050 + nodes.rect[row(nodes, "p"), 3]


def test_a_page_is_at_least_as_large_as_its_viewport(capture):
    nodes = capture("<!doctype html><p>x", viewport=(1024, 768)).nodes
    assert (nodes.width, nodes.height) == (1024, 768)


def test_the_box_of_a_text_encloses_its_lines(capture):
    nodes = capture(
        DOCTYPE + "<div style='width:100px;font:20px/30px monospace'>aaaa aaaa aaaa</div>"
    ).nodes
    (text,) = np.flatnonzero(nodes.has_words)[1:]
    x, y, width, height = nodes.rect[text].tolist()
    assert (x, 0 <= y < 30, height > 60) == (0, True, True)
    assert 0 < width <= 100
    assert nodes.offset[text].tolist() == [round(width), round(height)]


def test_rows_are_in_document_order_with_their_parents(capture):
    nodes = capture("<!doctype html><ul><li>a<li>b</ul>c").nodes
    names = [nodes.name_of(row) for row in range(len(nodes))]
    assert names == ["html", "head", "body", "ul", "li", TEXT, "li", TEXT, TEXT]
    assert nodes.parent.tolist() == [-1, 0, 0, 2, 3, 4, 3, 6, 2]


def test_styles_are_computed_and_texts_have_those_of_their_parents(capture, row):
    nodes = capture(DOCTYPE + "<p id=p style='color:#f00;font-size:2em;float:left'>x</p>").nodes
    at = row(nodes, "#p")
    style = dict(zip(STYLE_PROPERTIES, nodes.styles[nodes.style[at]], strict=True))
    assert (style["color"], style["font-size"], style["float"]) == (
        "rgb(255, 0, 0)",
        "32px",
        "left",
    )
    assert nodes.style[at + 1] == nodes.style[at]


def test_attributes_are_those_of_the_markup(capture, row):
    nodes = capture("<!doctype html><p id=p CLASS='a  b' data-x='&lt;&quot;'>x</p>").nodes
    at = row(nodes, "#p")
    assert nodes.attributes[at] == {"id": "p", "class": "a  b", "data-x": '<"'}
    assert nodes.attributes[at + 1] == {}


@pytest.mark.parametrize(
    ("markup", "is_visible"),
    [
        ("<p id=x>shown</p>", True),
        ("<p id=x></p>", False),
        ("<hr id=x style='height:1px;border:0'>", True),
        ("<p id=x style='display:none'>a</p>", False),
        ("<p id=x style='visibility:hidden'>a</p>", False),
        ("<div style='visibility:hidden'><p id=x style='visibility:visible'>a</p></div>", True),
        ("<div style='opacity:0'><p id=x>a</p></div>", False),
        ("<div style='display:none'><p id=x>a</p></div>", False),
        ("<div style='display:contents'><p id=x>a</p></div>", True),
        ("<p id=x style='position:absolute;left:-9999px'>a</p>", False),
        ("<p id=x style='position:absolute;top:-9999px'>a</p>", False),
        ("<p id=x style='position:absolute;left:9999px'>a</p>", True),
        ("<p id=x style='position:absolute;clip:rect(0,0,0,0)'>a</p>", False),
        ("<p id=x style='clip-path:inset(50%)'>a</p>", False),
        ("<p id=x style='clip-path:inset(10%)'>a</p>", True),
        ("<div style='height:0;overflow:hidden'><p id=x>a</p></div>", False),
        (
            "<div style='height:50px;overflow:hidden'><p style='height:60px'></p><p id=x>a</div>",
            False,
        ),
        ("<div style='height:50px;overflow:auto'><p style='height:60px'></p><p id=x>a</div>", True),
        ("<div style='height:0;overflow:auto'><p id=x>a</p></div>", False),
        ("<div style='height:0'><p id=x>a</p></div>", True),
        (
            "<div style='height:0;overflow:hidden'><p id=x style='position:absolute'>a</p></div>",
            True,
        ),
        (
            (
                "<div style='height:0;overflow:hidden;position:relative'>"
                "<p id=x style='position:absolute'>a</p></div>"
            ),
            False,
        ),
        (
            "<p id=x style='position:absolute;width:1px;height:1px;overflow:hidden'>reader</p>",
            True,
        ),
        ("<details><p id=x>a</p></details>", False),
        ("<details open><p id=x>a</p></details>", True),
        ("<div style='content-visibility:hidden'><p id=x>a</p></div>", False),
    ],
)
def test_elements_that_a_reader_can_reach_are_visible(capture, row, markup, is_visible):
    nodes = capture(DOCTYPE + markup).nodes
    assert nodes.visible[row(nodes, "#x")] == is_visible


@pytest.mark.parametrize(
    "markup",
    [
        "<p id=x style='text-indent:-9999px'>a</p>",
        "<p id=x style='width:1px;height:1px;overflow:hidden;position:absolute'>for readers</p>",
        "<p id=x style='font-size:0'>a</p>",
        "<details id=x>closed</details>",
    ],
)
def test_a_text_may_be_hidden_in_a_visible_element(capture, row, markup):
    nodes = capture(DOCTYPE + markup).nodes
    text = row(nodes, "#x") + 1
    assert nodes.text[text]
    assert not nodes.visible[text]


def test_a_right_to_left_page_may_extend_to_negative_x(capture, row):
    nodes = capture(
        "<!doctype html><html dir=rtl><body style='margin:0'>"
        "<div style='width:3000px'><p id=x style='position:absolute;left:-900px'>a</p></div>"
    ).nodes
    assert nodes.rect[row(nodes, "#x"), 0] < 0
    assert nodes.visible[row(nodes, "#x")]


def test_form_controls_do_not_shadow_dom_properties(capture, row):
    names = (
        "firstChild nextSibling nodeType attributes getAttribute localName parentNode children "
        "style offsetWidth getBoundingClientRect tagName namespaceURI shadowRoot innerHTML"
    ).split()
    documents = "documentElement body title images compatMode scrollingElement adoptedStyleSheets"
    page = capture(
        "<!doctype html><title>Real</title><form id=f style='width:200px;height:50px'>"
        + "".join(f"<input name={name} type=hidden>" for name in names)
        + "<b>last</b></form>"
        + "".join(f"<img name={name} alt=''>" for name in documents.split())
    )
    nodes = page.nodes
    form = row(nodes, "#f")
    assert nodes.rect[form, 2:].tolist() == [200, 50]
    assert nodes.offset[form].tolist() == [200, 50]
    assert nodes.text_below(form) == "last"
    assert page.title == "Real"
    assert_exact(page)


def test_frame_contents_are_positioned_below_their_frame_element(capture, row):
    page = capture(
        DOCTYPE + "<p>before</p><iframe id=f src=inner.html style='margin:20px;border:3px solid;"
        "padding:4px;width:400px;height:200px'>fallback</iframe><p id=after>after</p>",
        **{
            "inner.html": "<body style='margin:0'><b id=b style='display:block'>inside</b>"
            "<iframe srcdoc='<i id=i>deep'></iframe></body>"
        },
    )
    nodes = page.nodes
    frame, inside, deep = row(nodes, "#f"), row(nodes, "#b"), row(nodes, "#i")
    x, y, *_ = nodes.rect[frame].tolist()
    assert nodes.rect[inside, :2].tolist() == [x + 7, y + 7]
    assert nodes.is_inside(deep, row(nodes, "iframe", 1))
    assert nodes.is_inside(inside, frame)
    assert not nodes.is_inside(row(nodes, "#after"), frame)
    assert [nodes.frame[r] for r in (frame, inside, deep)] == [0, 1, 2]
    assert nodes.visible[inside]
    assert "inside" not in page.dom.html
    assert_exact(page)


def test_contents_of_a_transparent_frame_are_not_visible(capture, row):
    nodes = capture("<!doctype html><iframe srcdoc='<b id=b>x' style='opacity:0'></iframe>").nodes
    assert nodes.rect[row(nodes, "#b"), 2] > 0
    assert not nodes.visible[row(nodes, "#b")]


def test_a_frame_of_another_origin_is_read(capture, row):
    nodes = capture(
        "<!doctype html><iframe src='data:text/html,<b id=b>far</b>'></iframe>"
        "<iframe sandbox srcdoc='<b id=c>boxed</b>'></iframe>"
    ).nodes
    assert nodes.text_below(row(nodes, "#b")) == "far"
    assert nodes.text_below(row(nodes, "#c")) == "boxed"


def test_frame_sets_are_read_with_their_positions(capture, row):
    nodes = capture(
        "<!doctype html><frameset cols='100,*'><frame src=a.html><frame src=b.html></frameset>",
        **{"a.html": "<b id=a>menu</b>", "b.html": "<b id=b>story</b>"},
    ).nodes
    assert nodes.rect[row(nodes, "#a"), 0] < 100 < nodes.rect[row(nodes, "#b"), 0]
    assert nodes.frame[row(nodes, "#b")] == 2


@pytest.mark.parametrize("mode", ["open", "closed"])
def test_shadow_roots_are_read_and_serialised(capture, row, mode):
    page = capture(
        "<!doctype html><my-card>slotted &amp; light</my-card><my-other>lost</my-other><script>"
        f"for (const name of ['my-card', 'my-other']) document.querySelector(name).attachShadow("
        f"{{mode: '{mode}'}}).innerHTML = '<h2>shadow &lt;</h2>' + "
        "(name === 'my-card' ? '<p><slot></slot></p>' : '')</script>"
    )
    nodes = page.nodes
    card, other = row(nodes, "my-card"), row(nodes, "my-other")
    assert nodes.text_below(card) == "shadow <slotted & light"
    assert nodes.visible[row(nodes, "h2")]
    words = {nodes.text[r]: bool(nodes.visible[r]) for r in range(len(nodes)) if nodes.text[r]}
    assert words["slotted & light"]
    assert not words["lost"]  # it has no slot, so it is not shown
    assert nodes.is_inside(row(nodes, "h2", 1), other)
    assert '<my-card><template shadowrootmode="open"><h2>shadow &lt;</h2>' in page.dom.html
    assert_exact(page)


def test_offsets_count_code_points(capture, row):
    page = capture("<!doctype html><p>😀😀 <b id=b>𝔘nicode</b></p>x")
    at = row(page.nodes, "#b")
    start, end = page.nodes.inner[at].tolist()
    assert page.dom.html[start:end] == "𝔘nicode"
    assert_exact(page)


def test_lone_surrogates_are_replaced(capture):
    page = capture("<!doctype html><p><script>document.body.append('a\\ud800b')</script>")
    assert "a\ufffdb" in page.nodes.text
    page.dom.html.encode("utf-8")
    assert_exact(page)


ODD = (
    "<!DOCTYPE html PUBLIC '-//W3C//DTD HTML 4.01//EN' 'http://www.w3.org/TR/html4/strict.dtd'>"
    "<!-- before --><title>a &lt; b</title><style>a > b { content: '&amp;' }</style>"
    "<p>a &amp; b &lt; c &gt; d&nbsp;e &#x1F600; &copy; &unknown;<br>x<wbr>y<hr><img alt='\"&lt;'>"
    "<pre>\n\n two</pre><textarea>\n t &amp; u</textarea><xmp><b>&amp;</b></xmp>"
    "<noscript><b>no &amp; script</b></noscript><script>if (a && b < c) '</p>'</script>"
    "<template><p>never shown</template><svg viewBox='0 0 1 1'><linearGradient id=g />"
    "<foreignObject><p>in svg</p></foreignObject><text>svg</text></svg><math><mi>x</mi></math>"
    "<table><tr><td>cell<td>other</table><select><option>one<option>two</select>"
    "<noembed><i>&amp;</i></noembed><iframe>raw &amp;</iframe><!-- after -->"
)


@pytest.mark.parametrize("scripts", [True, False])
def test_every_row_has_its_span_in_the_dom_html(capture, scripts):
    page = capture(ODD, scripts=scripts)
    assert page.dom.html.startswith(
        '<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01//EN" "http://www.'
    )
    assert "<!-- before -->" in page.dom.html
    assert_exact(page, unseen=["never", "shown"])  # in a template


def test_rendering_the_dom_html_gives_the_same_dom(capture):
    page = capture(ODD, scripts=False)
    again = capture(page.dom.html, scripts=False)
    # Parsing drops the line feed after these start tags, once more each time.
    assert again.nodes.text_below(0).replace("\n", "") == page.nodes.text_below(0).replace("\n", "")
    assert [again.nodes.name_of(r) for r in range(len(again.nodes))] == [
        page.nodes.name_of(r) for r in range(len(page.nodes))
    ]


def test_the_overlay_is_left_out_of_the_page(capture, browser):
    page = capture(
        "<!doctype html><p>a</p><script>document.documentElement.append("
        "document.createElement('pagelet-overlay'))</script>"
    )
    assert "<pagelet-overlay" not in page.dom.html
    assert "pagelet-overlay" not in page.nodes.names


def test_live_nodes_are_kept_for_the_overlay(capture, browser, row):
    nodes = capture(
        "<!doctype html><p>a</p><iframe srcdoc=x></iframe><p id=p>b</p>"
        "<div id=h><template shadowrootmode=open><b id=s>c</b></template></div>"
    ).nodes
    rows = browser.view.local_rows
    assert browser.run("pagelet.nodes.length") == rows.size
    for name in ("#p", "#s", "iframe"):
        local = int(np.flatnonzero(rows == row(nodes, name))[0])
        expected = nodes.attributes[row(nodes, name)].get("id", "")
        assert browser.run(f"pagelet.nodes[{local}].id") == expected
        assert browser.run(f"pagelet.rows.get(pagelet.nodes[{local}])") == local
    assert np.all(nodes.frame[rows] == 0)


@pytest.mark.slow
@pytest.mark.data
def test_rows_of_real_pages_have_exact_spans_in_their_html(browser, datasets):
    for document in list_documents(datasets / "kreuzer-random", variant="repaired")[::8]:
        assert_exact(browser.capture(document))
