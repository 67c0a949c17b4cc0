"""Isolation of programs of others, from the system's namespaces."""

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.processes.isolation import hidden_folders, isolated, isolation_problem

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


@pytest.fixture
def outside():
    """Return a folder that no temporary one hides."""
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as made:
        yield Path(made)


@pytest.fixture
def can_isolate():
    if problem := isolation_problem():
        pytest.skip(problem)


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
    """As of a container service, of an agent in a temporary folder, or of one without a file."""
    if problem := isolation_problem():
        pytest.skip(problem)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "own").mkdir(parents=True)
    python = Path(sys.executable).resolve()
    with ExitStack() as stack:
        names = []
        for folder in ("/run", "/tmp", "/var/tmp", "/dev/shm"):
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


@pytest.mark.parametrize("link", ["the folder", "each tool"])
def test_tools_that_are_reached_by_a_hidden_folder_are_found(
    can_isolate, link, tmp_path, monkeypatch
):
    """As on NixOS, whose tools are reached by links below /run."""
    tools = tmp_path / "bin"
    if link == "each tool":
        tools.mkdir()
        for name in ("unshare", "mkdir", "mount", "setpriv", "sh", "true"):
            (tools / name).symlink_to(shutil.which(name))
    else:
        tools.symlink_to(Path(shutil.which("mount")).parent)
    monkeypatch.setenv("PATH", str(tools))
    assert isolation_problem() == ""


@pytest.mark.parametrize("text", ["no home here", ""])
def test_a_tool_that_fails_is_not_told_as_namespaces(
    can_isolate, outside, tmp_path, monkeypatch, text
):
    for folder in (outside, tmp_path):  # a hidden tool, and one that is seen and fails
        (folder / "mount").write_text(f"#!/bin/sh\necho {text} >&2\nexit 1\n")
        (folder / "mount").chmod(0o755)
        with monkeypatch.context() as patch:
            patch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
            problem = isolation_problem()
        assert problem
        assert "namespaces" not in problem
        assert "sysctl" not in problem


def test_a_home_that_is_absent_is_not_made(can_isolate, outside, monkeypatch):
    monkeypatch.setenv("HOME", str(outside / "absent"))
    assert answer(isolated(["echo", "ran"], [Path("/usr")])) == "ran"
    assert not (outside / "absent").exists()


@pytest.mark.parametrize("home", ["/", "/bin", "/usr/sbin", "/dev"])
def test_a_home_of_the_list_of_users_that_is_of_the_system_stays(can_isolate, home, monkeypatch):
    """As of daemon, bin and sync on Debian."""
    monkeypatch.setattr(pwd, "getpwuid", lambda _number: SimpleNamespace(pw_dir=home))
    assert Path(home).resolve() not in hidden_folders()
    assert isolation_problem() == ""


def test_an_isolated_program_cannot_signal_others_and_ends_with_its_parent(can_isolate):
    code = f"kill -0 {os.getpid()} 2>/dev/null && echo seen || echo hidden; exec sleep 60"
    words = isolated(["sh", "-c", code], [Path("/usr")])
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as run:
        said = run.stdout.readline()
        run.kill()
        assert run.communicate(timeout=30)[0] == ""  # what it wrote to has been closed
    assert said == "hidden\n"
