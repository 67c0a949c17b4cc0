"""Extractors of other environments as methods: a version of a package beside any other.

A library that there is an adapter for is called through it; of any other package a function from
HTML to text, ``module:function``.
"""

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

from algorithms.method import Method
from algorithms.plugins.external import adapters
from algorithms.plugins.external.libraries import LIBRARIES, Library, LibraryParams, method_of
from algorithms.plugins.external.servers import LineWorker
from engine.errors import InputError, MethodError
from engine.processes.foreign import ForeignWorker, shared_worker, worker_for


class EnvironmentWorker(LineWorker):
    """A Python of another environment that runs `adapters`."""

    def __init__(self, python: str, name: str) -> None:
        super().__init__((python, "-I", adapters.__file__), Path(python).parent)
        self._named = name

    def _launch(self, errors: BinaryIO) -> None:
        super()._launch(errors)
        self._load(self._named)


@dataclass(frozen=True)
class PackageRecipe:
    """An extractor of an environment, as it travels.

    Attributes:
        key: Of the library, or ``module:function``.
        python: The environment's interpreter; "" for Pagelet's own.
        version: Name and version of the package, or the commit.
    """

    key: str
    python: str
    version: str

    def entry(self, key: str) -> Method:
        """Return it as a method under a key."""
        library = library_of(self.key)
        worker = partial(_worker, self.python, library.distribution)
        return replace(method_of(library, self.version, worker), key=key, name=key, recipe=self)

    def check(self) -> None:
        """Load it once; `InputError` where it cannot be, as with dependencies of a later time."""
        try:
            _worker(self.python, library_of(self.key).distribution).prepare()
        except MethodError as error:
            raise InputError(f"{self.version}: {error}") from None

    def for_page(self, _name: str) -> "PackageRecipe":
        """Return itself: it is the same for every page."""
        return self


def library_of(key: str) -> Library:
    """Return the library with a key, or an entry for a function; raises `InputError`."""
    if ":" in key:
        summary = f"What the function {key} returns."
        return Library(key, key, key, LibraryParams, "your own", summary)
    for library in LIBRARIES:
        if library.key == key:
            return library
    known = ", ".join(dict.fromkeys(library.distribution for library in LIBRARIES))
    raise InputError(
        f"how {key} extracts is not known: add the function that does, as in {key}:extract "
        f"(known are {known})"
    )


def _worker(python: str, name: str) -> ForeignWorker:
    if not python:
        return worker_for(adapters.__name__, name)
    return shared_worker(("environment", python, name), lambda: EnvironmentWorker(python, name))
