"""Test that the gold of the sample corpus is complete, exact and separates methods."""

import json
from dataclasses import dataclass
from functools import cached_property

import pytest

import resources
from algorithms.core.attempt import attempt
from algorithms.core.catalogue import method
from algorithms.measures.text import TextScores
from annotate.datasets.opening import list_documents
from annotate.marks import edits, gold_file
from annotate.marks.gold import MAIN, TYPES, Gold, MarkState
from engine.page import Page
from gui.state.layers import default_layers

CORPUS = resources.path("corpus")
DOCUMENTS = {document.path.split("/")[0]: document for document in list_documents(CORPUS)}
LAYERS = {layer.key: layer for layer in default_layers() if not layer.is_gold}
EXTRACTORS = ["lsi", *(key for key in LAYERS if not method(key).on_page and key != "gleaner")]
"""Published ones: the pages were made to tell these apart."""

BESIDES = {"Menu", "Ad", "Logo", "Search bar", "Sidebar", "Footer"}
"""Types of what is not main content on any page."""

FREE_TYPES = {"cookie": {"Overlay"}}
"""Types typed freely, where Kreuzer's list has no name for what is there."""


@dataclass(frozen=True)
class Case:
    """A page of the corpus, rendered, with the gold that lies beside it."""

    page: Page
    gold: Gold
    problems: tuple[str, ...]

    def f1(self, key: str, source: str = "") -> float:
        """Return the word-sequence F1 of a default layer's method, on another input if named."""
        layer = LAYERS[key]
        outcome = attempt(method(key), self.page, layer.params, source or layer.source)
        if outcome.result is None:
            assert not outcome.error, outcome.error
            return 0.0
        scores = self.gold.as_results(self.page).score(outcome.result)
        assert isinstance(scores, TextScores)
        return scores.ws.f1

    @cached_property
    def scores(self) -> dict[str, float]:
        return {key: self.f1(key) for key in EXTRACTORS}


@pytest.fixture(scope="module")
def cases(sample_pages):
    """Return cases by the id of their page."""
    return {
        name: Case(sample.page, sample.gold, sample.problems)
        for name, sample in sample_pages.items()
    }


each_page = pytest.mark.parametrize("name", DOCUMENTS)


def test_every_page_has_a_gold_file_and_every_gold_file_a_page():
    expected = {gold_file.gold_path(CORPUS / document.path) for document in DOCUMENTS.values()}
    assert set(CORPUS.rglob("*.gold.json")) == expected


@each_page
def test_gold_files_contain_no_local_paths(name):
    path = gold_file.gold_path(CORPUS / DOCUMENTS[name].path)
    assert gold_file.read_file(path).url == "index.html"
    page = json.loads(path.read_text("utf-8"))["page"]
    assert not any("/" in str(value) for key, value in page.items() if key != "title")


@pytest.mark.web
@each_page
def test_every_mark_is_found_exactly(cases, name):
    case = cases[name]
    assert not case.problems
    assert {mark.state for mark in case.gold.marks} == {MarkState.EXACT}


@pytest.mark.web
@each_page
def test_main_content_and_both_levels_of_blocks_are_marked(cases, name):
    gold = cases[name].gold
    assert gold.of_level(MAIN)
    assert len(gold.of_level(1)) >= 3
    assert len(gold.of_level(2)) >= 5
    assert 8 <= len(gold.of_level(1)) + len(gold.of_level(2)) <= 25
    assert all(mark.type in {*TYPES[2]} for mark in gold.of_level(2))
    assert all(m.type in {*TYPES[1], *FREE_TYPES.get(name, ())} for m in gold.of_level(1))
    assert {"Content", "Footer"} <= {mark.type for mark in gold.of_level(1)}


@pytest.mark.web
@each_page
def test_level_2_blocks_are_inside_level_1_blocks(cases, name):
    nodes, gold = cases[name].page.rendered(), cases[name].gold
    outer = [t.row for mark in gold.of_level(1) for t in mark.targets]
    for mark in gold.of_level(2):
        for target in mark.targets:
            assert any(nodes.is_inside(target.row, row) for row in outer), mark.quote[:60]


@pytest.mark.web
@each_page
def test_titles_are_main_content_and_menus_and_adverts_are_not(cases, name):
    nodes, gold = cases[name].page.rendered(), cases[name].gold
    main = [t.row for mark in gold.of_level(MAIN) for t in mark.targets]
    for mark in (*gold.of_level(1), *gold.of_level(2)):
        for target in mark.targets:
            if mark.type == "Title":
                assert edits.is_main(gold, nodes, target)
            elif mark.type in BESIDES:
                assert not edits.is_main(gold, nodes, target), mark.quote[:60]
                assert not any(nodes.is_inside(row, target.row) for row in main), mark.quote[:60]


@pytest.mark.web
@each_page
def test_main_content_is_a_moderate_share_of_the_page(cases, name):
    plain = cases[name].scores["plain"]
    assert 0.3 < plain < 0.96  # all words against the gold: some belong, some do not


@pytest.mark.web
@each_page
def test_extractors_differ_on_every_page(cases, name):
    scores = cases[name].scores.values()
    assert max(scores) - min(scores) > 0.05


@pytest.mark.web
def test_the_pages_separate_extractors(cases):
    scores = {name: cases[name].scores for name in DOCUMENTS}
    spreads = sorted(max(s.values()) - min(s.values()) for s in scores.values())
    assert spreads[len(spreads) // 2] > 0.2
    assert sum(spread > 0.1 for spread in spreads) >= 10
    # There is no best method: which one wins depends on the page.
    assert len({max(s, key=lambda key: s[key]) for s in scores.values()}) >= 4


@pytest.mark.web
def test_many_links_make_a_text_hard_to_extract(cases):
    """Gottron's thesis, sections 5.4.4 and 6.5.2: on articles full of links hardly any method is
    better than keeping all words, and leaving anchors out of account helps."""
    scores = cases["encyclopedia"].scores
    assert all(scores[key] < scores["plain"] for key in ("dsc", "accb", "bp-numwords"))
    assert scores["bte"] > scores["plain"]
    assert scores["accb"] > scores["dsc"] + 0.2


@pytest.mark.web
def test_long_comments_mislead_extractors_on_short_texts(cases):
    for key in ("dsc", "accb", "lsi"):
        assert cases["recipe"].scores[key] < 0.15
    assert cases["blog"].scores["lsi"] < cases["blog"].scores["plain"] - 0.2
    assert max(cases["blog"].scores.values()) < 0.65


@pytest.mark.web
def test_extractors_of_text_fail_on_a_gallery(cases):
    scores = cases["gallery"].scores
    assert all(scores[key] < 0.4 for key in ("bte", "dsc", "accb", "bp-numwords"))


@pytest.mark.web
def test_scripted_text_is_extracted_from_the_dom_only(cases):
    for key in EXTRACTORS:
        if "original" in method(key).inputs:
            assert cases["script"].f1(key, "original") < 0.05
            assert cases["script"].f1(key, "dom") > 0.9
