"""Pictures for a report, and their outcome; the caller passes the function that draws them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from algorithms.core.batch import Setup
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import Key

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
    """Outcome of drawing.

    Attributes:
        files: Path of each picture.
        problems: Reasons for missing pictures.
    """

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
