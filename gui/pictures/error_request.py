"""Request for a picture of a page with errors, and its answer."""

from dataclasses import dataclass

from algorithms.core.batch import Setup
from annotate.datasets.case_files import PageFiles


@dataclass(frozen=True)
class ErrorRequest:
    """A picture to draw; it travels to the process that draws it.

    Attributes:
        version: Digests of page and gold; a page of the same version is rendered once.  With an
            empty text in it the page is rendered each time.
        files: Locations of page and gold.
        setup: The method with its settings.
        size: Width of the picture and its height at most, px.
    """

    version: tuple[str, ...]
    files: PageFiles
    setup: Setup
    size: tuple[int, int]


@dataclass(frozen=True)
class ErrorPicture:
    """A drawn picture.

    Attributes:
        data: A JPEG file; empty if there is none.
        words: What is wrong on the page, in words; or why there is no picture, as a sentence.
        top: Height of the first error in the picture, px.
    """

    data: bytes
    words: str
    top: int = 0
