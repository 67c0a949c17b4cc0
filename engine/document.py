"""Document: what to open, from which folder, and how; every kind of address becomes one.

No Qt here: the command line reads documents without a browser, and `engine.web` renders them.

What a folder or zip may look like
    Kreuzer's layout: ``mapping.txt`` and one folder a site (FORMATS A2; four variants a page).
    A package: a zip of ``NAME.html``, ``NAME.txt``, ``NAME.json`` (FORMATS A3).
    A corpus of Pagelet's own: ``corpus.json`` names the pages.
    Any other folder: its HTML files, or those of its sub-folder ``html``, or the ``index`` pages of
    its sub-folders.
"""

import json
import logging
import os
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any, Literal, get_args
from urllib.parse import quote, urlsplit

from engine.errors import InputError
from engine.fetch import MAX_BYTES, Received, get, limited, read_file, read_member

log = logging.getLogger(__name__)

Variant = Literal["html", "original", "dom", "repaired"]
"""Which of a Kreuzer page's four files: as saved, as received, the DOM, the DOM with gold marks
(taken off again).  SYSTEMS section 5.2: on 11 of 78 pages the DOM file is another page's."""

SCHEME = "pagelet"
"""The URL scheme under which the browser sees local pages."""

VIEWPORT = (1366, 768)
KREUZER_VIEWPORT = (1024, 768)

_SUFFIX: dict[Variant, str] = {
    "html": ".html",
    "original": ".html.orig",
    "dom": ".dom.html",
    "repaired": ".blocks.html",
}
_HTML_SUFFIXES = (".html", ".htm", ".xhtml", ".shtml", ".html.gz", ".htm.gz")
_MAPPING = re.compile(r'^\s*"(?P<url>[^"]+)"\s*:\s*"/opt/[^/"]+/(?P<path>[^"]+)"\s*,?\s*$')
_BLOCK_MARK = re.compile(rb"""\sdata-block(?:-type)?\s*=\s*(?:"[^"]*"|'[^']*')""")
_HOST = re.compile(r"^(?=[^.]*\.)[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]$")


@dataclass(frozen=True)
class Document:
    """One page to open.  Cheap: nothing but the first bytes was read yet.

    Attributes:
        address: What the user sees and may type again.
        url: What the browser loads: http(s), or ``pagelet://host/path`` for a local page.
        root: The folder resources are served from; None if there is none.
        path: Where the document lies below `root` (or in `package`), with ``/``.
        data: The document's bytes if they lie in no file.
        package: The zip that holds the document.
        charset: A charset that wins over what the document declares; "" if it may choose.
        scripts: Whether the page's own scripts run.
        viewport: Width and height in CSS px to render it in.
        title: A name for lists; "" if there is none but the address.
        home: Where on the web it was taken from; "" if unknown.
        repaired: Whether gold marks (``data-block`` attributes) are to be taken off.
    """

    address: str
    url: str
    root: Path | None = None
    path: str = ""
    data: bytes | None = None
    package: Path | None = None
    charset: str = ""
    scripts: bool = True
    viewport: tuple[int, int] = VIEWPORT
    title: str = ""
    home: str = ""
    repaired: bool = False

    @property
    def is_live(self) -> bool:
        """Whether it comes from the network."""
        return self.url.startswith(("http:", "https:"))

    @property
    def host(self) -> str:
        """The host of `url`; for Kreuzer's pages the one they were saved from."""
        return urlsplit(self.url).hostname or ""

    @property
    def name(self) -> str:
        """The shortest name that tells it from its neighbours."""
        return self.title or self.path or self.address

    def read(self) -> bytes:
        """Return the document's bytes; see `receive`."""
        return self.receive().data

    def receive(self, timeout_s: float = 20.0) -> Received:
        """Return the document's bytes and their declared charset.

        A live page costs one GET, so call it off the GUI thread; raises `InputError` if the page
        cannot be had in ``timeout_s`` seconds, or the file has gone.
        """
        if self.is_live:
            return get(self.url, timeout_s)
        if self.data is not None:
            return Received(self.data, self.charset)
        if self.package is not None:
            return Received(read_member(self.package, self.path), self.charset)
        assert self.root is not None, "a local document has data, a package or a folder"
        data = read_file(self.root / self.path)
        if self.repaired:
            data = _without_marks(data)
        return Received(data, self.charset)


