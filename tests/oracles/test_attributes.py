"""Test that attributes and references are read as independent readers read them."""

from html import unescape

import pytest

from engine import tokenise
from engine.references import resolve
from engine.source import Source
from tests.oracles.attributes_read import difference, pages_below

_PAGE = (
    "<html lang=en><p class='a b'><a href='?page=1&section=2&copy=3&lt=4&amp;x=&eacute;'>b</a>"
    "<img alt='Mill &copy Birch &notit; &#x80;&#1;' src=?a=1&b&reg;=2><br/>"
    '<a href=x/ title = "a>b">'
    '<i =a== b="1"c=2 b=3 d\n=\n>t</i><template><li>a</template><script t=1>{}</script>'
    "<input value='a\r\nb\rc' disabled>"
)


def test_attributes_of_a_page_of_odd_ones_are_those_of_lexbor():
    found = difference(Source.from_text(_PAGE))
    assert found.compared > 12
    assert (found.missing, found.added) == (frozenset(), frozenset())


def test_the_oracle_finds_references_that_are_read_as_in_text(monkeypatch):
    monkeypatch.setattr(tokenise, "resolve_value", unescape)
    assert any(
        "?page=1§ion=2" in value for _, _, value in difference(Source.from_text(_PAGE)).added
    )


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a&copy=b", "a©=b"),
        ("&notit; &notin; &ampx", "¬it; ∉ &x"),
        ("&#x80;&#128 &#0; &#xD800; &#x110000; &#1; &#xFFFE;", "€€ \ufffd \ufffd \ufffd \1 \ufffe"),
        ("&#" + "9" * 5000 + ";&nosuch; & &;", "\ufffd&nosuch; & &;"),
    ],
)
def test_references_in_text_are_resolved_as_in_a_browser(raw, text):
    assert resolve(raw) == text


@pytest.mark.long
def test_attributes_of_all_pages_at_hand_are_those_of_lexbor(datasets, field):
    compared, wrong = 0, []
    for folder in (datasets, field):
        for path, data in pages_below(folder):
            source = Source.from_bytes(data)
            found = difference(source)
            compared += found.compared
            if found.missing or (found.added and "<noscript><iframe" not in source.html):
                wrong.append((path.name, sorted(found.missing)[:1], sorted(found.added)[:1]))
    print(f"{compared} attributes compared, {len(wrong)} pages differ")
    assert compared > 1_000_000
    assert wrong == []
