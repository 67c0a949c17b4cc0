"""Process that compares pages: reads their bytes once, then computes overviews."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from algorithms.plugins.site.overview import Overview, overview
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


_SAY_EVERY = 10


@contextmanager
def comparison_worker(send: Send) -> Iterator[Handler]:
    """Answer `Compare`; `PagesRead` is sent meanwhile."""
    sources: list[Source] = []

    def answer(order: Compare) -> Overview:
        nonlocal sources
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
            sources.append(Source.of(document.receive()))
        except PageletError as error:
            sources.append(Source.from_text(""))
            problems.append(str(error))
        if len(sources) % _SAY_EVERY == 0:
            send(PagesRead(len(sources)))
    send(PagesRead(len(sources), tuple(problems)))
    return sources
