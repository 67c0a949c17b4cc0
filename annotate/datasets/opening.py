"""Open pages with their gold from any path that a user typed, chose or dropped.

Whatever ``evaluate`` can read opens here as the same documents (`annotate.datasets.readers`), and
beside it pages without gold yet: one page, a folder of pages, an address on the web.  Frozen copies
replace their original pages in the list of a workspace.
"""

import logging
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.datasets import own_pages
from annotate.datasets.case_files import BesideFiles, PageFiles
from annotate.datasets.cases import Variant
from annotate.datasets.looking.found import Found, NoPages
from annotate.datasets.looking.inspection import foreign_in, look_into
from annotate.datasets.no_pages import NoPage, takes_none, without_errors
from annotate.datasets.readers import files_of, page_at, read_with, reader_of, several
from annotate.datasets.saved_pages import container_kind, read_saved
from annotate.workspace.workspace import Workspace, page_key
from engine.document import Document, absence, plain_document, with_options
from engine.errors import InputError, PageletError

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OpenedPages:
    """Pages in their own order.

    Attributes:
        documents: One or more.
        files: For each where its gold is.
        problems: A sentence for each thing that cannot be used.
        no_pages: Files of a folder that are called pages and are none, with the reason; those that
            were wanted are among the documents as well.
    """

    documents: tuple[Document, ...]
    files: tuple[PageFiles, ...]
    problems: tuple[str, ...] = ()
    no_pages: tuple[NoPage, ...] = ()

    def switched(self, document: Document, *, is_in: bool) -> "OpenedPages":
        """Return the same with a file that is no page among the documents, as last, or not."""
        kept = [
            pair for pair in zip(self.documents, self.files, strict=True) if pair[0] != document
        ]
        kept += [(document, files_of(document))] if is_in else []
        return replace(
            self, documents=tuple(each for each, _ in kept), files=tuple(f for _, f in kept)
        )


def open_pages(
    address: str | Path, variant: Variant = "html", takes: Callable[[Document], bool] = takes_none
) -> OpenedPages:
    """Return the documents at a path or address; raises `InputError` if there are none.

    ``variant`` selects the file of a page in Kreuzer's layout; ``takes`` returns whether a file
    that is not a page, such as an error page, is wanted.
    """
    if not str(address):
        raise InputError("the address of the page is empty: name a file, a folder or an address")
    if re.match(r"https?:", str(address), re.IGNORECASE):
        return _of_one(BesideFiles(plain_document(address)))
    path = Path(address).expanduser()
    if not path.exists():
        return _of_one(page_at(str(address), variant))
    path = path.absolute()
    reader = None if is_frozen(path) else reader_of(path)
    if reader is not None and reader.name == "package" and container_kind(path) is not None:
        reader = None  # the one page in it needs the files beside it
    problems: list[str] = []
    if reader is not None and reader.name != "gold files":
        try:
            result = read_with(reader, path, (variant,))
        except InputError as error:
            found = look_into(path)
            has_reader = found.is_openable and (path.is_dir() or container_kind(path) is not None)
            if found.kind == "data set" or not has_reader:
                raise NoPages(found, str(error)) from error
        else:
            files = tuple(each for _, variants in result.pages for each in variants.values())
            return OpenedPages(tuple(each.document() for each in files), files, result.problems)
    if not path.is_dir():
        found = look_into(path)
        if found.kind == "page":
            return _of_one(page_at(str(path), variant))
        if found.kind in ("web archive", "saved page") or container_kind(path) is not None:
            return _of_archive(found)
        raise NoPages(found)
    documents = tuple(own_pages.documents(path, problems))
    if not documents:
        raise InputError(problems[0]) if problems else NoPages(look_into(path))
    problems += [each.refusal for each in foreign_in(path)]
    kept, no_pages, account = without_errors(documents, path, takes)
    if account.passed:
        problems.insert(0, account.sentence())
    return OpenedPages(tuple(kept), tuple(map(files_of, kept)), tuple(problems), no_pages)


def open_page(address: str | Path, variant: Variant = "html") -> PageFiles:
    """Return the one page at an address with its gold; `InputError` if there are more, or none."""
    opened = open_pages(address, variant)
    if len(opened.files) != 1:
        raise InputError(several(address, opened.documents))
    for problem in opened.problems:
        log.warning("%s", problem)
    return opened.files[0]


def list_documents(
    source: str | Path, *, variant: Variant = "html", problems: list[str] | None = None
) -> tuple[Document, ...]:
    """Return the documents of a folder or file, in its own order; raises `InputError`.

    ``problems`` gets a sentence for each thing in it that cannot be used.
    """
    if not Path(source).expanduser().exists():
        raise InputError(absence(source))
    result = open_pages(source, variant)
    if problems is not None:
        problems.extend(result.problems)
    return result.documents


def open_document(
    address: str | Path | bytes,
    *,
    variant: Variant = "html",
    viewport: tuple[int, int] | None = None,
    scripts: bool | None = None,
    root: Path | None = None,
) -> Document:
    """Return the one page at an address; raises `InputError` with the reason if there is none.

    Args:
        address: An http(s) URL, a file, a folder or zip that holds one page, ``PACKAGE.zip!/NAME``,
            ``-`` for standard input, or the bytes of a page.
        variant: For Kreuzer's pages.  A file whose own name shows its variant keeps it.
        viewport, scripts: Override what the kind of document asks for.
        root: The folder to serve resources from, for a file that reaches above its own.
    """
    if isinstance(address, bytes) or str(address) == "-" or root is not None:
        return plain_document(address, viewport=viewport, scripts=scripts, root=root)
    document = open_page(address, variant).document()
    return with_options(document, viewport=viewport, scripts=scripts)


def _of_archive(found: Found) -> OpenedPages:
    """Return the pages of an archive or of a saved page; `NoPages` if there are none."""
    try:
        saved = read_saved(found.path)
    except InputError as error:
        raise NoPages(found, "" if found.loses else str(error)) from error
    name, account = found.path.name, saved.account
    passed = [f"{name}: {account.sentence()}"] if account.passed else []
    files = tuple(map(BesideFiles, saved.documents))
    return OpenedPages(saved.documents, files, (*saved.problems, *passed))


def _of_one(files: PageFiles) -> OpenedPages:
    return OpenedPages((files.document(),), (files,))


SETTING = "frozen pages"
"""The setting of a workspace: key of a page → file of the frozen page that represents it."""


def note_copy(workspace: Workspace, origin: Document, path: Path) -> None:
    """Replace a page by its frozen copy in the list; raises `WorkspaceError`."""
    workspace.set_setting(SETTING, {**_noted(workspace), page_key(origin): str(path)})


def with_copies(workspace: Workspace, opened: OpenedPages) -> OpenedPages:
    """Return pages with each that was frozen as it was frozen: one of them, and counted once.

    A page that is opened directly is never replaced, so the original can still be opened.
    """
    noted = _noted(workspace) if len(opened.documents) > 1 else {}
    documents, files = list(opened.documents), list(opened.files)
    for index, document in enumerate(opened.documents if noted else ()):
        path = noted.get(page_key(document))
        if path is not None and is_frozen(Path(path)):
            with suppress(PageletError):
                documents[index] = FrozenFile(Path(path)).document()
                files[index] = BesideFiles(documents[index])
    return replace(opened, documents=tuple(documents), files=tuple(files))


def _noted(workspace: Workspace) -> dict[str, str]:
    stored = None
    with suppress(PageletError):
        stored = workspace.setting(SETTING, {})
    return {str(key): str(path) for key, path in stored.items()} if isinstance(stored, dict) else {}
