"""Dragnet's second data set, 2020: formats.md#dragnet-2.

``data/html/ID.html`` beside ``data/meta/ID.toml``, whose ``text`` is the main content and ``url``
where the page was; either the folder or its ``data`` may be given.  Sub-titles, pull quotes and
captions one can see belong to the text; bylines, dates, comments and links to other articles do
not.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotate.archives.page_files import base_name, file_document, in_order, pages_in, read_text
from engine.document import Document
from engine.errors import InputError


@dataclass(frozen=True)
class Dragnet2Page:
    """A page and its gold.

    Attributes:
        name: The page's id.
        page, about: The files.
    """

    name: str
    page: Path
    about: Path

    def document(self) -> Document:
        """Return the page; raises `InputError` if it cannot be read."""
        return file_document(self.name, self.page)

    def text(self) -> str | None:
        """Return the gold, None if the file has none; raises `InputError` if it cannot be read."""
        text = _read(self.about).get("text")
        return text.strip() if isinstance(text, str) else None


def matches(folder: Path) -> bool:
    """Return whether a folder has this layout."""
    return _data(folder) is not None


def pages(folder: Path, problems: list[str]) -> Iterator[Dragnet2Page]:
    """Yield the pages with gold; ``problems`` gets a sentence for each that has only one side."""
    data = _data(folder)
    if data is None:
        return
    used: set[Path] = set()
    for page in pages_in(data / "html"):
        about = data / "meta" / f"{base_name(page)}.toml"
        if not about.is_file():
            problems.append(f"{page.relative_to(folder).as_posix()} has no gold text")
            continue
        used.add(about)
        yield Dragnet2Page(base_name(page), page, about)
    for about in sorted(set((data / "meta").glob("*.toml")) - used, key=in_order):
        problems.append(f"{about.relative_to(folder).as_posix()} has no page")


def _data(folder: Path) -> Path | None:
    """Return the folder with ``html`` and ``meta``, None if there is none."""
    for data in (folder, folder / "data"):
        if (data / "html").is_dir() and any((data / "meta").glob("*.toml")):
            return data
    return None


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not TOML: {error}") from None
