"""All pages of a workspace for other tools: read one after the other, written in one format."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from annotate.datasets.case_files import PageFiles, WorkspaceFiles
from annotate.datasets.cases import page_names
from annotate.datasets.readers import document_of
from annotate.marks.guideline import Guideline, write
from annotate.plugins.exchange.formats import ExchangeFormat
from annotate.plugins.exchange.marked_page import MarkedPage
from annotate.workspace.workspace import Workspace
from engine.document import Document
from engine.errors import InputError, PageletError, convert_os_error
from engine.page import Page
from engine.words import plural


def workspace_files(path: Path, annotator: str = "") -> tuple[WorkspaceFiles, ...]:
    """Return the pages an annotator has marked in a workspace; "" is the last annotator.

    Raises:
        InputError: There is no such annotator, or nothing is marked.
    """
    with Workspace.reading(path, annotator) as workspace:
        entries = [entry for entry in workspace.pages() if entry.marks]
        whose = workspace.annotator.shown
    if not entries:
        of = f" by {whose}" if annotator else ""
        raise InputError(f"nothing is marked{of} in {path}")
    source = path.resolve()
    return tuple(
        WorkspaceFiles(document_of(entry), source, annotator=annotator) for entry in entries
    )


def read_marked(
    files: Iterable[PageFiles],
    render: Callable[[Document], Page],
    say: Callable[[str], None],
    is_stopped: Callable[[], bool] = lambda: False,
) -> list[MarkedPage]:
    """Return the pages that have marks, rendered; ``say`` receives each failure."""
    result: list[MarkedPage] = []
    files = list(files)
    names = page_names([each.document() for each in files])
    for each, name in zip(files, names, strict=True):
        if is_stopped():
            break
        document = each.document()
        try:
            page = render(document)
            gold, problems = each.shown(page)
        except PageletError as error:
            say(f"{name}: {error}")
            continue
        for problem in problems:
            say(f"{name}: {problem}")
        if gold.marks:
            result.append(MarkedPage(name, document, page, gold, each.guideline(), each.versions()))
    return _with_stems(result)


def _with_stems(pages: Sequence[MarkedPage]) -> list[MarkedPage]:
    """Return the pages under names that make files of different names, ignoring case."""
    used: set[str] = set()
    result = []
    for page in pages:
        number, own = 1, page
        while own.stem.casefold() in used:
            number += 1
            own = replace(page, name=f"{page.stem}-{number}")
        used.add(own.stem.casefold())
        result.append(own)
    return result


def write_pages(chosen: ExchangeFormat, pages: Sequence[MarkedPage], out: Path) -> str:
    """Write pages in a format below a folder; return the counts written and left out.

    `InputError` where it cannot be written, or there is nothing to write.
    """
    usable = chosen.usable(pages)
    if not usable:
        supported = f"{chosen.wants}, which is all that {chosen.name} keeps"
        what = "any confirmed marks" if chosen.wants == "marks" else supported
        raise InputError(f"nothing was written: no page has {what}")
    with convert_os_error(f"write to {out}"):
        out.mkdir(parents=True, exist_ok=True)
        written = chosen.write(usable, out)
    asked = [] if chosen.flags_drafts else [m for page in pages for m in page.gold.unconfirmed()]
    drafts = sum(mark.is_draft for mark in asked)
    moved, lacking = len(asked) - drafts, len(pages) - len(usable)
    text = f"{plural(len(usable), 'page')} in {plural(len(written), 'file')} below {out}"
    if lacking:
        text += f"; {plural(lacking, 'page')} without {chosen.wants} left out"
    if drafts:
        text += f"; {plural(drafts, 'draft')} left out, since nobody has confirmed them"
    if moved:
        text += f"; {plural(moved, 'mark')} that moved left out until confirmed"
    return text


def write_guideline(guideline: Guideline | None, out: Path) -> None:
    """Write the guideline of marks beside them, if there is one."""
    if guideline is not None:
        write(guideline, out / "guideline.md")
