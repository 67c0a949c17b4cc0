"""What a file or folder is that another program saved a page to, as one table (FORMATS of pages).

A kind is a module or a function here: it tells whether a path is one, and yields the pages in it as
documents that any capture can load.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path

from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.archives.members import files_below
from annotate.archives.page_files import base_name, holds_parts
from annotate.archives.warc import archive_files
from annotate.datasets import mirrors, own_pages
from annotate.datasets.no_pages import takes_none, without_errors
from annotate.datasets.saved_pages import warc_pages
from annotate.datasets.saved_pages.packed_pages import PackedPage, form_of
from annotate.datasets.saved_pages.page_parts import HoldsNoPage
from engine.account import Account
from engine.document import HTML_SUFFIXES, Document, absence, plain_document
from engine.errors import InputError
from engine.fetch import read_file
from engine.saved import key_of
from engine.words import plural

_HEAD = 4096
_SINGLE_FILE = re.compile(
    rb"<!--\s*(?:Page saved with SingleFile|Archive processed by SingleFile)(.*?)-->", re.DOTALL
)
_URL_LINE = re.compile(rb"^\s*url:\s*(\S+)", re.MULTILINE)
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->")


@dataclass(frozen=True)
class SavedPage:
    """Page of such a file.

    Attributes:
        kind: Format it was saved in, for people.
        document: The page.
        name: For a file.
        summary: Its content, in words.
        problems: Problems of the file, in words.
    """

    kind: str
    document: Document
    name: str
    summary: str = ""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class SavedKind:
    """Kind of saved page: its name, whether a path is one by its content, the pages in it.

    Attributes:
        name: For people.
        matches: Whether a path is one.
        pages: Yields the pages; counts them and all that is skipped.
        is_container: Whether a page is packed in one file, so that only a reader shows it.
    """

    name: str
    matches: Callable[[Path], bool]
    pages: Callable[[Path, Account], Iterator[SavedPage]]
    is_container: bool = False


@dataclass(frozen=True)
class SavedPages:
    """The pages in a file or folder, and the account of all that is in it."""

    kind: SavedKind
    pages: tuple[SavedPage, ...]
    account: Account

    @property
    def documents(self) -> tuple[Document, ...]:
        return tuple(page.document for page in self.pages)

    @property
    def problems(self) -> tuple[str, ...]:
        """Return a sentence for each thing that is wrong with it, once."""
        return tuple(dict.fromkeys(each for page in self.pages for each in page.problems))


def container_kind(path: Path) -> SavedKind | None:
    """Return what a file of packed pages is, archives included; None for all else."""
    kind = kind_of(path) if path.is_file() else None
    return kind if kind is not None and kind.is_container else None


def kind_of(path: Path) -> SavedKind | None:
    """Return the kind of a file or folder by its content; None if it is not a saved page."""
    return next((kind for kind in KINDS if kind.matches(path)), None)


def read_saved(path: Path) -> SavedPages:
    """Return the pages in a file or folder; `InputError` if there are none."""
    if not path.exists():
        raise InputError(absence(path))
    path = path.absolute()
    kind = kind_of(path)
    if kind is None:
        expected = ", ".join(kind.name for kind in KINDS)
        raise InputError(f"{path} is not a saved page: expected {expected}")
    account = Account("page")
    pages = tuple(kind.pages(path, account))
    if not pages:
        raise HoldsNoPage(f"{path} ({kind.name}) holds no page", account)
    if not account.found:
        account.take(len(pages))
    return SavedPages(kind, pages, account)


def saved_pages(path: Path) -> list[SavedPage]:
    """Return the pages in a file or folder; `InputError` if there are none."""
    return list(read_saved(path).pages)


def _of_frozen(path: Path, _account: Account) -> Iterator[SavedPage]:
    yield SavedPage("frozen page", FrozenFile(path).document(), path.stem)


def _of_packed(path: Path, account: Account) -> Iterator[SavedPage]:
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


def _of_warc(path: Path, account: Account) -> Iterator[SavedPage]:
    file = warc_pages.WarcFile(path)
    counted = file.account()
    account.unit = counted.unit
    account.add(counted)
    result, problems = file.summary(), file.problems()
    if not account.found:
        for problem in problems:
            account.pass_over(problem)
    kind = archive_files.archive_kind(path)
    for document in file.documents():
        name = key_of(document.home or document.url)
        yield SavedPage(kind, document, name, result, problems)


def _of_html(path: Path, _account: Account) -> Iterator[SavedPage]:
    document = plain_document(path)
    head = read_file(path)[: 8 * _HEAD]
    single = _SINGLE_FILE.search(head)
    if single is not None:
        url = _URL_LINE.search(single[1])
        home = _web(url[1]) if url else ""
        yield SavedPage(
            "SingleFile HTML", replace(document, scripts=False, home=home), path.stem,
            "all it shows is in the one file",
        )  # fmt: skip
        return
    origin = _SAVED_FROM.search(head)
    home = _web(origin[1]) if origin else ""
    beside = _files_beside(path)
    if beside is None:
        yield SavedPage("HTML", replace(document, home=home), path.stem)
        return
    count = sum(1 for each in beside.rglob("*") if each.is_file())
    yield SavedPage(
        "complete page", replace(document, home=home, scripts=False), path.stem,
        f"{count} files in {beside.name}",
    )  # fmt: skip


def _files_beside(path: Path) -> Path | None:
    """Return the folder of a page saved with all files: ``x.html`` and ``x_files``."""
    named = (each for each in path.parent.glob(f"{escape(base_name(path))}*") if each.is_dir())
    return next(filter(holds_parts, named), None)


def _of_folder(path: Path, account: Account) -> Iterator[SavedPage]:
    kept, _, counted = without_errors(list(own_pages.documents(path, [])), path, takes_none)
    account.add(counted)
    hosts = mirrors.hosts_in(path)
    kind = "wget folder" if hosts else "folder"
    count = sum(1 for _ in files_below(path)) if hosts else 0
    summary = f"{plural(count, 'file')} of {plural(len(hosts), 'host')}" if hosts else ""
    for document in kept:
        name = document.path
        if not hosts:
            name = name.removesuffix(".html").removesuffix("/index")
        yield SavedPage(kind, document, name, summary)


def _web(address: bytes) -> str:
    text = address.decode("latin-1")
    return text if text.startswith(("http:", "https:")) else ""


KINDS: tuple[SavedKind, ...] = (
    SavedKind("frozen page", is_frozen, _of_frozen),
    SavedKind("WARC or WACZ", warc_pages.is_archive, _of_warc, is_container=True),
    SavedKind(
        "MHTML, web archive of Safari, HAR or zip of a page",
        lambda path: bool(form_of(path)),
        _of_packed,
        is_container=True,
    ),
    SavedKind("folder", Path.is_dir, _of_folder),
    SavedKind(
        "HTML", lambda path: path.name.lower().endswith(HTML_SUFFIXES) and path.is_file(), _of_html
    ),
)
