"""Versions of extractors as methods: of PyPI and npm, commits, archives, files.

`annotate.plugins.external.sides` lists how they are named.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from algorithms.core.catalogue import method
from algorithms.method import Method, MethodRecipe
from algorithms.own import method_files
from algorithms.plugins.external import environments
from algorithms.plugins.external.environments import REQUIREMENT, Installed, normalise_name
from algorithms.plugins.external.libraries import LIBRARIES, PackageRecipe, library_of
from algorithms.plugins.external.npm_packages import PREFIX, npm_recipe
from engine.errors import InputError

_ARCHIVES = (".whl", ".tar.gz", ".zip")
_SHORT = 12
"""Letters of the name of a checkout's files."""


def named(word: str) -> Method | None:
    """Return the version of a package that a word names, such as ``npm:defuddle==0.19.4``.

    A function or an adapter may follow.  None for other words; raises `InputError`.
    """
    subject, *function = word.split()
    if len(function) > 1 or not (subject.startswith(PREFIX) or "==" in subject):
        return None
    return recipe_of(subject, *function).entry(word)


@dataclass(frozen=True)
class FileRecipe(MethodRecipe):
    """A method file under another key; other files of the same method are unchanged."""

    path: str

    def entry(self, key: str) -> Method:
        return replace(method_files.load_unlisted(Path(self.path)), key=key, name=key, recipe=self)


def recipe_of(subject: str, function: str = "") -> MethodRecipe:
    """Return what makes a version, commit, archive or file a method; installs what is missing.

    ``function`` is that of a package, or the adapter of one of npm.  Raises `InputError`.
    """
    if subject.startswith(PREFIX):
        return npm_recipe(subject, function)
    before, at, commit = subject.rpartition("@")
    path = Path(before if at else subject).expanduser()
    if at and path.exists():
        if path.is_file():
            return _file_at(path, commit)
        return _of(environments.of_commit(path, commit), function, short=commit)
    if path.is_dir() and not at:
        made, tree = environments.of_folder(path)
        return _of(made, function, short=tree[:_SHORT])
    if subject.endswith(".py"):
        return FileRecipe(str(path.resolve()))
    if subject.endswith(_ARCHIVES) and path.is_file():
        return _of(environments.of_wheel(path), function)
    if REQUIREMENT.fullmatch(subject):
        return _of(
            environments.of_requirement(_in_distribution(subject)), function or _key_in(subject)
        )
    if ":" in subject and "/" not in subject:
        return _checked(PackageRecipe(subject, "", subject))
    method(subject)  # raises for an unknown name
    raise InputError(f"{subject} cannot be compared")


def _file_at(path: Path, commit: str) -> MethodRecipe:
    top = Path(environments.git(path, "rev-parse", "--show-toplevel"))
    inside = path.resolve().relative_to(top.resolve())
    return FileRecipe(str(environments.files_of(top, commit) / inside))


def _of(made: Installed, key: str, short: str = "") -> PackageRecipe:
    chosen = key or made.distribution
    library_of(chosen)
    version = f"{made.distribution} {made.version}"
    return _checked(PackageRecipe(chosen, made.python, f"{version} {short}".strip()))


def _checked(recipe: PackageRecipe) -> PackageRecipe:
    recipe.check()
    return recipe


def _key_in(requirement: str) -> str:
    """Return the key of the library that a requirement names."""
    match = REQUIREMENT.fullmatch(requirement)
    assert match is not None
    return normalise_name(match[1])


def _in_distribution(requirement: str) -> str:
    """Return a requirement with the distribution's name in the stead of a method's key."""
    match = REQUIREMENT.fullmatch(requirement)
    assert match is not None
    key = normalise_name(match[1])
    others = (each.distribution for each in LIBRARIES if each.key == key != each.distribution)
    return next(others, match[1]) + requirement[len(match[1]) :]
