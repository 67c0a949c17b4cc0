"""Files of saved pages: MHTML, Safari's web archive, HAR, and zips as of SingleFile.

Several pages in a zip lie in separate folders, as in MAFF.

Sources: RFC 2557; *MAFF file format* 1.0 (``index.rdf``); WebKit, *LegacyWebArchive.cpp* (a
property list); SingleFile, *Self-extracting ZIP* (a zip that may begin as HTML, with
``index.html`` in it).
"""

import json
import plistlib
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from html import unescape
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote
from xml.parsers.expat import ExpatError

from annotate.archives.members import member_names, read_member
from annotate.datasets.saved_pages import HoldsNoPage, SavedKind, SavedPage
from annotate.plugins.archives import har, mhtml
from annotate.plugins.archives.page_parts import MainPart, PageParts, place, web
from engine import held_files
from engine.account import Account
from engine.bounded_file import Stamp, stamp_of
from engine.document import HTML_SUFFIXES, Document, check
from engine.errors import InputError
from engine.fetch import Received, read_file
from engine.media_types import media_type
from engine.saved import FrozenFrame, Stored, key_of, shown_address
from engine.words import plural
from engine.xhtml import is_xml_kind

_HEAD = 8192
_NOWHERE = "https://page.invalid/"
_INDEX = re.compile(r"/index\.\w+\Z", re.IGNORECASE)
_ORIGIN = re.compile(rb"""<MAF:originalurl\s+RDF:resource\s*=\s*["']([^"']*)""", re.IGNORECASE)
_CHARSET = re.compile(rb"""<MAF:charset\s+RDF:resource\s*=\s*["']([\w.:-]+)""", re.IGNORECASE)


@dataclass(frozen=True)
class PackedPage:
    """A page saved to one file; a store of resources and, to its document, the content.

    Attributes:
        path: The file.
        form: One of `FORMS`.
        number: Number of the page in it.
        data: The file's bytes where they lie in none.
    """

    path: Path
    form: str
    number: int = 0
    data: bytes = field(default=b"", repr=False)

    def document(self) -> Document:
        """Return the page; raises `InputError` for other files."""
        page = self.parts().pages[self.number]
        document = Document(
            address=f"{self.path}!/{page.address or page.base}" if self.number else str(self.path),
            url=shown_address(page.base or page.address or _NOWHERE),
            root=self.path.parent,
            path=self.path.name,
            content=self,
            scripts=False,
            title=page.title,
            home=page.address,
            repeatable=False,
            store=self,
        )
        check(document)
        return document

    def parts(self) -> PageParts:
        """Return the content of the file; raises `InputError`."""
        if self.data:
            return _parts_of(self.path, self.form, self.data)
        return _read(self.path, self.form, stamp_of(self.path))

    def receive(self) -> Received:
        main = self.parts().pages[self.number].stored
        kind, charset = media_type(main.kind)
        return Received(main.data, charset, is_xml=is_xml_kind(kind))

    def find(self, url: str) -> Stored | None:
        """Return the part that answers an address."""
        try:
            return self.parts().parts.get(key_of(url))
        except (InputError, ValueError):
            return None

    def frames(self) -> tuple[FrozenFrame, ...]:
        """None: it is loaded as it was saved."""
        return ()

    def digest(self) -> str:
        return sha256(self.data or read_file(self.path)).hexdigest()

    def summary(self) -> str:
        return plural(self.parts().account.found, "part")


@lru_cache(maxsize=4)
def _read(path: Path, form: str, _stamp: Stamp) -> PageParts:
    return _parts_of(path, form, read_file(path))


@lru_cache(maxsize=2)
def _parts_of(path: Path, form: str, data: bytes) -> PageParts:
    try:
        return FORMS[form](path, data)
    except RecursionError:
        raise InputError(f"{path} is damaged: its parts are nested too deeply") from None
    except (ValueError, LookupError, AttributeError, TypeError, ExpatError,
            plistlib.InvalidFileException) as error:  # fmt: skip
        text = " ".join(str(error).split())
        raise InputError(f"{path} is not a page saved as {form}, or is damaged: {text}") from error


