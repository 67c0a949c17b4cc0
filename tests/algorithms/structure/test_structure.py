"""The clean tree of an extraction, as HTML and as Markdown."""

import time
from copy import deepcopy
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.results import Block, Extraction, Segmentation, everything, keep_words
from algorithms.structure.html import html_of
from algorithms.structure.markdown import markdown_of
from algorithms.structure.parts import StructureParts
from algorithms.structure.rows import page_rows
from algorithms.structure.tree import tree_of, tree_of_html
from engine.source import Source
from tests.algorithms.structure.pages import bare, pages, read_markdown, render_markdown
from tests.tables import rows_of, table


def html(page, address=""):
    return html_of(tree_of_html(page, address)).replace("\n", "")


def markdown(page, address=""):
    return markdown_of(tree_of_html(page, address))


def kept(page, *phrases):
    """Return the tree of some phrases of a page."""
    spans = [(page.index(phrase), page.index(phrase) + len(phrase)) for phrase in phrases]
    return tree_of(Extraction(Source.from_text(page), spans))


# The tree ----------------------------------------------------------------------------------


def test_boxes_part_paragraphs_and_leave_nothing_else():
    assert html("<div class=x style='color:red'>a<section>b <span>c</span></section>d</div>") == (
        "<p>a</p><p>b c</p><p>d</p>"
    )


def test_a_link_around_blocks_becomes_links_in_blocks():
    assert html("<a href=/x><div><p>Tea</p><p>hot</p></div></a>", "https://a.org/b/c") == (
        '<p><a href="https://a.org/x">Tea</a></p><p><a href="https://a.org/x">hot</a></p>'
    )


def test_a_link_around_a_heading_and_more_links_only_the_heading():
    card = "<a href=/x><div><h3>Tea</h3><p>hot</p><h4>with milk</h4></div></a>"
    assert html(card, "https://a.org/b/c") == (
        '<h3><a href="https://a.org/x">Tea</a></h3><p>hot</p><h4>with milk</h4>'
    )
    assert html("<a href=/x><h3>Tea</h3></a>") == '<h3><a href="/x">Tea</a></h3>'


@pytest.mark.parametrize(
    "address",
    ["javascript:x()", " JavaScript:x()", "java\nscript:x()", "\x01javascript:x()",
     "data:text/html,x", "vbscript:x", "java&#9;script:x()", "&#106;avascript:x()"],
)  # fmt: skip
def test_links_and_pictures_with_script_addresses_are_removed(address):
    assert html(f'<p>a <a href="{address}">b</a>', "https://a.org/") == "<p>a b</p>"
    assert html(f'<p>a <img src="{address}" alt=c>', "https://a.org/") == "<p>a</p>"


def test_addresses_are_absolute_by_the_base_of_the_page():
    page = '<base href="/deep/"><p><a href="x?a=1&amp;b=2#c">l</a> <a href="//o.org/">o</a>'
    assert 'href="https://a.org/deep/x?a=1&amp;b=2#c"' in html(page, "https://a.org/b/c")
    assert 'href="https://o.org/"' in html(page, "https://a.org/b/c")
    assert 'href="x?' in html('<a href="x?y">l</a>', "folder/page.html")


def test_a_part_of_a_paragraph_is_that_part_with_its_marks():
    page = "<p>one <b>two three</b> <a href=x>four <i>five</i></a> six"
    assert html_of(kept(page, "three</b> <a href=x>four")) == (
        '<p><strong>three</strong> <a href="x">four</a></p>'
    )


def test_a_list_whose_items_alone_are_kept_is_a_list_again():
    page = "<ol start=4><li>one<li>two<ul><li>two and a half</ul><li>three</ol>"
    assert markdown_of(kept(page, "two and", "three")) == "5. - two and\n6. three"
    assert html("<li>one<li>two") == "<ul><li>one</li><li>two</li></ul>"


def test_a_list_directly_in_a_list_belongs_to_the_item_before_it():
    assert html("<ul><li>a</li><ul><li>b</li></ul><li>c</li></ul>") == (
        "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"
    )


_TABLE = (
    "<table><caption>Cups</caption><thead><tr><th>Day<th>Cups</thead>"
    "<tr><td rowspan=2>Monday<td>3<tr><td>4<tr><td colspan=2>none</table>"
)


def test_a_cell_that_is_kept_alone_keeps_its_column():
    assert html_of(kept(_TABLE, "4", "none")).replace("\n", "") == (
        "<table><tbody><tr><td></td><td>4</td></tr>"
        '<tr><td colspan="2">none</td></tr></tbody></table>'
    )


