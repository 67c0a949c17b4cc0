"""Isolation of programs of others: no network, and an empty home folder but for what they need.

Linux namespaces do it, of users, networks and mounts (man unshare), which need no rights where the
system does not forbid them.
"""

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

_KEPT = 3
"""Most folders that stay; a file descriptor for each, as an empty folder hides their paths."""

_SCRIPT = """
exec 7<"$2" 8<"$3" 9<"$4"
mount -t tmpfs none "$1"
mkdir -p "$2" "$3" "$4"
mount --no-canonicalize --rbind /proc/self/fd/7 "$2"
mount --no-canonicalize --rbind /proc/self/fd/8 "$3"
mount --no-canonicalize --rbind /proc/self/fd/9 "$4"
exec 7<&- 8<&- 9<&-
cd "$2"
shift 4
exec setpriv --no-new-privs --bounding-set=-all --inh-caps=-all "$@"
"""
# Without rights in its namespace the program cannot take the empty folder away again.


def isolated(words: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Return a command that runs another one, in the first folder, without network and home.

    Args:
        words: The command.
        folders: What stays of the home folder, one to three folders.
    """
    kept = [*map(str, folders), *[str(folders[0])] * _KEPT][:_KEPT]
    namespaces = ["unshare", "--map-root-user", "--net", "--mount"]
    return [*namespaces, "sh", "-ec", _SCRIPT, "sh", str(Path.home()), *kept, *words]


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
    return "" if done.returncode == 0 else "the system forbids user namespaces"
