"""Evaluation packages (Gottron, dissertation, Mainz 2008), a zip or unpacked: formats.md#package.

Files of a document share a base name: ``NAME.html`` (or ``htm``, ``xhtml``) the page as received,
``NAME.txt`` its main content, ``NAME.json`` (or ``properties``, ``meta``, ``xml``) what is known of
it: language, address, encoding.  ``package.json`` describes the package and gives the order; it may
be missing.  A document without ``NAME.txt`` is unannotated.  Pages in ``NAME.linked`` belong to a
document and are none themselves.

The thesis names no syntax of the metadata.  Read are a JSON object; lines ``key = value`` or ``key:
value``; an XML element with a child or an attribute for each key.  Letter case and what keys are
called may vary (``encoding``, ``charset``; ``url``, ``uri``, ``address``, ``source``).
"""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lxml import etree

from annotate.archives import magic, zip_directory
from annotate.archives.disk_names import DiskNames, OrderedNames
from annotate.archives.members import (
    BROKEN,
    NOWHERE,
    declared_size,
    is_zip,
    leaves_package,
    listed_members,
    quote_member,
    read_member,
)
from annotate.archives.page_files import in_order, text_of
from engine.document import Document, local_url
from engine.errors import InputError
from engine.fetch import Received, read_file
from engine.xhtml import is_xml_name

INDEX = "package.json"
PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
ABOUT_SUFFIXES = (".json", ".properties", ".meta", ".xml")

_LINKED = ".linked/"
_LAST = 2**62
"""The place of a page that the index does not name."""

_LINE = re.compile(r"^[ \t]*([^\s=:#!][^=:]*?)[ \t]*[=:][ \t]*(.*?)[ \t]*$", re.MULTILINE)
_NAMES = (
    ("encoding", "charset"),
    ("url", "uri", "address", "source", "original-url"),
    ("title",),
)
"""What keys of encoding, address and title are called."""


MAX_INDEX_BYTES = 16 * 2**20
"""The largest index that is read; the names of 100,000 pages take some 2 MB."""

MAX_ABOUT_BYTES = 2**20
"""The largest metadata of one page that are read."""

MAX_ABOUT_TOTAL = 256 * 2**20
"""Metadata of all pages of a package together, unpacked; what comes after is left unread."""


@dataclass(frozen=True)
class PackageMember:
    """A page in a zip.

    Attributes:
        package: The zip.
        name: The member.
        charset: Charset in the metadata; "" for none.
        at: Its position from `listed_members`.
    """

    package: Path
    name: str
    charset: str = ""
    at: int = NOWHERE

    def receive(self) -> Received:
        """Return the page's bytes; raises `InputError`."""
        data = read_member(self.package, self.name, at=self.at)
        return Received(data, self.charset, is_xml=is_xml_name(self.name))


@dataclass(frozen=True)
class PackagePage:
    """Document of a package.

    Attributes:
        name: Its base name.
        package: The zip, or the folder.
        page: The page in it, with ``/``.
        gold: The gold text in it, "" where there is none.
        charset, title, home: From its metadata; "" for nothing.
        page_at, gold_at: Positions of page and gold from `listed_members`.
    """

    name: str
    package: Path
    page: str
    gold: str = ""
    charset: str = ""
    title: str = ""
    home: str = ""
    page_at: int = NOWHERE
    gold_at: int = NOWHERE

    @property
    def has_gold(self) -> bool:
        return bool(self.gold)

    def document(self) -> Document:
        """Return the page; a page in a zip has no resources."""
        zipped = self.package.is_file()
        member = PackageMember(self.package, self.page, self.charset, self.page_at)
        return Document(
            address=f"{self.package}!/{self.page}" if zipped else str(self.package / self.page),
            url=local_url(self.page),
            root=None if zipped else self.package,
            path=self.page,
            content=member if zipped else None,
            charset=self.charset,
            title=self.title or self.page,
            home=self.home,
        )

    def text(self) -> str | None:
        """Return the gold, None if it is not marked; raises `InputError` if it cannot be read."""
        if not self.gold:
            return None
        try:
            text = read_member(self.package, self.gold, at=self.gold_at).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise InputError(f"{self.gold} in {self.package} is not UTF-8") from None
        return text.replace("\r\n", "\n")


def _is_other(path: Path) -> bool:
    """Return whether a zip is a book, a document or an archive that holds pages as its parts."""
    try:
        names = (name for name, _ in zip_directory.entries(path))
        return bool(magic.kind_of_zip(magic.telling_names(names)))
    except (NotImplementedError, *BROKEN):
        return False  # reading it reports the error


def matches(path: Path) -> bool:
    """Return whether a path is a zip, or a folder with a package's index or a page and its gold."""
    if path.is_file():
        return is_zip(path) and not _is_other(path)
    if has_index(path):
        return True
    names = {each.name for each in path.glob("*")}
    return any(
        f"{_base(name)}.txt" in names for name in names if name.lower().endswith(PAGE_SUFFIXES)
    )


def has_index(path: Path) -> bool:
    """Return whether a folder has the index of a package."""
    return (path / INDEX).is_file() and _is_index(path / INDEX)


