"""Gleaner: blocks, labels, trees, the choice of blocks, and explanations."""

import io
import json
import re
import warnings
import zipfile
import zlib
from contextlib import suppress
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import resources
from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner import text_runs as text_runs_module
from algorithms.extraction.gleaner.block_columns import measured
from algorithms.extraction.gleaner.completion import (
    between_kept,
    completed,
    in_scraps,
    list_sections,
)
from algorithms.extraction.gleaner.expected_f1 import Choice, best_set
from algorithms.extraction.gleaner.gleaner_model import Model, load, model_of, of_bytes
from algorithms.extraction.gleaner.learned import Weights
from algorithms.extraction.gleaner.linked_data import linked_texts
from algorithms.extraction.gleaner.text_runs import hashed, names, text_runs
from algorithms.learning.net import Mixture, Net
from algorithms.plugins.training.boosting import forest_of
from algorithms.plugins.training.gleaner_pages import shares
from algorithms.results import keep_words
from engine.errors import ParameterError
from engine.source import Source

CORPUS = sorted(resources.path("corpus").rglob("index.html"))


def column_of(html, name):
    """Return a column of a page, its blocks by their text."""
    source = Source.from_text(html)
    return dict(zip(text_runs(source).texts, measured(source)[name].tolist(), strict=True))


GRID = (
    "<h1>Lamps</h1><ul class=nav><li>Home<li>Shop<li>About</ul>"
    "<div class=card><h3>Red lamp</h3><p>$9</p></div>"
    "<div class=card><h3>Blue lamp</h3><p>$8</p></div>"
    "<div class=card><h3>Old oak lamp of the shop</h3><p>$99</p></div>"
)


def test_blocks_of_a_list_have_its_length_and_contents_as_features():
    number = {text: np.expm1(n) for text, n in column_of(GRID, "record.number").items()}
    assert number["$9"] == pytest.approx(3)
    assert column_of(GRID, "record.prices")["Blue lamp"] == 1
    assert column_of(GRID, "record.prices")["Shop"] == 0
    assert column_of(GRID, "record.headings")["$9"] == 1
    assert column_of(GRID, "record.rank")["$9"] < column_of(GRID, "record.rank")["Shop"]
    assert column_of(GRID, "record.number")["Lamps"] == -1


def test_two_similar_parts_are_not_a_list():
    assert set(column_of("<p>a</p><p>b</p>", "record.number").values()) == {-1}


LINKED = {
    "@type": "Product",
    "name": "A lamp of oak and brass",
    "description": "It stands on the table all day long",
    "brand": {"@type": "Brand", "description": "We have made lamps since the war"},
    "review": [{"@type": "Review", "reviewBody": "My aunt is very happy with it"}],
    "material": "oak and brass and glass",
    "image": "https://example.org/a b c d e f",
}


def linked_page(*data):
    return "".join(f"<script type='application/ld+json'>{each}</script>" for each in data)


def test_json_ld_texts_are_grouped_by_role():
    html = linked_page("{ no json", json.dumps({"@graph": [LINKED]}))
    assert linked_texts(Source.from_text(html)) == {
        "body": ["It stands on the table all day long"],
        "name": ["A lamp of oak and brass"],
        "readers": ["My aunt is very happy with it"],
        "site": ["We have made lamps since the war"],
        "other": ["oak and brass and glass"],
    }


def test_a_block_is_matched_with_the_json_ld_text_of_the_same_words():
    html = linked_page(json.dumps(LINKED)) + "<p>My aunt is very happy with it<p>Elsewhere"
    assert column_of(html, "data.readers")["My aunt is very happy with it"] == pytest.approx(6 / 7)
    assert column_of(html, "data.readers")["Elsewhere"] == 0
    assert column_of(html, "data.body")["My aunt is very happy with it"] == 0


def leaf(value):
    return {"leaf_value": value}


def split(column, threshold, left, right, value):
    return {
        "split_feature": column,
        "threshold": threshold,
        "left_child": left,
        "right_child": right,
        "internal_value": value,
    }


TREES = [
    {"tree_structure": split(0, 0.5, leaf(-1.0), split(1, 2.0, leaf(0.5), leaf(3.0), 1.0), 0.25)},
    {"tree_structure": leaf(0.125)},
]


def test_a_block_ends_at_block_level_tags_and_line_breaks_only():
    runs = text_runs(Source.from_text("<p>one <b>two</b> three<br>four</p><div>five</div> six"))
    assert runs.texts == ("one two three", "four", "five", "six")
    assert runs.words.tolist() == [3, 1, 1, 1]


def test_elements_that_hold_the_same_words_are_one_level():
    source = Source.from_text("<main><div><div><p>a b</p></div></div></main><p>c</p>")
    runs = text_runs(source)
    names = [source.tree.name_of(row) for row in runs.levels[:2, 0].tolist()]
    assert names == ["main", "html"]


