"""Environments: other versions of a package, each with what it needs, apart from Pagelet's own.

Made by uv if it is there, else by venv and pip; kept in the user's cache, so that a version is
installed once and then needs no network.  Pagelet is not in them: their Python runs `adapters`.
"""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from engine.errors import InputError, PageletError
from engine.interpreter import environment, python
from engine.page_cache import default_folder
from engine.processes.groups import end_group, own_group, start
from engine.whole_file import atomic_write

_NOTE = "pagelet.json"
"""In a folder that is complete: what is installed there."""

_IS_ELSEWHERE = re.compile(
    r"(?i)connect|resolve host|network|dns error|offline|no version of|not found in the"
)
"""What uv, and pip without an index, say of a version or an index that cannot be had."""

_SECONDS = 900.0
"""How long installing may take: some packages are compiled."""

_TICK_S = 0.1
"""How often it is asked whether to stop."""

_NAMED = 5
"""Versions that a message names."""

REQUIREMENT = re.compile(r"([A-Za-z0-9](?:[\w.-]*\w)?)(?:\[[\w,. -]*\])?\s*[=<>!~]=?.*")
"""A name with a version, as pip takes it."""

_NAME_OF = (
    "import importlib.metadata as m, json, re, sys\n"
    "for d in m.distributions():\n"
    "    n = re.sub('[-_.]+', '-', d.name).lower()\n"
    "    if n == sys.argv[1] or not sys.argv[1] and d.read_text('direct_url.json'):\n"
    "        print(json.dumps([n, d.version]))\n"
)
"""Prints name and version of a distribution; without a name, of those that no index gave."""


@dataclass(frozen=True)
class Installed:
    """An environment that is ready.

    Attributes:
        python: Its interpreter.
        distribution: What it was made for: normalised name.
        version: Of that.
    """

    python: str
    distribution: str
    version: str


class InstallingStopped(PageletError):
    """Nobody wants the environment any more: it is not there."""


_is_stopped: ContextVar[Callable[[], bool]] = ContextVar("is_stopped", default=lambda: False)


@contextmanager
def stopped_by(is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Have what is installed meanwhile, on this thread, end with `InstallingStopped` when asked.

    The installer is ended at once with all it has started, and leaves nothing behind.
    """
    before = _is_stopped.set(is_stopped)
    try:
        yield
    finally:
        _is_stopped.reset(before)


def folder() -> Path:
    """Return where environments are kept."""
    return default_folder().parent / "environments"


def normalised(name: str) -> str:
    """Return the name of a distribution as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def of_requirement(requirement: str) -> Installed:
    """Return an environment with a package, ``NAME==VERSION`` or so; raises `InputError`."""
    match = REQUIREMENT.fullmatch(requirement.strip())
    if match is None:
        raise InputError(f"{requirement} names no version: expected one as in trafilatura==2.0.0")
    return _made(requirement.strip(), requirement.strip(), normalised(match[1]))


def of_wheel(path: Path) -> Installed:
    """Return an environment with what a wheel or source archive holds; raises `InputError`."""
    digest = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
    return _made(f"{path.name} {digest}", str(path.resolve()), "")


def of_commit(checkout: Path, commit: str) -> Installed:
    """Return an environment with a checkout's package as of a commit; raises `InputError`."""
    name = full_commit(checkout, commit)
    with tempfile.TemporaryDirectory() as exported:
        _export(checkout, name, Path(exported))
        return _made(f"commit {name}", exported, "")


def files_of(checkout: Path, commit: str) -> Path:
    """Return a folder with the files of a checkout as of a commit; raises `InputError`."""
    name = full_commit(checkout, commit)
    result = folder().parent / "checkouts" / name
    if not result.is_dir():
        result.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=result.parent, ignore_cleanup_errors=True) as beside:
            _export(checkout, name, Path(beside) / "files")
            _take_place(Path(beside) / "files", result)
    return result


