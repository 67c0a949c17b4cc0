"""Workers for tests: one sends numbers below the given one, dies or sleeps; one fails."""

import os
import time
from contextlib import contextmanager

from engine.errors import InputError


@contextmanager
def echo_worker(send):
    """Yield a function that sends the numbers below the given one and returns the last answer."""

    def echo(order):
        if order == "die":
            os._exit(3)
        if order == "sleep":
            time.sleep(600)
        if order == "refuse":
            raise InputError("this order cannot be answered")
        for number in range(order):
            send((number, order))
        return (order, order)

    yield echo


@contextmanager
def broken_worker(_send):
    """Raise an error instead of starting."""
    raise InputError("there is no Qt")
    yield
