"""Results of an evaluation, for queries, comparisons and export."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal

import numpy as np

from algorithms.measures.choice import measure_of
from algorithms.measures.measure import Measure
from algorithms.measures.significance import compare_pairs
from algorithms.method import MethodRecipe
from annotate.evaluation.report.comparisons import Comparisons
from annotate.evaluation.report.markup import table_html
from annotate.evaluation.report.report_parts import ReportPart, WorstRun, sort_out, worst_of
from annotate.evaluation.report.result_files import facts_of, write_tables
from annotate.evaluation.store.row_files import read_rows
from annotate.evaluation.store.rows import ResultRow
from annotate.evaluation.tables.result_table import Results
from annotate.evaluation.tables.summaries import groups_in, summary_rows
from annotate.library.page_cases import Cases
from engine.errors import InputError
from engine.words import join_words, no_such, plural

FrameKind = Literal["pandas", "polars", "pyarrow", "numpy"]
KINDS: tuple[FrameKind, ...] = ("pandas", "polars", "pyarrow", "numpy")
_USUAL: tuple[FrameKind, ...] = ("pandas", "polars", "numpy")


def frame_of(columns: Mapping[str, Sequence[object]], kind: FrameKind | None = None) -> Any:  # noqa: ANN401
    """Return columns as a table.

    Args:
        columns: Name → values, all of one length; None is a missing one.
        kind: ``pandas``, ``polars``, ``pyarrow`` (a table of Arrow) or ``numpy``; None the first of
            pandas, polars and NumPy that is installed.

    Raises:
        InputError: There is no such kind, or it is not installed.
    """
    chosen = kind or next(each for each in _USUAL if find_spec(each))
    if chosen not in KINDS:
        raise InputError(f"a frame is one of {', '.join(KINDS)}, not {chosen!r}")
    if find_spec(chosen) is None:
        raise InputError(f"{chosen} is not installed: pip install {chosen}, or ask for 'numpy'")
    arrays = {name: _array(values) for name, values in columns.items()}
    module: Any = import_module(chosen)
    if chosen == "pandas":
        return module.DataFrame(arrays)
    if chosen == "polars":
        return module.DataFrame({name: array.tolist() for name, array in arrays.items()})
    if chosen == "pyarrow":
        return module.table({name: _column(values) for name, values in columns.items()})
    return np.rec.fromarrays(list(arrays.values()), names=list(arrays))  # type: ignore[call-overload]


def _column(values: Sequence[object]) -> Any:  # noqa: ANN401
    """Return a column of Arrow's, with null for missing values."""
    import pyarrow

    kinds = {"i": pyarrow.int64(), "f": pyarrow.float64()}
    kind = kinds.get(_array(values).dtype.kind)
    if kind is None:
        texts = [None if value is None else str(value) for value in values]
        return pyarrow.array(texts, pyarrow.string())
    return pyarrow.array(list(values), kind)


def _array(values: Sequence[object]) -> Any:  # noqa: ANN401
    known = [value for value in values if value is not None]
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in known):
        if len(known) == len(values) and all(isinstance(value, int) for value in known):
            return np.array(values, dtype=np.int64)
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return np.array(["" if value is None else str(value) for value in values], dtype=np.str_)


@dataclass(frozen=True)
class Difference:
    """Two methods on the pages both were scored on.

    Attributes:
        a, b: The methods.
        dataset, input, measure: On what, by what.
        pages: Number of pages, or of sites where they are of several.
        mean: a's score less b's, mean over pages.
        low, high: Its 95 % interval: percentile bootstrap, 10,000 resamples, `default_rng(0)`.
        p: Of Wilcoxon's signed-rank test, two-sided, which counts a page and its copies once.
    """

    a: str
    b: str
    dataset: str
    input: str
    measure: str
    pages: int
    mean: float | None
    low: float | None
    high: float | None
    p: float


@dataclass(frozen=True)
class Best:
    """The best method of each page, which only the gold tells.

    Attributes:
        dataset, input, measure: Of what, by what.
        value: Its score when chosen on every page; None without scores.
        choice: Page → method; the first of several that score the same.
        wins: Method → on how many pages it is the best, alone or with others.
        ties: On how many pages several are, and are counted for each.
    """

    dataset: str
    input: str
    measure: str
    value: float | None
    choice: dict[str, str]
    wins: dict[str, int]
    ties: int = 0