def test_gold_gives_each_block_its_share_of_words():
    runs = text_runs(Source.from_text("<p>menu<p>one two three four<p>five six seven eight"))
    assert shares(runs, "one two three four five six").tolist() == [0.0, 1.0, 0.5]


def test_gold_in_another_order_counts_where_whole_blocks_are_alike():
    runs = text_runs(Source.from_text("<p>a b c d e f g<p>price of the thing today"))
    assert shares(runs, "price of the thing today a b c d e f g").tolist() == [1.0, 1.0]


def test_trees_go_left_up_to_the_threshold():
    forest = forest_of(TREES)
    rows = np.array([[0.5, 9.0], [0.6, 2.0], [0.6, 2.1]], dtype=np.float32)
    assert forest.scores(rows).tolist() == [-0.875, 0.625, 3.125]


def test_contributions_and_the_expectation_sum_to_the_score():
    forest = forest_of(TREES)
    rows = np.array([[0.5, 9.0], [0.6, 2.1]], dtype=np.float32)
    added, expected = forest.contributions(rows)
    assert expected == 0.375
    assert added.tolist() == [[-1.25, 0.0], [0.75, 2.0]]
    np.testing.assert_allclose(added.sum(axis=1) + expected, forest.scores(rows))


def test_a_threshold_between_two_float32_values_separates_them():
    threshold = 1.0 + 1e-9
    forest = forest_of([{"tree_structure": split(0, threshold, leaf(0.0), leaf(1.0), 0.5)}])
    above = np.nextafter(np.float32(1), np.float32(2))
    assert forest.scores(np.array([[1.0], [above]], dtype=np.float32)).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("spoil", ["back", "beyond", "column"])
def test_trees_that_would_never_end_are_refused(spoil):
    forest = forest_of(TREES)
    left, column = forest.left.copy(), forest.column.copy()
    if spoil == "column":
        column[0] = 2
    else:
        left[2] = 0 if spoil == "back" else left.size
    spoilt = type(forest)(forest.roots, column, forest.limit, left, forest.right, forest.value)
    with pytest.raises(ValueError, match="damaged"):
        spoilt.check(2)


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


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04 cut"])
def test_a_file_that_is_no_model_is_refused_in_a_sentence(data):
    with pytest.raises(ParameterError, match=r"x\.npz: it holds no model of gleaner"):
        of_bytes(data, "x.npz")


COLUMNS = ("text.words", "names.all")
NET = Net(
    np.array([1, 0], np.float32), np.array([2, 1], np.float32),
    (np.array([[0.5, -1.0, 0.25], [1.0, 0.5, -0.125]]), np.array([[1.0], [-0.5], [2.0]])),
    (np.array([0.0, 0.5, -0.25]), np.array([-0.5])),
)  # fmt: skip
SMALL = Model(
    COLUMNS, Mixture(forest_of(TREES), (NET,)),
    Weights(np.linspace(-1, 1, 16, dtype=np.float32), np.float32(0)),
    Weights(np.linspace(-1, 1, 8, dtype=np.float32), np.float32(0)),
    Weights(np.ones((4, 2), np.float32), np.zeros(2, np.float32)),
    {"types": ["article", "forum"]},
)  # fmt: skip


def check_it_reads_or_is_refused(data):
    """Assert that a file is read and used on a page, or refused in one sentence."""
    with suppress(ParameterError):
        model = of_bytes(data, "x.npz")
        result = model.predict(Source.from_text("<p>a b c<p>d <b>e</b><li>f" * 20))
        assert np.isfinite(result.chance).all()


@settings(max_examples=200, deadline=None, derandomize=True)
@given(flips=st.lists(st.tuples(st.floats(0, 1), st.integers(1, 255)), min_size=1, max_size=4))
def test_a_model_with_spoilt_bytes_works_or_is_refused_in_a_sentence(flips):
    data = bytearray(SMALL.data)
    for where, bits in flips:
        data[int(where * (len(data) - 1))] ^= bits
    with warnings.catch_warnings():  # an exponent that overflows, a zip with a name twice
        warnings.simplefilter("ignore")
        check_it_reads_or_is_refused(bytes(data))


def stored(**changed):
    """Return the small model as a file, with some arrays replaced."""
    with np.load(io.BytesIO(SMALL.data)) as arrays:
        made = {**arrays, **{k: v for k, v in changed.items() if v is not None}}
    file = io.BytesIO()
    np.savez(file, **{k: v for k, v in made.items() if k not in changed or v is not None})
    return file.getvalue()


def headed(**changed):
    """Return the small model as a file, with some of its header replaced."""
    head = {
        "format": "pagelet-gleaner", "version": 2, "columns": COLUMNS, "nets": 1,
        "card": SMALL.card,
    }  # fmt: skip
    return stored(head=np.frombuffer(json.dumps(head | changed).encode(), np.uint8))


