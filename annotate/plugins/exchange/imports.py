"""Marks of other tools brought onto pages: in the text, or from boxes on pictures of them."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product, takewhile
from pathlib import Path
from unicodedata import normalize
from urllib.parse import unquote

from annotate.datasets.looking.inspection import look_into
from annotate.marks.anchor import Anchors
from annotate.marks.gold import Gold, Mark, MarkState, new_id
from annotate.plugins.exchange import annotations, box_readers, label_studio, span_readers, via
from annotate.plugins.exchange.drawn_boxes import marks_at, picture_stems
from annotate.plugins.exchange.file_marks import FileMarks, place_mark
from annotate.plugins.exchange.marked_page import MarkedPage
from engine.account import DAMAGE, Account
from engine.document import Document
from engine.errors import InputError
from engine.page import Page
from engine.words import join_words, shorten

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
"""Why a mark is passed over whose place has one of its level and type."""


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
        if key == "webannotation":
            _join_addresses(self._file)
        self.account = replace(self._file.account, taken=0)

    @property
    def names(self) -> Sequence[str]:
        """The pages of the file, as it calls them."""
        file = self._file
        return tuple(dict.fromkeys((*file.texts, *file.boxes, *file.aliases)))

    def name_of(self, name: str, document: Document) -> str | None:
        """Return what a page is called in the file; None if the file has no such page."""
        ranks = self._ranks(name, document)
        return min(ranks, key=lambda result: ranks[result], default=None)

    def named(self, own: Mapping[Document, str]) -> tuple[dict[Document, str], dict[str, str]]:
        """Return the names of pages in the file, by their names in a list; also the unclear ones.

        A name is that of the one page it fits best: marks are never put on two.  Those that fit
        several alike come with the reason.
        """
        result: dict[Document, str] = {}
        unclear: dict[str, str] = {}
        claims: dict[str, list[tuple[tuple[int, ...], Document]]] = {}
        for document, name in own.items():
            ranks = self._ranks(name, document)
            if ranks:
                called = min(ranks, key=lambda each: ranks[each])
                claims.setdefault(called, []).append((ranks[called], document))
        for called, claimed in claims.items():
            best = min(rank for rank, _ in claimed)
            first, *more = [document for rank, document in claimed if rank == best]
            if more:
                few = join_words([own[each] for each in (first, *more)][:3])
                unclear[called] = f"several pages fit its name: {few}"
            else:
                result[first] = called
        return result, unclear

    def _ranks(self, name: str, document: Document) -> dict[str, tuple[int, ...]]:
        """Return the names in the file that fit a page, with how well: the least fits best.

        As it is written, then as an address, then composed as another system composes letters;
        then by the name of the picture or page without folders, with most folders in common.
        """
        marked = MarkedPage(name, document, Page(document.address), Gold())
        known = {document.address, document.home, document.url, name, marked.identifier} - {""}
        names = {result: (result, *self._file.aliases.get(result, ())) for result in self.names}
        result: dict[str, tuple[int, ...]] = {}
        for rank, same in enumerate(_FORMS):
            addresses = set(map(same, known))
            for each, also in names.items():
                if addresses.intersection(map(same, also)):
                    result.setdefault(each, (rank,))
        if self._key == "webannotation":  # elsewhere a page of the same name may be another
            names = {each: also for each, also in names.items() if each.startswith("file:")}
        own = (marked.stem, *picture_stems(name)[:1])
        for rank, (form, position) in enumerate(product(_FORMS[::2], (0, 1)), start=3):
            stems = set(map(form, own))
            for each, also in names.items():
                several = {form(x) for other in also for x in picture_stems(other)[position:][:1]}
                if stems & several:
                    result.setdefault(each, (rank, -max(_common(name, other) for other in also)))
        return result

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
                mark = place_mark(anchors, each)
                marks.append(mark)
                if mark.state is MarkState.LOST:
                    quote = f'"{shorten(mark.quote, 60)}"' if mark.quote else ""
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


def _composed(name: str) -> str:
    """Return a name or address as most systems have it; macOS keeps letters and accents apart."""
    return normalize("NFC", unquote(_address(name)))


def _join_addresses(file: FileMarks) -> None:
    """Give the marks of one page that a file calls by several addresses one name."""
    first: dict[str, str] = {}
    for name in list(file.texts):
        known = first.setdefault(_address(name), name)
        if known != name:
            file.texts[known] += file.texts.pop(name)
            file.aliases[known] = (*file.aliases.get(known, ()), name)


def _common(one: str, other: str) -> int:
    """Return how many of the folders next to two files are called alike."""
    folders = (re.split(r"[/\\]", _composed(each))[-2::-1] for each in (one, other))
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(*folders, strict=False))))


def _address(name: str) -> str:
    """Return an address without what leads to the same page: scheme, fragment, last slash.

    A fragment that begins with a slash or ``!`` is a page of an application.
    """
    return re.sub(r"^https?://|(?<!^)#(?![/!]).*$|/$", "", name) if "://" in name else name


_FORMS: tuple[Callable[[str], str], ...] = (str, _address, _composed)
"""What is compared of names: likeliest first."""

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
            if recognise_format(path) != key:
                raise InputError(f"a file that is not of {NAMES[key]}")
            result.add(READERS[key](path))
        except (InputError, *DAMAGE) as error:
            result.account.pass_over(str(error), path.name)
    return result


def account_of(path: Path, key: str) -> Account:
    """Return the account of a file before its marks are placed; raises `InputError`."""
    file = MarkFile(path, key)
    result = replace(file.account)
    result.take(sum(map(file.count, file.names)))
    return result


def missing_pages(file: MarkFile, found: Collection[str], where: str) -> Account:
    """Return the account of marks on pages of a file that are not among those opened."""
    account = Account("mark")
    for name in file.names:
        if name not in found:
            account.pass_over(f"its page is not in {where}", name, file.count(name))
    return account


def fresh_marks(result: Imported, gold: Gold) -> tuple[Mark, ...]:
    """Return the marks with a place that a page does not have there, those to be stored.

    A mark is known by its place, level and type: ids of other tools are not unique, and one that
    the page has already is replaced.  Of marks of a file that are to be confirmed, those of other
    words at one place are others.  The account counts the rest separately.
    """
    ids = {mark.id for mark in gold.marks}
    there = {(mark.level, mark.type, mark.targets) for mark in gold.marks}
    own: set[tuple[object, ...]] = set()
    fresh = []
    for mark in result.gold.marks:
        if mark.state is MarkState.LOST:
            continue
        is_moved = mark.state is MarkState.MOVED
        place = (mark.level, mark.type, mark.targets)
        same = (*place, mark.quote if is_moved else None)
        if place not in there and same not in own:
            own.add(same)
            fresh.append(replace(mark, id=new_id()) if mark.id in ids else mark)
            ids.add(mark.id)
            continue
        if is_moved:
            result.account.moved -= 1
        else:
            result.account.taken -= 1
        result.account.pass_over(KNOWN, mark.quote or mark.id)
    return tuple(fresh)


def recognise_format(path: Path) -> str | None:
    """Return the key of the format that a file or folder of marks has by its content; else None."""
    found = look_into(path, is_counted=False)
    return found.key if found.kind == "annotations" and found.key in READERS else None
