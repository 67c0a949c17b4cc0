"""The ``pagelet`` command as a user types it, without what each start of it takes to import.

A process forks for each one (`tests.forks`), and for the worker processes of quick tests.  Those of
slow tests start anew, and how the command itself is started is tested where it is killed, stopped,
and installed.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_KEEPER = "import sys; from tests.forks import keep; keep(*map(int, sys.argv[1:]))"


@dataclass(frozen=True)
class _Start:
    """How a process that forks is started.

    Attributes:
        variables: What Python reads from its environment before any line of a program.
        closed: Standard streams that it has not.
    """

    variables: tuple[tuple[str, str], ...] = ()
    closed: tuple[int, ...] = ()


@dataclass
class _Keeper:
    """A process that forks; it ends when its input does, so with the tests."""

    start: _Start
    process: subprocess.Popen = field(init=False)
    workers: socket.socket = field(init=False)

    def __post_init__(self) -> None:
        theirs, mine = os.pipe()
        own, answering = os.pipe()
        path = os.pathsep.join([str(ROOT), str(ROOT / "annotate/facade")])
        self.workers, door = socket.socketpair()
        passed = theirs, answering, door.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", _KEEPER, *map(str, passed)], pass_fds=passed,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, cwd=ROOT, preexec_fn=self._close,
            env=os.environ | {"PYTHONPATH": path} | dict(self.start.variables),
        )  # fmt: skip
        os.close(theirs)
        os.close(answering)
        door.close()
        self.asks, self.answers = os.fdopen(mine, "w"), os.fdopen(own)

    def _close(self) -> None:
        for number in self.start.closed:
            os.close(number)

    def ask(self, asked: dict[str, object]) -> int:
        self.asks.write(json.dumps(asked) + "\n")
        self.asks.flush()
        return int(self.answers.readline())


workers_fork = [False]
"""Whether the worker processes of commands are forked too; `tests.forks` decides."""

_keepers: dict[_Start, _Keeper] = {}


def numbers_of_keepers() -> list[int]:
    """Return the processes that fork."""
    return [keeper.process.pid for keeper in _keepers.values()]


def _keeper(start: _Start) -> _Keeper:
    if start not in _keepers or _keepers[start].process.poll() is not None:
        _keepers[start] = _Keeper(start)
    return _keepers[start]


def forked(
    words: list[str],
    environment: Mapping[str, str],
    *,
    stdin: str = "",
    stdout: str = "",
    closed: tuple[int, ...] = (),
    seconds: int = 0,
    folder: Path = ROOT,
    variables: Mapping[str, str] | None = None,
    session: bool = False,
    before: str = "",
) -> subprocess.CompletedProcess:
    """Run a command in a process of its own; return its status and what it printed.

    Args:
        words: What is typed after ``pagelet``.
        environment: All variables.
        stdin: What it reads.
        stdout: A file that it prints to, a new one if "".
        closed: Standard streams that are closed from its start on.
        seconds: After so many it is ended by SIGALRM; 0: never.
        folder: The current one.
        variables: Those of them that Python must know as it starts.
        session: Whether it has one of its own, all of which ends with it.
        before: Code that is run before the command.
    """
    with tempfile.TemporaryDirectory() as made:
        streams = [Path(made, name) for name in ("in", "out", "err")]
        streams[0].write_text(stdin, encoding="utf-8")
        for path in streams[1:]:
            path.touch()
        names = {0: str(streams[0]), 1: stdout or str(streams[1]), 2: str(streams[2])}
        start = _Start(tuple(sorted((variables or {}).items())), closed)
        status = _keeper(start).ask(
            {
                "words": words,
                "environment": {**environment, **(variables or {})},
                "streams": {key: name for key, name in names.items() if key not in closed},
                "seconds": seconds,
                "folder": str(folder),
                "session": session,
                "forks": workers_fork[0],
                "before": before,
            }
        )
        text = [path.read_text(encoding="utf-8", errors="replace") for path in streams[1:]]
    return subprocess.CompletedProcess(words, status, *text)


def door_of_workers() -> socket.socket:
    """Return the socket of a process that forks worker processes."""
    return _keeper(_Start()).workers


def typed(*words, stdin="", seconds=0, **environment) -> subprocess.CompletedProcess:
    """Run a command in a process of its own; return its status and what it printed.

    After some seconds, if any are given, it is ended by SIGALRM.
    """
    if not hasattr(os, "fork"):
        return subprocess.run(
            [sys.executable, "-m", "gui.cli.main", *map(str, words)], input=stdin,
            capture_output=True, text=True, cwd=ROOT, env=os.environ | environment, check=False,
        )  # fmt: skip
    return forked(
        [str(word) for word in words], os.environ | environment, stdin=stdin, seconds=seconds
    )