def test_a_table_has_its_spans_and_as_markdown_cells_in_their_columns():
    assert '<td rowspan="2">Monday</td>' in html(_TABLE)
    assert markdown(_TABLE) == (
        "Cups\n\n| Day | Cups |\n| --- | --- |\n| Monday | 3 |\n|  | 4 |\n| none |  |"
    )


@pytest.mark.parametrize(
    "table",
    [
        "<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>",
        "<table><tr><td>a b c d</table>",
        "<table><tr><td>a<td><table><tr><td>b</table>c d</table>",
        "<table><tr><td><h2>a b</h2><td>c<tr><td>d<td></table>",
        "<table><tr><td>a<td>b<td>c d</table>",
        "<table><tr><td>a b<tr><td>c d</table>",
    ],
)
def test_layout_tables_are_dissolved(table):
    assert "<table" not in html(table)
    assert bare(tree_of_html(table).text_content()) == "abcd"


def test_code_keeps_its_lines_and_its_language():
    page = (
        '<pre class="language-python"><code>\n<span>def</span> <b>f</b>():\n'
        "    <span>return</span> 1<br>\n\n# `end`</code></pre>"
    )
    assert markdown(page) == "```python\ndef f():\n    return 1\n\n\n# `end`\n```"
    assert markdown("<pre>a ``` b</pre>") == "````\na ``` b\n````"


def test_lines_of_code_in_separate_boxes_stay_lines():
    assert markdown("<pre><div>a</div><div>  b</div></pre>") == "```\na\n  b\n```"


def test_the_first_line_of_code_keeps_its_indentation():
    page = "<p>x</p>\n  <pre>\n    a\n      b</pre> <pre><code>\tc\r\n\td</code></pre>"
    assert markdown(page) == "x\n\n```\n    a\n      b\n```\n\n```\n\tc\n\td\n```"
    assert markdown_of(kept(page, "x", "b")) == "x\n\n```\n      b\n```"


def test_a_script_in_code_leaves_white_space_alone():
    assert markdown("<pre>a<script>x  y()</script> b</pre>") == "```\na b\n```"


@pytest.mark.parametrize(
    ("page", "language"),
    [
        ('<div class="highlight-python notranslate"><div class="highlight"><pre>a', "python"),
        ('<div class="highlight-default notranslate"><div class="highlight"><pre>a', ""),
        ('<div class="language-c++ x"><div class=highlight><pre><code>a', "c++"),
        ('<div class=sourceCode><pre class="sourceCode r wide"><code class="sourceCode r">a', "r"),
        ('<pre class="sourceCode numberSource r numberLines"><code class="sourceCode r">a', "r"),
        ('<div class="mw-highlight mw-highlight-lang-c mw-content-ltr"><pre>a', "c"),
        ('<pre><code class="hljs go">a', "go"),
        ('<pre data-language="ts"><code>a', "ts"),
        ('<pre data-lang="a b"><code class=language-none>a', ""),
        ('<div class=language-js><p>b<pre>a', ""),
        ('<body class=lang-en><pre>a', ""),
    ],
)  # fmt: skip
def test_the_language_of_code_is_its_own_or_that_of_a_box_around_it_alone(page, language):
    assert f"```{language}\na\n```" in markdown(page)


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("<ol start=0><li>a<li>b</ol>", "0. a\n1. b"),
        ("<ol><li value=4>a<li>b</ol>", "4. a\n5. b"),
        ("<ol start=9><li value=x>a</ol>", "9. a"),
        ("<ol><li><li>b<li value=7>c</ol>", "2. b\n\n7) c"),
        ("<ol start=-3><li>a</ol>", "- a"),
        ("<ol reversed><li>a<li>b<li value=7>c</ol>", "3. a\n\n2) b\n\n7. c"),
        ("<ul><li>x<ol><li>a<li value=5>b</ol></ul>", "- x\n\n  1. a\n\n  5) b"),
    ],
)
def test_an_ordered_list_starts_where_the_page_has_it_start(page, said):
    assert markdown(page) == said


def test_a_figure_is_kept_only_with_a_picture():
    assert html("<figure><pre>x</pre><figcaption>c</figcaption></figure>") == (
        "<pre><code>x</code></pre><p>c</p>"
    )
    page = (
        '<figure><a href=p><img src=a.png alt="A"></a><figcaption>c <b>d</b></figcaption></figure>'
    )
    assert html(page) == (
        '<figure><a href="p"><img src="a.png" alt="A"></a>'
        "<figcaption>c <strong>d</strong></figcaption></figure>"
    )


def test_a_picture_that_counts_readers_is_left_out():
    assert html("<p>a <img src=x.gif width=1 height=1> b") == "<p>a b</p>"


