"""A quote is found where the page has its letters, whatever form their accents and blanks have.

Browser annotators quote the text of the DOM, which has no blank between cells and blocks; macOS
and some editors keep accents apart.  The independent truth: both are the same to
`unicodedata.normalize` without white space.
"""

import time
import unicodedata

import pytest

from annotate.marks.gold import MarkState
from annotate.marks.page_text import page_text
from annotate.plugins.exchange import quote_search
from tests.annotate.pages import page_of
from tests.plugins.exchange.mark_files import annotation, imported, quotes

_WORDS = "The café of Île and Ångström; ガラス stands by 한글 문서"
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
@pytest.mark.parametrize(
    "words", [slice(4, 8), slice(4, 15), slice(0, None), slice(31, 34), slice(45, 50)]
)
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


def test_the_context_tells_a_quote_with_an_unseen_sign_from_one_without():
    text = page_text(page_of("<p>Example one. Ex\u00adample two.</p>").rendered())
    found = quote_search.quoted_ranges(text, "Example", "one.", " two", 0, len(text.text))
    assert [text.text[slice(*each)] for each in found] == ["Ex\u00adample"]


def test_every_letter_that_can_be_apart_is_one():
    for sign in map(chr, range(0x30000)):
        apart = unicodedata.normalize("NFD", sign)
        if apart != sign and not sign.isspace():
            composed = unicodedata.normalize("NFC", sign)
            assert quote_search._letters(apart, frozenset()).text == composed, hex(ord(sign))


_APART = [
    ("<p>a therapist here</p>", "the rapist"),
    ("<p>a god is now here, he says</p>", "nowhere"),
    ("<p>a god is now\n<b>here</b></p>", "nowhere"),
    ("<p>a god is nowhere<br>at all</p>", "is now here"),
    ("<p>a god is nowhere<br>at all to be seen</p>", "is now here at all to be seen"),
    ("<p>the god<i>less</i> are now here</p>", "the god less are now here"),
]


@pytest.mark.parametrize(("body", "exact"), _APART)
def test_words_that_blanks_part_otherwise_are_not_found_for_certain(body, exact, tmp_path):
    found, states, account = _found(body, exact, tmp_path)
    assert MarkState.EXACT not in states
    assert found == [] or states == [MarkState.MOVED]
    assert account.lost.total() + account.moved == 1


@pytest.mark.parametrize(
    "exact", ["gaugewheel", "gauge wheel", "lastgauge", "wheel rope", "wheelrope"]
)
def test_the_copy_whose_blanks_fit_is_found(exact, tmp_path):
    body = f"<p>lastgau ge wheelro pe</p><p>last</p>{_CELLS}"
    found, states, _ = _found(body, exact, tmp_path)
    assert ["".join(map(_bare, found)), *states] == [_bare(exact), MarkState.EXACT]


def test_many_quotes_cost_the_letters_of_a_page_once(tmp_path):
    page = page_of("".join(f"<p>gau{n}ge</p><p>wheel café {n}</p>" for n in range(4000)))
    text = page_text(page.rendered())
    begun = time.process_time()
    quote_search._page_letters(text)
    once = time.process_time() - begun
    quote_search._page_letters.cache_clear()
    begun = time.process_time()
    for n in range(0, 4000, 40):
        quote = f"gau{n}gewheel cafe\u0301"
        ((start, stop),) = quote_search.quoted_ranges(text, quote, "", "", n, len(text.text))
        assert text.text[start:stop] == f"gau{n}ge wheel café"
    assert time.process_time() - begun < 5 * once


def test_other_letters_are_not_found(tmp_path):
    for exact in ("cafe", "gauge-wheel", "wheelgauge"):
        found, _, account = _found(f"<p>{_WORDS}</p>{_CELLS}", exact, tmp_path)
        assert (found, account.lost.total()) == ([], 1)


def test_the_oracle_finds_a_form_that_is_not_read(tmp_path, monkeypatch):
    monkeypatch.setattr(quote_search, "_found_bare", lambda *_: [])
    found, _, _ = _found(f"<p>{_PAGES['NFD']}</p>", "café", tmp_path)
    assert found == []
