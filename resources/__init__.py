"""Files that ship with Pagelet: scripts for the page, SQL, icons, style, the sample corpus."""

from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent


@cache
def read_text(name: str) -> str:
    """Return the text of a resource, as in ``read_text("js/collect.js")``."""
    return (ROOT / name).read_text(encoding="utf-8")


def path(name: str) -> Path:
    """Return where a resource lies on disk."""
    return ROOT / name
