"""Environments: other versions of a package, each with its dependencies, apart from Pagelet's.

Made by uv if it is there, else by venv and pip; kept in the user's cache, so that a version is
installed once and then needs no network.  Pagelet is not in them: their Python runs `adapters`.

Installers run in an empty folder, and read the configuration of the user and of the system, never
one of the current folder or those above it: a ``uv.toml`` in a data set would choose whose packages
run.  An environment belongs to the index, the platform and the bytes it was made from.
"""

import hashlib
import io
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from engine.bounded_file import atomic_write, read_bytes
from engine.errors import InputError, MethodError, PageletError
from engine.interpreter import environment, python
from engine.page_cache import default_folder
from engine.processes.commands import start_command
from engine.processes.groups import end_group

_NOTE = "pagelet.json"
"""File in a complete folder that lists the installed packages."""

_FORMAT = 2
"""Of environments.  Those of format 1 may come from an index that a data set named."""

_CHOOSES = re.compile(r"(?i)index|find.?links|constraint|override")
"""In the name of a setting: it sets which packages are installed, and from where."""

_IS_ELSEWHERE = re.compile(
    r"(?i)connect|resolve host|network|dns error|offline|no version of|not found in the"
)
"""Messages of uv, and of pip without an index, on an unavailable version or index."""

_SECONDS = 900.0
"""How long installing may take: some packages are compiled."""

_MOST_BYTES = 10_000_000
"""Of a configuration file."""

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
    """Installation stopped: there is no environment."""


_is_stopped: ContextVar[Callable[[], bool]] = ContextVar("is_stopped", default=lambda: False)


@contextmanager
def stopped_by(is_stopped: Callable[[], bool]) -> Iterator[None]:
    """Stop installations on this thread with `InstallingStopped` when ``is_stopped`` returns true.

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


def normalise_name(name: str) -> str:
    """Return the name of a distribution as indexes compare it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def of_requirement(requirement: str) -> Installed:
    """Return an environment with a package, ``NAME==VERSION`` or so; raises `InputError`."""
    match = REQUIREMENT.fullmatch(requirement.strip())
    if match is None:
        raise InputError(f"{requirement} names no version: expected one as in trafilatura==2.0.0")
    return _made(requirement.strip(), requirement.strip(), normalise_name(match[1]))


def of_wheel(path: Path) -> Installed:
    """Return an environment with the package of a wheel or source archive; raises `InputError`."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return _made(f"{path.name} {digest}", str(path.resolve()), "")


def of_commit(checkout: Path, commit: str) -> Installed:
    """Return an environment with a checkout's package as of a commit; raises `InputError`."""
    name = full_commit(checkout, commit)
    with tempfile.TemporaryDirectory() as exported:
        _export(checkout, name, Path(exported))
        return _made(f"commit {name}", exported, "")


def of_folder(checkout: Path) -> tuple[Installed, str]:
    """Return an environment with a checkout's package as it is now, and the name of its files.

    Files that are not committed yet belong to it, ignored ones do not.  Raises `InputError`.
    """
    with tempfile.TemporaryDirectory() as beside:
        variables = {"GIT_INDEX_FILE": f"{beside}/index"}
        with suppress(InputError):  # a checkout without a commit
            _git(checkout, "read-tree", "HEAD", variables=variables)
        _git(checkout, "add", "--all", ":/", variables=variables)
        tree = _git(checkout, "write-tree", variables=variables).decode().strip()
        _export(checkout, tree, Path(beside) / "files")
        return _made(f"tree {tree}", f"{beside}/files", ""), tree


def files_of(checkout: Path, commit: str) -> Path:
    """Return a folder with the files of a checkout as of a commit; raises `InputError`."""
    name = full_commit(checkout, commit)
    result = folder().parent / "checkouts" / name
    if not result.is_dir():
        result.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=result.parent, ignore_cleanup_errors=True) as beside:
            _export(checkout, name, Path(beside) / "files")
            take_place(Path(beside) / "files", result)
    return result


def full_commit(checkout: Path, commit: str) -> str:
    """Return the whole name of a commit; `InputError` if the checkout has none of that name."""
    words = ("rev-parse", "--verify", "--quiet", "--end-of-options", commit + "^{commit}")
    try:
        return git(checkout, *words)
    except InputError:
        raise InputError(f"{checkout} has no commit {commit} that git knows") from None


