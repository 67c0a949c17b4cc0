"""Versions of a method file: its state before it was saved, with the files it imports."""

import hashlib
import shutil
from collections.abc import Sequence
from pathlib import Path

from engine.page_cache import default_folder

MOST = 40
"""So many copies stay; older ones are deleted."""


def folder() -> Path:
    return default_folder().with_name("method-versions")


def copy_of(path: Path, imports: Sequence[Path] = ()) -> Path:
    """Copy a file to a folder named after its path and content; return the copy's path.

    Args:
        path: The file.
        imports: Files of its folder, or below, that it imports: they are copied, too.
    """
    files = {each: each.read_bytes() for each in (path, *imports) if each.is_file()}
    digest = hashlib.blake2b(str(path).encode(), digest_size=8)
    for each, data in files.items():
        digest.update(str(each).encode() + b"\0" + data)
    result = folder() / digest.hexdigest()
    for each, data in files.items():
        target = result / each.relative_to(path.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.is_file() or target.read_bytes() != data:
            target.write_bytes(data)
    result.touch()
    _delete_old()
    return result / path.name


def _delete_old() -> None:
    known = sorted(folder().iterdir(), key=lambda each: -each.stat().st_mtime)
    for each in known[MOST:]:
        shutil.rmtree(each, ignore_errors=True)
