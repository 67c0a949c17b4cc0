"""What several methods read from a source is read once and stays with the source.

Methods share the tokens and the tree; beyond these they share what is costly to derive from them:
text blocks, tag ratios, content code.  Such a function is marked `shared`; what it returns must not
change, and must not hold the source, lest both live until the collector comes by.
"""

from collections.abc import Callable
from functools import update_wrapper
from typing import Concatenate, ParamSpec, TypeVar, cast

from engine.source import Source

MOST = 32
"""Answers kept at a time; the oldest goes first.  A slider asks for a new one at every step."""

P = ParamSpec("P")
R = TypeVar("R")


def shared(
    make: Callable[Concatenate[Source, P], R],
) -> Callable[Concatenate[Source, P], R]:
    """Make a function of a source, and hashable arguments, answer from memory the second time."""

    def kept(source: Source, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key = (make, args, *kwargs.items())
        try:
            return cast(R, source.kept[key])
        except KeyError:  # methods run on several threads: no look before the leap
            value = make(source, *args, **kwargs)
        for oldest in list(source.kept)[: 1 - MOST]:
            source.kept.pop(oldest, None)
        source.kept[key] = value
        return value

    update_wrapper(kept, make)
    return kept