def git(checkout: Path, *words: str) -> str:
    """Return the output of git in a checkout; raises `InputError`."""
    return _git(checkout, *words).decode("utf-8", "replace").strip()


def versions(distribution: str) -> tuple[str, ...]:
    """Return all versions on the package index, the oldest first; raises `InputError`."""
    words = [*_pip(), "index", "versions", distribution, "--disable-pip-version-check"]
    done = run_tool(words, _source(None)[0])
    listed = re.search(r"^Available versions: (.+)$", done.stdout, re.MULTILINE)
    if done.returncode or listed is None:
        raise InputError(
            f"the package index names no version of {distribution}: check its name and the network"
        )
    return tuple(reversed(listed[1].replace(",", " ").split()))


def _made(key: str, what: str, name: str) -> Installed:
    """Return the environment for a key; ``what`` is installed where there is none yet."""
    uv = shutil.which("uv")
    variables, sources = _source(uv)
    parts = (str(_FORMAT), key, sources, _platform())
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()
    own = f"{sys.implementation.cache_tag}-{digest[:32]}"
    result = folder() / own
    try:
        return _read(result)
    except (OSError, ValueError, KeyError, TypeError):
        shutil.rmtree(result, ignore_errors=True)  # damaged, if it is there
    folder().mkdir(parents=True, exist_ok=True)
    _remove_older()
    # Made beside it and moved: two processes may want it, and one that is killed leaves none half.
    with tempfile.TemporaryDirectory(dir=folder(), ignore_cleanup_errors=True) as beside:
        new = Path(beside) / "environment"
        _install(what, new, uv, variables)
        described = run_tool([str(_python_in(new)), "-I", "-c", _NAME_OF, name]).stdout.splitlines()
        if not described:
            raise InputError(f"{what} installs no package")
        distribution, version = json.loads(described[-1])
        note = {
            "format": _FORMAT, "key": key, "distribution": distribution, "version": version,
            "index": sources, "platform": _platform(), "hashes": _hashes(new),
        }  # fmt: skip
        with atomic_write(new / _NOTE) as written:
            written.write_text(json.dumps(note), encoding="utf-8")
        take_place(new, result)
    return _read(result)


def _read(made: Path) -> Installed:
    note = json.loads((made / _NOTE).read_text("utf-8"))
    if note["hashes"] != _hashes(made):
        raise ValueError("other packages lie there than were installed")
    return Installed(str(_python_in(made)), str(note["distribution"]), str(note["version"]))


def _platform() -> str:
    return f"{sysconfig.get_platform()} {'-'.join(platform.libc_ver())}"


def _hashes(made: Path) -> dict[str, str]:
    """Return the SHA-256 of each package's RECORD, which lists the hashes of its files."""
    places = ("lib/python*/site-packages", "Lib/site-packages")
    records = (each for place in places for each in made.glob(f"{place}/*.dist-info/RECORD"))
    return {each.parent.name: hashlib.sha256(each.read_bytes()).hexdigest() for each in records}


def _remove_older() -> None:
    """Remove environments of formats before: they can no longer be found."""
    for note in folder().glob(f"*/{_NOTE}"):
        with suppress(OSError, ValueError):
            about = json.loads(note.read_text("utf-8"))
            if isinstance(about, dict) and "key" in about and about.get("format") != _FORMAT:
                shutil.rmtree(note.parent, ignore_errors=True)


def _source(uv: str | None) -> tuple[Mapping[str, str], str]:
    """Return the environment that the user's installer runs in, and a digest of its sources.

    They are chosen by variables and configuration files of user and system.
    """
    variables = environment()
    files = _uv_files(variables) if uv else _pip_files(variables)
    prefix = "UV_" if uv else "PIP_"
    chosen = [
        f"{name}={value}"
        for name, value in sorted(variables.items())
        if name.startswith(prefix) and _CHOOSES.search(name)
    ]
    for each in files:
        with suppress(OSError):
            text = read_bytes(each, _MOST_BYTES).decode("utf-8", "replace")
            chosen += [text] if _CHOOSES.search(text) else []
    variables |= {"PYTHONSAFEPATH": "1", "PIP_NO_INPUT": "1"}
    if uv:
        # It would search the current folder and those above; it still reads files given to it.
        variables["UV_NO_CONFIG"] = "1"
        if files:
            variables["UV_CONFIG_FILE"] = str(files[0])
    if not chosen:  # PyPI needs no credentials: send none to hosts that packages link to
        variables["NETRC"] = os.devnull
    return variables, hashlib.sha256("\0".join(chosen).encode()).hexdigest()