@pytest.mark.parametrize(
    "page",
    [
        "<p><img src=wait.gif data-src=a.jpg><noscript><img src=a.jpg></noscript>",
        "<p><img src=a.jpg> <noscript><img src=a.jpg></noscript>",
        "<p><noscript><img src=a.jpg></noscript>",
        "<p><img src=t.gif style='DISPLAY: none'><img src=a.jpg><img src=t.gif hidden>",
    ],
)
def test_a_lazy_picture_is_written_once_with_its_own_address(page):
    assert markdown(page) == "![](a.jpg)"


def test_a_picture_used_twice_is_written_twice():
    assert markdown("<p><img src=a.jpg> <img src=a.jpg>") == "![](a.jpg) ![](a.jpg)"


def test_two_line_breaks_are_a_paragraph_and_one_is_a_line():
    assert html("<div>a<br>b<br> <br>c</div>") == "<p>a<br>b</p><p>c</p>"
    assert markdown("<p>a<br>1. b") == "a\\\n1\\. b"


@pytest.mark.parametrize("tags", ["<ul><li>", "<ol>", "<blockquote>", "<dl><dd>", "<ul><li><div>",
                                  "<table><tr><th>a<th>"])  # fmt: skip
def test_deeply_nested_blocks_are_written(tags):
    tree = tree_of_html(f"{tags}a " * 2_000)
    assert markdown_of(tree).count("a") == tree.text_content().count("a") >= 2_000
    assert html_of(tree).count("a") >= 2_000


_LONG = {
    "lines of code": lambda k: "<pre>" + "<i>a</i> (<b>b</b>)\n" * k + "</pre>",
    "marks": lambda k: f"<p>{'<b>a</b> b ' * k}",
    "lines": lambda k: f"<div>{'a b<br>' * k}",
    "items": lambda k: f"<ul>{'<li>a <a href=/x>b</a>' * k}",
    "tables": lambda k: "<table><tr><th>a<th>b<tr><td>1<td>2</table>" * (k // 5),
}


@pytest.mark.parametrize("page", _LONG.values(), ids=_LONG)
def test_four_times_as_long_a_page_takes_about_four_times_as_long(page):
    seconds = []
    for count in (5_000, 20_000):
        whole = everything(Source.from_text(page(count)))
        _ = whole.source.tree
        start = time.process_time()
        markdown_of(tree_of(whole))
        seconds.append(time.process_time() - start)
    assert seconds[1] < 8 * seconds[0] + 0.2


_BOX = (0, 0, 100, 20)


def test_blocks_of_a_segmenter_keep_their_elements_too():
    items = [("li", _BOX, [("#text", _BOX, "one")]), ("li", _BOX, [("#text", _BOX, " two")])]
    nodes = table(("ul", _BOX, items), ("p", _BOX, [("#text", _BOX, "no")]))
    (row,) = rows_of(nodes, "ul")
    found = Segmentation(nodes, (Block((row,), 1),))
    assert html_of(tree_of(found)).replace("\n", "") == "<ul><li>one</li><li>two</li></ul>"


# Markdown ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("<p>foo<b>(bar)</b>baz", "foo<strong>(bar)</strong>baz"),
        ("<p><b>a</b><i>b</i>", "**a**<em>b</em>"),
        ("<p>a<b> b </b>c", "a **b** c"),
        ("<p>wow!<a href=x>y</a>", "wow\\![y](x)"),
        ("<h2>C #</h2>", "## C \\#"),
        ("<p>1. a", "1\\. a"),
        ("<p># a snake_case _x_ &amp;lt; &lt;b> a&amp;b",
         "\\# a snake_case \\_x\\_ \\&lt; \\<b> a&b"),
        ("<p><code>a_</code><code>b</code>`<code>c", "`a_`<code>b</code>\\`<code>c</code>"),
        ("<p><code>``</code> <code>a`</code>", "` `` ` `` a` ``"),
        ("<ul><li>a</ul><ul><li>b</ul><ol><li>c</ol><ol><li>d</ol>",
         "- a\n\n* b\n\n1. c\n\n1) d"),
        ("<ul><li>a</ul><dl><dd><ul><li>b</ul></dd></dl><ul><li>c</ul><p>d<ul><li>e</ul>",
         "- a\n\n* b\n\n- c\n\nd\n\n- e"),
        ("<p><code>a;<br>b <b>c</b></code> <a href='x\u202fy\u00a0z'>d</a>",
         "`a; b` **`c`** [d](x%E2%80%AFy%C2%A0z)"),
        ("<ul><li>a<ol start=3><li>b</ol><li>c</ul>", "- a\n\n  3. b\n- c"),
        ("<blockquote><p>a<pre>b\n\nc</pre></blockquote>", "> a\n>\n> ```\n> b\n>\n> c\n> ```"),
        ('<a href="a b(c)&amp;copy;">x]</a>', "[x\\]](a%20b\\(c\\)\\&copy;)"),
    ],
)  # fmt: skip
def test_markdown_has_exactly_the_text_of_the_page(page, said):
    assert markdown(page) == said
    assert read_markdown(said) == bare(tree_of_html(page).text_content())


