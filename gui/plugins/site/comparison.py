"""Process that compares pages: reads their bytes once, then computes overviews."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from algorithms.plugins.site.overview import Overview, overview
from algorithms.templates.site import Site, text_pages, texts
from engine.document import Document
from engine.errors import PageletError
from engine.processes.worker_process import Handler, Send
from engine.source import Source


@dataclass(frozen=True)
class PagesRead:
    """Number of pages read, and a sentence for each that could not be read."""

    count: int
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Compare:
    """Request to compare pages with a distance; None for the same pages as before."""

    key: str
    documents: tuple[Document, ...] | None = None


@dataclass(frozen=True)
class CountRequest:
    """Request to count the pages on which each text of a page occurs."""

    page: int
    members: tuple[int, ...]


@dataclass(frozen=True)
class Occurrences:
    """Number of pages of a cluster, the page itself included, by text of the page."""

    page: int
    pages: int
    counts: dict[str, int]


_SAY_EVERY = 10


@contextmanager
def comparison_worker(send: Send) -> Iterator[Handler]:
    """Answer `Compare` and `CountRequest`; `PagesRead` is sent meanwhile."""
    sources: list[Source] = []

    def answer(order: Compare | CountRequest) -> Overview | Occurrences:
        nonlocal sources
        if isinstance(order, CountRequest):
            return _counted(sources, order)
        if order.documents is not None:
            sources = _read(order.documents, send)
        return overview(sources, order.key)

    yield answer


def _read(documents: Sequence[Document], send: Send) -> list[Source]:
    """Read pages; an unreadable one is empty, so that the others keep their indices."""
    sources, problems = [], []
    for document in documents:
        try:
            if document.is_live:
                raise PageletError(f"{document.name} is on the web: save it to compare it")
            received = document.receive()
            sources.append(Source.of(received))
        except PageletError as error:
            sources.append(Source.from_text(""))
            problems.append(str(error))
        if len(sources) % _SAY_EVERY == 0:
            send(PagesRead(len(sources)))
    send(PagesRead(len(sources), tuple(problems)))
    return sources


def _counted(sources: Sequence[Source], order: CountRequest) -> Occurrences:
    members = sorted({*order.members, order.page})
    site = Site.of([("", sources[page]) for page in members], members.index(order.page))
    known = text_pages(site)
    own = {text for text in texts(site.source) if text}
    return Occurrences(order.page, len(members), {text: known.get(text, 1) for text in own})
