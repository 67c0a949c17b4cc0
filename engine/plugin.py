"""Plug-ins: specialities that add to the core and that the core runs without.

Each is a package with a `Plugin`, named by an entry point of the group ``pagelet.plugins``; those
that ship with Pagelet come in by the same door as those of others.  A declaration names objects as
``package.module:NAME`` instead of importing them, so that reading it loads neither Qt nor a method.
"""

import logging
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module, metadata
from types import ModuleType
from typing import Any, NamedTuple

log = logging.getLogger(__name__)

GROUP = "pagelet.plugins"

WITHOUT = "PAGELET_WITHOUT"
"""Environment variable that switches plug-ins off: their names, separated by commas."""


class Command(NamedTuple):
    """A subcommand of ``pagelet``.

    Attributes:
        module: Has ``run``, whose signature and docstring are the arguments (see
            `gui.cli.signatures`); it returns the exit status.
        help: One line for ``pagelet --help``.
    """

    module: str
    help: str


@dataclass(frozen=True)
class Plugin:
    """Contributions of one plug-in.

    Attributes:
        name: That of its folder.
        feature: Its `gui.core.feature.Feature`, or several; "" for none.
        commands: Its subcommands by name.
        options: Modules that add options to commands of the core, by the command's name: their
            ``run`` is as of a command, and returns None where its options were not given.
        readers: `annotate.datasets.readers.Reader` objects.
        saved_pages: `annotate.datasets.saved_pages.SavedKind` objects: files that other programs
            save pages to.
        archives: An `annotate.archives.page_ranges.ArchiveReader`, for files of many pages.
        methods: `algorithms.method.Method` objects, of one page or of a page with its site.
        finders: Functions that find more methods, of a page or a site, on this machine: each
            returns them, and a sentence for each that cannot be used.  They are called once, when
            all methods are listed or one is asked for that is not in the catalogue.
        named: Functions that return the method that a user's word names, as a version of a package,
            or None.
        formats: `annotate.plugins.exchange.formats.ExchangeFormat` objects.
        marks: A function that returns the `engine.account.Account` of a file of marks, by its path
            and the key of its format.
        answers: Names of the signals of `gui.core.workbench.Requests` that its feature answers.
        tests: Functions that pytest calls with a path and its collector, and that return a
            collector of the tests in that file, or None (`pytest_collect_file`).
        tables: Functions that return tables of the documentation by their names, which
            ``pagelet docs`` writes.
    """

    name: str
    feature: str | tuple[str, ...] = ""
    commands: Mapping[str, Command] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    readers: tuple[str, ...] = ()
    saved_pages: tuple[str, ...] = ()
    archives: str = ""
    methods: tuple[str, ...] = ()
    finders: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    marks: str = ""
    answers: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()


def plugins() -> tuple[Plugin, ...]:
    """Return the installed plug-ins, by name; about 20 ms the first time."""
    return _found()[0]


def has(name: str) -> bool:
    return any(each.name == name for each in plugins())


def needs(name: str) -> str:
    """Return the end of a sentence on what only a plug-in does that is missing or broken."""
    return (
        f"needs the plug-in {name}, which {'cannot be used' if has(name) else 'is not installed'}"
    )


def problems() -> tuple[str, ...]:
    """Return a sentence for each plug-in that cannot be used, or part of one."""
    return (*_found()[1], *_unusable)


def objects(kind: str, expected: type) -> Iterator[Any]:
    """Yield the objects that a field of each `Plugin` names.

    What cannot be imported or is of another type is left out and listed by `problems`.
    """
    for plugin in plugins():
        names = getattr(plugin, kind)
        for name in (names,) if isinstance(names, str) else names:
            if name:
                yield from _loaded(plugin.name, name, expected)


@cache
def module(plugin: str, name: str) -> ModuleType | None:
    """Return a module of a plug-in; None if it cannot be imported, which `problems` lists."""
    try:
        return import_module(name)
    except (Exception, SystemExit) as error:  # noqa: BLE001  (others' modules raise anything)
        _unusable.append(f"plug-in {plugin}: {name} cannot be used: {reason(error)}")
        return None


def reason(error: BaseException) -> str:
    """Return in a line why something of a plug-in cannot be used."""
    if not isinstance(error, ModuleNotFoundError):
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    _, is_plugin, rest = (error.name or "").partition(".plugins.")
    other = rest.partition(".")[0]
    return f"it needs the plug-in {other}, which is not installed" if is_plugin else str(error)


_unusable: list[str] = []


@cache
def _loaded(plugin: str, name: str, expected: type) -> tuple[object, ...]:
    package, _, attribute = name.partition(":")
    try:
        result = getattr(import_module(package), attribute)
    except (Exception, SystemExit) as error:  # noqa: BLE001  (others' modules raise anything)
        _unusable.append(f"plug-in {plugin}: {name} cannot be used: {reason(error)}")
        return ()
    every = result if isinstance(result, tuple) else (result,)
    if not all(isinstance(each, expected) for each in every):
        _unusable.append(f"plug-in {plugin}: {name} is no {expected.__name__}")
        return ()
    return every


@cache
def _found() -> tuple[tuple[Plugin, ...], tuple[str, ...]]:
    result: dict[str, Plugin] = {}
    problems: list[str] = []
    switched_off = os.environ.get(WITHOUT, "").replace(",", " ").split()
    for point in sorted(metadata.entry_points(group=GROUP)):
        if point.name in switched_off:
            continue
        try:
            plugin = point.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001  (as above)
            if isinstance(error, ModuleNotFoundError) and _is_taken_out(point.module, error.name):
                log.debug("the plug-in %s has been taken out", point.name)
                continue
            problems.append(f"plug-in {point.name} cannot be used: {reason(error)}")
            continue
        if not isinstance(plugin, Plugin):
            problems.append(f"plug-in {point.name}: {point.value} is no Plugin")
        elif plugin.name in result:
            problems.append(f"plug-in {plugin.name} is installed twice; one of them is used")
        else:
            result[plugin.name] = plugin
    return tuple(result.values()), tuple(problems)


def _is_taken_out(module: str, missing: str | None) -> bool:
    """Return whether a plug-in's own package is missing, not one that it imports."""
    return missing is not None and f"{module}.".startswith(f"{missing}.")
