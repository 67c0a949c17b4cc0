"""Evaluation packages (Gottron, dissertation, Mainz 2008), a zip or unpacked: FORMATS A3.

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
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lxml import etree

from annotate.datasets.pagefiles import in_order, text_of
from engine.document import SCHEME, Document
from engine.errors import InputError
from engine.fetch import read_file, read_member

INDEX = "package.json"
PAGE_SUFFIXES = (".html", ".htm", ".xhtml")
ABOUT_SUFFIXES = (".json", ".properties", ".meta", ".xml")

_LINKED = ".linked/"
_LINE = re.compile(r"^[ \t]*([^\s=:#!][^=:]*?)[ \t]*[=:][ \t]*(.*?)[ \t]*$", re.MULTILINE)
_NAMES: Mapping[str, tuple[str, ...]] = {
    "encoding": ("encoding", "charset"),
    "url": ("url", "uri", "address", "source", "original-url"),
    "title": ("title",),
}


@dataclass(frozen=True)
class PackagePage:
    """One document of a package.

    Attributes:
        name: Its base name.
        package: The zip, or the folder.
        page: The page in it, with ``/``.
        gold, about: The gold text and the metadata, "" where there is none.
    """

    name: str
    package: Path
    page: str
    gold: str = ""
    about: str = ""

    def document(self) -> Document:
        """Return the page; raises `InputError` if its metadata cannot be read."""
        known = metadata(self._bytes(self.about), self.about) if self.about else {}
        zipped = self.package.is_file()
        return Document(
            address=f"{self.package}!/{self.page}" if zipped else str(self.package / self.page),
            url=f"{SCHEME}://local/{quote(self.page)}",
            root=None if zipped else self.package,
            package=self.package if zipped else None,
            path=self.page,
            charset=_known(known, "encoding"),
            title=_known(known, "title") or self.page,
            home=_known(known, "url"),
        )

    def text(self) -> str | None:
        """Return the gold, None if nobody marked it; raises `InputError` if it cannot be read."""
        if not self.gold:
            return None
        try:
            return self._bytes(self.gold).decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise InputError(f"{self.gold} in {self.package} is not UTF-8") from None

    def _bytes(self, member: str) -> bytes:
        if self.package.is_file():
            return read_member(self.package, member)
        return read_file(self.package / member)


def matches(path: Path) -> bool:
    """Tell whether a path is a zip, or a folder with a package's index or a page and its gold."""
    if path.is_file():
        return path.suffix.lower() == ".zip" or zipfile.is_zipfile(path)
    if (path / INDEX).is_file() and _is_index(path / INDEX):
        return True
    names = {each.name for each in path.glob("*")}
    return any(
        f"{_base(name)}.txt" in names for name in names if name.lower().endswith(PAGE_SUFFIXES)
    )


def pages(path: Path, problems: list[str]) -> Iterator[PackagePage]:
    """Yield the documents in the package's order; raises `InputError` if two have one name.

    ``problems`` gets a sentence for each document that is named but not there, and each gold text
    without a page.
    """
    path = path.absolute()
    members = _members(path)
    order = _order(path, members)
    place = {name: number for number, name in enumerate(order)}
    sources = [
        name for name in members if name.lower().endswith(PAGE_SUFFIXES) and _LINKED not in name
    ]
    sources.sort(key=lambda name: (place.get(_base(name), len(place)), in_order(Path(name))))
    seen: set[str] = set()
    for source in sources:
        base = _base(source)
        if base in seen:
            raise InputError(f"{path} has two pages of the name {base}")
        seen.add(base)
        gold = f"{base}.txt"
        about = next((a for end in ABOUT_SUFFIXES if (a := f"{base}{end}") in members), "")
        yield PackagePage(base, path, source, gold if gold in members else "", about)
    for name in order:
        if name not in seen:
            problems.append(f"{path.name}: {INDEX} names {name}, which is not there")
    for gold in sorted(members, key=lambda name: in_order(Path(name))):
        base = _base(gold)
        is_gold = gold.endswith(".txt") and (base in place or f"{base}.json" in members)
        if is_gold and base not in seen and _LINKED not in gold:
            problems.append(f"{path.name}: {gold} has no page")


def metadata(data: bytes, name: str) -> dict[str, str]:
    """Return what is known of a document, keys in lower case; ``name`` is its file's.

    Empty where the file is in none of the forms that are read.
    """
    if name.lower().endswith(".xml"):
        return _from_xml(data)
    text = text_of(data)
    if text.lstrip().startswith("{"):
        try:
            about = json.loads(text)
        except (ValueError, RecursionError):
            about = None
        if isinstance(about, dict):
            return {key.lower(): str(about[key]) for key in about if about[key] is not None}
        return {}
    if name.lower().endswith(".json"):
        return {}
    return {found[1].strip().lower(): found[2] for found in _LINE.finditer(text)}


def _from_xml(data: bytes) -> dict[str, str]:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return {}
    if root is None:
        return {}
    found = {str(key).lower(): str(value) for key, value in root.attrib.items()}
    for child in root:
        if isinstance(child.tag, str):
            key = etree.QName(child).localname
            if key == "entry":  # as Java writes properties
                key = child.get("key", key)
            found[key.lower()] = (child.text or "").strip()
    return found


def _known(about: Mapping[str, str], what: str) -> str:
    return next((about[name] for name in _NAMES[what] if about.get(name)), "")


def _members(path: Path) -> frozenset[str]:
    if path.is_file():
        try:
            with zipfile.ZipFile(path) as package:
                return frozenset(package.namelist())
        except (zipfile.BadZipFile, OSError) as error:
            raise InputError(f"{path} cannot be read: {error}") from None
    files = (each for each in path.rglob("*") if each.is_file())
    return frozenset(each.relative_to(path).as_posix() for each in files)


def _order(path: Path, members: frozenset[str]) -> tuple[str, ...]:
    if INDEX not in members:
        return ()
    data = read_member(path, INDEX) if path.is_file() else read_file(path / INDEX)
    index = _object(data)
    if index is None:
        raise InputError(f"{INDEX} in {path} is no JSON object")
    names = index.get("documents")
    return tuple(dict.fromkeys(map(str, names))) if isinstance(names, list) else ()


def _is_index(path: Path) -> bool:
    """Tell a package's index from another file of that name; one that is broken is taken for it."""
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
