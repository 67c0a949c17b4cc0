"""Whether Chromium's sandbox can run here, and does; checked without Qt, which may be missing."""

import ctypes
import os
import sys
from pathlib import Path

_CLONE_NEWUSER = 0x10000000
_CLONE_NEWNET = 0x40000000

_FILTERED = "2"
"""``Seccomp`` in ``/proc/PID/status``: system calls go through a filter; 0 is none."""


def sandbox_problem() -> str:
    """Return why Chromium's sandbox cannot run here, "" if it can."""
    if not sys.platform.startswith("linux"):
        return ""
    if os.geteuid() == 0:
        return "it cannot run as root"
    if _can_make_namespace():
        return ""
    # Ubuntu 23.10 and later: a program without a profile gets user namespaces without rights.
    restricted = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    try:
        if restricted.read_text().strip() == "1":
            return "AppArmor forbids user namespaces"
    except OSError:
        pass
    return "the system forbids user namespaces"


def sandbox_loss(process_id: int) -> str:
    """Return what a process of pages lacks of Chromium's sandbox, "" if it lacks nothing.

    The kernel is asked, not Chromium's switches: a process of pages that is shut in sees processes
    of its own only, and its system calls are filtered (man proc_pid_status: NSpid, Seccomp).  It
    must have run a page: both come before the first one.  "" too where Linux is not the system.
    """
    if not sys.platform.startswith("linux") or process_id <= 0:
        return ""
    own, asked = _status("self"), _status(str(process_id))
    if not asked:  # it has ended
        return ""
    missing = []
    if len(asked["NSpid"].split()) <= len(own["NSpid"].split()):
        missing.append("is in no namespace of its own")
    if asked["Seccomp"] != _FILTERED:
        missing.append("calls the system without a filter")
    return " and ".join(missing)


def _status(process: str) -> dict[str, str]:
    try:
        lines = Path("/proc", process, "status").read_text("utf-8").splitlines()
    except OSError:
        return {}
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _can_make_namespace() -> bool:
    """Return whether a user namespace can be made, and with rights in it, which AppArmor takes."""
    child = os.fork()
    if child == 0:  # only system calls from here: the parent may have threads
        unshare = ctypes.CDLL(None).unshare
        os._exit(int(unshare(_CLONE_NEWUSER) != 0 or unshare(_CLONE_NEWNET) != 0))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
