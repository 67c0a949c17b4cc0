"""Which code that files name the user has let run.

A workspace may name a method file, and a gate's baseline a function: both come from anybody, so
neither makes code run.  The user is asked once for a folder and the code named in it; the answer is
kept in Pagelet's settings, where no data set reaches it.  Trust is in what the files hold: the file
that is named and those of its folder that it imports, found without running them
(`modulefinder`); one that is loaded by a computed name is not found.
"""

import json
import os
from difflib import unified_diff
from hashlib import sha256
from modulefinder import ModuleFinder
from pathlib import Path

from algorithms.own.settings import settings_folder
from engine.bounded_file import atomic_write, read_bytes
from engine.words import in_one_line, plural

FILE = "trusted.json"
KEPT = "trusted"
"""Folder of the files as they were let run, by their SHA-256: to tell what has changed."""

_MOST_BYTES = 10_000_000
_MOST_LINES = 20_000
"""Of a file whose changed lines are counted: the time grows with their square."""

_Version = dict[str, str]
"""File, from the folder of the one that is named → SHA-256."""


def is_trusted(folder: Path, code: str) -> bool:
    """Whether the user has let this code, as it is now, run for the files of a folder."""
    versions = _stored().get(_place(folder), {}).get(code, [])
    return bool(versions) and _digests(_texts(folder, code)) in versions


def change_of(folder: Path, code: str) -> str:
    """Return which files differ from the code that was let run last, with counts of lines.

    "" for code that was never let run for the folder, or is as it was.
    """
    versions, texts = _stored().get(_place(folder), {}).get(code, []), _texts(folder, code)
    now = _digests(texts)
    if not versions or now in versions:
        return ""
    before = versions[-1]
    names = sorted(name for name in before | now if before.get(name) != now.get(name))
    return ", ".join(_change(name, before.get(name), texts.get(name)) for name in names)


def trust(folder: Path, code: str) -> None:
    """Allow code to run for the files of a folder from now on; raises `InputError` or `OSError`."""
    stored, texts = _stored(), _texts(folder, code)
    now = _digests(texts)
    known = stored.setdefault(_place(folder), {}).setdefault(code, [])
    if known[-1:] == [now]:
        return
    known[:] = [*(each for each in known if each != now), now]
    kept = settings_folder() / KEPT
    kept.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        with atomic_write(kept / now[name]) as beside:
            beside.write_bytes(text)
    with atomic_write(settings_folder() / FILE) as beside:
        beside.write_text(json.dumps(stored, indent=1, ensure_ascii=True), encoding="utf-8")


def _place(folder: Path) -> str:
    return str(folder.resolve())


def _digests(texts: dict[str, bytes]) -> _Version:
    return {name: sha256(text).hexdigest() for name, text in texts.items()}


def _texts(folder: Path, code: str) -> dict[str, bytes]:
    """Return the files that code runs from: name from the folder of the first → content."""
    main = _main_file(folder, code)
    if main is None:
        return {}
    texts = {}
    for path in (main, *_imported(main)):
        try:
            texts[path.relative_to(main.parent).as_posix()] = read_bytes(path, _MOST_BYTES)
        except (OSError, ValueError):
            texts[path.name] = os.urandom(16)  # unread, and so never known as it was
    return texts


def _main_file(folder: Path, code: str) -> Path | None:
    """Return the file of the folder that code names: FILE, FILE@REVISION, MODULE:FUNCTION."""
    for word in (code, *code.split()):
        name = word.partition("@")[0]
        module = name.partition(":")[0].replace(".", "/")
        for each in (word, name, f"{module}.py", f"{module}/__init__.py"):
            try:
                if each and (folder / each).is_file():
                    return folder / each
            except (OSError, ValueError):
                continue
    return None


def _imported(main: Path) -> list[Path]:
    """Return the files of the folder that a file imports, itself or by others, unrun."""
    finder = ModuleFinder([str(main.parent)])
    try:
        if main.suffix == ".py" and len(read_bytes(main, _MOST_BYTES)):
            finder.run_script(str(main))
    except Exception:  # noqa: BLE001  (whatever a compiler says of code that cannot run)
        pass  # those found until then
    files = [getattr(each, "__file__", None) for each in finder.modules.values()]
    found = {Path(each) for each in files if each}
    return sorted(each for each in found if each != main and each.is_relative_to(main.parent))


def _change(name: str, before: str | None, now: bytes | None) -> str:
    shown = in_one_line(name)
    if before is None:
        return f"{shown} is new"
    if now is None:
        return f"{shown} is gone"
    try:
        old = read_bytes(settings_folder() / KEPT / before, _MOST_BYTES).splitlines()
    except (OSError, ValueError):
        return f"{shown} has other content"
    new = now.splitlines()
    if len(old) + len(new) > _MOST_LINES:
        return f"{shown} has other content"
    lines = unified_diff([*map(str, old)], [*map(str, new)], n=0, lineterm="")
    signs = [line[:1] for line in lines][2:]
    added, removed = signs.count("+"), signs.count("-")
    return f"{shown}: {plural(added, 'line')} added, {removed:,} removed"


def _stored() -> dict[str, dict[str, list[_Version]]]:
    """Return folder → code → versions let run; empty, to ask again, where it cannot be read."""
    try:
        read = json.loads(read_bytes(settings_folder() / FILE, _MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    folders = read.items() if isinstance(read, dict) else ()
    return {
        folder: {
            code: [each for each in versions if _is_version(each)]
            for code, versions in codes.items()
            if isinstance(versions, list)
        }
        for folder, codes in folders
        if isinstance(codes, dict)
    }


def _is_version(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(each, str) and len(each) == 64 and each.isalnum() for each in value.values()
    )
