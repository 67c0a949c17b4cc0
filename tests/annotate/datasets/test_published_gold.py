"""Published gold that is partly missing from the page: the window scores against all of it."""

import pytest

from algorithms.core.batch import Setup, measures_of, run_segmenter
from algorithms.core.catalogue import method
from annotate.datasets.opening import open_page, open_pages
from annotate.marks.gold import Gold
from tests.annotate.pages import page_of

STORY = "<div id=main><h1>Ferry</h1><p>The ferry came back this morning.</p></div>"
GONE = '<div data-block="1" data-block-type="Ad"><p>Buy a boat today</p></div>'


@pytest.fixture
def files(tmp_path):
    """Return a saved page that lacks a block of the DOM on which it was marked."""
    site = tmp_path / "set" / "www.a.org" / "www.a.org"
    site.mkdir(parents=True)
    (site / "index.html").write_text(f"<html><body>{STORY}</body></html>", "utf-8")
    marked = STORY.replace("id=main", 'id=main data-block="1" data-block-type="Content"')
    (site / "index.blocks.html").write_text(f"<html><body>{marked}{GONE}</body></html>", "utf-8")
    line = '"http://www.a.org/" : "/opt/dataset-random/www.a.org/www.a.org/index.html",'
    (tmp_path / "set" / "mapping.txt").write_text(line, "utf-8")
    return open_page(site / "index.html")


def test_a_block_that_is_not_on_this_form_of_the_page_counts_as_missed(files):
    page = page_of(STORY)
    gold, problems = files.shown(page)
    assert len(gold.marks) == 1
    assert "Buy a boat" in problems[0]
    entry = method("page-segmenter")
    result = entry.run(page, entry.params(), "rendered")
    setup = Setup(entry.key, entry.params(), "rendered")
    run = run_segmenter(
        page, files.blocks(lambda: page), setup, measures_of("fuzzy", ["segmentation"]).blocks
    )
    score = gold.as_results(page).score(result).fuzzy["all"]
    assert score.relevant == run.counts["fuzzy"].relevant == 2
    assert score.prf.f1 == run.scores["fuzzy"].value


def test_text_that_is_not_on_the_page_counts_as_missed(tmp_path):
    (tmp_path / "original").mkdir()
    (tmp_path / "gold").mkdir()
    (tmp_path / "original" / "1.html").write_text(f"<html><body>{STORY}</body></html>", "utf-8")
    text = "Ferry The ferry came back this morning. Nobody knows why."
    (tmp_path / "gold" / "1.txt").write_text(text, "utf-8")
    (files,) = open_pages(tmp_path).files
    page = page_of(STORY)
    gold, _ = files.shown(page)
    entry = method("plain")
    score = gold.as_results(page).score(entry.run(page, entry.params(), "dom"))
    assert score.ws.precision == 1.0
    assert score.ws.recall == 7 / 10
    # Once the marks are changed, only they count.
    assert Gold(gold.marks).as_results(page).score(
        entry.run(page, entry.params(), "dom")
    ).ws.recall == 1.0  # fmt: skip
