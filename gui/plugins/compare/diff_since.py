"""``pagelet diff --since``: a method on two captures of a page."""

from algorithms.explain.differences import text_errors
from algorithms.results import Extraction
from annotate.datasets.opening import open_page
from annotate.plugins.compare.over_time import as_before
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from gui.cli.arguments import PageOptions
from gui.cli.diff import print_differences
from gui.cli.questions import GoldOptions, read_question


def run(
    method: str,
    page: str,
    *,
    how: PageOptions,
    more: GoldOptions,
    perturb: str | None,
    since: str | None = None,
) -> int | None:
    """Print differences in what a method keeps of text shared with an earlier capture.

    Args:
        since (EARLIER): compare with what the method gives on an earlier capture of the page, on
            the text that both have, in place of gold
    """
    if since is None:
        return None
    of = read_question(method, page, how, more)
    if perturb is not None:
        raise InputError("--perturb and --since exclude each other: give one of them")
    if of.source != "original":
        raise InputError("--since reads the source of both captures: leave out --input")
    received = open_page(since).document().receive()
    source = Source.of(received)
    earlier = Page(of.page.url, source)
    before = of.entry.run(earlier, of.params, "original", of.site)
    after = of.entry.run(of.page, of.params, "original", of.site)
    assert isinstance(before, Extraction)
    assert isinstance(after, Extraction)
    errors = text_errors(after, as_before(before, after))
    title = f"Since {since}, on the text of both"
    print_differences(errors, "since", since, title, is_json=more.json)
    return 0
