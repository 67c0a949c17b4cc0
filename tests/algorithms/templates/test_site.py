"""A site: its links, its copies, and its shared memo."""

import pytest

from algorithms.templates.site import Site, distinct, link_targets, linked_pages
from engine.source import Source


def site_of(*pages, seed=0):
    return Site.of(((address, Source.from_text(html)) for address, html in pages), seed)


def test_links_are_resolved_against_the_page_that_has_them():
    site = site_of(
        ("http://x.org/a/", "<a href='b.html'>1</a><a href='/a/b.html#end'>2</a><a href='?'>3</a>"),
        ("http://x.org/a/b.html", "<a href='./'>up</a><a name=here>no link</a>"),
        ("http://x.org/", "<a href='a/index.html'>a</a><a href='http://y.org/a/'>other</a>"),
    )
    assert [linked_pages(site, page) for page in range(3)] == [(1,), (0,), (0,)]
    rows, targets = link_targets(site)[0]
    assert targets.tolist() == [1, 1]
    assert [site.pages[0].source.tree.name_of(row) for row in rows.tolist()] == ["a", "a"]


def test_a_link_without_a_valid_address_is_ignored():
    site = site_of(("http://x.org/", "<a href='http://['>1</a><a href='//b/'>2</a>"))
    assert linked_pages(site, 0) == ()


def test_copies_of_a_page_are_left_out_of_the_distinct_pages():
    site = site_of(("http://x/1", "<p>a b"), ("http://x/2", "<div>a b"), ("http://x/3", "<p>c"))
    assert distinct(site) == (0, 2)


def test_sites_that_differ_only_in_the_seed_share_their_memo():
    site = site_of(("http://x/1", "<p>a"), ("http://x/2", "<p>b"), ("http://x/3", "<p>c"))
    other = site.at(2)
    assert other.source is site.pages[2].source
    assert link_targets(other) is link_targets(site)
    assert site.only([0, 1]).memo is site.only([1, 0]).memo
    assert other.only([0, 2]).seed == 1
    assert site.only([0, 1, 2]) is site


def test_reading_another_form_of_the_page_replaces_its_source():
    site = site_of(("http://x/1", "<p>a"), ("http://x/2", "<p>b"), seed=1)
    shown = Source.from_text("<p>shown")
    assert site.reading(shown).source is shown
    assert site.reading(shown).sources[0] is site.sources[0]
    assert site.reading(site.source) is site


def test_the_seed_is_one_of_the_pages():
    with pytest.raises(ValueError, match="seed must be 0 to 0, got 1"):
        site_of(("http://x/1", "<p>a"), seed=1)
