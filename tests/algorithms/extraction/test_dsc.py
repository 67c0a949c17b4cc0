"""DSC and ADSC against the printed listing, corrected as its text describes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.extraction.dsc import (
    AdscParams,
    DscParams,
    extract_adsc,
    extract_dsc,
    low_regions,
    window_size,
)
from engine.source import Source

MENU = "<ul>" + "<li><a>x</a></li>" * 30 + "</ul>"
STORY = "<p>" + "word " * 60 + "</p>"


def test_drops_menus_and_keeps_both_stories():
    html = MENU + STORY + MENU + STORY.replace("word", "more") + MENU
    text = extract_dsc(Source.from_text(html), DscParams()).text.split()
    assert text.count("word") > 50
    assert text.count("more") > 50
    assert text.count("x") < 20


@pytest.mark.parametrize(
    ("m", "width"), [(10, 8), (199, 8), (200, 8), (2600, 29), (5000, 50), (9000, 50)]
)
def test_window_grows_from_8_to_50_tokens(m, width):
    assert window_size(m) == width


def test_a_page_without_tags_is_content():
    assert extract_dsc(Source.from_text("only words here"), DscParams()).text == "only words here"


def listing(tag, whole):
    """Algorithm 3.2 with a corrected ``else``; ``whole`` labels from the first of 3 windows."""
    n = len(tag)
    d = np.cumsum(tag)
    width = 8 if n < 200 else 50 if n > 5000 else math.ceil(round(0.00875 * n + 6.25, 9))
    label = [0] * n
    history, inside, covered = [None, None], 0, 0
    for i in range(0, n - width, width // 2):
        low = int((d[i + width - 1] - d[i]) / width < 0.5 * d[n - 1] / n)
        if not inside:
            if [low, *history] == [1, 1, 1]:
                inside = 1
                if whole:
                    for j in range(i - 2 * (width // 2), i):
                        label[j] = 1
        elif [low, *history] == [0, 0, 0]:
            inside = 0
        for j in range(i, i + width):
            label[j] = inside
        history = [low, history[0]]
        covered = i + width
    for j in range(covered, n):
        label[j] = inside
    return label


RUNS = st.lists(st.tuples(st.integers(0, 1), st.integers(1, 30)), max_size=16)


def tags(runs):
    return np.array([kind for kind, length in runs for _ in range(length)], dtype=bool)


@given(RUNS, st.booleans())
def test_labels_are_the_listings(runs, whole):
    tag = tags(runs)
    if tag.any():
        result = low_regions(tag, 0.5 * tag.sum() / tag.size, whole=whole)
        assert result.astype(int).tolist() == listing(tag.astype(int).tolist(), whole)


@given(RUNS, st.floats(0, 1))
def test_an_early_end_only_shortens(runs, limit):
    assert not np.any(low_regions(tags(runs), limit, early=True) & ~low_regions(tags(runs), limit))


@given(RUNS)
def test_a_higher_limit_makes_windows_low_that_were_not(runs):
    assert not low_regions(tags(runs), 0.0).any()
    if len(tags(runs)) > 60:
        assert low_regions(tags(runs), 1.01).all()


def test_adsc_does_not_depend_on_the_average_of_the_page():
    links = "<p>" + "two words <a>here</a> " * 40 + "</p>"  # two tags to three words
    html = "<div>plain words</div>" * 3 + links
    all_text = "word " * 3000 + links
    assert len(extract_adsc(Source.from_text(html), AdscParams()).text) > 300
    few_tags = extract_dsc(Source.from_text(all_text), DscParams()).text
    more = extract_adsc(Source.from_text(all_text), AdscParams()).text
    assert few_tags.count("here") < 20
    assert more.count("here") == 40
