"""Isolation of programs of others, from the system's namespaces."""

import os
import pwd
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.processes.isolation import isolated, isolation_problem

PROGRAM = """
import os, socket, sys
found = [os.path.exists(each) for each in sys.argv[2:]]
try:
    socket.create_connection(("127.0.0.1", int(sys.argv[1])), 5)
    found.append(True)
except OSError:
    found.append(False)
print(found, os.getcwd())
"""


@pytest.fixture
def asked(tmp_path, monkeypatch):
    """Return a command that says whether it sees a secret, its own folder and the network."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "secret").touch()
    (tmp_path / "own").mkdir()
    (tmp_path / "own/file").touch()
    with socket.create_server(("127.0.0.1", 0)) as server:
        paths = [str(tmp_path / each) for each in ("secret", "own/file")]
        python = Path(sys.executable).resolve()
        yield [str(python), "-I", "-S", "-c", PROGRAM, str(server.getsockname()[1]), *paths]


def answer(words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()


def test_a_program_has_no_network_and_sees_only_its_folder_of_the_home(asked, tmp_path):
    if problem := isolation_problem():
        pytest.skip(problem)
    python = Path(sys.executable).resolve().parents[1]
    own = tmp_path / "own"
    assert answer(isolated(asked, [own, python])) == f"[False, True, False] {own}"
    assert answer(asked).startswith("[True, True, True]")  # not isolated: all is seen


CONNECTS = """
import socket, sys
for path in sys.argv[1:]:
    try:
        socket.socket(socket.AF_UNIX).connect(path if path[0] == "/" else "\\0" + path)
        print("reached")
    except OSError:
        print("hidden")
"""


def test_sockets_of_the_system_are_hidden(tmp_path, monkeypatch):
    """As of a container service below /run, of an agent below /tmp, or of one without a file."""
    if problem := isolation_problem():
        pytest.skip(problem)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "own").mkdir(parents=True)
    python = Path(sys.executable).resolve()
    with ExitStack() as stack:
        names = []
        for folder in ("/run", "/tmp"):
            if os.access(folder, os.W_OK):
                within = stack.enter_context(tempfile.TemporaryDirectory(dir=folder))
                names.append(f"{within}/socket")
        names.append(f"pagelet-{os.getpid()}")
        for name in names:
            server = stack.enter_context(socket.socket(socket.AF_UNIX))
            server.bind(name if name[0] == "/" else f"\0{name}")
            server.listen()
        words = [str(python), "-I", "-S", "-c", CONNECTS, *names]
        kept = [tmp_path / "home" / "own", python.parents[1]]
        assert answer(isolated(words, kept)).split() == ["hidden"] * len(names)
        assert answer(words).split() == ["reached"] * len(names)


def test_the_home_of_the_list_of_users_is_hidden_as_well(tmp_path, monkeypatch):
    if problem := isolation_problem():
        pytest.skip(problem)
    home = Path(pwd.getpwuid(os.getuid()).pw_dir)
    if not os.access(home, os.W_OK):
        pytest.skip("this user has no home folder")
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "own").mkdir()
    with tempfile.NamedTemporaryFile(dir=home) as secret:
        words = ["sh", "-c", f"test -e {secret.name} && echo seen || echo hidden"]
        assert answer(isolated(words, [tmp_path / "own"])) == "hidden"
        assert answer(words) == "seen"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can")
def test_a_system_that_forbids_it_is_told_with_its_remedy(tmp_path, monkeypatch):
    """With an unshare that fails as that of a container does."""
    (tmp_path / "unshare").write_text("#!/bin/sh\necho unshare failed: not permitted >&2\nexit 1\n")
    (tmp_path / "unshare").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    problem = isolation_problem()
    assert "forbids user namespaces (unshare failed: not permitted): " in problem
    assert "seccomp" in problem or "sysctl -w " in problem


def test_what_cannot_isolate_is_one_sentence(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert "not installed" in isolation_problem() or isolation_problem() == "only Linux can"
