"""Kreuzer's gold: blocks in a copy of the DOM become marks on the rendered page."""

import re

import pytest

from annotate.datasets.opening import list_documents
from annotate.marks.gold import MarkState, Target
from annotate.plugins.published_data import kreuzer_blocks as kreuzer
from engine.errors import InputError
from tests.annotate.pages import nodes_of, row_of

BLOCKS = """<div id=top data-block="1" data-block-type="Header"><img src=logo.gif data-block="2"
data-block-type="Logo"><ul id=menu data-block="2" data-block-type="LinkList">
<li>Home<li>News</ul></div>
<div id=main data-block="1" data-block-type="Content"><p>Some words.</p><div data-block="1"
data-block-type="Menu Sidebar"><p>More</p><p>words</p></div><script>var x = "<p>";</script></div>
<p id=end data-block="2" data-block-type="">The end</p>"""


def unmarked(blocks):
    return re.sub(r"""\sdata-block(-type)?="[^"]*\"""", "", blocks)


def test_blocks_are_found_with_any_type_level_and_nesting():
    nodes = nodes_of(unmarked(BLOCKS))
    result = kreuzer.read_gold(nodes, BLOCKS)
    assert result.problems == ()
    assert [(m.level, m.type, m.state) for m in result.gold.marks] == [
        (1, "Header", MarkState.EXACT),
        (2, "Logo", MarkState.EXACT),
        (2, "Link list", MarkState.EXACT),
        (1, "Content", MarkState.EXACT),
        (1, "Menu Sidebar", MarkState.EXACT),
        (2, "", MarkState.EXACT),
    ]
    named = {m.type: m.targets[0].row for m in result.gold.marks}
    assert named["Link list"] == row_of(nodes, "menu")
    assert named["Logo"] == row_of(nodes, "img")
    assert named[""] == row_of(nodes, "end")
    assert result.gold.marks[3].quote == "Some words. More words"


def test_blocks_are_found_by_text_if_the_browser_built_another_tree():
    other = f"<div class=new><i>Advert</i></div><section>{unmarked(BLOCKS)}</section>"
    other = other.replace("id=end", "class=other")
    nodes = nodes_of(other)
    result = kreuzer.read_gold(nodes, BLOCKS)
    assert result.problems == ()
    assert {m.state for m in result.gold.marks} == {MarkState.EXACT}


def test_a_changed_block_is_marked_as_moved_and_a_missing_one_is_reported():
    page = unmarked(BLOCKS).replace("Some words.", "Some word").replace("The end", "Bye")
    nodes = nodes_of(page.replace("<img src=logo.gif>", ""))
    result = kreuzer.read_gold(nodes, BLOCKS)
    moved = [m for m in result.gold.marks if m.state is MarkState.MOVED]
    assert [(m.type, m.targets) for m in moved] == [("Content", (Target(row_of(nodes, "main")),))]
    assert moved[0].quote.startswith("Some words.")
    assert result.problems == (
        "level-2 Logo not found on the page: a block without text",
        'level-2 block not found on the page: "The end"',
    )


def test_blocks_of_equal_text_are_found_at_different_elements():
    blocks = "".join(
        f'<div class=c{k} data-block="2" data-block-type="Ad"><p>Buy now</p></div>'
        for k in range(4)
    )
    nodes = nodes_of(unmarked(blocks))
    rows = [m.targets[0].row for m in kreuzer.read_gold(nodes, blocks).gold.marks]
    assert rows == [r for r in range(len(nodes)) if nodes.name_of(r) == "div"]


def test_a_block_of_an_unknown_level_is_reported_and_the_rest_is_read():
    blocks = '<p data-block="3" data-block-type="Ad">One</p><p data-block="1">Two</p>'
    result = kreuzer.read_gold(nodes_of(unmarked(blocks)), blocks)
    assert [m.type for m in result.gold.marks] == [""]
    assert result.problems == ("Ad has level '3'; expected 1 or 2",)
    assert kreuzer.read_gold(nodes_of("<p>x</p>"), "").gold.marks == ()


def test_gold_texts_are_all_descendant_texts_including_scripts():
    texts = kreuzer.gold_texts(BLOCKS)
    assert [(t.level, t.type) for t in texts][:3] == [(1, "Header"), (2, "Logo"), (2, "Link list")]
    assert texts[3].text == 'Some words.Morewordsvar x = "<p>";'
    assert texts[1].text == ""


def test_a_blocks_file_is_read_as_utf_8_or_else_as_windows_1252(tmp_path):
    page = tmp_path / "index.html"
    beside = tmp_path / "index.blocks.html"
    assert kreuzer.blocks_file(page) is None
    beside.write_bytes("<meta charset=latin1>caf\u00e9".encode())
    assert kreuzer.blocks_file(tmp_path / "index.dom.html") == beside
    assert kreuzer.read_blocks(beside).endswith("café")
    beside.write_bytes("café “so”".encode("cp1252"))
    assert kreuzer.read_blocks(beside) == "café “so”"
    with pytest.raises(InputError, match="cannot read"):
        kreuzer.read_blocks(tmp_path / "none.blocks.html")


@pytest.mark.data
def test_the_published_pages_have_the_published_numbers_of_blocks(datasets):
    """formats.md#kreuzer: about 16.0 marked elements and 12.4 distinct texts a page, 82 pages."""
    files = sorted((datasets / "kreuzer-random").rglob("*.blocks.html"))
    texts = [kreuzer.gold_texts(kreuzer.read_blocks(file)) for file in files]
    assert len(files) >= 78
    assert sum(map(len, texts)) / len(files) == pytest.approx(16.0, abs=0.4)
    distinct = [{"".join(t.text.split()) for t in page} for page in texts]
    assert sum(map(len, distinct)) / len(files) == pytest.approx(12.4, abs=0.4)


@pytest.mark.data
@pytest.mark.web
@pytest.mark.long
def test_every_block_of_six_real_pages_is_found_on_the_repaired_dom(datasets, qapp):
    from engine.web.headless import Browser

    documents = list_documents(datasets / "kreuzer-random", variant="repaired", problems=[])
    odd = ("ilse", "iledesirade", "ecoceco", "bluner", "plala", "oxfordms")
    chosen = [d for d in documents if any(name in d.name for name in odd)]
    assert len(chosen) >= 6
    with Browser() as browser:
        for document in chosen:
            page = browser.capture(document)
            html = kreuzer.read_blocks(kreuzer.blocks_of(document))
            result = kreuzer.read_gold(page.rendered(), html)
            assert result.problems == ()
            assert len(result.gold.marks) == len(kreuzer.gold_texts(html))
            assert {m.state for m in result.gold.marks} == {MarkState.EXACT}
