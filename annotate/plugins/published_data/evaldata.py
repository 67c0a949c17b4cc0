"""trafilatura's evaluation data: formats.md#trafilatura.

``evaldata.json``, one object: a page's address → ``file``, ``with`` and ``without``, phrases that
belong to the main content or do not.  The pages lie beside it, or in ``cache``, ``eval`` or
``html`` there.  Main content is not fully marked, so there is no gold text: these pages are for the
snippet test.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from algorithms.measures.snippets import Snippets
from annotate.archives.page_files import file_document, read_json, texts_in
from engine.document import Document
from engine.errors import InputError

INDEX = "evaldata.json"

_FOLDERS = ("cache", "eval", "html", "")


@dataclass(frozen=True)
class SnippetPage:
    """A page and what it should hold.

    Attributes:
        name: The name of its file.
        page: The file.
        home: Its web address.
        required, unwanted: Phrases of its main content, and of the rest.
    """

    name: str
    page: Path
    home: str
    required: tuple[str, ...]
    unwanted: tuple[str, ...]

    def document(self) -> Document:
        """Return the page; raises `InputError` if it cannot be read."""
        return file_document(self.name, self.page, home=self.home)

    def text(self) -> None:
        """Return None: the main content is not stored."""
        return

    def snippets(self) -> Snippets:
        """Return the phrases to look for."""
        return Snippets(self.required, self.unwanted)


def matches(folder: Path) -> bool:
    """Return whether a folder has this layout."""
    return (folder / INDEX).is_file()


def pages(folder: Path, problems: list[str]) -> Iterator[SnippetPage]:
    """Yield the pages with snippets; ``problems`` gets a sentence for each entry left out."""
    index = read_json(folder / INDEX)
    if not isinstance(index, dict):
        raise InputError(
            f"{folder / INDEX} is not a list of pages: expected an object of addresses"
        )
    seen: set[str] = set()
    for url, about in index.items():
        name = about.get("file") if isinstance(about, dict) else None
        if not isinstance(name, str) or not name or Path(name).name != name:
            problems.append(f"{INDEX}: expected the name of a file for {url}, got {name!r}")
            continue
        required, unwanted = texts_in(about.get("with")), texts_in(about.get("without"))
        page = next(
            (p for folder_name in _FOLDERS if (p := folder / folder_name / name).is_file()), None
        )
        if page is None:
            problems.append(f"{INDEX} names {name}, which has no page")
        elif name in seen:
            problems.append(f"{INDEX} names {name} twice, the second time for {url}")
        elif not required and not unwanted:
            problems.append(f"{INDEX}: {name} has no snippet")
        else:
            yield SnippetPage(name, page, url, required, unwanted)
        seen.add(name)
