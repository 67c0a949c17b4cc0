"""Packages of npm as methods, ``npm:NAME==VERSION``: Node runs each in a separate folder.

An adapter is a file of JavaScript whose default export is a function from HTML to text or HTML; it
may be asynchronous.  Comments at its beginning name the package, what it needs besides, and what it
answers: ``// package: defuddle``, ``// needs: linkedom@0.18.12``, ``// answers: html`` (or text).
Pagelet has some in the folder ``npm``; a user's own is used in the same way.

npm runs in an empty folder and without install scripts: it does not read an ``.npmrc`` of the
current folder, which could choose the registry.  Installed packages are cached.

They run without network, sockets and home folder (`engine.processes.isolation`), and Node lets
their JavaScript read their folder only, write nothing and start no process.  Where the system
cannot isolate, that of Node is all, and native modules are not held back.
"""

import hashlib
import json
import logging
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, cast

from algorithms.method import Method, MethodRecipe
from algorithms.own.answers import AnswerKind
from algorithms.plugins.external import environments
from algorithms.plugins.external.commands import LineWorker
from algorithms.plugins.external.libraries import Library, LibraryParams, method_of
from engine.bounded_file import atomic_write
from engine.errors import InputError, MethodError
from engine.interpreter import environment
from engine.processes.foreign import ForeignWorker, shared_worker
from engine.processes.isolation import hidden_folders, isolated, isolation_problem

log = logging.getLogger(__name__)

PREFIX = "npm:"

_ADAPTERS = Path(__file__).parent / "npm"
_SPECIFIER = re.compile(r"npm:((?:@[a-z0-9~._-]+/)?[a-z0-9~._-]+)(?:==([0-9][\w.+-]*))?")
_HEADER = re.compile(r"^//\s*(package|needs|answers):\s*(.+?)\s*$", re.MULTILINE)
_NOTE = "pagelet.json"
_LOCK = "package-lock.json"
_MOST_CHARS = 1_000_000
_PASSED = ("PATH", "LANG", "LC_ALL", "TZ", "SYSTEMROOT")
"""Environment of packages: others of the user's variables may hold keys of services.

Node does not start on Windows without the last one."""


@dataclass(frozen=True)
class NpmRecipe(MethodRecipe):
    """A package with its adapter, as it travels.

    Attributes:
        folder: Where it is installed.
        adapter: The adapter, in that folder.
        answers: What it returns.
        version: Name and version of the package.
    """

    folder: str
    adapter: str
    answers: AnswerKind
    version: str

    def entry(self, key: str) -> Method:
        """Return it as a method under a key."""
        summary = f"What {self.version} of npm extracts."
        library = Library(key, key, key, LibraryParams, "npm", summary, self.answers)
        return replace(method_of(library, self.version, self._worker), recipe=self)

    def answer(self, request: str, seconds: float) -> str:
        """Return what the adapter makes of any text, as it is; raises `MethodError`."""
        return str(self._worker().ask(({}, request), seconds)["text"])

    def check(self) -> None:
        """Load it once; `InputError` where it cannot be."""
        try:
            self._worker().prepare()
        except MethodError as error:
            raise InputError(f"{self.version}: {error}") from None

    def _worker(self) -> ForeignWorker:
        return shared_worker(("npm", self.adapter), lambda: _NodeWorker(self))


class _NodeWorker(LineWorker):
    """Node with one adapter."""

    def __init__(self, recipe: NpmRecipe) -> None:
        kept = {name: value for name, value in os.environ.items() if name in _PASSED}
        super().__init__((), Path(recipe.folder), kept)
        self._adapter = recipe.adapter

    def _launch(self, errors: BinaryIO) -> None:
        assert self._folder is not None
        self._words = tuple(_node_words(self._folder))
        super()._launch(errors)
        self._load(self._adapter)


def _node_words(folder: Path) -> list[str]:
    """Return the command of Node that serves the packages of a folder, as isolated as possible."""
    node, read = _tool("node"), (folder, _ADAPTERS)
    node = str(Path(node).resolve())  # a link below the home folder would be hidden
    done = subprocess.run(
        [node, "--permission", "--version"], capture_output=True, check=False, env=_variables()
    )
    permission = "--permission" if done.returncode == 0 else "--experimental-permission"  # Node 20
    allowed = ("--allow-addons", *(f"--allow-fs-read={each}" for each in read))
    words = [node, "--no-warnings", permission, *allowed, str(_ADAPTERS / "serve.mjs")]
    if problem := isolation_problem():
        log.warning("native modules of npm packages are not isolated here: %s", problem)
        return words
    bin_folder = Path(node).parent  # with the libraries beside it, in a folder of its own
    hidden = hidden_folders()
    own = bin_folder.parent if any(map(bin_folder.is_relative_to, hidden)) else bin_folder
    own = bin_folder if own in hidden else own
    alone = isolated(words, [*read, own])
    tried = isolated([node, "--version"], [*read, own])
    if subprocess.run(tried, capture_output=True, check=False, env=_variables()).returncode:
        log.warning("native modules of npm packages are not isolated: %s cannot start so", node)
        return words
    return alone


