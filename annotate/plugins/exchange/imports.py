"""Marks of other tools brought onto pages: in the text, or from boxes on pictures of them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from annotate.datasets.looking.inspection import look_into
from annotate.marks.anchor import Anchors
from annotate.marks.gold import Gold, Mark, MarkState
from annotate.plugins.exchange import annotations, box_readers, label_studio, span_readers, via
from annotate.plugins.exchange.drawn_boxes import marks_at, picture_stems
from annotate.plugins.exchange.file_marks import FileMarks, placed
from annotate.plugins.exchange.marked_page import MarkedPage
from engine.account import DAMAGE, Account
from engine.document import Document
from engine.errors import InputError
from engine.page import Page
from engine.words import shortened

_FORMATS: Mapping[str, tuple[str, Callable[[Path], FileMarks]]] = {
    "webannotation": ("W3C Web Annotation, Hypothesis", annotations.read),
    "coco": ("COCO (CVAT, Roboflow …)", box_readers.read_coco),
    "labelme": ("labelme", box_readers.read_labelme),
    "label-studio": ("Label Studio", label_studio.read_label_studio),
    "via": ("VGG Image Annotator (VIA)", via.read_via),
    "cvat": ("CVAT XML", box_readers.read_cvat),
    "voc": ("Pascal VOC", box_readers.read_voc),
    "yolo": ("YOLO", box_readers.read_yolo),
    "doccano": ("doccano JSONL", span_readers.read_doccano),
    "brat": ("brat", span_readers.read_brat),
    "webanno-tsv": ("INCEpTION (WebAnno TSV 3)", span_readers.read_tsv),
    "uima-xmi": ("INCEpTION (UIMA XMI)", span_readers.read_xmi),
}
READERS = {key: reader for key, (_, reader) in _FORMATS.items()}
"""Formats of marks by key."""

NAMES = {key: name for key, (name, _) in _FORMATS.items()}
"""Formats of marks as the window calls them."""

KEYS = tuple(READERS)
"""The formats that are imported onto pages; the others are opened as data sets."""

KNOWN = "there already"
"""Why a mark is passed over that an earlier import brought."""


@dataclass(frozen=True)
class Imported:
    """Result for one page.

    Attributes:
        gold: The marks that were found; those at a probable position are `MarkState.MOVED`.
        problems: A sentence for each that was not found.
        by_path, by_box: Number of boxes placed by a node's path, and by the box alone.
        account: Account of the marks of the page.
    """

    gold: Gold
    problems: tuple[str, ...]
    by_path: int
    by_box: int
    account: Account


class MarkFile:
    """File of another tool's marks, read page by page; raises `InputError` if it is invalid.

    Args:
        path: The file.
        key: Its format, one of `KEYS`.

    Attributes:
        account: Account of content that is not a mark of any page.
    """

    def __init__(self, path: Path, key: str) -> None:
        self._key = key
        try:
            is_several = path.is_dir() and key not in _FOLDERS
            self._file = _read_folder(path, key) if is_several else READERS[key](path)
        except DAMAGE as error:
            raise InputError(f"{path.name} is damaged: {type(error).__name__}: {error}") from None
        self.account = replace(self._file.account, taken=0)

    @property
    def names(self) -> Sequence[str]:
        """The pages of the file, as it calls them."""
        file = self._file
        return tuple(dict.fromkeys((*file.texts, *file.boxes, *file.aliases)))

    def name_of(self, name: str, document: Document) -> str | None:
        """Return what a page is called in the file; None if the file has no such page."""
        marked = MarkedPage(name, document, Page(document.address), Gold())
        known = {document.address, document.home, document.url, name, marked.identifier} - {""}
        names = {result: (result, *self._file.aliases.get(result, ())) for result in self.names}
        for same in (str, _address):
            addresses = set(map(same, known))
            for result, also in names.items():
                if addresses.intersection(map(same, also)):
                    return result
        if self._key == "webannotation":  # elsewhere a page of the same name may be another
            names = {result: also for result, also in names.items() if result.startswith("file:")}
        stems = {result: [picture_stems(each) for each in also] for result, also in names.items()}
        for position in (0, 1):
            for result, several in stems.items():
                if any(each[position : position + 1] == (marked.stem,) for each in several):
                    return result
        return None

    def count(self, name: str) -> int:
        """Return how many marks the file has of a page, by its name in the file."""
        return len(self._file.texts.get(name, ())) + len(self._file.boxes.get(name, ()))

    def marks(self, name: str, page: Page) -> Imported:
        """Return the marks of a page, by its name in the file, on the rendered page."""
        account = Account("mark")
        anchors = Anchors(page.rendered())
        marks: list[Mark] = []
        problems: list[str] = []
        for each in self._file.texts.get(name, ()):
            with account.item(each.id):
                mark = placed(anchors, each)
                marks.append(mark)
                if mark.state is MarkState.LOST:
                    quote = f'"{shortened(mark.quote, 60)}"' if mark.quote else ""
                    where = quote or "its selectors lead nowhere"
                    problems.append(f"not found on the page: {where}")
                    account.lose("not on the page", mark.quote or each.id)
                elif mark.state is MarkState.MOVED:
                    account.move(mark.quote or each.id)
                else:
                    account.take()
        boxes = self._file.boxes.get(name, [])
        found, unfit, by_path = marks_at(page.rendered(), boxes, page.viewport)
        account.take(len(found))
        for problem in unfit:
            account.lose("no element of the page fits its box", problem)
        gold, by_box = Gold((*marks, *found)), len(found) - by_path
        return Imported(gold, (*problems, *unfit), by_path, by_box, account)


def _address(name: str) -> str:
    """Return an address without what leads to the same page: scheme, fragment, last slash."""
    return re.sub(r"^https?://|(?<!^)#.*$|/$", "", name) if "://" in name else name


_FOLDERS = ("yolo", "brat")
"""Formats whose readers take a folder."""

_SUFFIXES = (".json", ".jsonl", ".ndjson", ".jsonld", ".csv", ".tsv", ".xml", ".xmi")


def _read_folder(folder: Path, key: str) -> FileMarks:
    """Return the marks of all files of a format below a folder; others are passed over by name."""
    result = FileMarks()
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.suffix.lower() not in _SUFFIXES:
            continue
        try:
            if recognised(path) != key:
                raise InputError(f"a file that is not of {NAMES[key]}")
            result.add(READERS[key](path))
        except (InputError, *DAMAGE) as error:
            result.account.pass_over(str(error), path.name)
    return result


def missing_pages(file: MarkFile, found: Sequence[str], where: str) -> Account:
    """Return the account of marks on pages of a file that are not among those opened."""
    account = Account("mark")
    for name in file.names:
        if name not in found:
            account.pass_over(f"its page is not in {where}", name, file.count(name))
    return account


def fresh_marks(result: Imported, gold: Gold) -> tuple[Mark, ...]:
    """Return the marks that a page does not have yet; the account counts the others separately."""
    known = {mark.id for mark in gold.marks}
    there = {(mark.level, mark.type, mark.targets) for mark in gold.marks if mark.targets}
    fresh = []
    for mark in result.gold.marks:
        own = (mark.level, mark.type, mark.targets)
        if mark.id not in known and own not in there:
            fresh.append(mark)
            there.update([own] if mark.targets else ())
            continue
        if mark.state is MarkState.LOST:
            continue
        if mark.state is MarkState.MOVED:
            result.account.moved -= 1
        else:
            result.account.taken -= 1
        result.account.pass_over(KNOWN, mark.quote or mark.id)
    return tuple(fresh)


def recognised(path: Path) -> str | None:
    """Return the key of the format that a file or folder of marks has by its content; else None."""
    found = look_into(path)
    return found.key if found.kind == "annotations" and found.key in READERS else None
