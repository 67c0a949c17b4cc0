"""Webis-WebSeg-20: pages with recorded boxes, a screenshot and drawn segments.

Format: formats.md#webis-webseg-20.

Source: J. Kiesel et al., "Web Page Segmentation Revisited: Evaluation Framework and Dataset", CIKM
2020.  A folder a page, named with six digits.  Its ``dom.html`` is rendered for its nodes (scripts
off, nothing fetched) and then gets the recorded boxes, since segments and edge masks are drawn on
the screenshot.  Computed styles stay those of the rendering, and that is in quirks mode: published
DOMs have no doctype.

Segments become blocks: the nodes they hold (`annotate.plugins.published_data.webis_shapes`),
level 1, no type. A page's own files take precedence: a side file of Pagelet's (``FILE.meta.json``)
has level, type and nodes of each segment; the extended variant of 2025 has ``tagType`` and, through
the attribute ``hyu`` of each element, the nodes that were annotated.

Departures of Pagelet's B-cubed from the published one, on these pages as on all: a node is in a
block if it stands below one of the block's nodes (the published code: if its box lies in the
segment without sticking out anywhere), and overlapping or nested blocks are compared as they are,
pairs counted as often as they share a block (the published tables first cut hierarchical results
into all intersections of their segments).  Compare one level to have them flat.  Characters are
counted in the DOM's texts, white space collapsed, and not read from ``nodes-texts.csv``.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.core.attempt import BlockGold
from algorithms.levels import Level
from algorithms.results import Block, Segmentation
from annotate.datasets.case_files import PageFiles, Render
from annotate.datasets.cases import BLOCKS, distinct
from annotate.datasets.readers import Reader
from annotate.marks.gold import Gold, Mark, Target, new_id
from annotate.plugins.published_data import webis_nodes, webis_shapes
from engine import bounded_file
from engine.document import Document, local_url
from engine.edge_masks import NAMES, Pixels
from engine.errors import InputError, convert_os_error
from engine.fetch import Received, read_file
from engine.nodes import NodeTable
from engine.page import Page
from engine.tree import Bools, Doubles

WIDTH = 1366
"""Width of every published screenshot, px."""

MAX_SIDE = 20_000
"""The longest side a screenshot is believed to have, px; published ones are up to 16384 high."""

TRUTHS = ("ground-truth.json", "ground_truth.json")
TRUTH_NAMES = ("majority-vote", "ground_truth")
"""Where a page's gold is: the first of these files, the first of these segmentations in it."""

META = ".meta.json"
META_FORMAT, META_VERSION = "pagelet-webis-meta", 1

_ID = re.compile(r"\d{6}")


@dataclass(frozen=True)
class WebisGold:
    """Segments as found on a page.

    Attributes:
        segmentation: The blocks.
        problems: A sentence for each segment without a block, or with one that differs from its
            file.
    """

    segmentation: Segmentation
    problems: tuple[str, ...]


