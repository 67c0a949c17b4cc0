"""``pagelet import``: marks of other tools, or pages that other programs have saved."""

from collections.abc import Callable, Mapping
from pathlib import Path

from annotate.datasets.cases import page_names
from annotate.datasets.looking.found import NoPages
from annotate.datasets.looking.inspection import look_into
from annotate.datasets.opening import open_pages
from annotate.marks.gold import Gold
from annotate.plugins.exchange.imports import (
    KEYS,
    KNOWN,
    MarkFile,
    fresh_marks,
    missing_pages,
    recognise_format,
)
from annotate.workspace.workspace import Workspace, page_key
from engine.account import Account
from engine.document import Document
from engine.errors import CaptureError, InputError, WorkspaceError
from engine.page import Page
from engine.words import no_such, plural
from gui.cli.arguments import browser_for
from gui.cli.terminal import note, print_json
from gui.plugins.exchange import import_pages

FORMATS = ", ".join(KEYS)


def run(
    file: Path,
    *,
    format: str | None = None,
    onto: Path | None = None,
    workspace: Path | None = None,
    out: Path | None = None,
    record: str | None = None,
    json: bool = False,
    no_sandbox: bool,
) -> int:
    """Find each mark on its page and add it to existing marks.

    Args:
        file: the other tool's file, or a saved page
        format: format of the marks, else by its content: %(FORMATS)s
        onto (PAGES): the pages that were marked
        workspace: workspace for marks and the list of pages; made if missing
        out (FILE): for pages: the .wacz file to write, or a folder
        record (URL): take only this page of an archive
        json: print the account of marks, or the reports of pages, as JSON

    Examples:
      pagelet import tasks.label-studio.json --format label-studio --onto pages --workspace anna.pagelet
      pagelet import story.mhtml --out story.wacz

    Pages: MHTML, SingleFile and plain HTML, complete pages (x.html with x_files), WARC, WACZ,
    folders of wget. Exit status: 1 where nothing is taken and no mark is there already; else as
    pagelet freeze.
    """  # noqa: E501  (examples are typed as they are)
    if format is None and onto is not None:
        format = recognise_format(file)
        if format is None:
            raise InputError(
                f"{file} is not a file of marks that is known; --format is one of {FORMATS}"
            )
    if format is None:
        looked = look_into(file)
        is_known = looked.is_openable or looked.kind in ("saved page", "web archive")
        if not is_known and file.exists():
            note(NoPages(looked))
            return 1  # as any import that takes nothing
        return import_pages.import_saved(file, workspace, out, record, is_json=json)
    if onto is None or workspace is None:
        raise InputError("marks need --onto PAGES and --workspace FILE")
    if format not in KEYS:
        raise InputError(no_such("format", format, KEYS))
    marks = MarkFile(file, format)
    opened = open_pages(onto)
    own = dict(zip(opened.documents, page_names(opened.documents), strict=True))
    named, unclear = marks.named(own)
    account = marks.account
    for name, reason in unclear.items():
        account.pass_over(reason, name, marks.count(name))
    account.add(missing_pages(marks, {*named.values(), *unclear}, str(onto)))
    by_path = by_box = 0
    if named:
        what = f"import from {file.name}"
        with (
            Workspace.open(workspace) as opened_workspace,
            browser_for(no_sandbox=no_sandbox) as browser,
        ):
            by_path, by_box = _place(opened_workspace, browser.capture, marks, own, named, what)
    if json:
        print_json(account.as_json(), indent=1)
    else:
        _report(account, (by_path, by_box))
    return 0 if account.taken or account.moved or account.passed[KNOWN] else 1


def _place(
    workspace: Workspace,
    capture: Callable[[Document], Page],
    marks: MarkFile,
    own: Mapping[Document, str],
    named: Mapping[Document, str],
    what: str,
) -> tuple[int, int]:
    """Add each page's marks to the workspace; return the numbers found by path and only by box."""
    by_path = by_box = 0
    if workspace.damage:
        raise WorkspaceError(workspace.damage)
    workspace.add_pages(list(named))
    for document, name in named.items():
        try:
            page = capture(document)
        except CaptureError as error:
            note(f"{own[document]}: {error}")
            marks.account.pass_over("its page cannot be shown", name, marks.count(name))
            continue
        result = marks.marks(name, page)
        note(*(f"{own[document]}: {problem}" for problem in result.problems))
        key, nodes = page_key(document), page.rendered()
        before = workspace.load_gold(key, nodes)
        fresh = fresh_marks(result, before)
        if fresh:
            workspace.save_gold(key, Gold((*before.marks, *fresh)), nodes, what)
        marks.account.add(result.account)
        by_path, by_box = by_path + result.by_path, by_box + result.by_box
    return by_path, by_box


def _report(account: Account, boxes: tuple[int, int]) -> None:
    print(account.sentence())
    if any(boxes):
        print(f"of the boxes {boxes[0]} by path, {boxes[1]} by box alone")
    if account.moved:
        print(
            f"{plural(account.moved, 'mark')} at a probable position: no gold until confirmed in "
            "the window (Shift+N shows the next, Y confirms)"
        )
