"""Which pages are others than they were when they were scored: in their document or their gold."""

import hashlib
from collections.abc import Iterable

from algorithms.core.batch import RunStatus
from annotate.datasets.case_files import PageFiles
from annotate.evaluation.store.rows import ResultRow
from engine.errors import PageletError


def has_changed(rows: Iterable[ResultRow], files: PageFiles) -> bool:
    """Return whether a page is to be done again; reads its document and its gold.

    Properties unknown in either have not changed; but if neither could be read, so that the page
    failed, and now both can, they have.
    """
    page = gold = ""
    has_failed = False
    for row in rows:
        page, gold = page or row.run.page_hash, gold or row.run.gold_hash
        has_failed |= row.status is RunStatus.FAILED
    if not page and not has_failed:
        return False
    now = page_digest(files), gold_digest(files)
    if not page:
        return all(now)
    return any(then and new and then != new for then, new in zip((page, gold), now, strict=True))


def page_digest(files: PageFiles) -> str:
    """Return the SHA-256 of a page's document; "" where it cannot be read, or only from the web."""
    document = files.document()
    try:
        return "" if document.is_live else hashlib.sha256(document.read()).hexdigest()
    except PageletError:
        return ""


def gold_digest(files: PageFiles) -> str:
    """Return the SHA-256 of a page's gold files; "" if they cannot be read."""
    try:
        parts = files.gold_bytes(), repr(files.snippets()).encode("utf-8", "surrogatepass")
        return hashlib.sha256(b"\0".join(parts)).hexdigest()
    except PageletError:
        return ""
