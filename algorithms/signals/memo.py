"""What several methods or measures read from a source, or from a rendered page, is read once.

Methods share the tokens and the tree; beyond these they share results that are costly to compute:
text blocks, tag ratios, content code, what a reader sees.  Such a function is marked `shared`; its
answer stays with the source (or the page's rows) and must not change: an array is locked.  It holds
the source only where it is about its rows (`algorithms.structure`), since then both live until the
collector comes by.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

import numpy as np

from engine.tree import lock

MOST = 32
"""Answers kept at a time; the oldest goes first.  A slider asks for a new one at every step."""


class Keeper(Protocol):
    """A source, or the rows of a page."""

    @property
    def memo(self) -> dict[Any, Any]:
        """Results computed so far."""


K = TypeVar("K", bound=Keeper)
P = ParamSpec("P")
R = TypeVar("R")


def shared(make: Callable[Concatenate[K, P], R]) -> Callable[Concatenate[K, P], R]:
    """Make a function of a source, and hashable arguments, answer from memory the second time."""

    def kept(source: K, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (make, args, *kwargs.items())
        try:
            return cast(R, source.memo[key])
        except KeyError:  # methods run on several threads: no look before the leap
            value = make(source, *args, **kwargs)
        if isinstance(value, np.ndarray):
            lock(value)
        for oldest in list(source.memo)[: 1 - MOST]:
            source.memo.pop(oldest, None)
        source.memo[key] = value
        return value

    update_wrapper(kept, make)
    return kept