def _uv_files(variables: Mapping[str, str]) -> list[Path]:
    """Return the configuration that uv is given: the user's, else the system's."""
    if variables.get("UV_NO_CONFIG", "").lower() in ("1", "true", "yes", "on"):
        return []
    if os.name == "nt":
        roots = [variables.get("APPDATA", ""), variables.get("PROGRAMDATA", "")]
    else:
        roots = [variables.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")]
        roots += [*variables.get("XDG_CONFIG_DIRS", "/etc/xdg").split(os.pathsep), "/etc"]
    there = [Path(root) / "uv" / "uv.toml" for root in roots if root]
    named = variables.get("UV_CONFIG_FILE")
    return [Path(named)] if named else [each for each in there if each.is_file()][:1]


def _pip_files(variables: Mapping[str, str]) -> list[Path]:
    """Return the configuration files that pip reads: all of them."""
    named = variables.get("PIP_CONFIG_FILE")
    if named == os.devnull:
        return []
    home, name = Path.home(), "pip.ini" if os.name == "nt" else "pip.conf"
    roots = [Path(sys.prefix), home / "pip", home / ".pip"]
    if os.name == "nt":
        roots += [Path(variables[each], "pip") for each in ("APPDATA", "PROGRAMDATA")
                  if each in variables]  # fmt: skip
    else:
        roots += [Path("/etc"), Path("/Library/Application Support/pip")]
        roots += [home / "Library/Application Support/pip"]
        own = variables.get("XDG_CONFIG_HOME") or str(home / ".config")
        every = (own, *variables.get("XDG_CONFIG_DIRS", "/etc/xdg").split(os.pathsep))
        roots += [Path(each, "pip") for each in every if each]
    return [*(root / name for root in roots), *([Path(named)] if named else [])]


def take_place(new: Path, result: Path) -> None:
    """Move a folder to its place, unless another process was quicker; raises `InputError`."""
    try:
        new.replace(result)
    except OSError as error:
        if not result.is_dir():  # else another process was quicker
            raise InputError(f"cannot write to {result}: {error.strerror or error}") from error


def _install(what: str, new: Path, uv: str | None, variables: Mapping[str, str]) -> None:
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
        done = run_tool(words, variables)
        if done.returncode:
            raise InputError(f"{what} cannot be installed: {_why_not(done.stderr)}")


def _why_not(errors: str) -> str:
    """Return the error of an installer in one sentence."""
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
    """Return the command that is pip: this Python's, else one in a separate environment."""
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


def _git(checkout: Path, *words: str, variables: dict[str, str] | None = None) -> bytes:
    at = checkout if checkout.is_dir() else checkout.parent
    top = ["git", "-C", str(at), *words]
    try:
        done = subprocess.run(top, capture_output=True, check=False,
                              env=environment() | (variables or {}))  # fmt: skip
    except OSError as error:
        raise InputError(f"git cannot be started: {error.strerror or error}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        first = next((each for each in said if each.startswith("fatal: ")), "".join(said[-1:]))
        why = first.removeprefix("fatal: ") or f"there is no {words[-1]}"
        raise InputError(f"{at}: {why}")
    return done.stdout


def run_tool(
    words: Sequence[str],
    variables: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end, in an empty folder or a given one; its orphans end with it.

    Raises `InstallingStopped` when stopped through `stopped_by`.
    """
    is_stopped, end = _is_stopped.get(), time.monotonic() + _SECONDS
    if is_stopped():
        raise InstallingStopped("stopped")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        try:
            process = start_command(
                words, folder or Path(empty), variables or environment(), subprocess.PIPE
            )
        except MethodError as error:
            raise InputError(str(error)) from None
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