def npm_recipe(specifier: str, adapter: str = "") -> NpmRecipe:
    """Return what makes a package a method; installs it where it is not there yet.

    Args:
        specifier: ``npm:NAME==VERSION``; without a version the newest.
        adapter: Path of the user's adapter; "" for Pagelet's own.

    Raises `InputError`.
    """
    name, version = _parts(specifier)
    path = Path(adapter).expanduser() if adapter else _adapter_of(name)
    try:
        text = path.read_text("utf-8")[:_MOST_CHARS]
    except (OSError, ValueError) as error:
        raise InputError(f"the adapter {path} cannot be read: {error}") from None
    header = dict(_HEADER.findall(text))
    answers = header.get("answers", "text")
    if answers not in ("text", "html"):
        raise InputError(f"{path} answers {answers}: expected text or html")
    if not version:
        version = npm_versions(specifier)[-1]
    made = _installed([f"{name}@{version}", *header.get("needs", "").split()])
    own = made / f"adapter-{hashlib.sha256(text.encode()).hexdigest()[:32]}.mjs"
    if not own.is_file():
        with atomic_write(own) as beside:
            beside.write_text(text, encoding="utf-8")
    recipe = NpmRecipe(str(made), str(own), cast(AnswerKind, answers), f"{name} {version}")
    recipe.check()
    return recipe


def npm_versions(specifier: str) -> tuple[str, ...]:
    """Return all versions of a package that are no previews, oldest first; raises `InputError`."""
    name, _ = _parts(specifier)
    with tempfile.TemporaryDirectory() as empty:
        done = _npm(Path(empty), "view", name, "versions", "--json")
    try:
        listed = json.loads(done) if done else None
    except ValueError:
        listed = None
    every = [listed] if isinstance(listed, str) else listed
    if not isinstance(every, list) or not every:
        raise InputError(f"npm names no version of {name}: check its name and the network")
    return tuple(str(each) for each in every if "-" not in str(each))


def _parts(specifier: str) -> tuple[str, str]:
    match = _SPECIFIER.fullmatch(specifier)
    if match is None:
        raise InputError(f"{specifier} names no package of npm: expected npm:defuddle==0.19.4")
    return match[1], match[2] or ""


def _adapter_of(name: str) -> Path:
    path = _ADAPTERS / (name.removeprefix("@").replace("/", "-") + ".mjs")
    if path.is_file():
        return path
    known = (dict(_HEADER.findall(each.read_text("utf-8"))) for each in _ADAPTERS.glob("*.mjs"))
    names = ", ".join(sorted(each["package"] for each in known if "package" in each))
    raise InputError(
        f"how {name} extracts is not known: add an adapter, as in npm:{name} my_adapter.mjs "
        f"(known are {names})"
    )


def _installed(packages: list[str]) -> Path:
    """Return a folder with packages; they are installed where there is none yet."""
    key = json.dumps([1, packages, _tool("node"), _registry()])
    made = environments.folder() / f"npm-{hashlib.sha256(key.encode()).hexdigest()[:32]}"
    if _is_whole(made):
        return made
    shutil.rmtree(made, ignore_errors=True)  # damaged, if it is there
    environments.folder().mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        dir=environments.folder(), ignore_cleanup_errors=True
    ) as beside:
        new = Path(beside) / "packages"
        new.mkdir()
        (new / "package.json").write_text('{"private": true}', encoding="utf-8")
        _npm(
            new, "install", "--ignore-scripts", "--save-exact", "--no-audit", "--no-fund", *packages
        )
        note = {"packages": packages, "lock": _digest(new / _LOCK)}
        (new / _NOTE).write_text(json.dumps(note), encoding="utf-8")
        environments.take_place(new, made)
    return made


def _is_whole(made: Path) -> bool:
    try:
        note = json.loads((made / _NOTE).read_text("utf-8"))
        return bool(note["lock"] == _digest(made / _LOCK)) and (made / "node_modules").is_dir()
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _npm(folder: Path, *words: str) -> str:
    """Return the output of npm in a folder with no configuration; raises `InputError`."""
    done = environments.run_tool(
        [_tool("npm"), *words, "--loglevel=error", "--no-update-notifier"], _variables(), folder
    )
    if done.returncode:
        lines = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        codes = re.search(
            r"\b(E404|ETARGET|ENOTFOUND|ECONNREFUSED|EAI_AGAIN|ETIMEDOUT)\b", done.stderr
        )
        if codes is not None:
            what = words[1] if words[0] == "view" else words[-1]
            raise InputError(
                f"npm cannot get {what}: the registry does not have it, or cannot be reached"
            )
        why = lines[-1].removeprefix("npm error").strip() if lines else "it failed"
        raise InputError(f"npm cannot {words[0]}: {why[:300]}")
    return done.stdout


def _tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        raise InputError(
            f"{name} is not installed, and packages of npm need it: install Node.js 20 or later"
        )
    return path


def _variables() -> dict[str, str]:
    """Return the environment for Node, without what would load other code into it."""
    return {k: v for k, v in environment().items() if k not in ("NODE_OPTIONS", "NODE_PATH")}


def _registry() -> list[str]:
    """Return what chooses where packages come from: variables, and the user's configuration."""
    chosen = [
        f"{name}={value}"
        for name, value in sorted(os.environ.items())
        if name.lower().startswith("npm_config_") and "registry" in name.lower()
    ]
    settings = {name.lower(): value for name, value in os.environ.items()}
    named = settings.get("npm_config_userconfig")
    path = Path(named) if named else Path.home() / ".npmrc"
    with_registry = path.read_text("utf-8", "replace").splitlines() if path.is_file() else []
    return chosen + [line for line in with_registry if "registry" in line]
