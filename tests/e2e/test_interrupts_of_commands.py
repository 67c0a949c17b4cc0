"""Test that Ctrl-C and SIGTERM end every busy command, even where they were ignored at start."""

import contextlib
import os
import signal
import sys
import time

import psutil
import pytest

from tests.every_command import PAGE, Desk, every, name_of, words_of, write_data_set

pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif(sys.platform == "win32", reason="sends it as terminals of Unix do"),
]

IN_TIME_S = 6.0  # two seconds, on a machine that has nothing else to do
ENDLESS = f"{PAGE}<script>for(;;);</script>"
STATUS = {signal.SIGINT: 130, signal.SIGTERM: 143}


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    base = tmp_path_factory.mktemp("busy")
    return Desk(write_data_set(base / "data"), base / "out")


def ignoring():
    """Ignore signals as a shell without job control and nohup do for background jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def processes_of(session):
    """Return the command lines of a session's running processes."""
    lines = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, ProcessLookupError):
            if os.getsid(process.pid) == session and process.status() != psutil.STATUS_ZOMBIE:
                lines.append(" ".join(process.cmdline()))
    return lines


def browser_of(session):
    return any("QtWebEngineProcess" in line for line in processes_of(session))


def until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def interrupted(desk, typed, number, ready):
    """Start a command on an endless page, send the signal once it is ready; check how it ends."""
    page = desk.folder / "index.html"
    page.write_text(PAGE, encoding="utf-8")
    desk.prepare(typed)
    page.write_text(ENDLESS, encoding="utf-8")
    with desk.start(typed, preexec_fn=ignoring) as process:
        try:
            assert until(lambda: ready(process) or process.poll() is not None, 60)
            assert process.poll() is None, process.communicate()
            start = time.monotonic()
            os.kill(process.pid, number)
            _, stderr = process.communicate(timeout=60)
            seconds = time.monotonic() - start
            left = (
                []
                if until(lambda: not processes_of(process.pid), 10)
                else processes_of(process.pid)
            )
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == STATUS[number], stderr
    assert stderr.decode().endswith("pagelet: stopped\n")
    assert "Traceback" not in stderr.decode()
    assert seconds < IN_TIME_S
    assert left == []


def is_rendering(process):
    return browser_of(process.pid)


RENDERING = [each for each in every() if each.renders]


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param(each, id=name_of(each), marks=[pytest.mark.slow] if number else [])
        # The first needs no command to have been run before.
        for number, each in enumerate(
            sorted(RENDERING, key=lambda each: each.words[0] != "agreement")
        )
    ],
)
def test_ctrl_c_ends_a_command_while_an_endless_page_is_rendered(desk, typed):
    interrupted(desk, typed, signal.SIGINT, is_rendering)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["picture", "open"])
def test_sigterm_ends_a_command_while_an_endless_page_is_rendered(desk, command):
    interrupted(desk, words_of(command)[0], signal.SIGTERM, is_rendering)


def test_ctrl_c_ends_a_command_and_its_busy_workers(desk):
    line = next(each for each in words_of("extract") if "--in" in each.words)
    interrupted(desk, line, signal.SIGINT, lambda process: len(processes_of(process.pid)) > 1)
