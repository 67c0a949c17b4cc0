"""Commands and proxies that the user wrote down in ``methods.toml``, in Pagelet's settings folder.

    [command.my-extractor]                  # the key: small letters, digits, "-" and "+"
    run = ["my-extractor", "--text"]        # gets HTML in UTF-8; started in the file's folder
    answer = "text"                         # or "html"; this is the default
    seconds = 10                            # time limit for one page; this is the default
    name = "My extractor"                   # on screen; the key if left out
    serve = true                            # it is started once, and answers lines
    version = ["my-extractor", "--version"] # a command whose first line says it, or a text

    [proxy.crunch]
    address = "127.0.0.1:4001"              # the proxy; it fetches the page from Pagelet
    answer = "html"                         # or "text"; by its content type if left out
    seconds = 10

    [proxy.crawler]
    address = "127.0.0.1:4001"
    site = true                             # it reads further pages, through Pagelet as its proxy
    port = 4002                             # where that is; another one each time if left out
    token = "..."                           # what it must show there; made up if left out

    [readability-js]                        # Readability.js, run in a browser of its own
    package = "~/node_modules/@mozilla/readability"

    [defuddle]                              # Defuddle, in the same way
    package = "~/node_modules/defuddle"

A command may have ``site = true``, too: it finds the proxy in ``http_proxy``.
An entry that cannot be used is a sentence for the user, and the others go on.
"""

import re
import shlex
import stat
import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from algorithms.method import Method
from algorithms.own.settings import settings_folder
from algorithms.params import param, params_class
from algorithms.plugins.external import commands, proxies, readers
from engine.errors import InputError, PageletError
from engine.processes.commands import run_command

FILE = "methods.toml"
SECONDS = 10.0
LONGEST_SECONDS = 3600.0
MOST_BYTES = 1_000_000
"""Longest file that is read."""

_KEY = re.compile(r"[a-z0-9][a-z0-9+-]*")
_HOST = re.compile(r"[\w.:%-]+")
_TOKEN = re.compile(r"[\w-]*", re.ASCII)
_KINDS = ("text", "html")
_COMMON = ("name", "answer", "seconds", "site", "version", "cite", "summary")


def read_declared(path: Path | None = None) -> tuple[tuple[Method, ...], tuple[str, ...]]:
    """Return the methods of the file, and a sentence for each entry that cannot be used.

    Without the file there are none of either.
    """
    path = path or settings_folder() / FILE
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe would keep everything waiting
            return (), (f"{path} cannot be read: it is not a file",)
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            return (), (f"{path} is not read: it has more than {MOST_BYTES // 1_000_000} MB",)
        read = tomllib.loads(data.decode("utf-8"))
    except FileNotFoundError:
        return (), ()
    except OSError as error:
        return (), (f"{path} cannot be read: {error.strerror or error}",)
    except RecursionError:
        return (), (f"{path} cannot be read: it is nested too deep",)
    except ValueError as error:  # no TOML, no UTF-8, a number of ten thousand digits
        return (), (f"{path} is not TOML: {error}",)
    result: list[Method] = []
    problems: list[str] = []
    for kind, entries in read.items():
        if kind in readers.READERS:
            try:
                result.append(_reader(kind, entries, path.parent))
            except InputError as error:
                problems.append(f"{path}: {kind}: {error}")
            except OSError as error:  # a folder with a name too long to be looked for
                problems.append(f"{path}: {kind}: {error.strerror or error}")
            continue
        if kind not in _METHOD_KINDS or not isinstance(entries, dict):
            problems.append(f"{path}: [{kind}] is not known; expected [command.KEY] or [proxy.KEY]")
            continue
        for key, entry in entries.items():
            try:
                result.append(_method(kind, key, entry, path.parent))
            except InputError as error:
                problems.append(f"{path}: {kind} {key}: {error}")
    return tuple(result), tuple(problems)


def _reader(kind: str, entry: object, folder: Path) -> Method:
    package = entry.get("package") if isinstance(entry, dict) else None
    if not isinstance(package, str):
        usual = f"node_modules/{readers.READERS[kind].package}"
        raise InputError(f'package is missing; expected a folder as in "{usual}"')
    return readers.method_of(kind, folder / _at_home(package))


