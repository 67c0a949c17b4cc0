"""``pagelet open``, or no command at all: the window."""

import argparse
import os
import sys
from pathlib import Path

import resources
from engine.errors import InputError
from gui.cli.arguments import add_variant


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a page, the file that keeps the marks, and whether live pages are allowed."""
    command.add_argument("page", nargs="?", metavar="PAGE", help="file, folder, zip or URL")
    command.add_argument("--workspace", type=Path, help="file that keeps the marks")
    command.add_argument("--online", action="store_true", help="allow live pages")
    add_variant(command)


def run(options: argparse.Namespace) -> int:
    """Open the window; without a screen do the same job into a folder."""
    if not has_display():
        from gui.cli import demo

        if options.page and not Path(options.page).is_dir():
            raise InputError(
                "there is no screen to open a window on; "
                "pagelet extract, segment and demo work without one"
            )
        print(f"There is no screen: writing pictures and scores to {demo.FOLDER}/.")
        options.out, options.pages = Path(demo.FOLDER), options.page
        return demo.run(options)
    from gui.window.app import run

    return run(
        options.page or str(resources.path("corpus")),
        workspace=options.workspace,
        variant=options.variant,
        online=options.online,
        no_sandbox=options.no_sandbox,
    )


def has_display() -> bool:
    """Whether a window can be opened; Qt's own choice of platform counts as a yes."""
    if sys.platform in ("win32", "darwin"):
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(os.environ.get(name) for name in names)
