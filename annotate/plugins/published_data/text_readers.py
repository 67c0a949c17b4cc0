"""Layouts of published data sets with gold text; the longer ones have a module each."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from algorithms.measures.snippets import Snippets
from annotate.archives.page_files import (
    PageWithGold,
    base_name,
    find_page,
    html_text,
    in_order,
    lines_of,
    object_of,
    pages_in,
    pair_files,
    read_json,
    read_line,
    read_text,
    texts_in,
)
from annotate.datasets.cases import TEXT
from annotate.datasets.readers import Reader, text_pages
from annotate.plugins.published_data import boilernet, cleaneval, webmainbench
from annotate.plugins.published_data.markdown import plain_text
from engine.bounded_file import Stamp, stamp_of
from engine.document import Document, local_url
from engine.errors import InputError


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _snippets(about: dict[str, Any]) -> Snippets:
    return Snippets(texts_in(about.get("with")), texts_in(about.get("without")))


def _parts(folder: Path, gold: str, *below: str) -> list[Path]:
    """Return the folder and those ``below`` it that have a folder ``html`` and files of gold."""
    parts = [folder / name for name in ("", *below)]
    return [part for part in parts if (part / "html").is_dir() and any(part.glob(gold))]


class DragnetPage(PageWithGold):
    """Page of Dragnet's first data set, 2012: formats.md#dragnet.

    ``HTML/X.html`` beside ``Corrected/X.html.corrected.txt``, which holds the main text and, after
    a line ``!@#$%^&*()  COMMENTS``, users' comments, which are not main content.  The lists
    ``training.txt`` and ``test.txt`` are not needed to read it.
    """

    def text(self) -> str:
        return _COMMENTS.split(read_text(self.gold), maxsplit=1)[0].strip()


_COMMENTS = re.compile(r"^[ \t]*!@#\$%\^&\*\(\)[ \t]+COMMENTS[ \t]*$", re.MULTILINE)


def _corrected(folder: Path) -> Path | None:
    folders = [folder / name for name in ("Corrected", "corrected/Corrected", "corrected")]
    return next(filter(Path.is_dir, folders), None) if (folder / "HTML").is_dir() else None


def _is_dragnet(folder: Path) -> bool:
    gold = _corrected(folder)
    return gold is not None and any(gold.glob("*.corrected.txt"))


def _dragnet(folder: Path, problems: list[str]) -> Iterator[DragnetPage]:
    gold = _corrected(folder) or folder
    pages, golds = pages_in(folder / "HTML"), gold.glob("*.corrected.txt")
    for page, text in pair_files(
        folder, pages, golds, lambda page: gold / f"{page.name}.corrected.txt", problems
    ):
        yield DragnetPage(page.name.partition(".htm")[0], page, text)


class Dragnet2Page(PageWithGold):
    """Page of Dragnet's second data set, 2020: formats.md#dragnet-2.

    ``data/html/ID.html`` beside ``data/meta/ID.toml``, whose ``text`` is the main content and
    ``url`` where the page was; either the folder or its ``data`` may be given.  Sub-titles, pull
    quotes and captions one can see belong to the text; bylines, dates, comments and links to other
    articles do not.
    """

    def text(self) -> str | None:
        try:
            text = tomllib.loads(read_text(self.gold)).get("text")
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{self.gold} is not TOML: {error}") from None
        return text.strip() if isinstance(text, str) else None


class WcxbPage(PageWithGold):
    """Page of WCXB, the Web Content Extraction Benchmark of 2026, in its second form.

    ``html/ID.html.gz`` beside ``ground-truth/ID.json``, whose ``ground_truth`` has
    ``main_content``, ``with`` and ``without``; the whole has a folder ``dev`` and a folder
    ``test``, each laid out so, and either of them or both together may be given.
    """

    def text(self) -> str | None:
        text = self._truth().get("main_content")
        return text.strip() if isinstance(text, str) else None

    def snippets(self) -> Snippets:
        """Return the phrases to look for; raises `InputError` if they cannot be read."""
        return _snippets(self._truth())

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
        if isinstance(truth, dict):
            return truth
        raise InputError(f"{self.gold} is not gold of WCXB: expected an object ground_truth in it")


def _by_id(
    folder: Path, part: Path, gold: str, problems: list[str]
) -> Iterator[tuple[str, Path, Path]]:
    """Yield id, page and gold of the pages in ``html``, whose gold has its name from its page."""
    pages, golds = pages_in(part / "html"), part.glob(gold)
    for page, file in pair_files(
        folder, pages, golds, lambda page: part / gold.replace("*", base_name(page)), problems
    ):
        yield base_name(page), page, file


_DRAGNET_2 = "meta/*.toml", "data"
_WCXB = "ground-truth/*.json", "dev", "test"
_COMBINED = "ground-truth/*.jsonl", "combined"


def _dragnet_2(folder: Path, problems: list[str]) -> Iterator[Dragnet2Page]:
    for data in _parts(folder, *_DRAGNET_2)[:1]:
        for found in _by_id(folder, data, _DRAGNET_2[0], problems):
            yield Dragnet2Page(*found)


def _wcxb(folder: Path, problems: list[str]) -> Iterator[WcxbPage]:
    for part in _parts(folder, *_WCXB):
        for name, page, gold in _by_id(folder, part, _WCXB[0], problems):
            yield WcxbPage((part.relative_to(folder) / name).as_posix(), page, gold)


class ReadabilityPage(PageWithGold):
    """Test page of Readability.js: formats.md#readability.

    A folder for each page with ``source.html`` and ``expected.html``; the folders lie in the one
    given, or in ``test-pages`` or ``test/test-pages`` below it.  Gold is the text of the expected
    HTML, with a line break where a block-level element has one: what Readability.js should give,
    no judge's choice.
    """

    def text(self) -> str:
        return html_text(read_text(self.gold))


def _readability(folder: Path, problems: list[str]) -> Iterator[ReadabilityPage]:
    for above in (folder, folder / "test-pages", folder / "test/test-pages"):
        for case in sorted(filter(Path.is_dir, above.glob("*/")), key=in_order):
            page, gold = case / "source.html", case / "expected.html"
            if page.is_file() and gold.is_file():
                yield ReadabilityPage(case.name, page, gold)
            elif page.is_file() or gold.is_file():
                lack = "gold text" if page.is_file() else "page"
                problems.append(f"{case.relative_to(folder).as_posix()} has no {lack}")


class DefuddlePage(PageWithGold):
    """Test page of Defuddle: formats.md#defuddle.

    ``fixtures/NAME.html`` beside ``expected/NAME.md``: fields as JSON, then the Markdown that
    Defuddle should give, no judge's choice.  Gold is the text of that Markdown.
    """

    def text(self) -> str:
        return plain_text(self.markdown())

    def markdown(self) -> str:
        """Return the expected Markdown without the fields; raises `InputError`."""
        return _FIELDS.sub("", read_text(self.gold)).strip()


_FIELDS = re.compile(r"\A```json.*?^```(?:\n|\Z)", re.DOTALL | re.MULTILINE)


def is_defuddle(folder: Path) -> bool:
    """Return whether a folder is laid out as Defuddle's tests are."""
    return (folder / "fixtures").is_dir() and any(folder.glob("expected/*.md"))


