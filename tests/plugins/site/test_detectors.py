"""Every detector on three tiny pages with an obvious template, and on arbitrary pages."""

import math

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from algorithms.plugins.site import (
    contentextractor,
    df_filter,
    infodiscoverer,
    lamis,
    ne_patterns,
    pagelet_shingles,
    style_tree,
    template_hash,
    template_text,
    wisdom,
)
from algorithms.plugins.site.methods import DETECTORS
from algorithms.plugins.site.recurrence import term_entropies
from algorithms.templates.site import Site
from engine.source import Source
from tests.plugins.site.pages import html_of, trees

STORIES = (
    "rain fell over the hills all night",
    "the minister opened a new bridge",
    "scores of runners finished early",
)
MENU = "<a href=/1>home</a> <a href=/2>news</a> <a href=/3>sport</a>"
FOOT = "all rights reserved"


def page(story, menu=MENU):
    return (
        f"<html><body><div class=menu>{menu}</div><div class=story><p>{story}</p></div>"
        f"<div class=foot><p>{FOOT}</p></div></body></html>"
    )


def site_of(*pages, seed=0):
    return Site.of(
        ((f"http://x.org/{k}", Source.from_text(html)) for k, html in enumerate(pages, 1)), seed
    )


@pytest.fixture
def three():
    return site_of(*map(page, STORIES))


def said(detector, site, **values):
    return [
        " ".join(detector.on_site(site.at(seed), detector.params(**values)).text.split())
        for seed in range(len(site))
    ]


EXACT = {
    "df-filter": df_filter.METHOD,
    "pagelet-shingles": pagelet_shingles.LOCAL,
    "pagelet-shingles-global": pagelet_shingles.GLOBAL,
    "contentextractor": contentextractor.METHOD,
    "sst": style_tree.METHOD,
    "rtdm": ne_patterns.METHOD,
    "template-hash": template_hash.METHOD,
    "wisdom": wisdom.METHOD,
}


@pytest.mark.parametrize("key", EXACT)
def test_texts_of_all_three_pages_are_removed_and_the_story_is_kept(key, three):
    assert said(EXACT[key], three) == list(STORIES)


def test_a_text_of_one_of_two_pages_is_kept():
    site = site_of(page(STORIES[0]), page(STORIES[1]))
    assert said(df_filter.METHOD, site) == list(STORIES[:2])


def test_a_text_is_removed_only_above_the_given_share_of_pages():
    site = site_of(page("one tale"), page("one tale"), page("other tale"), page("third tale"))
    # Copies count once: the tale of the copies is on one of three pages.
    assert said(df_filter.METHOD, site)[0] == "one tale"
    site = site_of(*(f"<p>same</p><p>{word}</p>" for word in "abc"), "<p>x</p>", "<p>y</p>")
    assert said(df_filter.METHOD, site, share=0.6)[0] == "same a"
    assert said(df_filter.METHOD, site, share=0.59)[0] == "a"


def test_pagelets_recur_globally_only_on_linked_pages():
    apart = "<a href=http://y/1>home</a> <a href=http://y/2>news</a> <a href=http://y/3>sport</a>"
    site = site_of(*(page(story, apart) for story in STORIES))
    assert said(pagelet_shingles.LOCAL, site) == list(STORIES)
    whole = [f"home news sport {story} {FOOT}" for story in STORIES]
    assert said(pagelet_shingles.GLOBAL, site) == whole


def test_shingles_are_all_runs_of_words_in_order():
    words = ("a", "b", "c", "d")
    assert pagelet_shingles.make_shingles(words, 3) == {("a", "b", "c"), ("b", "c", "d")}
    assert pagelet_shingles.make_shingles(words, 9) == {words}


def test_template_text_removes_text_covered_by_recurring_windows(three):
    assert said(template_text.METHOD, three, window=8, times=2) == list(STORIES)
    # As printed a piece must occur ten times: nothing is removed from three pages.
    assert said(template_text.METHOD, three)[2] == f"home news sport {STORIES[2]} {FOOT}"


