"""Main content as text, in the layouts of data sets of content extraction.

All keep the page's bytes as received beside the text, so that a method reads what Pagelet's read;
plain text is the text alone.  Blocks, types and the place of each mark are lost: a text has none.
Pages without main content are left out.
"""

import gzip
import json
from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path

from annotate.evaluation.store.predictions import PredictedPage, write_package
from annotate.plugins.exchange.marked_page import MarkedPage
from engine.whole_file import atomic_write


def write_plain(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``NAME.txt`` for each page."""
    return [_write(out / f"{page.stem}.txt", page.text.encode()) for page in _with_text(pages)]


def write_cleaneval(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``original/N.html`` and ``gold/N.txt``, numbered: the layout of the CETR release."""
    written = []
    for number, page in enumerate(_with_text(pages), start=1):
        name = escape(page.stem, quote=True)
        url = escape(page.page.url, quote=True)
        head = (
            f'<text id="{url}" title="{name}" encoding="{page.page.source("original").encoding}">'
        )
        data = page.document.receive().data
        original = out / "original" / f"{number}.html"
        written.append(_write(original, head.encode() + b"\n" + data + b"\n</text>\n"))
        lines = [f"<p>{line}" for line in page.text.splitlines() if line.strip()]
        gold = "\n".join([f"URL: {page.page.url}", *lines]) + "\n"
        written.append(_write(out / "gold" / f"{number}.txt", gold.encode()))
    return written


def write_benchmark(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``ground-truth.json`` and ``html/ID.html.gz``: the article-extraction benchmark."""
    return _ground_truth(pages, out, lambda page: page.page.digest)


def write_wcxb(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write the same with numbered pages, as the Web Content Extraction Benchmark has them."""
    numbers = {id(page): f"{n:04d}" for n, page in enumerate(_with_text(pages), start=1)}
    return _ground_truth(pages, out, lambda page: numbers[id(page)])


def write_webmainbench(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``webmainbench.jsonl``: a line a page, its DOM with ``cc-select`` on gold."""
    lines = []
    for page in _with_text(pages):
        lines.append(
            json.dumps(
                {
                    "track_id": page.page.digest[:32],
                    "url": page.page.url,
                    "html": page.page.source("dom").html,
                    "main_html": "".join(f"<p>{escape(x)}</p>" for x in page.text.splitlines()),
                    "groundtruth_content": page.text,
                    "convert_main_content": page.text,
                    "meta": {},
                },
                ensure_ascii=False,
            )
        )
    return [_write(out / "webmainbench.jsonl", "".join(f"{line}\n" for line in lines).encode())]


def write_package_zip(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``package.zip``: a package of pages with gold texts and metadata."""
    path = out / "package.zip"
    write_package(
        path,
        out.name,
        [
            PredictedPage(
                page.stem,
                page.document.receive().data,
                page.text,
                {
                    "url": page.page.url,
                    "title": page.page.title,
                    "encoding": page.page.source("original").encoding,
                },
            )
            for page in _with_text(pages)
        ],
    )
    return [path]


def _ground_truth(
    pages: Sequence[MarkedPage], out: Path, name_of: Callable[[MarkedPage], str]
) -> list[Path]:
    truth = {}
    written = []
    for page in _with_text(pages):
        name = name_of(page)
        truth[name] = {"articleBody": page.text, "url": page.page.url}
        html = page.page.source("original").html.encode("utf-8", "replace")
        # No time in the header, so that the same page gives the same bytes.
        written.append(_write(out / "html" / f"{name}.html.gz", gzip.compress(html, mtime=0)))
    content = json.dumps(truth, ensure_ascii=False, indent=1).encode()
    return [_write(out / "ground-truth.json", content), *written]


def _with_text(pages: Sequence[MarkedPage]) -> list[MarkedPage]:
    return [page for page in pages if page.text]


def _write(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as file:
        file.write_bytes(data)
    return path
