"""Files and tables written at the end of an evaluation, in one run or merged from shards."""

import filecmp
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from algorithms.core.batch import RunStatus
from annotate.datasets.cases import DataSet
from annotate.datasets.copied_pages import copies_sentence
from annotate.evaluation.report.stability import stabilities, stability_table
from annotate.evaluation.robustness.perturbed import MARK
from annotate.evaluation.store.row_files import CellTexts, write_database, write_rows
from annotate.evaluation.store.rows import ROW_COLUMNS, SCORED, ResultRow, cells
from annotate.evaluation.store.run_store import RunStore
from annotate.evaluation.tables.result_table import Results
from annotate.evaluation.tables.segmentation_tables import block_tables
from annotate.evaluation.tables.summaries import (
    SUMMARY_COLUMNS,
    SetupGroup,
    groups_in,
    reasons,
    site_table,
    summary_rows,
    text_table,
)
from engine.csv_cells import write_csv
from engine.errors import convert_os_error

Groups = Mapping[str, Sequence[SetupGroup]]
"""By data set, the numbers of each method on each input."""


_NUMBERS = frozenset(SUMMARY_COLUMNS[SUMMARY_COLUMNS.index("value") :]) - {"word_unit"}
"""Columns of the summary that hold numbers, as texts with all their digits."""


@dataclass(frozen=True)
class DataSetFacts:
    """Facts about a data set for the tables, beside its scores.

    Attributes:
        origin: The published data set, for figures to compare with; "" for none.
        complete: Number of pages of that; 0 if none or unknown.
        sites: The site each page is of; empty unless its pages are whole sites.
        copies: Name of each copy of an earlier page → name of that page.
    """

    origin: str = ""
    sites: Mapping[str, str] = field(default_factory=dict)
    complete: int = 0
    copies: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluated:
    """Results of an evaluation that was carried out, or merged.

    Attributes:
        rows: In the order of the data sets, pages, inputs, methods and measures.
        results: The same as columns.
        groups: By data set, the numbers of each method on each input.
        facts: By data set.
        failures: A sentence for each method that gave nothing to score on any page.
        has_failed: Whether no method gave anything to score.
        is_whole: Whether all of it was done.
    """

    rows: Iterable[ResultRow]
    results: Results
    groups: Groups
    facts: Mapping[str, DataSetFacts]
    failures: Sequence[str]
    has_failed: bool
    is_whole: bool = True

    @classmethod
    def of(
        cls,
        store: RunStore,
        facts: Mapping[str, DataSetFacts],
        groups_in: Callable[[Results], Groups] | None = None,
        *,
        is_whole: bool = True,
    ) -> "Evaluated":
        """Return the results of stored rows; ``groups_in`` sums them up, `groups_of` by default."""
        counts: dict[str, Counter[RunStatus]] = {}
        first: dict[str, str] = {}

        def counted() -> Iterator[ResultRow]:
            for row in store:
                counts.setdefault(row.run.method, Counter())[row.status] += 1
                if row.status in (RunStatus.FAILED, RunStatus.TIMED_OUT):
                    first.setdefault(row.run.method, row.reason)
                yield row

        results = Results.of(counted(), store.pages())
        failures = [
            f"{key} failed on every page; the first: {first[key]}"
            for key, own in counts.items()
            if key in first and not any(own[status] for status in SCORED)
        ]
        groups = (groups_in or groups_of)(results)
        has_failed = 0 < len(failures) == len(counts)
        return cls(store, results, groups, facts, failures, has_failed, is_whole)

    def tables(self) -> str:
        """Return all tables for the reader."""
        text = all_tables(self.results, self.groups, self.facts)
        renderers = self.results.facts.renderers
        if len(renderers) > 1:
            text += f"\n\nPages were rendered by different browsers: {', '.join(renderers)}"
        return text


def written_files(out: Path, *, has_report: bool) -> str:
    """Return where an evaluation is, for the reader."""
    report = f"; report: {out / 'report.html'}" if has_report else ""
    return f"Rows: {out / 'scores.csv'}, summary: {out / 'summary.csv'}{report}"


def facts_of(datasets: Iterable[DataSet]) -> dict[str, DataSetFacts]:
    """Return the facts about data sets for the tables, by name."""
    return {
        each.name: DataSetFacts(
            each.origin, each.sites, each.complete, {} if MARK in each.name else each.copies
        )
        for each in datasets
    }


def groups_of(results: Results) -> Groups:
    """Return the groups of all data sets in some results; raises `InputError`."""
    names = dict.fromkeys(page.dataset for page in results.pages)
    return {name: groups_in(results, name) for name in names}


def all_tables(results: Results, groups: Groups, facts: Mapping[str, DataSetFacts]) -> str:
    """Return all tables for the reader.

    Args:
        results: Results of an evaluation.
        groups: The same, summed up.
        facts: By data set.
    """
    parts = []
    for name, mine in groups.items():
        if MARK in name:
            continue  # a changed data set: what counts is how far it is from the one as it is
        known = facts.get(name, DataSetFacts())
        texts = [group for group in mine if group.setup.is_extractor]
        blocks = [group for group in mine if not group.setup.is_extractor]
        if texts:
            parts.append(text_table(name, texts, results))
            parts.append(site_table(texts, name, known.sites, results))
        if blocks:
            parts.append(block_tables(name, known.origin, blocks, known.complete))
        parts.append(copies_sentence(known.copies))
    parts += map(stability_table, stabilities(results, groups))
    parts.append(reasons(results))
    return "\n\n".join(filter(None, parts))


def write_tables(out: Path, rows: Sequence[ResultRow], *, keeps_others: bool = False) -> Results:
    """Write rows, summary and database, and return the results.

    With ``keeps_others`` other rows that are there become ``scores.before.csv``.  Raises
    `InputError`.
    """
    path, new = out / "scores.csv", out / "scores.new.csv"
    write_rows(new, map(cells, rows))
    with convert_os_error(f"write to {out}"):
        if keeps_others and path.is_file() and not filecmp.cmp(path, new, shallow=False):
            path.replace(out / "scores.before.csv")
        new.replace(path)
    results = Results.of(rows)
    write_results(out, map(cells, rows), groups_of(results))
    return results


def write_summary(path: Path, groups: Groups) -> list[list[object]]:
    """Write ``summary.csv`` and return its lines; raises `InputError`."""
    lines = [[row[name] for name in SUMMARY_COLUMNS] for row in _summary_rows(groups)]
    write_csv(path, SUMMARY_COLUMNS, lines)
    return lines


def _summary_rows(groups: Groups) -> Iterator[Mapping[str, object]]:
    for name, mine in groups.items():
        for group in mine:
            yield from summary_rows(name, group)


def write_results(out: Path, rows: Iterable[CellTexts], groups: Groups) -> None:
    """Write ``summary.csv``, and rows and summary as ``scores.sqlite``; raises `InputError`."""
    lines = write_summary(out / "summary.csv", groups)
    tables = {"scores": (ROW_COLUMNS, rows), "summary": (SUMMARY_COLUMNS, lines)}
    write_database(out / "scores.sqlite", tables)


def summaries_as_json(groups: Groups) -> list[dict[str, object]]:
    """Return the rows of ``summary.csv`` as JSON has them: numbers, and null for none."""

    def cell(name: str, value: object) -> object:
        if name == "parameters":
            return json.loads(str(value))
        if isinstance(value, str) and name in _NUMBERS:
            return float(value) if value else None
        return value

    rows = _summary_rows(groups)
    return [{name: cell(name, row[name]) for name in SUMMARY_COLUMNS} for row in rows]
