"""Methods in a file each: a researcher's Python, run in a worker as foreign code is, or a model.

A Python file holds a `Method` named ``METHOD``; a model comes from ``pagelet train``
(`model_files`).  Either is named on the command line or is in the folder ``methods`` of Pagelet's
settings; ``resources/plugins/template.py`` shows all there is.  Nothing of a Python file is ever
imported into Pagelet's own process: a worker returns the method's name and parameters, runs it, and
returns its trace and its figures.  A changed file gets a new worker; a faulty one becomes a method
that fails, with the file's line in the message.
"""

import dataclasses
import hashlib
import importlib.util
import os
import stat
import sys
import threading
import traceback
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any

from algorithms.method import Method
from algorithms.own import model_files
from algorithms.own.settings import settings_folder
from algorithms.own.transport import SECONDS, answer_to, check_method, make_caller
from algorithms.params import Params, param, params_class
from algorithms.results import Result
from engine.bounded_file import Stamp, stamp_or_none
from engine.errors import InputError, MethodError, PageletError
from engine.processes.foreign import ForeignWorker, close_worker, in_a_line, worker_for
from engine.source import Source

NAMED = "PAGELET_METHOD_FILES"
"""Files named on the command line, for the processes that Pagelet starts as well."""

FOLDER = "methods"
SUFFIXES = (".py", model_files.SUFFIX)
_KINDS = {"bool": bool, "int": int, "float": float, "str": str}


FileStamp = tuple[Stamp | None, ...]


@dataclasses.dataclass(frozen=True)
class MethodFile:
    """A file as it was read last.

    Attributes:
        path: Where it is.
        stamp: When it and what it imports from its folder were changed, and their sizes; a change
            makes it another.
        entry: Its method; one that fails where there is a problem.
        problem: What is wrong with it, in one sentence; "" if nothing.
        imports: Files of its folder that it imports.
    """

    path: Path
    stamp: FileStamp
    entry: Method
    problem: str = ""
    imports: tuple[Path, ...] = ()


_known: dict[Path, MethodFile] = {}
_unlisted: dict[Path, MethodFile] = {}
_lock = threading.Lock()
_is_read = False


def folder() -> Path:
    """Return where files are looked for; it need not be there."""
    return settings_folder() / FOLDER


def name(path: Path) -> Path:
    """Register a file by name, to be read when files are asked for next; return its full path.

    Raises `InputError` if it is missing.
    """
    global _is_read
    resolved = Path(os.path.realpath(path.expanduser()))  # which accepts circular links
    _check_is_file(resolved, path)
    named = [each for each in os.environ.get(NAMED, "").split(os.pathsep) if each]
    if str(resolved) not in named:
        os.environ[NAMED] = os.pathsep.join([*named, str(resolved)])
        _is_read = False
    return resolved


def add(path: Path) -> Method:
    """Register a file by name; return its method, `MethodError` if it has none."""
    resolved = name(path)
    refresh()
    file = _known[resolved]
    if file.problem:
        raise MethodError(file.problem)
    return file.entry


def _check_is_file(resolved: Path, path: Path) -> None:
    """Raise `InputError` with the reason where a path leads to no file."""
    try:
        if stat.S_ISREG(resolved.stat().st_mode):
            return
    except FileNotFoundError:
        raise InputError(f"there is no file {path}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path}: {getattr(error, 'strerror', error)}") from None
    raise InputError(f"cannot read {path}: it is not a file")


def is_named(path: Path) -> bool:
    """Whether the user has named a file before, as on the command line."""
    return str(path.expanduser().resolve()) in os.environ.get(NAMED, "").split(os.pathsep)


def find_named(path: Path) -> Method | None:
    """Return the method of a file that the user has named before; None of any other."""
    return add(path.expanduser().resolve()) if is_named(path) else None


