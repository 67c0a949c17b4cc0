"""What is being installed for a version is given up as soon as nobody wants it."""

import os
import time

import psutil
import pytest

from algorithms.external import environments

INSTALLER = """#!/bin/sh
sleep 600 &
echo $! >{noted}.new
mv {noted}.new {noted}
wait
"""


@pytest.fixture
def noted(tmp_path, monkeypatch):
    """A file in which an installer that never ends writes the id of a process it starts."""
    result = tmp_path / "noted"
    uv = tmp_path / "bin" / "uv"
    uv.parent.mkdir()
    uv.write_text(INSTALLER.format(noted=result))
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", f"{uv.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return result


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_an_installer_is_stopped_with_what_it_started_and_leaves_nothing(noted):
    asked = []

    def is_stopped():
        if noted.exists() and not asked:
            asked.append(time.monotonic())
        return bool(asked)

    with environments.stopped_by(is_stopped), pytest.raises(environments.InstallingStopped):
        environments.of_requirement("mine==1.0")
    assert time.monotonic() - asked[0] < 30
    started = int(noted.read_text())
    assert not psutil.pid_exists(started) or psutil.Process(started).status() == "zombie"
    assert list(environments.folder().iterdir()) == []


def test_what_nobody_wants_is_not_begun(noted):
    with (
        environments.stopped_by(lambda: True),
        pytest.raises(environments.InstallingStopped),
    ):
        environments.of_requirement("mine==1.0")
    assert not noted.exists()


def test_outside_of_it_nothing_is_stopped(tmp_path):
    with environments.stopped_by(lambda: True):
        pass
    assert environments._run(["echo", "done"]).stdout == "done\n"
