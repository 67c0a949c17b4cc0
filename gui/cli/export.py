"""``pagelet export``: marks in the formats of other tools."""

import argparse
import sys
from pathlib import Path

from annotate.datasets.cases import page_name
from annotate.datasets.opening import open_pages
from annotate.exchange.formats import FORMATS, format_of
from annotate.exchange.marked_page import MarkedPage
from engine.errors import CaptureError, InputError
from engine.words import plural

_EPILOG = "Example: pagelet export anna.pagelet --format coco --out for-training"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take marks, a format, and where to write."""
    command.epilog = _EPILOG
    command.add_argument(
        "marks", nargs="?", type=Path, help="a workspace, a data set, or a folder with gold files"
    )
    command.add_argument("--format", default="gold", help="a key; see --list (default: gold)")
    command.add_argument("--out", type=Path, default=Path("pagelet-export"), help="folder")
    command.add_argument(
        "--list", action="store_true", help="list the formats, and what each of them loses"
    )


def run(options: argparse.Namespace) -> int:
    """Say what will be lost, then write."""
    if options.list:
        for each in FORMATS:
            print(f"{each.key:<14} {each.name}: {each.writes}; {each.comes_back}")
            print(f"{'':<14} {each.loses or 'Nothing is lost.'}")
        return 0
    if options.marks is None:
        raise InputError("name the marks to export: a workspace, a data set, or a folder")
    chosen = format_of(options.format)
    opened = open_pages(options.marks)
    print(f"{chosen.name}: {chosen.loses or 'nothing is lost.'}", file=sys.stderr)
    from engine.web import noise  # Qt
    from engine.web.headless import Browser

    noise.install()
    pages = []
    with Browser(no_sandbox=options.no_sandbox) as browser:
        for document, files in zip(opened.documents, opened.files, strict=True):
            try:
                page = browser.capture(document)
                gold, problems = files.shown(page)
            except (CaptureError, InputError) as error:
                print(f"pagelet: {page_name(document)}: {error}", file=sys.stderr)
                continue
            for problem in problems:
                print(f"pagelet: {page_name(document)}: {problem}", file=sys.stderr)
            if gold.marks:
                pages.append(MarkedPage(page_name(document), document, page, gold))
    if not pages:
        raise InputError(f"{options.marks} holds no marks to export")
    try:
        options.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {options.out}: {error.strerror or error}") from error
    drafts = sum(len(marked.gold.drafts()) for marked in pages)
    if drafts and not chosen.flags_drafts:
        print(
            f"left out, since nobody has confirmed them: {plural(drafts, 'draft')}", file=sys.stderr
        )
    written = chosen.export(pages, options.out)
    print(f"{plural(len(pages), 'page')} in {plural(len(written), 'file')} below {options.out}")
    return 0
