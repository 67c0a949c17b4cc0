"""Goes through the gold of data sets, and lists what is probably wrong in it."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from algorithms.extraction.gleaner.columns import path_groups
from algorithms.extraction.gleaner.labels import shares
from algorithms.extraction.gleaner.model import model_of
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.triage.audit import Finding, evidence, findings
from algorithms.triage.prediction import committee
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import DataSet
from annotate.evaluation.tables import aligned_before
from engine.errors import PageletError
from engine.source import Source
from engine.web.worker_browser import LateBrowser
from engine.whole_file import atomic_write
from engine.words import plural

_EXCERPT = 80
_COLUMNS = ("order", "dataset", "page", "finding", "suspicion", "words", "reason", "start", "end",
            "text")  # fmt: skip


@dataclass(frozen=True)
class AuditedPart:
    """A part of a page whose gold is contradicted.

    Attributes:
        dataset, page: Which page.
        finding: What and why.
        span: Start and end in code points of the page's HTML.
        text: What stands there.
    """

    dataset: str
    page: str
    finding: Finding
    span: tuple[int, int]
    text: str

    @property
    def says(self) -> str:
        """What is wrong with it, in words."""
        return "probably too much" if self.finding.is_marked else "probably missing"

    @property
    def item(self) -> str:
        """What it is known by as long as page and gold are the same."""
        first, last = self.span
        return f"{'+' if self.finding.is_marked else '-'}{first}-{last}-{len(self.text)}"

    @property
    def weight(self) -> float:
        """By what parts are ranked: a wrong paragraph counts more than a wrong word."""
        return self.finding.suspicion * float(np.log1p(self.finding.words))


def audit_source(source: Source, gold: str, model: str = "") -> tuple[tuple[Finding, ...], bool]:
    """Return what is contradicted in gold text, and whether the page has any text.

    ``model`` is a file of `pagelet train gleaner`; "" takes the model that ships.
    """
    runs = text_runs(source)
    if not len(runs):
        return (), False
    others = committee(source)
    votes = np.mean([share > 0.5 for key, share in others.items() if key != "gleaner"], axis=0)
    chance = model_of(model).predict(source).chance
    marked = shares(runs, gold)
    known = evidence(marked, chance, votes, path_groups(source)["classes"])
    return findings(marked, known, runs.words), True


def audit(
    datasets: Sequence[DataSet],
    browser: LateBrowser,
    say: Callable[[str], None],
    model: str = "",
) -> tuple[tuple[AuditedPart, ...], int]:
    """Return the parts of all pages with gold text, most suspicious first, and how many pages.

    Args:
        datasets: Whose gold.
        browser: Renders a page, where its gold are marks.
        say: Is told of pages that cannot be read.
        model: As `audit_source` takes it.
    """
    parts: list[AuditedPart] = []
    pages = 0
    for dataset in datasets:
        for name, files in dataset.pages:
            try:
                own = audited(dataset.name, name, next(iter(files.values())), browser, model)
            except PageletError as error:
                say(f"{name}: {error}")
                continue
            pages += own is not None
            parts += own or ()
    return tuple(sorted(parts, key=lambda each: -each.weight)), pages


def audited(
    dataset: str, name: str, files: PageFiles, browser: LateBrowser, model: str = ""
) -> list[AuditedPart] | None:
    """Return the parts of a page in its order; None where it has no gold text.

    Raises `PageletError`.  Arguments are those of `audit`.
    """
    gold = files.text(lambda: files.laid_out(browser.capture(files.document())))
    if gold is None:
        return None
    received = files.document().receive()
    source = Source.from_bytes(received.data, received.charset)
    return parts_of(dataset, name, source, gold, model)


def parts_of(
    dataset: str, name: str, source: Source, gold: str, model: str = ""
) -> list[AuditedPart]:
    """Return the parts of a page that has been read."""
    runs, spans = text_runs(source), source.tokens.spans
    return [
        AuditedPart(
            dataset,
            name,
            each,
            (int(spans[runs.first[each.first], 0]), int(spans[runs.last[each.last - 1] - 1, 1])),
            " ".join(runs.texts[each.first : each.last]),
        )
        for each in audit_source(source, gold, model)[0]
    ]


def rows_of(parts: Sequence[AuditedPart]) -> Iterator[Mapping[str, object]]:
    """Yield a row for each part, the most suspicious first."""
    for order, part in enumerate(parts, 1):
        finding = part.finding
        row = (order, part.dataset, part.page, part.says, round(finding.suspicion, 4),
               finding.words, "; ".join(finding.reasons), *part.span, part.text)  # fmt: skip
        yield dict(zip(_COLUMNS, row, strict=True))


def write_parts(path: Path, parts: Sequence[AuditedPart]) -> None:
    """Write the rows as CSV; raises `InputError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with (
        atomic_write(path) as beside,
        beside.open("w", newline="", encoding="utf-8", errors="backslashreplace") as file,
    ):
        writer = csv.DictWriter(file, _COLUMNS)
        writer.writeheader()
        writer.writerows(rows_of(parts))


def table_of(parts: Sequence[AuditedPart], pages: int, most: int) -> str:
    """Return the first parts as a table for the reader."""
    if not parts:
        return f"Nothing in the gold of {plural(pages, 'page')} is contradicted"
    lines, why = [["page", "gold", "words", "suspicion"]], ["why"]
    for part in parts[:most]:
        text = part.text if len(part.text) <= _EXCERPT else f"{part.text[:_EXCERPT]}…"
        number = f"{part.finding.suspicion:.2f}"
        lines.append([part.page, part.says, str(part.finding.words), number])
        why.append(f"{'; '.join(part.finding.reasons)}: {text}")
    title = f"Check these first, of {plural(len(parts), 'part')} of {plural(pages, 'page')}:"
    return f"{title}\n{aligned_before(lines, why)}"
