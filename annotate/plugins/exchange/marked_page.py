"""Common data of all exchange formats: a page and its marks."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from unicodedata import normalize
from urllib.parse import quote

from algorithms.levels import LEVELS
from annotate.marks.anchor import Anchors
from annotate.marks.gold import MAIN, Gold, Mark
from annotate.marks.guideline import GuidelineRef
from annotate.marks.records import MarkRecord
from engine import geometry
from engine.bounded_file import atomic_write
from engine.document import Document
from engine.page import Page

_UNSAFE = re.compile(r"[^\w.-]+")
_ABSOLUTE = re.compile(r"[/\\]|[A-Za-z]:[/\\]|file:|pagelet:")


@dataclass(frozen=True, eq=False)
class MarkedPage:
    """A rendered page with its marks.

    Attributes:
        name: Its name, such as ``news/index.html``.
        document: Its document.
        page: Rendered.
        gold: The marks.
        guideline: The guideline they were made by; None if unknown.
        versions: Id of a mark → the version of it that the mark follows, where they are known.
    """

    name: str
    document: Document
    page: Page
    gold: Gold
    guideline: GuidelineRef | None = None
    versions: Mapping[str, GuidelineRef] = field(default_factory=dict)

    @property
    def stem(self) -> str:
        """A file's name made of the page's, without an ending."""
        name = re.sub(r"\.x?html?(\.gz|\.orig)?$", "", self.name, flags=re.IGNORECASE)
        return _UNSAFE.sub("-", normalize("NFC", name)).strip("-.") or "page"

    @property
    def identifier(self) -> str:
        """Identifier of the page for other tools: its web address, else its name as a reference.

        Its path on this machine is private, and useless elsewhere.
        """
        if self.document.is_live:
            return self.page.url
        name = re.split(r"[/\\]", self.name)[-1] if _ABSOLUTE.match(self.name) else self.name
        return self.document.home or quote(name, errors="surrogateescape")

    def without_drafts(self) -> "MarkedPage":
        """The page with its gold alone."""
        return replace(self, gold=self.gold.sure)

    @property
    def text(self) -> str:
        """The main content as text; "" where none is marked."""
        result = self.gold.as_results(self.page).text
        return "" if result is None else result.text

    def records(self) -> list[MarkRecord]:
        """The marks in stored form: paths, positions and quotes of each target."""
        return Anchors(self.page.rendered()).records(self.gold)

    def box(self, mark: Mark) -> tuple[float, float, float, float] | None:
        """Return x, y, width, height of a mark in px; None for one without a place or area."""
        box = geometry.box_of(self.page.rendered(), (target.row for target in mark.targets))
        return box if box[2] > 0 else None


def blocks_of(marked: MarkedPage) -> Iterable[tuple[Mark, tuple[float, float, float, float]]]:
    """Yield the blocks that have a box, level 1 first, in document order."""
    for level in LEVELS:
        for mark in marked.gold.of_level(level):
            box = marked.box(mark)
            if box is not None:
                yield mark, box


def write_file(path: Path, data: bytes) -> Path:
    """Write a file, and its folder; return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write_bytes(data)
    return path


def write_json(path: Path, content: object) -> Path:
    """Write a file of JSON; return its path."""
    return write_file(
        path, json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
    )


def label_of(mark: Mark) -> str:
    """Return what other tools are to call a mark: its type, else its level."""
    return "Main content" if mark.level == MAIN else mark.type or f"Level {mark.level}"
