"""Commands and worker processes without what each start of Python takes to import.

A process that has read Pagelet's modules, and has run nothing, waits and forks for each of them:
what runs is as new as a process started by hand, and ends as one does.  But all have the one hash
seed and the switches of `PAGELET` that the waiting process began with: tests of these are slow, and
start Python.
"""

import ctypes
import gc
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import connection
from pathlib import Path
from typing import Any

from engine.processes import child, groups
from tests import typed_commands

IS_POSSIBLE = sys.platform.startswith("linux")

_SUBREAPER = 36  # man prctl
_MOST_BYTES = 1 << 18
_LIMITS = resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE

_doors: list[Callable[[], socket.socket]] = []
_asking = threading.Lock()


def keep(asks: int, answers: int, door: int) -> None:
    """Fork for each line of the first descriptor, and for each one of the third.

    Args:
        asks: Commands, as `tests.typed_commands` asks for them.
        answers: Their exit statuses.
        door: Worker processes, as `start_forked` asks for them; -1: none.
    """
    from annotate.evaluation.report import charts, html_report  # noqa: F401
    from gui.cli import evaluate, extract, segment, why  # noqa: F401

    assert "PySide6" not in sys.modules, "what has threads cannot be forked"
    gc.collect()
    gc.freeze()  # at its end a process would else go through all that was imported: .3 CPU s
    if door >= 0 and IS_POSSIBLE and not os.fork():
        import PySide6.QtWebEngineWidgets  # noqa: F401

        import engine.web.headless  # noqa: F401

        assert len(os.listdir("/proc/self/task")) == 1, "what has threads cannot be forked"  # noqa: PTH208
        gc.freeze()
        os.close(asks)
        os.close(answers)
        _serve_workers(door)
    if door >= 0:
        os.close(door)
    with os.fdopen(asks) as lines, os.fdopen(answers, "w") as statuses:
        for line in lines:
            asked = json.loads(line)
            number = os.fork()
            if not number:
                lines.close()
                statuses.close()
                _run_command(asked)
            status = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
            if asked["session"]:
                with suppress(ProcessLookupError):
                    os.killpg(number, signal.SIGKILL)
            print(status, file=statuses, flush=True)


def _run_command(asked: dict[str, Any]) -> None:
    from gui.cli.main import main

    if asked["session"]:
        os.setsid()
    for number, name in asked["streams"].items():
        opened = os.open(name, os.O_RDWR)
        if opened != int(number):
            os.dup2(opened, int(number))
            os.close(opened)
    if asked["forks"]:
        _fork_workers_below()
    signal.alarm(asked["seconds"])
    _settle(asked)
    sys.argv = ["pagelet", *asked["words"]]
    exec(asked["before"], {})  # whose functions see what it imports
    sys.exit(main())


def _settle(asked: dict[str, Any]) -> None:
    os.environ.clear()
    os.environ.update(asked["environment"])
    time.tzset()
    os.chdir(asked["folder"])


def _fork_workers_below() -> None:
    """Let this process start workers by forks from now on; it has no threads yet."""
    mine, theirs = socket.socketpair()
    if not os.fork():
        mine.close()
        _serve_workers(theirs.detach())
    theirs.close()
    fork_workers_at(lambda: mine)


def fork_workers_at(door: Callable[[], socket.socket] | None) -> None:
    """Let this process start its workers by forks of another one, or anew if None."""
    _doors[:] = [door] if door else []
    child.start = _start_forked if door else groups.start


def pytest_runtest_setup(item) -> None:
    """Fork the workers of quick tests; start those of others, and of the engine's tests, anew."""
    is_new = item.path.is_relative_to(typed_commands.ROOT / "tests" / "engine") or any(
        map(item.get_closest_marker, ("slow", "long"))
    )
    typed_commands.workers_fork[0] = IS_POSSIBLE and not is_new
    fork_workers_at(typed_commands.door_of_workers if typed_commands.workers_fork[0] else None)


def _serve_workers(number: int) -> None:
    """Fork a worker process for each line of a socket; end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's Ctrl-C is its starter's to answer
    with socket.socket(fileno=number) as door:
        while True:
            message, descriptors, *_ = socket.recv_fds(door, _MOST_BYTES, 4)
            while not message.endswith(b"\n"):  # a stream cuts where it will
                message += door.recv(_MOST_BYTES) or os._exit(0)
            out, back = os.pipe()
            middle = os.fork()
            if not middle:
                worker = os.fork()
                if worker:
                    os.write(back, b"%d" % worker)
                    os._exit(0)  # now the worker is its starter's child
                for each in (out, back, door.detach()):
                    os.close(each)
                _run_worker(json.loads(message), *descriptors)
            for each in (back, *descriptors):
                os.close(each)
            os.waitpid(middle, 0)
            door.send(os.read(out, 20))
            os.close(out)


def _run_worker(asked: dict[str, Any], pipe: int, *streams: int) -> None:
    """Do as `engine.processes.child` has a new interpreter do."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for stream, descriptor in enumerate(streams):
        os.dup2(descriptor, stream)
        os.close(descriptor)
    for kind, limits in zip(_LIMITS, asked["limits"], strict=True):
        resource.setrlimit(kind, limits)
    _settle(asked)
    signal.pthread_sigmask(signal.SIG_SETMASK, asked["blocked"])
    messages: connection.Connection[Any, Any] = connection.Connection(pipe)
    sys.path[:] = messages.recv()
    child.run(messages)
    sys.exit()


class _Forked(subprocess.Popen):
    """A process that another one forks, and that this one adopts."""

    def _execute_child(self, _words, _program, _first, _closes, pass_fds, _folder, env, *more):
        (pipe,), stdin = pass_fds, more[3]
        asked = {
            "environment": env,
            "folder": str(Path.cwd()),
            "limits": [*map(resource.getrlimit, _LIMITS)],
            "blocked": [*signal.pthread_sigmask(signal.SIG_BLOCK, ())],
        }
        door = _doors[0]()
        with _asking, _adopting():
            socket.send_fds(door, [json.dumps(asked).encode(), b"\n"], [pipe, stdin, 1, 2])
            self.pid = int(door.recv(20))
        self._child_created = True
        os.close(stdin)


@contextmanager
def _adopting() -> Iterator[None]:
    """Make orphans below this process its children, within the block."""
    prctl = ctypes.CDLL(None).prctl
    prctl(_SUBREAPER, 1, 0, 0, 0)
    try:
        yield
    finally:
        prctl(_SUBREAPER, 0, 0, 0, 0)


def _start_forked(words: list[str], **options: Any) -> "subprocess.Popen[bytes]":
    process = _Forked(words, **options)
    groups._started.add(process)
    return process
