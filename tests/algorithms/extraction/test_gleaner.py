"""Gleaner: blocks, labels, trees, the choice of blocks, and explanations."""

from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import resources
from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner.completion import (
    between_kept,
    complete_blocks,
    in_scraps,
    list_sections,
)
from algorithms.extraction.gleaner.expected_f1 import KeptBlocks, best_set
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.results import keep_words
from engine.source import Source

CORPUS = sorted(resources.path("corpus").rglob("index.html"))
BLOCKS = st.lists(
    st.tuples(st.integers(0, 20).map(lambda n: n / 20), st.integers(1, 30)), min_size=1, max_size=8
)


@given(blocks=BLOCKS)
def test_no_other_set_of_blocks_has_a_higher_expected_f1(blocks):
    chance, words = (np.array(column, dtype=np.float64) for column in zip(*blocks, strict=True))

    def expected_f1(chosen):
        chosen = list(chosen)
        common = (chance * words)[chosen].sum()
        return 2 * common / max(words[chosen].sum() + (chance * words).sum(), 1e-9)

    every = range(len(blocks))
    best = max(
        map(
            expected_f1, chain.from_iterable(combinations(every, k) for k in range(len(blocks) + 1))
        )
    )
    is_kept, f1, limit = best_set(chance, words)
    assert f1 == pytest.approx(best)
    assert expected_f1(np.flatnonzero(is_kept)) == pytest.approx(best)
    assert (chance[is_kept] >= limit - 1e-12).all()
    assert (chance[~is_kept] <= limit + 1e-12).all()


def test_no_block_is_kept_if_too_few_words_are_expected():
    chance, words = np.array([0.9, 0.1]), np.array([5.0, 20.0])
    assert not best_set(chance, words, least=10)[0].any()
    assert best_set(chance, words, least=6)[0].tolist() == [True, False]


def test_it_keeps_an_article_and_leaves_the_menu_and_the_footer():
    story = "".join(
        f"<p>The harbour was quiet that morning, and number {k} of the boats had not come back "
        "yet, although everybody in the town was waiting for it.</p>"
        for k in range(12)
    )
    html = (
        "<title>The harbour</title>"
        "<nav><ul><li><a href=/>Home</a><li><a href=/b>Shop</a></ul></nav>"
        f"<article><h1>The harbour</h1>{story}</article>"
        "<footer class=site-footer><p>© 2024 All rights reserved. Privacy policy</p></footer>"
    )
    source = Source.from_text(html)
    text = gleaner.extract(source, gleaner.GleanerParams()).text
    assert text.count("The harbour was quiet") == 12
    assert "Shop" not in text
    assert "Privacy" not in text


def test_decisions_name_the_expected_share_and_the_page_type():
    source = Source.from_bytes(CORPUS[0].read_bytes())
    trace = gleaner.trace(source, gleaner.GleanerParams())
    sentence = trace.decisions(0)[-1].sentence
    assert "expected share of content" in sentence
    assert "the page is probably of type" in sentence


# What belongs to what is kept -----------------------------------------------------------------
_LONG = (
    "<p>The valley has been farmed for four hundred years, and the families who live there "
    "remember every flood since the first wall was raised across the river.</p>"
)


def _text(page):
    return gleaner.extract(Source.from_text(page), gleaner.GleanerParams()).text


def test_symbols_between_kept_texts_are_kept():
    table = (
        "<table><tr><th>Sign<th>Meaning<tr><td>&amp;&amp;<td>both of the stations report a flood"
        "<tr><td>||<td>either of the two stations reports a flood</table><pre>:-)</pre>"
    )
    text = _text(f"<title>x</title><main><h1>Signs</h1>{_LONG}{table}{_LONG.upper()}</main>")
    assert "&&" in text
    assert "||" in text
    assert ":-)" in text


def test_a_page_with_few_words_returns_its_visible_text():
    assert _text("<title>Soon</title><p>Coming soon.</p>") == "Coming soon."
    assert _text("<title>x</title><script>1</script>") == ""


