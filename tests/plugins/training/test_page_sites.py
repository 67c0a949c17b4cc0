"""Pages of one site are grouped, whether or not they name their host."""

import pytest

from annotate.plugins.training.training import PageSites
from engine.source import Source

NAV = "".join(f"<li class=item-{k}><a href='/{k}.html'>{k}</a>" for k in "abcdefg")


def page(body: str, nav: str = NAV) -> Source:
    return Source.from_bytes(f"<title>x</title><ul class='nav top'>{nav}</ul>{body}".encode())


def sites_of(*sources: Source) -> list[str]:
    sites = PageSites()
    return [sites.site_of(each, f"page-{k}") for k, each in enumerate(sources)]


def test_pages_with_the_same_navigation_are_one_site():
    pages = [page(f"<main class=story><p>Story {k}</p></main>") for k in range(10)]
    assert sites_of(*pages) == ["page-0"] * 10


def test_pages_whose_links_lead_to_one_host_belong_to_it():
    pages = [
        page("", "".join(f"<a href='https://{host}/{k}-{n}'>x</a>" for n in range(6)))
        for k, host in enumerate(["www.a.example", "a.example", "b.example"])
    ]
    assert sites_of(*pages) == ["a.example", "a.example", "b.example"]


def test_pages_that_name_their_host_belong_to_it():
    link = "<link rel=canonical href='https://www.tides.example/{}'>"
    assert sites_of(page(link.format(1)), page(link.format(2), "")) == ["tides.example"] * 2


@pytest.mark.parametrize("count", [0, 2])
def test_pages_with_little_in_common_are_separate_sites(count):
    pages = [page(f"<p class=p{k}>Tea", NAV[: 40 * count]) for k in range(3)]
    assert sites_of(*pages) == ["page-0", "page-1", "page-2"]
