"""Which pages are taken of many: the first ones, or some at random."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from engine.errors import InputError

Item = TypeVar("Item")


@dataclass(frozen=True)
class PageChoice:
    """How many pages are taken, and which.

    Attributes:
        limit: So many from the beginning; None takes all.
        sample: So many at random; None takes all.
        seed: What chance begins with; the same one takes the same pages.
    """

    limit: int | None = None
    sample: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        """Check them; raises `InputError`."""
        for name, count in (("limit", self.limit), ("sample", self.sample)):
            if count is not None and count < 1:
                raise InputError(f"--{name} must be at least 1, got {count}")
        if self.limit is not None and self.sample is not None:
            raise InputError("--limit and --sample exclude each other: give one of them")

    @property
    def is_all(self) -> bool:
        """Whether all are taken."""
        return self.limit is None and self.sample is None

    def taken(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return those that are taken, in the order they are in."""
        if self.sample is None:
            return items[: self.limit]
        count = min(self.sample, len(items))
        numbers = sorted(random.Random(self.seed).sample(range(len(items)), count))
        return [items[number] for number in numbers]
