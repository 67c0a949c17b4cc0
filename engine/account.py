"""Account of the items of a file: taken, passed over, moved and lost, which add up."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from engine.errors import PageletError
from engine.words import plural, shorten

DAMAGE = (
    LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError,
)  # fmt: skip
"""What values of other kinds or sizes than expected raise, wherever in a file they stand."""

_MOST_NAMED = 100
"""Items of one outcome that are kept by name; the rest are counted."""


@dataclass
class Account:
    """Counts of the items of a file by outcome.

    ``found`` is the sum of all outcomes, so that no item goes missing: readers call `item` around
    each one, and an item without a recorded outcome counts as passed over.

    Attributes:
        unit: What one item is, in the singular: "mark", "page", "record".
        taken: Items that came in as they were.
        moved: Items that came in at a probable position and wait to be confirmed.
        lost: Items without a place, by reason.
        passed: Items passed over, by reason.
        names: Names of items, by reason; the first hundred of each.
    """

    unit: str
    taken: int = 0
    moved: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    passed: Counter[str] = field(default_factory=Counter)
    names: dict[str, list[str]] = field(default_factory=dict)

    @property
    def found(self) -> int:
        """Return how many items the file holds."""
        return self.taken + self.moved + self.lost.total() + self.passed.total()

    def take(self, count: int = 1) -> None:
        """Count items that came in as they were."""
        self.taken += count

    def move(self, name: str = "") -> None:
        """Count an item whose position is a likeness."""
        self.moved += 1
        self._name("to be confirmed", name)

    def lose(self, reason: str, name: str = "") -> None:
        """Count an item that has no place on the page."""
        self.lost[reason] += 1
        self._name(reason, name)

    def pass_over(self, reason: str, name: str = "", count: int = 1) -> None:
        """Count items that are not read, with the reason."""
        if count:
            self.passed[reason] += count
            self._name(reason, name)

    @contextmanager
    def item(self, name: str = "") -> Iterator[None]:
        """Read one item: an odd or damaged one is passed over with its reason, the rest go on."""
        before = self.found
        try:
            yield
        except PageletError as error:
            self.pass_over(str(error), name)
        except DAMAGE as error:
            self.pass_over(f"damaged ({_cause(error)})", name)
        else:
            if self.found == before:
                self.pass_over("not understood", name)

    def add(self, other: "Account") -> None:
        """Add the counts of another account of the same unit."""
        self.taken += other.taken
        self.moved += other.moved
        self.lost += other.lost
        self.passed += other.passed
        for reason, names in other.names.items():
            for name in names:
                self._name(reason, name)

    def sentence(self) -> str:
        """Return the account as one line: "5 marks found: 3 taken, 1 to be confirmed, 1 …"."""
        parts = [
            f"{self.taken} taken",
            *([f"{self.moved} to be confirmed"] if self.moved else []),
            *(f"{count} lost: {reason}" for reason, count in self.lost.most_common()),
            *(f"{count} passed over: {reason}" for reason, count in self.passed.most_common()),
        ]
        separator = "; " if self.lost or self.passed else ", "
        return f"{plural(self.found, self.unit)} found: {separator.join(parts)}"

    def as_json(self) -> dict[str, Any]:
        """Return the account for JSON: counts, and the names of items that did not come in."""
        return {
            "unit": self.unit,
            "found": self.found,
            "taken": self.taken,
            "moved": self.moved,
            "lost": dict(self.lost),
            "passed over": dict(self.passed),
            "names": {reason: list(names) for reason, names in self.names.items()},
        }

    def _name(self, reason: str, name: str) -> None:
        names = self.names.setdefault(reason, []) if name else []
        if name and len(names) < _MOST_NAMED:
            names.append(shorten(name))


def _cause(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"without {shorten(str(error), 60)}"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, TypeError | AttributeError):
        return "a value of another kind"
    if isinstance(error, IndexError) or "unpack" in str(error) or "inhomogeneous" in str(error):
        return "too few or too many values"
    return shorten(str(error), 80) or type(error).__name__
