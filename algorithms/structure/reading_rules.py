"""Ordered tables of rules: the first rule that matches an element reads it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from algorithms.structure.rows import PageRows


@dataclass(frozen=True, eq=False)
class Element:
    """An element that rules are asked about."""

    rows: PageRows
    row: int

    @cached_property
    def name(self) -> str:
        """Its tag."""
        return self.rows.names[self.row]

    @cached_property
    def classes(self) -> str:
        """Its classes between blanks, as `PageRows.classes` returns them."""
        return self.rows.classes(self.row)

    @cached_property
    def text(self) -> str:
        """All text in it."""
        return self.rows.text(self.row)

    def get(self, name: str) -> str:
        """Return an attribute, "" where there is none."""
        return self.rows.get(self.row, name)


E = TypeVar("E")
T = TypeVar("T")


@dataclass(frozen=True)
class ReadingRule(Generic[E, T]):
    """A rule of a table.

    Attributes:
        source: Who writes such elements, or why they are read so.
        matches: Whether it is for an element.
        read: What the element is; None for nothing.
        is_final: Whether later rules are not asked where it reads nothing.
    """

    source: str
    matches: Callable[[E], object]
    read: Callable[[E], T | None]
    is_final: bool = True


def read_by(rules: Sequence[ReadingRule[E, T]], element: E) -> T | None:
    """Return what the first of these rules that matches reads, None where none does."""
    for rule in rules:
        if rule.matches(element):
            found = rule.read(element)
            if found is not None or rule.is_final:
                return found
    return None


def nothing(_: object) -> None:
    """Read nothing: the rule keeps an element from later ones."""


def always(_: object) -> bool:
    """Match every element: the last rule of a table."""
    return True
