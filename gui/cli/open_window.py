"""``pagelet open``, or ``pagelet`` without a command: the window."""

import argparse
import gc
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from annotate.datasets.looking.door import look_into
from annotate.evaluation.tables.axes import Column
from annotate.workspace.database import check_header
from annotate.workspace.workspace_file import is_workspace
from engine.document import absence
from engine.errors import InputError
from engine.words import listed
from gui.cli.arguments import add_all, add_variant


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a page, the file that keeps the marks, and whether live pages are allowed."""
    command.add_argument("page", nargs="?", metavar="PAGE", help="file, folder, zip or URL")
    command.add_argument("--workspace", type=Path, help="file that keeps the marks")
    command.add_argument("--online", action="store_true", help="allow live pages")
    command.add_argument(
        "--draw",
        action="append",
        default=[],
        metavar="METHOD[:INPUT]",
        help="draw what this method finds, in place of the usual layers (again for more)",
    )
    command.add_argument(
        "--set", action="append", default=[], metavar="METHOD.NAME=VALUE", help="set a parameter"
    )
    command.add_argument(
        "--look",
        action="store_true",
        help="open nothing: print what PAGE is, and what to do with it",
    )
    add_all(command)
    command.add_argument("--json", action="store_true", help="with --look: print it as JSON")
    add_variant(command)


def run(options: argparse.Namespace) -> int:
    """Open the window; without a screen do the same job into a folder."""
    if options.look:
        return _look(options.page, is_json=options.json)
    drawn = _drawn(options.draw, options.set)
    if options.page and options.page != "-" and "://" not in options.page:
        _check(Path(options.page).expanduser())
    if not has_display():
        from gui.cli import demo

        if options.page and not Path(options.page).is_dir():
            if Path(options.page).expanduser().exists():
                _look(options.page, is_json=False)
            raise InputError(
                "there is no screen to open a window on; "
                "pagelet extract, segment and demo work without one"
            )
        print(f"There is no screen: writing pictures and scores to {demo.FOLDER}/.")
        options.out, options.pages = Path(demo.FOLDER), options.page
        return demo.run(options)
    gc.disable()  # of what is imported nothing is garbage: to look for it is a tenth of the start
    from gui.window.app import run

    gc.freeze()
    gc.enable()
    return run(
        options.page or "",
        workspace=options.workspace,
        variant=options.variant,
        takes_all=options.all,
        drawn=drawn,
        online=options.online,
        no_sandbox=options.no_sandbox,
    )


def _check(page: Path) -> None:
    """Raise what is wrong with a page that a window would only open to say so."""
    if not page.exists():
        raise InputError(absence(page))
    if is_workspace(page):
        check_header(page)


def _look(path: str | None, *, is_json: bool) -> int:
    """Print what a path is; return 1 for what can neither be opened nor taken in."""
    if not path:
        raise InputError("name a file or folder to look into")
    found = look_into(path)
    if is_json:
        print(json.dumps(found.as_json(), indent=1))
    else:
        print(found.description)
        for file, reason in found.left_out:
            print(f"  [ ] {file}: {reason}")
        for step in found.steps:
            print(f"  {step.words}:  {step.command}" if step.command else f"  {step.words}")
    return 0 if found.steps else 1


def _drawn(keys: Sequence[str], settings: Sequence[str]) -> tuple[Column, ...]:
    """Return the methods to draw, as they are set up; raises `InputError`."""
    if not keys and not settings:
        return ()
    from algorithms.core.catalogue import method
    from annotate.evaluation.run.plan import params_by_method

    inputs = dict(each.partition(":")[::2] for each in keys)
    entries = {key: method(key) for key in inputs}
    params = params_by_method(settings, entries)
    result = []
    for key, entry in entries.items():
        source = inputs[key] or entry.input_if_rendered
        if source not in entry.inputs:
            raise InputError(f"{key} does not read {source!r}; it reads: {listed(entry.inputs)}")
        result.append(Column.of(key, json.dumps(params[key].as_dict()), source))
    return tuple(result)


def has_display() -> bool:
    """Whether a window can be opened; Qt's own choice of platform counts as a yes."""
    if sys.platform in ("win32", "darwin"):
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(os.environ.get(name) for name in names)