def open_document(
    address: str | Path | bytes,
    *,
    variant: Variant = "html",
    viewport: tuple[int, int] | None = None,
    scripts: bool | None = None,
    root: Path | None = None,
) -> Document:
    """Return the document at an address; `InputError` says in a sentence what is wrong with it.

    Args:
        address: An http(s) URL, a file, a folder or zip that holds one page, ``PACKAGE.zip!/NAME``,
            ``-`` for standard input, or the bytes of a page.
        variant: For Kreuzer's pages.  A file whose own name shows its variant keeps it.
        viewport, scripts: Override what the kind of document asks for.
        root: The folder to serve resources from, for a file that reaches above its own.
    """
    document = _open(address, variant, root)
    if not document.is_live:
        _check(document)
    changes: dict[str, Any] = {}
    if viewport is not None:
        changes["viewport"] = viewport
    if scripts is not None:
        changes["scripts"] = scripts
    return _with(document, **changes)


def list_documents(
    source: str | Path, *, variant: Variant = "html", problems: list[str] | None = None
) -> tuple[Document, ...]:
    """Return the documents of a folder or zip, in its own order.

    Args:
        source: See the module's docstring for the layouts.
        variant: For Kreuzer's layout.
        problems: Gets one sentence for each line or member that cannot be used; such sentences are
            logged where no list is given.
    """
    found = Path(source).expanduser()
    said: list[str] = []
    if not found.exists():
        raise InputError(f"no such file or folder: {source}")
    if found.is_file():
        documents = tuple(_package_documents(found, said))
    elif (found / "corpus.json").is_file():
        documents = tuple(_corpus_documents(found, said))
    elif (found / "mapping.txt").is_file():
        documents = tuple(_kreuzer_documents(found, variant, said))
    elif (found.parent / "mapping.txt").is_file():
        everything = _kreuzer_documents(found.parent, variant, said)
        documents = tuple(each for each in everything if each.root == found.resolve())
    else:
        documents = tuple(_folder_documents(found))
    if problems is None:
        for problem in said:
            log.warning("%s", problem)
    else:
        problems.extend(said)
    if not documents:
        raise InputError(f"{source} holds no pages")
    return documents


def read_mapping(path: Path, problems: list[str]) -> list[tuple[str, str]]:
    """Return ``(url, relative path of X.html)`` for each active line of a ``mapping.txt``.

    Lines that start with ``#`` are switched off; lines that are neither that nor a page go to
    ``problems``.
    """
    pages = []
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _MAPPING.match(line)
        if match is None:
            problems.append(f'{path.name}, line {number}: want "URL" : "path", got {line[:60]!r}')
            continue
        pages.append((match["url"], match["path"]))
    return pages


# Opening one address


def _open(address: str | Path | bytes, variant: Variant, root: Path | None) -> Document:
    if variant not in get_args(Variant):
        raise InputError(f"variant is {variant!r}, want one of {', '.join(get_args(Variant))}")
    if isinstance(address, bytes):
        return _from_bytes(address, "-")
    text = str(address)
    if text == "-":
        return _from_bytes(limited(sys.stdin.buffer.read(MAX_BYTES + 1), "the page"), "-")
    if re.match(r"https?:", text, re.IGNORECASE):
        return _live(text)
    if re.match(r"[a-z][a-z0-9+.-]+://", text, re.IGNORECASE):
        raise InputError(f"{text} is neither a file nor an http(s) address")
    package, separator, member = text.partition("!/")
    if separator and Path(package).expanduser().is_file():
        return _one_of(list_documents(package, problems=[]), member, text)
    path = Path(text).expanduser()
    if path.is_dir() or (path.is_file() and zipfile.is_zipfile(path)):
        documents = list_documents(path, variant=variant, problems=[])
        if len(documents) != 1:
            raise InputError(f"{text} holds {len(documents)} pages, name one of them")
        return documents[0]
    if not path.is_file():
        hint = f"; for a live page type https://{text}" if _HOST.match(text.split("/")[0]) else ""
        raise InputError(f"no such file: {text}{hint}")
    return _from_file(path.absolute(), variant, root)