def form_of(path: Path) -> str:
    """Return which of `FORMS` a file is in by its content, "" for none."""
    if not path.is_file():
        return ""
    if mhtml.is_mhtml(path):
        return "MHTML"
    try:
        with held_files.open_held(path) as file:
            head = file.read(_HEAD)
        is_named = path.name.lower().endswith(".webarchive")
        if head.startswith(b"bplist00") or (b"<plist" in head and head.lstrip()[:1] == b"<"):
            is_archive = is_named or b"WebMainResource" in read_file(path)
            return "web archive of Safari" if is_archive else ""
        if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{" and b'"log"' in head:
            return "HAR" if b'"entries"' in read_file(path) else ""
        if path.name.lower().endswith(".har") and not head.startswith(b"PK"):
            return "HAR"
        if head.startswith(b"PK") or b"SingleFile" in head or b"PK\3\4" in head:
            if not zipfile.is_zipfile(path):
                return ""
            names = member_names(path)
            return "HAR" if har.har_in(names) else "zip" if _mains_of(names) else ""
    except (OSError, InputError):
        return ""
    return ""


def _of_safari(path: Path, data: bytes) -> PageParts:
    archive = plistlib.loads(data)
    parts: dict[str, Stored] = {}
    account = Account("part")
    main: list[tuple[Stored, str]] = []

    def take(resource: Mapping[str, object]) -> None:
        address = str(resource.get("WebResourceURL") or "")
        with account.item(address):
            kind = str(resource.get("WebResourceMIMEType") or "")
            charset = resource.get("WebResourceTextEncodingName")
            content = resource["WebResourceData"]
            content = content.encode() if isinstance(content, str) else content
            if not isinstance(content, bytes):
                raise InputError("its data are no bytes")
            stored = Stored(content, f"{kind}; charset={charset}" if charset else kind, address)
            if not main:
                main.append((stored, address))
            if address:
                place(parts, account, stored, address)
            elif len(main) == 1 and main[0][0] is stored:
                account.take()

    def walk(tree: Mapping[str, object]) -> None:
        take(tree["WebMainResource"])  # type: ignore[arg-type]
        for each in tree.get("WebSubresources") or ():  # type: ignore[attr-defined]
            take(each)
        for each in tree.get("WebSubframeArchives") or ():  # type: ignore[attr-defined]
            with account.item("a frame"):
                before = account.found
                walk(each)
                if account.found == before:
                    raise InputError("a frame without a document")

    walk(archive)
    if not main:
        raise HoldsNoPage(f"{path} is a web archive of Safari without a page in it", account)
    return PageParts((MainPart(main[0][0], web(main[0][1]), path.stem),), parts, account)


def _mains_of(names: frozenset[str]) -> list[str]:
    """Return the pages among the files of a zip: pages with files, not a package of pages."""
    if main := _main_of(names):
        return [main]
    pages = sorted(name for name in names if name.lower().endswith(HTML_SUFFIXES))
    mains = [each for each in pages if each.count("/") == 1]
    folders = {each.partition("/")[0] for each in mains}
    is_top = any("/" not in each for each in pages)
    is_index = all(_INDEX.search(each) for each in mains) and len(folders) == len(mains)
    has_files = folders <= {name.partition("/")[0] for name in names if _is_part(name)}
    has_gold = any(f"{each.rpartition('.')[0]}.txt" in names for each in pages)
    return mains if is_index and has_files and not is_top and not has_gold else []


def _is_part(name: str) -> bool:
    """Whether a file of a zip belongs to a page in its top folder, rather than to a data set."""
    return name.count("/") > 1 or (name.count("/") == 1 and name.endswith((".rdf", ".css")))


def _main_of(names: frozenset[str]) -> str:
    """Return the one page among the files of a zip; "" for none or several."""
    pages = sorted(name for name in names if name.lower().endswith(HTML_SUFFIXES))
    if any(f"{name.rpartition('.')[0]}.txt" in names for name in pages):
        return ""  # pages with their gold
    top = [each for each in pages if "/" not in each]
    if "index.html" in top and (len(top) == 1 or "manifest.json" in names):
        return "index.html"
    inner = {name.partition("/")[0] for name in names if "/" in name}
    if len(top) == 1 and inner:
        return top[0]
    folders = [each for each in pages if each.count("/") == 1]
    return folders[0] if not top and len(folders) == 1 and len(inner) == 1 else ""


def _of_zip(path: Path, _data: bytes) -> PageParts:
    names = member_names(path)
    parts: dict[str, Stored] = {}
    account = Account("part")
    for name in sorted(names):
        if name.endswith("/"):
            continue
        with account.item(name):
            kind = guess_type(name)[0] or "application/octet-stream"
            stored = Stored(read_member(path, name), kind)
            place(parts, account, stored, _NOWHERE + quote(name))
    mains = _mains_of(names)
    found = [(main, parts.get(key_of(_NOWHERE + quote(main)))) for main in mains]
    pages = tuple(_zipped(path, names, main, page) for main, page in found if page is not None)
    if not pages:
        raise HoldsNoPage(f"{path} is a zip without a page", account)
    return PageParts(pages, parts, account)


def _zipped(path: Path, names: frozenset[str], main: str, page: Stored) -> MainPart:
    """Return a page in a zip with its address, where a file beside it gives one."""
    address, about = "", f"{main.rpartition('/')[0]}/index.rdf"
    if about in names:
        with suppress(InputError):
            data = read_member(path, about)
            origin, charset = _ORIGIN.search(data), _CHARSET.search(data)
            address = web(unescape(origin[1].decode("utf-8", "replace"))) if origin else ""
            if charset:
                page = replace(page, kind=f"{page.kind}; charset={charset[1].decode('latin-1')}")
    for about in ("manifest.json", "index.json"):
        if about in names:
            with suppress(InputError, ValueError, AttributeError):
                value = json.loads(read_member(path, about))
                address = web(value.get("originalUrl") or value.get("url"))
    return MainPart(page, address, path.stem, _NOWHERE + quote(main))


FORMS: Mapping[str, Callable[[Path, bytes], PageParts]] = {
    "MHTML": mhtml.taken_apart,
    "web archive of Safari": _of_safari,
    "HAR": har.taken_apart,
    "zip": _of_zip,
}


def _pages(path: Path, account: Account) -> Iterator[SavedPage]:
    form = form_of(path)
    parts = PackedPage(path, form).parts()
    account.unit = parts.account.unit
    account.add(parts.account)
    for number, main in enumerate(parts.pages):
        page = PackedPage(path, form, number)
        name = key_of(main.address) if len(parts.pages) > 1 and main.address else path.stem
        try:
            document = page.document()
        except InputError as error:  # the others are read
            account.taken -= 1
            account.pass_over(str(error).replace(str(path), path.name), main.address)
            continue
        yield SavedPage(form, document, name, page.summary(), parts.problems)


def _in_bytes(data: bytes) -> Document | None:
    page = PackedPage(Path("-"), "MHTML", data=data)
    return page.document() if mhtml.is_message(data) else None


KIND = SavedKind(
    "MHTML, web archive of Safari, HAR or zip of a page",
    lambda path: bool(form_of(path)),
    _pages,
    is_container=True,
    in_bytes=_in_bytes,
)
