"""The version of this Pagelet."""

from functools import cache
from importlib import metadata


def pagelet_version() -> str:
    """Return Pagelet's version; "not installed" where it runs from its folder only."""
    try:
        return metadata.version("pagelet")
    except metadata.PackageNotFoundError:
        return "not installed"


@cache
def own_version() -> str:
    """Return Pagelet's name and version, as in files and rows."""
    version = pagelet_version()
    return f"pagelet {version}" if version[0].isdigit() else f"pagelet ({version})"
