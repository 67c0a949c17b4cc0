"""Numbers of many keys in 12 bytes each: a dictionary of pages takes twenty times as much.

Of each key 64 bits of its digest are remembered.  Keys that are known never share one: a million of
them would with a probability of 3e-8, and then a dictionary is made of all.  An unknown key is
mistaken for a known one with a probability of 5e-14.
"""

from array import array
from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import blake2b
from typing import Generic, TypeVar

import numpy as np

AKey = TypeVar("AKey", bound=tuple[str, ...])


class KeyNumbers(Generic[AKey]):
    """Keys and their numbers in order of appearance, from 0; of equal ones the first's.

    Args:
        keys: Returns the keys; called again each time they are needed.
    """

    def __init__(self, keys: Callable[[], Iterable[AKey]]) -> None:
        self._keys = keys
        digests = _digests(keys())
        order = np.argsort(digests, kind="stable")
        self._sorted, self._order = digests[order], order.astype(np.int32)
        self._all: dict[AKey, int] | None = None
        if (self._sorted[1:] == self._sorted[:-1]).any():
            self._all = {}
            for key in keys():
                self._all.setdefault(key, len(self._all))

    def __len__(self) -> int:
        return len(self._order) if self._all is None else len(self._all)

    def __iter__(self) -> Iterator[AKey]:
        return iter(self._keys() if self._all is None else self._all)

    def get(self, key: AKey) -> int:
        """Return the number of a key, -1 for unknown ones."""
        if self._all is not None:
            return self._all.get(key, -1)
        digest = np.uint64(_digest(key))
        position = int(np.searchsorted(self._sorted, digest))
        if position == len(self._sorted) or self._sorted[position] != digest:
            return -1
        return int(self._order[position])


def repeated_keys(keys: Iterable[AKey]) -> "Collection[AKey]":
    """Return a collection of all repeated keys, with hardly any others."""
    digests = np.sort(_digests(keys))
    return _WithDigest(frozenset(digests[1:][digests[1:] == digests[:-1]].tolist()))


class _WithDigest(Collection[AKey]):
    def __init__(self, digests: frozenset[int]) -> None:
        self._digests = digests

    def __contains__(self, key: object) -> bool:
        return isinstance(key, tuple) and _digest(key) in self._digests

    def __iter__(self) -> Iterator[AKey]:
        raise TypeError("keys are stored as digests only")

    def __len__(self) -> int:
        return len(self._digests)


def _digests(keys: Iterable[tuple[str, ...]]) -> "np.ndarray[tuple[int], np.dtype[np.uint64]]":
    return np.frombuffer(array("Q", map(_digest, keys)) or b"", dtype=np.uint64)


def _digest(key: tuple[str, ...]) -> int:
    text = "\0".join(key).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