@dataclass(frozen=True, eq=False)
class Evaluation:
    """All rows of an evaluation.

    Attributes:
        rows: One measure of one method on one page each.
        cases: The evaluated cases; None for results read from files.
        recipes: By method, what makes those that are in no catalogue: functions, texts.
    """

    rows: Sequence[ResultRow]
    cases: Cases | None = None
    recipes: Mapping[str, MethodRecipe] = field(default_factory=dict)

    @cached_property
    def table(self) -> Results:
        """The rows as page × method."""
        return Results.of(self.rows)

    @cached_property
    def parts(self) -> tuple[ReportPart, ...]:
        """Parts that may be compared: one data set, one input, text or blocks."""
        return sort_out(self.table).parts

    @cached_property
    def _independence(self) -> tuple[dict[tuple[str, str], str], dict[str, dict[str, str]]]:
        """Sites and copies of the pages; none of results read from files."""
        known = facts_of(self.cases.datasets) if self.cases else {}
        sites = {(name, page): s for name, of in known.items() for page, s in of.sites.items()}
        return sites, {name: each.copies for name, each in known.items()}

    def frame(self, kind: FrameKind | None = None) -> Any:  # noqa: ANN401
        """Return the rows as a tidy table: pandas, polars, Arrow or NumPy records."""
        parts = {path.rpartition(".")[2]: attrgetter(path) for path in _TIDY}
        return frame_of({name: list(map(part, self.rows)) for name, part in parts.items()}, kind)

    def summary(self, kind: FrameKind | None = None) -> Any:  # noqa: ANN401
        """Return a table with one line a data set, method, input and measure."""
        every = (
            row
            for dataset in dict.fromkeys(page.dataset for page in self.table.pages)
            for group in groups_in(self.table, dataset)
            for row in summary_rows(dataset, group)
        )
        lines = [{key: _typed(key, value) for key, value in row.items()} for row in every]
        if not lines:
            raise InputError("there are no results to sum up")
        return frame_of({name: [line[name] for line in lines] for name in lines[0]}, kind)

    def __arrow_c_stream__(self, schema: object = None) -> object:
        """Export the rows of `frame` as Arrow, for example to ``polars.DataFrame(results)``."""
        return self.frame("pyarrow").__arrow_c_stream__(schema)

    def compare(self, a: str, b: str, measure: str | None = None) -> tuple[Difference, ...]:
        """Compare two methods on all parts with both, by the main measure or the named one."""
        compared = Comparisons(*self._independence)
        result = [
            _difference(part, chosen, *pair, compared)
            for part, chosen in self._judged(measure)
            if (pair := (_setup_named(part.setups, a), _setup_named(part.setups, b))) and all(pair)
        ]
        if not result:
            names = tuple(dict.fromkeys(setup for part in self.parts for setup in part.setups))
            there = f"; there are {join_words(names)}" if names else ""
            raise InputError(f"{a} and {b} were not scored on the same pages{there}")
        return tuple(result)

    def worst(self, n: int = 10, method: str | None = None) -> tuple[WorstRun, ...]:
        """Return the ``n`` worst pages of each method, or of one, the worst first."""
        return tuple(
            run
            for part in self.parts
            for setup in part.setups
            if method is None or setup == _setup_named(part.setups, method)
            for run in worst_of(part, setup, n)
        )

    def oracle(self, measure: str | None = None) -> tuple[Best, ...]:
        """Return the best method of each page, and what choosing it would score, a part each.

        Methods that have seen gold of these pages are not among them.
        """
        result = []
        for part, chosen in self._judged(measure):
            best = part.oracle(chosen)
            numbers = best.value, dict(best.choice), dict(best.wins), best.ties
            result.append(Best(part.dataset, part.input, chosen.key, *numbers))
        return tuple(result)

    def report(self, folder: str | Path, title: str = "") -> Path:
        """Write report, rows and summary into a folder, as ``pagelet evaluate`` does.

        Rows of another evaluation there go to ``scores.before.csv``.  Returns where the report is;
        raises `InputError`.
        """
        from annotate.evaluation.report.html_report import write_report  # with matplotlib

        names = dict.fromkeys(page.dataset for page in self.table.pages)
        write_tables(Path(folder), self.rows, keeps_others=True)
        sites, copies = self._independence
        title = title or ", ".join(names)
        return write_report(Path(folder), self.table, title=title, sites=sites, copies=copies)

    def bundle(self, folder: str | Path, title: str = "", *, with_content: bool = True) -> Path:
        """Write a site of all results, without server and scripts of the pages.

        Args:
            folder: The folder, created if missing.
            title: Of the whole; the data sets' names if not given.
            with_content: Whether pictures and texts of the pages go into it.

        Raises:
            InputError: The folder cannot be written to.
        """
        from annotate.library.bundling import bundle

        names = dict.fromkeys(page.dataset for page in self.table.pages)
        return bundle(
            Path(folder),
            title or ", ".join(names),
            self.rows,
            self.cases or Cases(()),
            with_content=with_content,
            recipes=self.recipes,
        )

    def _judged(self, key: str | None) -> Iterator[tuple[ReportPart, Measure]]:
        if key is not None and key not in self.table.measures:
            raise InputError(no_such("measure", key, self.table.measures))
        for part in self.parts:
            if key is None:
                yield part, part.main
            elif any(measure.key == key for measure in part.measures):
                yield part, measure_of(key)

    def __getstate__(self) -> dict[str, Any]:
        return {"rows": self.rows, "cases": self.cases, "recipes": self.recipes}

    def __repr__(self) -> str:
        table = self.table
        methods = plural(len(table.columns), "method")
        return f"<evaluation of {plural(len(table.pages), 'page')}, {methods}>"

    def _repr_html_(self) -> str:
        lines = []
        for part in self.parts:
            results = {setup: part.summary(setup, part.main) for setup in part.ranked(part.main)}
            rows = [(setup, each.value, each.values.count) for setup, each in results.items()]
            best = part.oracle(part.main)
            if best.value is not None and sum(not part.seen(s) for s in part.setups) > 1:
                rows.append(("best of each page", best.value, len(best.choice)))
            for label, value, count in rows:
                seen = part.seen(label) if label in results else 0
                label = f"{label} (gold of {plural(seen, 'page')} seen)" if seen else label
                shown = "–" if value is None else f"{value:.3f}"
                lines.append([part.dataset, part.input, label, part.main.name, shown, count])
        return table_html(["data set", "input", "method", "measure", "value", "pages"], lines)


