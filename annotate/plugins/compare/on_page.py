"""Where on a rendered page stands what one version has of its text, and the other has not."""

from algorithms.core.mapping import map_text
from algorithms.explain.differences import ErrorKind
from algorithms.explain.page_errors import PageError, errors_of
from algorithms.results import Extraction
from annotate.plugins.compare.compare import PageChange
from engine.page import Page
from engine.source import Source


def parts_on(page: Page, change: PageChange) -> tuple[PageError, ...]:
    """Return the text lost (`ErrorKind.MISSING`) and gained, in the order of the page.

    Some seconds on a page of a hundred thousand words.
    """
    source = page.original or page.source("dom")
    before, after = (_extraction(source, run.text or "") for run in change.page.runs.values())
    return errors_of(page, after, before)


def largest(parts: tuple[PageError, ...]) -> tuple[PageError, ...]:
    """Return the largest part that was lost and that was gained, of those the page shows."""
    kinds = (ErrorKind.MISSING, ErrorKind.SUPERFLUOUS)
    each = ([part for part in parts if part.kind is kind and part.ranges] for kind in kinds)
    return tuple(max(those, key=lambda part: part.amount) for those in each if those)


def _extraction(source: Source, text: str) -> Extraction:
    mapped = map_text(source, text)
    return Extraction(source, mapped.spans, given=text, unmapped=mapped.unmapped)
