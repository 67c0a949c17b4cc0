"""Isolation of programs of others: no network, no other processes, some folders empty.

Linux namespaces do it, of users, networks, processes and mounts (man unshare), which need no rights
where the system does not forbid them.  A network of its own ends sockets without a file.  Empty
folders in the stead of `hidden_folders` end those with one that lie there, as of a container
service or an SSH agent.  All other files are as the user sees them, and so are sockets among them.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

_FIRST = 7
"""Descriptor of the first of at most three folders that stay: an empty folder hides their paths."""

_NAMESPACES = ("unshare", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child")

_TOOLS = "mkdir", "mount", "setpriv"

_TEMPORARY = "/run", "/tmp", "/var/tmp", "/dev/shm"

_SYSTEM = tuple(map(Path, "/bin /boot /dev /etc /lib /nix /gnu /proc /sbin /sys /usr".split()))
"""Folders of the system: the home of a daemon may be one, and is not hidden then."""

_SWITCHES = {
    "kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
    "kernel/unprivileged_userns_clone": ("0", "1"),
    "user/max_user_namespaces": ("0", "15000"),
}
"""Settings of the kernel: the value that forbids user namespaces, and one that allows them."""


def hidden_folders() -> tuple[Path, ...]:
    """Return the folders that are empty for isolated programs, outer ones first, links resolved.

    The user's home is that of the environment, and that of the system's list of users.  What is
    absent, or a folder of the system, is left out.
    """
    homes = [Path.home()]
    with suppress(ImportError, KeyError):
        import pwd  # not on Windows

        homes.append(Path(pwd.getpwuid(os.getuid()).pw_dir))
    found = {home.resolve() for home in homes if not _is_of_system(home)}
    found |= {Path(each).resolve() for each in _TEMPORARY}
    return tuple(sorted(filter(Path.is_dir, found), key=lambda path: (len(path.parts), path)))


def _is_of_system(home: Path) -> bool:
    home = home.resolve()
    systems = {each.resolve() for each in _SYSTEM}
    return any(home.is_relative_to(each) or each.is_relative_to(home) for each in systems)


def isolated(words: Sequence[str], folders: Sequence[Path]) -> list[str]:
    """Return a command that runs another one, in the first folder, without network and home.

    Args:
        words: The command.
        folders: What stays of `hidden_folders`, one to three folders.
    """
    mkdir, mount, setpriv = map(quote, map(_seen_tool, _TOOLS))
    kept = {at: quote(str(folder)) for at, folder in enumerate(folders, _FIRST)}
    steps = [f"exec {at}<{path}" for at, path in kept.items()]
    for path in map(quote, map(str, hidden_folders())):  # mkdir: one may be in another, now empty
        steps += [f"{mkdir} -p {path}", f"{mount} -t tmpfs none {path}"]
    for at, path in kept.items():
        steps += [
            f"{mkdir} -p {path}",
            f"{mount} --no-canonicalize --rbind /proc/self/fd/{at} {path}",
            f"exec {at}<&-",
        ]
    # some containers forbid a /proc of the new namespace: processes of others are listed there
    steps += [f"{mount} -t proc proc /proc 2>/dev/null || :", f"cd {kept[_FIRST]}"]
    # without rights in its namespace the program cannot take the empty folders away again
    steps += [f'exec {setpriv} --no-new-privs --bounding-set=-all --inh-caps=-all "$@"']
    return [*_NAMESPACES, _seen_tool("sh"), "-ec", "\n".join(steps), "sh", *words]


def _seen_tool(name: str) -> str:
    """Return the path of a program, past links that are in hidden folders themselves.

    Not the end of all links: one program may go by many names.
    """
    path, hidden = Path(shutil.which(name) or name), hidden_folders()
    while path.is_absolute():
        path = path.parent.resolve() / path.name
        if not _is_hidden(path, hidden) or not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return str(path)


def _is_hidden(path: Path, hidden: Sequence[Path]) -> bool:
    return any(map(path.is_relative_to, hidden))


def isolation_problem() -> str:
    """Return why programs cannot be isolated here, "" if they can; some 50 ms."""
    if not sys.platform.startswith("linux"):
        return "only Linux can"
    missing = [each for each in ("unshare", *_TOOLS) if shutil.which(each) is None]
    if missing:
        return f"{missing[0]} is not installed (util-linux, coreutils)"
    if _is_of_system(Path.home()):
        return f"the home folder is one of the system: {Path.home()}"
    if problem := _failure([*_NAMESPACES, "true"]):
        return f"the system forbids user namespaces{problem}: {_remedy()}"
    true = _seen_tool("true")
    for tool in map(_seen_tool, (*_TOOLS, "sh")):
        if _is_hidden(Path(tool), hidden_folders()):
            return f"{tool} is in a folder that has to be hidden"
    if problem := _failure(isolated([true], [Path(true).parent])):
        return f"folders cannot be hidden{problem}"
    return ""


def _failure(words: Sequence[str]) -> str:
    """Return what a command says when it fails, in brackets after a space; "" if it does not."""
    done = subprocess.run(words, capture_output=True, check=False)
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    return f" ({lines[-1] if lines else f'status {done.returncode}'})"


def _remedy() -> str:
    """Return what lets user namespaces be made, by what the kernel has switched off."""
    for name, (off, on) in _SWITCHES.items():
        with suppress(OSError):
            if Path("/proc/sys", name).read_text().strip() == off:
                return f"an administrator allows them by: sysctl -w {name.replace('/', '.')}={on}"
    return "in a container allow unshare and mount in its seccomp profile"
