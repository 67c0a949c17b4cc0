"""Content code blurring against the sums of its listing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algorithms.extraction.ccb import (
    ACCB,
    TCCB,
    CcbParams,
    content_code,
    extract_accb,
    extract_ccb,
)
from algorithms.signals.smoothing import blur, gaussian_kernel
from engine.source import Source

MENU = "<ul>" + "<li><a href='/somewhere/far/away'>x</a></li>" * 30 + "</ul>"
STORY = "<p>" + "words with <a href='/w'>links</a> and more words of text " * 8 + "</p>"


def letters(html, skip_anchors=False, by_character=True):
    vector = content_code(Source.from_text(html), by_character, skip_anchors)
    return "".join("#" if value else "." for value in vector.values)


@pytest.mark.parametrize(
    ("html", "vector"),
    [
        ("<b>ab c</b>", "...###...."[:3] + "###" + "...."),
        ("<p id = x>&amp;&nbsp;a</p>", "......." + "##" + "...."),
        ("a<!-- no -->b<script>no</script>c<style>x</style>", "###"),
        ("<!DOCTYPE html>a", "#"),
    ],
)
def test_characters_are_content_or_code(html, vector):
    assert letters(html) == vector


def test_tags_of_links_can_be_left_out():
    assert letters("<a href=x>ab</a><i>c</i>", skip_anchors=True) == "##...#...."


def test_tokens_are_atoms_too():
    assert letters("<p>two words</p>", by_character=False) == ".##."


def one_pass(values, radius, sigma):
    """The inner loops of Algorithm 6.3; past the ends there is nothing."""
    weight = gaussian_kernel(radius, sigma)
    result = []
    for i in range(len(values)):
        near = [
            (values[i + j], weight[j + radius])
            for j in range(-radius, radius + 1)
            if 0 <= i + j < len(values)
        ]
        result.append(sum(v * w for v, w in near) / sum(w for _, w in near))
    return result


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.integers(1, 12))
def test_one_pass_is_the_listings_weighted_mean(values, radius):
    assert blur(values, radius, radius / 2) == pytest.approx(one_pass(values, radius, radius / 2))


@given(st.lists(st.integers(0, 1), min_size=60, max_size=120), st.integers(1, 4), st.integers(2, 5))
def test_many_passes_at_once_are_passes_one_by_one(values, radius, times):
    slow = values
    for _ in range(times):
        slow = one_pass(slow, radius, radius / 2)
    fast = blur(values, radius, radius / 2, times)
    inside = slice(radius * times, len(values) - radius * times)  # where no edge is near
    assert fast[inside] == pytest.approx(slow[inside])


@given(st.integers(1, 300), st.integers(1, 40), st.integers(1, 12))
def test_a_constant_stays_constant_to_its_ends(size, radius, times):
    assert blur(np.full(size, 0.7), radius, radius / 2, times) == pytest.approx(0.7)


def test_the_two_ways_to_sum_agree():
    values = np.random.default_rng(5).random(20_000)
    direct = blur(values, 40, 20.0)
    assert blur(np.append(values, np.zeros(40_000)), 40, 20.0)[:15_000] == pytest.approx(
        direct[:15_000]
    )


@pytest.mark.parametrize("method", [ACCB, TCCB])
def test_keeps_the_story_and_drops_the_menu(method):
    text = method.on_source(Source.from_text(MENU + STORY + MENU), method.params()).text
    assert text.split() == ("words with links and more words of text " * 8).split()


def test_tags_of_links_count_for_ccb_only():
    linked = "<p>" + "<a href='/an/address'>some</a> words with links " * 10 + "</p>"
    html = MENU + linked + MENU
    assert len(extract_accb(Source.from_text(html), CcbParams()).text) > 200
    assert extract_ccb(Source.from_text(html), CcbParams()).text == ""


def test_a_higher_threshold_keeps_less():
    source = Source.from_text(MENU + STORY + MENU)
    sizes = [len(extract_accb(source, CcbParams(threshold=t)).text) for t in (0.0, 0.5, 0.75, 1.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 0


def test_single_words_are_kept_only_on_request():
    html = MENU + "<p>" + "words " * 30 + "</p>" + MENU
    blocks = extract_accb(Source.from_text(html), CcbParams()).text.split()
    words = extract_accb(Source.from_text(html), CcbParams(whole=False)).text.split()
    assert len(words) < len(blocks) == 30


def test_a_tolerance_stops_early_or_never_later():
    source = Source.from_text(MENU + STORY + MENU)
    full = extract_accb(source, CcbParams(passes=10)).text
    assert extract_accb(source, CcbParams(tolerance=1e-9)).text == full
    once = extract_accb(source, CcbParams(passes=1)).text
    assert extract_accb(source, CcbParams(tolerance=1.0)).text == once
