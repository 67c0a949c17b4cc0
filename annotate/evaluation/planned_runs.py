"""Which pages an evaluation has, and what rows each must have: 14 bytes a page."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping

from annotate.datasets.cases import Key
from annotate.datasets.key_numbers import KeyNumbers

RowKinds = frozenset[tuple[str, str, str, str]]
"""The `ResultRow.kind` of each row that a page must have."""


class PlannedRuns(Mapping[Key, RowKinds]):
    """Pages in their order, and the rows each must have.

    Args:
        pages: Returns them; called again each time all pages are needed.
    """

    def __init__(self, pages: Callable[[], Iterable[tuple[Key, RowKinds]]]) -> None:
        self._codes = array("i")
        self._kinds: dict[RowKinds, int] = {}
        self.numbers: KeyNumbers[Key] = KeyNumbers(lambda: (key for key, _ in pages()))
        for key, kinds in pages():
            if self.numbers.get(key) == len(self._codes):  # the first of equal ones
                self._codes.append(self._kinds.setdefault(kinds, len(self._kinds)))
        self._known = tuple(self._kinds)

    def __getitem__(self, key: Key) -> RowKinds:
        number = self.numbers.get(key)
        if number < 0:
            raise KeyError(key)
        return self._known[self._codes[number]]

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and self.numbers.get(key) >= 0

    def __iter__(self) -> Iterator[Key]:
        return iter(self.numbers)

    def __len__(self) -> int:
        return len(self.numbers)
