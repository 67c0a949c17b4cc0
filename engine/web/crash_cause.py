"""Why a renderer may have died, as far as its document tells."""

from engine.errors import CaptureError, InputError, MemoryExceeded, RendererDied
from engine.fetch import Received
from engine.source import Source
from engine.web.memory_watch import watch

_DEEP = 512
"""Tables nested 2,000 times, 6,001 elements deep, end the renderer as it lays them out (measured
with 6.11); Chromium's own parser means to nest no deeper than 512."""


def likely_cause(received: Received | InputError | None) -> str:
    """Return what of a document a renderer may have died of, to be put behind the sentence that
    says so; "" where nothing stands out.
    """
    if not isinstance(received, Received):
        return ""
    depth = Source.from_bytes(received.data, received.charset).tree.depth.max(initial=0)
    if depth < _DEEP:
        return ""
    return f"; elements are nested {depth:,} deep in it, which a browser may not survive"


def death(what: str) -> CaptureError:
    """Return the error for what `PageView.renderer_died` says."""
    return MemoryExceeded(what) if watch.is_reason(what) else RendererDied(what)
