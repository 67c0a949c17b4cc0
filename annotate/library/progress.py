"""Progress of a long evaluation, reported to the caller of the library."""

import sys
import time
from collections.abc import Callable, Sequence

from annotate.datasets.cases import Key
from annotate.evaluation.run.run_progress import RunProgress
from annotate.evaluation.store.rows import ResultRow

ProgressOption = bool | Callable[[str], None] | None
"""Whether to tell: True a line that renews itself, a function that takes each line, False nothing;
None tells in a terminal and in a notebook."""


class NullProgress:
    """Watcher that prints nothing, but keeps notes for the user."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def say(self, line: str) -> None:
        self.notes.append(line)

    def progressed(self, state: RunProgress) -> None:
        pass

    def page_done(self, key: Key, rows: Sequence[ResultRow]) -> None:
        pass

    def is_stopped(self) -> bool:
        return False


class LineProgress(NullProgress):
    """Watcher that passes a line on every few seconds, and at the end."""

    def __init__(self, show: Callable[[str], None], every_s: float = 1.0) -> None:
        super().__init__()
        self._show, self._every_s = show, every_s
        self._shown = time.monotonic()
        self._done = 0

    def progressed(self, state: RunProgress) -> None:
        """Pass on the progress of the run, unless that was just done."""
        is_end = state.done == state.total and state.done != self._done
        self._done = state.done
        if is_end or time.monotonic() - self._shown >= self._every_s:
            self._shown = time.monotonic()
            self._show(state.line)


def watcher_of(progress: ProgressOption) -> NullProgress:
    """Return a watcher that tells as the caller asked."""
    if callable(progress):
        return LineProgress(progress)
    is_seen = "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())
    is_told = is_seen if progress is None else progress
    return LineProgress(_RenewedLine()) if is_told else NullProgress()


class _RenewedLine:
    """Writes lines over each other; notebooks and terminals both take a carriage return so."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, line: str) -> None:
        if line != self._last:  # the end is printed once
            stream = sys.stdout if "ipykernel" in sys.modules else sys.stderr
            stream.write("\r" + line.ljust(len(self._last)))
            stream.flush()
            self._last = line
