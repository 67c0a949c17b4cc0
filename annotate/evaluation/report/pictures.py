"""Pictures for a report, and excerpts of text where a run needs none.

The caller passes the function that draws pictures.  A picture costs a browser and seconds; if a run
needed no rendering to be scored, its longest errors show as much in some milliseconds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from algorithms.core.batch import Setup
from algorithms.core.mapping import map_text
from algorithms.explain.differences import ErrorKind, TextError, text_errors
from algorithms.results import Extraction
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import Key
from engine.errors import InputError, PageletError
from engine.page import Page
from engine.source import Source

PictureKey = tuple[Key, str]
"""A page, and the label of the setup."""


@dataclass(frozen=True)
class PictureRequest:
    """A picture to draw; it travels to the process that draws it.

    Attributes:
        key: The page.
        label: The label of the setup.
        files: Locations of page and gold.
        setup: Method, parameters and form of the page.
        says: Short text for the head of the picture, such as the score.
        why_not: Why the method has no result; it is not run again then (it might hang), and the
            picture shows gold alone.
    """

    key: Key
    label: str
    files: PageFiles
    setup: Setup
    says: str
    why_not: str

    @property
    def picture_key(self) -> PictureKey:
        return self.key, self.label


@dataclass
class Pictures:
    """Outcome of drawing: the path of each picture, or why there is none."""

    files: dict[PictureKey, Path] = field(default_factory=dict)
    problems: dict[PictureKey, str] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Number of pictures that are done, drawn or not."""
        return len(self.files) + len(self.problems)


class Draw(Protocol):
    """Draws pictures for a report; `gui.pictures.drawers.draw_pictures` does."""

    def __call__(
        self,
        requests: Sequence[PictureRequest],
        folder: Path,
        jobs: int,
        *,
        no_sandbox: bool = False,
        on_progress: Callable[[int], bool] = lambda _: True,
    ) -> Pictures:
        """Draw the requested pictures into a folder, in ``jobs`` processes."""


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
    return Excerpt(_errors_of(errors, ErrorKind.MISSING), _errors_of(errors, ErrorKind.SUPERFLUOUS))


def _refuse() -> Page:
    raise InputError("this gold is known on the rendered page only")


def _errors_of(errors: tuple[TextError, ...], kind: ErrorKind) -> ErrorText | None:
    mine = [error for error in errors if error.kind is kind]
    if not mine:
        return None
    text = " ".join(max(mine, key=lambda error: error.words).text.split())
    longest = f"{text[: _LONGEST - 1]}…" if len(text) > _LONGEST else text
    return ErrorText(sum(error.words for error in mine), longest)
