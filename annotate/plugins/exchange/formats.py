"""The formats marks can be exported to, as one table with the losses of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from annotate.marks import gold_file
from annotate.marks.gold import MAIN, Mark
from annotate.plugins.exchange import annotations, block_html, boxes, texts
from annotate.plugins.exchange.marked_page import MarkedPage
from engine import plugin
from engine.errors import InputError
from engine.words import no_such

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
        return [page for page in chosen if any(map(self._takes, page.gold.marks))]

    def _takes(self, mark: Mark) -> bool:
        return self.wants == "marks" or (mark.level == MAIN) == (self.wants == "main content")


def _write_gold(pages: Sequence[MarkedPage], out: Path) -> list[Path]:
    written = []
    for marked in pages:
        path = out / f"{marked.stem}.gold.json"
        gold_file.write(path, marked.page, marked.gold, guideline=marked.guideline)
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
        boxes.write_coco, "imported again", wants="blocks",
    ),
    ExchangeFormat(
        "labelme", "labelme", "NAME.labelme.json a page", f"{_BOXES_ONLY}, with its paths.",
        boxes.write_labelme, "imported again", wants="blocks",
    ),
    ExchangeFormat(
        "label-studio", "Label Studio", "tasks.label-studio.json",
        f"{_BOXES_ONLY}, with its paths.", boxes.write_label_studio, "imported again",
        wants="blocks",
    ),
    ExchangeFormat(
        "csv", "Table (CSV)", "marks.csv", "Parts of texts are whole texts; for reading only.",
        boxes.write_csv, "not read again", flags_drafts=True,
    ),
    ExchangeFormat("text", "Plain text", "NAME.txt a page", _TEXT_ONLY, texts.write_plain,
                   "not read again", wants="main content"),
    ExchangeFormat("cleaneval", "CleanEval", "original/N.html and gold/N.txt", _TEXT_ONLY,
                   texts.write_cleaneval, "opened as a data set", wants="main content"),
    ExchangeFormat("benchmark", "Article-extraction benchmark", "ground-truth.json and html/",
                   _TEXT_ONLY, texts.write_benchmark, "opened as a data set", wants="main content"),
    ExchangeFormat("wcxb", "WCXB", "ground-truth.json and html/, numbered", _TEXT_ONLY,
                   texts.write_wcxb, "opened as a data set", wants="main content"),
    ExchangeFormat("webmainbench", "WebMainBench", "webmainbench.jsonl", _TEXT_ONLY,
                   texts.write_webmainbench, "opened as a data set", wants="main content"),
    ExchangeFormat("package", "Package of pages and texts", "package.zip", _TEXT_ONLY,
                   texts.write_package_zip, "opened as a data set", wants="main content"),
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
