"""The process that compares pages: reads their bytes once, works out one overview after another."""

from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import connection

from algorithms.templates.overview import Overview, overview
from algorithms.templates.recurrence import text_pages, texts
from algorithms.templates.site import Site
from engine.document import Document
from engine.errors import PageletError
from engine.processes.child import settle_in
from engine.source import Source
from engine.web.serving import answer_orders


@dataclass(frozen=True)
class Read:
    """How many pages were read, and those that could not be, each with a sentence."""

    count: int
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Compare:
    """Compare these pages with this distance; the same pages as before where they are None."""

    key: str
    documents: tuple[Document, ...] | None = None


@dataclass(frozen=True)
class Count:
    """Say on how many of some pages each of the page's texts stands."""

    page: int
    members: tuple[int, ...]


@dataclass(frozen=True)
class Occurrences:
    """Texts of a page → on how many pages of its cluster they stand, itself included."""

    page: int
    pages: int
    counts: dict[str, int]


SiteOrder = Compare | Count
SiteAnswer = Read | Overview | Occurrences

_SAY_EVERY = 10


def serve(pipe: "connection.Connection[SiteAnswer, SiteOrder]") -> None:
    """Answer orders until the pipe closes; the body of a process."""
    settle_in(pipe)
    sources: list[Source] = []

    def answer(order: SiteOrder) -> SiteAnswer:
        nonlocal sources
        if isinstance(order, Count):
            return _counted(sources, order)
        if order.documents is not None:
            sources = _read(order.documents, pipe)
        return overview(sources, order.key)

    answer_orders(pipe, answer)


def _read(
    documents: Sequence[Document], pipe: "connection.Connection[SiteAnswer, SiteOrder]"
) -> list[Source]:
    """Read pages; one that cannot be read is empty, so that the others keep their places."""
    sources, problems = [], []
    for document in documents:
        try:
            if document.is_live:
                raise PageletError(f"{document.name} is on the web: save it to compare it")
            received = document.receive()
            sources.append(Source.from_bytes(received.data, received.charset))
        except PageletError as error:
            sources.append(Source.from_text(""))
            problems.append(str(error))
        if len(sources) % _SAY_EVERY == 0:
            pipe.send(Read(len(sources)))
    pipe.send(Read(len(sources), tuple(problems)))
    return sources


def _counted(sources: Sequence[Source], order: Count) -> Occurrences:
    members = sorted({*order.members, order.page})
    site = Site.of([("", sources[page]) for page in members], members.index(order.page))
    known = text_pages(site)
    own = {text for text in texts(site.source) if text}
    return Occurrences(order.page, len(members), {text: known.get(text, 1) for text in own})