def full_commit(checkout: Path, commit: str) -> str:
    """Return the whole name of a commit; `InputError` if the checkout has none of that name."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{commit}")
    try:
        return git(checkout, *words)
    except InputError:
        raise InputError(f"{checkout} has no commit {commit} that git knows") from None


def git(checkout: Path, *words: str) -> str:
    """Return what git prints in a checkout; raises `InputError`."""
    return _git(checkout, *words).decode("utf-8", "replace").strip()


def versions(distribution: str) -> tuple[str, ...]:
    """Return all versions on the package index, the oldest first; raises `InputError`."""
    words = [*_pip(), "index", "versions", distribution, "--disable-pip-version-check"]
    done = _run(words)
    listed = re.search(r"^Available versions: (.+)$", done.stdout, re.MULTILINE)
    if done.returncode or listed is None:
        raise InputError(
            f"the package index names no version of {distribution}: check its name and the network"
        )
    return tuple(reversed(listed[1].replace(",", " ").split()))


def _made(key: str, what: str, name: str) -> Installed:
    """Return the environment for a key; ``what`` is installed where there is none yet."""
    own = (
        f"{sys.implementation.cache_tag}-{hashlib.blake2b(key.encode(), digest_size=8).hexdigest()}"
    )
    result = folder() / own
    try:
        return _read(result)
    except (OSError, ValueError, KeyError, TypeError):
        pass
    folder().mkdir(parents=True, exist_ok=True)
    # Made beside it and moved: two processes may want it, and one that is killed leaves none half.
    with tempfile.TemporaryDirectory(dir=folder(), ignore_cleanup_errors=True) as beside:
        new = Path(beside) / "environment"
        _install(what, new)
        described = _run([str(_python_in(new)), "-I", "-c", _NAME_OF, name]).stdout.splitlines()
        if not described:
            raise InputError(f"{what} installs no package")
        distribution, version = json.loads(described[-1])
        note = {"key": key, "distribution": distribution, "version": version}
        with atomic_write(new / _NOTE) as written:
            written.write_text(json.dumps(note), encoding="utf-8")
        _take_place(new, result)
    return _read(result)


def _read(made: Path) -> Installed:
    note = json.loads((made / _NOTE).read_text("utf-8"))
    return Installed(str(_python_in(made)), str(note["distribution"]), str(note["version"]))


def _take_place(new: Path, result: Path) -> None:
    try:
        new.replace(result)
    except OSError as error:
        if not result.is_dir():  # else another process was quicker
            raise InputError(f"cannot write to {result}: {error.strerror or error}") from error


def _install(what: str, new: Path) -> None:
    uv = shutil.which("uv")
    if uv:
        commands = [
            [uv, "venv", "--quiet", "--python", sys.executable, str(new)],
            [uv, "pip", "install", "--quiet", "--python", str(_python_in(new)), what],
        ]
    else:
        venv.create(new, symlinks=os.name != "nt")
        quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
        commands = [[*_pip(), "--python", str(_python_in(new)), "install", *quiet, what]]
    for words in commands:
        done = _run(words)
        if done.returncode:
            raise InputError(f"{what} cannot be installed: {_why_not(done.stderr)}")


def _why_not(errors: str) -> str:
    """Return what an installer complains of, in a sentence."""
    known = re.search(r"\(from versions: ([^)]*)\)", errors)
    if known is not None and known[1] != "none":
        newest = known[1].split(", ")[-_NAMED:]
        return f"the package index has no such version (the last are {', '.join(newest)})"
    if known is not None or _IS_ELSEWHERE.search(errors):
        return "the package index does not have it, or cannot be reached"
    lines = [line.strip() for line in errors.splitlines() if line.strip()]
    chosen = next((line for line in lines if line.startswith("ERROR:")), lines[-1] if lines else "")
    return chosen.removeprefix("ERROR:").strip()[:300] or "the installer failed"


def _pip() -> list[str]:
    """Return the command that is pip: this Python's, else one in an environment of its own."""
    if find_spec("pip") is not None:
        return python("-m", "pip")
    tools = folder() / f"{sys.implementation.cache_tag}-pip"
    if not (tools / _NOTE).is_file():
        try:
            venv.create(tools, symlinks=os.name != "nt", with_pip=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise InputError(f"neither uv nor pip is there to install packages: {error}") from None
        (tools / _NOTE).write_text("{}", encoding="utf-8")
    return [str(_python_in(tools)), "-P", "-m", "pip"]


def _python_in(made: Path) -> Path:
    return made / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _export(checkout: Path, commit: str, out: Path) -> None:
    data = _git(checkout, "archive", "--format=tar", commit)
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        archive.extractall(out, filter="data")


def _git(checkout: Path, *words: str) -> bytes:
    at = checkout if checkout.is_dir() else checkout.parent
    top = ["git", "-C", str(at), *words]
    try:
        done = subprocess.run(top, capture_output=True, check=False, env=environment())
    except OSError as error:
        raise InputError(f"git cannot be started: {error.strerror or error}") from None
    if done.returncode:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()
        why = last[-1].removeprefix("fatal: ") if last else f"there is no {words[-1]}"
        raise InputError(f"{at}: {why}")
    return done.stdout


def _run(words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end; raises `InstallingStopped` where `stopped_by` says so."""
    is_stopped, end = _is_stopped.get(), time.monotonic() + _SECONDS
    if is_stopped():
        raise InstallingStopped("stopped")
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    try:
        process = start([*words], env=environment(), **pipes, **own_group())
    except OSError as error:
        raise InputError(f"{words[0]} cannot be started: {error.strerror or error}") from None
    try:
        while True:
            try:
                output, errors = process.communicate(timeout=_TICK_S)
                break
            except subprocess.TimeoutExpired:
                if is_stopped():
                    raise InstallingStopped("stopped") from None
                if time.monotonic() > end:
                    raise InputError(f"installing took longer than {_SECONDS:g} s") from None
    except BaseException:
        end_group(process)
        process.communicate()  # closes its pipes
        raise
    texts = (each.decode("utf-8", "replace") for each in (output, errors))
    return subprocess.CompletedProcess(process.args, process.returncode, *texts)
