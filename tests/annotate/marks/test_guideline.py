"""Test guidelines: read, stored with gold, and reported if mixed."""

import json

import pagelet
import pytest

from annotate.datasets.opening import open_pages
from annotate.datasets.readers import mixed_gold, read_dataset
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
from annotate.plugins.team_work.merging import merge
from annotate.workspace.stored_guideline import of_workspace, refs_of, store_in
from annotate.workspace.workspace import Workspace, page_key
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


def workspace_of(path, guideline):
    page = page_of("<p id=a>One</p>")
    nodes = page.rendered()
    file = path.with_name("page.html")
    file.write_text("<!doctype html><p id=a>One</p>", encoding="utf-8")
    (document,) = open_pages(file).documents
    with Workspace.open(path) as made:
        made.add_pages([document])
        gold = edits.add_block(Gold(), nodes, [Target(row_of(nodes, "a"))], 1)
        made.save_gold(page_key(document), gold, nodes, "mark")
        if guideline is not None:
            store_in(made, guideline)
    return path


def test_guidelines_are_stored_and_merged_and_a_mixture_is_noted(own, tmp_path):
    other = Guideline("mill", (GuidelinePage("Menu", "All menus."),))
    anna = workspace_of(tmp_path / "anna.pagelet", own)
    ben = workspace_of(tmp_path / "ben.pagelet", own)
    carl = workspace_of(tmp_path / "carl.pagelet", other)
    assert not merge([anna, ben], tmp_path / "same.pagelet").notes
    with Workspace.reading(tmp_path / "same.pagelet") as both:
        assert of_workspace(both) == own
        assert refs_of(both) == (own.ref,)
    merged = merge([anna, carl], tmp_path / "mixed.pagelet")
    assert merged.notes == (mixture([own.ref, other.ref]),)
    with Workspace.reading(tmp_path / "mixed.pagelet") as mixed:
        assert refs_of(mixed) == (own.ref, other.ref)
    merge([carl], anna)  # into a workspace with marks
    assert mixture([own.ref, other.ref]) in open_pages(anna).problems
    assert mixed_gold(read_dataset(anna)) == mixture([own.ref, other.ref])
    assert not mixed_gold(read_dataset(ben))
