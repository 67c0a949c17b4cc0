"""A crawled site as the folder that data sets and the window open (formats.md#sites).

``pages/PATH`` is the page as the server sent it, ``site.json`` the list of pages, rewritten with
each, and ``archive/crawl.warc.gz`` all requests and responses.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from itertools import chain, count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from annotate.archives.page_files import PAGE_SUFFIXES, read_json
from annotate.datasets.sites import INDEX
from engine.bounded_file import atomic_write
from engine.errors import InputError, convert_os_error

ARCHIVE = "archive/crawl.warc.gz"
"""In a separate folder: a folder with archives is another layout."""

_LONGEST_NAME = 180
_SWAPPED = {"?": "_q_", ":": "_c_", "&": "_a_"}
_ODD = re.compile(r"[^\w.%=~+,@!()'-]")
_CHARSET = re.compile(r"""charset\s*=\s*["']?([\w:.-]+)""", re.IGNORECASE)


class SiteFolder:
    """The folder of one crawl.

    Args:
        folder: Made where there is none.
        address: Start address of the crawl; a folder holds one crawl.

    Raises:
        InputError: It cannot be written, or holds something else.
    """

    def __init__(self, folder: Path, address: str) -> None:
        self.folder, self.address, self.archive = folder, address, folder / ARCHIVE
        self._pages: dict[str, dict[str, Any]] = {}
        try:
            (folder / "pages").mkdir(parents=True, exist_ok=True)
            self.archive.parent.mkdir(exist_ok=True)
            is_empty = not any(folder.glob(f"{INDEX}*")) and not any((folder / "pages").iterdir())
        except (FileExistsError, NotADirectoryError):
            raise InputError(
                f"cannot write to {folder}: a file is in the way, name a folder"
            ) from None
        except OSError as error:
            raise InputError(f"cannot write to {folder}: {error.strerror or error}") from error
        if (folder / INDEX).exists():
            self._go_on()
        elif not is_empty:
            raise InputError(f"{folder} holds something else: name another folder with --out")
        else:
            self.write({})

    def __len__(self) -> int:
        return len(self._pages)

    def add(self, address: str, data: bytes, content_type: str, depth: int) -> bool:
        """Write a page; return whether it is new, which a copy of another is not."""
        digest = hashlib.sha256(data).hexdigest()
        known = self._pages.values()
        if any(address == each["url"] or digest == each["sha256"] for each in known):
            return False
        path = self._free(path_of(address))
        file = self.folder / "pages" / path
        charset = _CHARSET.search(content_type)
        with convert_os_error(f"write {file}"):
            file.parent.mkdir(parents=True, exist_ok=True)
            with atomic_write(file) as beside:
                beside.write_bytes(data)
        self._pages[path] = {
            "path": path, "url": address, "charset": charset[1] if charset else "",
            "depth": depth, "sha256": digest, "gold": False,
        }  # fmt: skip
        return True

    def write(self, left_out: Mapping[str, str]) -> None:
        """Write the list of pages, and why others are not among them, by address."""
        about = {
            "crawl": {"address": self.address, "archive": ARCHIVE, "left_out": dict(left_out)},
            "pages": list(self._pages.values()),
        }
        with atomic_write(self.folder / INDEX) as beside:
            beside.write_text(json.dumps(about, indent=1, ensure_ascii=False), "utf-8")

    def _free(self, path: str) -> str:
        """Return a path that no page has, nor needs as a folder."""
        pages = self.folder / "pages"
        head, dot, suffix = path.rpartition(".")
        candidates = chain([path], (f"{head}_{number}{dot}{suffix}" for number in count(2)))
        return next(each for each in candidates if each not in self._pages and _fits(pages, each))

    def _go_on(self) -> None:
        about = read_json(self.folder / INDEX)
        crawl = about.get("crawl") if isinstance(about, dict) else None
        if not isinstance(crawl, dict):
            raise InputError(
                f"{self.folder} holds a site that was not crawled: name another folder with --out"
            )
        if crawl.get("address") != self.address:
            raise InputError(
                f"{self.folder} holds the crawl of {crawl.get('address')}: "
                "name another folder with --out"
            )
        for each in about.get("pages", []):
            if (self.folder / "pages" / each["path"]).is_file():
                self._pages[each["path"]] = each


def path_of(address: str) -> str:
    """Return the relative path of a page below ``pages``, for its address.

    ``?``, ``:`` and ``&`` are written as ``_q_``, ``_c_`` and ``_a_``; long names end in a digest.
    """
    parts = urlsplit(address)
    names = [name for name in parts.path.split("/") if name not in ("", ".", "..")]
    if not names or parts.path.endswith("/"):
        names.append("index")
    if parts.query:
        names[-1] += f"?{parts.query}"
    if not names[-1].lower().endswith(PAGE_SUFFIXES):
        names[-1] += ".html"
    return "/".join(_named(name, is_file=k == len(names) - 1) for k, name in enumerate(names))


def _named(name: str, *, is_file: bool) -> str:
    for sign, word in _SWAPPED.items():
        name = name.replace(sign, word)
    name = _ODD.sub("_", name)
    name = name if name.strip(".") else f"_{name}"
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:12]
    return f"{name[: _LONGEST_NAME // 4]}_{digest}{'.html' if is_file else ''}"


def _fits(pages: Path, path: str) -> bool:
    file = pages / path
    if file.exists():
        return False
    return not any(above.is_file() for above in file.parents if above.is_relative_to(pages))
