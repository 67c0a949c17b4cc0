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

_EVERY_S = 1.0


class NullProgress:
    """Watcher that prints nothing, but keeps notes for the user."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def say(self, line: str) -> None:
        """Keep it."""
        self.notes.append(line)

    def progressed(self, state: RunProgress) -> None:
        pass

    def page_done(self, key: Key, rows: Sequence[ResultRow]) -> None:
        pass

    def is_stopped(self) -> bool:
        return False


class LineProgress(NullProgress):
    """A watcher that hands lines on, now and then and at the end."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell
        self._reported = time.monotonic()

    def progressed(self, state: RunProgress) -> None:
        """Print where the run stands, if that was not printed just now."""
        is_end = state.done == state.total
        if is_end or time.monotonic() - self._reported >= _EVERY_S:
            self._reported = time.monotonic()
            self._tell(state.line)


def watcher_of(progress: ProgressOption) -> NullProgress:
    """Return a watcher that tells as the caller asked."""
    if callable(progress):
        return LineProgress(progress)
    is_told = _is_seen() if progress is None else progress
    return LineProgress(_RenewedLine()) if is_told else NullProgress()


def _is_seen() -> bool:
    return "ipykernel" in sys.modules or (sys.stderr is not None and sys.stderr.isatty())


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