def load_unlisted(path: Path) -> Method:
    """Return the method of a file without listing it; raise `MethodError` if it has none.

    A version of a file beside it has the same key.
    """
    resolved = path.expanduser().resolve()
    _check_is_file(resolved, path)
    with _lock:
        file = _known.get(resolved) or _unlisted.get(resolved)
        imports = () if file is None else file.imports
        if file is None or file.stamp != _stamp_of((resolved, *imports)):
            file = _read(resolved, None)
            (_known if resolved in _known else _unlisted)[resolved] = file
    if file.problem:
        raise MethodError(file.problem)
    return file.entry


def files() -> tuple[MethodFile, ...]:
    """Return all files, read the first time they are asked for."""
    if not _is_read:
        refresh()
    return tuple(_known.values())


def refresh() -> tuple[MethodFile, ...]:
    """Read new and changed files; return just these."""
    global _is_read
    with _lock:
        _is_read = True
        changed = []
        paths = _paths()
        for gone in _known.keys() - set(paths):
            _forget(gone)
        for path in paths:
            before = _known.get(path)
            imports = () if before is None else before.imports
            if not path.is_file():
                _forget(path)
            elif before is None or before.stamp != _stamp_of((path, *imports)):
                _known[path] = _read(path, before)
                changed.append(_known[path])
        return tuple(changed)


def _stamp_of(paths: Sequence[Path]) -> FileStamp:
    return tuple(map(stamp_or_none, paths))


def _paths() -> list[Path]:
    named = [Path(name) for name in os.environ.get(NAMED, "").split(os.pathsep) if name]
    there = [p for suffix in SUFFIXES for p in sorted(folder().glob(f"*{suffix}"))]
    dropped = [path for path in there if not path.name.startswith(("_", "."))]
    return list(dict.fromkeys([*named, *dropped]))


def _forget(path: Path) -> None:
    _known.pop(path, None)
    close_worker(__name__, str(path))


def _read(path: Path, before: MethodFile | None) -> MethodFile:
    """Return the content of a file; a new worker returns it for one in Python."""
    if path.suffix == model_files.SUFFIX:
        return _read_model(path, before)
    imports = () if before is None else before.imports
    stamp = _stamp_of((path, *imports))
    close_worker(__name__, str(path))
    worker = worker_for(__name__, str(path))
    try:
        description = worker.ask(("describe",), SECONDS)
        result = tuple(Path(each) for each in description["imports"])
        stamp = (*stamp[:1], *_stamp_of(result))
        return MethodFile(path, stamp, _entry(path, worker, description), imports=result)
    except PageletError as error:
        problem = str(error)
    except Exception as error:  # noqa: BLE001  (its metadata may be anything)
        problem = (
            f"{path.name}: what it says of its METHOD cannot be used ({in_a_line(error)[:200]})"
        )
    return MethodFile(path, stamp, _broken(path, problem, before), problem, imports)


def _read_model(path: Path, before: MethodFile | None) -> MethodFile:
    stamp = _stamp_of((path,))
    try:
        return MethodFile(path, stamp, model_files.method_of(path))
    except PageletError as error:
        return MethodFile(path, stamp, _broken(path, str(error), before), str(error))


def _broken(path: Path, problem: str, before: MethodFile | None) -> Method:
    """Return a method that fails.

    A file that breaks while it is edited stays the method it was, so that its layer stays.
    """

    def fail(_source: Source, _params: Params) -> Result:
        raise MethodError(problem)

    if before is not None:
        known = before.entry
        on_page = fail if known.on_page is not None else None
        on_source = fail if known.on_source is not None else None
        return dataclasses.replace(
            known, on_source=on_source, on_page=on_page,  # type: ignore[arg-type]
            trace_source=None, trace_page=None, figures_source=None, figures_page=None,
        )  # fmt: skip
    return Method(
        path.stem, path.stem, Params, "extraction", "your own", on_source=fail, version=path.name
    )


