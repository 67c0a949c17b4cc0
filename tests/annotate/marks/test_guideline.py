"""Test guidelines: read, stored with gold, and reported if mixed."""

import json

import pagelet
import pytest

from annotate.datasets.readers import read_dataset
from annotate.marks import edits, gold_file
from annotate.marks.gold import TYPES, Gold, Target
from annotate.marks.guideline import (
    MAIN_TITLE,
    Guideline,
    GuidelinePage,
    default,
    mixture,
    read,
    write,
)
from engine.errors import InputError
from tests.annotate.pages import page_of, row_of

TEXT = "# Menu\n\nOnly the main menu.\n\n## Belongs\n\n- links\n\n# Ad\n\nPaid for.\n"


@pytest.fixture
def own(tmp_path):
    file = tmp_path / "harbour.md"
    file.write_text(TEXT, encoding="utf-8")
    return read(file)


def test_the_default_guideline_has_a_page_for_every_type_and_kind_of_page():
    pages = {page.title: page for page in default().pages}
    assert {*TYPES[1], *TYPES[2], MAIN_TITLE} <= pages.keys()
    assert sum(title.startswith(f"{MAIN_TITLE}: ") for title in pages) == 7
    for page in pages.values():
        assert page.sentence.endswith(".")
        assert "## Belongs" in page.text
        assert "## Does not belong" in page.text


def test_a_file_and_a_folder_of_files_are_read_as_the_same_guideline(own, tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, text in zip(("b.md", "a.md"), TEXT.split("# Ad"), strict=True):
        (folder / name).write_text(text if name == "b.md" else f"# Ad{text}", encoding="utf-8")
    assert read(folder).ref.digest == own.ref.digest
    assert own.name == "harbour"
    assert own.page("menu").sentence == "Only the main menu."
    write(own, tmp_path / "again.md")
    assert read(tmp_path / "again.md").pages == own.pages


@pytest.mark.parametrize(
    ("text", "why"),
    [("No heading", "has no pages"), ("# A\n\nx\n# a\n\ny", "two pages"),
     ("# A\n\n" + "x" * 200_001, "the limit is 200000")],
)  # fmt: skip
def test_an_invalid_guideline_is_refused_with_the_reason(text, why, tmp_path):
    file = tmp_path / "own.md"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        read(file)
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "missing.md")


def test_gold_files_store_the_guideline_they_were_made_with(own, tmp_path):
    page = page_of("<p id=a>One</p>")
    gold = edits.add_block(Gold(), page.rendered(), [Target(row_of(page.rendered(), "a"))], 1)
    gold_file.write(tmp_path / "a.gold.json", page, gold, guideline=own.ref)
    assert gold_file.read_file(tmp_path / "a.gold.json").guideline == own.ref
    gold_file.write(tmp_path / "b.gold.json", page, gold)
    assert "guideline" not in json.loads((tmp_path / "b.gold.json").read_text("utf-8"))


@pytest.mark.slow
def test_evaluating_gold_of_two_guidelines_warns(own, tmp_path):
    html = "<!doctype html><p id=a>One</p>"
    page = page_of("<p id=a>One</p>")
    gold = edits.add_block(Gold(), page.rendered(), [Target(row_of(page.rendered(), "a"))], 1)
    other = Guideline("mill", (GuidelinePage("Menu", "All menus."),))
    folder = tmp_path / "gold"
    folder.mkdir()
    for name, guideline in (("a", own), ("b", own), ("c", other)):
        (folder / f"{name}.html").write_text(html, encoding="utf-8")
        ref = guideline.ref
        gold_file.write(folder / f"{name}.gold.json", page, gold, guideline=ref)
    (problem,) = read_dataset(folder).problems
    assert problem == mixture([own.ref, other.ref])
    assert "gold was made by 2 guidelines (harbour (" in problem
    assert mixture([own.ref, own.ref]) == ""
    cases = pagelet.dataset(folder)
    texts = {case.name: "One" for case in cases}
    for evaluate in (lambda c: pagelet.evaluate(c, ["plain"]),
                     lambda c: pagelet.score_texts(c, texts)):  # fmt: skip
        with pytest.warns(UserWarning, match="gold: gold was made by 2 guidelines") as warned:
            evaluate(cases)
        assert warned[0].filename == __file__
        evaluate(cases.filter(lambda case: case.name != "c.html"))  # of one guideline: no warning
