"""``pagelet export``: marks in the formats of other tools."""

import argparse
import sys
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
from annotate.plugins.exchange.formats import format_of, formats
from annotate.plugins.exchange.losses import losses
from annotate.team.comment_files import write_comments
from annotate.team.shared_pages import read_in_part
from annotate.workspace.stored_guideline import of_workspace
from annotate.workspace.workspace import Workspace
from annotate.workspace.workspace_file import is_workspace
from engine.errors import InputError
from engine.words import listed, plural

_EPILOG = """Example:
  pagelet export team.pagelet --annotator Anna --format coco --out for-training
"""

_MOST_LOSSES = 40
"""Largest number of printed lines on losses of single pages."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for marks, a format, and the output."""
    command.epilog = _EPILOG
    command.add_argument(
        "marks", nargs="?", type=Path, help="a workspace, a data set, or a folder with gold files"
    )
    command.add_argument("--format", default="gold", help="a key; see --list (default: gold)")
    command.add_argument(
        "--annotator", default="", metavar="NAME",
        help="whose marks of a workspace (default: those of whoever worked there last)",
    )  # fmt: skip
    command.add_argument("--out", type=Path, default=Path("pagelet-export"), help="folder")
    command.add_argument(
        "--comments", type=Path, metavar="FILE",
        help="write the comments of a workspace to FILE (.csv or .json), and no marks",
    )  # fmt: skip
    command.add_argument(
        "--list", action="store_true", help="list the formats, and what each of them loses"
    )


def run(options: argparse.Namespace) -> int:
    """Report losses, then export."""
    if options.list:
        for each in formats():
            print(f"{each.key:<14} {each.name}: {each.writes}; {each.comes_back}")
            print(f"{'':<14} {each.loses or 'Nothing is lost.'}")
        return 0
    if options.marks is None:
        raise InputError("name the marks to export: a workspace, a data set, or a folder")
    if options.comments is not None:
        return _export_comments(options.marks, options.comments)
    chosen = format_of(options.format)
    files, problems = _files_of(options.marks, options.annotator)
    print(f"{chosen.name}: {chosen.loses or 'keeps all of these pages.'}", file=sys.stderr)
    for problem in problems:
        print(f"pagelet: {problem}", file=sys.stderr)
    from engine.web.headless import Browser
    from engine.web.qt_log import silence_qt_log  # Qt

    silence_qt_log()
    with Browser(no_sandbox=options.no_sandbox) as browser:
        pages = read_marked(
            files, browser.capture, lambda line: print(f"pagelet: {line}", file=sys.stderr)
        )
    if not pages:
        raise InputError(f"{options.marks} holds no marks to export")
    written = write_pages(chosen, pages, options.out).summary(options.out)
    lines = [f"{page.name}: {loss}" for page in pages for loss in losses(chosen, page)]
    for line in lines[:_MOST_LOSSES]:
        print(line, file=sys.stderr)
    if len(lines) > _MOST_LOSSES:
        print(f"and {plural(len(lines) - _MOST_LOSSES, 'line')} more", file=sys.stderr)
    print(written)
    if options.marks.is_file() and is_workspace(options.marks):
        with Workspace.reading(options.marks) as workspace:
            write_guideline(of_workspace(workspace), options.out)
    return 0


def _export_comments(marks: Path, out: Path) -> int:
    if not (marks.is_file() and is_workspace(marks)):
        raise InputError(f"{marks} is not a workspace: only workspaces have comments")
    with Workspace.reading(marks) as workspace:
        count = write_comments(workspace, out)
    print(f"{plural(count, 'comment')} written to {out}")
    return 0


def _files_of(marks: Path, annotator: str) -> tuple[Sequence[PageFiles], Sequence[str]]:
    """Return the pages with marks, and the problems of others."""
    if annotator:
        if not (marks.is_file() and is_workspace(marks)):
            raise InputError(f"{marks} is not a workspace: --annotator names one of a workspace")
        return workspace_files(marks, annotator), read_in_part([marks])
    opened = open_pages(marks)
    return opened.files, (*_whose(marks), *opened.problems)


def _whose(marks: Path) -> Sequence[str]:
    """Return whose marks of a workspace are used, if several annotators worked in it."""
    if not (marks.is_file() and is_workspace(marks)):
        return ()
    with Workspace.reading(marks) as workspace:
        mine = workspace.annotator.shown
        others = [who.shown for who in workspace.annotators if who.shown != mine]
    if not others:
        return ()
    text = f"these are the marks of {mine}"
    return [f"{text}; --annotator takes those of {listed(others, 'or')}"]
