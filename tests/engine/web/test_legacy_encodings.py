"""Test that a page in every encoding is rendered with its letters."""

import pytest

from engine.document import plain_document
from engine.encoding import decode
from engine.errors import CaptureError
from engine.web.legacy_encodings import encodings, problems, sample

pytestmark = pytest.mark.web


@pytest.mark.slow
def test_pages_of_every_encoding_are_rendered_with_their_letters(browser):
    assert len(encodings()) > 30
    assert problems(browser) == {}


def test_each_sample_has_letters_outside_ascii():
    dumb = [name for name in encodings() if decode(sample(name))[0].isascii()]
    assert dumb == []
    assert not any("\ufffd" in decode(sample(name))[0] for name in encodings())


def test_a_page_that_fails_is_named_with_its_encoding(browser, monkeypatch):
    capture = browser.capture

    def dying(document):
        if b"koi8-r" in document.data:
            raise CaptureError("the renderer died")
        return capture(plain_document(b"<p>other letters"))

    monkeypatch.setattr(browser, "capture", dying)
    monkeypatch.setattr("engine.web.legacy_encodings.encodings", lambda: ("koi8-r", "big5"))
    assert problems(browser) == {
        "koi8-r": "the renderer died", "big5": "other letters than the page has",
    }  # fmt: skip
