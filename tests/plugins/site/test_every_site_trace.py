"""The trace of every method on sites reports the decisions that the method makes."""

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from algorithms.core.catalogue import SITE_METHODS, method
from algorithms.explain.differences import words_kept
from algorithms.explain.why import TextQuery
from algorithms.plugins.site import ne_patterns, template_hash, template_text
from algorithms.templates.site import Site
from engine.source import Source
from tests.plugins.site.pages import html_of, trees

MENU = "<ul><li><a href=0.html>Home</a><li><a href=1.html>News</a><li><a href=2.html>Sport</a></ul>"


def town(count=8):
    foot = "All rights reserved by the town, which was founded long ago"
    pages = (
        f"<html><body>{MENU}<div class=story><h1>Title {k}</h1><p>story {k} is "
        + " ".join(f"w{k}x{n}" for n in range(30))
        + f"</p><table><tr><td>Price<td>Terms</table></div><p class=foot>{foot}</p></body></html>"
        for k in range(count)
    )
    return Site.of(
        (f"http://town.example/{k}.html", Source.from_text(html)) for k, html in enumerate(pages)
    )


def check(entry, site, **values):
    params = entry.params(**values)
    trace = entry.trace_site(site, params)
    assert trace.size == site.source.tokens.words.size
    for each in trace.steps:
        order = np.argsort(each.places[:, 0], kind="stable")
        assert (each.places[order[1:], 0] >= each.places[order[:-1], 1]).all(), "places overlap"
        assert not each.notes or len(each.notes) == len(each)
    is_kept = words_kept(entry.on_site(site, params), site.source)
    np.testing.assert_array_equal(trace.kept, is_kept)
    for word in range(0, trace.size, 7):
        decisions = trace.decisions(word)
        assert decisions
        assert decisions[-1].kept == trace.kept[word]
        assert decisions[-1].sentence.startswith(("kept: ", "dropped: "))
    return trace


def test_every_method_on_sites_has_a_trace():
    assert [entry.key for entry in SITE_METHODS if entry.trace_site is None] == []
    assert all(entry.says_why for entry in SITE_METHODS)


@pytest.mark.parametrize("entry", SITE_METHODS, ids=lambda entry: entry.key)
def test_a_trace_keeps_the_words_that_the_method_keeps_on_a_site(entry):
    for seed in (0, 5):
        check(entry, town().at(seed))


@settings(max_examples=15)
@given(st.lists(trees, min_size=1, max_size=4), st.booleans())
def test_a_trace_keeps_the_words_that_the_method_keeps_on_any_pages(drawn, with_copy):
    pages = [f"<body>{html_of(tree).replace('></', '>word</')}</body>" for tree in drawn]
    pages += ["<p>", *pages[:with_copy]]
    site = Site.of((f"http://x/{k}", Source.from_text(p)) for k, p in enumerate(pages))
    for entry in SITE_METHODS:
        note(entry.key)
        for seed in range(len(site)):
            check(entry, site.at(seed))


@pytest.mark.parametrize(
    ("entry", "values"),
    [
        (template_hash.METHOD, {"most": 0.5}),
        (template_text.METHOD, {"window": 8, "times": 4, "modulus": 3}),
        (ne_patterns.METHOD, {"news": True}),
        (method("sst"), {"threshold": 0.9}),
        (method("site"), {"siblings": 2, "loss": 5.0}),
        (method("infodiscoverer"), {"threshold": 0.3, "tags": "div ul"}),
    ],
    ids=lambda each: getattr(each, "key", ""),
)
def test_a_trace_follows_the_parameters(entry, values):
    check(entry, town().at(3), **values)


def said(key, words, of="Home", **values):
    """Return a sentence of the decisions of a method on the first occurrence of a word."""
    site = town().at(1)
    entry = method(key)
    word = site.source.words.index(of)
    return entry.trace_site(site, entry.params(**values)).decisions(word)[words].sentence


@pytest.mark.parametrize(
    ("key", "of", "sentence"),
    [
        (
            "df-filter",
            "Home",
            (
                "dropped: share of pages with this text 1.00 (at most .33 allowed); occurs "
                "on 8 of 8 pages: template"
            ),
        ),
        ("df-filter", "story", ("kept: share of pages with this text; occurs on this page only")),
        (
            "pagelet-shingles",
            "Home",
            (
                "dropped: its part is on 8 pages (at most 1 allowed); its part <ul> occurs "
                "on 8 of 8 pages: template"
            ),
        ),
        (
            "template-hash",
            "reserved",
            (
                "dropped: share of pages it is on unchanged 1.00 (must be less than .10); "
                "its part <p> occurs "
                "on 8 of 8 pages: template"
            ),
        ),
        ("template-text", "reserved", None),
        (
            "contentextractor",
            "Price",
            (
                "dropped: IBDF of its block .11 (more than .25 needed); its block <tr>, or "
                "one like it, occurs on "
                "8 of 8 pages: template"
            ),
        ),
        (
            "sst",
            "Home",
            (
                "dropped: importance of its part .00 (at least .20 needed); its part <ul> "
                "occurs on 8 of 8 pages "
                "and is alike on them: template"
            ),
        ),
        (
            "rtdm",
            "Home",
            (
                "dropped: its text is the same on the 8 pages "
                "of the pattern; occurs on 8 of 8 pages: template"
            ),
        ),
        (
            "rtdm",
            "story",
            (
                "kept: its text differs, or may be missing, on "
                "the 8 pages of the pattern; occurs on this page only"
            ),
        ),
        (
            "site",
            "Home",
            (
                "dropped: new minus recurring words in its position on these pages -2.4; 0 new"
                " and 24 recurring words in <ul> on 8 pages: template"
            ),
        ),
        (
            "site",
            "Price",
            (
                "kept: new minus recurring words in its position on these pages 278; 280 new "
                "and 16 recurring words in <div> on 8 pages"
            ),
        ),
    ],
)
def test_reasons_name_the_number_of_pages_with_a_text(key, of, sentence):
    if sentence is None:
        assert said(key, -1, of, times=8).endswith("occurs 8 times: template")
    else:
        assert said(key, -1, of) == sentence


def test_the_trace_of_a_page_without_siblings_reports_that_accb_was_run():
    site = Site.of([("http://x/", town().sources[0])])
    for key in ("site", "df-filter-boot"):
        entry = method(key)
        trace = check(entry, site)
        first = trace.decisions(trace.size // 2)[0]
        assert first.sentence.endswith("ACCB was run instead")


def test_bootstrapping_reports_the_number_of_pages_it_learnt_from():
    assert said("df-filter-boot", 0) == (
        "kept: 3 similar pages among those it links to, with itself (at least 3 needed); it "
        "learns from these"
    )


def test_the_parameter_change_that_reverses_a_decision_is_found():
    site = town().at(1)
    entry = method("df-filter")
    asked = TextQuery(entry, site.source, entry.params(), site=site)
    why = asked.why(site.source.words.index("Home"))
    change = asked.counterfactual(why).counterfactual
    assert (change.parameter, change.after) == ("share", 1.0)
    remaining = entry.on_site(site, entry.params(share=change.after)).text
    assert "Home" in remaining
