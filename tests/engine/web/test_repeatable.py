"""Chance and date are the same each time, where that is wanted."""

from dataclasses import replace

import pytest

from annotate.datasets.opening import open_document
from engine.archive import pack
from engine.document import with_repeatable
from engine.page_cache import Snapshots
from engine.web.capture import CHANCE, REPEATED

pytestmark = pytest.mark.web

HTML = b"""<!doctype html><body><script>
const bytes = crypto.getRandomValues(new Uint8Array(4));
document.body.append([Math.random(), Date.now(), new Date().getTime(), Date(), bytes,
  crypto.randomUUID?.(), new Date(2020, 1, 2).getFullYear()].join(' '));
</script><iframe srcdoc="<script>document.write(Math.random())</script>"></iframe>"""


def test_a_local_page_is_the_same_each_time(browser):
    document = open_document(HTML)
    assert document.is_repeatable
    assert pack(browser.capture(document)) == pack(browser.capture(document))


def test_chance_and_date_are_real_where_that_is_wanted(browser):
    document = replace(open_document(HTML), repeatable=False)
    one, other = browser.capture(document), browser.capture(document)
    assert one.dom.html != other.dom.html
    fixed = browser.capture(open_document(HTML))
    assert "2026" in fixed.dom.html


def test_live_pages_have_real_chance_and_date():
    assert not open_document("https://example.org/").is_repeatable
    assert replace(open_document("https://example.org/"), repeatable=True).is_repeatable


@pytest.mark.parametrize(
    "script",
    [
        "const until = Date.now() + 5000; while (Date.now() < until); say(true)",
        "class Day extends Date {} say(new Day() instanceof Date && new Day() instanceof Day)",
        "say(new Date(0).constructor === Date && typeof Date() === 'string')",
    ],
)
def test_a_fixed_date_is_still_a_date(capture, script):
    page = capture(
        "<!doctype html><body><script>const say = (fits) => document.body.append(fits && 'later');"
        f"{script}</script>"
    )
    assert page.nodes.text[-1] == "later"


def test_what_was_asked_for_is_said_in_the_pages_notes(browser):
    document = open_document(HTML)
    assert browser.capture(document).notes == ()
    assert browser.capture(with_repeatable(document, True)).notes == (REPEATED,)
    assert browser.capture(with_repeatable(document, False)).notes == (CHANCE,)


def test_a_snapshot_with_repeatable_is_none_without(tmp_path):
    snapshots = Snapshots(tmp_path, "browser 1")
    document = open_document(HTML)
    asked = [None, True, False]
    assert len({snapshots.path(with_repeatable(document, each)) for each in asked}) == 3
