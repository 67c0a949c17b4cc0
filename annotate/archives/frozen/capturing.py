"""Freezes a page into a file, restores it in a fresh process, and adds the result."""

import os
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from annotate.archives.frozen import package
from annotate.archives.frozen.certificate import Certificate
from annotate.archives.frozen.verifying import verify
from engine.errors import InputError


def write_verified(frozen: Any, out: Path, engine: str) -> Certificate:  # noqa: ANN401  a Frozen, Qt
    """Write the file of a frozen page, with its certificate, and return the certificate.

    ``out`` is there once it is whole; whatever happens before, an older file stays as it was.

    Raises:
        InputError: It cannot be written there.
    """
    members = package.members_of(frozen, engine, datetime.now(UTC))
    return certified(members, out)


def certified(members: Mapping[str, bytes], out: Path) -> Certificate:
    """Verify what these members make, and write it with the certificate; raises `InputError`."""
    out = out.absolute()
    check_writable(out)
    with tempfile.TemporaryDirectory(prefix="pagelet-") as folder:
        trial = Path(folder) / f"page{package.SUFFIX}"
        package.write(trial, members, None)
        certificate = verify(trial)
    package.write(out, members, certificate)
    return certificate


def check_writable(out: Path) -> None:
    """Raise `InputError` before any work if nothing can be written there."""
    folder = out.parent
    if not folder.is_dir():
        raise InputError(f"cannot write {out}: there is no folder {folder}")
    if out.is_dir():
        raise InputError(f"cannot write {out}: it is a folder")
    if not os.access(folder, os.W_OK):
        raise InputError(f"cannot write {out}: the folder is read-only")