_LINE = "The engineers found that the lower gate had moved by the width of a hand."
_LINKS = "".join(f"<li><a href=/{at}>Walk {at} along the river</a>" for at in range(12))
_CARDS = "".join(f"<div><a href=/{at}><h3>Teapot {at}</h3></a> ${at}.50</div>" for at in range(9))
_PICTURES = "".join(
    f"<figure><img src={at}.jpg><figcaption>Gate {at} in spring</figcaption></figure>"
    for at in range(5)
)


@pytest.mark.parametrize("guideline", [gleaner.ALL_CONTENT, gleaner.ONE_ARTICLE])
@pytest.mark.parametrize(
    ("body", "says"),
    [
        (f"<ul>{_LINKS}</ul>", "Walk 7 along the river"),
        (_CARDS, "Teapot 5"),
        ("".join(f"<article><a href=/{at}>Album {at}</a> 2024</article>" for at in range(8)),
         "Album 3"),
        (_PICTURES, "Gate 2 in spring"),
        (f"<p>{_LINE}", _LINE),
        (_LINE, _LINE),
        ("<table><tr><th>Station<th>Reading<tr><td>Mill<td>12<tr><td>Gate<td>7</table>", "Mill"),
        ("<pre><code>import os\nprint(os.name)</code></pre>", "print"),
        (f"<form id=aspnetForm><div><table><tr><td><p>{_LINE}</table></div></form>", _LINE),
        (f"<form><p>{_LINE}<label>Name <input></label></form>", _LINE),
        (f"<header><h1>Notes</h1><p>{_LINE}</header>", _LINE),
        (f"<footer><p>{_LINE}</footer>", _LINE),
        (f"<nav><p>{_LINE}<ul>{_LINKS}</ul></nav>", _LINE),
        (f"<aside><p>{_LINE}</aside>", _LINE),
        (f"<dialog open><p>{_LINE}</dialog>", _LINE),
        (f"<button>{_LINE}</button>", _LINE),
        (f"<details><summary>More</summary><p>{_LINE}</details>", _LINE),
        ("<h1>Gate</h1>", "Gate"),
        ("<p>:-)", ":-)"),
    ],
)  # fmt: skip
def test_a_page_that_shows_text_is_never_empty(body, says, guideline):
    source = Source.from_text(f"<!doctype html><title>Gate</title><body>{body}</body>")
    params = gleaner.GleanerParams(guideline=guideline)
    assert says in " ".join(gleaner.extract(source, params).text.split())


def test_the_short_closing_sentence_of_a_section_is_kept():
    def kept(closing, likely):
        source = Source.from_text(f"<title>x</title><main>{_LONG}{closing}<h2>Next</h2></main>")
        chance, is_kept = np.array([0.9, likely, 0.0]), np.array([True, False, False])
        choice = KeptBlocks(is_kept, 1.0, 0.5, chance, np.zeros(3, dtype=bool))
        return complete_blocks(source, choice, chance).tolist()[1]

    assert kept("<p>That is all that is known.</p>", 0.2)
    assert not kept("<p>That is all that is known.</p>", 0.1)
    assert not kept("<p>Share this page</p>", 0.2)
    assert not kept("<p><a href=/t>That is all that is known.</a></p>", 0.2)


def test_collapsed_details_next_to_paragraphs_are_kept():
    opened = f"<details><summary>How it was measured</summary><p>{_LINE}</details>"
    paragraphs = "".join(_LONG.replace("wall", thing) for thing in ("wall", "gate", "mill"))
    assert _LINE in _text(f"<title>x</title><main>{paragraphs}{opened}</main>")


def test_a_thread_is_kept_with_all_its_comments():
    box = (
        "<div class='{0} comment'><a class=author href=/u>{1}</a> <time>2026-04-01</time>"
        "<div class=comment-body>{2}</div></div>"
    )
    page = box.format("post", "al", _LONG) + "".join(
        box.format("answer", name, body)
        for name, body in (
            ("bo", _LONG.replace("valley", "farm")),
            ("cy", "<p>All rights reserved."),
            ("di", _LONG.replace("valley", "village")),
        )
    )
    source = Source.from_text(f"<title>x</title><main>{page}</main>")
    params = gleaner.GleanerParams(guideline=gleaner.ONE_ARTICLE)
    text = gleaner.extract(source, params).text
    assert "The farm has" in text
    assert "All rights reserved." in text


