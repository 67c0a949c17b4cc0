"""The quotation marks that a browser draws around ``q``, by language (Unicode CLDR, main marks)."""

from lxml.html import HtmlElement

_MARKS = {
    "“”‘’": "en nl pt ko th tr vi zh",
    "„“‚‘": "de bg cs et is ka lt lv sk sl sr hr mk",
    "«»“”": "es it el ca hy fa eu gl sq fr",
    "«»„“": "ru uk be kk ky",
    "„”«»": "pl ro hu",
    "””’’": "sv fi he",
    "「」『』": "ja",
    "«»‹›": "de-ch it-ch rm",
    "«»‘’": "no nb nn",
    "”“’‘": "ar",
}
_BY_LANGUAGE = {name: marks for marks, names in _MARKS.items() for name in names.split()}


def quotation_marks(quote: HtmlElement) -> tuple[str, str]:
    """Return the marks before and after a ``q``: the inner ones where it is in another."""
    language = quote.get("lang", "").lower().replace("_", "-")
    marks = _BY_LANGUAGE.get(language) or _BY_LANGUAGE.get(language.partition("-")[0], "“”‘’")
    depth = sum(1 for _ in quote.iterancestors("q")) % 2
    return marks[2 * depth], marks[2 * depth + 1]
