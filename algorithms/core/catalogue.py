"""The catalogue: every method Pagelet knows, in the order users see them.

`METHODS` are Pagelet's own that read one page, and those of plug-ins; `available` adds third-party
ones found on this machine; `SITE_METHODS` read a page together with its site, and `on_sites` are
all that do.
"""

import logging
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING

from algorithms.extraction import boilerpipe, bte, ccb, cetr, combine, dsc, lqf, plain, union
from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.learning.blocks import terrain_learned as terrain_learned
from algorithms.method import Method
from algorithms.segmentation import terrain, webterrain
from algorithms.segmentation.vips import vips
from engine import plugin
from engine.errors import InputError
from engine.words import no_such

if TYPE_CHECKING:
    from algorithms.own.method_files import MethodFile

log = logging.getLogger(__name__)

_ADDED: tuple[Method, ...] = tuple(plugin.objects("methods", Method))

_MEMBERS: tuple[Method, ...] = (
    plain.METHOD,
    bte.METHOD,
    *dsc.METHODS,
    *ccb.METHODS,
    *cetr.METHODS,
    *boilerpipe.METHODS,
    lqf.METHOD_25,
    lqf.METHOD,
    lqf.METHOD_75,
    *(entry for entry in _ADDED if not entry.reads_site and entry.output == "extraction"),
    gleaner.METHOD,
)
"""Extractors that `combine` and `union` may have as members."""

EXTRACTORS: tuple[Method, ...] = (
    *_MEMBERS,
    combine.method_of({entry.key: entry for entry in _MEMBERS}),
    union.method_of({entry.key: entry for entry in _MEMBERS}),
)

SEGMENTERS: tuple[Method, ...] = (
    webterrain.METHOD,
    vips.METHOD,
    terrain.METHOD,
    terrain_learned.METHOD,
    *(entry for entry in _ADDED if entry.output == "segmentation"),
)

METHODS: tuple[Method, ...] = (*EXTRACTORS, *SEGMENTERS)

SITE_METHODS: tuple[Method, ...] = tuple(entry for entry in _ADDED if entry.reads_site)

_FILES = (".py", ".npz")
"""What files of methods end in (`algorithms.own.method_files`)."""

_BY_KEY = {entry.key: entry for entry in (*METHODS, *SITE_METHODS)}


def available() -> tuple[Method, ...]:
    """Return all methods that read one page; finding third-party ones takes about 20 ms."""
    return (*METHODS, *_of_others(reads_site=False))


def on_sites() -> tuple[Method, ...]:
    """Return all methods that read a page together with its site."""
    return (*SITE_METHODS, *_of_others(reads_site=True))


def problems() -> tuple[str, ...]:
    """Return a sentence for each method of another maker that cannot be used."""
    return (*plugin.problems(), *_others()[1], *(file.problem for file in _files() if file.problem))


def method(key: str) -> Method:
    """Return the method with this key; `InputError` names the one that was meant, or all.

    Keys may come from anybody's file, a workspace or a table of scores: none of them makes a Python
    file run that the user has not named (`named_method`) or put into the settings' folder.
    """
    result = _BY_KEY.get(key) or _others()[0].get(key) or _in_files().get(key)
    if result is None and key.endswith(_FILES):
        from algorithms.own import method_files  # starts a process

        result = method_files.find_named(Path(key))
        if result is None:
            raise InputError(f"{key} is a file; name it with --method-file to use its method")
    if result is None:
        known = (*available(), *on_sites())
        raise InputError(no_such("method", key, (e.key for e in known), "pagelet methods"))
    return result


def has_method(key: str) -> bool:
    return key in _BY_KEY or key in _others()[0] or key in _in_files()


def named_method(word: str) -> Method:
    """Return the method that a user names: by its key, a file of Python or a model, or a version.

    For words that a user has just typed, never for the content of a file.  Raises as `method`.
    """
    if not has_method(word) and word.endswith(_FILES):
        from algorithms.own import method_files  # starts a process

        return method_files.add(Path(word))
    if not has_method(word) and _is_file(word):
        raise InputError(
            f"{word} is a file, but its name ends in none of {', '.join(_FILES)}, "
            "as methods and models do"
        )
    if not has_method(word):
        for find in plugin.objects("named", FunctionType):
            if (entry := find(word)) is not None:
                assert isinstance(entry, Method)
                return entry
    return method(word)


def _is_file(word: str) -> bool:
    try:
        return Path(word).is_file()
    except OSError:  # too long for the name of one
        return False


def _of_others(*, reads_site: bool) -> Iterator[Method]:
    for entry in (*_others()[0].values(), *_in_files().values()):
        if entry.reads_site == reads_site:
            yield entry


def _files() -> "tuple[MethodFile, ...]":
    from algorithms.own.method_files import files  # as below

    return files()


def _in_files() -> dict[str, Method]:
    """Return the methods in Python files that change while Pagelet runs."""
    taken = _BY_KEY.keys() | _others()[0].keys()
    return {file.entry.key: file.entry for file in _files() if file.entry.key not in taken}


@cache
def _others() -> tuple[dict[str, Method], tuple[str, ...]]:
    """Return the methods that plug-ins find, and a sentence for each that cannot be used.

    Of two with one key the first is kept.
    """
    result: dict[str, Method] = {}
    problems: list[str] = []
    for find in plugin.objects("finders", FunctionType):
        try:
            entries, messages = find()
        except Exception as error:  # noqa: BLE001  (others' functions raise anything)
            where = f"{find.__module__}:{find.__qualname__}"
            problems.append(f"{where} finds no methods: {type(error).__name__}: {error}")
            continue
        problems.extend(messages)
        for entry in entries:
            if entry.key in _BY_KEY or entry.key in result:
                problems.append(
                    f"{entry.name} ({entry.version}) is left out: there is a method {entry.key!r}"
                )
            else:
                result[entry.key] = entry
    for problem in problems:
        log.warning("%s", problem)
    return result, tuple(problems)