def test_the_trace_agrees_with_the_extraction_of_completed_parts():
    page = (
        f"<title>Signs</title><main><h1>Signs</h1>{_LONG}<pre>:-)<br>a</pre>{_LONG.upper()}</main>"
    )
    for guideline in (gleaner.ALL_CONTENT, gleaner.ONE_ARTICLE):
        source, params = Source.from_text(page), gleaner.GleanerParams(guideline=guideline)
        kept = gleaner.trace(source, params).kept
        assert keep_words(source, kept).text == gleaner.extract(source, params).text


def _between(body, chances, kept):
    """Return the texts that an article keeps between others, with the limit 0.5."""
    source = Source.from_text(f"<title>x</title><main>{body}</main>")
    chance = np.array(chances)
    choice = KeptBlocks(np.array(kept), 1.0, 0.5, chance, np.zeros(len(kept), dtype=bool))
    added = between_kept(source, choice, chance, choice.is_kept)
    return [
        text.strip()
        for text, is_added in zip(text_runs(source).texts, added, strict=True)
        if is_added
    ]


def test_the_rest_of_a_list_between_kept_text_is_kept_of_an_article():
    items = "<p>Before it</p><ul><li><a href=a>Rivers</a><li><a href=b>Weirs</a></ul><p>After it"
    kept = [True, False, False, True]
    assert _between(items, [0.9, 0.35, 0.4, 0.9], kept) == ["Rivers", "Weirs"]
    assert _between(items, [0.9, 0.1, 0.2, 0.9], kept) == []
    assert _between(items, [0.9, 0.4, 0.4, 0.4], [True, False, False, False]) == []
    assert _between(items.replace("ul>", "nav>"), [0.9, 0.4, 0.4, 0.9], kept) == []


def test_one_block_alone_between_kept_text_must_be_more_probable():
    body = "<p>Before it</p><p>Share this page</p><p>After it</p>"
    assert _between(body, [0.9, 0.35, 0.9], [True, False, True]) == []
    assert _between(body, [0.9, 0.45, 0.9], [True, False, True]) == ["Share this page"]


def test_a_list_with_a_heading_next_to_paragraphs_belongs_to_the_article():
    text = "<p>One</p><p>Two</p><p>Three</p>"
    links = "<h2>External links</h2><ul><li><a href=a>River</a><li><a href=b>Weir</a></ul>"
    kept = np.array([True, True, True, False, False, False])

    def added(body, likely):
        source = Source.from_text(f"<title>x</title>{body}")
        chance = np.where(kept, 0.9, likely)
        choice = KeptBlocks(kept, 1.0, 0.5, chance, np.zeros(6, dtype=bool))
        return list_sections(source, choice, chance, kept)

    assert added(f"<main>{text}{links}</main>", 0.1).tolist() == (~kept).tolist()
    assert not added(f"<main>{text}{links}</main>", 0.02).any()
    assert not added(f"<main><div>{text}</div>{links}</main>", 0.1).any()
    assert not added(
        f"<main>{text}{links.replace('External links', 'Other posts')}</main>", 0.1
    ).any()
    assert not added(f"<main>{text}{links.replace('h2>', 'b>')}</main>", 0.1).any()


def test_a_few_cells_of_a_table_are_scraps():
    rows = "".join(f"<tr><th>Label {row}<td>Value of {row}" for row in range(6))
    source = Source.from_text(f"<title>x</title><table>{rows}</table><p>Text of the page.</p>")
    few = np.arange(13) < 2
    assert in_scraps(source, few | (np.arange(13) == 12)).tolist() == few.tolist()
    assert not in_scraps(source, np.arange(13) > 3).any()
