"""Why a page was not loaded, or its renderer may have died, as far as its document tells."""

import re

from engine.errors import CaptureError, InputError, MemoryExceeded, NotLoaded, RendererDied
from engine.fetch import Received
from engine.source import Source
from engine.web.memory_watch import watch

_DEEP = 512
"""Tables nested 2,000 times, 6,001 elements deep, end the renderer as it lays them out (measured
with 6.11); Chromium's own parser means to nest no deeper than 512."""


_FAILURES = {
    "net::ERR_NAME_NOT_RESOLVED": "no such address, or no network",
    "net::ERR_INTERNET_DISCONNECTED": "there is no network",
    "net::ERR_NETWORK_CHANGED": "the network changed meanwhile; load it again (F5)",
    "net::ERR_CONNECTION_REFUSED": "the server refused the connection",
    "net::ERR_CONNECTION_RESET": "the server ended the connection",
    "net::ERR_CONNECTION_CLOSED": "the server ended the connection",
    "net::ERR_EMPTY_RESPONSE": "the server sent nothing",
    "net::ERR_CONNECTION_TIMED_OUT": "the server did not answer in time",
    "net::ERR_TIMED_OUT": "the server did not answer in time",
    "net::ERR_ADDRESS_UNREACHABLE": "the server cannot be reached",
    "net::ERR_TOO_MANY_REDIRECTS": "the server redirects without end",
    "net::ERR_INVALID_URL": "this is no address",
    "net::ERR_FILE_NOT_FOUND": "there is no such file",
    "net::ERR_ACCESS_DENIED": "this file may not be read",
    "net::ERR_SSL_PROTOCOL_ERROR": "the server's encryption failed",
}
"""Chromium's names of network errors → what happened."""


_PASSING = re.compile("net::ERR_(CONNECTION|NAME_NOT|INTERNET|NETWORK|EMPTY|TIMED|ADDRESS_UNR)")


def load_failure(address: str, name: str) -> CaptureError:
    """Return why a page was not loaded, from Chromium's name of the error, in words if known.

    `NotLoaded` where its server gave no answer: it may give one later.
    """
    if name.startswith("net::ERR_CERT_"):
        reason = "the server's certificate is not trusted"
    else:
        reason = _FAILURES.get(name, name) or "it is not a page a browser shows"
    kind = NotLoaded if _PASSING.match(name) else CaptureError
    return kind(f"could not load {address}: {reason}")


def likely_cause(received: Received | InputError | None) -> str:
    """Return the likely cause of a renderer's crash, to append to its message; "" if unknown."""
    if not isinstance(received, Received):
        return ""
    depth = Source.of(received).tree.depth.max(initial=0)
    if depth < _DEEP:
        return ""
    return f"; elements are nested {depth:,} deep in it, which a browser may not survive"


def death(what: str) -> CaptureError:
    """Return the error for a reason given by `PageView.renderer_died`."""
    return MemoryExceeded(what) if watch.is_reason(what) else RendererDied(what)
