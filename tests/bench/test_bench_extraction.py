"""How long reading, extracting and scoring take, as ratios to lexbor's parse of the same bytes.

Run with ``pytest tests/bench --benchmark-only``; a table of ratios is printed at the end.  The
pages are nine real ones around the median size where the data sets are there, else one written
here of that size.  Times are medians of whole passes over these pages.
"""

import pytest
from selectolax.lexbor import LexborHTMLParser

from algorithms.core.catalogue import EXTRACTORS
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words
from engine.source import Source
from tests.corpora import documents

WRITTEN = (
    "<html><head><title>t</title><style>p{}</style></head><body>"
     "<ul class=menu>" + "<li class='item'><a href='/a/long/address/of/a/page'>some link</a>" * 400
    + "</ul><article>" + f"<p class=text>{'many <b>words</b> of a story, ' * 14}</p>\n" * 90
    + "</article><script>" + "var x = 1;" * 2000 + "</script></body></html>"
)  # fmt: skip


@pytest.fixture(scope="module")
def pages(request):
    """Bytes, sources with tokens, words and tree at hand, and gold texts."""
    try:
        datasets = request.getfixturevalue("datasets")
    except pytest.skip.Exception:
        gold = "many words of a story, " * 14 * 90
        result = [(WRITTEN.encode(), Source.from_text(WRITTEN), gold)]
    else:
        all_pages = sorted(documents(datasets, "readability-pages"), key=lambda p: len(p.data))
        real = [page for page in all_pages if len(page.data) > 20_000]
        middle = real[len(real) // 2 - 4 : len(real) // 2 + 5]
        result = [(page.data, page.source, page.gold) for page in middle]
    for _, source, _ in result:
        source.words, source.tree  # noqa: B018
    return result


@pytest.fixture(scope="module")
def table(request):
    """Names and median seconds; printed when the module is done."""
    medians: dict[str, float] = {}
    yield medians
    if not medians:
        return
    reference = medians.get("lexbor")
    capture = request.config.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        print("\n\nper page, in times a lexbor parse of the same bytes")
        for name, seconds in medians.items():
            ratio = f"{seconds / reference:8.2f}" if reference else ""
            print(f"  {name:<28}{ratio} {seconds * 1000:9.3f} ms")


@pytest.fixture
def timed(benchmark, table, pages):
    """Time one pass over the pages and note the median per page."""

    def run(name, once):
        benchmark.pedantic(lambda: [once(page) for page in pages], rounds=15, warmup_rounds=2)
        table[name] = benchmark.stats.stats.median / len(pages)
        assert table[name] > 0

    return run


def test_lexbor(timed):
    timed("lexbor", lambda page: LexborHTMLParser(page[0]))


def test_decode(timed):
    timed("decode", lambda page: Source.from_bytes(page[0], "utf-8"))


def test_tokens(timed):
    timed("tokens", lambda page: Source.from_text(page[1].html).tokens)


def _bare(source):
    """A source with the same tokens, and nothing else, computed."""
    fresh = Source.from_text(source.html)
    fresh.__dict__["tokens"] = source.tokens
    return fresh


def test_words(timed):
    timed("words", lambda page: _bare(page[1]).words)


def test_tree(timed):
    timed("tree", lambda page: _bare(page[1]).tree)


@pytest.mark.parametrize("entry", EXTRACTORS, ids=lambda entry: entry.key)
def test_method(entry, timed):
    if entry.on_source is None:
        pytest.skip("it reads rendered pages only")
    params = entry.params()

    def once(page):
        page[1].memo.clear()  # what methods share is computed anew
        return entry.on_source(page[1], params)

    timed(entry.key, once)


def test_text_of_an_extract(timed):
    def once(page):
        source = page[1]
        return source.text_of([[0, len(source.html)]])

    timed("text of the whole page", once)


def test_scores_of_ten_extracts_after_a_click(timed, pages):
    """A new gold against ten extracts prepared before: what a click waits for."""
    expected = [entry for entry in EXTRACTORS if entry.on_source][:10]
    prepared = {}
    for _, source, _ in pages:
        extracts = [entry.on_source(source, entry.params()) for entry in expected]
        prepared[id(source)] = [Words(extract.text) for extract in extracts]

    def once(page):
        gold = Words(page[2])
        return [score_words(words, gold) for words in prepared[id(page[1])]]

    for page in pages:
        once(page)
    timed("ten scores, new gold", once)
