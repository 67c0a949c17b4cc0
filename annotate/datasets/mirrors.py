"""Copies of sites as wget and HTTrack write them: a folder for each host, pages under any name.

A response in place of a picture or a style sheet, such as an error page, is stored there under the
picture's name, or under that of a page which others request as a picture.
"""

import os
import posixpath
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from annotate.archives.members import files_below
from engine import held_files
from engine.document import SCHEME, local_url
from engine.references import resolve_value

HEAD = 65_536
"""Bytes of a file that tell whether it is a page, and what it asks for."""

OWN_FILES = ("hts-cache", "hts-log.txt")
"""What HTTrack writes beside the hosts."""

_HOST = re.compile(r"(?=.*[a-z])[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.(?!html?$|files$)[a-z]{2,}(:\d+)?")
_ADDRESS = re.compile(r"\d{1,3}(\.\d{1,3}){3}(:\d+)?")
_OF_PAGES = (
    ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".ico", ".bmp", ".css", ".js",
    ".mjs", ".woff", ".woff2", ".ttf", ".otf", ".eot",
)  # fmt: skip
_NO_PAGE = (*_OF_PAGES, ".orig", ".txt", ".json", ".xml", ".gz", ".zip", ".pdf", ".md", ".log")
_HTML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|title)[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_ASKED = re.compile(
    rb"""<(?:img|script|input|embed)\b[^>]*?\ssrc\s*=\s*["']?([^"'\s>]+)|<link\b([^>]*)>""",
    re.IGNORECASE,
)
_HREF = re.compile(rb"""\shref\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_SHOWN = re.compile(rb"\srel\s*=\s*[\"']?[^\"'>]*(?:stylesheet|icon)", re.IGNORECASE)
_QUERY = re.compile(r"\?.*|@[^@]*=.*")
_MOST_SNIFFED = 5_000
_IN_ADDRESSES = "/?=&:@+,;~()!$'*"


def hosts_in(folder: Path) -> list[Path]:
    """Return the folders of hosts in a copy of a site; none where it is no such copy."""
    return sorted(each for each in folder.iterdir() if is_host(each.name) and each.is_dir())


def is_host(name: str) -> bool:
    """Return whether a folder is called as a host is."""
    return _HOST.fullmatch(name) is not None or _ADDRESS.fullmatch(name) is not None


def is_mirror(folder: Path) -> bool:
    """Return whether a folder was written by wget, HTTrack or a program like them."""
    return any((folder / name).exists() for name in OWN_FILES) or bool(hosts_in(folder))


def address_of(relative: str) -> tuple[str, str]:
    """Return under which address a file is shown, and the one on the web ("" if unknown).

    ``relative`` is its path below the folder of the hosts.
    """
    steps = relative.split("/")
    if len(steps) < 2 or not is_host(steps[0]) or is_host(steps[1]):
        return local_url(relative), ""
    url = f"{SCHEME}://{local_url(relative).partition('://')[2].partition('/')[2]}"
    return url, f"https://{quote(os.fsencode(relative), safe=_IN_ADDRESSES)}"


def is_page(path: Path) -> bool:
    """Return whether a file without a page's suffix contains HTML, as ``index.php?id=3``."""
    return not _plain(path.name).endswith(_NO_PAGE) and _is_html(path)


def errors_below(folder: Path) -> Iterator[str]:
    """Yield the pictures, styles, scripts and fonts below a folder that hold HTML instead."""
    named = (name for name in files_below(folder) if _plain(name).endswith(_OF_PAGES))
    return (name for name in islice(named, _MOST_SNIFFED) if _is_html(folder / name))


def asked_as_parts(heads: Mapping[str, bytes]) -> set[str]:
    """Return the files that pages ask for as pictures, styles and scripts.

    ``heads`` has the beginning of each page by its path; paths are relative to one folder.
    """
    result = set()
    for path, head in heads.items():
        for found in _ASKED.finditer(head):
            reference = found[1]
            if reference is None and _SHOWN.search(found[2]):
                link = _HREF.search(found[2])
                reference = link[1] if link else None
            if reference is not None:
                text = resolve_value(reference.decode("utf-8", "replace"))
                try:
                    inside = unquote(urlsplit(text).path)
                except ValueError:
                    continue
                result.add(posixpath.normpath(posixpath.join(posixpath.dirname(path), inside)))
    return result


def _plain(name: str) -> str:
    """Return a name in lower case without the query that wget keeps in it."""
    return _QUERY.sub("", name.lower())


def _is_html(path: Path) -> bool:
    try:
        with held_files.open_held(path) as file:
            return _HTML.match(file.read(2048)) is not None
    except OSError:
        return False
