"""The five metrics of WebMainBench for the Markdown of methods: text, code, formula, table, TEDS.

Source: the definitions of Liu et al., "Dripper", arXiv 2511.23119, as its metrics have them in
2026.  Each of the first four is 1 - Levenshtein distance / length of the longer text.  Text is all
of the Markdown; code its fenced blocks; formulas what stands between dollar signs or in
``\\(``, ``\\[`` outside code; a table is compared by its rows and by TEDS, the first one of the
page, empty cells left out.  Where neither side has any there is no value; a page's overall score is
the mean of its values, a method's the mean over pages.
Departures: ``th`` and ``thead`` count as ``td`` and no element; indented code is text; other tables
of a page are not read.  TEDS is that of trees: the published code (webmainbench 0.1.0) gives its
tree distance one text for each table, so that its value is near 1 wherever both have a table.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from lxml import etree
from lxml import html as lxml_html
from rapidfuzz.distance import Levenshtein

from algorithms.measures.table_distance import teds_of_pairs
from algorithms.results import Extraction
from algorithms.structure import form_of
from annotate.evaluation.run.plan import Chosen
from engine.errors import PageletError
from engine.source import Source

MarkdownPage = tuple[str, Source, str]
"""Name, source, and Markdown as gold."""

METRICS = ("text", "code", "formula", "table", "TEDS")

_FENCE = re.compile(r"```[^\n]*\n(.*?)\n?```", re.DOTALL)
_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)
_FORMULAS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"(?<!\\)\$\$(.*?)(?<!\\)\$\$", r"(?<!\\)\\\[(.{0,2000}?)(?<!\\)\\\]",
        r"(?<!\\)\$(.*?)(?<!\\)\$", r"(?<!\\)\\\((.{0,2000}?)(?<!\\)\\\)",
    )
)  # fmt: skip
"""Prices are formulas, too, as in the published code; letters between brackets are bounded."""

_RULE = re.compile(r"\|?(?:\s*:?-{3,}:?\s*\|)+\s*(?::?-{3,}:?)?\s*")


def scores(markdown: str, gold: str) -> dict[str, float]:
    """Return the metrics that have a value; with ``overall``, their mean."""
    result = {}
    for name, read in (("text", str), ("code", code), ("formula", formulas), ("table", rows)):
        mine, other = read(markdown), read(gold)
        if mine or other:
            result[name] = 1 - Levenshtein.distance(mine, other) / max(len(mine), len(other))
    tables = first_table(markdown), first_table(gold)
    if any(table is not None for table in tables):
        both = all(table is not None for table in tables)
        result["TEDS"] = float(teds_of_pairs(*([table] for table in tables))[0, 0]) if both else 0.0
    return result | {"overall": fmean(result.values())} if result else {}


def code(markdown: str) -> str:
    """Return the fenced blocks of code."""
    return "\n".join(filter(None, _FENCE.findall(markdown)))


def formulas(markdown: str) -> str:
    """Return the formulas outside code, in the order of their signs, then of the text."""
    text = _CODE.sub("", markdown)
    found = (match.strip() for pattern in _FORMULAS for match in pattern.findall(text))
    return "\n".join(filter(None, found))


def first_table(markdown: str) -> Any:  # noqa: ANN401
    """Return the first table, as HTML or of lines with bars; None where there is none."""
    at = re.search(r"<table\b", markdown, re.IGNORECASE)
    if at is not None:
        table = next(lxml_html.document_fromstring(markdown[at.start() :]).iter("table"))
    else:
        lines = markdown.split("\n")
        head = next((k for k in range(1, len(lines)) if _is_table(lines[k - 1], lines[k])), 0)
        if not head:
            return None
        table = lxml_html.Element("table")
        for line in (lines[head - 1], *lines[head + 1 :]):
            if "|" not in line:
                break
            if cells := [*filter(None, map(str.strip, re.split(r"(?<!\\)\|", line)))]:
                row = etree.SubElement(table, "tr")
                for cell in cells:
                    etree.SubElement(row, "td").text = cell
    for each in list(table.iter("thead", "tbody", "tfoot")):
        each.drop_tag()
    for each in table.iter("th"):
        each.tag = "td"
    return table


def _is_table(head: str, rule: str) -> bool:
    return "|" in head and _RULE.fullmatch(rule.strip()) is not None


def rows(markdown: str) -> str:
    """Return the cells of the first table, a line a row."""
    table = first_table(markdown)
    if table is None:
        return ""
    lines = (" ".join(cell.text_content().strip() for cell in row.iter("td"))
             for row in table.iter("tr"))  # fmt: skip
    return "\n".join(filter(None, lines))


@dataclass(frozen=True)
class StructureLine:
    """A method on the pages of one path.

    Attributes:
        path, method: Name of the pages, and key.
        means: Metric → mean, and on how many pages it has a value.
        failed: Pages that it failed on; they count as no text.
    """

    path: str
    method: str
    means: Mapping[str, tuple[float, int]]
    failed: int


def structure_lines(
    chosen: Sequence[Chosen], data: Iterable[tuple[str, Sequence[MarkdownPage]]]
) -> Iterator[StructureLine]:
    """Yield each method's metrics on each data set, of its name and pages."""
    for path, every in data:
        for each in chosen:
            found, failed = [], 0
            for _, source, gold in every:
                markdown = ""
                try:
                    result = each.entry.run_on(source, each.params)
                    if isinstance(result, Extraction):
                        markdown = form_of(result, "markdown").strip()
                except PageletError:
                    failed += 1
                found.append(scores(markdown, gold))
            means = {}
            for name in (*METRICS, "overall"):
                if values := [one[name] for one in found if name in one]:
                    means[name] = fmean(values), len(values)
            yield StructureLine(path, each.entry.key, means, failed)