@given(st.text("ab", max_size=12), st.integers(1, 4))
def test_hashes_of_windows_are_equal_exactly_if_the_windows_are(text, size):
    source = Source.from_text(text)
    hashes = template_text.windows(source, size).tolist()
    pieces = [text[at : at + size] for at in range(len(text) - size + 1)]
    assert len(hashes) == len(pieces)
    assert len(set(hashes)) == len(set(pieces))
    assert len(set(zip(hashes, pieces, strict=True))) == len(set(pieces))


def test_template_hashes_include_attributes_and_ignore_white_space():
    site = site_of(
        "<div><p class=x>same</p></div><p>one</p>",
        "<div><p  class=x>same</p> </div><p>two</p>",
        "<div><p class=y>other</p></div><p>three</p>",
    )
    assert said(template_hash.METHOD, site) == ["one", "two", "other three"]
    assert said(template_hash.METHOD, site, least=0.7)[0] == "same one"


def entropy(*shares):
    return -sum(share * math.log(share, 3) for share in shares)


def test_entropies_of_words_and_blocks_match_manual_results(three):
    known = term_entropies(three)
    assert known["home"] == pytest.approx(1)
    assert known["rain"] == pytest.approx(0)
    assert known["the"] == pytest.approx(entropy(1 / 2, 1 / 2))
    assert known["all"] == pytest.approx(entropy(2 / 4, 1 / 4, 1 / 4))
    words = infodiscoverer.terms(three.source)
    block = infodiscoverer.block_of_words(three.source, "")
    result = infodiscoverer.block_entropies(words, block, known)
    assert result[block[words.index("rain")]] == pytest.approx((known["the"] + known["all"]) / 7)
    assert result[block[words.index("home")]] == pytest.approx(1)


def test_infodiscoverer_keeps_blocks_up_to_the_entropy_threshold(three):
    assert said(infodiscoverer.METHOD, three, threshold=0.5) == list(STORIES)
    # Blocks of the three stories: .23, .11 and 0.
    assert said(infodiscoverer.METHOD, three, threshold=0.1) == ["", "", STORIES[2]]


def test_the_greedy_search_ends_at_the_first_step_without_a_new_word(three):
    assert infodiscoverer.greedy_threshold(three, "") == 0.0
    # Words per story: at .1 still only its own, at .2 those of the second, at .3 all.
    assert said(infodiscoverer.METHOD, three) == ["", "", STORIES[2]]


def test_a_page_without_tables_is_one_block_if_only_cells_are_blocks(three):
    block = infodiscoverer.block_of_words(three.source, "table td th")
    assert set(block.tolist()) == {0}


def test_blocks_with_a_cosine_above_nine_tenths_are_alike():
    common = " ".join(f"w{k}x" for k in range(10))
    site = site_of(*(f"<p>{common} {own}</p>" for own in ("one", "two", "more words here")))
    # 11 words, 10 of them shared: 10 / 11 = .909; with 13 words 10 / sqrt(11 * 13) = .836.
    pages = [contentextractor.pages_alike(site.at(k), "p", 0.9).tolist() for k in range(3)]
    assert pages == [[2], [2], [1]]


def test_importances_of_a_style_tree_match_manual_results(three):
    result = style_tree.importances(three, 0.9)
    body = style_tree.site_tree(three)
    ((_, (menu, story, foot)),) = body.styles.values()
    # 17 different words on three stories; "the" is on two pages, the others on one.
    leaf = 1 - entropy(1 / 2, 1 / 2) / 17
    assert result[id(menu)] == pytest.approx(0)
    assert result[id(story)] == pytest.approx(0.9 * leaf)
    assert result[id(foot)] == pytest.approx(0)
    assert result[id(body)] == pytest.approx(0.9 * 0.9 * leaf / 3)


def test_a_node_with_different_styles_is_important():
    one = "<body><div><p>a</p><p>b</p></div></body>"
    two = "<body><div><p>a</p><ul><li>b</ul></div></body>"
    site = site_of(one, two, two + "<!-- -->")
    body = style_tree.site_tree(site)
    ((_, (div,)),) = body.styles.values()
    # Copies count once: two pages with different styles, entropy 1; below, all is single.
    assert style_tree.importances(site, 0.9)[id(div)] == pytest.approx(0.19 * 1 + 0.81 * 1)


