"""Measures asked for by name, as ``--measures`` takes them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from engine.errors import InputError


class Named(Protocol):
    """What goes by a key."""

    @property
    def key(self) -> str:
        """Its name on the command line and in files."""


T = TypeVar("T", bound=Named)


def chosen(names: str, measures: Iterable[T], groups: Mapping[str, Sequence[str]]) -> tuple[T, ...]:
    """Return the measures of a list with commas, each once; `InputError` names those there are.

    ``groups`` are names that stand for several.
    """
    known = {measure.key: measure for measure in measures}
    wanted: dict[str, T] = {}
    for name in map(str.strip, names.split(",")):
        for key in groups.get(name, (name,)):
            if key not in known:
                raise InputError(f"no measure {key!r}; there is: {', '.join((*groups, *known))}")
            wanted[key] = known[key]
    return tuple(wanted.values())