def pages(path: Path, problems: list[str]) -> Iterator[PackagePage]:
    """Yield the documents in the package's order; raises `InputError` if two have one name.

    ``problems`` gets a sentence for each document that is named but not there, each gold text
    without a page, each name that no page can have and all metadata that cannot be read.
    """
    path = path.absolute()
    with (
        closing(listed_members(path)) as members,
        closing(DiskNames()) as seen,
        closing(_order(path, members)) as order,
        closing(OrderedNames(_sources(members, order))) as sources,
    ):
        abouts = _Abouts(path, members, problems)
        for source in sources:
            base = _base(source)
            why = ""
            if not source.isprintable():
                why = f"{quote_member(source)} is left out: its name has control characters"
            elif leaves_package(source):
                why = f"{source} is left out: its name leads out of the package"
            if why:
                problems.append(f"{path.name}: {why}")
                continue
            if not seen.add(base, 0):
                raise InputError(f"{path} has two pages named {base}")
            about = abouts.read(base)
            encoding, url, title = (
                next((about[name] for name in names if about.get(name)), "") for names in _NAMES
            )
            numbers = members.number(source), members.number(f"{base}.txt")
            gold = "" if numbers[1] is None else f"{base}.txt"
            at = (NOWHERE if number is None else number for number in numbers)
            yield PackagePage(base, path, source, gold, encoding, title, url, *at)
        problems += _without_page(path, members, order, seen)


def _sources(members: DiskNames, order: DiskNames) -> Iterator[tuple[int, str]]:
    for name, _ in members:
        if name.lower().endswith(PAGE_SUFFIXES) and _LINKED not in name:
            position = order.number(_base(name))
            yield _LAST if position is None else position, name


def _without_page(
    path: Path, members: DiskNames, order: DiskNames, seen: DiskNames
) -> Iterator[str]:
    missing = ((number, name) for name, number in order if name not in seen)
    for _, name in sorted(missing):
        yield f"{path.name}: {INDEX} names {quote_member(name)}, which is not there"
    alone = [
        name
        for name, _ in members
        if name.endswith(".txt")
        and _LINKED not in name
        and (base := _base(name)) not in seen
        and (base in order or f"{base}.json" in members)
    ]
    for gold in sorted(alone, key=lambda name: in_order(Path(name))):
        yield f"{path.name}: {quote_member(gold)} has no page"


class _Abouts:
    """Reads the metadata of one page after the other, within limits."""

    def __init__(self, package: Path, members: DiskNames, problems: list[str]) -> None:
        self._package, self._members, self._problems = package, members, problems
        self._left = MAX_ABOUT_TOTAL

    def read(self, base: str) -> dict[str, str]:
        """Return the metadata of a page; empty, and a sentence why, if that cannot be read."""
        names = (f"{base}{suffix}" for suffix in ABOUT_SUFFIXES)
        entries = ((each, self._members.number(each)) for each in names)
        name, at = next(((each, at) for each, at in entries if at is not None), ("", NOWHERE))
        if not name or self._left <= 0:
            return {}
        try:
            data = read_member(self._package, name, MAX_ABOUT_BYTES, at)
        except InputError as error:
            self._problems.append(
                f"{self._package.name}: the metadata of {base} cannot be read: {error}"
            )
            self._left -= MAX_ABOUT_BYTES
            return {}
        self._left -= len(data)
        if self._left <= 0:
            self._problems.append(
                f"{self._package.name}: metadata from {name} on are not read: "
                f"they are larger than {declared_size(MAX_ABOUT_TOTAL)} together"
            )
        result = metadata(data, name)
        if not result and data.strip():
            self._problems.append(f"{self._package.name}: {name} is in an unknown format")
        return result


def metadata(data: bytes, name: str) -> dict[str, str]:
    """Return the metadata of a document, keys in lower case; ``name`` is its file's.

    Empty where the file is in none of the forms that are read.
    """
    if name.lower().endswith(".xml"):
        return _from_xml(data)
    text = text_of(data)
    if text.lstrip().startswith("{"):
        about = _object(data) or {}
        return {key.lower(): str(about[key]) for key in about if about[key] is not None}
    if name.lower().endswith(".json"):
        return {}
    return {each[1].strip().lower(): each[2] for each in _LINE.finditer(text)}


def _from_xml(data: bytes) -> dict[str, str]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return {}
    if root is None:
        return {}
    result = {str(key).lower(): str(value) for key, value in root.attrib.items()}
    for child in root:
        if isinstance(child.tag, str):
            key = etree.QName(child).localname
            if key == "entry":  # as Java writes properties
                key = child.get("key", key)
            result[key.lower()] = (child.text or "").strip()
    return result


def _order(path: Path, members: DiskNames) -> DiskNames:
    """Return the place of each document that the index names."""
    at = members.number(INDEX)
    if at is None:
        return DiskNames()
    index = _object(read_member(path, INDEX, MAX_INDEX_BYTES, at))
    if index is None:
        raise InputError(f"{INDEX} in {path} is not a JSON object")
    names = index.get("documents", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InputError(f"{INDEX} in {path}: documents is not a list of names")
    return DiskNames((name, position) for position, name in enumerate(names))


def _is_index(path: Path) -> bool:
    """Return whether a file is a package's index; a damaged one counts as well."""
    index = _object(read_file(path))
    return index is None or index.get("format") == "ce-package" or "documents" in index


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        value = json.loads(text_of(data))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _base(name: str) -> str:
    return name.rpartition(".")[0]
