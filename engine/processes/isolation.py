"""Isolation of programs of others: no network, no sockets, an empty home folder but for their own.

Linux namespaces do it, of users, networks and mounts (man unshare), which need no rights where the
system does not forbid them.  A network of its own ends sockets without a file, and an empty folder
in the stead of ``/run`` and ``/tmp`` those with one, as of a container service or an SSH agent.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_KEPT = 3
"""Most folders that stay; a file descriptor for each, as an empty folder hides their paths."""

_SCRIPT = """
exec 7<"$1" 8<"$2" 9<"$3"
for hidden in "$4" "$5" "$6" "$7"; do mkdir -p "$hidden"; mount -t tmpfs none "$hidden"; done
mkdir -p "$1" "$2" "$3"
mount --no-canonicalize --rbind /proc/self/fd/7 "$1"
mount --no-canonicalize --rbind /proc/self/fd/8 "$2"
mount --no-canonicalize --rbind /proc/self/fd/9 "$3"
exec 7<&- 8<&- 9<&-
cd "$1"
shift 7
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
"""
# Without rights in its namespace the program cannot take the empty folders away again.

_SWITCHES = {
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
    "kernel/unprivileged_userns_clone": ("0", "1"),
    "user/max_user_namespaces": ("0", "15000"),
}
"""Settings of the kernel: the value that forbids user namespaces, and one that allows them."""


def hidden_folders() -> tuple[Path, ...]:
    """Return the four folders that are empty for isolated programs, outer ones first.

    The user's home is that of the environment, and that of the system's list of users.
    """
    homes = [Path.home(), Path.home()]
    with suppress(ImportError, KeyError):
        import pwd  # not on Windows

        named = Path(pwd.getpwuid(os.getuid()).pw_dir)
        homes[1] = named if named.is_dir() and named != Path("/") else homes[0]
    return tuple(sorted((*homes, Path("/run"), Path("/tmp")), key=lambda path: len(path.parts)))


def isolated(words: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Return a command that runs another one, in the first folder, without network and home.

    Args:
        words: The command.
        folders: What stays of `hidden_folders`, one to three folders.
    """
    kept = [*map(str, folders), *[str(folders[0])] * _KEPT][:_KEPT]
    hidden = map(str, hidden_folders())
    namespaces = ["unshare", "--map-root-user", "--net", "--mount"]
    return [*namespaces, "sh", "-ec", _SCRIPT, "sh", *kept, *hidden, *words]


def isolation_problem() -> str:
    """Return why programs cannot be isolated here, "" if they can; some 50 ms."""
    if not sys.platform.startswith("linux"):
        return "only Linux can"
    missing = [each for each in ("unshare", "mount", "setpriv") if shutil.which(each) is None]
    if missing:
        return f"{missing[0]} is not installed (util-linux)"
    if Path.home() == Path("/"):
        return "the home folder is the whole disk"
    words = isolated(["true"], [Path("/usr")])
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    said = f" ({lines[-1]})" if lines else ""
    return f"the system forbids user namespaces{said}: {_remedy()}"


def _remedy() -> str:
    """Return what lets user namespaces be made, by what the kernel has switched off."""
    for name, (off, on) in _SWITCHES.items():
        with suppress(OSError):
            if Path("/proc/sys", name).read_text().strip() == off:
                return f"an administrator allows them by: sysctl -w {name.replace('/', '.')}={on}"
    return "in a container allow unshare and mount in its seccomp profile"
