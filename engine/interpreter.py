"""How processes are started: from the current folder nothing is imported, loaded or run.

A data set is worked on in its own folder, and somebody else filled it: a ``multiprocessing.py``
there must not come before the standard library's, nor a ``libz.so.1`` before the system's.  Python
looks there first where it is started with ``-c`` or ``-m``, unless ``-P`` forbids it; Python, the
loader and Qt do where a variable that lists folders holds an empty or a relative one, as
``PYTHONPATH=:$HOME/lib`` does.  All of Pagelet's own processes start through here; none by
`multiprocessing`, whose resource tracker is a ``-c`` without ``-P``.  The paths that the command
itself removes first are in ``pagelet_command``, which cannot import this yet.
"""

import os
import sys
from collections.abc import Iterable, Mapping, MutableMapping
from pathlib import Path

_LISTS = (
    "PYTHONPATH PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH QT_PLUGIN_PATH QT_QPA_PLATFORM_PLUGIN_PATH"
).split()
"""Variables that list folders of executable code."""

_PATHS = (
    "PYTHONHOME PYTHONPYCACHEPREFIX PYTHONUSERBASE XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME "
    "UV_CONFIG_FILE PIP_CONFIG_FILE NETRC"
).split()
"""Variables that name one folder or file of executable code, or a setting of its location."""


def python(*words: str) -> list[str]:
    """Return the command that runs this Python with these words."""
    return [sys.executable, "-P", *words]


def environment(given: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment, this process's own where None, in which no folder is relative."""
    cleaned = dict(os.environ if given is None else given)
    drop_relative_folders(cleaned)
    return cleaned


def drop_relative_folders(variables: MutableMapping[str, str]) -> None:
    """Remove empty and relative folders from all variables that list folders or name one."""
    for name in _PATHS:
        if not absolute([variables.get(name) or os.sep]):
            del variables[name]
    for name in [each for each in _LISTS if each in variables]:
        if folders := absolute(variables[name].split(os.pathsep)):
            variables[name] = os.pathsep.join(folders)
        else:
            del variables[name]


def absolute(folders: Iterable[str]) -> list[str]:
    """Return the folders that are the same wherever a process is; "" is the current one."""
    return [each for each in folders if Path(each).is_absolute()]


def has_display() -> bool:
    """Return whether a window can be opened; Qt's own choice of platform counts as a yes."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, names))
