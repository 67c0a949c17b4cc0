"""``pagelet export``: marks in the formats of other tools."""

from collections.abc import Sequence
from pathlib import Path

from annotate.datasets.case_files import PageFiles
from annotate.datasets.opening import open_pages
from annotate.plugins.exchange.all_pages import (
    read_marked,
    workspace_files,
    write_guideline,
    write_pages,
)
from annotate.plugins.exchange.formats import format_of, formats, losses
from annotate.plugins.team_work.comment_files import write_comments
from annotate.plugins.team_work.shared_pages import read_in_part
from annotate.workspace.stored_guideline import of_workspace
from annotate.workspace.workspace import Workspace
from annotate.workspace.workspace_file import is_workspace
from engine.errors import InputError
from engine.words import join_words, plural
from gui.cli.arguments import browser_for
from gui.cli.terminal import note, progress

_MOST_LOSSES = 40
"""Largest number of printed lines on losses of single pages."""


def run(
    marks: Path | None = None,
    *,
    format: str = "gold",
    annotator: str = "",
    out: Path = Path("pagelet-export"),
    comments: Path | None = None,
    list_formats: bool = False,
    no_sandbox: bool,
) -> int:
    """Report losses, then export.

    Args:
        marks: a workspace, a data set, or a folder with gold files
        format: a key; see --list (default: gold)
        annotator (NAME): whose marks of a workspace (default: those of whoever worked there last)
        out: folder
        comments (FILE): write the comments of a workspace to FILE (.csv or .json), and no marks
        list_formats (--list): list the formats, and what each of them loses

    Example:
      pagelet export team.pagelet --annotator Anna --format coco --out for-training
    """
    if list_formats:
        for each in formats():
            print(f"{each.key:<14} {each.name}: {each.writes}; {each.comes_back}")
            print(f"{'':<14} {each.loses or 'Nothing is lost.'}")
        return 0
    if marks is None:
        raise InputError("name the marks to export: a workspace, a data set, or a folder")
    if comments is not None:
        return _export_comments(marks, comments)
    chosen = format_of(format)
    files, problems = _files_of(marks, annotator)
    progress(f"{chosen.name}: {chosen.loses or 'keeps all of these pages.'}")
    note(*problems)
    with browser_for(no_sandbox=no_sandbox) as browser:
        pages = read_marked(files, browser.capture, note)
    if not pages:
        raise InputError(f"{marks} holds no marks to export")
    written = write_pages(chosen, pages, out)
    lines = [f"{page.name}: {loss}" for page in pages for loss in losses(chosen, page)]
    for line in lines[:_MOST_LOSSES]:
        progress(line)
    if len(lines) > _MOST_LOSSES:
        progress(f"and {plural(len(lines) - _MOST_LOSSES, 'line')} more")
    print(written)
    if _is_workspace(marks):
        with Workspace.reading(marks) as workspace:
            write_guideline(of_workspace(workspace), out)
    return 0


def _is_workspace(marks: Path) -> bool:
    return marks.is_file() and is_workspace(marks)


def _export_comments(marks: Path, out: Path) -> int:
    if not _is_workspace(marks):
        raise InputError(f"{marks} is not a workspace: only workspaces have comments")
    with Workspace.reading(marks) as workspace:
        count = write_comments(workspace, out)
    print(f"{plural(count, 'comment')} written to {out}")
    return 0


def _files_of(marks: Path, annotator: str) -> tuple[Sequence[PageFiles], Sequence[str]]:
    """Return the pages with marks, and the problems of others."""
    if annotator:
        if not _is_workspace(marks):
            raise InputError(f"{marks} is not a workspace: --annotator names one of a workspace")
        return workspace_files(marks, annotator), read_in_part([marks])
    opened = open_pages(marks)
    return opened.files, (*_whose(marks), *opened.problems)


def _whose(marks: Path) -> Sequence[str]:
    """Return whose marks of a workspace are used, if several annotators worked in it."""
    if not _is_workspace(marks):
        return ()
    with Workspace.reading(marks) as workspace:
        mine = workspace.annotator.shown
        others = [who.shown for who in workspace.annotators if who.shown != mine]
    text = f"these are the marks of {mine}; --annotator takes those of {join_words(others, 'or')}"
    return [text] if others else ()
