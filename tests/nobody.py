"""Acting as a user who may not write everywhere, also if tests run as root."""

import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def as_nobody():
    """Act as a user without all permissions; modules must have been imported before."""
    if not hasattr(os, "setresuid") or os.geteuid() != 0:
        yield
        return
    os.setresuid(65534, 65534, 0)  # the real user as well: `os.access` asks about that one
    try:
        yield
    finally:
        os.setresuid(0, 0, 0)


@pytest.fixture
def open_folder():
    """Return a folder that any user may enter, unlike those of pytest."""
    folder = Path(tempfile.mkdtemp(prefix="pagelet-test-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)
