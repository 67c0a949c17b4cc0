"""Process that audits gold: reads a page, and renders it if its gold consists of marks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from annotate.datasets.case_files import PageFiles
from annotate.marks.gold import MAIN
from annotate.plugins.audit.auditing import AuditedPart, ReadPage, gold_texts, read_page
from annotate.plugins.audit.block_auditing import (
    TypedBlocks,
    marks_against,
    read_blocks,
    typed_blocks,
)
from engine.errors import PageletError
from engine.processes.worker_process import Handler, Send
from engine.tree import Longs
from engine.web.worker_browser import LateBrowser


@dataclass(frozen=True)
class AuditOrder:
    """Request to read a page: its key, its location and that of its gold."""

    page: str
    files: PageFiles


@dataclass(frozen=True)
class AuditAnswer:
    """Audit result of a page.

    Attributes:
        page: Its key.
        parts: Contradicted parts; None if it has no gold.
        typed: Its typed blocks; other pages show whether the types are right.
        shared: The page as read if other annotators marked it; all pages together give their
            weights.
        trouble: Why it could not be read; "" if it was.
        sketch: Fingerprint that finds its passages in the gold of other pages.
    """

    page: str
    parts: tuple[AuditedPart, ...] | None
    trouble: str = ""
    typed: TypedBlocks | None = None
    shared: ReadPage | None = None
    sketch: Longs | None = None


@contextmanager
def audit_worker(_: Send) -> Iterator[Handler]:
    """Answer an `AuditOrder` with an `AuditAnswer`."""
    with LateBrowser() as browser:

        def audit(order: AuditOrder) -> AuditAnswer:
            parts: list[AuditedPart] = []
            troubles = []
            typed = shared = sketch = None
            has_gold = False
            try:
                gold = gold_texts(order.files, browser)
                if gold is not None:
                    has_gold = True
                    read = read_page("", order.page, gold)
                    parts += read.parts
                    sketch, shared = read.sketch, read if read.others else None
            except PageletError as error:
                troubles.append(str(error))
            try:
                is_marked = any(level != MAIN for level, _ in order.files.marked())
                # A page without blocks is not rendered.
                blocks = read_blocks("", order.page, order.files, browser) if is_marked else None
                if blocks is not None:
                    has_gold = True
                    parts += marks_against(blocks)
                    typed = typed_blocks(blocks)
            except PageletError as error:
                troubles.append(str(error))
            found, trouble = tuple(parts) if has_gold else None, next(iter(troubles), "")
            return AuditAnswer(order.page, found, trouble, typed, shared, sketch)

        yield audit
