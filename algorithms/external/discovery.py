"""All extractors that are not Pagelet's own, as found on this machine."""

from collections.abc import Collection, Iterable

from algorithms.external.declared import declared
from algorithms.external.libraries import installed
from algorithms.external.plugins import plugins
from algorithms.method import Method


def find(taken: Collection[str]) -> tuple[tuple[Method, ...], tuple[str, ...]]:
    """Return the methods, and a sentence for each that cannot be used.

    Keys in ``taken`` are somebody else's; of two with one key the first is kept: libraries, then
    packages, then what the user wrote down.
    """
    result: dict[str, Method] = {entry.key: entry for entry in installed()}
    problems: list[str] = []
    for entries, messages in (plugins(), declared()):
        problems.extend(messages)
        problems.extend(_add(result, entries, taken))
    return tuple(result.values()), tuple(problems)


def _add(
    result: dict[str, Method], entries: Iterable[Method], taken: Collection[str]
) -> Iterable[str]:
    for entry in entries:
        if entry.key in taken or entry.key in result:
            yield f"{entry.name} ({entry.version}) is left out: there is a method {entry.key!r}"
        else:
            result[entry.key] = entry
