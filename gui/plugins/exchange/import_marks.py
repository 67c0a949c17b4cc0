"""``pagelet import``: marks of other tools, or pages that other programs have saved."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from annotate.datasets.cases import page_names
from annotate.datasets.looking.door import look_into
from annotate.datasets.looking.found import NoPages
from annotate.datasets.opening import open_pages
from annotate.marks.gold import Gold
from annotate.plugins.exchange.imports import (
    KEYS,
    KNOWN,
    MarkFile,
    fresh_marks,
    missing_pages,
    recognised,
)
from annotate.workspace.workspace import Workspace, page_key
from engine.account import Account
from engine.document import Document
from engine.errors import CaptureError, InputError, WorkspaceError
from engine.words import no_such, plural
from gui.plugins.exchange import import_pages

_EPILOG = """Examples:
  pagelet import tasks.label-studio.json --format label-studio --onto pages --workspace anna.pagelet
  pagelet import story.mhtml --out story.wacz

Pages: MHTML, SingleFile and plain HTML, complete pages (x.html with x_files), WARC, WACZ, folders
of wget. Exit status: 1 where nothing is taken and no mark is there already; else as pagelet freeze.
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for a file of marks with its pages, or of pages, and for the output."""
    command.epilog = _EPILOG
    command.add_argument("file", type=Path, help="the other tool's file, or a saved page")
    command.add_argument(
        "--format", help=f"format of the marks, else by its content: {', '.join(KEYS)}"
    )
    command.add_argument("--onto", type=Path, metavar="PAGES", help="the pages that were marked")
    command.add_argument(
        "--workspace", type=Path, help="workspace for marks and the list of pages; made if missing"
    )
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="for pages: the .wacz file to write, or a folder"
    )
    command.add_argument("--record", metavar="URL", help="take only this page of an archive")
    command.add_argument(
        "--json",
        action="store_true",
        help="print the account of marks, or the reports of pages, as JSON",
    )


def run(options: argparse.Namespace) -> int:
    """Find each mark on its page and add it to existing marks."""
    if options.format is None and options.onto is not None:
        options.format = recognised(options.file)
        if options.format is None:
            raise InputError(
                f"{options.file} is not a file of marks that is known; --format is one of "
                f"{', '.join(KEYS)}"
            )
    if options.format is None:
        looked = look_into(options.file)
        is_known = looked.is_openable or looked.kind in ("saved page", "web archive")
        if not is_known and options.file.exists():
            print(f"pagelet: {NoPages(looked)}", file=sys.stderr)
            return 1  # as any import that takes nothing
        return import_pages.run(options)
    if options.onto is None or options.workspace is None:
        raise InputError("marks need --onto PAGES and --workspace FILE")
    if options.format not in KEYS:
        raise InputError(no_such("format", options.format, KEYS))
    marks = MarkFile(options.file, options.format)
    opened = open_pages(options.onto)
    own = dict(zip(opened.documents, page_names(opened.documents), strict=True))
    named = {document: marks.name_of(name, document) for document, name in own.items()}
    there = [name for name in named.values() if name is not None]
    account = marks.account
    account.add(missing_pages(marks, there, str(options.onto)))
    by_path = by_box = 0
    if there:
        by_path, by_box = _place(options, marks, own, named)
    _report(account, options, (by_path, by_box))
    return 0 if account.taken or account.moved or account.passed[KNOWN] else 1


def _place(
    options: argparse.Namespace,
    marks: MarkFile,
    own: Mapping[Document, str],
    named: Mapping[Document, str | None],
) -> tuple[int, int]:
    """Add each page's marks to the workspace; return the numbers found by path and only by box."""
    from engine.web.headless import Browser
    from engine.web.qt_log import silence_qt_log  # Qt

    silence_qt_log()
    by_path = by_box = 0
    with (
        Workspace.open(options.workspace) as workspace,
        Browser(no_sandbox=options.no_sandbox) as browser,
    ):
        if workspace.damage:
            raise WorkspaceError(workspace.damage)
        workspace.add_pages([document for document, name in named.items() if name])
        for document, name in named.items():
            if name is None:
                continue
            try:
                page = browser.capture(document)
            except CaptureError as error:
                print(f"pagelet: {own[document]}: {error}", file=sys.stderr)
                marks.account.pass_over("its page cannot be shown", name, marks.count(name))
                continue
            result = marks.marks(name, page)
            for problem in result.problems:
                print(f"pagelet: {own[document]}: {problem}", file=sys.stderr)
            key, nodes = page_key(document), page.rendered()
            before = workspace.load_gold(key, nodes)
            fresh = fresh_marks(result, before)
            if fresh:
                what = f"import from {options.file.name}"
                workspace.save_gold(key, Gold((*before.marks, *fresh)), nodes, what)
            marks.account.add(result.account)
            by_path, by_box = by_path + result.by_path, by_box + result.by_box
    return by_path, by_box


def _report(account: Account, options: argparse.Namespace, boxes: tuple[int, int]) -> None:
    if options.json:
        print(json.dumps(account.as_json(), ensure_ascii=False, indent=1))
        return
    print(account.sentence())
    if any(boxes):
        print(f"of the boxes {boxes[0]} by path, {boxes[1]} by box alone")
    if account.moved:
        print(
            f"{plural(account.moved, 'mark')} at a probable position: no gold until confirmed in "
            "the window (Shift+N shows the next, Y confirms)"
        )
