"""CETR: the paper's lines, its listing, its clusters."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.extraction.cetr import (
    METHODS,
    above_deviation,
    cluster,
    off_origin,
    outside_lowest,
    smooth_ratios,
    tag_ratios,
)
from algorithms.signals.smoothing import gaussian_kernel
from engine.source import Source

# Lines with as many letters and tags as the paper's Example 1.
EXAMPLE = """<div id="top">
<div id="story">
<div id="by">Jane Miller</div>
Thirty-seven characters have no tags.
A line of forty-one characters has two... <br><br>
</div></div>
"""

MENU = "<ul>\n" + "<li><a href=x>some link</a></li>\n" * 40 + "</ul>\n"
STORY = "".join(f"<p>{'many words of a story ' * 6}</p>\n" for _ in range(12))


def test_the_papers_six_lines():
    assert tag_ratios(Source.from_text(EXAMPLE)).ratio.tolist() == [0, 0, 5.5, 37, 20.5, 0]


@pytest.mark.parametrize(
    ("html", "ratios"),
    [
        ("", []),
        ("\n\n", []),
        ("ab cd", [5]),
        ("a\n\n\n<b>cde", [1, 3]),
        ("<a\nhref=x>ab</a>\n", [1]),
        ("<script>\nx\n</script>ab<style>\n</style>\n<p>", [2, 0]),
        ("a<!-- \n\n -->b", [2]),
        ("a \t  b<i>c", [4]),
        ("&amp;&nbsp;&amp;", [3]),
    ],
)
def test_characters_per_tag_on_each_line(html, ratios):
    assert tag_ratios(Source.from_text(html)).ratio.tolist() == ratios


def test_lines_are_wrapped_after_65_characters_but_not_in_tags():
    html = "<p>" + "x" * 100 + "<a href='" + "y" * 80 + "'>" + "z" * 10 + "</a>"
    lines = tag_ratios(Source.from_text(html), "always")
    assert lines.ratio.tolist() == [62 / 1, 38 / 1, 10 / 1]
    assert lines.word.tolist() == [0, 0, 1]


def test_the_rewrap_parameter_selects_the_pages_that_are_wrapped():
    one_line = "<p>" + "word " * 60
    long_lines = ("<p>" + "word " * 120 + "\n") * 2
    count = {
        (name, rewrap): tag_ratios(Source.from_text(html), rewrap).ratio.size
        for name, html in (("one", one_line), ("long", long_lines))
        for rewrap in ("never", "single", "long", "always")
    }
    assert count["one", "never"] == 1
    assert count["one", "single"] == count["one", "always"] > 1
    assert count["one", "long"] == 1
    assert count["long", "single"] == 2
    assert count["long", "long"] == count["long", "always"] > 2


@given(st.text(alphabet="ab <p>\n/", max_size=200))
def test_every_word_is_on_a_line(html):
    source = Source.from_text(html)
    for rewrap in ("never", "always"):
        lines = tag_ratios(source, rewrap)
        assert set(lines.word.tolist()) == set(range(len(source.words)))
        everything = np.ones(lines.ratio.size, dtype=bool)
        assert lines.words_on(everything, len(source.words)).all()


def test_smoothing_is_the_papers_weighted_mean():
    values = np.array([0.0, 0.0, 9.0, 3.0, 0.0, 6.0, 0.0, 0.0, 12.0])
    sigma = float(np.std(values))
    radius = int(np.ceil(sigma))
    kernel = gaussian_kernel(radius, sigma)
    middle = sum(
        kernel[k] * values[4 - radius + k] for k in range(2 * radius + 1) if 0 <= 4 - radius + k < 9
    )
    weights = sum(kernel[k] for k in range(2 * radius + 1) if 0 <= 4 - radius + k < 9)
    assert smooth_ratios(values)[4] == pytest.approx(middle / weights)
    assert smooth_ratios(np.full(5, 2.0)).tolist() == [2.0] * 5


@pytest.mark.parametrize("method", METHODS)
def test_keeps_the_story_and_drops_most_of_the_menu(method):
    source = Source.from_text(MENU + STORY + MENU)
    words = method.on_source(source, method.params()).text.split()
    assert words.count("story") == 72
    assert words.count("link") < 40


@pytest.mark.parametrize("method", METHODS)
def test_a_page_without_tags_is_content(method):
    assert method.on_source(Source.from_text("only\nwords"), method.params()).text == "only words"


@given(st.lists(st.floats(0, 300), max_size=60))
def test_a_higher_lambda_keeps_fewer_lines(ratios):
    ratio = np.array(ratios)
    smooth = smooth_ratios(ratio)
    lines = [above_deviation(ratio, smooth, strictness) for strictness in (0.0, 0.5, 1.0, 3.0)]
    assert lines[0].all()
    for more, less in pairwise(lines):
        assert not np.any(less & ~more)


def test_clusters_of_lines_split_at_the_gaps():
    ratio = np.array([0.0, 1.0, 2.0, 50.0, 52.0, 100.0, 101.0])
    assert outside_lowest(smooth_ratios(ratio, 1e-9)).tolist() == [False] * 3 + [True] * 4


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 20)), min_size=1, max_size=40))
def test_each_point_is_in_its_nearest_cluster_and_one_is_the_origin(points):
    points = np.array(points)
    label = cluster(points, 3)
    centres = [np.zeros(2)] + [
        points[label == k].mean(axis=0) for k in (1, 2) if np.any(label == k)
    ]
    names = [0] + [k for k in (1, 2) if np.any(label == k)]
    for point, own in zip(points, label, strict=True):
        away = {k: np.sum((point - c) ** 2) for k, c in zip(names, centres, strict=True)}
        assert away[own] <= min(away.values()) + 1e-6


def test_jumps_mark_content_where_heights_do_not():
    ratio = np.concatenate((np.zeros(40), np.full(40, 60.0), np.zeros(40)))
    content = off_origin(smooth_ratios(ratio, 2.0), sigma=2.0)
    assert content[42:78].all()
    assert not content[:30].any()
    assert not content[90:].any()
