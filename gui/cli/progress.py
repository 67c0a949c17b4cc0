"""Tells on the command line how a run goes: a line now and then."""

import time
from collections.abc import Callable, Sequence

from annotate.datasets.cases import Key
from annotate.evaluation.robustness.perturbed import names_as_they_are
from annotate.evaluation.run.plan import Plan
from annotate.evaluation.run.run_progress import RunProgress
from annotate.evaluation.store.rows import ResultRow

_SAY_EVERY = 5.0
"""Seconds between two lines."""


class Speaker:
    """A `annotate.evaluation.run.runner.Watcher` that speaks in lines."""

    def __init__(self, plan: Plan, say: Callable[[str], None]) -> None:
        self._name = "+".join(names_as_they_are(plan.datasets))
        self._say = say
        self._last_message = time.monotonic()
        self._done = 0

    def say(self, line: str) -> None:
        self._say(line)

    def progressed(self, state: RunProgress) -> None:
        """Print progress every few seconds, and at the end."""
        now = time.monotonic()
        is_end = state.done == state.total and state.done != self._done
        self._done = state.done
        if is_end or now - self._last_message >= _SAY_EVERY:
            self._last_message = now
            self._say(f"{self._name}: {state.line}")

    def page_done(self, key: Key, rows: Sequence[ResultRow]) -> None:
        """Print nothing: the tables come at the end."""

    def is_stopped(self) -> bool:
        """Continue: Ctrl-C raises where it stops."""
        return False
