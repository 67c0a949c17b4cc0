"""Child: a process of Pagelet's own, which may be started from any other.

`multiprocessing` runs the starter's main script once more in each process it spawns, and refuses
daemons any: a script without a guard would start itself again, a worker of Dask could not start a
browser.  A child has none of that: a fresh interpreter that is told over a pipe where modules are
and which function to call.  It ends with its starter, whatever that dies of.
"""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe, connection
from typing import Any, BinaryIO

from engine.interpreter import absolute, environment, python
from engine.processes.groups import kill_group, start, start_kept

_BOOT = (
    "import sys; from multiprocessing import connection as c; "
    "p = getattr(c, 'PipeConnection' if sys.platform == 'win32' else 'Connection')"
    "(int(sys.argv[1])); sys.path[:] = p.recv(); from engine.processes.child import run; run(p)"
)
"""What the interpreter runs: nothing of Pagelet can be found before it knows the path."""


class Child:
    """A process that runs one function of a module.

    Args:
        main: Called there with its end of a pipe and ``arguments``.
        arguments: Can be pickled.
        errors: Where all goes that it prints; then it and what it starts are ended as a group.

    Attributes:
        pipe: This end.
        process: The process.
    """

    def __init__(
        self, main: Callable[..., None], *arguments: object, errors: BinaryIO | None = None
    ) -> None:
        self.pipe: connection.Connection[Any, Any]
        self.pipe, theirs = Pipe()
        number = theirs.fileno()
        # Its standard input is a lifeline: that ends when this process does.
        options: dict[str, Any] = {"stdin": subprocess.PIPE}
        if errors is not None:
            options |= {"stdout": errors, "stderr": errors}
        if sys.platform == "win32":
            os.set_handle_inheritable(number, True)
            options["startupinfo"] = subprocess.STARTUPINFO(
                lpAttributeList={"handle_list": [number]}
            )
        else:
            options["pass_fds"] = (number,)
        run_it = start if errors is None else start_kept
        self.process = run_it(python("-c", _BOOT, str(number)), env=environment(), **options)
        theirs.close()
        with suppress(OSError):  # already ended: the reader of its answers will notice
            self.pipe.send(absolute(sys.path))
            self.pipe.send((main, arguments))

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def exitcode(self) -> int | None:
        """Exit status, -n for signal n; None while it runs."""
        return self.process.poll()

    def is_alive(self) -> bool:
        return self.process.poll() is None

    def join(self, seconds: float | None = None) -> None:
        """Wait for its end, that long at most."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return
        if self.process.stdin is not None:
            self.process.stdin.close()

    def kill(self) -> None:
        """End the process at once without waiting."""
        kill_group(self.process)


def run(pipe: "connection.Connection[Any, Any]") -> None:
    """Run the function that the starter sends; the body of the process."""
    _settle_in(pipe)
    main, arguments = pipe.recv()
    main(pipe, *arguments)


def _settle_in(pipe: "connection.Connection[Any, Any]") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the starter's to answer
    if sys.platform != "win32":
        os.set_inheritable(pipe.fileno(), False)
    lifeline = os.dup(0)
    os.set_inheritable(lifeline, False)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)  # processes started here must not hold it
    os.close(nothing)
    threading.Thread(target=_end_with_starter, args=(lifeline,), daemon=True).start()


def _end_with_starter(lifeline: int) -> None:
    """Wait for the end of the process that started this one, and end."""
    while os.read(lifeline, 1):
        pass
    os._exit(1)  # something may be at work that never ends
