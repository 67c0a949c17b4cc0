"""Which of the system's libraries that Qt needs are missing, and the sentence that names them.

Qt's wheels bring Qt, not what every desktop has.  Python names the first library that the loader
does not find; whoever reads that should not have to start again for each of the other thirty.
"""

import ctypes
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from importlib.resources import files

from engine.interpreter import environment

_NOT_FOUND = re.compile(r"(\S+\.so[\w.]*): cannot open shared object file")


def complaint(error: str) -> str:
    """Return a sentence on packages to install for a missing library; "" for other errors."""
    named = _NOT_FOUND.search(error)
    if named is None:
        return ""
    lacking = missing(table(), _loads)
    if not lacking:
        return f"the system's library {named[1]} is missing: install the package that holds it"
    return describe_missing(lacking, _is_known if shutil.which("apt-cache") else None)


def table() -> dict[str, Sequence[str]]:
    """Return library → Debian packages that hold it, the newest name first."""
    lines = files("resources").joinpath("libraries.txt").read_text("utf-8").splitlines()
    return {soname: packages for soname, *packages in map(str.split, lines)}


def missing(
    libraries: dict[str, Sequence[str]], loads: Callable[[str], bool]
) -> dict[str, Sequence[str]]:
    """Return those of the libraries that do not load."""
    return {soname: packages for soname, packages in libraries.items() if not loads(soname)}


def describe_missing(
    lacking: dict[str, Sequence[str]], is_known: Callable[[str], bool] | None
) -> str:
    """Return the sentence: with packages where they are known, else libraries.

    Of several names of a package the first known one counts, as ``./run`` has it; the last, which
    is the oldest, where none is.
    """
    if is_known is None:
        return f"Qt needs libraries that are missing; install what holds {', '.join(lacking)}"
    packages = [
        next((name for name in names if is_known(name)), names[-1]) for names in lacking.values()
    ]
    return f"Qt needs libraries that are missing; type: sudo apt-get install {' '.join(packages)}"


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def _is_known(package: str) -> bool:
    words = ["apt-cache", "show", "--quiet", package]
    return not subprocess.run(
        words, capture_output=True, check=False, env=environment(), timeout=60
    ).returncode
