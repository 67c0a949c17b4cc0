"""Test fixed random numbers and dates."""

from dataclasses import replace

import pytest

from annotate.datasets.opening import open_document
from engine.archive import pack
from engine.document import with_repeatable
from engine.page_cache import Snapshots
from engine.web.collecting import CHANCE, REPEATED

pytestmark = pytest.mark.web

HTML = b"""<!doctype html><body><script>
const bytes = crypto.getRandomValues(new Uint8Array(4));
document.body.append([Math.random(), Date.now(), new Date().getTime(), Date(), bytes,
  crypto.randomUUID?.(), new Date(2020, 1, 2).getFullYear()].join(' '));
</script><iframe srcdoc="<script>document.write(Math.random())</script>"></iframe>"""


def test_a_local_page_is_captured_identically_twice(browser):
    document = open_document(HTML)
    assert document.is_repeatable
    assert pack(browser.capture(document)) == pack(browser.capture(document))


def test_random_numbers_and_dates_are_real_if_not_repeatable(browser):
    document = replace(open_document(HTML), repeatable=False)
    one, other = browser.capture(document), browser.capture(document)
    assert one.dom.html != other.dom.html
    fixed = browser.capture(open_document(HTML))
    assert "2026" in fixed.dom.html


def test_live_pages_are_not_repeatable_by_default():
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
def test_a_fixed_date_advances_and_is_a_date(capture, script):
    page = capture(
        "<!doctype html><body><script>const say = (fits) => document.body.append(fits && 'later');"
        f"{script}</script>"
    )
    assert page.nodes.text[-1] == "later"


def test_an_explicit_choice_of_repeatable_is_noted_in_the_page(browser):
    document = open_document(HTML)
    found = [
        {REPEATED, CHANCE} & {*browser.capture(each).notes}
        for each in (document, with_repeatable(document, True), with_repeatable(document, False))
    ]
    assert found == [set(), {REPEATED}, {CHANCE}]


def test_snapshots_with_and_without_repeatable_are_kept_separately(tmp_path):
    snapshots = Snapshots(tmp_path, "browser 1")
    document = open_document(HTML)
    asked = [None, True, False]
    assert len({snapshots.path(with_repeatable(document, each)) for each in asked}) == 3
