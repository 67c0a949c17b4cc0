"""Dragnet's first data set, 2012: formats.md#dragnet.

``HTML/X.html`` beside ``Corrected/X.html.corrected.txt``, which holds the main text and, after a
line ``!@#$%^&*()  COMMENTS``, users' comments.  Main content is the text before that line unless
comments are requested.  The lists ``training.txt`` and ``test.txt`` are not needed to read it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from annotate.archives.page_files import file_document, in_order, pages_in, read_text
from engine.document import Document

_GOLD = ("Corrected", "corrected/Corrected", "corrected")
_SUFFIX = ".corrected.txt"
_COMMENTS = re.compile(r"^[ \t]*!@#\$%\^&\*\(\)[ \t]+COMMENTS[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class DragnetPage:
    """A page and its gold.

    Attributes:
        name: Its name in ``HTML`` and ``Corrected``.
        page, gold: The files.
        with_comments: Whether comments are main content.
    """

    name: str
    page: Path
    gold: Path
    with_comments: bool = False

    def document(self) -> Document:
        """Return the page; raises `InputError` if it cannot be read."""
        return file_document(self.name, self.page)

    def text(self) -> str:
        """Return the gold as plain text; raises `InputError` if it cannot be read."""
        return plain_gold(read_text(self.gold), self.with_comments)


def matches(folder: Path) -> bool:
    """Return whether a folder has this layout."""
    gold = _gold_folder(folder)
    return gold is not None and any(gold.glob(f"*{_SUFFIX}"))


def pages(
    folder: Path, problems: list[str], *, with_comments: bool = False
) -> Iterator[DragnetPage]:
    """Yield the pages with gold; ``problems`` gets a sentence for each that has only one side."""
    gold = _gold_folder(folder)
    if gold is None:
        return
    used: set[Path] = set()
    for page in pages_in(folder / "HTML"):
        text = gold / f"{page.name}{_SUFFIX}"
        if not text.is_file():
            problems.append(f"HTML/{page.name} has no gold text")
            continue
        used.add(text)
        yield DragnetPage(page.name.partition(".htm")[0], page, text, with_comments)
    for text in sorted(set(gold.glob(f"*{_SUFFIX}")) - used, key=in_order):
        problems.append(f"{text.relative_to(folder).as_posix()} has no page")


def plain_gold(text: str, with_comments: bool) -> str:
    """Return the main text, and the comments below it if requested."""
    main, *comments = _COMMENTS.split(text)
    parts = [main, *comments] if with_comments else [main]
    return "\n".join(part.strip() for part in parts if part.strip())


def _gold_folder(folder: Path) -> Path | None:
    if not (folder / "HTML").is_dir():
        return None
    return next((result for name in _GOLD if (result := folder / name).is_dir()), None)
