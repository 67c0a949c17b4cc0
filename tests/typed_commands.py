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
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

KEEPER = """
import gc, json, os, signal, sys
from annotate.evaluation.report import charts, html_report
from gui.cli import evaluate, extract, segment, why
from gui.cli.main import main

assert "PySide6" not in sys.modules, "what has threads cannot be forked"
gc.collect()
gc.freeze()  # at its end a process would else go through all that was imported: .36 CPU s, now .08
while line := sys.stdin.readline():
    asked = json.loads(line)
    child = os.fork()
    if not child:
        for number, name in enumerate(asked["streams"]):
            opened = os.open(name, os.O_RDWR)
            os.dup2(opened, number)
            os.close(opened)
        signal.alarm(asked["seconds"])
        sys.stdin = open(0)
        os.environ.clear()
        os.environ.update(asked["environment"])
        sys.argv = ["pagelet", *asked["words"]]
        sys.exit(main())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


_running: list[subprocess.Popen] = []


def _keeper() -> subprocess.Popen:
    """The process that forks; it ends when its input does, so with the tests."""
    if not _running or _running[-1].poll() is not None:
        _running[:] = [
            subprocess.Popen(
                [sys.executable, "-c", KEEPER],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
            )
        ]  # fmt: skip
    return _running[-1]


def typed(*words, stdin="", seconds=0, **environment) -> subprocess.CompletedProcess:
    """Run a command in a process of its own; return its status and what it printed.

    After some seconds, if any are given, it is ended by SIGALRM.
    """
    if not hasattr(os, "fork"):
        return subprocess.run(
            [sys.executable, "-m", "gui.cli.main", *map(str, words)], input=stdin,
            capture_output=True, text=True, cwd=ROOT, env=os.environ | environment, check=False,
        )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder, name) for name in ("in", "out", "err")]
        streams[0].write_text(stdin, encoding="utf-8")
        for path in streams[1:]:
            path.touch()
        keeper = _keeper()
        asked = {
            "words": [str(word) for word in words],
            "environment": os.environ | environment,
            "streams": [str(path) for path in streams],
            "seconds": seconds,
        }
        keeper.stdin.write(json.dumps(asked) + "\n")
        keeper.stdin.flush()
        status = int(keeper.stdout.readline())
        text = [path.read_text(encoding="utf-8", errors="replace") for path in streams[1:]]
    return subprocess.CompletedProcess(words, status, *text)
