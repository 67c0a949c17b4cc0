"""Test blocks in which Ctrl-C is deferred."""

import os
import signal
import subprocess
import sys
from contextlib import suppress

import pytest

from engine.interrupts import defer_interrupts, hidden_from_children
from engine.processes.child import Child


@pytest.mark.parametrize("waiting", [defer_interrupts, hidden_from_children])
def test_ctrl_c_waits_to_the_end_of_the_block(waiting):
    done = []

    def interrupted():
        with waiting():
            signal.raise_signal(signal.SIGINT)
            done.append("all")

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert done == ["all"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_is_raised_without_ctrl_c():
    with defer_interrupts():
        pass
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


def test_an_ignored_ctrl_c_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with defer_interrupts():
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signal masks here")
def test_children_started_in_the_block_ignore_ctrl_c():
    with hidden_from_children():
        child = Child(_serve)
        os.kill(child.pid, signal.SIGINT)  # before it has done anything
    assert child.pipe.recv() == "alive"
    child.pipe.close()
    child.join(20)
    assert child.exitcode == 0


def _serve(pipe):
    pipe.send("alive")
    with suppress(EOFError):
        pipe.recv()


@pytest.mark.parametrize("module", ["numpy", "PySide6"])
def test_ctrl_c_while_modules_load_ends_the_command_without_a_traceback(module, tmp_path):
    code = f"""
import os, signal, sys
class Early:
    def find_spec(self, name, *_):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Early())
sys.argv = ["pagelet", "evaluate", "resources/corpus", "--methods", "plain", "--report", "none"]
sys.argv += ["--out", {str(tmp_path)!r}]
from gui.cli.main import main
sys.exit(main())
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 130
    assert done.stderr.endswith("pagelet: stopped\n")
    assert "Traceback" not in done.stderr