@given(pages)
def test_the_text_of_the_markdown_is_the_text_of_the_tree(page):
    tree = tree_of_html(page)
    assert read_markdown(markdown_of(tree)) == bare(tree.text_content())


@given(pages)
def test_reading_the_markdown_gives_the_same_headings_lists_code_links_and_tables(page):
    tree = tree_of_html(page)
    again = tree_of_html(render_markdown(markdown_of(tree)))
    assert _parts(again) == _parts(tree)


def _parts(tree):
    """Return what Markdown can express of a tree, without white space; cells are only text."""
    tree = deepcopy(tree)
    tables = [
        [["".join(cell.itertext()) for cell in row] for row in each.iter("tr")]
        for each in tree.iter("table")
    ]
    for each in list(tree.iter("table")):
        each.drop_tree()
    parts = StructureParts(tree)
    texts = [cell for rows in tables for row in rows for cell in row]
    return (
        [(each.level, bare(each.text)) for each in parts.headings if bare(each.text)],
        [(each.level, bare(each.text)) for each in parts.items if bare(each.text)],
        [bare(each.text) for each in parts.code if each.level == "pre" and bare(each.text)],
        [(bare(each.text_content()), unquote(each.get("href"))) for each in tree.iter("a")],
        sorted(filter(None, map(bare, texts))),
    )


@given(pages, st.randoms(use_true_random=False))
def test_the_text_of_the_tree_is_the_text_that_is_kept(page, random):
    source = Source.from_text(page)
    whole = everything(source)
    assert bare(tree_of(whole).text_content()) == bare(whole.text)
    words = source.tokens.words.size
    part = keep_words(source, _flags(random, words))
    tree = tree_of(part)
    assert bare(tree.text_content()) == bare(part.text)
    assert read_markdown(markdown_of(tree)) == bare(part.text)


@given(pages)
def test_a_clean_tree_read_again_is_the_same(page):
    once = html_of(tree_of_html(page))
    assert html_of(tree_of_html(once)) == once


def _flags(random, size):
    import numpy as np

    return np.array([random.random() < 0.6 for _ in range(size)], dtype=bool)


def test_addresses_below_a_base_without_a_scheme_are_complete_but_for_it():
    links = "<a href=./Gate>x</a> <a href=#y>y</a><img src=//b.test/z.png>"
    page = f"<base href='//a.test/wiki/'><p>{links}"
    assert markdown(page) == ("[x](//a.test/wiki/Gate) [y](//a.test/wiki/#y)![](//b.test/z.png)")
    assert "(https://a.test/wiki/Gate)" in markdown(page, "https://b.test/c")


def test_a_box_drawn_in_the_line_parts_nothing():
    box = "<div style='color: red; display:inline'><span>5</span></div>"
    page = f"<div>It costs ${box} an hour. <p>a</p>{box}<div>b</div>c{box}d</div>"
    assert markdown(page) == "It costs $5 an hour.\n\na\n\n5\n\nb\n\nc5d"
    assert Source.from_text(page).text == "It costs $5 an hour.\na\n5\nb\nc5d"
    block = page.replace(":inline", ":inline-block")
    assert markdown(block).startswith("It costs $\n\n5\n\nan hour")
    assert markdown("<div style='display: inline'><div>a</div>b</div>") == "a\n\nb"


def test_hidden_text_is_not_joined_to_the_text_beside_it():
    price = "<b hidden>70 SAR</b><b style='display:none'>18 EUR</b><i>$</i>18<i>USD</i>"
    assert tree_of_html(f"<p>{price}</p>").text_content() == "70 SAR 18 EUR $18USD"


_WORDS = ("none", "hidden")
_START_TAGS = (
    "<p class=None>",
    "<p class=None>",
    "<P class=none>",
    "<div İ hidden>",
    "<b>",
    "<p id=İ>",
)


@given(st.lists(st.sampled_from((*_START_TAGS, "none", "</div>"))).map("".join))
def test_start_tags_are_searched_and_read_as_written(html):
    source = Source.from_text(html)
    tokens, rows = source.tokens, page_rows(source)
    expected = [
        row for row, token in enumerate(source.tree.token.tolist())
        if token >= 0
        and any(word in html[tokens.start[token] : tokens.end[token]].lower() for word in _WORDS)
    ]  # fmt: skip
    assert rows.mentioning(*_WORDS) == expected
    assert all(rows.attributes(row) == source.attributes(row) for row in range(len(source.tree)))