def _one_of(documents: tuple[Document, ...], member: str, address: str) -> Document:
    for document in documents:
        if document.path == member or PurePosixPath(document.path).stem == member:
            return document
    raise InputError(f"{address}: the package has no page of this name")


def _live(address: str) -> Document:
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        host = None
    if not host:
        raise InputError(f"{address} is no address: it names no host")
    return Document(address=address, url=address)


def _from_bytes(data: bytes, address: str, **more: Any) -> Document:  # noqa: ANN401
    return Document(address=address, url=f"{SCHEME}://local/page.html", data=data, **more)


def _from_file(path: Path, variant: Variant, root: Path | None) -> Document:
    site = _site_of(path)
    if site is not None and root is None:
        shown = next((v for v in ("original", "dom", "repaired") if _is(path, v)), variant)
        return _kreuzer_document(path, site, shown, home="")
    root = (root or path.parent).resolve()
    resolved = path.resolve()
    if not resolved.is_relative_to(root):
        raise InputError(f"{path} does not lie in {root}")
    relative = resolved.relative_to(root).as_posix()
    return Document(str(path), _local_url("local", relative), root, relative)


def _site_of(path: Path) -> Path | None:
    """Return the site's folder if the file lies in Kreuzer's layout."""
    for folder in path.parents:
        if (folder / "mapping.txt").is_file() and len(path.relative_to(folder).parts) > 2:
            return folder / path.relative_to(folder).parts[0]
    return None


def _local_url(host: str, path: str) -> str:
    return f"{SCHEME}://{host.lower()}/{quote(os.fsencode(path))}"


def _with(document: Document, **changes: Any) -> Document:  # noqa: ANN401
    return replace(document, **changes) if changes else document


# Layouts


def _is(path: Path, variant: Variant) -> bool:
    return path.name.endswith(_SUFFIX[variant])


def _kreuzer_documents(folder: Path, variant: Variant, problems: list[str]) -> Iterator[Document]:
    folder = folder.resolve()
    for url, relative in read_mapping(folder / "mapping.txt", problems):
        saved = folder / relative
        if not saved.resolve().is_relative_to(folder) or len(Path(relative).parts) < 2:
            problems.append(f"mapping.txt: {relative} does not lie in a site's folder")
            continue
        document = _kreuzer_document(saved, folder / Path(relative).parts[0], variant, home=url)
        assert document.root is not None
        if not (document.root / document.path).is_file():
            problems.append(f"mapping.txt: there is no file {relative} ({variant})")
            continue
        yield document


def _kreuzer_document(path: Path, site: Path, variant: Variant, home: str) -> Document:
    """Return one variant of the page that any of its four files names."""
    base = path.name
    for suffix in (".html.orig", ".dom.html", ".blocks.html", ".html"):
        if base.endswith(suffix):
            base = base.removesuffix(suffix)
            break
    else:
        suffix = ""
    chosen = path.with_name(base + _SUFFIX[variant]) if suffix else path
    if variant == "original" and not chosen.is_file():
        chosen = path.with_name(base + ".html")  # wget keeps no copy of a page it left as it was
    relative = chosen.relative_to(site).as_posix()
    first, _, rest = relative.partition("/")
    is_host = bool(rest) and _HOST.match(first) is not None
    # The DOM holds what the scripts made of the page: they must not run a second time.
    serialised = variant in ("dom", "repaired") and bool(suffix)
    return Document(
        address=str(chosen),
        url=_local_url(first, rest) if is_host else _local_url("local", relative),
        root=site.resolve(),
        path=relative,
        charset="utf-8" if serialised else "",
        scripts=not serialised,
        viewport=KREUZER_VIEWPORT,
        title=f"{site.name}/{rest.removesuffix(chosen.name)}{base}".removesuffix("/index"),
        home=home,
        repaired=variant == "repaired" and bool(suffix),
    )


