"""Test guidelines: read, stored with gold, and reported if mixed."""

import pytest

from annotate.datasets.opening import open_pages
from annotate.datasets.readers import mixed_gold, read_dataset
from annotate.marks import edits
from annotate.marks.gold import Gold, Target
from annotate.marks.guideline import (
    Guideline,
    GuidelinePage,
    mixture,
    read,
)
from annotate.plugins.team_work.merging import merge
from annotate.workspace.stored_guideline import of_workspace, refs_of, store_in
from annotate.workspace.workspace import Workspace, page_key
from tests.annotate.marks.test_guideline import TEXT
from tests.annotate.pages import page_of, row_of


@pytest.fixture
def own(tmp_path):
    file = tmp_path / "harbour.md"
    file.write_text(TEXT, encoding="utf-8")
    return read(file)


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
