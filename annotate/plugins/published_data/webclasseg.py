"""WebClasSeg-25: pages saved as MHTML, their segments given by the elements annotated.

Format: formats.md#webclasseg-25.

Source: J. Gerber et al., "WebClasSeg-25: A Dual-Classified Webpage Segmentation Dataset", SIGIR
2025.  Every element of a page carries a number, the attribute ``hyu``; a segment is an element's
number with a ``tagType``.  ``annotations.json`` lists what each annotator made of each page; its
evaluation code has a folder for each page instead.  Either way a page and one annotator are a case.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from algorithms.core.attempt import BlockGold
from algorithms.results import Block, Segmentation
from annotate.archives.page_files import in_order, read_json
from annotate.datasets.case_files import PageFiles, Render
from annotate.datasets.cases import BLOCKS
from annotate.datasets.readers import Pages, Reader
from annotate.datasets.saved_pages import read_saved
from annotate.marks.gold import Gold, Mark, Target, new_id
from engine.bounded_file import Stamp, stamp_of
from engine.document import Document, plain_document
from engine.errors import InputError
from engine.page import Page

RELEASE = "annotations.json"
EVALUATION = ("annotations_FC.json", "annotations.json")
"""Files with segments by function: of the release, and of a page's folder."""

KEYS = ("annotation_fc", "annotation")
"""Where an entry of the release has segments by function: since version 1.2, and before."""

VIEWPORT = (2560, 1440)
"""Screenshots are 2560 px wide."""


@dataclass(frozen=True)
class ClassSegPage(PageFiles):
    """A page as one annotator segmented it.

    Attributes:
        name: ``PAGE_ANNOTATOR``.
        page: Its MHTML, or the HTML of its DOM.
        file: Where its segments are.
        annotator: Whose they are; "" in the release, whose entry has `name` as its id.
        topic: What sort of institution the page is of; "" if unknown.
    """

    name: str
    page: Path
    file: Path
    annotator: str = ""
    topic: str = ""

    def document(self) -> Document:
        """Return the page as it was saved, in the width it was annotated in."""
        is_html = self.page.suffix == ".html"
        saved = plain_document(self.page) if is_html else read_saved(self.page).documents[0]
        return replace(saved, viewport=VIEWPORT, scripts=False, title=self.name)

    def page_type(self) -> str:
        return self.topic

    def marks(self, page: Page) -> Gold:
        blocks = self._located(page)[0].blocks
        return Gold(tuple(Mark(new_id(), 1, (Target(b.rows[0]),), b.type) for b in blocks))

    def blocks(self, render: Render) -> BlockGold:
        blocks = self._located(render())[0]
        return BlockGold(blocks.texts(), blocks)

    def problems(self, render: Render) -> tuple[str, ...]:
        """Segments whose element is not on the page, and those that repeat another."""
        return self._located(render())[1]

    def marked(self) -> frozenset[tuple[int, str]]:
        """All blocks are of level 1."""
        return frozenset((1, kind) for kind, _ in self._segments())

    def gold_bytes(self) -> bytes:
        return repr(self._segments()).encode()

    def _located(self, page: Page) -> tuple[Segmentation, tuple[str, ...]]:
        nodes, problems = page.rendered(), []
        rows = {own["hyu"]: row for row, own in enumerate(nodes.attributes) if "hyu" in own}
        found: dict[int, str] = {}
        for kind, number in self._segments():
            row = rows.get(number)
            if row is None:
                problems.append(f"{kind} is left out: no element has the number {number}")
            elif row in found:
                problems.append(f"{kind} is left out: it is the same element as {found[row]}")
            else:
                found[row] = kind
        blocks = tuple(Block((row,), 1, kind) for row, kind in sorted(found.items()))
        return Segmentation(nodes, blocks), tuple(problems)

    def _segments(self) -> list[tuple[str, str]]:
        """Return type and number of each segment; `InputError` if they cannot be read."""
        content = _content(self.file, stamp_of(self.file))
        listed: Any = None
        if self.annotator and isinstance(content, dict):
            listed = content["nodes"].get(self.annotator)
        elif isinstance(content, list):
            entries = (each for each in content if each.get("id") == self.name)
            values = (each.get(key) for each in entries for key in KEYS)
            listed = next((value for value in values if isinstance(value, list)), None)
        if not isinstance(listed, list) or not all(isinstance(each, dict) for each in listed):
            raise InputError(f"{self.file} has no segments of {self.name}")
        return [(str(each.get("tagType", "")), str(each.get("hyuIndex", ""))) for each in listed]


@lru_cache(maxsize=2)
def _content(path: Path, _stamp: Stamp) -> Any:  # noqa: ANN401
    return read_json(path)


def _entries(path: Path) -> list[dict[str, Any]]:
    """Return the entries of a release's file; none if it is another file."""
    try:
        content = _content(path, stamp_of(path)) if path.is_file() else None
    except InputError:
        return []
    entries = content if isinstance(content, list) else []
    is_ours = all(isinstance(each, dict) and "screenshot_file" in each for each in entries)
    return entries if is_ours else []


def _annotators(folder: Path) -> tuple[Path, list[str]]:
    """Return the file of a page's folder, and the annotators in it; none if it is no such page."""
    file = next((folder / name for name in EVALUATION if (folder / name).is_file()), folder)
    try:
        content = _content(file, stamp_of(file)) if file.is_file() else None
    except InputError:
        content = None
    nodes = content.get("nodes") if isinstance(content, dict) else None
    return file, list(nodes) if isinstance(nodes, dict) else []


def _folders(path: Path) -> Iterator[Path]:
    yield from (path, *sorted(path.iterdir(), key=in_order)) if path.is_dir() else ()


def matches(path: Path) -> bool:
    """Return whether a folder is the release, a page of the evaluation, or a folder of such."""
    if path.is_dir() and _entries(path / RELEASE):
        return True
    return any((each / "dom.html").is_file() and _annotators(each)[1] for each in _folders(path))


def _pages(path: Path, problems: list[str], _variants: object) -> Pages:
    result: list[tuple[str, dict[str, PageFiles]]] = []
    known: set[str] = set()
    for entry in _entries(path / RELEASE):
        name = str(entry.get("id") or "")
        if not name or name in known:
            twice = f"{RELEASE} has {name} twice; the first is read"
            problems.append(twice if name else f"{RELEASE}: an entry has no id")
            continue
        known.add(name)
        base = name.partition("_")[0]
        files = (path / f"{below}{base}.mhtml" for below in ("mhtml/", ""))
        page = next(filter(Path.is_file, files), None)
        if page is None:
            problems.append(f"{RELEASE} names {name}, which has no page")
        else:
            topic = str(entry.get("topic") or "")
            result.append((name, {"": ClassSegPage(name, page, path / RELEASE, topic=topic)}))
    for folder in () if result or problems else _folders(path):
        if (folder / "dom.html").is_file():
            file, every = _annotators(folder)
            for each in every:
                name = f"{folder.name}_{each}"
                result.append((name, {"": ClassSegPage(name, folder / "dom.html", file, each)}))
    return result


READER = Reader(
    "WebClasSeg-25", "a folder with annotations.json and mhtml (PAGE.mhtml)",
    frozenset({BLOCKS}), matches, _pages, is_around=False,
)  # fmt: skip