@lru_cache(maxsize=2)  # a page is asked for several times while it is worked on
def _without_marks(data: bytes) -> bytes:
    """Take ``data-block`` and ``data-block-type`` off; the answer is UTF-8 (FORMATS A2)."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return _BLOCK_MARK.sub(b"", text.encode("utf-8"))


def _package_documents(path: Path, problems: list[str]) -> Iterator[Document]:
    try:
        with zipfile.ZipFile(path) as package:
            members = package.namelist()
            described = "package.json" in members
            order = json.loads(package.read("package.json")) if described else {}
            for member in _in_order(members, order.get("documents", [])):
                meta = member.rpartition(".")[0] + ".json"
                about = _json_object(package.read(meta)) if meta in members else {}
                home = str(about.get("url") or "")
                yield Document(
                    address=f"{path}!/{member}",
                    url=_local_url("local", member),
                    path=member,
                    package=path.absolute(),
                    charset=str(about.get("encoding") or ""),
                    title=str(about.get("title") or member),
                    home=home,
                )
            for name in order.get("documents", []):
                if not any(member.startswith(f"{name}.") for member in members):
                    problems.append(f"{path.name}: package.json names {name}, which is not there")
    except (zipfile.BadZipFile, ValueError, AttributeError, OSError) as error:
        raise InputError(f"{path} is no package of pages: {error}") from error


def _in_order(members: list[str], order: list[str]) -> list[str]:
    place = {name: index for index, name in enumerate(order)}
    pages = [
        name
        for name in members
        if name.lower().endswith((".html", ".htm", ".xhtml")) and ".linked/" not in name
    ]
    return sorted(pages, key=lambda name: place.get(name.rpartition(".")[0], len(place)))


def _json_object(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _corpus_documents(folder: Path, problems: list[str]) -> Iterator[Document]:
    try:
        pages = json.loads((folder / "corpus.json").read_text("utf-8"))["pages"]
        named = [(str(p["file"]), str(p.get("title") or p["id"]), p) for p in pages]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder / 'corpus.json'} is no list of pages: {error}") from error
    for file, title, about in named:
        path = (folder / file).resolve()
        if not path.is_file() or not path.is_relative_to(folder.resolve()):
            problems.append(f"corpus.json: there is no file {file}")
            continue
        width, height = about.get("viewport", VIEWPORT)
        yield Document(
            address=str(folder / file),
            url=_local_url("local", file),
            root=folder.resolve(),
            path=file,
            scripts=bool(about.get("scripts", True)),
            viewport=(int(width), int(height)),
            title=title,
            home=str(about.get("url") or ""),
        )


def _folder_documents(folder: Path) -> Iterator[Document]:
    for where in ("*", "html/*", "*/index.*"):
        files = sorted(folder.glob(where))
        pages = [f for f in files if f.name.lower().endswith(_HTML_SUFFIXES) and f.is_file()]
        for page in pages:
            relative = page.relative_to(folder).as_posix()
            yield Document(
                str(page),
                _local_url("local", relative),
                folder.resolve(),
                relative,
                title=page.parent.name if where == "*/index.*" else page.name,
            )
        if pages:
            return


def _check(document: Document) -> None:
    """Raise `InputError` for an empty or binary document."""
    data = document.read()
    if not data.strip():
        raise InputError(f"{document.address} is empty")
    head = data[:4096]
    wide = head.startswith((b"\xff\xfe", b"\xfe\xff")) or head[:2] in (b"<\0", b"\0<")
    if (b"\0" in head and not wide) or head.startswith((b"%PDF-", b"PK\x03\x04", b"\x89PNG")):
        raise InputError(f"{document.address} is a binary file, want an HTML page")