@dataclass(frozen=True)
class WebisPage(PageFiles):
    """Folder of a page; its gold are segments of the recorded layout."""

    folder: Path

    @property
    def name(self) -> str:
        """The page's id: six digits."""
        return self.folder.name

    def document(self) -> Document:
        """Return its DOM as a document.

        It has no folder with resources, so only its bytes count.
        They are in the encoding the page had, UTF-8 where they can be.
        """
        return Document(
            address=str(self.folder / "dom.html"),
            url=local_url("dom.html"),
            content=self,
            scripts=False,
            title=self.name,
        )

    def receive(self) -> Received:
        """Return the bytes of its DOM; raises `InputError` if they cannot be read."""
        data = read_file(self.folder / "dom.html")
        return Received(data, _charset(data))

    @property
    def has_layout(self) -> bool:
        """Whether the boxes of its nodes were recorded."""
        return (self.folder / "nodes.csv").is_file()

    def laid_out(self, page: Page) -> Page:
        """Return the rendered page with the recorded boxes; notes name those that were not found.

        Without ``nodes.csv`` it stays as it was rendered.  `InputError` if that cannot be read.
        """
        if not self.has_layout:
            note = f"{self.name} has no nodes.csv: boxes are those of this rendering"
            return replace(page, notes=(*page.notes, note))
        nodes = page.rendered()
        recorded = webis_nodes.read_recorded(self.folder)
        rows = webis_nodes.align(nodes, recorded)
        notes = list(recorded.problems)
        lost = int((rows < 0).sum())
        if lost:
            notes.append(
                f"{lost:,} of {len(rows):,} recorded nodes are not in dom.html and were left out"
            )
        size = self._size(recorded.boxes)
        placed = webis_nodes.with_boxes(nodes, rows, recorded.boxes, size)
        return replace(page, nodes=placed, notes=(*page.notes, *notes))

    def gold(self, page: Page, file: str = "", name: str = "") -> WebisGold:
        """Return a segmentation of this page as blocks.

        Args:
            page: Result of `laid_out`.
            file: Its file's name, such as ``annotations.json``; the gold if "".
            name: Its name in the file; the gold's, or the only one, if "".

        Raises `InputError` if there is no such file or segmentation, or it is none.
        """
        path = self._file(file)
        content = self._read(path)
        result = _segmentations(content, path)
        name = name or next((known for known in TRUTH_NAMES if known in result), "")
        if not name and len(result) == 1:
            (name,) = result
        if name not in result:
            there = ", ".join(result) or "none"
            raise InputError(
                f"{path} has no segmentation {name or 'of its own'}; choose from {there}"
            )
        segments = result[name]
        annotated = content.get("nodes")
        listed = annotated.get(name) if isinstance(annotated, dict) else None
        if not segments and isinstance(listed, list):
            segments = [{"tagType": _kind(each)} for each in listed]  # nodes and no shapes
        about = _same_length(_meta(path).get(name), segments)
        reader = _SegmentReader(page.rendered())
        for number, fields in enumerate(
            zip(segments, about, _same_length(listed, segments), strict=True), start=1
        ):
            reader.add(number, *fields)
        blocks = sorted(reader.blocks, key=lambda block: (block.rows[0], block.level))
        return WebisGold(Segmentation(page.rendered(), tuple(blocks)), tuple(reader.problems))

    def edges(self) -> Mapping[str, Bools]:
        """Return the published edge masks, or those of the screenshot; none without either.

        A rendering has another layout.
        """
        from engine.edges import edge_masks
        from engine.opencv import cv2

        result = {}
        for name in NAMES:
            path = self.folder / f"screenshot-edges-{name}.png"
            picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) if path.is_file() else None
            if picture is not None:
                result[name] = np.asarray(picture) > 127
        if len(result) < len(NAMES):
            picture = self.picture()
            if picture is not None:
                result = edge_masks(picture) | result
        return result

    def picture(self) -> Pixels | None:
        """Return the screenshot, uint8 (h, w, 3): red, green, blue; None if there is none."""
        from engine.opencv import cv2

        path = self.folder / "screenshot.png"
        result = cv2.imread(str(path), cv2.IMREAD_COLOR) if path.is_file() else None
        if result is None:
            return None
        return np.asarray(cv2.cvtColor(result, cv2.COLOR_BGR2RGB), dtype=np.uint8)

    def _size(self, boxes: Doubles) -> tuple[int, int]:
        """Return the size of the screenshot, as the gold gives it or the boxes need it."""
        for path in self._truths():
            content = self._read(path)
            sides = content.get("width"), content.get("height")
            if all(isinstance(side, int) and 0 < side <= MAX_SIDE for side in sides):
                width, height = sides
                return width, height  # type: ignore[return-value]
        bottom = int(np.ceil(boxes[:, 3].max(initial=1.0)))
        return WIDTH, min(max(bottom, 1), MAX_SIDE)

    def marks(self, page: Page) -> Gold:
        """The segments as marks on the nodes they hold."""
        blocks = _webis_gold(self, page).segmentation.blocks
        return Gold(
            tuple(
                Mark(new_id(), block.level, tuple(map(Target, block.rows)), block.type)
                for block in blocks
            )
        )

    def blocks(self, render: Render) -> BlockGold | None:
        blocks = _webis_gold(self, render()).segmentation
        return BlockGold(blocks.texts(), blocks)

    def problems(self, render: Render) -> tuple[str, ...]:
        """Segments that are empty, or inconsistent with their file."""
        return _webis_gold(self, render()).problems

    def marked(self) -> frozenset[tuple[int, str]]:
        """Blocks; their types are known once the page is rendered."""
        return frozenset({(1, "")})

    def _truths(self) -> list[Path]:
        return [self.folder / name for name in TRUTHS if (self.folder / name).is_file()]

    def gold_bytes(self) -> bytes:
        """Return the file of the gold and its side file; `InputError` if they cannot be read."""
        path = self._file("")
        beside = path.with_name(path.name + META)
        return read_file(path) + (read_file(beside) if beside.is_file() else b"")

    def _file(self, file: str) -> Path:
        if file:
            return self.folder / file
        there = self._truths()
        if not there:
            raise InputError(f"{self.folder} has no {TRUTHS[0]}, which has a page's gold")
        return there[0]

    def _read(self, path: Path) -> dict[str, Any]:
        try:
            content = json.loads(bounded_file.read_text(path))
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
        except ValueError as error:
            raise InputError(f"{path} is not a segmentation: {error}") from None
        if not isinstance(content, dict):
            raise InputError(
                f"{path} is not a segmentation: expected an object with 'segmentations'"
            )
        return content


