"""Libraries that give HTML: their results keep its elements."""

import pytest

from algorithms.own.answers import GivenExtraction
from algorithms.plugins.external.libraries import find_installed
from algorithms.results import everything
from algorithms.structure.parts import form_of
from engine.processes.foreign import close_workers
from engine.source import Source

STORY = "Tea is a drink of hot water and the leaves of a bush from the hills of Assam. " * 6
PAGE = (
    f"<html><body><article><h1>Tea</h1><p>{STORY}</p><h2>Sorts</h2><p>{STORY}</p>"
    f"<ul><li>green {STORY}<li>black</ul></article></body></html>"
)


@pytest.fixture(autouse=True)
def without_workers():
    """End the processes that libraries ran in, which would wait for more pages."""
    yield
    close_workers()


@pytest.mark.parametrize("key", ["trafilatura", "resiliparse", "readability-lxml", "newspaper4k"])
def test_the_result_of_a_library_keeps_its_markup(key):
    entry = next((each for each in find_installed() if each.key == key), None)
    if entry is None:
        pytest.skip(f"{key} is not installed")
    result = entry.run_on(Source.from_text(PAGE), entry.params())
    assert result.markup is not None
    markdown = form_of(result, "markdown")
    assert markdown.startswith("# Tea\n\nTea is a drink")
    assert "\n\n## Sorts\n\nTea is a drink" in markdown
    assert result.on(Source.from_text(PAGE)).markup


def test_links_of_own_markup_are_relative_to_the_base_of_the_page():
    page = Source.from_text("<base target=_top><base href='/deep/'><p><a href=x>y</a> z</p>")
    own = GivenExtraction(page, "y z", ask_markup=lambda: "<p><a href=x>y</a> z</p>")
    for result in (own, everything(page)):
        assert form_of(result, "markdown", "https://a.org/b/c") == "[y](https://a.org/deep/x) z"


def test_markup_of_another_text_is_not_taken_so_that_a_row_of_scores_is_of_one_text():
    page = Source.from_text(PAGE)
    same = GivenExtraction(page, STORY, ask_markup=lambda: f"<h3>Tea</h3><p>{STORY}</p>")
    assert form_of(same, "markdown").startswith("### Tea")
    other = GivenExtraction(page, STORY, ask_markup=lambda: "<h3>Tea</h3><p>Tea is a drink.</p>")
    assert other.markup is None
    assert form_of(other, "markdown").strip() == STORY.strip()


def test_a_library_without_markup_gets_the_elements_of_the_page():
    entry = next((each for each in find_installed() if each.key == "justext"), None)
    if entry is None:
        pytest.skip("jusText is not installed")
    result = entry.run_on(Source.from_text(PAGE), entry.params())
    assert result.markup is None
    assert "- green Tea is" in form_of(result, "markdown")