def _method(kind: str, key: str, entry: object, folder: Path) -> Method:
    if not _KEY.fullmatch(key):
        raise InputError('the key may have small letters, digits, "-" and "+"')
    if not isinstance(entry, dict):
        raise InputError(f"is {entry!r}; expected a table")
    make, own = _METHOD_KINDS[kind]
    unknown = [name for name in entry if name not in (*_COMMON, *own)]
    if unknown:
        raise InputError(f"{unknown[0]} is not known; expected {', '.join((*own, *_COMMON))}")
    for name in ("name", "cite", "summary"):
        if not isinstance(entry.get(name, ""), str):
            raise InputError(f"{name} must be a text, got {entry[name]!r}")
    if entry.get("answer", "text") not in _KINDS:
        raise InputError(f"answer must be text or html, got {entry['answer']!r}")
    seconds = entry.get("seconds", SECONDS)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not (
        0 < seconds <= LONGEST_SECONDS
    ):  # fmt: skip
        raise InputError(f"seconds must be a number up to {LONGEST_SECONDS:g}, got {seconds!r}")
    reads_site = entry.get("site", False)
    if not isinstance(reads_site, bool):
        raise InputError(f"site must be true or false, got {reads_site!r}")
    run, says = make(entry, folder)
    limit = param(
        float(seconds), "time limit for one page, in seconds", low=0.0, high=LONGEST_SECONDS
    )
    version = _version(entry.get("version", ""), folder)
    return Method(
        key=key,
        name=entry.get("name") or key,
        params=params_class("DeclaredParams", [("seconds", float, limit)]),
        output="extraction",
        cite=entry.get("cite") or "your own",
        on_source=None if reads_site else run,
        on_site=run if reads_site else None,
        summary=entry.get("summary") or f"What {says} gives.",
        version=version or says,
    )


def _version(version: object, folder: Path) -> str:
    """Return a version: a text, or the first line that a command prints."""
    if isinstance(version, str):
        return version
    if not (
        isinstance(version, list) and version and all(isinstance(w, str) and w for w in version)
    ):
        raise InputError(
            f'version is {version!r}; expected a text, or words as in ["tool", "--version"]'
        )
    try:
        printed = run_command([str(_at_home(version[0])), *version[1:]], b"", SECONDS, folder)
    except PageletError as error:
        raise InputError(f"version: {error}") from None
    first = printed.decode("utf-8", "replace").strip().partition("\n")[0].strip()
    if not first:
        raise InputError(f"version: {shlex.join(version)} prints nothing")
    return first[:200]


def _command(entry: Mapping[str, Any], folder: Path) -> tuple[Callable[..., Any], str]:
    words = entry.get("run")
    if isinstance(words, str):
        words = _split(words)
    if not (isinstance(words, list) and words and all(isinstance(w, str) and w for w in words)):
        raise InputError('run is missing; expected words as in ["my-extractor", "--text"]')
    words = [str(_at_home(words[0])) if words[0].startswith("~") else words[0], *words[1:]]
    serves = entry.get("serve", False)
    if not isinstance(serves, bool):
        raise InputError(f"serve must be true or false, got {serves!r}")
    if serves and entry.get("site"):
        raise InputError("serve and site cannot both be true: leave out one")
    door = commands.run_on_site if entry.get("site") else commands.run
    if serves:
        door = commands.serve
    run = partial(door, tuple(words), folder, entry.get("answer", "text"))
    return run, f"the command {shlex.join(words)}"


def _at_home(path: str) -> Path:
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise InputError(f"{path} is in the home folder of an unknown user") from None


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise InputError(f"run is {line!r}: {error}") from None


def _proxy(entry: Mapping[str, Any], _folder: Path) -> tuple[Callable[..., Any], str]:
    address = entry.get("address")
    if not isinstance(address, str):
        raise InputError('address is missing; expected one as in "127.0.0.1:4001"')
    try:
        parts = urlsplit(address if "//" in address else f"//{address}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not _HOST.fullmatch(host) or not port or parts.scheme not in ("", "http"):
        raise InputError(f'address is {address!r}; expected one as in "127.0.0.1:4001"')
    own_port, token = entry.get("port", 0), entry.get("token", "")
    if isinstance(own_port, bool) or not isinstance(own_port, int) or not 0 <= own_port < 65536:
        raise InputError(f"port must be a number up to 65535, got {own_port!r}")
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise InputError(f"token must be letters, digits, - and _, got {token!r}")
    if not entry.get("site"):
        if own_port or token:
            raise InputError("port and token are of a proxy that reads the site: add site = true")
        return partial(proxies.run, host, port, entry.get("answer")), f"the proxy at {host}:{port}"
    run = partial(proxies.run_on_site, host, port, entry.get("answer"), own_port, token)
    return run, f"the proxy at {host}:{port}"


_METHOD_KINDS: dict[str, tuple[Callable[..., tuple[Callable[..., Any], str]], tuple[str, ...]]] = {
    "command": (_command, ("run", "serve")),
    "proxy": (_proxy, ("address", "port", "token")),
}
