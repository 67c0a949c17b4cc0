"""``pagelet extract``: the main content of a page, or of all pages of web archives."""

import argparse
import sys

from algorithms.method import Method
from algorithms.results import Extraction
from algorithms.templates.site import Site
from annotate.datasets.opening import list_documents
from annotate.datasets.site_pages import site_with
from engine.errors import InputError
from engine.page import Page
from gui.cli import extract_archives
from gui.cli.arguments import add_method_and_page, input_of, method_of, page_of, params_of

_EPILOG = "Many pages: pagelet extract bte --in CRAWL.warc.gz --out DIR"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a method and a page, or archives and where to write."""
    command.epilog = _EPILOG
    add_method_and_page(command, is_optional=True)
    extract_archives.add_arguments(command)
    command.add_argument(
        "--site",
        metavar="FOLDER",
        help="the page's site, for methods that read it: a folder of pages, or a data set",
    )


def run(options: argparse.Namespace) -> int:
    """Print the text, or write the files."""
    if options.sources:
        return extract_archives.run(options)
    if options.page is None:
        raise InputError("name a page, or archives with --in FILE --out DIR")
    entry = method_of(options.method, "extraction")
    params = params_of(entry, options.set)
    source = input_of(options, entry)
    page = page_of(options, needs_rendering=source != "original")
    result = entry.run(page, params, source, _site_of(options.site, entry, page))
    assert isinstance(result, Extraction)
    print(result.text)
    if not result.text:
        print(f"pagelet: {entry.name} found no main content on this page", file=sys.stderr)
    if result.unmapped:
        print(f"pagelet: {result.unmapped} of its words are not in the document", file=sys.stderr)
    for note in result.notes:
        print(f"pagelet: {note}", file=sys.stderr)
    return 0


def _site_of(folder: str | None, entry: Method, page: Page) -> Site | None:
    """Return the page's site; `InputError` where the method wants one that was not named."""
    if not entry.reads_site:
        return None
    if folder is None:
        raise InputError(f"{entry.key} reads a page together with its site: add --site FOLDER")
    return site_with(list_documents(folder), page)
