"""How far a long run is: how many pages are done, how fast, how long the rest will take."""

import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class RunProgress:
    """Progress of a run.

    Attributes:
        done, total: Pages, each input one.
        pages_per_s: In this run, without pages done before.
        seconds_left: None before the first page is done.
        workers: Current step of each.
    """

    done: int
    total: int
    pages_per_s: float
    seconds_left: float | None
    workers: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        words = f"{self.done}/{self.total} pages, {self.pages_per_s:.1f} pages/s"
        seconds = self.seconds_left
        if self.done == self.total or seconds is None:
            return words
        hours, minutes = divmod(round(seconds / 60), 60)
        longer = f"{hours} h {minutes:02} min" if hours else f"{minutes} min"
        left = f"{seconds:.0f} s" if seconds < 100 else longer
        return words + "; ".join((f", {left} left", *self.workers))


class Eta:
    """Counts pages and time.

    Args:
        total: Number of pages.
        done: Number done before; they do not count for the speed.
        workers: Current step of each worker, updated by the caller.
    """

    def __init__(self, total: int, done: int, workers: Sequence[str]) -> None:
        self._total, self._workers = total, workers
        self._done = self._before = done
        self._start = time.monotonic()

    def step(self) -> None:
        self._done += 1

    @property
    def state(self) -> RunProgress:
        new = self._done - self._before
        speed = new / max(time.monotonic() - self._start, 1e-3)
        left = (self._total - self._done) / speed if new else None
        return RunProgress(self._done, self._total, speed, left, tuple(self._workers))