def test_patterns_keep_menus_constant_and_turn_paragraphs_into_wildcards():
    def html(*paragraphs):
        menu = "<ul><li>home</li><li>news</li></ul>"
        return f"<body>{menu}<div>{''.join(f'<p>{p}</p>' for p in paragraphs)}</div></body>"

    site = site_of(html("a b", "c d", "e f"), html("g h"), html("i j", "k l"))
    assert said(ne_patterns.METHOD, site) == ["a b c d e f", "g h", "i j k l"]


def test_news_extraction_keeps_the_longest_text_and_a_title_sharing_its_words():
    body = " ".join(f"w{k}x" for k in range(101))
    html = f"<body><div>by someone</div><div>about w7x</div><section><p>{body}</p></section></body>"
    site = site_of(html, "<body><div>x</div><div>y</div><section><p>z</p></section></body>")
    assert said(ne_patterns.METHOD, site, news=True) == [f"about w7x {body}", ""]


def linked(*anchors):
    return "".join(f"<p><a href=/{target}>{text}</a></p>" for target, text in anchors)


def test_lamis_distinguishes_a_table_of_contents_from_articles():
    menu = "<div><a href=/1>home</a> <a href=/2>rain</a></div>"
    site = site_of(
        menu + linked((2, "hills under water"), (3, "bridge opened today")),
        menu + "<p>rain fell on hills</p>",
        menu + "<p>minister spoke on bridges</p>",
        menu + "<p>imprint with no link to it</p>",
    )
    result = lamis.structure(site, threshold=0.5)
    assert result.is_toc.tolist() == [True, False, False, False]
    assert result.is_article.tolist() == [False, True, True, False]


def test_hubs_and_authorities_of_a_star_match_manual_results():
    weights = np.zeros((3, 3))
    weights[0, 1:] = 1, 3
    hub, authority = lamis.hubs_and_authorities(weights)
    assert hub.tolist() == [1, 0, 0]
    assert authority.tolist() == [0, 0.25, 0.75]


def test_wisdom_descends_to_the_part_with_nine_tenths_of_the_information(three):
    source = three.source
    information = np.zeros(len(source.tree))
    story = next(
        row
        for row in range(len(source.tree))
        if source.tree.name_of(row) == "div" and source.attributes(row) == {"class": "story"}
    )
    for row in (0, int(source.tree.parent[story]), story):
        information[row] = 1.0
    assert wisdom.covering(source, information, 0.9) == story


@settings(max_examples=40)
@given(st.lists(trees, min_size=1, max_size=4), st.booleans())
def test_every_detector_extracts_the_given_page_of_arbitrary_sites(drawn, with_copy):
    pages = [f"<body>{html_of(tree).replace('></', '>word</')}</body>" for tree in drawn]
    site = site_of(*pages, *pages[:with_copy])
    for detector in DETECTORS:
        note(detector.key)
        for seed in range(len(site)):
            result = detector.on_site(site.at(seed), detector.params())
            assert result.source is site.sources[seed]
            assert detector.on_site(site.at(seed), detector.params()).text == result.text


@pytest.mark.parametrize("detector", DETECTORS, ids=lambda detector: detector.key)
@pytest.mark.parametrize("html", ["", "word", "<p>", "<div>" * 2000 + "deep"])
def test_every_detector_reads_empty_broken_and_deep_pages(detector, html):
    site = site_of(html, page(STORIES[0]), html + "x")
    for seed in range(len(site)):
        assert detector.on_site(site.at(seed), detector.params()).source is site.sources[seed]


@pytest.mark.parametrize(
    "detector",
    [detector for detector in DETECTORS if detector.key != "site"],  # runs ACCB in that case
    ids=lambda detector: detector.key,
)
def test_the_story_of_a_page_without_siblings_is_kept(detector):
    assert STORIES[0] in said(detector, site_of(page(STORIES[0])))[0]
