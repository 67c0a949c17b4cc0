"""Isolation of programs of others, from the system's namespaces."""

import socket
import subprocess
import sys
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


def test_what_cannot_isolate_is_one_sentence(monkeypatch):
    monkeypatch.setenv("PATH", "")
    assert "not installed" in isolation_problem() or isolation_problem() == "only Linux can"