def defuddle(folder: Path, problems: list[str]) -> Iterator[DefuddlePage]:
    """Yield the pages; ``problems`` gets a sentence for each file without its other."""
    pages, golds = pages_in(folder / "fixtures"), folder.glob("expected/*.md")
    for page, gold in pair_files(
        folder, pages, golds, lambda page: folder / f"expected/{base_name(page)}.md", problems
    ):
        yield DefuddlePage(base_name(page), page, gold)


@dataclass(frozen=True)
class BenchmarkPage(PageWithGold):
    """Page of the article-extraction benchmark (Scrapinghub, now Zyte), or of WCXB's first form.

    ``ground-truth.json`` names each page's ``articleBody``; the pages are ``html/ID.html.gz``, or
    plain, or lie beside it.  WCXB adds ``with`` and ``without``: phrases that belong to the article
    or do not.  Format: formats.md#article-benchmark.
    """

    def document(self) -> Document:
        folder = self.gold.parent
        path = self.page.relative_to(folder).as_posix()
        return Document(
            address=str(self.page),
            url=local_url(path),
            root=folder,
            path=path,
            title=self.name,
            home=self.home,
        )

    def text(self) -> str | None:
        return _string(self._entry().get("articleBody"))

    def snippets(self) -> Snippets | None:
        """Return the phrases to look for, None if the benchmark has none; raises `InputError`."""
        entry = self._entry()
        return _snippets(entry) if "with" in entry or "without" in entry else None

    def _entry(self) -> dict[str, Any]:
        entry = _read_entries(self.gold, stamp_of(self.gold)).get(self.name)
        return entry if isinstance(entry, dict) else {}


