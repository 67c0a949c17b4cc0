"""Which Pagelet this is."""

from importlib.metadata import PackageNotFoundError, version


def pagelet_version() -> str:
    """Return Pagelet's version; "not installed" where it runs from its folder only."""
    try:
        return version("pagelet")
    except PackageNotFoundError:
        return "not installed"