def _charset(data: bytes) -> str:
    """Return UTF-8 where it fits, else nothing, so that what the page declares counts."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return ""
    return "utf-8"


def is_webis(path: Path) -> bool:
    """Return whether a folder is a page of this form, or has such pages."""
    return path.is_dir() and next(pages(path), None) is not None


def pages(path: Path) -> Iterator[WebisPage]:
    """Yield the pages of a folder by their ids; a page's own folder has one."""
    if _is_page(path):
        yield WebisPage(path)
        return
    with convert_os_error(f"read {path}"):
        folders = sorted(path.iterdir())
    for folder in folders:
        if _ID.fullmatch(folder.name) and _is_page(folder):
            yield WebisPage(folder)


def _is_page(folder: Path) -> bool:
    if not (folder / "dom.html").is_file():
        return False
    return any((folder / file).is_file() for file in ("nodes.csv", *TRUTHS))


class _SegmentReader:
    """Turns segments into blocks."""

    def __init__(self, nodes: NodeTable) -> None:
        self.blocks: list[Block] = []
        self.problems: list[str] = []
        self._nodes = nodes
        self._rows_by_path: dict[str, int] | None = None
        self._rows_by_number: dict[str, int] | None = None
        self._seen: dict[tuple[int, tuple[int, ...]], int] = {}

    def add(self, number: int, segment: object, about: object, node: object) -> None:
        """Add a segment, counted from 1, with values from its side file and its annotated node."""
        about = about if isinstance(about, dict) else {}
        kind = str(about.get("type") or "") or _kind(segment)
        level: Level = 2 if about.get("level") == 2 else 1
        rows = self._named(number, about.get("nodes")) or self._annotated(node, kind)
        if not rows:
            drawn = segment.get("polygon") if isinstance(segment, dict) else segment
            try:
                shape = webis_shapes.from_json(drawn)
            except (ValueError, OverflowError, TypeError) as error:
                self.problems.append(f"segment {number} is left out: {error}")
                return
            rows = webis_shapes.fit(shape, self._nodes)
        if not rows:
            self.problems.append(f"segment {number} is left out: it holds no node of the page")
            return
        same = self._seen.setdefault((level, rows), number)
        if same != number:
            self.problems.append(
                f"segment {number} is left out: it holds the same nodes as segment {same}"
            )
            return
        self.blocks.append(Block(rows, level, kind))

    def _named(self, number: int, paths: object) -> tuple[int, ...]:
        """Return the rows a side file names; empty if it names none, or one that is not there."""
        if not isinstance(paths, list) or not paths:
            return ()
        if self._rows_by_path is None:
            self._rows_by_path = webis_nodes.rows_by_path(self._nodes)
        rows = [self._rows_by_path.get(str(path), -1) for path in paths]
        if min(rows) < 0:
            self.problems.append(
                f"segment {number} was found by its shape: not all of its nodes are in dom.html"
            )
            return ()
        return tuple(sorted(set(rows)))

    def _annotated(self, node: object, kind: str) -> tuple[int, ...]:
        """Return the row of an annotated node of the variant of 2025, empty if it is not there."""
        if not isinstance(node, dict) or _kind(node) != kind:
            return ()
        if self._rows_by_number is None:
            result = enumerate(self._nodes.attributes)
            self._rows_by_number = {own["hyu"]: row for row, own in result if "hyu" in own}
        row = self._rows_by_number.get(str(node.get("hyuIndex")))
        return () if row is None else (row,)


def _kind(segment: object) -> str:
    return str(segment.get("tagType") or "") if isinstance(segment, dict) else ""


def _segmentations(content: dict[str, Any], path: Path) -> dict[str, list[Any]]:
    result = content.get("segmentations")
    if not isinstance(result, dict) or not all(isinstance(each, list) for each in result.values()):
        raise InputError(
            f"{path} is not a segmentation: expected lists of segments in 'segmentations'"
        )
    return dict(result)


def _same_length(listed: object, segments: list[Any]) -> list[Any]:
    """Return the values listed beside segments, or as many Nones if the lengths differ."""
    if isinstance(listed, list) and len(listed) == len(segments):
        return listed
    return [None] * len(segments)


def _meta(path: Path) -> dict[str, Any]:
    """Return the content of the side file, by segmentation; empty if there is none."""
    beside = path.with_name(path.name + META)
    if not beside.is_file():
        return {}
    try:
        content = json.loads(bounded_file.read_text(beside))
        result, version = content["segmentations"], content["version"]
        if (
            content["format"] != META_FORMAT
            or version > META_VERSION
            or not isinstance(result, dict)
        ):
            raise ValueError("its format is unknown")
    except OSError as error:
        raise InputError(f"{beside} cannot be read: {error.strerror or error}") from None
    except (ValueError, OverflowError, KeyError, TypeError) as error:
        raise InputError(f"{beside} does not say what the segments are: {error}") from None
    return result


@lru_cache(maxsize=1)
def _webis_gold(files: WebisPage, page: Page) -> WebisGold:
    return files.gold(page)


READER = Reader(
    "Webis-WebSeg-20", "folders named with six digits (dom.html, nodes.csv)",
    frozenset({BLOCKS}), is_webis,
    lambda path, _, __: distinct((page.name, {"": page}) for page in pages(path)),
)  # fmt: skip
