"""The pages of a data set on disk: 100,000 of them take a few hundred kilobytes of memory."""

import pickle
import tempfile
import threading
import weakref
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import overload

from annotate.datasets.case_files import PageFiles
from annotate.datasets.key_numbers import repeated_keys
from engine.errors import convert_os_error

NamedFiles = tuple[str, Mapping[str, PageFiles]]
"""Name of a page, and by variant ("" where a format has none) where it and its gold are."""

_AT_ONCE = 100
_IN_MEMORY = 2**16


class StoredListing(Sequence[NamedFiles]):
    """Pages in their order, read from a temporary file each time they are accessed.

    Pages are created again then: equal to the earlier ones, but not the same objects.

    Raises:
        InputError: The file cannot be written.
    """

    def __init__(self, pages: Iterable[NamedFiles]) -> None:
        self._file = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, self._file.close)
        self._ends = array("q", [0])
        self._count = 0
        self._lock = threading.Lock()
        self._last: tuple[int, list[NamedFiles]] = -1, []
        coming = iter(pages)
        while some := list(islice(coming, _AT_ONCE)):
            data = pickle.dumps(some, pickle.HIGHEST_PROTOCOL)
            with convert_os_error("store the list of pages for the moment"):
                self._file.write(data)
            self._ends.append(self._ends[-1] + len(data))
            self._count += len(some)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[NamedFiles]:
        for number in range(len(self._ends) - 1):
            yield from self._some(number)

    @overload
    def __getitem__(self, index: int) -> NamedFiles: ...
    @overload
    def __getitem__(self, index: slice) -> "StoredListing": ...
    def __getitem__(self, index: int | slice) -> "NamedFiles | StoredListing":
        if isinstance(index, slice):
            return StoredListing(map(self.__getitem__, range(self._count)[index]))
        position = range(self._count)[index]
        if self._last[0] != position // _AT_ONCE:
            self._last = position // _AT_ONCE, self._some(position // _AT_ONCE)
        return self._last[1][position % _AT_ONCE]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type["StoredListing"], tuple[list[NamedFiles]]]:
        return StoredListing, (list(self),)

    def first_of_each(self) -> "tuple[StoredListing, Counter[str]]":
        """Return the first page of each name, and names with how many more pages have them."""
        suspects = repeated_keys((name,) for name, _ in self)
        if not suspects:
            return self, Counter()
        seen: set[str] = set()
        more: Counter[str] = Counter()

        def firsts() -> Iterator[NamedFiles]:
            for name, files in self:
                if name in seen:
                    more[name] += 1
                else:
                    if (name,) in suspects:
                        seen.add(name)
                    yield name, files

        return StoredListing(firsts()), more

    def _some(self, number: int) -> list[NamedFiles]:
        start, end = self._ends[number], self._ends[number + 1]
        with convert_os_error("read the list of pages again"), self._lock:
            self._file.seek(start)
            data = self._file.read(end - start)
        result: list[NamedFiles] = pickle.loads(data)
        return result
