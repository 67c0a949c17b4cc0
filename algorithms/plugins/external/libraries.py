"""Popular extraction libraries as methods, where they are installed.

The extra ``pagelet[external]`` installs all of them.

Listing them reads the metadata of what is installed and imports nothing; each runs in a worker
process that imports it with the first page (see `adapters`, `processes`).  The seconds of a result
are those of the library's own call, without start, transport and finding the text on the page.

A version of a package in a separate environment runs beside any other (`PackageRecipe`): a
library that there is an adapter for is called through it; of any other package a function from HTML
to text, ``module:function``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO

from algorithms.method import Method, MethodRecipe
from algorithms.own.answers import AnswerKind, extraction
from algorithms.params import Params, param
from algorithms.plugins.external import adapters
from algorithms.plugins.external.commands import LineWorker
from algorithms.results import Extraction
from engine.errors import InputError, MethodError
from engine.processes.foreign import ForeignWorker, Utf8, shared_worker, worker_for
from engine.source import Source

SECONDS = 20.0
"""Usual time limit for one page."""


@dataclass(frozen=True)
class LibraryParams(Params):
    seconds: float = param(SECONDS, "time limit for one page, in seconds", low=0.05, high=600.0)


@dataclass(frozen=True)
class TrafilaturaParams(Params):
    comments: bool = param(True, "keep readers' comments, the default of trafilatura")
    tables: bool = param(True, "keep tables")
    links: bool = param(False, "ask for links as well; their targets are no text")
    formatting: bool = param(False, "ask for formatting as well; its signs are no text")
    format: str = param(
        "txt", "output to take the text from", choices=("txt", "markdown", "html", "xml", "json")
    )
    seconds: float = param(SECONDS, "time limit for one page, in seconds", low=0.05, high=600.0)


@dataclass(frozen=True)
class ResiliparseParams(Params):
    comments: bool = param(True, "keep readers' comments, the default of Resiliparse")
    alt_texts: bool = param(False, "add the alternative texts of pictures")
    formatting: bool = param(True, "part paragraphs by lines")
    seconds: float = param(SECONDS, "time limit for one page, in seconds", low=0.05, high=600.0)


@dataclass(frozen=True)
class JustextParams(Params):
    language: str = param(
        "page", 'whose frequent words to go by, as in German; "page": the one the page names'
    )
    seconds: float = param(SECONDS, "time limit for one page, in seconds", low=0.05, high=600.0)


@dataclass(frozen=True)
class Boilerpy3Params(Params):
    rules: str = param(
        "Article",
        "which of its extractors",
        choices=(
            "Article", "ArticleSentences", "Default", "LargestContent", "NumWordsRules", "Canola",
            "KeepEverything",
        ),
    )  # fmt: skip
    seconds: float = param(SECONDS, "time limit for one page, in seconds", low=0.05, high=600.0)


@dataclass(frozen=True)
class Library:
    """An extraction library that there is an adapter for.

    ``has_markup``: its answers are text, and it gives HTML where it is asked for that.
    ``is_verbatim``: what it answers is made of the document's texts alone, whatever that is, so
    that nobody need look whether it is of this document: a fifth of the time of a quick library.
    """

    key: str
    name: str
    distribution: str
    params: type[Params]
    cite: str
    summary: str
    answers: AnswerKind = "text"
    fixed: Mapping[str, str] = field(default_factory=dict)
    has_markup: bool = False
    is_verbatim: bool = False


_TRAFILATURA = "Barbaresi 2021"
LIBRARIES = (
    Library(
        "trafilatura-precision", "trafilatura (precision)", "trafilatura", TrafilaturaParams,
        _TRAFILATURA, "The library trafilatura, set to favour precision.",
        fixed={"focus": "precision"}, has_markup=True,
    ),
    Library(
        "trafilatura", "trafilatura", "trafilatura", TrafilaturaParams,
        _TRAFILATURA, "The library trafilatura, balanced.", fixed={"focus": "balanced"},
        has_markup=True,
    ),
    Library(
        "trafilatura-recall", "trafilatura (recall)", "trafilatura", TrafilaturaParams,
        _TRAFILATURA, "The library trafilatura, set to favour recall.",
        fixed={"focus": "recall"}, has_markup=True,
    ),
    Library(
        "readability-lxml", "readability-lxml", "readability-lxml", LibraryParams,
        "Arc90 2009; port by Baburov", "The Python port of the first Readability.", "html",
    ),
    Library(
        "resiliparse", "Resiliparse", "resiliparse", ResiliparseParams,
        "Bevendorff et al. 2018", "The main content of the library Resiliparse.", has_markup=True,
        is_verbatim=True,
    ),
    Library(
        "justext", "jusText", "justext", JustextParams,
        "Pomikálek 2011", "Paragraphs by length, links and frequent words of the language.",
    ),
    Library(
        "boilerpy3", "BoilerPy3", "boilerpy3", Boilerpy3Params,
        "Kohlschütter et al. 2010; port by Riebold", "The Python port of Boilerpipe.",
    ),
    Library(
        "newspaper4k", "newspaper4k", "newspaper4k", LibraryParams,
        "Ou-Yang 2013; Paraschiv 2023", "The article text of the library newspaper4k.",
        has_markup=True,
    ),
    Library(
        "goose3", "Goose3", "goose3", LibraryParams,
        "Gravity Labs 2011; port by Grangier", "The article text of the library Goose3.",
    ),
)  # fmt: skip


def found() -> tuple[tuple[Method, ...], tuple[str, ...]]:
    """Return `find_installed`, and no problem."""
    return find_installed(), ()


def find_installed() -> tuple[Method, ...]:
    """Return the methods whose library is installed, each with its version.  Imports none."""
    versions = {name: _version(name) for name in {each.distribution for each in LIBRARIES}}
    return tuple(
        method_of(
            library,
            f"{library.distribution} {version}",
            partial(worker_for, adapters.__name__, library.distribution),
        )
        for library in LIBRARIES
        if (version := versions[library.distribution]) is not None
    )


def method_of(library: Library, version: str, worker: Callable[[], ForeignWorker]) -> Method:
    """Return a library as a method that runs in a worker."""

    def extract(source: Source, params: Params) -> Extraction:
        options = {**params.as_dict(), **library.fixed}
        return ask(
            worker(), source, options, library.answers,
            has_markup=library.has_markup, is_verbatim=library.is_verbatim,
        )  # fmt: skip

    return Method(
        key=library.key,
        name=library.name,
        params=library.params,
        output="extraction",
        cite=library.cite,
        on_source=extract,
        summary=library.summary,
        version=version,
    )


def _version(distribution: str) -> str | None:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def ask(
    worker: ForeignWorker,
    source: Source,
    options: Mapping[str, object],
    answers: AnswerKind,
    *,
    has_markup: bool = False,
    is_verbatim: bool = False,
) -> Extraction:
    """Extract with a worker that has the protocol of `adapters`; ``seconds`` is the time limit.

    With ``has_markup`` it is asked again, for HTML, where something needs the result's elements.
    """
    answer = ask_worker(worker, source, options)

    def ask_markup() -> str:
        return str(ask_worker(worker, source, {**options, "markup": True})["text"])

    return extraction(
        source, answer["text"], answers, answer["seconds"], ask_markup if has_markup else None,
        is_verbatim=is_verbatim,
    )  # fmt: skip


def ask_worker(
    worker: ForeignWorker, source: Source, options: Mapping[str, object]
) -> dict[str, Any]:
    """Return all that a worker answers about a source; `MethodError` if that is an error."""
    rest = dict(options)
    limit = float(str(rest.pop("seconds")))
    return worker.ask((rest, Utf8(source.utf8)), limit)


class EnvironmentWorker(LineWorker):
    """A Python of another environment that runs `adapters`."""

    def __init__(self, python: str, name: str) -> None:
        super().__init__((python, "-I", adapters.__file__), Path(python).parent)
        self._named = name

    def _launch(self, errors: BinaryIO) -> None:
        super()._launch(errors)
        self._load(self._named)


@dataclass(frozen=True)
class PackageRecipe(MethodRecipe):
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


def library_of(key: str) -> Library:
    """Return the library with a key, or an entry for a function; raises `InputError`."""
    if ":" in key:
        summary = f"What the function {key} returns."
        return Library(key, key, key, LibraryParams, "your own", summary)
    if library := next((each for each in LIBRARIES if each.key == key), None):
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
