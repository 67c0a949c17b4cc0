"""Which pages are taken of many: the first ones, or some at random."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from annotate.datasets.cases import DataSet
from annotate.datasets.stored_listing import StoredListing
from engine.errors import InputError
from engine.options import Options, option

Item = TypeVar("Item")


@dataclass(frozen=True)
class PageChoice(Options):
    """Choice of pages; None takes all."""

    limit: int | None = option(
        None, "take only the first N pages of each data set", metavar="N", low=1
    )
    sample: int | None = option(None, "take N pages of each data set at random", metavar="N", low=1)
    seed: int = option(0, "seed of --sample", metavar="K")

    def __post_init__(self) -> None:
        """Check them; raises `InputError`."""
        super().__post_init__()
        if self.limit is not None and self.sample is not None:
            raise InputError("--limit and --sample exclude each other: give one of them")

    @property
    def is_all(self) -> bool:
        return self.limit is None and self.sample is None

    def taken(self, items: Sequence[Item]) -> Sequence[Item]:
        """Return those that are taken, in the order they are in."""
        if self.sample is None:
            return items[: self.limit]
        return [items[number] for number in self.numbers(len(items))]

    def numbers(self, count: int) -> Sequence[int]:
        """Return the numbers of those that are taken of so many, in order."""
        if self.sample is None:
            return range(count)[: self.limit]
        few = min(self.sample, count)
        return sorted(random.Random(self.seed).sample(range(count), few))

    def taken_of(self, dataset: DataSet) -> DataSet:
        """Return a data set of the pages that are taken."""
        if self.is_all:
            return dataset
        pages = dataset.pages
        taken = StoredListing(pages[number] for number in self.numbers(len(pages)))
        return replace(dataset, pages=taken)
