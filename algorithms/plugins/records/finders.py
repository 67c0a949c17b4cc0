"""The methods on records, by the names they are asked for."""

from collections.abc import Callable

from algorithms.plugins.records.depta import depta
from algorithms.plugins.records.elements import Elements, RecordSet
from algorithms.plugins.records.mdr import mdr
from algorithms.plugins.records.sheaf import sheaf
from algorithms.plugins.records.tag_paths import tag_paths
from engine.errors import InputError

Finder = Callable[[Elements], list[RecordSet]]

FINDERS: dict[str, Finder] = {
    "sheaf": sheaf,
    "mdr": mdr,
    "depta": depta,
    "tag-paths": tag_paths,
}


def finder_named(name: str) -> Finder:
    """Return a method; raises `InputError` that lists all if there is none of this name."""
    try:
        return FINDERS[name]
    except KeyError:
        raise InputError(
            f"no method on records is named {name}; use {', '.join(FINDERS)}"
        ) from None