@lru_cache(maxsize=2)
def _read_entries(path: Path, _stamp: Stamp) -> dict[str, Any]:
    entries = read_json(path)
    if not isinstance(entries, dict):
        raise InputError(f"{path} is no benchmark's gold: expected an object of articles")
    return entries


def _benchmark(folder: Path, problems: list[str]) -> Iterator[BenchmarkPage]:
    gold = folder.resolve() / "ground-truth.json"
    entries = _read_entries(gold, stamp_of(gold))
    html = gold.with_name("html") if gold.with_name("html").is_dir() else gold.parent
    for name, entry in entries.items():
        page = None if "/" in name or "\\" in name else find_page(html, name)
        if page is None:
            problems.append(f"{gold.name} names {name}, which has no page")
        else:
            home = entry.get("url") if isinstance(entry, dict) else ""
            yield BenchmarkPage(name, page, gold, _string(home) or "")
    for page in pages_in(html):
        if base_name(page) not in entries:
            problems.append(f"{page.relative_to(gold.parent).as_posix()} has no gold text")


@dataclass(frozen=True, kw_only=True)
class SnippetPage(PageWithGold):
    """Page of trafilatura's evaluation data: formats.md#trafilatura.

    ``evaldata.json``, one object: a page's address → ``file``, ``with`` and ``without``, phrases
    that belong to the main content or do not.  The pages lie beside it, or in ``cache``, ``eval``
    or ``html`` there.  Main content is not fully marked, so there is no gold text: these pages are
    for the snippet test.
    """

    phrases: Snippets

    def text(self) -> None:
        return

    def snippets(self) -> Snippets:
        """Return the phrases to look for."""
        return self.phrases


def _evaldata(folder: Path, problems: list[str]) -> Iterator[SnippetPage]:
    gold = folder / "evaldata.json"
    index = read_json(gold)
    if not isinstance(index, dict):
        raise InputError(f"{gold} is not a list of pages: expected an object of addresses")
    seen: set[str] = set()
    for url, about in index.items():
        name = about.get("file") if isinstance(about, dict) else None
        if not isinstance(name, str) or not name or Path(name).name != name:
            problems.append(f"{gold.name}: expected the name of a file for {url}, got {name!r}")
            continue
        phrases = _snippets(about)
        places = (folder / below / name for below in ("cache", "eval", "html", ""))
        page = next(filter(Path.is_file, places), None)
        if page is None:
            problems.append(f"{gold.name} names {name}, which has no page")
        elif name in seen:
            problems.append(f"{gold.name} names {name} twice, the second time for {url}")
        elif not phrases.required and not phrases.unwanted:
            problems.append(f"{gold.name}: {name} has no snippet")
        else:
            yield SnippetPage(name, page, gold, url, phrases=phrases)
        seen.add(name)


