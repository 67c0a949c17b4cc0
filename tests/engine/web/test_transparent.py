"""Test that text which is transparent, and in no block therefore, is said."""

import pytest

pytestmark = pytest.mark.web

WORDS = "Boats leave the old pier every forty minutes on all days of the week"


@pytest.mark.parametrize(
    ("html", "is_said"),
    [
        (f"<p style='opacity:0'>{WORDS}", True),
        (f"<div style='opacity:0'><p>{WORDS}<p style='position:absolute'>and more</div>", True),
        ("<p style='opacity:0'>Boats", False),
        (f"<p style='opacity:.1'>{WORDS}", False),
        (f"<p style='opacity:0;display:none'>{WORDS}", False),
        (f"<p style='opacity:0;visibility:hidden'>{WORDS}", False),
        (f"<div style='position:fixed'><p style='opacity:0'>{WORDS}</div>", False),
    ],
)
def test_transparent_words_in_the_flow_are_said(capture, html, is_said):
    page = capture("<!doctype html>" + html)
    assert any("words are transparent" in note for note in page.notes) == is_said
