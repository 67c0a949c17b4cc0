"""The test pages of Readability.js: formats.md#readability.

A folder for each page with ``source.html`` and ``expected.html``; the folders lie in the one given,
or in ``test-pages`` or ``test/test-pages`` below it.  Gold is the text of the expected HTML, with a
line break where a block-level element has one: what Readability.js should give, no judge's choice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotate.archives.page_files import file_document, html_text, in_order, read_text
from engine.document import Document

_FOLDERS = ("", "test-pages", "test/test-pages")


@dataclass(frozen=True)
class ReadabilityPage:
    """A page and its gold.

    Attributes:
        name: The page's folder.
        folder: Its folder.
    """

    name: str
    folder: Path

    def document(self) -> Document:
        """Return the page; raises `InputError` if it cannot be read."""
        return file_document(self.name, self.folder / "source.html")

    def text(self) -> str:
        """Return the gold; raises `InputError` if it cannot be read."""
        return html_text(read_text(self.folder / "expected.html"))


def matches(folder: Path) -> bool:
    """Return whether a folder has this layout."""
    return next((True for _ in pages(folder, [])), False)


def pages(folder: Path, problems: list[str]) -> Iterator[ReadabilityPage]:
    """Yield the pages with gold; ``problems`` gets a sentence for each that has only one side."""
    for folder_name in _FOLDERS:
        cases = (each for each in (folder / folder_name).glob("*/") if each.is_dir())
        for case in sorted(cases, key=in_order):
            has_page = (case / "source.html").is_file()
            has_gold = (case / "expected.html").is_file()
            if has_page and has_gold:
                yield ReadabilityPage(case.name, case)
            elif has_page or has_gold:
                lack = "gold text" if has_page else "page"
                problems.append(f"{case.relative_to(folder).as_posix()} has no {lack}")