def read(path: str | Path) -> Evaluation:
    """Return the results in a folder or file that an evaluation wrote; raises `InputError`."""
    return Evaluation(read_rows(Path(path).expanduser()))


def _difference(
    part: ReportPart, measure: Measure, a: str, b: str, compared: Comparisons
) -> Difference:
    scores, _, groups = compared.observations(part, (a, b), measure)
    (pair,) = compare_pairs(scores, groups=groups)
    own = pair.difference
    mean, low, high = (None, None, None) if own is None else (own.mean, own.low, own.high)
    on = part.dataset, part.input, measure.key, pair.pages
    return Difference(a, b, *on, mean, low, high, pair.test.p)


_TIDY = (
    "run.dataset", "run.page", "run.method", "run.version", "run.parameters", "run.input",
    "measure", "score.value", "score.precision", "score.recall", "status", "reason", "run.ms",
    "run.page_hash", "run.renderer",
)  # fmt: skip
"""Columns of `Evaluation.frame`, as attributes of a row."""


def _typed(name: str, value: object) -> object:
    """Return a cell of the summary as a number where it is one; files have texts."""
    if isinstance(value, str) and name not in _TEXTS:
        return float(value) if value else None
    return value


_TEXTS = frozenset({"dataset", "method", "input", "version", "parameters", "measure", "word_unit"})


def _setup_named(setups: Iterable[str], name: str) -> str:
    """Return the setup of a name, or the only one of a method by its key; "" for none."""
    there = list(setups)
    of_key = [each for each in there if each.partition(" ")[0] == name]
    return name if name in there else of_key[0] if len(of_key) == 1 else ""
