"""``pagelet open``, or ``pagelet`` without a command: the window."""

import gc
from collections.abc import Sequence
from json import dumps
from pathlib import Path

from annotate.datasets.cases import Variant
from annotate.datasets.looking.inspection import look_into
from annotate.evaluation.tables.axes import Column
from annotate.workspace.database import check_header
from annotate.workspace.workspace_file import is_workspace
from engine.document import absence
from engine.errors import InputError
from engine.interpreter import has_display
from engine.words import join_words
from gui.cli.arguments import TakesAll
from gui.cli.terminal import print_json


def run(
    page: str | None = None,
    *,
    workspace: Path | None = None,
    online: bool = False,
    draw: Sequence[str] = (),
    settings: Sequence[str] = (),
    look: bool = False,
    takes_all: TakesAll = False,
    json: bool = False,
    variant: Variant = "html",
    no_sandbox: bool,
) -> int:
    """Open the window; without a screen do the same job into a folder.

    Args:
        page (PAGE): file, folder, zip or URL
        workspace: file that keeps the marks
        online: allow live pages
        draw (METHOD[:INPUT]): draw what this method finds, in place of the usual layers (again for
            more)
        settings (--set METHOD.NAME=VALUE): set a parameter
        look: open nothing: print what PAGE is, and what to do with it
        json: with --look: print it as JSON
        variant: which file of a page in Kreuzer's layout (default: html)
    """
    if look:
        return _look(page, is_json=json)
    drawn = _drawn(draw, settings)
    if page and page != "-" and "://" not in page:
        _check(Path(page).expanduser())
    if not has_display():
        from gui.cli import demo

        if page and not Path(page).is_dir():
            if Path(page).expanduser().exists():
                _look(page, is_json=False)
            raise InputError(
                "there is no screen to open a window on; "
                "pagelet extract, segment and demo work without one"
            )
        print(f"There is no screen: writing pictures and scores to {demo.FOLDER}/.")
        return demo.run(Path(page) if page else None, variant=variant)
    gc.disable()  # imports leave no garbage, and collecting it takes a tenth of the start
    from gui.window.app import run

    gc.freeze()
    gc.enable()
    return run(
        page or "",
        workspace=workspace,
        variant=variant,
        takes_all=takes_all,
        drawn=drawn,
        online=online,
        no_sandbox=no_sandbox,
    )


def _check(page: Path) -> None:
    """Raise the error of a page before a window is opened for it."""
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
        print_json(found.as_json(), indent=1, is_ascii=True)
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
        source = inputs[key] or entry.default_input(is_rendered=True)
        if source not in entry.inputs:
            raise InputError(
                f"{key} does not read {source!r}; it reads: {join_words(entry.inputs)}"
            )
        result.append(Column.of(key, dumps(params[key].as_dict()), source))
    return tuple(result)
