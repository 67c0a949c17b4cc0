"""Whether a file is still the one that was read."""

from pathlib import Path

from engine.errors import InputError

Stamp = tuple[int, int]
"""When it was changed, in ns, and its bytes: what is remembered of a file goes by both."""


def stamp_of(path: Path) -> Stamp:
    """Return a file's stamp; raises `InputError` where there is none to be read."""
    try:
        stat = path.stat()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    return stat.st_mtime_ns, stat.st_size
