"""Marks of real pages out in every format and back again: what came back, counted.

Run from the repository's folder: ``python -m tests.bench.round_trips [DATASET ...] [--most N]``;
the sample pages where no data set is named, at most N pages of each (20).  Each page is rendered,
its gold written in each of the formats, and read again the way a user would: by ``pagelet import``
onto the page, as a gold file, or opened as a data set, whose pages are then rendered anew.  Counted
are blocks that hold the same texts on the same level, those of them with the same type, and pages
whose main content has the same words.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import resources
from annotate.datasets.cases import page_name
from annotate.datasets.opening import open_pages
from annotate.marks import gold_file
from annotate.marks.gold import MAIN, Gold
from annotate.plugins.exchange.formats import FORMATS, ExchangeFormat, losses
from annotate.plugins.exchange.imports import KEYS, MarkFile
from annotate.plugins.exchange.marked_page import MarkedPage
from engine.errors import PageletError
from engine.nodes import NodeTable
from engine.page import Page

Render = Callable[[object], Page]


@dataclass
class Tally:
    """What came of one format.

    Attributes:
        pages: Written.
        blocks, back, typed: Blocks there were; that came back; that did with their type.
        texts, same: Pages with main content; whose words came back the same.
        told: Kinds of loss that were said before.
        failed: Sentences on pages that did not come back at all.
    """

    pages: int = 0
    blocks: int = 0
    back: int = 0
    typed: int = 0
    texts: int = 0
    same: int = 0
    told: int = 0
    failed: tuple[str, ...] = ()


def main() -> int:
    """Print the table of each data set."""
    parser = argparse.ArgumentParser()
    parser.add_argument("datasets", nargs="*", type=Path)
    parser.add_argument("--most", type=int, default=20)
    options = parser.parse_args()
    from engine.web.headless import Browser
    from engine.web.qt_log import silence_qt_log

    silence_qt_log()
    with Browser() as browser:
        for dataset in options.datasets or [resources.path("corpus")]:
            print(f"\n{dataset.name}")
            for line in table(
                marked_pages(dataset, browser.capture, options.most), browser.capture
            ):
                print(line, flush=True)
    return 0


def marked_pages(dataset: Path, capture: Render, most: int) -> list[MarkedPage]:
    """Return pages of a data set with their gold, rendered; evenly taken from all of it."""
    opened = open_pages(dataset)
    pairs = list(zip(opened.documents, opened.files, strict=True))
    result = []
    for document, files in pairs[:: max(1, len(pairs) // most)][:most]:
        try:
            page = capture(document)
            gold, _ = files.shown(page)
        except PageletError as error:
            print(f"{page_name(document)}: {error}", file=sys.stderr)
            continue
        if gold.marks:
            result.append(MarkedPage(page_name(document), document, page, gold))
    return result


def table(pages: Sequence[MarkedPage], capture: Render) -> list[str]:
    """Return the lines of the table."""
    head = f"{'format':<15}{'pages':>6}{'blocks back':>14}{'with type':>12}{'same text':>12}"
    lines = [f"{head}  said to be lost"]
    for entry in FORMATS:
        tally = trip(entry, pages, capture)
        blocks = f"{tally.back}/{tally.blocks}" if tally.blocks else "–"
        typed = f"{tally.typed}/{tally.blocks}" if tally.blocks else "–"
        texts = f"{tally.same}/{tally.texts}" if tally.texts else "–"
        text = entry.loses or "nothing"
        lines.append(f"{entry.key:<15}{tally.pages:>6}{blocks:>14}{typed:>12}{texts:>12}  {text}")
        lines += [f"{'':<15}{each}" for each in tally.failed[:3]]
    return lines


def trip(entry: ExchangeFormat, pages: Sequence[MarkedPage], capture: Render) -> Tally:
    """Write all pages in a format, read them again, and count what came back."""
    tally = Tally(pages=len(pages))
    for marked in pages:
        tally.told += bool(losses(entry, marked))
        with tempfile.TemporaryDirectory() as position:
            out = Path(position)
            try:
                written = entry.write([marked], out)
                _read(entry, marked, out, written, capture, tally)
            except PageletError as error:
                tally.failed += (f"{marked.name}: {error}",)
    return tally


def _read(
    entry: ExchangeFormat,
    marked: MarkedPage,
    out: Path,
    written: Sequence[Path],
    capture: Render,
    tally: Tally,
) -> None:
    has_text = bool(marked.gold.of_level(MAIN))
    if entry.key == "gold":
        back = gold_file.read(written[0], marked.page.rendered())
        _count(tally, marked, marked.page, back)
        _count_text(tally, marked, replace(marked, gold=back).text)
    elif entry.key in KEYS:
        read = MarkFile(written[0], entry.key)
        name = read.name_of(marked.name, marked.document)
        gold = Gold() if name is None else read.marks(name, marked.page).gold
        _count(tally, marked, marked.page, gold)
        if entry.key == "webannotation":
            _count_text(tally, marked, replace(marked, gold=gold).text)
    elif entry.key in ("kreuzer", "webis"):
        opened = open_pages(out)
        page = capture(opened.documents[0])
        gold, _ = opened.files[0].shown(page)
        _count(tally, marked, page, gold)
    elif entry.key == "text" and has_text:
        _count_text(tally, marked, written[0].read_text("utf-8"))
    elif entry.key != "csv" and has_text:
        opened = open_pages(written[0] if entry.key in ("package", "webmainbench") else out)
        _count_text(tally, marked, opened.files[0].text(lambda: marked.page))


def _count(tally: Tally, marked: MarkedPage, page: Page, back: Gold) -> None:
    """Count blocks that came back: on a page rendered anew they are the same by their texts."""
    expected, result = _blocks(marked.page, marked.gold), _blocks(page, back)
    tally.blocks += sum(expected.values())
    tally.typed += sum((expected & result).values())
    tally.back += sum((_untyped(expected) & _untyped(result)).values())


def _blocks(page: Page, gold: Gold) -> "Counter[tuple[int, str, str]]":
    nodes = page.rendered()
    return Counter(
        (mark.level, mark.type.replace(" ", "").casefold(),
         " ".join(_text(nodes, target.row) for target in mark.targets))
        for level in (1, 2)
        for mark in gold.of_level(level)
    )  # fmt: skip


def _untyped(blocks: "Counter[tuple[int, str, str]]") -> "Counter[tuple[int, str]]":
    result: Counter[tuple[int, str]] = Counter()
    for (level, _, text), count in blocks.items():
        result[level, text] += count
    return result


def _text(nodes: NodeTable, row: int) -> str:
    below = range(row, int(nodes.end[row]))
    return " ".join("".join(nodes.text[each] for each in below if nodes.is_text[each]).split())


def _count_text(tally: Tally, marked: MarkedPage, back: str) -> None:
    if marked.gold.of_level(MAIN):
        tally.texts += 1
        tally.same += back.split() == marked.text.split()


if __name__ == "__main__":
    sys.exit(main())
