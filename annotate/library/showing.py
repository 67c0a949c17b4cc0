"""The window, opened from a script or notebook."""

import base64
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from algorithms.method import MethodRecipe
from annotate.library.pages import MethodRun, OpenPage
from engine.errors import InputError
from engine.interpreter import absolute, environment, has_display, python


def show(page: OpenPage | MethodRun | str | Path, *results: MethodRun) -> "subprocess.Popen[bytes]":
    """Open the window on a page, in a separate process, and return that process.

    Args:
        page: The page; or a result, for the page it was found on.
        results: Layers to draw on it: each method runs there with the parameters of the result.
            None: the layers the window usually has.

    Raises:
        InputError: There is no screen, or a result is of another page.
    """
    shown, runs = (page.page, (page, *results)) if isinstance(page, MethodRun) else (page, results)
    words = [word for run in runs for word in _drawn(run)]
    for run in runs:
        if isinstance(shown, OpenPage) and run.page.document != shown.document:
            raise InputError(f"{run.method} was run on another page: {run.page.address}")
    if not has_display():
        raise InputError("there is no screen to open a window on")
    address = _address(shown) if isinstance(shown, OpenPage) else str(shown)
    command = python("-m", "gui.cli.main", "open", address, *words)
    return subprocess.Popen(command, env=environment())


def _drawn(run: MethodRun) -> Iterator[str]:
    """Yield the words that have the window draw what a method finds as it was set up."""
    key = run.method
    if run.setup.recipe is not None:
        yield from ("--method-file", str(_method_file(key, run.setup.recipe)))
    elif key.endswith(".py"):
        yield from ("--method-file", key)
    yield from ("--draw", f"{key}:{run.setup.input}")
    defaults = type(run.setup.params).defaults()
    for name, value in run.setup.params.as_dict().items():
        if value != defaults[name]:
            yield from ("--set", f"{key}.{name}={value}")


def _method_file(key: str, recipe: MethodRecipe) -> Path:
    """Write a function as a method file, which the window's process can read; return it."""
    packed = base64.b64encode(pickle.dumps(recipe)).decode()
    path = Path(tempfile.mkdtemp(prefix="pagelet-")) / "shown_function.py"
    path.write_text(
        "import base64, pickle, sys\n"
        f"sys.path += [each for each in {absolute(sys.path)!r} if each not in sys.path]\n"
        f"METHOD = pickle.loads(base64.b64decode({packed!r})).entry({key!r})\n",
        "utf-8",
    )
    return path


def _address(page: OpenPage) -> str:
    document = page.document
    if document.data is None:
        return document.address
    path = Path(tempfile.mkdtemp(prefix="pagelet-")) / "page.html"
    path.write_bytes(document.data)
    return str(path)
