"""Lists of methods, and of the pages that come with Pagelet."""

from pathlib import Path

import resources
from algorithms.core.catalogue import available
from algorithms.method import Method


def methods() -> dict[str, Method]:
    """Return all methods by key, third-party ones that are installed included.

    >>> import pagelet
    >>> pagelet.methods()["bte"].name
    'BTE'
    """
    return {entry.key: entry for entry in available()}


def samples() -> Path:
    """Return the folder of the sample pages, which have gold."""
    return resources.path("corpus")
