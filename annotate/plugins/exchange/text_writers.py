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
from annotate.plugins.exchange.marked_page import MarkedPage, write_file, write_json


def write_plain(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``NAME.txt`` for each page."""
    return [write_file(out / f"{page.stem}.txt", page.text.encode()) for page in _with_text(pages)]


def write_cleaneval(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``original/N.html`` and ``gold/N.txt``, numbered: the layout of the CETR release."""
    written = []
    for number, page in enumerate(_with_text(pages), start=1):
        name, url = escape(page.stem), escape(page.page.url)
        encoding = page.page.source("original").encoding
        head = f'<text id="{url}" title="{name}" encoding="{encoding}">'
        data = page.document.receive().data
        original = out / "original" / f"{number}.html"
        written.append(write_file(original, head.encode() + b"\n" + data + b"\n</text>\n"))
        lines = [f"<p>{line}" for line in page.text.splitlines() if line.strip()]
        gold = "\n".join([f"URL: {page.page.url}", *lines]) + "\n"
        written.append(write_file(out / "gold" / f"{number}.txt", gold.encode()))
    return written


def write_benchmark(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``ground-truth.json`` and ``html/ID.html.gz``: the article-extraction benchmark."""
    return _ground_truth(pages, out, lambda page, _: page.page.digest)


def write_wcxb(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write the same with numbered pages, as the Web Content Extraction Benchmark has them."""
    return _ground_truth(pages, out, lambda _, number: f"{number:04d}")


def write_webmainbench(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``webmainbench.jsonl``: a line a page, its DOM with ``cc-select`` on gold."""
    rows = [
        {
            "track_id": page.page.digest[:32],
            "url": page.page.url,
            "html": page.page.source("dom").html,
            "main_html": "".join(f"<p>{escape(line)}</p>" for line in page.text.splitlines()),
            "groundtruth_content": page.text,
            "convert_main_content": page.text,
            "meta": {},
        }
        for page in _with_text(pages)
    ]
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    return [write_file(out / "webmainbench.jsonl", lines.encode("utf-8", "backslashreplace"))]


def write_package_zip(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    """Write ``package.zip``: a package of pages with gold texts and metadata."""
    predicted = [
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
    ]
    write_package(out / "package.zip", out.name, predicted)
    return [out / "package.zip"]


def _ground_truth(
    pages: Sequence[MarkedPage], out: Path, name_of: Callable[[MarkedPage, int], str]
) -> list[Path]:
    truth = {}
    written = []
    for number, page in enumerate(_with_text(pages), start=1):
        name = name_of(page, number)
        truth[name] = {"articleBody": page.text, "url": page.page.url}
        html = page.page.source("original").html.encode("utf-8", "replace")
        # No time in the header, so that the same page gives the same bytes.
        written.append(write_file(out / "html" / f"{name}.html.gz", gzip.compress(html, mtime=0)))
    return [write_json(out / "ground-truth.json", truth), *written]


def _with_text(pages: Sequence[MarkedPage]) -> list[MarkedPage]:
    return [page for page in pages if page.text]
