"""The folder of the user's settings, and which code that files name the user has let run.

A workspace may name a method file, and a gate's baseline a function: both come from anybody, so
neither makes code run.  The user is asked once for a folder and the code named in it; the answer is
kept in Pagelet's settings, where no data set reaches it.
"""

import json
import os
import sys
from hashlib import sha256
from pathlib import Path

from engine.bounded_file import read_bytes
from engine.whole_file import atomic_write

FILE = "trusted.json"
_MOST_BYTES = 10_000_000


def settings_folder() -> Path:
    """Return the folder of the user's settings; ``PAGELET_SETTINGS`` names another."""
    chosen = os.environ.get("PAGELET_SETTINGS")
    if chosen:
        try:
            return Path(chosen).expanduser()
        except RuntimeError:
            return Path(chosen)  # no such user: a folder with that name
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "Pagelet"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Pagelet"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "pagelet"


def is_trusted(folder: Path, code: str) -> bool:
    """Whether the user has let this code run for the files of a folder."""
    return _as_it_is(folder, code) in _stored().get(str(folder.resolve()), [])


def trust(folder: Path, code: str) -> None:
    """Allow code to run for the files of a folder from now on; raises `InputError` or `OSError`."""
    stored, code = _stored(), _as_it_is(folder, code)
    known = stored.setdefault(str(folder.resolve()), [])
    if code in known:
        return
    known.append(code)
    settings_folder().mkdir(parents=True, exist_ok=True)
    with atomic_write(settings_folder() / FILE) as beside:
        beside.write_text(json.dumps(stored, indent=1, ensure_ascii=True), encoding="utf-8")


def _as_it_is(folder: Path, code: str) -> str:
    """Return the code with a digest of its file, where it is one: other content is other code."""
    try:
        return f"{code} {sha256(read_bytes(folder / code)).hexdigest()}"
    except (OSError, ValueError):
        return code


def _stored() -> dict[str, list[str]]:
    """Return the trusted code by folder; empty, to ask again, where it cannot be read."""
    try:
        read = json.loads(read_bytes(settings_folder() / FILE, _MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(read, dict):
        return {}
    return {
        folder: [each for each in codes if isinstance(each, str)]
        for folder, codes in read.items()
        if isinstance(codes, list)
    }
