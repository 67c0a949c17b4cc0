"""Pages of Kreuzer's data sets: ``mapping.txt`` and one folder a site, four files a page.

Source: formats.md#kreuzer.  The four files are the page's variants: ``X.html`` as saved,
``X.html.orig`` as received, ``X.dom.html`` the DOM, ``X.blocks.html`` the DOM with gold marks,
which are removed again.  On 11 of 78 pages the DOM file is another page's.  Gold blocks are
`annotate.plugins.published_data.kreuzer_blocks`'s.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from algorithms.core.attempt import BlockGold
from annotate.datasets.case_files import PageFiles, Render
from annotate.datasets.cases import BLOCKS, VARIANTS, Variant
from annotate.datasets.readers import Pages, Reader
from annotate.marks.gold import Gold
from annotate.plugins.published_data.kreuzer_blocks import (
    ENDINGS,
    blocks_of,
    gold_texts,
    read_blocks,
    read_gold,
)
from engine import bounded_file
from engine.document import Document, local_url
from engine.errors import convert_os_error
from engine.fetch import Received, read_file
from engine.page import Page

VIEWPORT = (1024, 768)
MAPPING = "mapping.txt"

_SUFFIX: dict[Variant, str] = {
    "html": ".html",
    "original": ".html.orig",
    "dom": ".dom.html",
    "repaired": ".blocks.html",
}
_LINE = re.compile(r'^\s*"(?P<url>[^"]+)"\s*:\s*"/opt/[^/"]+/(?P<path>[^"]+)"\s*,?\s*$')
_PUBLISHED = {"random": 82, "popular": 70}
"""Pages on the published lists, those switched off too."""

_ORIGIN = re.compile(r'"/opt/dataset-(\w+)/')
_BLOCK_MARK = re.compile(rb"""\sdata-block(?:-type)?\s*=\s*(?:"[^"]*"|'[^']*')""")
_HOST = re.compile(r"^(?=[^.]*\.)[A-Za-z0-9][A-Za-z0-9.-]*[A-Za-z0-9]$")


@dataclass(frozen=True)
class MarkedFile:
    """A file of gold blocks, read without their marks: the DOM that annotators saw."""

    path: Path

    def receive(self) -> Received:
        """Return the DOM as UTF-8, with any declaration."""
        return Received(_without_marks(read_file(self.path)), "utf-8")


def matches(path: Path) -> bool:
    """Return whether a folder has this layout, or is a site's folder in one that has."""
    return path.is_dir() and any((each / MAPPING).is_file() for each in (path, path.parent))


def _root(path: Path) -> Path:
    """Return the folder of the data set that a folder is, or is a site of."""
    resolved = path.resolve()
    return resolved if (resolved / MAPPING).is_file() else resolved.parent


def _files(path: Path, problems: list[str], variants: Sequence[Variant]) -> Pages:
    """Return the pages of a data set, or of one of its sites, in these variants.

    ``problems`` gets a sentence for each line that is not a page, and each file that is not there.
    """
    result: dict[str, dict[str, PageFiles]] = {}
    resolved, root = path.resolve(), _root(path)
    lines = read_mapping(root / MAPPING, problems)
    for variant in variants:
        for url, relative in lines:
            saved = root / relative
            if not saved.resolve().is_relative_to(root) or len(Path(relative).parts) < 2:
                text = f"{MAPPING}: {relative} does not lie in a site's folder"
                if text not in problems:
                    problems.append(text)
                continue
            site = root / Path(relative).parts[0]
            if resolved not in (root, site):
                continue
            document = _document(saved, site, variant, home=url)
            assert document.root is not None
            if not (document.root / document.path).is_file():
                problems.append(f"{MAPPING}: there is no file {relative} ({variant})")
                continue
            name = _saved_name((document.root / document.path).relative_to(root).as_posix())
            result.setdefault(name, {})[variant] = KreuzerFiles(variant, document)
    return result.items()


def _files_at(path: Path, variant: Variant) -> PageFiles | None:
    """Return the page that a file in this layout is; a file whose name shows its variant keeps it.

    None if the file is not in this layout.
    """
    site = _site_of(path)
    if site is None:
        return None
    named = next((v for v in ("original", "dom", "repaired") if path.name.endswith(_SUFFIX[v])), "")
    shown: Variant = next((v for v in VARIANTS if v == named), variant)
    return KreuzerFiles(shown, _document(path, site, shown, home=""))


def origin_of(path: Path) -> str:
    """Return which of Kreuzer's data sets a folder is: ``random``, ``popular``; "" for none."""
    result = set(_ORIGIN.findall(_mapping_text(_root(path) / MAPPING)))
    return result.pop() if len(result) == 1 else ""


def complete_size(path: Path) -> int:
    """Return how many pages the whole data set has that a folder is, or is a part of.

    That is its list of pages without those switched off; a list that was cut counts as one of
    which nothing is switched off (`_PUBLISHED`).
    """
    mapping = _root(path) / MAPPING
    lines = _mapping_text(mapping).split("\n")
    listed = sum(_LINE.match(line.lstrip("# \t")) is not None for line in lines)
    published = _PUBLISHED.get(origin_of(path), 0)
    return len(read_mapping(mapping, [])) if listed >= published else published


