"""Collect all tests with one plug-in after the other taken out.

    python -m tests.removals [FOLDER [NAME…]]

Prints a line for each plug-in: tests collected, files skipped for want of it, files that cannot be
collected.  Its own tests count for none of these.  The exit status is 1 if there are any of the
last.  Each plug-in has a process of its own, forked when all that tests share is loaded.
"""

import io
import multiprocessing
import sys
from contextlib import redirect_stdout
from importlib.abc import MetaPathFinder
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import pytest

TOP = Path(__file__).parent.parent
TESTS = TOP / "tests"
NAMES = sorted({each.parent.name for each in (TESTS / "plugins").glob("*/test_*.py")})
_FLOORS = ("gui", "annotate", "algorithms", "tests")


class Removal(NamedTuple):
    """What is left of the tests without a plug-in."""

    collected: list[str]
    skipped: list[str]
    failed: list[str]


class _Blocked(MetaPathFinder):
    """Modules of a plug-in that cannot be imported, as if its folders were away."""

    def __init__(self, name: str) -> None:
        self._names = tuple(f"{floor}.plugins.{name}" for floor in _FLOORS)

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        """Refuse the plug-in; leave all else to others."""
        if f"{fullname}.".startswith(tuple(f"{each}." for each in self._names)):
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


class _Listed:
    def __init__(self) -> None:
        self.removal = Removal([], [], [])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note files that are skipped, and those that cannot be collected."""
        if report.failed:
            self.removal.failed.append(report.nodeid)
        elif report.skipped:
            self.removal.skipped.append(report.nodeid)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Note the tests."""
        self.removal.collected.extend(item.nodeid for item in session.items)


def _collect(name: str, folder: str, answers: Connection) -> None:
    sys.meta_path.insert(0, _Blocked(name))
    listed = _Listed()
    words = ["--co", "-q", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    words += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what `load` imported
    left_out = ["bench", *([f"plugins/{name}"] if name else [])]
    words += [f"--rootdir={TOP}", *(f"--ignore={TESTS / each}" for each in left_out)]
    with redirect_stdout(io.StringIO()):
        pytest.main([*words, str(TOP / folder)], [listed])
    if not listed.removal.collected:  # such as that a plug-in of pytest cannot be imported
        listed.removal.failed.append("nothing was collected")
    answers.send(listed.removal)


def without(name: str, folder: str = "tests") -> Removal:
    """Collect the tests of a folder without a plug-in; "" takes none out."""
    here, there = multiprocessing.get_context("fork").Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=_collect, args=(name, folder, there)
    )
    process.start()
    there.close()
    try:
        return here.recv()  # type: ignore[no-any-return]
    finally:
        process.join()


def load() -> None:
    """Import what most tests do, and no plug-in."""
    import PySide6.QtWebEngineCore
    import PySide6.QtWidgets  # noqa: F401

    import annotate.datasets.opening  # noqa: F401

    loaded = [name for name in sys.modules if ".plugins." in name and name.startswith(_FLOORS)]
    assert not loaded, loaded


def main(folder: str = "tests", *names: str) -> int:
    """Print the table."""
    load()
    print("plug-in\tcollected\tskipped\tfailed")
    failed = 0
    for name in names or ("", *NAMES):
        removal = without(name, folder)
        failed += len(removal.failed)
        print(name or "none", *map(len, removal), *removal.failed, sep="\t", flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
