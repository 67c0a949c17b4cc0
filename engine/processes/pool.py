"""Several processes at work on one list of orders, each order answered by one message."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from multiprocessing import connection

from engine.processes.worker_process import TICK_S, Answer, Order, ProcessLost, WorkerProcess


def answers_of(
    orders: Iterable[Order],
    jobs: int,
    start: Callable[[], WorkerProcess[Order, Answer]],
    *,
    seconds: Callable[[Order], float],
    lost: Callable[[Order, ProcessLost], Answer],
    goes_on: Callable[[], bool] = lambda: True,
) -> Generator[Answer]:
    """Yield the answers as they come; the processes have ended when this has.

    Args:
        orders: What to do.
        jobs: How many processes, if there are so many orders.
        start: Returns one.
        seconds: How long one may take for an order.
        lost: Returns the answer to an order whose process died or took too long.
        goes_on: Asked now and then; if it returns false, running work is ended.
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
            for process, order in [*at.items()]:
                try:
                    message = next(process.messages(seconds(order)), None)
                except ProcessLost as error:
                    message = True, lost(order, error)
                if message is not None:
                    del at[process]
                    yield message[1]
    finally:
        for process in processes:
            process.end(waits=process not in at)
