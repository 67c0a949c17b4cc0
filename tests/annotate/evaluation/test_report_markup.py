"""Elements, file names and numbers of the report's page."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.evaluation.report.markup import (
    Markup,
    breakable,
    decimal,
    join,
    milliseconds,
    probability,
    slug,
    tag,
)
from engine.words import plural


def test_text_is_escaped_and_markup_is_not():
    assert tag("b", "a < b", Markup("<i>x</i>"), None, 3) == "<b>a &lt; b<i>x</i>3</b>"
    assert join(["&", Markup("&amp;")]) == "&amp;&amp;"
    assert tag("a", class_='"', data_value=0, hidden=False, open=True, id=None) == (
        '<a class="&quot;" data-value="0" open></a>'
    )
    assert tag("img", alt="") == '<img alt="">'
    assert breakable("a/<b>") == "a/<wbr>&lt;b&gt;"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.12345, "0.123"), (-0.5, "−0.500"), (-0.0001, "0.000"), (None, "–"), (math.nan, "–")],
)
def test_numbers_have_three_decimals_and_no_minus_zero(value, text):
    assert decimal(value) == text


def test_numbers_are_formatted_with_the_usual_precision():
    assert decimal(0.5, sign=True) == "+0.500"
    assert decimal(0.0, sign=True) == "0.000"
    assert [probability(p) for p in (0.0001, 0.04, 1.0, None)] == ["< .001", ".040", "1.000", "–"]
    assert [milliseconds(ms) for ms in (0.123, 12.34, 1234.5, None)] == [
        "0.12",
        "12.3",
        "1234",
        "–",
    ]
    assert [plural(n, "page") for n in (0, 1, 12345)] == ["0 pages", "1 page", "12,345 pages"]


names = st.lists(st.text(max_size=8), min_size=1, max_size=3)


@given(names, names)
def test_file_names_are_plain_ascii_and_unique(one, other):
    first, second = slug(*one), slug(*other)
    assert first.isascii()
    assert first
    assert not set(first) & set('/\\ :*?"<>|')
    assert not first.startswith(".")
    assert (first == second) == (one == other)


def test_file_names_are_not_too_long():
    assert len(slug("x" * 500)) < 200
    assert slug("kreuzer-random", "dom", "fuzzy") == "kreuzer-random_dom_fuzzy"
