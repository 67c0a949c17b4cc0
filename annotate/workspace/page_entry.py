"""What a workspace knows of a page, and how far its annotator is."""

from dataclasses import dataclass
from enum import StrEnum


class PageStatus(StrEnum):
    """Status of a page for an annotator."""

    OPEN = "open"
    IN_PROGRESS = "in progress"  # from its first mark on
    DONE = "done"
    QUESTION = "question"


@dataclass(frozen=True)
class PageEntry:
    """Entry of a page in the workspace.

    Attributes:
        key: Its stable name: see `page_key`.
        url, title: As shown.
        digest: SHA-256 of the page as it was opened last, "" if never.
        viewport: Width and height in CSS px it was opened in last; (0, 0) if never.
        status: The annotator's.
        visited: Time it was opened last, UTC in ISO 8601; "" if never.
        marks: Number of its marks.
        questions: How many questions wait for an answer that are for the annotator to see: on the
            own marks, or of others on theirs; all for a reviewer.
    """

    key: str
    url: str
    title: str = ""
    digest: str = ""
    viewport: tuple[int, int] = (0, 0)
    status: PageStatus = PageStatus.OPEN
    visited: str = ""
    marks: int = 0
    questions: int = 0
