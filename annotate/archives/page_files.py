"""What the readers of data sets share: files as documents, as text and as JSON.

A page of a data set is cheap to make and to send to another process: it knows where its bytes and
its gold are and reads them when asked.  All that is read here raises `InputError` in one sentence.
"""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar
from unicodedata import normalize

from engine import bounded_file
from engine.document import Content, Document, local_url
from engine.encoding import decode
from engine.errors import InputError, convert_os_error
from engine.fetch import MAX_BYTES, Received, limit_size, read_file
from engine.source import Source
from engine.xhtml import is_xml_name

PAGE_SUFFIXES = (".html.gz", ".htm.gz", ".html", ".htm", ".xhtml")
"""How the names of pages end."""

PART_ENDINGS = (
    "_files", ".files", "-dateien", "_fichiers", "_archivos", "_bestanden", "_file", "-filer",
    "_tiedostot", "_pliki", "_soubory", "_elemei", "_ficheiros", "_arquivos", "_dosyalar",
    "_datoteke", "_fitxers", "_failid", "_fails", "_bylos", "_fajlovi", "_fitxategiak",
)  # fmt: skip
"""How the folder beside a page saved *complete* ends, in the languages of browsers and Windows."""

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True)
class FileContent:
    """Bytes of a file, unpacked if it is a ``.gz``; ``charset`` wins over what a page declares."""

    path: Path
    charset: str = ""

    def receive(self) -> Received:
        """Return the bytes; raises `InputError`."""
        return Received(read_file(self.path), self.charset, is_xml=is_xml_name(self.path.name))


def page_document(
    name: str, content: Content, *, address: str, charset: str = "", home: str = ""
) -> Document:
    """Return a document without resources; nothing is read yet.

    Args:
        name: The page's name in its data set.
        content: Gives the page as methods are to see it.
        address: Its location, for messages; unique in the data set.
        charset: An encoding known to win over what the page declares.
        home: Its original web address; "" if unknown.
    """
    return Document(
        address=address,
        url=local_url("page.html"),
        content=content,
        charset=charset,
        title=name,
        home=home,
    )


def file_document(name: str, path: Path, *, charset: str = "", home: str = "") -> Document:
    """Return a file as a document, unpacked if its name ends in ``.gz``; nothing is read yet."""
    content = FileContent(path, charset)
    return page_document(name, content, address=str(path), charset=charset, home=home)


@dataclass(frozen=True)
class PageWithGold(ABC):
    """A page and its gold, each in a file.

    Attributes:
        name: The page's id, with its part of the data set before it.
        page, gold: The files.
        home: Its web address; "" if unknown.
    """

    name: str
    page: Path
    gold: Path
    home: str = ""
    charset: ClassVar[str] = ""

    def document(self) -> Document:
        """Return the page; nothing is read yet."""
        return file_document(self.name, self.page, charset=self.charset, home=self.home)

    @abstractmethod
    def text(self) -> str | None:
        """Return the gold, None if the file has none; raises `InputError` if it cannot be read."""


def read_text(path: Path, declared: str = "") -> str:
    """Return a text file, line ends as ``\\n``.

    It is UTF-8, with or without a byte order mark, or UTF-16 with one; else the declared encoding,
    else windows-1252; invalid bytes become U+FFFD.
    """
    return text_of(read_file(path), declared)


