"""Several processes at work on one list of orders, each order answered by one message.

`Blame` decides which steps are tried again after a process was lost.
"""

import time
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable
from dataclasses import dataclass, field
from multiprocessing import connection
from typing import Any, Generic

from engine.processes.worker_process import (
    TICK_S,
    Answer,
    Order,
    ProcessLost,
    ProcessTimeout,
    WorkerProcess,
)

_FALSE_STARTS = 2


@dataclass(frozen=True)
class Again(Generic[Order]):
    """An order to hand out in place of one whose process was lost."""

    order: Order


@dataclass
class Blame:
    """Blame for lost processes, over all tries at one order."""

    _died: set[Hashable] = field(default_factory=set)
    _false_starts: int = 0

    def is_spared(self, step: Hashable | None, error: ProcessLost) -> bool:
        """Return whether a step is tried again; None is the start of the process.

        A start is tried three times, and a step at which a process died once more, as memory may
        have run out for a neighbour's sake; one that took too long is not.
        """
        if step is None:
            self._false_starts += 1
            return self._false_starts <= _FALSE_STARTS
        if isinstance(error, ProcessTimeout) or step in self._died:
            return False
        self._died.add(step)
        return True


def answers_of(
    orders: Iterable[Order],
    jobs: int,
    start: Callable[[], WorkerProcess[Order, Answer]],
    *,
    seconds: Callable[[Order], float],
    lost: Callable[[Order, ProcessLost], Answer | Again[Order]],
    goes_on: Callable[[], bool] = lambda: True,
    note: Callable[[Order, Any], None] = lambda _order, _message: None,
    pause_s: float = 0.0,
) -> Generator[Answer]:
    """Yield the answers as they come; the processes have ended when this has.

    Args:
        orders: What to do.
        jobs: How many processes, if there are so many orders.
        start: Returns one.
        seconds: How long one may take for an order, or until its next message.
        lost: Returns the answer to an order whose process died or took too long, or another order.
        goes_on: Asked now and then; if it returns false, running work is ended.
        note: Gets the messages that a process sends before its answer.
        pause_s: How long to let messages wait where none was an answer.
    """
    waiting = deque(orders)
    processes = [start() for _ in range(min(jobs, len(waiting)))]
    at: dict[WorkerProcess[Order, Answer], Order] = {}
    try:
        while goes_on():
            for process in processes:
                if process not in at and waiting:
                    at[process] = waiting.popleft()
                    process.hand(at[process])
            if not at:
                return
            connection.wait([process.pipe for process in at], TICK_S)
            before = len(at)
            for process, order in [*at.items()]:
                try:
                    for is_answer, message in process.messages(seconds(order)):
                        if is_answer:
                            del at[process]
                            yield message
                            break
                        note(order, message)
                except ProcessLost as error:
                    result = lost(order, error)
                    if isinstance(result, Again):
                        at[process] = result.order
                        process.hand(result.order)
                    else:
                        del at[process]
                        yield result
            if len(at) == before:
                time.sleep(pause_s)
    finally:
        for process in processes:
            process.end(waits=process not in at)