@dataclass(frozen=True, kw_only=True)
class CombinedPage(PageWithGold):
    """Page of the combined form of the SIGIR 2023 study: formats.md#sigir-2023.

    Eight data sets in one shape: ``html/DATASET/ID.html``, all UTF-8, beside
    ``ground-truth/DATASET.jsonl``, a line a page with ``page_id`` and ``plaintext``; the two
    folders lie in the one given or in ``combined`` below it.  Bevendorff et al., "An Empirical
    Comparison of Web Content Extraction Algorithms", SIGIR 2023.

    Attributes:
        offset, length: Bytes of the page's line in the file of gold.
    """

    offset: int
    length: int
    charset = "utf-8"

    def text(self) -> str | None:
        return _string(read_line(self.gold, self.offset, self.length).get("plaintext"))


def _combined(folder: Path, problems: list[str]) -> Iterator[CombinedPage]:
    root = _parts(folder, *_COMBINED)[0]
    for gold in sorted(root.glob(_COMBINED[0]), key=in_order):
        html = root / "html" / gold.stem
        seen: set[str] = set()
        for number, (offset, length, line) in enumerate(lines_of(gold), start=1):
            where = f"{gold.name}, page {number}"
            try:
                about = object_of(line, where)
            except InputError as error:
                problems.append(str(error))
                continue
            base = about.get("page_id")
            if not isinstance(base, str) or not base or "/" in base or "\\" in base:
                problems.append(f"{where}: expected a page_id, got {base!r}")
            elif base in seen:
                problems.append(f"{where}: {base} has gold above already")
            elif (page := find_page(html, base)) is None:
                problems.append(f"{where}: {base} has no page")
            else:
                home = _string(about.get("url")) or ""
                name = f"{gold.stem}/{base}"
                yield CombinedPage(name, page, gold, home, offset=offset, length=length)
            if isinstance(base, str):
                seen.add(base)
        for page in pages_in(html):
            if base_name(page) not in seen:
                problems.append(f"{page.relative_to(folder).as_posix()} has no gold text")


_TEXT = frozenset({TEXT})

READERS = (
    Reader("article benchmark", "a folder with ground-truth.json", _TEXT,
           lambda folder: (folder / "ground-truth.json").is_file(), text_pages(_benchmark)),
    Reader("WCXB", "folders html and ground-truth (ID.json)", _TEXT,
           lambda folder: bool(_parts(folder, *_WCXB)), text_pages(_wcxb)),
    Reader("CleanEval", "folders original and gold", _TEXT,
           cleaneval.matches, text_pages(cleaneval.pairs), around=cleaneval.is_pair),
    Reader("Dragnet", "folders HTML and Corrected", _TEXT, _is_dragnet, text_pages(_dragnet)),
    Reader("Dragnet 2", "folders html and meta (ID.toml)", _TEXT,
           lambda folder: bool(_parts(folder, *_DRAGNET_2)), text_pages(_dragnet_2)),
    Reader("BoilerNet", "folders raw_html and prepared_html", _TEXT,
           boilernet.matches, text_pages(boilernet.pages)),
    Reader("Readability", "folders with source.html and expected.html", _TEXT,
           lambda folder: any(True for _ in _readability(folder, [])), text_pages(_readability)),
    Reader("Defuddle", "folders fixtures and expected (NAME.md)", _TEXT,
           is_defuddle, text_pages(defuddle)),
    Reader("SIGIR 2023", "folders html and ground-truth (DATASET.jsonl)", _TEXT,
           lambda folder: bool(_parts(folder, *_COMBINED)), text_pages(_combined)),
    Reader("WebMainBench", "a file of JSON Lines with html and main_html", _TEXT,
           webmainbench.matches, text_pages(webmainbench.pages), is_around=False),
    Reader("trafilatura", "a folder with evaldata.json", _TEXT,
           lambda folder: (folder / "evaldata.json").is_file(), text_pages(_evaldata)),
)  # fmt: skip
