"""Environments are installed only from the user's index, and installations can be stopped."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from algorithms.plugins.external import environments
from engine.errors import InputError
from engine.processes.descendants import IS_POSSIBLE
from tests.method_packages import KEEPS_ALL, checkout, index

COMMAND = Path(environments.__file__).parents[3] / "annotate/facade/pagelet_command.py"

INSTALLER = """#!/bin/sh
sleep 600 &
echo $! >{noted}.new
mv {noted}.new {noted}
wait
"""


@pytest.fixture
def noted(tmp_path, monkeypatch):
    """Return the file in which an endless installer writes the id of a process it starts."""
    result = tmp_path / "noted"
    uv = tmp_path / "bin" / "uv"
    uv.parent.mkdir()
    uv.write_text(INSTALLER.format(noted=result))
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", f"{uv.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return result


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_a_stopped_installer_ends_with_its_processes_and_leaves_no_files(noted):
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


def test_an_installation_stopped_in_advance_does_not_start(noted):
    with environments.stopped_by(lambda: True), pytest.raises(environments.InstallingStopped):
        environments.of_requirement("mine==1.0")
    assert not noted.exists()


def test_commands_after_stopped_by_are_not_stopped(tmp_path):
    with environments.stopped_by(lambda: True):
        pass
    assert environments.run_tool(["echo", "done"]).stdout == "done\n"


NOTING = """#!/bin/sh
ls -A > {noted}
env >> {noted}
echo "ERROR: no such thing" >&2
exit 1
"""


@pytest.fixture
def uv_is_asked(tmp_path, monkeypatch):
    """Return a function that runs a command in a data set and returns the environment of uv."""
    noted, bin_folder = tmp_path / "noted", tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "uv").write_text(NOTING.format(noted=noted))
    (bin_folder / "uv").chmod(0o755)
    data = tmp_path / "data" / "set"
    data.mkdir(parents=True)
    (data / "page.html").write_text("<p>Some words of a page")
    for folder in (data, data.parent):
        (folder / "uv.toml").write_text('index-url = "http://127.0.0.1:9/simple"')
        (folder / "pip.conf").write_text("[global]\nindex-url = http://127.0.0.1:9/simple")
        (folder / ".netrc").write_text("default login me password secret")

    def ask(**variables):
        given = {
            "HOME": str(tmp_path / "home"),
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
            **variables,
        }
        command = [sys.executable, "-P", str(COMMAND), "compare", "mine==1.0", "bte", "."]
        done = subprocess.run(
            command, cwd=data, env=os.environ | given, capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert "mine==1.0 cannot be installed: no such thing" in done.stderr
        first, *lines = noted.read_text().splitlines()
        assert "=" in first, "the installer runs in a folder that is not empty"
        return dict(line.split("=", 1) for line in (first, *lines) if "=" in line)

    return ask


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_files_in_a_data_set_do_not_configure_the_package_index(uv_is_asked):
    seen = uv_is_asked(
        UV_CONFIG_FILE="uv.toml", PIP_CONFIG_FILE="pip.conf", NETRC=".netrc", XDG_CONFIG_HOME="."
    )
    assert seen["UV_NO_CONFIG"] == seen["PYTHONSAFEPATH"] == "1"
    assert not {"UV_CONFIG_FILE", "PIP_CONFIG_FILE", "XDG_CONFIG_HOME"} & seen.keys()
    assert seen["NETRC"] == os.devnull


@pytest.mark.skipif(os.name == "nt", reason="a shell script")
def test_the_package_index_of_the_user_is_kept(uv_is_asked, tmp_path):
    own = tmp_path / "home" / ".config" / "uv" / "uv.toml"
    own.parent.mkdir(parents=True)
    own.write_text('index-url = "https://packages.example/simple"')
    seen = uv_is_asked(UV_EXTRA_INDEX_URL="https://more.example")
    assert seen["UV_CONFIG_FILE"] == str(own)
    assert seen["UV_EXTRA_INDEX_URL"] == "https://more.example"
    assert "NETRC" not in seen  # it has names and passwords for that index


@pytest.mark.slow
def test_environments_are_kept_by_index_and_outdated_ones_are_rebuilt(tmp_path, monkeypatch):
    for name, value in index(tmp_path, {"9.1": KEEPS_ALL}).items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")  # without uv
    first = environments.of_requirement("trafilatura==9.1")
    assert environments.of_requirement("trafilatura==9.1") == first
    made = Path(first.python).parents[1]
    note = json.loads((made / "pagelet.json").read_text())
    assert note["hashes"].keys() == {"trafilatura-9.1.dist-info"}
    assert note["platform"]

    older = {"key": "trafilatura==9.1", "distribution": "trafilatura", "version": "9.1"}
    before = made.with_name(f"{sys.implementation.cache_tag}-0123456789abcdef")
    before.mkdir()
    (before / "pagelet.json").write_text(json.dumps(older))
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://other.invalid/simple")
    second = environments.of_requirement("trafilatura==9.1")
    assert second.python != first.python
    assert not before.exists()

    record = made / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    record = record / "trafilatura-9.1.dist-info" / "RECORD"
    record.write_text(record.read_text() + "evil.py,,\n")
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL")
    assert environments.of_requirement("trafilatura==9.1") == first
    assert "evil.py" not in record.read_text()


def test_an_error_of_git_names_its_reason(tmp_path, monkeypatch):
    checkout(tmp_path / "mine", KEEPS_ALL)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)  # one may trust all folders
    with pytest.raises(InputError, match="mine: detected dubious ownership in repository"):
        environments.of_folder(tmp_path / "mine")


@pytest.mark.skipif(not IS_POSSIBLE, reason="only on Linux can a process adopt orphans")
def test_orphaned_processes_of_a_command_are_ended(tmp_path):
    words = ["sh", "-c", f"setsid sleep 638 & echo $! > {tmp_path}/left; echo done"]
    assert environments.run_tool(words).stdout == "done\n"
    left = int((tmp_path / "left").read_text())
    assert not psutil.pid_exists(left) or psutil.Process(left).status() == "zombie"
