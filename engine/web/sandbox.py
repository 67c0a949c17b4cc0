"""Whether Chromium's sandbox can run here; checked without Qt, which may be missing."""

import ctypes
import os
import sys
from pathlib import Path

_CLONE_NEWUSER = 0x10000000


def sandbox_problem() -> str:
    """Return why Chromium's sandbox cannot run here, "" if it can."""
    if not sys.platform.startswith("linux"):
        return ""
    if os.geteuid() == 0:
        return "it cannot run as root"
    # Ubuntu 23.10 and later: a program without a profile gets user namespaces without rights.
    restricted = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    try:
        if restricted.read_text().strip() == "1":
            return "AppArmor forbids user namespaces"
    except OSError:
        pass
    return "" if _can_make_namespace() else "the system forbids user namespaces"


def _can_make_namespace() -> bool:
    child = os.fork()
    if child == 0:  # only system calls from here: the parent may have threads
        failed = ctypes.CDLL(None).unshare(_CLONE_NEWUSER) != 0
        os._exit(int(failed))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
