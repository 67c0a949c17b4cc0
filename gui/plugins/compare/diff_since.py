"""``pagelet diff --since``: a method on two captures of a page."""

import argparse

from algorithms.explain.differences import text_errors
from algorithms.results import Extraction
from annotate.datasets.opening import open_page
from annotate.plugins.compare.over_time import as_before
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from gui.cli.diff import print_differences
from gui.cli.questions import asked


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the argument for the earlier capture."""
    command.add_argument(
        "--since",
        metavar="EARLIER",
        help="compare with what the method gives on an earlier capture of the page, on the text "
        "that both have, in place of gold",
    )


def run(options: argparse.Namespace) -> int | None:
    """Print differences in what a method keeps of text shared with an earlier capture."""
    earlier = options.since
    if earlier is None:
        return None
    of = asked(options)
    if options.perturb is not None:
        raise InputError("--perturb and --since exclude each other: give one of them")
    if of.source != "original":
        raise InputError("--since reads the source of both captures: leave out --input")
    received = open_page(earlier).document().receive()
    source = Source.of(received)
    page = Page(of.page.url, source)
    before = of.entry.run(page, of.params, "original", of.site)
    after = of.entry.run(of.page, of.params, "original", of.site)
    assert isinstance(before, Extraction)
    assert isinstance(after, Extraction)
    errors = text_errors(after, as_before(before, after))
    title = f"Since {earlier}, on the text of both"
    print_differences(errors, "since", earlier, title, is_json=options.json)
    return 0