def _entry(path: Path, worker: ForeignWorker, description: dict[str, Any]) -> Method:
    texts: dict[str, Any] = {
        what: str(description[what]) for what in ("key", "name", "output", "summary")
    }
    calls: dict[str, Any] = {
        what: make_caller(lambda: worker, what, texts["output"]) for what in description["has"]
    }
    return Method(
        **texts,
        params=_params(description["params"]),
        cite=str(description["cite"]) or "your own",
        version=f"{path.name} {description['digest']}",
        **calls,
    )


def _params(text: list[dict[str, Any]]) -> type[Params]:
    fields = []
    for each in text:
        kind = _KINDS[each["kind"]]
        declared = param(
            kind(each["default"]), each["help"], low=each["low"], high=each["high"],
            choices=tuple(each["choices"]),
        )  # fmt: skip
        fields.append((each["name"], kind, declared))
    return params_class("FileParams", fields)


# In the worker process ---------------------------------------------------------------------

_DOES = ("on_source", "on_page", "trace_source", "trace_page", "figures_source", "figures_page")


def load(name: str) -> Callable[[tuple[Any, ...]], dict[str, Any]]:
    """Return a function that answers requests to one file, executed now."""
    path = Path(name)
    entry: Method | None = None
    problem = ""
    before = set(sys.modules)
    try:
        entry = _loaded(path)
    except BaseException as error:  # noqa: BLE001  (somebody's file may raise anything, or exit)
        problem = _in_words(error, path)

    def answer(request: tuple[Any, ...]) -> dict[str, Any]:
        what, *more = request
        if entry is None:
            raise MethodError(problem)
        try:
            if what == "describe":
                return _described(entry, path, _imports(path, before))
            return answer_to(entry, what, *more, may_be_none=True)
        except MethodError:
            raise
        except BaseException as error:  # noqa: BLE001  (as above)
            raise MethodError(_in_words(error, path)) from None

    return answer


def _loaded(path: Path) -> Method:
    spec = importlib.util.spec_from_file_location(f"pagelet_method_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise MethodError(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    sys.path.insert(0, str(path.parent))
    # Bytecode counts as fresh by size and second: a file saved twice would run as before.
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    entry = getattr(module, "METHOD", None)
    if entry is None:
        raise MethodError(f"{path.name} has no METHOD: end it with METHOD = Method(...)")
    return check_method(entry, path.name)


def _in_words(error: BaseException, path: Path) -> str:
    """Return the error with its line of the file."""
    lines = [each.lineno for each in traceback.extract_tb(error.__traceback__)
             if each.filename == str(path)]  # fmt: skip
    if isinstance(error, SyntaxError) and error.filename == str(path):
        lines.append(error.lineno)
    where = f"{path.name}, line {lines[-1]}" if lines else path.name
    text = error.msg if isinstance(error, SyntaxError) else " ".join(str(error).split())
    return f"{where}: {type(error).__name__}: {text}"


def _imports(path: Path, before: Collection[str]) -> list[Path]:
    """Return the files of its folder that a file has imported, as far as it did so by now."""
    files = [getattr(sys.modules[name], "__file__", None) for name in sys.modules.keys() - before]
    result = {Path(each) for each in files if each}
    return sorted(
        each for each in result
        if each != path and each.is_relative_to(path.parent)
        and "site-packages" not in each.relative_to(path.parent).parts
    )  # fmt: skip


def _described(entry: Method, path: Path, imports: Sequence[Path]) -> dict[str, Any]:
    defaults = entry.params.defaults()
    digest = hashlib.blake2b(digest_size=4)
    for each in (path, *imports):
        digest.update(each.read_bytes())
    return {
        "digest": digest.hexdigest(),
        "imports": [str(each) for each in imports],
        **{name: getattr(entry, name) for name in ("key", "name", "output", "cite", "summary")},
        "has": [name for name in _DOES if getattr(entry, name) is not None],
        "params": [
            {
                "name": name, "kind": type(defaults[name]).__name__, "default": defaults[name],
                "help": spec.help, "low": spec.low, "high": spec.high,
                "choices": list(spec.choices),
            }
            for name, spec in entry.params.specs().items()
        ],
    }  # fmt: skip
