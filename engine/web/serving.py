"""The body of a worker process: it answers one order after the other until its pipe closes."""

import logging
from collections.abc import Callable
from multiprocessing import connection
from typing import TYPE_CHECKING, Any

from engine.processes.child import settle_in

if TYPE_CHECKING:
    from engine.web.headless import Browser

OrderHandler = Callable[[Any], object]
"""Returns the answer to an order."""


def answer_orders(pipe: "connection.Connection[Any, Any]", answer: OrderHandler) -> None:
    """Send back what ``answer`` returns for each order, until the pipe closes."""
    try:
        while True:
            pipe.send(answer(pipe.recv()))
    except (EOFError, BrokenPipeError):
        return


def answer_with_browser(
    pipe: "connection.Connection[Any, Any]",
    prepare: "Callable[[Browser], OrderHandler]",
    *,
    no_sandbox: bool = False,
) -> None:
    """Be a worker with one browser for all of its orders.

    Args:
        pipe: Where orders come from and answers go.
        prepare: Is given the browser, returns what answers an order.
        no_sandbox: See `engine.web.headless.Browser`.
    """
    settle_in(pipe)
    logging.basicConfig(level=logging.CRITICAL)  # what goes wrong is told to who asked
    from engine.web.qt_log import silence_qt_log  # says where there is no Qt

    # isort: split
    from engine.web.headless import Browser

    silence_qt_log()
    with Browser(no_sandbox=no_sandbox) as browser:
        answer_orders(pipe, prepare(browser))
