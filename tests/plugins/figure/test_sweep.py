"""Scores by parameter: the values of a sweep are the scores of single runs."""

from dataclasses import replace

import numpy as np
import pytest

import resources
from algorithms.core.catalogue import METHODS, method
from algorithms.figures.figure import BEST
from algorithms.plugins.figure.sweep import PagesSweep, Sweep, sweepable, values_of
from engine.errors import MethodError
from engine.page import Page
from engine.source import Source


@pytest.fixture(scope="module")
def page():
    file = resources.path("corpus") / "news" / "index.html"
    return Page("news", original=Source.from_bytes(file.read_bytes()))


def share_kept(result) -> float:
    """Return a score that is easy to check: the share of the page that is kept."""
    return len(result.text) / len(result.source.text)


def test_a_curve_has_the_score_of_a_run_at_every_value(page):
    entry = method("accb")
    sweep = Sweep(entry, page, entry.params(), "original", ("threshold",), share_kept).run()
    assert sweep.done == sweep.size >= 20
    for value, score in zip(sweep.values[0], sweep.scores, strict=True):
        run = entry.run(page, replace(entry.params(), threshold=value), "original")
        assert score == share_kept(run)
    figure = sweep.figure()
    best = next(each for each in figure.dots if each.tone == BEST)
    assert best.y[0] == np.max(sweep.scores)
    assert sweep.chosen(int(np.argmax(sweep.scores)))["threshold"] in sweep.values[0]
    assert figure.thresholds[0].at == entry.params().threshold
    assert figure.thresholds[0].axis == "x"


def test_a_map_has_the_score_of_a_run_at_a_pair_of_values(page):
    entry = method("dsc")
    names = ("slope", "windows")
    sweep = Sweep(entry, page, entry.params(), "original", names, share_kept).run()
    position = (3, 2)
    chosen = sweep.chosen(int(np.ravel_multi_index(position, sweep.scores.shape)))
    run = entry.run(page, replace(entry.params(), **chosen), "original")
    assert sweep.scores[position] == share_kept(run)
    figure = sweep.figure()
    cells = figure.strips.cells[::-1].T
    assert np.argmax(cells) == np.argmax(sweep.scores)
    assert len(figure.items) == sweep.size
    across = sweep.values[0]
    assert figure.strips.columns == tuple(f"{value:.4g}" for value in across)
    assert figure.strips.scale == (float(np.min(sweep.scores)), float(np.max(sweep.scores)))


def test_the_current_values_move_on_the_map_with_the_parameters(page):
    entry = method("dsc")
    sweep = Sweep(entry, page, entry.params(), "original", ("slope", "windows"), share_kept)
    item = int(np.ravel_multi_index((1, 1), sweep.scores.shape))
    after = replace(entry.params(), **sweep.chosen(item))
    before, now = ({d.name: d for d in sweep.figure(p).dots}["now"] for p in (None, after))
    assert (float(now.x[0]), float(now.y[0])) == (1.5, 1.5)
    assert (float(before.x[0]), float(before.y[0])) != (1.5, 1.5)


def test_a_stopped_sweep_keeps_its_scores(page):
    entry = method("accb")

    def score(result):
        if sweep.done == 3:
            sweep.stop()
        return share_kept(result)

    sweep = Sweep(entry, page, entry.params(), "original", ("range",), score)
    assert "no score" in sweep.figure().items.labels[0]
    sweep.run()
    assert sweep.done == 4
    assert np.count_nonzero(~np.isnan(sweep.scores)) == 4
    assert sweep.figure().curves[0].x.size == 4


def test_results_that_cannot_be_scored_have_no_score(page):
    entry = method("bte")

    def refuse(_result):
        raise MethodError("no")

    sweep = Sweep(entry, page, entry.params(), "original", ("tag_cost",), refuse).run()
    assert np.isnan(sweep.scores).all()
    assert sweep.best is None
    assert "No result" in sweep.figure().note


def test_a_curve_is_marked_as_out_of_date_if_another_parameter_changed(page):
    entry = method("accb")
    sweep = Sweep(entry, page, entry.params(), "original", ("threshold",), share_kept).run()
    moved = replace(entry.params(), threshold=0.5)
    assert sweep.figure(moved).thresholds[0].at == 0.5
    assert "Best" in sweep.figure(moved).note
    assert "Out of date" in sweep.figure(replace(moved, range=41)).note


@pytest.mark.parametrize("entry", METHODS, ids=lambda entry: entry.key)
def test_swept_values_are_valid_and_include_the_current_one(entry):
    params = entry.params()
    for name in sweepable(entry.params):
        values = values_of(params, name)
        assert getattr(params, name) in values
        for value in values:
            replace(params, **{name: value})


def test_the_score_on_many_pages_is_the_mean_over_pages_with_gold():
    entry = method("lqf")
    texts = (
        "<p>one two three</p><a href=x>menu</a>",
        "<p>four five</p><a href=y>more and more</a>",
    )
    pages = [Page(f"{k}", Source.from_text(text)) for k, text in enumerate(texts)]

    def score(result) -> float:
        return len(result.text.split()) / 10

    def case(page):
        return lambda: (page, score)

    params = entry.params()
    each = [Sweep(entry, page, params, "original", ("threshold",), score).run() for page in pages]
    many = PagesSweep(
        entry, [case(pages[0]), lambda: None, case(pages[1])], params, "original", ("threshold",)
    )
    assert many.size == 3 * each[0].size
    assert many.run().scores.tolist() == np.mean([one.scores for one in each], axis=0).tolist()
    assert (many.counted, many.left_out, many.done) == (2, 1, many.size)
    assert "F1 mean of 2 pages" in many.figure().y_label
    assert many.best is not None


def test_a_sweep_over_pages_stops_between_two_runs():
    entry = method("lqf")
    page = Page("p", Source.from_text("<p>one two"))
    runs = []

    def score(_result) -> float:
        runs.append(1)
        many.stop()
        return 0.5

    many = PagesSweep(
        entry, [lambda: (page, score)] * 3, entry.params(), "original", ("threshold",)
    )
    many.run()
    assert len(runs) == 1
    assert many.counted == 0
