"""Whether the packages that ``import gui``, ``import engine`` ... find are Pagelet's own.

Their names are common; another distribution may bring packages of the same names, and a mixture of
both works half.  Standard library only: this runs before anything else is imported.
"""

import sys
from importlib.util import find_spec
from pathlib import Path

NAMES = ("resources", "engine", "algorithms", "annotate", "gui")
_BEGINNINGS = {
    "resources": '"""Files that ship with Pagelet:',
    "engine": '"""A page becomes data:',
    "algorithms": '"""Methods of content extraction and segmentation,',
    "annotate": '"""Gold standards:',
    "gui": '"""The workbench window,',
}
"""How each ``__init__`` begins.  Installers write over files of the same name without a word: a
package of another maker then lies in the right folder, mixed with Pagelet's."""


class ForeignModuleError(ImportError):
    """Another package has the name of one of Pagelet's."""


def home() -> Path:
    """Return the folder that Pagelet's packages lie in."""
    here = Path(__file__).resolve()
    # Installed they are beside this package; in the repository this one is two folders deeper.
    for folder in (here.parents[1], here.parents[3]):
        if (folder / "annotate" / "library" / "__init__.py").is_file():
            return folder
    raise ForeignModuleError(
        f"Pagelet is incomplete: install it again, annotate/library is not beside {here.parent}"
    )


def foreign() -> dict[str, str]:
    """Return the names that lead to something else than Pagelet's packages, and to what."""
    own = home()
    result = {}
    for name in NAMES:
        expected = own / name / "__init__.py"
        location = _location_of(name)
        if location is None or Path(location).resolve() != expected:
            result[name] = location or "nothing"
        elif not _begins(expected, _BEGINNINGS[name]):
            result[name] = f"{location}, which another package has written over"
    return result


def sentence(result: dict[str, str]) -> str:
    """Return the problem and the remedy, for the user."""
    what = ", ".join(f"{name} ({location})" for name, location in result.items())
    return (
        f"another module stands where Pagelet needs its own: {what}; install Pagelet into an "
        "environment of its own (uv tool install, pipx, or a fresh virtual environment), or rename "
        "that module"
    )


def check() -> None:
    """Raise `ForeignModuleError` if one of the names is not Pagelet's."""
    result = foreign()
    if result:
        raise ForeignModuleError(sentence(result))


def _begins(file: Path, words: str) -> bool:
    try:
        with file.open(encoding="utf-8", errors="replace") as text:
            return text.read(len(words)) == words
    except OSError:  # not a file one can read, as in a zip: then nothing has written over it
        return True


def _location_of(name: str) -> str | None:
    """Return the file that a name is or would be imported from."""
    known = sys.modules.get(name)
    if known is not None:
        return getattr(known, "__file__", None) or _first(getattr(known, "__path__", ()))
    try:
        spec = find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None
    if spec is None:
        return None
    return spec.origin or _first(spec.submodule_search_locations or ())


def _first(paths: object) -> str | None:
    return next(iter(paths), None) if hasattr(paths, "__iter__") else None
