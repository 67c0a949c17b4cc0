"""Kinds of files and folders that other programs save pages to, those of plug-ins included.

A kind tells whether a path is one, and yields the pages in it as documents that any capture can
load.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from glob import escape
from pathlib import Path

from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.archives.members import files_below
from annotate.archives.page_files import base_name, holds_parts
from annotate.datasets import mirrors, own_pages
from annotate.datasets.no_pages import takes_none, without_errors
from engine import plugin
from engine.account import Account
from engine.document import HTML_SUFFIXES, Document, absence, plain_document
from engine.errors import InputError
from engine.fetch import read_file
from engine.words import plural

_HEAD = 4096
_SINGLE_FILE = re.compile(
    rb"<!--\s*(?:Page saved with SingleFile|Archive processed by SingleFile)(.*?)-->", re.DOTALL
)
_URL_LINE = re.compile(rb"^\s*url:\s*(\S+)", re.MULTILINE)
_SAVED_FROM = re.compile(rb"<!--\s*saved from url=\(\d+\)(\S+)\s*-->")


class HoldsNoPage(InputError):
    """A file of a known form without a page; the sentence describes its content.

    Attributes:
        account: Of all that is in it; nothing of it is taken.
    """

    def __init__(self, message: str, account: Account) -> None:
        account.pass_over("part of no page", count=account.taken)
        account.taken = 0
        super().__init__(f"{message}: {account.sentence()}" if account.found else message)
        self.account = account


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
        in_bytes: Returns the page that bytes are, None if they are none of this kind.
        is_archive: Whether it holds many pages, each by its address.
    """

    name: str
    matches: Callable[[Path], bool]
    pages: Callable[[Path, Account], Iterator[SavedPage]]
    is_container: bool = False
    in_bytes: Callable[[bytes], Document | None] = lambda _data: None
    is_archive: bool = False


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
    return next((kind for kind in kinds() if kind.matches(path)), None)


def page_in_bytes(data: bytes) -> Document:
    """Return the page that bytes are, saved in one of the kinds or plain HTML."""
    saved = (page for kind in kinds() if (page := kind.in_bytes(data)) is not None)
    return next(saved, None) or plain_document(data)


def read_saved(path: Path) -> SavedPages:
    """Return the pages in a file or folder; `InputError` if there are none."""
    if not path.exists():
        raise InputError(absence(path))
    path = path.absolute()
    kind = kind_of(path)
    if kind is None:
        expected = ", ".join(kind.name for kind in kinds())
        raise InputError(f"{path} is not a saved page: expected {expected}")
    account = Account("page")
    pages = tuple(kind.pages(path, account))
    if not pages:
        raise HoldsNoPage(f"{path} ({kind.name}) holds no page", account)
    if not account.found:
        account.take(len(pages))
    return SavedPages(kind, pages, account)


def _of_frozen(path: Path, _account: Account) -> Iterator[SavedPage]:
    yield SavedPage("frozen page", FrozenFile(path).document(), path.stem)


def _of_html(path: Path, _account: Account) -> Iterator[SavedPage]:
    document, head = plain_document(path), read_file(path)[: 8 * _HEAD]
    single = _SINGLE_FILE.search(head)
    origin = _URL_LINE.search(single[1]) if single else _SAVED_FROM.search(head)
    document = replace(document, home=_web(origin[1]) if origin else "")
    # A page saved with all files is ``x.html`` and ``x_files``.
    named = (each for each in path.parent.glob(f"{escape(base_name(path))}*") if each.is_dir())
    kind, summary = "HTML", ""
    if single:
        kind, summary = "SingleFile HTML", "all it shows is in the one file"
    elif beside := next(filter(holds_parts, named), None):
        count = sum(1 for each in beside.rglob("*") if each.is_file())
        kind, summary = "complete page", f"{count} files in {beside.name}"
    if kind != "HTML":
        document = replace(document, scripts=False)
    yield SavedPage(kind, document, path.stem, summary)


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


_FIRST = SavedKind("frozen page", is_frozen, _of_frozen)
_LAST = (
    SavedKind("folder", Path.is_dir, _of_folder),
    SavedKind(
        "HTML", lambda path: path.name.lower().endswith(HTML_SUFFIXES) and path.is_file(), _of_html
    ),
)


def kinds() -> tuple[SavedKind, ...]:
    """Return all kinds, including those of plug-ins, in the order of trial."""
    return (_FIRST, *plugin.objects("saved_pages", SavedKind), *_LAST)
