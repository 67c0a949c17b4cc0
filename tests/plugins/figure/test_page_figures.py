"""Figures of methods on the rendered sample pages show the results of the methods."""

import numpy as np
import pytest

from algorithms.core.catalogue import METHODS, method
from algorithms.figures.figure import KEPT, Figure
from algorithms.plugins.figure.method_figures import figures_of
from algorithms.results import Segmentation

NAMES = ("news", "forum", "shop")


def figures(page, key: str, **changes) -> dict[str, Figure]:
    entry = method(key)
    source = entry.inputs[-1] if entry.on_page else "dom"
    result = figures_of(entry, page, entry.params(**changes), source)
    return {each.title: each for each in result}


def result(page, key: str, **changes) -> Segmentation:
    entry = method(key)
    return entry.run(page, entry.params(**changes), "rendered")


@pytest.mark.web
@pytest.mark.parametrize("key", [entry.key for entry in METHODS])
def test_every_native_method_has_a_figure_with_valid_item_positions(sample_pages, key):
    for name in NAMES:
        page = sample_pages[name].page
        results = figures(page, key)
        if method(key).output == "segmentation" and not result(page, key).blocks:
            continue  # a page that declares no blocks has none to show
        assert results, name
        for figure in results.values():
            size = len(page.rendered()) if figure.of_rows else page.dom.tokens.words.size
            positions = figure.items.places
            assert np.all((positions[:, 0] < positions[:, 1]) | (positions[:, 0] == -1)), (
                figure.title
            )
            assert np.all(positions[:, 1] <= size)
            assert len(figure.items.labels) == len(positions)
            if not figure.is_plane:
                assert np.all(np.diff(figure.items.low) >= 0), figure.title


@pytest.mark.web
@pytest.mark.parametrize("key", ["block-fusion", "block-fusion-rb"])
def test_the_fused_density_has_at_least_one_step_per_fused_block(sample_pages, key):
    for name in NAMES:
        page = sample_pages[name].page
        fused = next(
            each for each in figures(page, key)["Text density, fused"].curves if each.tone == KEPT
        )
        # A fused block with nothing on the page is not part of the result.
        assert fused.x.size - 1 >= len(result(page, key).blocks) > 0
        assert fused.x[0] == -0.5


@pytest.mark.web
@pytest.mark.parametrize("key", ["webterrain", "terrain"])
def test_the_path_of_terrain_has_one_split_and_a_dot_for_each_block(sample_pages, key):
    paths = []
    for name in NAMES:
        page = sample_pages[name].page
        figure = figures(page, key)["Descent trace"]
        side_by_side = [b for b in result(page, key).blocks if b.level == 1]
        down = next(each for each in figure.dots if each.name == "several stand side by side")
        below = next(each for each in figure.dots if each.name == "inside a block")
        assert down.x.size == 1
        assert below.x.size == len(side_by_side)
        followed = next(each for each in figure.dots if each.name == "one child is followed")
        assert figure.thresholds[0].parameter == "dominance"
        assert sum(each.x.size for each in figure.dots) == len(figure.items)
        before = followed.x[followed.x < down.x[0]]  # one dot for each step from the page
        assert before.tolist() == list(range(int(down.x[0])))
        paths.append(before.size)
    assert max(paths) > 0  # of the forum


@pytest.mark.web
def test_the_curve_of_vips_at_the_pdoc_is_the_number_of_leaves(sample_pages):
    for name in NAMES:
        page = sample_pages[name].page
        result = figures(page, "vips", pdoc=6)
        tree, curve = result["Blocks with their DoC"], result["Blocks by PDoC"]
        leaves = next(each for each in tree.dots if each.name == "leaf")
        assert curve.curves[0].y[5] == leaves.x.size
        assert curve.dots[0].y.tolist() == [leaves.x.size]
        assert np.all(np.diff(curve.curves[0].y) >= 0)


@pytest.mark.web
def test_bars_named_kept_are_the_words_that_boilerpipe_keeps(sample_pages):
    page = sample_pages["news"].page
    for key in ("bp-numwords", "bp-density+main", "bp-min10"):
        figure = figures(page, key)["Words of each block"]
        remaining = next(each for each in figure.bars if each.name == "kept")
        words = set()
        for low in remaining.low.tolist():
            first, last = figure.items.places[round(low + 0.5)].tolist()
            words |= set(range(first, last))
        entry = method(key)
        result = entry.run(page, entry.params(), "dom")
        runs = page.dom.words_in(result.spans)
        assert words == {w for first, last in runs.tolist() for w in range(first, last)}
        assert all("kept" in label or "dropped" in label for label in figure.items.labels)


@pytest.mark.web
@pytest.mark.parametrize("key", ["lsi", "lp", "hf", "ltc", "fe"])
def test_the_chosen_element_of_the_tree_covers_the_extracted_words(sample_pages, key):
    page = sample_pages["news"].page
    entry = method(key)
    result = figures_of(entry, page, entry.params(), "dom")[0]
    chosen = next(each for each in result.dots if each.name == "chosen")
    at = list(zip(chosen.x.tolist(), chosen.y.tolist(), strict=True))
    positions = zip(result.items.low.tolist(), result.items.y.tolist(), strict=True)
    expected = [result.items.places[k].tolist() for k, index in enumerate(positions) if index in at]
    runs = page.dom.words_in(entry.run(page, entry.params(), "dom").spans)
    assert [runs[0, 0], runs[-1, 1]] in expected
