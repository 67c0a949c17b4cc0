"""Which Pagelet this is."""

from functools import cache
from importlib import metadata


@cache
def own_version() -> str:
    """Return Pagelet's name and version, as in files and rows."""
    try:
        return f"pagelet {metadata.version('pagelet')}"
    except metadata.PackageNotFoundError:
        return "pagelet (not installed)"
