"""Test that a page which sends the browser on is kept, and that this is said."""

import pytest

pytestmark = pytest.mark.web


@pytest.mark.parametrize("script", ["location.replace('next.html')", "location.href = 'next.html'"])
def test_a_script_that_leads_on_is_refused_and_said_to(capture, script):
    page = capture(f"<p>own words<script>{script}</script>", **{"next.html": "<p>elsewhere"})
    assert page.rendered().text_below(0).startswith("own words")
    assert any("go on to next.html" in note for note in page.notes)


def test_a_page_that_stays_has_no_note(capture):
    page = capture("<p>own words<a href=next.html>more</a><script>location.hash = 'a'</script>")
    assert not any("go on to" in note for note in page.notes)
