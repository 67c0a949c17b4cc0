"""``pagelet extract``: the main content of a page, or of all pages of web archives."""

import argparse
import json
import shlex
import sys
from pathlib import Path
from typing import Any, Literal, cast

from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction
from algorithms.structure.forms import Form, form_of
from annotate.archives.page_ranges import is_archive
from annotate.datasets.looking.found import NoPages
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

_EPILOG = """With headings, lists, tables, links:
  pagelet extract gleaner PAGE --format markdown

Many pages:
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
    form, also = _form(options), extract_archives.forms_beside(options)
    entry = method_of(options.method, "extraction")
    params = params_of(entry, options.set)
    source = input_of(options, entry)
    try:
        page = page_of(options, needs_rendering=source != "original")
    except NoPages:
        raise
    except InputError:
        if is_archive(Path(options.page)):
            raise InputError(
                f"{options.page} is a web archive, of many pages: pagelet extract {options.method} "
                f"--in {shlex.quote(str(options.page))} --out DIR"
            ) from None
        raise
    result = entry.run(page, params, source, site_named(options, entry, page))
    assert isinstance(result, Extraction)
    if options.json or form == "json":
        answer = _as_json(entry, params, source, result)
        answer |= {each: form_of(result, each, page.url) for each in also}
        print(json.dumps(answer, indent=2, ensure_ascii=False))
    else:
        print(result.text if form == "text" else form_of(result, form, page.url))
    if not result.text:
        print(f"pagelet: {entry.name} found no main content on this page", file=sys.stderr)
    if result.unmapped:
        print(f"pagelet: {result.unmapped} of its words are not in the document", file=sys.stderr)
    for note in result.notes:
        print(f"pagelet: {note}", file=sys.stderr)
    return 0


def _form(options: argparse.Namespace) -> Literal[Form, "text", "json"]:
    form: str = options.format or "text"
    if form in extract_archives.FILE_FORMATS:
        raise InputError(f"--format {form} is for many pages: name archives with --in")
    if options.also and not (options.json or form == "json"):
        raise InputError("--with adds to JSON or to columns: add --json, or --in FILE --out DIR")
    return cast(Literal[Form, "text", "json"], form)


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