def read_mapping(path: Path, problems: list[str]) -> list[tuple[str, str]]:
    """Return ``(url, relative path of X.html)`` for each active line of a ``mapping.txt``.

    Lines that start with ``#`` are switched off; lines that are neither that nor a page go to
    ``problems``.
    """
    result = []
    for number, line in enumerate(_mapping_text(path).split("\n"), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        match = _LINE.match(line)
        if match is None:
            problems.append(
                f'{path.name}, line {number}: expected "URL" : "path", got {line[:60]!r}'
            )
            continue
        result.append((match["url"], match["path"]))
    return result


def _mapping_text(path: Path) -> str:
    with convert_os_error(f"read {path}"):
        return bounded_file.read_text(path, "replace")


def _site_of(path: Path) -> Path | None:
    """Return the site's folder if the file is in this layout."""
    for folder in path.parents:
        if (folder / MAPPING).is_file() and len(path.relative_to(folder).parts) > 2:
            return folder / path.relative_to(folder).parts[0]
    return None


def _document(path: Path, site: Path, variant: Variant, home: str) -> Document:
    """Return one variant of the page that any of its four files names."""
    suffix = next(filter(path.name.endswith, ENDINGS), "")
    base = path.name.removesuffix(suffix)
    chosen = path.with_name(base + _SUFFIX[variant]) if suffix else path
    if variant == "original" and not chosen.is_file():
        chosen = path.with_name(base + ".html")  # wget keeps no copy of a page it left as it was
    relative = chosen.relative_to(site).as_posix()
    first, _, rest = relative.partition("/")
    is_host = bool(rest) and _HOST.match(first) is not None
    # The DOM holds what the scripts made of the page: they must not run a second time.
    serialised = variant in ("dom", "repaired") and bool(suffix)
    root = site.resolve()
    return Document(
        address=str(chosen),
        url=local_url(rest, first) if is_host else local_url(relative),
        root=root,
        path=relative,
        content=MarkedFile(root / relative) if variant == "repaired" and suffix else None,
        charset="utf-8" if serialised else "",
        scripts=not serialised,
        viewport=VIEWPORT,
        title=f"{site.name}/{rest.removesuffix(chosen.name)}{base}".removesuffix("/index"),
        home=home,
    )


def _saved_name(path: str) -> str:
    """Return the name ``mapping.txt`` has for a page, of the path of one of its four files."""
    ending = next(filter(path.endswith, ENDINGS), "")
    return f"{path.removesuffix(ending)}.html" if ending else path


@lru_cache(maxsize=2)  # a page is requested several times while it is processed
def _without_marks(data: bytes) -> bytes:
    """Take ``data-block`` and ``data-block-type`` off; the answer is UTF-8 (formats.md#kreuzer)."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    return _BLOCK_MARK.sub(b"", text.encode("utf-8"))


_NOT_MARKED_HERE = "only on the repaired page do the gold blocks have a known location"


@dataclass(frozen=True)
class KreuzerFiles(PageFiles):
    """File of a page in Kreuzer's layout; its gold are texts of blocks.

    Blocks have a place on the repaired page only: its DOM is the one they were marked on.
    """

    variant: Variant
    source: Document

    @property
    def has_variants(self) -> bool:
        return True

    @property
    def gold(self) -> Path | None:
        """The file of gold blocks, if there is one."""
        return blocks_of(self.source)

    def document(self) -> Document:
        return self.source

    def marks(self, page: Page) -> Gold:
        """The blocks; on a variant they were not marked on, those found there."""
        return self.shown(page)[0]

    def blocks(self, render: Render) -> BlockGold | None:
        if self.gold is None:
            return None
        marked = read_blocks(self.gold)
        texts = [(block.text, block.level) for block in gold_texts(marked)]
        if not self._is_repaired:
            return BlockGold(texts, None, _NOT_MARKED_HERE)
        page = render()
        return BlockGold(texts, _kreuzer_gold(page, marked)[0].as_segmentation(page))

    def problems(self, render: Render) -> tuple[str, ...]:
        """Blocks that were not found on the page."""
        if self.gold is None or not self._is_repaired:
            return ()
        return _kreuzer_gold(render(), read_blocks(self.gold))[1]

    def shown(self, page: Page) -> tuple[Gold, tuple[str, ...]]:
        """The blocks found on the page, and those that were not, for all variants."""
        if self.gold is None:
            return Gold(), ()
        gold, problems = _kreuzer_gold(page, read_blocks(self.gold))
        if not self._is_repaired:
            gold = replace(gold, why_no_location=_NOT_MARKED_HERE)
        return gold, problems

    def gold_bytes(self) -> bytes:
        return b"" if self.gold is None else read_file(self.gold)

    def marked(self) -> frozenset[tuple[int, str]]:
        """Levels and types of all blocks."""
        if self.gold is None:
            return frozenset()
        return frozenset((each.level, each.type) for each in gold_texts(read_blocks(self.gold)))

    @property
    def _is_repaired(self) -> bool:
        return self.variant == "repaired"


@lru_cache(maxsize=1)
def _kreuzer_gold(page: Page, marked: str) -> tuple[Gold, tuple[str, ...]]:
    result = read_gold(page.rendered(), marked)
    texts = tuple((block.text, block.level) for block in gold_texts(marked))
    return Gold(result.gold.marks, block_texts=texts), result.problems


READER = Reader(
    "Kreuzer", "a folder with mapping.txt (X.html, X.blocks.html)",
    frozenset({BLOCKS}), matches, _files,
    has_variants=True, origin=origin_of, complete=complete_size, is_around=False,
    page_at=_files_at,
    beside=lambda page: None if blocks_of(page) is None else KreuzerFiles("html", page),
)  # fmt: skip
