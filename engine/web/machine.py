"""Requirements of Chromium, checked before it starts: without them it dies silently."""

import os
import shutil
import sys
from pathlib import Path

from engine.errors import InputError

LEAST_FILES, USUAL_FILES = 96, 1024
"""Open files without which no page renders (measured: some 60 for a small one), and for most."""

_LEAST_BYTES = 64 * 2**20
_SHARED = Path("/dev/shm")
_WITHOUT_SHARED = "--disable-dev-shm-usage"


def check_open_files() -> None:
    """Raise the limit of open files where it is low; raises `InputError` where it cannot be."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= USUAL_FILES:
        return
    most = USUAL_FILES if hard == resource.RLIM_INFINITY else min(hard, USUAL_FILES)
    if most < LEAST_FILES:
        raise InputError(
            f"rendering a page takes {LEAST_FILES} open files and the limit is {hard}: "
            f"raise it with ulimit -n {USUAL_FILES}"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def shared_memory_flags() -> tuple[str, ...]:
    """Return the switches that have Chromium's processes share memory through files elsewhere.

    In a container `/dev/shm` may be missing, or have some kilobytes.
    """
    if not sys.platform.startswith("linux"):
        return ()
    try:
        is_enough = os.access(_SHARED, os.W_OK) and shutil.disk_usage(_SHARED).free >= _LEAST_BYTES
    except OSError:
        is_enough = False
    return () if is_enough else (_WITHOUT_SHARED,)
