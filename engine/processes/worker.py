"""The program a worker process runs: one library or plugin, one document after another.

Started as a script, so that nothing but the standard library is imported before the first message.
A message is 8 bytes of length, most significant first, and that many bytes.  The first one says
what to load (JSON: ``path`` for `sys.path`, ``module`` with a function ``load``, ``name``); the
answer is ``{}`` or ``{"error": sentence}``.  Every further one is handed to what `load` returned,
and its bytes are the answer.

The answers go through a private copy of standard output: whatever a library prints lands in
standard error and cannot garble them.
"""

import contextlib
import ctypes
import importlib
import json
import os
import struct
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO

LENGTH = struct.Struct(">Q")
"""What precedes each message."""

ORPHAN_SECONDS = 2.0
"""How often a worker looks whether Pagelet is still there."""

Responder = Callable[[bytes], bytes]


def read_message(stream: BinaryIO) -> bytes | None:
    """Return the next message; None where the other side has gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (size,) = LENGTH.unpack(head)
    data = stream.read(size)
    return data if len(data) == size else None


def write_message(stream: BinaryIO, data: bytes) -> None:
    """Send a message."""
    stream.write(LENGTH.pack(len(data)))
    stream.write(data)
    stream.flush()


def main() -> None:
    """Load what the first message names, then answer until the other side closes."""
    requests = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    if sys.platform.startswith("linux"):
        # What is left behind by what this starts is this process's own, and ends with it
        # (`engine.processes.descendants`, which cannot be imported yet).
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    first = read_message(requests)
    if first is None:
        return
    answer = _load(json.loads(first), answers)
    while answer is not None and (request := read_message(requests)) is not None:
        write_message(answers, answer(request))


def _load(wanted: dict[str, Any], answers: BinaryIO) -> Responder | None:
    sys.path[:] = wanted["path"]
    try:
        answer: Responder = importlib.import_module(wanted["module"]).load(wanted["name"])
    except BaseException as error:  # noqa: BLE001  (also sys.exit: whatever it is, it is said)
        sentence = f"it cannot be loaded ({type(error).__name__}: {error})"
        write_message(answers, json.dumps({"error": sentence}).encode())
        return None
    write_message(answers, b"{}")
    return answer


def _leave_with_parent() -> None:
    """End this process when Pagelet has ended without saying so, even in the middle of work."""
    parent = os.getppid()
    while os.getppid() == parent:
        time.sleep(ORPHAN_SECONDS)
    os._exit(1)


if __name__ == "__main__":
    main()
