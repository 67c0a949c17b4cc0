"""The formats marks can be exported to, as one table with the losses of each."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from annotate.marks import gold_file
from annotate.marks.gold import MAIN, Mark
from annotate.plugins.exchange import annotations, block_html, box_writers, text_writers
from annotate.plugins.exchange.marked_page import MarkedPage
from engine import plugin
from engine.errors import InputError
from engine.words import no_such, plural

ExportedMarks = Literal["marks", "main content", "blocks"]


@dataclass(frozen=True)
class ExchangeFormat:
    """Export format.

    Attributes:
        key: Its name on the command line.
        name: Its name in the window.
        writes: The files, in words.
        loses: Content of marks that is not in them, one sentence; "" for none.
        write: Writes pages into a folder and returns the files.
        comes_back: Way to read it again: by ``pagelet import``, or opened as a data set.
        flags_drafts: Whether drafts are written, marked as drafts; else they are left out.
        wants: Content that a page needs to be written.
    """

    key: str
    name: str
    writes: str
    loses: str
    write: Callable[[Sequence[MarkedPage], Path], list[Path]]
    comes_back: str
    flags_drafts: bool = False
    wants: ExportedMarks = "marks"

    def usable(self, pages: Sequence[MarkedPage]) -> list[MarkedPage]:
        """Return the pages with something to write; drafts only if the format flags them."""
        chosen = pages if self.flags_drafts else [page.without_drafts() for page in pages]
        if self.wants == "marks":
            return [page for page in chosen if page.gold.marks]
        wants = self.wants == "main content"
        return [p for p in chosen if any((m.level == MAIN) == wants for m in p.gold.marks)]


def _write_gold(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    written = []
    for marked in pages:
        path = out / f"{marked.stem}.gold.json"
        refs = marked.guideline, marked.versions
        gold_file.write(path, marked.page, marked.gold, None, *refs)
        written.append(path)
    return written


_TEXT_ONLY = "Blocks, types, and where each mark stands are lost; pages without main content too."
_BOXES_ONLY = (
    "Main content is lost, and marks of parts of texts; of a block only the box around it stays"
)

FORMATS: tuple[ExchangeFormat, ...] = (
    ExchangeFormat(
        "gold", "Pagelet gold files", "NAME.gold.json a page", "", _write_gold,
        "read where it lies beside its page", flags_drafts=True,
    ),
    ExchangeFormat(
        "webannotation", "W3C Web Annotation", "NAME.annotations.json a page",
        "Other tools find pictures without text by path alone.", annotations.write,
        "imported again",
    ),
    ExchangeFormat(
        "kreuzer", "Kreuzer's block HTML", "a folder a page with four files, and mapping.txt",
        "Main content is lost, and blocks that are parts of texts, lie in frames, or whose nodes "
        "do not stand side by side; what scripts set anew may not be found again.",
        block_html.write, "opened as a data set", wants="blocks",
    ),
    ExchangeFormat(
        "coco", "COCO", "annotations.coco.json", f"{_BOXES_ONLY}, with its paths.",
        box_writers.write_coco, "imported again", wants="blocks",
    ),
    ExchangeFormat(
        "labelme", "labelme", "NAME.labelme.json a page", f"{_BOXES_ONLY}, with its paths.",
        box_writers.write_labelme, "imported again", wants="blocks",
    ),
    ExchangeFormat(
        "label-studio", "Label Studio", "tasks.label-studio.json",
        f"{_BOXES_ONLY}, with its paths.", box_writers.write_label_studio, "imported again",
        wants="blocks",
    ),
    ExchangeFormat(
        "csv", "Table (CSV)", "marks.csv", "Parts of texts are whole texts; for reading only.",
        box_writers.write_csv, "not read again", flags_drafts=True,
    ),
    ExchangeFormat("text", "Plain text", "NAME.txt a page", _TEXT_ONLY, text_writers.write_plain,
                   "not read again", wants="main content"),
    ExchangeFormat("cleaneval", "CleanEval", "original/N.html and gold/N.txt", _TEXT_ONLY,
                   text_writers.write_cleaneval, "opened as a data set", wants="main content"),
    ExchangeFormat("benchmark", "Article-extraction benchmark", "ground-truth.json and html/",
                   _TEXT_ONLY, text_writers.write_benchmark, "opened as a data set",
                   wants="main content"),
    ExchangeFormat("wcxb", "WCXB", "ground-truth.json and html/, numbered", _TEXT_ONLY,
                   text_writers.write_wcxb, "opened as a data set", wants="main content"),
    ExchangeFormat("webmainbench", "WebMainBench", "webmainbench.jsonl", _TEXT_ONLY,
                   text_writers.write_webmainbench, "opened as a data set", wants="main content"),
    ExchangeFormat("package", "Package of pages and texts", "package.zip", _TEXT_ONLY,
                   text_writers.write_package_zip, "opened as a data set", wants="main content"),
)  # fmt: skip


@cache
def formats() -> tuple[ExchangeFormat, ...]:
    """Return all formats, those of plug-ins last."""
    return (*FORMATS, *plugin.objects("formats", ExchangeFormat))


def format_of(key: str) -> ExchangeFormat:
    """Return a format by its key; `InputError` names those there are."""
    for each in formats():
        if each.key == key:
            return each
    keys = [each.key for each in formats()]
    raise InputError(no_such("format", key, keys, "pagelet export --list"))


_BOXES = ("coco", "labelme", "label-studio")
_TEXTS = ("text", "cleaneval", "benchmark", "wcxb", "webmainbench", "package")

_SENTENCES = {
    "draft": ("1 draft is left out", "{} drafts are left out"),
    "moved": ("1 mark that moved is left out until it is confirmed",
              "{} marks that moved are left out until they are confirmed"),
    "lost": ("1 mark is not found on this page", "{} marks are not found on this page"),
    "main": ("1 mark of main content is left out", "{} marks of main content are left out"),
    "framed main": ("1 mark of main content in a frame is left out",
                    "{} marks of main content in frames are left out"),
    "part": ("1 part of a text becomes the whole text", "{} parts of texts become whole texts"),
    "block": ("1 block is left out", "{} blocks are left out"),
    "flat": ("1 block without area is left out", "{} blocks without area are left out"),
    "framed": ("1 block in a frame is left out", "{} blocks in frames are left out"),
}  # fmt: skip
"""Message for one, and for several."""


def losses(chosen: ExchangeFormat, marked: MarkedPage) -> tuple[str, ...]:
    """Return a sentence for each kind of mark on this page that is lost; none if all is kept."""
    asked = marked.gold.unconfirmed()
    drafts = sum(mark.is_draft for mark in asked)
    marked = replace(marked, gold=marked.gold.sure)
    counts = Counter(filter(None, (_loss(chosen.key, mark, marked) for mark in marked.gold.marks)))
    counts["draft"], counts["moved"] = drafts, len(asked) - drafts
    result = [
        one if counts[kind] == 1 else many.format(counts[kind])
        for kind, (one, many) in _SENTENCES.items()
        if counts[kind]
    ]
    own = sum(bool(mark.fields) for mark in marked.gold.marks)
    if own and chosen.key not in ("gold", "csv"):
        result.append(f"the guideline's own fields are left out: {plural(own, 'mark')}")
    if chosen.key == "kreuzer":
        result += block_html.marked_html(marked)[1]
    if chosen.key in _TEXTS and not marked.gold.of_level(MAIN):
        result.append("the page has no main content: it is left out")
    return tuple(result)


def _loss(key: str, mark: Mark, marked: MarkedPage) -> str:
    """Return which of `_SENTENCES` befalls a mark; "" for none."""
    if key == "gold":
        return ""
    if not mark.targets:
        return "lost"
    if key == "webannotation":
        return ""
    nodes = marked.page.rendered()
    is_framed = any(nodes.frame[target.row] > 0 for target in mark.targets)
    if key == "csv":
        return "" if all(target.is_whole for target in mark.targets) else "part"
    if mark.level == MAIN:
        if key not in _TEXTS:
            return "main"
        return "framed main" if is_framed else ""
    if key in _TEXTS:
        return "block"
    if key in _BOXES and marked.box(mark) is None:
        return "flat"
    return "framed" if key == "webis" and is_framed else ""
