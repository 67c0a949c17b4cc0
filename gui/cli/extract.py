"""``pagelet extract``: the main content of a page, or of all pages of web archives."""

import argparse
import json
import sys
from typing import Any

from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction
from engine.errors import InputError
from engine.page import Input
from engine.version import own_version
from engine.word_units import words_in
from gui.cli import extract_archives
from gui.cli.arguments import (
    add_method_and_page,
    add_site,
    input_of,
    method_of,
    page_of,
    params_of,
    site_named,
)

_EPILOG = """Many pages:
  pagelet extract bte --in CRAWL.warc.gz --out DIR
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a method and a page, or archives and where to write."""
    command.epilog = _EPILOG
    add_method_and_page(command, is_optional=True)
    extract_archives.add_arguments(command)
    add_site(command)
    command.add_argument("--json", action="store_true", help="print JSON: the text, or the counts")


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
    result = entry.run(page, params, source, site_named(options, entry, page))
    assert isinstance(result, Extraction)
    if options.json:
        print(json.dumps(_as_json(entry, params, source, result), indent=2, ensure_ascii=False))
    else:
        print(result.text)
    if not result.text:
        print(f"pagelet: {entry.name} found no main content on this page", file=sys.stderr)
    if result.unmapped:
        print(f"pagelet: {result.unmapped} of its words are not in the document", file=sys.stderr)
    for note in result.notes:
        print(f"pagelet: {note}", file=sys.stderr)
    return 0


def _as_json(entry: Method, params: Params, source: Input, result: Extraction) -> dict[str, Any]:
    return {
        "method": entry.key,
        "version": entry.version or own_version(),
        "parameters": params.as_dict(),
        "input": source,
        "status": "ok" if result.text else "empty",
        "text": result.text,
        "words": len(words_in(result.text)),
        "words_not_in_document": result.unmapped,
        "notes": list(result.notes),
    }
