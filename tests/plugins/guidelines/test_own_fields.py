"""The guideline's own fields of marks: read, checked, stored, merged and exported."""

import csv

import pytest

from annotate.marks import edits, gold_file
from annotate.marks.gold import Gold, Target
from annotate.marks.guideline import Guideline, GuidelinePage, OwnField
from annotate.plugins.exchange.box_writers import write_csv
from annotate.plugins.exchange.formats import format_of, losses
from annotate.plugins.exchange.marked_page import MarkedPage
from annotate.plugins.team_work.merging import merge
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document
from engine.errors import InputError
from tests.annotate.marks.test_gold_file import BODY
from tests.annotate.pages import page_of, row_of

TEXT = """A story.

## Fields

- tone: choice (neutral,  opinion , mixed)
- signed: yes-no
* words: number
- note: text
- odd: colour

## Belongs

- body: text
"""
GUIDELINE = Guideline(
    "ours",
    (GuidelinePage("Article", TEXT), GuidelinePage("All marks", "## Fields\n- checked: yes-no")),
)


@pytest.fixture
def page():
    return page_of(BODY)


@pytest.fixture
def gold(page):
    nodes = page.rendered()
    gold = edits.add_block(Gold(), nodes, [Target(row_of(nodes, "f"))], 1, "Footer")
    gold = edits.add_block(gold, nodes, [Target(row_of(nodes, "t"))], 2, "Title")
    gold = edits.set_field(gold, [gold.marks[0].id], "tone", "mixed")
    return edits.set_field(gold, [gold.marks[0].id], "note", "=1+1")


def test_fields_are_read_from_the_page_of_a_type_and_of_all_marks():
    names = [(each.name, each.kind, each.choices) for each in GUIDELINE.fields("article")]
    assert names == [
        ("checked", "yes-no", ("yes", "no")),
        ("tone", "choice", ("neutral", "opinion", "mixed")),
        ("signed", "yes-no", ("yes", "no")),
        ("words", "number", ()),
        ("note", "text", ()),
    ]
    assert [each.name for each in GUIDELINE.fields("Menu")] == ["checked"]


def test_values_are_checked_by_their_kind():
    tone = OwnField("tone", "choice", ("neutral", "opinion"))
    assert tone.checked(" Opinion") == "opinion"
    assert tone.checked("") == ""
    assert OwnField("n", "number").checked("012.50") == "12.5"
    with pytest.raises(InputError, match="tone is one of neutral, opinion, not angry"):
        tone.checked("angry")
    for text in ("many", "nan", "1e999"):
        with pytest.raises(InputError, match="n is a number"):
            OwnField("n", "number").checked(text)


def test_fields_stay_in_files_edits_and_grouping(tmp_path, page, gold):
    nodes, path = page.rendered(), tmp_path / "a.gold.json"
    gold_file.write(path, page, gold)
    again = gold_file.read(path, nodes)
    assert set(again.marks) == set(gold.marks)
    first = gold.marks[0]
    assert again.find(first.id).fields == (("note", "=1+1"), ("tone", "mixed"))
    moved = edits.set_targets(gold, nodes, first.id, [Target(row_of(nodes, "p"))])
    assert moved.find(first.id).fields == first.fields
    bare = edits.set_field(gold, [first.id], "tone", "")
    assert bare.find(first.id).fields == (("note", "=1+1"),)
    marked = MarkedPage("a", Document("a.html", "pagelet://local/a.html"), page, gold)
    (table,) = write_csv([marked], tmp_path)
    rows = list(csv.DictReader(table.read_text("utf-8").splitlines()))
    assert [(row["tone"], row["note"]) for row in rows] == [("mixed", "'=1+1"), ("", "")]
    assert any("own fields" in each for each in losses(format_of("labelme"), marked))


def test_merging_keeps_the_fields_of_both(tmp_path, page, gold):
    file, nodes = tmp_path / "mill.html", page.rendered()
    file.write_text(f"<!doctype html>{BODY}")
    document = Document(str(file), file.as_uri(), file.parent, file.name)
    key, paths = page_key(document), [tmp_path / "one.pagelet", tmp_path / "two.pagelet"]
    with Workspace.open(paths[0]) as workspace:
        workspace.add_pages([document])
        workspace.save_gold(key, gold, nodes, "mark")
    paths[1].write_bytes(paths[0].read_bytes())
    later = edits.set_field(gold, [gold.marks[1].id], "words", "7")
    with Workspace.open(paths[1]) as workspace:
        workspace.load_gold(key, nodes)
        workspace.save_gold(key, later, nodes, "set words")
    merge(paths, tmp_path / "both.pagelet")
    with Workspace.reading(tmp_path / "both.pagelet") as workspace:
        everyone = workspace.golds(key, nodes)
        marks = [mark for each in everyone.values() for mark in each.marks]
    assert {mark.fields for mark in marks} == {gold.marks[0].fields, (("words", "7"),)}
