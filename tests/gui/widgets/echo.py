"""A worker for tests: says numbers back, one by one up to the one it was given; dies; sleeps."""

import os
import time
from contextlib import contextmanager

from engine.errors import InputError


@contextmanager
def echo_worker(send):
    """Answer a number by itself."""

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
    """Cannot be made."""
    raise InputError("there is no Qt")
    yield
