"""What a method of source lost and took too much on a page: words for a report, no picture.

A picture costs a browser and seconds; if a run needed no rendering to be scored, its longest errors
show as much in some milliseconds.
"""

from dataclasses import dataclass

from algorithms.core.batch import Setup
from algorithms.core.mapping import map_text
from algorithms.explain.differences import ErrorKind, TextError, text_errors
from algorithms.results import Extraction
from annotate.datasets.case_files import PageFiles
from engine.errors import InputError, PageletError
from engine.page import Page
from engine.source import Source

_LONGEST = 160
"""Code points that are shown of an error."""


@dataclass(frozen=True)
class ErrorText:
    """The errors of one kind on a page.

    Attributes:
        words: Number of words of all of them.
        longest: The beginning of the longest.
    """

    words: int
    longest: str


@dataclass(frozen=True)
class Excerpt:
    """Text that a run missed, and text it took wrongly; None if there is none."""

    lost: ErrorText | None
    extra: ErrorText | None


def excerpt(files: PageFiles, setup: Setup) -> Excerpt | None:
    """Run a method on a page's source and return its errors against gold text.

    None where that cannot be had without a rendering or a site, or the method fails.
    """
    if setup.input != "original" or setup.entry.reads_site:
        return None
    try:
        document = files.document()
        received = document.receive()
        page = Page(document.address, Source.of(received))
        gold = files.text(_refuse)
        result = setup.entry.run(page, setup.params, setup.input)
    except PageletError:
        return None
    if gold is None or not isinstance(result, Extraction):
        return None
    spans = map_text(result.source, gold).spans
    errors = text_errors(result, Extraction(result.source, spans))
    return Excerpt(
        _errors_of(errors, ErrorKind.MISSING),
        _errors_of(errors, ErrorKind.SUPERFLUOUS),
    )


def _refuse() -> Page:
    raise InputError("this gold is known on the rendered page only")


def _errors_of(errors: tuple[TextError, ...], kind: ErrorKind) -> ErrorText | None:
    mine = [error for error in errors if error.kind is kind]
    if not mine:
        return None
    text = " ".join(max(mine, key=lambda error: error.words).text.split())
    longest = f"{text[: _LONGEST - 1]}…" if len(text) > _LONGEST else text
    return ErrorText(sum(error.words for error in mine), longest)