def text_of(data: bytes, declared: str = "") -> str:
    """Return the text of bytes as `read_text` does."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = decode(data, declared).text
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: Path) -> Any:  # noqa: ANN401
    """Return the content of a JSON file."""
    try:
        return json.loads(text_of(read_file(path)))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not JSON: {error}") from None


def html_text(html: str) -> str:
    """Return the text of HTML, tags dropped, a line break where a block-level element has one."""
    return Source.from_text(html).text


def pages_in(folder: Path, *, deep: bool = False) -> Iterator[Path]:
    """Yield the pages of a folder in order of their names, numbers as numbers."""
    for path in sorted(folder.rglob("*") if deep else folder.glob("*"), key=in_order):
        if path.name.lower().endswith(PAGE_SUFFIXES) and path.is_file():
            yield path


def holds_parts(folder: Path) -> bool:
    """Return whether a folder holds the parts of the page beside it: ``x_files`` and ``x.html``.

    Pages in it are frames, however deep, and none of their own.
    """
    name = folder.name
    ending = next((each for each in PART_ENDINGS if name.lower().endswith(each)), "")
    stem = name[: len(name) - len(ending)]
    return bool(ending and stem) and find_page(folder.parent, stem) is not None


def is_part(folder: Path, name: str) -> bool:
    """Return whether a file below a folder is part of a saved page; ``name`` is its path there."""
    steps = name.split("/")[:-1]
    ends = (number for number, each in enumerate(steps, 1) if each.lower().endswith(PART_ENDINGS))
    return any(holds_parts(folder.joinpath(*steps[:number])) for number in ends)


def base_name(path: Path) -> str:
    """Return the name of a page's file without the suffix of pages."""
    low = path.name.lower()
    suffix = next((each for each in PAGE_SUFFIXES if low.endswith(each)), path.suffix)
    return path.name[: len(path.name) - len(suffix)]


def find_page(folder: Path, base: str) -> Path | None:
    """Return the page of a name in a folder, None if there is none."""
    return next(
        (path for suffix in PAGE_SUFFIXES if (path := folder / f"{base}{suffix}").is_file()), None
    )


def pair_files(
    folder: Path,
    pages: Iterable[Path],
    golds: Iterable[Path],
    gold_of: Callable[[Path], Path | None],
    problems: list[str],
) -> Iterator[tuple[Path, Path]]:
    """Yield pages with their gold's files; ``problems`` gets a sentence for each without the other.

    ``gold_of`` may return a file that does not exist; ``golds`` are all below ``folder``.
    """
    used: set[Path] = set()
    pairs = [(page, gold_of(page)) for page in pages]
    golds, named = set(golds), {gold for _, gold in pairs}
    # macOS stores letters and accents apart: the same name, if no other page has just that.
    composed = {normalize("NFC", str(each)): each for each in golds if each not in named}
    for page, gold in pairs:
        if gold is not None and not gold.is_file():
            gold = composed.get(normalize("NFC", str(gold)))
        if gold is not None and gold.is_file():
            used.add(gold)
            yield page, gold
        else:
            problems.append(f"{page.relative_to(folder).as_posix()} has no gold text")
    for gold in sorted(golds - used, key=in_order):
        problems.append(f"{gold.relative_to(folder).as_posix()} has no page")


def in_order(path: Path) -> list[tuple[int, str]]:
    """Return a key by which 2 comes before 10."""
    parts = _DIGITS.split(path.as_posix())
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def lines_of(path: Path) -> Iterator[tuple[int, int, bytes]]:
    """Yield ``(offset, length, bytes)`` of each line of a file that is not blank."""
    with convert_os_error(f"read {path}"), bounded_file.open_bounded(path) as file:
        offset = 0
        while line := file.readline(MAX_BYTES + 1):
            limit_size(line, f"a line of {path}")
            if line.strip():
                yield offset, len(line), line
            offset += len(line)


def read_line(path: Path, offset: int, length: int) -> dict[str, Any]:
    """Return the JSON object in one line of a file."""
    with convert_os_error(f"read {path}"), bounded_file.open_bounded(path) as file:
        file.seek(offset)
        line = limit_size(file.read(length), f"a line of {path}")
    return object_of(line, f"the line at byte {offset} of {path}")


def object_of(line: bytes, where: str) -> dict[str, Any]:
    """Return the JSON object in bytes; ``where`` names their source in messages."""
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise InputError(f"{where} is not a JSON object")
    return value


def texts_in(value: object) -> tuple[str, ...]:
    """Return the strings of a JSON list, except blank ones."""
    if not isinstance(value, list):
        return ()
    return tuple(each for each in value if isinstance(each, str) and each.strip())
