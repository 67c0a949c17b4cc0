"""Guidelines side by side: the share of captions, comments, grids and other sorts in gold."""

import json

import pytest

from annotate.plugins.guidelines.guidelines import SORTS, shares_of_page, sorts_of
from engine.source import Source
from gui.cli.main import main

GRID = "".join(
    f"<div class=item><h3>Cup number {k}</h3><p>A cup of blue glass {k}</p><b>€ {k}.00</b></div>"
    for k in range(5)
)
PAGE = (
    "<nav><a href=/>Home of all the cups here</a></nav><main><h1>All about cups and saucers</h1>"
    "<p>Small bowls of clay with one handle.<figure><img src=a><figcaption>A cup that stands on a "
    f"table</figcaption></figure><section>{GRID}</section>"
    "<pre>cup = fill(tea, milk, sugar)</pre><div class='user-comments'><p>I drink from these each "
    "day</div></main><footer><p>All rights reserved by us alone</footer>"
)


def test_blocks_are_sorted_by_their_elements_classes_and_siblings():
    found = {SORTS[number] for number in sorts_of(Source.from_text(PAGE)).tolist()}
    assert found == {
        "navigation", "titles", "paragraphs", "captions", "grids", "code", "comments", "footers"
    }  # fmt: skip


def test_shares_are_the_fractions_of_words_of_each_sort_in_gold():
    gold = "Small bowls of clay with one handle. Cup number 1 A cup of blue glass 1"
    share = shares_of_page(Source.from_text(PAGE), gold)
    assert share["paragraphs"] == 1.0
    assert share["captions"] == share["comments"] == share["footers"] == 0.0
    assert 0.1 < share["grids"] < 0.3


def test_a_page_without_text_has_no_sorts_and_no_shares():
    assert not sorts_of(Source.from_text("<p></p>")).size
    assert shares_of_page(Source.from_text("<p></p>"), "gold") == {}


@pytest.fixture
def two(tmp_path):
    """Return two data sets of one page: gold of one has comments, of the other captions."""
    for name, gold in (
        ("first", "Small bowls of clay with one handle. I drink from these each day"),
        ("second", "Small bowls of clay with one handle. A cup that stands on a table"),
    ):
        folder = tmp_path / name
        (folder / "html").mkdir(parents=True)
        (folder / "html" / "0.html").write_text(PAGE)
        about = {"0": {"articleBody": gold, "url": "http://a.org/"}}
        (folder / "ground-truth.json").write_text(json.dumps(about))
        (folder / "guideline.md").write_text(f"# Menu\n\nOf {name}.\n\n# Ad\n\nThe same.\n")
    return tmp_path


def test_the_command_lists_gold_and_guidelines_of_data_sets_side_by_side(two, capsys):
    assert main(["guidelines", str(two / "first"), str(two / "second")]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "first: 1 page with gold text; no guideline named" in lines
    assert "guideline first second" in lines
    assert "Menu Of first. Of second." in lines
    assert not any(line.startswith("Ad ") for line in lines)  # its text is the same in both
    assert "comments 100 % of 1 0 % of 1" in lines
    assert "captions 0 % of 1 100 % of 1" in lines
    assert main(["guidelines", str(two / "first"), "--json"]) == 0
    (read,) = json.loads(capsys.readouterr().out)
    assert read["gold_has"][""]["code"] == {"share": 0.0, "pages": 1}
    assert read["text"] == {"Menu": "Of first.", "Ad": "The same."}


def test_pages_that_are_too_short_get_no_table(two, capsys):
    (two / "first" / "html" / "0.html").write_text("<p>tea")
    assert main(["guidelines", str(two / "first")]) == 0
    assert capsys.readouterr().out == "first: 1 page with gold text; no guideline named\n"


def test_data_without_gold_text_is_refused(two, capsys):
    (two / "first" / "ground-truth.json").write_text('{"0": {"articleBody": "", "url": ""}}')
    assert main(["guidelines", str(two / "first")]) == 2
    assert "gold" in capsys.readouterr().err
