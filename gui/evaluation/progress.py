"""How far a long run is, said now and then in one line."""

import time
from collections.abc import Callable, Sequence

_SAY_EVERY = 5.0
"""Seconds between two lines."""


class Progress:
    """Says how many pages are done, how fast, how long the rest will take, and what is going on.

    Args:
        name: What the pages are from.
        total: How many there are to do.
        say: Takes a line.
        done: How many were done before; they say nothing of the speed.
        states: What each worker is at, kept up to date by whoever runs them.
    """

    def __init__(
        self,
        name: str,
        total: int,
        say: Callable[[str], None],
        done: int = 0,
        states: Sequence[str] = (),
    ) -> None:
        self._name, self._total, self._say, self._states = name, total, say, states
        self._done = self._before = done
        self._start = self._said = time.monotonic()

    def step(self) -> None:
        """One more page is done."""
        self._done += 1
        now = time.monotonic()
        if now - self._said < _SAY_EVERY and self._done < self._total:
            return
        self._said = now
        speed = (self._done - self._before) / max(now - self._start, 1e-3)
        left = (self._total - self._done) / speed
        line = f"{self._name}: {self._done}/{self._total} pages, {speed:.1f} pages/s"
        if self._done < self._total:
            line += "; ".join((f", {left:.0f} s left", *self._states))
        self._say(line)
