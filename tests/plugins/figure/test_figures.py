"""Figures as data: the items shown as kept are the words that the method keeps."""

import csv
import io

import numpy as np
import pytest

import resources
from algorithms.core.catalogue import method
from algorithms.explain.differences import words_kept
from algorithms.extraction.gleaner.removals import Reasons
from algorithms.figures.figure import KEPT, Items, items, to_csv
from algorithms.plugins.figure.method_figures import ON_SOURCE, figures_of
from engine.page import Page
from engine.source import Source

NAMES = ("news", "forum", "minified", "shop")


def page_of(name: str) -> Page:
    file = resources.path("corpus") / name / "index.html"
    return Page(name, original=Source.from_bytes(file.read_bytes()))


@pytest.fixture(scope="module", params=NAMES)
def page(request):
    return page_of(request.param)


def figure_of(page: Page, key: str, title: str, **changes):
    entry = method(key)
    result = figures_of(entry, page, entry.params(**changes), "original")
    return next(each for each in result if each.title == title)


def words_of_method(page: Page, key: str, **changes):
    entry = method(key)
    return words_kept(entry.run(page, entry.params(**changes), "original"))


def words_of(figure, which) -> np.ndarray:
    result = []
    for first, last in figure.items.places[which].tolist():
        result += range(max(first, 0), max(last, 0))
    return np.unique(result)


@pytest.mark.parametrize("key", ["ccb", "accb", "tccb"])
def test_items_above_the_threshold_of_blurring_are_the_kept_words(page, key):
    figure = figure_of(page, key, "Content code ratio", threshold=0.6)
    above = figure.items.y > figure.thresholds[0].at
    assert (
        words_of(figure, above).tolist()
        == np.flatnonzero(words_of_method(page, key, threshold=0.6)).tolist()
    )


def test_lines_from_the_threshold_on_are_kept_by_cetr_tm(page):
    figure = figure_of(page, "cetr-tm", "Tag ratios", strictness=0.7)
    above = figure.items.y >= figure.thresholds[0].at
    remaining = words_of_method(page, "cetr-tm", strictness=0.7)
    assert words_of(figure, above).tolist() == np.flatnonzero(remaining).tolist()


@pytest.mark.parametrize("key", ["bte", "dsc", "adsc"])
def test_bands_of_the_document_slope_curve_are_the_kept_words(page, key):
    figure = figure_of(page, key, "Document slope curve")
    band = next(each for each in figure.bands if each.tone == KEPT)
    tokens = page.original.tokens.words
    inside = np.zeros(tokens.size, dtype=bool)
    for low, high in zip(band.low, band.high, strict=True):
        inside |= (tokens >= low) & (tokens < high)
    assert np.array_equal(inside, words_of_method(page, key))


def test_dots_of_cetr_that_are_not_at_the_origin_are_kept(page):
    figure = figure_of(page, "cetr", "Ratio and jump, by cluster")
    near = [each for each in figure.dots if each.name == "cluster at the origin"]  # may be empty
    origin = {
        position for each in near for position in zip(each.x.tolist(), each.y.tolist(), strict=True)
    }
    positions = zip(figure.items.low.tolist(), figure.items.y.tolist(), strict=True)
    is_kept = np.array([position not in origin for position in positions])
    assert (
        words_of(figure, is_kept).tolist() == np.flatnonzero(words_of_method(page, "cetr")).tolist()
    )


@pytest.mark.parametrize("key", sorted(ON_SOURCE))
def test_a_threshold_of_a_figure_has_the_value_of_its_parameter(page, key):
    entry = method(key)
    if "original" not in entry.inputs:
        pytest.skip("reads the rendered page")
    params = entry.params()
    for figure in figures_of(entry, page, params, "original"):
        for threshold in figure.thresholds:
            if threshold.parameter:
                now = getattr(params, threshold.parameter)
                assert threshold.at / threshold.unit == pytest.approx(now)


@pytest.mark.parametrize("key", sorted(ON_SOURCE))
def test_every_figure_is_written_as_csv_even_for_an_empty_page(page, key):
    entry = method(key)
    if "original" not in entry.inputs:
        pytest.skip("reads the rendered page")
    empty = Page("empty", original=Source.from_text(""))
    for subject in (page, empty):
        for figure in figures_of(entry, subject, entry.params(), "original"):
            rows = list(csv.DictReader(io.StringIO(to_csv(figure))))
            assert sum(row["kind"] == "item" for row in rows) == len(figure.items)
            curves = sum(row["kind"] == "curve" for row in rows)
            assert curves == sum(line.x.size for line in figure.curves)


def test_items_are_found_by_position_and_by_word():
    each = items([0, 10, 30], [10, 20, 40], [1, 5, 2], [[0, 4], [4, 6], [-1, -1]], ("a", "b", "c"))
    assert [each.along(x) for x in (-5, 3, 12, 21, 29, 99)] == [0, 0, 1, 1, 2, 2]
    assert each.on(3, 5).tolist() == [0, 1]
    assert each.on(6, 99).tolist() == []
    assert each.nearest(14, 4.9, 1, 100) == 1
    nothing = Items(np.zeros(0), np.zeros(0), np.zeros(0), np.zeros((0, 2), np.int32), ())
    assert (nothing.along(1), nothing.nearest(1, 1, 1, 1)) == (-1, -1)


def test_the_figure_of_gleaner_computes_no_reasons(page, monkeypatch):
    asked = []
    monkeypatch.setattr(Reasons, "sentence", lambda _self, block: asked.append(block) or "")
    figure = figure_of(page, "gleaner", "Expected share of content")
    assert figure.items.labels
    assert all("expected share of content" in each for each in figure.items.labels)
    assert asked == []
