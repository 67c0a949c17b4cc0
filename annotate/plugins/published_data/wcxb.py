"""WCXB, the Web Content Extraction Benchmark of 2026, in its second form.

``html/ID.html.gz`` beside ``ground-truth/ID.json``, whose ``ground_truth`` has ``main_content``,
``with`` and ``without``; the whole has a folder ``dev`` and a folder ``test``, each laid out so,
and either of them or both together may be given.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from algorithms.measures.snippets import Snippets
from annotate.archives.page_files import (
    base_name,
    file_document,
    in_order,
    pages_in,
    read_json,
    texts_in,
)
from engine.document import Document
from engine.errors import InputError

_SPLITS = ("", "dev", "test")


@dataclass(frozen=True)
class WcxbPage:
    """A page and its gold.

    Attributes:
        name: The page's id, with ``dev/`` or ``test/`` before it if both were given.
        page, gold: The files.
    """

    name: str
    page: Path
    gold: Path

    def document(self) -> Document:
        """Return the page; raises `InputError` if it cannot be read."""
        return file_document(self.name, self.page)

    def text(self) -> str | None:
        """Return the gold, None if the file has none; raises `InputError` if it cannot be read."""
        text = self._truth().get("main_content")
        return text.strip() if isinstance(text, str) else None

    def snippets(self) -> Snippets:
        """Return the phrases to look for; raises `InputError` if they cannot be read."""
        truth = self._truth()
        return Snippets(texts_in(truth.get("with")), texts_in(truth.get("without")))

    def page_type(self) -> str:
        """Return the type of page, "" for none; raises `InputError` if the file cannot be read."""
        about = self._about().get("_internal")
        kind = about.get("page_type") if isinstance(about, dict) else ""
        kind = kind.get("primary") if isinstance(kind, dict) else kind
        return "collection" if kind == "category" else str(kind or "")

    def host(self) -> str:
        """Return the host of its address; raises `InputError` if the file cannot be read."""
        address = self._about().get("url")
        return (urlsplit(str(address or "")).hostname or "").removeprefix("www.")

    def _about(self) -> dict[str, Any]:
        about = read_json(self.gold)
        return about if isinstance(about, dict) else {}

    def _truth(self) -> dict[str, Any]:
        truth = self._about().get("ground_truth")
        if not isinstance(truth, dict):
            raise InputError(
                f"{self.gold} is not gold of WCXB: expected an object ground_truth in it"
            )
        return truth


def matches(folder: Path) -> bool:
    """Return whether a folder has this layout."""
    return any(_is_split(folder / split) for split in _SPLITS)


def pages(folder: Path, problems: list[str]) -> Iterator[WcxbPage]:
    """Yield the pages with gold; ``problems`` gets a sentence for each that has only one side."""
    for split in _SPLITS:
        part = folder / split
        if not _is_split(part):
            continue
        used: set[Path] = set()
        for page in pages_in(part / "html"):
            gold = part / "ground-truth" / f"{base_name(page)}.json"
            if not gold.is_file():
                problems.append(f"{page.relative_to(folder).as_posix()} has no gold text")
                continue
            used.add(gold)
            yield WcxbPage((Path(split) / base_name(page)).as_posix(), page, gold)
        for gold in sorted(set((part / "ground-truth").glob("*.json")) - used, key=in_order):
            problems.append(f"{gold.relative_to(folder).as_posix()} has no page")


def _is_split(folder: Path) -> bool:
    return (folder / "html").is_dir() and any((folder / "ground-truth").glob("*.json"))
