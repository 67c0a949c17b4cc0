"""A worker for tests: says numbers back, one by one up to the one it was given; dies; sleeps."""

import os
import time

from engine.processes.child import settle_in


def serve(pipe):
    """Answer orders until the pipe closes."""
    settle_in(pipe)
    try:
        while True:
            order = pipe.recv()
            if order == "die":
                os._exit(3)
            if order == "sleep":
                time.sleep(600)
            for number in range(order + 1):
                pipe.send((number, order))
    except EOFError:
        return
