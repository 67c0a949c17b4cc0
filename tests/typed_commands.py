"""The ``pagelet`` command as a user types it, without what each start of it takes to import.

A process that has read Pagelet's modules, and has run nothing, waits for commands and forks for
each one: what runs is as new as a process started by hand, and ends as one does.  How the command
itself is started is tested where it is killed, stopped, and installed.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

KEEPER = """
import gc, json, os, signal, sys
asks, answers = (os.fdopen(int(number), mode) for number, mode in zip(sys.argv[1:], "rw"))
from annotate.evaluation.report import charts, html_report
from gui.cli import evaluate, extract, segment, why
from gui.cli.main import main

assert "PySide6" not in sys.modules, "what has threads cannot be forked"
gc.collect()
gc.freeze()  # at its end a process would else go through all that was imported: .36 CPU s, now .08
while line := asks.readline():
    asked = json.loads(line)
    child = os.fork()
    if not child:
        asks.close()
        answers.close()
        if asked["session"]:
            os.setsid()
        for number, name in asked["streams"].items():
            opened = os.open(name, os.O_RDWR)
            if opened != int(number):
                os.dup2(opened, int(number))
                os.close(opened)
        signal.alarm(asked["seconds"])
        os.environ.clear()
        os.environ.update(asked["environment"])
        os.chdir(asked["folder"])
        sys.argv = ["pagelet", *asked["words"]]
        exec(asked["before"])
        sys.exit(main())
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if asked["session"]:
        try:
            os.killpg(child, signal.SIGKILL)
        except ProcessLookupError:
            pass
    print(status, file=answers, flush=True)
"""


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

    def __post_init__(self) -> None:
        theirs, mine = os.pipe()
        own, answering = os.pipe()
        path = os.pathsep.join([str(ROOT), str(ROOT / "annotate/facade")])
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", KEEPER, str(theirs), str(answering)],
            pass_fds=(theirs, answering), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            cwd=ROOT, preexec_fn=self._close,
            env=os.environ | {"PYTHONPATH": path} | dict(self.start.variables),
        )  # fmt: skip
        os.close(theirs)
        os.close(answering)
        self.asks, self.answers = os.fdopen(mine, "w"), os.fdopen(own)

    def _close(self) -> None:
        for number in self.start.closed:
            os.close(number)

    def ask(self, asked: dict[str, object]) -> int:
        self.asks.write(json.dumps(asked) + "\n")
        self.asks.flush()
        return int(self.answers.readline())


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
                "before": before,
            }
        )
        text = [path.read_text(encoding="utf-8", errors="replace") for path in streams[1:]]
    return subprocess.CompletedProcess(words, status, *text)


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
