"""File and media type for a request for a local page's resource.  No Qt.

A saved page asks for its resources in three ways: relative to itself, relative to its host's root
(``/style.css``), and by full address.  All come here as host, path and query.  Below the served
folder a resource may lie under its host's name (wget keeps hosts apart: ``cdn.example.org/a.css``)
or directly; a browser drops the ``..`` that would leave a host's root, so
``../cdn.example.org/a.css`` arrives as ``/cdn.example.org/a.css`` and is found directly.
"""

import mimetypes
import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote_to_bytes

_TYPES = mimetypes.MimeTypes()  # Python's own table: the same answer on every machine
for _type, _suffixes in (
    ("text/html", ".orig .shtml .asp .aspx .php .cfm .jsp"),
    ("text/javascript", ".js .mjs"),
    ("text/x-component", ".htc"),
    ("application/xhtml+xml", ".xhtml"),
    ("application/vnd.ms-fontobject", ".eot"),
    ("image/webp", ".webp"),
    ("image/avif", ".avif"),
    ("image/svg+xml", ".svg"),
    ("image/vnd.microsoft.icon", ".ico"),
    ("font/woff", ".woff"),
    ("font/woff2", ".woff2"),
    ("font/ttf", ".ttf"),
    ("font/otf", ".otf"),
):
    for _suffix in _suffixes.split():
        _TYPES.add_type(_type, _suffix)

_MAGIC = (
    (b"\x89PNG", "image/png"),
    (b"GIF8", "image/gif"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"RIFF", "image/webp"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"\0\1\0\0", "font/ttf"),
    (b"OTTO", "font/otf"),
    (b"%PDF-", "application/pdf"),
    (b"<?xml", "text/xml"),
    (b"<svg", "image/svg+xml"),
)


def find(root: Path, host: str, path: str, query: str = "") -> Path | None:
    """Return the file below ``root`` that answers, or None.

    Never one outside ``root``, nor one whose name, or that of a folder above it in ``root``, begins
    with a dot: a page saved into a home folder would find keys and settings there.

    Args:
        root: The served folder, resolved.
        host: As in the URL.
        path: Percent-encoded, with its leading slash.
        query: Percent-encoded, without the question mark.
    """
    inside = _decoded(path).lstrip("/")
    for name in _names(inside, query):
        for candidate in (root / host / name, root / name) if host else (root / name,):
            if (result := _file(candidate, root)) is not None:
                return result
    return None


def media_type(path: Path, head: bytes = b"", accept: str = "") -> str:
    """Return the media type to answer with, never with a charset.

    A file name that holds a query is a weak sign (``get.php?id=7``), so what the browser wants
    (``accept``, the request's header) and the first bytes decide where the name does not.
    """
    named = _TYPES.guess_type(path.name.partition("?")[0])[0]
    if accept.startswith("text/css"):
        return "text/css"
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return "image/svg+xml" if b"<svg" in head[:1024] else kind
    if named is not None:
        return named
    return "text/html" if head.lstrip()[:1] == b"<" else "application/octet-stream"


def _decoded(text: str) -> str:
    return os.fsdecode(unquote_to_bytes(text))


def _names(path: str, query: str) -> Iterator[str]:
    """Yield the names a saved resource may have, the most exact first."""
    if query:
        for mark in ("?", "@"):  # wget writes @ where a file system knows no ?
            for text in dict.fromkeys((query, _decoded(query))):
                saved = f"{path}{mark}{text}"
                yield saved
                yield f"{saved}.css"  # wget --adjust-extension
                yield f"{saved}.html"
    yield path


def _file(candidate: Path, root: Path) -> Path | None:
    try:
        # Many candidates do not exist: one system call shows it, resolving a path takes ten.
        if ".." not in candidate.parts and not candidate.exists():
            return None
        if any(
            part.startswith(".") and part != ".." for part in candidate.parts[len(root.parts) :]
        ):
            return None
        path = candidate.resolve()
        if path.is_dir():
            path = (path / "index.html").resolve()
        is_served = path.is_file() and path.is_relative_to(root)
    except (OSError, ValueError, RuntimeError):  # a name too long, a zero byte, a loop of links
        return None
    return path if is_served else None
