"""Test gold files: a page's marks as JSON beside it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from annotate.marks import edits, gold_file
from annotate.marks.anchor import Anchors
from annotate.marks.gold import Gold, MarkState, Target
from engine.errors import InputError
from tests.annotate.pages import page_of, row_of, with_texts

BODY = """<h1 id=t>A headline – it’s “so”</h1><p id=p>A paragraph of words.</p>
<p>Another paragraph that nobody marked at all.</p><footer id=f>End</footer>"""


DAMAGED = """{"format": "pagelet-gold", "version": 1, "marks": [{"targets": []}],
"page": {"url": "", "digest": "", "viewport": [1, 2]}}"""


@pytest.fixture
def page():
    return page_of(BODY)


@pytest.fixture
def gold(page):
    nodes = page.rendered()
    gold = edits.add_block(Gold(), nodes, [Target(row_of(nodes, "f"))], 1, "Footer")
    gold = edits.add_block(gold, nodes, [Target(row_of(nodes, "t"))], 2, "Title")
    return edits.add_main(gold, nodes, [Target(row_of(nodes, "p"))])


def test_gold_is_read_back_sorted_by_position(tmp_path, page, gold):
    path = gold_file.gold_path(tmp_path / "article.html")
    assert path.name == "article.gold.json"
    gold_file.write(path, page, gold)
    again = gold_file.read(path, page.rendered())
    assert set(again.marks) == set(gold.marks)
    assert [mark.level for mark in again.marks] == [0, 1, 2]
    first = path.read_bytes()
    gold_file.write(path, page, again)
    assert path.read_bytes() == first
    assert list(tmp_path.iterdir()) == [path]


def test_the_file_has_the_address_digest_and_viewport_of_the_page(tmp_path, page, gold):
    path = tmp_path / "a.gold.json"
    gold_file.write(path, page, gold)
    read = gold_file.read_file(path)
    assert (read.url, read.digest, read.viewport) == (page.url, page.digest, (1366, 768))
    assert "A headline – it’s “so”" in path.read_text(encoding="utf-8")


def test_the_file_does_not_contain_the_folder_of_a_local_page(tmp_path):
    page = page_of(BODY, url=str(tmp_path / "reports" / "article.html"))
    path = tmp_path / "article.gold.json"
    gold_file.write(path, page, Gold())
    assert gold_file.read_file(path).url == "article.html"
    assert str(tmp_path) not in path.read_text(encoding="utf-8")


def test_moved_and_lost_marks_keep_their_first_record(tmp_path, page, gold):
    path = tmp_path / "a.gold.json"
    gold_file.write(path, page, gold)
    changed = page_of(BODY.replace("of words", "of many words").replace("End", "Bye"))
    anchors = Anchors(changed.rendered())
    result = Gold(tuple(anchors.find(record) for record in gold_file.read_file(path).records))
    assert [mark.state for mark in result.marks] == [
        MarkState.MOVED,
        MarkState.LOST,
        MarkState.EXACT,
    ]
    first = json.loads(path.read_text(encoding="utf-8"))["marks"]
    gold_file.write(path, changed, result, anchors)
    assert json.loads(path.read_text(encoding="utf-8"))["marks"] == first
    assert {mark.state for mark in gold_file.read(path, page.rendered()).marks} == {MarkState.EXACT}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("not json", "is not a gold file"),
        ("[]", "its format is not"),
        ('{"format": "pagelet-gold", "version": 2}', "has format 2"),
        ('{"format": "pagelet-gold", "version": 1}', "damaged: 'page'"),
        (DAMAGED, "a mark is damaged: it has no id"),
        (DAMAGED.replace("[1, 2]", "[1e999, 2]"), "is not a gold file: 1e999 is too large"),
    ],
)
def test_an_invalid_gold_file_is_refused_with_the_reason(tmp_path, page, content, words):
    path = tmp_path / "a.gold.json"
    path.write_text(content)
    with pytest.raises(InputError, match=words):
        gold_file.read(path, page.rendered())


def test_a_missing_file_or_folder_raises_an_input_error(tmp_path, page, gold):
    with pytest.raises(InputError, match="cannot be read"):
        gold_file.read(tmp_path / "none.gold.json", page.rendered())
    with pytest.raises(InputError, match="cannot write"):
        gold_file.write(Path(tmp_path / "no folder" / "a.gold.json"), page, gold)


def test_lone_surrogates_are_written_and_read_back(tmp_path, page):
    odd = with_texts(page.rendered(), {"End": "half \ud83d"})
    odd_page = replace(page, nodes=odd)
    gold = edits.add_block(Gold(), odd, [Target(row_of(odd, "f"))], 1)
    gold_file.write(tmp_path / "a.gold.json", odd_page, gold)
    assert gold_file.read(tmp_path / "a.gold.json", odd) == gold
