"""Every data set with gold text that can be read, as one table: FORMATS A3 and A4.

One format, one module; a module says what its pages and gold are, `READERS` which there are.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from algorithms.measures.snippets import Snippets
from annotate.datasets import (
    benchmark,
    boilernet,
    ce_package,
    cleaneval,
    combined,
    dragnet,
    dragnet2,
    evaldata,
    l3s,
    readability,
    wcxb,
    webmainbench,
)
from annotate.datasets.pagefiles import in_order
from engine.document import Document
from engine.errors import InputError


class TextPage(Protocol):
    """A page of a data set; cheap, nothing but an index was read, and it may be pickled."""

    @property
    def name(self) -> str:
        """Unique in its data set."""

    def document(self) -> Document:
        """Return the page as methods are to see it; raises `InputError` if it cannot be read."""

    def text(self) -> str | None:
        """Return the main content as text, None if nobody wrote it down; raises `InputError`."""


@runtime_checkable
class HasSnippets(Protocol):
    """A page that knows phrases its main content has, or has not, beside or instead of a text."""

    def snippets(self) -> Snippets | None:
        """Return them, None if this page has none; raises `InputError`."""


@dataclass(frozen=True)
class Reader:
    """One format.

    Attributes:
        name: For people.
        layout: What it looks like, in words after "want".
        matches: Tells whether a file or folder is in it; reads a file's first line or page at most.
        pages: Yields the pages; its list gets a sentence for each page that cannot be used.
    """

    name: str
    layout: str
    matches: Callable[[Path], bool]
    pages: Callable[[Path, list[str]], Iterator[TextPage]]


READERS: tuple[Reader, ...] = (
    Reader("package", "a package zip or folder (NAME.html, NAME.txt)",
           ce_package.matches, ce_package.pages),
    Reader("article benchmark", "a folder with ground-truth.json",
           benchmark.matches, benchmark.pages),
    Reader("WCXB", "folders html and ground-truth (ID.json)", wcxb.matches, wcxb.pages),
    Reader("CleanEval", "folders original and gold", cleaneval.matches, cleaneval.pairs),
    Reader("Dragnet", "folders HTML and Corrected", dragnet.matches, dragnet.pages),
    Reader("Dragnet 2", "folders html and meta (ID.toml)", dragnet2.matches, dragnet2.pages),
    Reader("L3S-GN1", "a WARC file, or folders original and annotated", l3s.matches, l3s.pages),
    Reader("BoilerNet", "folders raw_html and prepared_html", boilernet.matches, boilernet.pages),
    Reader("Readability", "folders with source.html and expected.html",
           readability.matches, readability.pages),
    Reader("SIGIR 2023", "folders html and ground-truth (DATASET.jsonl)",
           combined.matches, combined.pages),
    Reader("WebMainBench", "a file of JSON Lines with html and main_html",
           webmainbench.matches, webmainbench.pages),
    Reader("trafilatura", "a folder with evaldata.json", evaldata.matches, evaldata.pages),
)  # fmt: skip


def read_texts(path: Path) -> tuple[str, tuple[TextPage, ...], tuple[str, ...]]:
    """Return the format's name, its pages and a sentence for each page that cannot be used.

    Raises `InputError` where there is nothing, or nothing that can be read, or two formats at once.
    Of pages that share a name the first is kept.  Folders right below with a format of their own
    get a sentence, too.
    """
    if not path.exists():
        raise InputError(f"no such file or folder: {path}")
    readers = [reader for reader in READERS if reader.matches(path)]
    if not readers:
        below = [child.name for child, _ in _below(path)]
        if below:
            raise InputError(
                f"{path} is no data set with gold text, but holds some: name one of "
                f"{', '.join(below)}"
            )
        layouts = "; ".join(reader.layout for reader in READERS)
        raise InputError(f"{path} is no data set with gold text: want {layouts}")
    if len(readers) > 1:
        names = " and of ".join(reader.name for reader in readers)
        raise InputError(f"{path} has the layout of {names}: name the folder of one of them")
    (reader,) = readers
    problems: list[str] = []
    found: dict[str, TextPage] = {}
    twice: Counter[str] = Counter()
    for page in reader.pages(path, problems):
        if found.setdefault(page.name, page) is not page:
            twice[page.name] += 1
    problems += [
        f"{name} is the name of {count + 1} pages, of which the first is read"
        for name, count in twice.items()
    ]
    problems += [
        f"{child.name} has the layout of {other.name} and is not read: name it by itself"
        for child, other in _below(path)
        if other is not reader
    ]
    if not found:
        more = f": {problems[0]}" if problems else ""
        raise InputError(f"{path} has the layout of {reader.name}, but no page with gold{more}")
    return reader.name, tuple(found.values()), tuple(problems)


def _below(path: Path) -> Iterator[tuple[Path, Reader]]:
    """Yield the folders and files right below that are in one format, with that."""
    for child in sorted(path.glob("*"), key=in_order) if path.is_dir() else ():
        if child.is_dir() or child.suffix.lower() == ".zip":
            readers = [reader for reader in READERS if reader.matches(child)]
            if len(readers) == 1:
                yield child, readers[0]
