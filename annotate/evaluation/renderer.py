"""What renders pages here, asked of a process that may load Qt; this one does not."""

from functools import cache
from multiprocessing import connection
from typing import Any

from engine.errors import CaptureError
from engine.processes.child import Child, settle_in

_PATIENCE_S = 120.0


@cache
def renderer_here() -> str:
    """Return name and version of the browser engine; costs a second the first time."""
    child = Child(_tell)
    try:
        if not child.pipe.poll(_PATIENCE_S):
            raise CaptureError(f"the renderer did not answer within {_PATIENCE_S:g} s")
        return str(child.pipe.recv())
    except EOFError:
        raise CaptureError("the renderer cannot be loaded: run pagelet doctor") from None
    finally:
        child.pipe.close()
        child.kill()
        child.join()


def _tell(pipe: "connection.Connection[Any, Any]") -> None:
    settle_in(pipe)
    from engine.web.renderer import renderer_name

    pipe.send(renderer_name())
