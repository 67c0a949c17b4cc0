"""Which pages are others than they were when they were scored: in their document or their gold."""

from collections.abc import Iterable

from algorithms.core.batch import RunStatus
from annotate.datasets.case_files import PageFiles
from annotate.evaluation.page_work import gold_digest, page_digest
from annotate.evaluation.rows import ResultRow


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