@pytest.mark.parametrize(
    "data",
    [
        stored(forest_column=np.zeros(6)),
        stored(forest_value=np.array(["a"] * 6)),
        stored(forest_limit=np.full(6, np.nan, np.float32)),
        stored(forest_roots=np.zeros((2, 2), np.int32)),
        stored(forest_left=np.full(6, -1, np.int32)),
        stored(paths_values=np.zeros(15, np.int8)),
        stored(paths_values=np.zeros(0, np.int8)),
        stored(words_scale=np.float32(np.inf)),
        stored(types_values=np.zeros((4, 3), np.int8)),
        stored(types_bias=np.zeros(7, np.float32)),
        stored(net0_weight0=np.zeros((3, 3), np.int32)),
        stored(net0_weight1=np.array(1)),
        stored(net0_bias0=np.array(1)),
        stored(net0_bias1=np.zeros((1, 1), np.int32)),
        stored(net0_scale=np.zeros(2, np.float32)),
        stored(net0_mean=np.array([0, np.nan], np.float32)),
        headed(nets=2),
        headed(nets=-1),
        headed(nets="1"),
        headed(columns=[["text.words"], 3]),
        headed(card={}),
        headed(card={"types": "ab"}),
        headed(card={"types": ["a", "a"]}),
        headed(version="new"),
        stored(head=np.frombuffer(b"[" * 100_000, np.uint8)),
    ],
)
def test_a_file_whose_parts_do_not_fit_is_refused_in_a_sentence(data):
    with pytest.raises(ParameterError, match=r"^x\.npz: it holds no model of gleaner, or is dam"):
        of_bytes(data, "x.npz")


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"version": 99}, "a newer Pagelet wrote it: update Pagelet, or train it again"),
        ({"columns": ["text.words", "no.such"]},
         "the model learned from measures that this Pagelet does not have (no.such): train it"),
    ],
)  # fmt: skip
def test_a_model_of_another_version_is_refused_with_the_reason(changed, says):
    with pytest.raises(ParameterError, match=re.escape(f"x.npz: {says}")):
        of_bytes(headed(**changed), "x.npz")


def test_a_model_file_without_nets_is_read():
    old = of_bytes(headed(version=1, nets=0), "x.npz")
    assert not old.mixture.nets
    rows = np.array([[0.6, 2.1]], dtype=np.float32)
    assert old.mixture.scores(rows).tolist() == SMALL.mixture.forest.scores(rows).tolist()


def test_a_model_is_read_from_its_file_unchanged():
    rows = np.array([[0.5, 9.0], [0.6, 2.1], [-3.0, 0.3]], dtype=np.float32)
    again = of_bytes(SMALL.data, "x.npz")
    assert again.mixture.scores(rows).tolist() == SMALL.mixture.scores(rows).tolist()
    assert again.data == SMALL.data


def test_a_model_file_that_claims_a_huge_array_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as members:
        with np.load(io.BytesIO(SMALL.data)) as arrays:
            for name, array in arrays.items():
                with members.open(f"{name}.npy", "w") as member:
                    np.lib.format.write_array(member, array)
        header = io.BytesIO()
        shape = {"descr": "<f8", "fortran_order": False, "shape": (1 << 50,)}
        np.lib.format.write_array_header_1_0(header, shape)
        members.writestr("forest_more.npy", header.getvalue())
    with pytest.raises(ParameterError, match="it holds no model of gleaner"):
        of_bytes(file.getvalue(), "x.npz")


def test_long_words_and_tags_are_not_cached():
    word, tag = "w" * 5000, f"<p class='{'a' * 5000}'>"
    text_runs_module._short_hashed.cache_clear()
    text_runs_module._short_codes_of.cache_clear()
    names(Source.from_text(f"{tag}{word}</p>"))
    assert hashed(word) == zlib.crc32(word.encode())
    assert text_runs_module._short_codes_of.cache_info().currsize <= 3  # root, html, body
    remaining = text_runs_module._short_hashed.cache_info().currsize
    hashed(word)
    assert text_runs_module._short_hashed.cache_info().currsize == remaining


def test_a_missing_model_file_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="there is no such file"):
        load(tmp_path / "none.npz")


def test_the_shipped_model_is_small_and_has_a_complete_card():
    file = resources.path("gleaner/model.npz")
    assert file.stat().st_size <= 3_000_000
    card = model_of("").card
    assert {"data", "guideline", "licence", "date", "scores", "limits", "types"} <= card.keys()


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
        choice = Choice(is_kept, 1.0, 0.5, chance, np.zeros(3, dtype=bool))
        return completed(source, choice, chance).tolist()[1]

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
    choice = Choice(np.array(kept), 1.0, 0.5, chance, np.zeros(len(kept), dtype=bool))
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
        choice = Choice(kept, 1.0, 0.5, chance, np.zeros(6, dtype=bool))
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
