"""Atomic writing of files: beside the old one first, then in its place."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.errors import convert_os_error


@contextmanager
def atomic_write(path: Path, *, hidden: bool = False) -> Iterator[Path]:
    """Yield the path of a file beside ``path``, which replaces it once it is written.

    ``hidden`` prefixes its name with an underscore, which readers of folders of data leave out.

    Whatever is raised meanwhile, ``path`` stays as it was and nothing is left beside it; an
    `OSError` becomes an `InputError`.
    """
    before = "_" if hidden else ""
    beside = path.with_name(f"{before}{path.name}.{os.getpid()}.part")
    try:
        with convert_os_error(f"write {path}"):
            yield beside
            beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
