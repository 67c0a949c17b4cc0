"""The letters of a text as numbers."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Codes = npt.NDArray[np.unsignedinteger[Any]]

OTHER = 255
"""Code for all letters from there on, where codes are cut to a byte."""


@dataclass(frozen=True, eq=False)
class Letters:
    """A text letter by letter.

    Attributes:
        codes: uint8 (n,). Code points, `OTHER` for all from there on.
        wide: uint8 or uint32 (n,). Code points.
        eights: uint64 (n + 1,). Of each place the eight ``codes`` that begin there, the first in
            the lowest byte; 0 past the end.
    """

    codes: npt.NDArray[np.uint8]
    wide: Codes
    eights: npt.NDArray[np.uint64]

    @classmethod
    def of(cls, text: str) -> Self:
        n = len(text)
        if text.isascii():
            padded = np.frombuffer(text.encode("ascii") + bytes(8), np.uint8)
            codes = padded[:n]
            wide: Codes = codes
        else:
            wide = _code_points(text)
            padded = np.zeros(n + 8, dtype=np.uint8)
            codes = padded[:n]
            codes[:] = np.minimum(wide, OTHER)
        return cls(codes, wide, np.ndarray((n + 1,), "<u8", padded, strides=(1,)))


def letter_codes(text: str) -> Codes:
    """Return each letter's code point, those above 0xFFFF as some letter's; (len(text),)."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8)
    pairs = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), "<u2")
    if pairs.size == len(text):  # all up to 0xFFFF, as nearly always
        return pairs.astype(np.uint16, copy=False)
    return np.minimum(_code_points(text), 0xFFFF).astype(np.uint16)


def _code_points(text: str) -> npt.NDArray[np.uint32]:
    """Return the code point of each letter of a non-empty text."""
    return np.array([text]).view(np.uint32)  # much faster than encoding it
