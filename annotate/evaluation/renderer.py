"""What renders pages here, asked of a process that may load Qt; this one does not."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from engine.errors import CaptureError
from engine.processes.worker_process import (
    Handler,
    ProcessLost,
    ProcessTimeout,
    Send,
    WorkerProcess,
)

_PATIENCE_S = 120.0


@cache
def renderer_here() -> str:
    """Return name and version of the browser engine; costs a second the first time."""
    with WorkerProcess[None, str](_name_worker) as process:
        try:
            return process.ask(None, _PATIENCE_S)
        except ProcessTimeout:
            raise CaptureError(f"the renderer did not answer within {_PATIENCE_S:g} s") from None
        except ProcessLost:
            raise CaptureError("the renderer cannot be loaded: run pagelet doctor") from None


@contextmanager
def _name_worker(_: Send) -> Iterator[Handler]:
    from engine.web.renderer import renderer_name

    yield lambda _order: renderer_name()
