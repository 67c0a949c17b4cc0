"""Test that hostile samples are read or refused in time, and the next page loads."""

import re
import time

import pytest

from annotate.datasets.opening import open_document
from engine.errors import CaptureError

pytestmark = [pytest.mark.web, pytest.mark.data]

READ = {
    "charset-hz": "encoding that browsers do not read for safety's sake",
    "charset-replacement": "but one U+FFFD",
    "svg-video": "",
    "svg-marquee": "",
    "fencedframe": "a <fencedframe> cannot be read",
    "f-fenced": "a <fencedframe> cannot be read",
    "portal": "a <portal> cannot be read",
    "f-portal-reload": "",
    "blank-self": "blank",
    "j-loc-blank": "blank",
    "f-bust": "",  # the browser itself ignores a page that goes away too often, and says nothing
    "frame-bust-blank": "",
    "clobber-frame-removed": "",
    "clobber-names": "",
    "clobber-nodes": "",
    "clobber-one": "",
    "clobber-pagelet": "",
    "clobber-pagelet-frame": "",
    "clobber-pagelet-id": "",
    "clobber-settling": "",
    "clobber-two": "",
    "d-clobber-3": "",
    "document-open-loop": "kept changing",
    "j-infinite-scroll": "",
    "j-console-flood": "",
    "j-mem-attr": "4,000,000",
    "s-attrs-100k": "1,000 attributes",
    "tall": "",
    "tall-blend": "",
    "tall-blur": "",
    "tall-wide-blur": "",
    "missing/index": "",
}
"""The samples that must be read, each with a word of the note that must come with it."""

TAKE_SECONDS = ("f-bust", "document-open-loop", "j-infinite-scroll", "missing/index")


@pytest.fixture(autouse=True)
def and_the_next_page_still_loads(capture):
    yield
    assert capture("<!doctype html><p>next</p>").nodes.text[-1] == "next"


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.slow) if n in TAKE_SECONDS else n for n in READ],
)
def test_hostile_samples_are_read_with_their_notes(browser, hostile, name):
    began = time.monotonic()
    page = browser.capture(open_document(hostile / f"{name}.html"))
    assert len(page.nodes) >= 3
    assert READ[name] in " ".join(page.notes)
    assert time.monotonic() - began < 25


@pytest.mark.parametrize("name", ["n-tabletrtd-2000", "g-random-29"])
def test_deeply_nested_samples_are_read_or_refused_with_a_reason(browser, hostile, name):
    try:
        page = browser.capture(open_document(hostile / f"{name}.html"))
    except CaptureError as error:
        assert re.search("has died|took more than", str(error))  # noqa: PT017
        assert ("nested 6,001 deep" in str(error)) == (name == "n-tabletrtd-2000")  # noqa: PT017
    else:
        assert len(page.nodes) >= 3


@pytest.mark.long
@pytest.mark.parametrize("name", ["f-many-blank", "j-img-many", "g-random-28"])
def test_large_samples_are_read_or_refused_within_a_minute(browser, hostile, name):
    began = time.monotonic()
    try:
        browser.capture(open_document(hostile / f"{name}.html"))
    except CaptureError as error:
        assert re.search("not read in time|took more than|hangs: ", str(error))  # noqa: PT017
    assert time.monotonic() - began < 65
