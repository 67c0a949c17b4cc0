"""A quote is found where the page has its letters, whatever form their accents and blanks have.

Browser annotators quote the text of the DOM, which has no blank between cells and blocks; macOS
and some editors keep accents apart.  The independent truth: both are the same to
`unicodedata.normalize` without white space.
"""

import unicodedata

import pytest

from annotate.marks.gold import MarkState
from annotate.plugins.exchange import file_marks
from tests.annotate.pages import page_of
from tests.plugins.exchange.mark_files import annotation, imported, quotes

_WORDS = "The café of Île and Ångström; ガラス stands"
_PAGES = {form: unicodedata.normalize(form, _WORDS) for form in ("NFC", "NFD")}
_CELLS = "<table><tr><td>gauge</td><td>wheel</td></tr></table><p>rope.</p><p>Tar it</p>"


def _bare(text):
    return unicodedata.normalize("NFC", "".join(text.split()))


def _found(body, exact, folder, **context):
    page = page_of(body, url="https://example.org/story.html")
    selector = {"type": "TextQuoteSelector", "exact": exact, **context}
    marks, account = imported(page, folder, "webannotation", annotation(selector))
    return [*filter(None, quotes(page, marks))], [mark.state for mark in marks], account


@pytest.mark.parametrize("form", _PAGES)
@pytest.mark.parametrize("quoted", _PAGES)
@pytest.mark.parametrize("words", [slice(4, 8), slice(4, 15), slice(0, None), slice(31, 34)])
def test_accents_apart_are_the_same_letters(form, quoted, words, tmp_path):
    exact = unicodedata.normalize(quoted, _WORDS[words])
    found, states, account = _found(f"<p>{_PAGES[form]}</p>", exact, tmp_path)
    assert list(map(_bare, found)) == [_bare(exact)]
    assert states == [MarkState.EXACT]
    assert account.taken == 1


@pytest.mark.parametrize("exact", ["gaugewheel", "rope.Tar", "gauge wheel", "wheelrope.\n Tar it"])
def test_a_quote_over_cells_and_blocks_needs_no_blanks(exact, tmp_path):
    found, states, _ = _found(_CELLS, exact, tmp_path)
    assert "".join(map(_bare, found)) == _bare(exact)
    assert states == [MarkState.EXACT]


def test_other_letters_are_not_found(tmp_path):
    for exact in ("cafe", "gauge-wheel", "wheelgauge"):
        found, _, account = _found(f"<p>{_WORDS}</p>{_CELLS}", exact, tmp_path)
        assert (found, account.lost.total()) == ([], 1)


def test_the_oracle_finds_a_form_that_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(file_marks, "_found_bare", lambda *_: iter(()))
    found, _, _ = _found(f"<p>{_PAGES['NFD']}</p>", "café", tmp_path)
    assert found == []
