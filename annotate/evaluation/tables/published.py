"""Tables and figures of papers as files: published values, data sets, and values measured here.

A file is one table or figure, in TOML; museum.md describes the fields.  Those of Pagelet lie in
``resources/museum``.
"""

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

import resources
from engine.bounded_file import read_bytes
from engine.errors import InputError
from engine.word_units import WORD_UNITS, WordUnit
from engine.words import no_such

Statistic = Literal[
    "value", "precision", "recall", "deviation", "median", "retrieved", "hits", "relevant"
]
"""What of a measure a column shows; the last three are the counts of Kreuzer's match."""

_STATISTICS: tuple[Statistic, ...] = get_args(Statistic)

COUNTED = ("retrieved", "hits", "relevant")
ENDING = ".toml"

_MOST_BYTES = 1_000_000
_TOLERANCE, _FAR = 0.01, 0.05
COUNTED_SHARE = 0.05


@dataclass(frozen=True)
class PublishedColumn:
    """A column.

    Attributes:
        label: Its head.
        measure: Key of a measure; "" of what Pagelet does not compute.
        statistic: What of it.
        data: The data set's name, where a table is of several; "" of the one that is named.
    """

    label: str
    measure: str = ""
    statistic: Statistic = "value"
    data: str = ""


@dataclass(frozen=True)
class PublishedRow:
    """A line.

    Attributes:
        label: Name of the method in the paper.
        method: Pagelet's key; "" of one that Pagelet does not run.
        values: Its parameters, those that are not the defaults, as texts.
        published: A number a column; NaN where the paper has none.
        why: Reason for different figures here; "" if they agree.
    """

    label: str
    method: str
    values: Mapping[str, str]
    published: tuple[float, ...]
    why: str = ""


@dataclass(frozen=True)
class NeededData:
    """The pages that a table is of.

    Attributes:
        name: Its name.
        where: Its source, or why it is not available.
        pages: Number in the paper; 0 if unknown.
        is_available: Whether anybody can have it.
        origin: Name that the data set gives itself, if any, to refuse another.
    """

    name: str
    where: str
    pages: int = 0
    is_available: bool = True
    origin: str = ""


@dataclass(frozen=True)
class MeasuredFigures:
    """Figures that were measured.

    Attributes:
        day: Date of the measurement.
        command: The command as typed.
        pages: Of how many pages.
        versions: Of third-party methods.
        figures: A line a row of the table, a number a column; NaN where there is none.
    """

    day: date
    command: str
    pages: int
    versions: Mapping[str, str]
    figures: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class PublishedTable:
    """A table of a paper, or a figure.

    Attributes:
        id: Its name on the command line.
        title: Caption of the table or figure.
        paper: Author and year; tables are listed by it.
        cite: The paper.
        source: Number of the table, or page.
        data: The pages it is of.
        columns, rows: Of a table; () of a figure.
        tolerance: Largest difference that counts as reproduced.
        far: Larger differences count as different, and the file gives the reason.
        input: Form of the pages, as for ``--input`` of evaluate; "" leaves it to the methods.
        word_unit: Word unit for scripts without blanks, as in the paper's scorer.
        draws: Of a figure, the method whose Figure panel draws it.
        notes: Other notes for readers.
        measured: Figures measured here; None if it was not run.
        path: The file.
    """

    id: str
    title: str
    paper: str
    cite: str
    source: str
    data: NeededData
    columns: tuple[PublishedColumn, ...] = ()
    rows: tuple[PublishedRow, ...] = ()
    tolerance: float = _TOLERANCE
    far: float = _FAR
    input: str = ""
    word_unit: WordUnit = "characters"
    draws: str = ""
    notes: str = ""
    measured: MeasuredFigures | None = None
    path: Path = Path()

    @property
    def is_runnable(self) -> bool:
        """Whether Pagelet runs any of its methods and computes any of its columns."""
        return any(row.method for row in self.rows) and any(each.measure for each in self.columns)

    def allowed(self, column: int, published: float) -> tuple[float, float]:
        """Return how far a figure may lie off, and from where on it differs.

        Counts are allowed a share of themselves.
        """
        if self.columns[column].statistic in COUNTED:
            share = abs(published) * COUNTED_SHARE
            return share, share * self.far / self.tolerance
        return self.tolerance, self.far


@cache
def built_in() -> tuple[PublishedTable, ...]:
    """Return the tables that ship with Pagelet, by paper, in the order of their numbers."""
    files = resources.path("museum").glob(f"*{ENDING}")
    tables = sorted(map(read_table, files), key=lambda each: _in_order(each.id))
    return tuple(tables)


def _in_order(name: str) -> list[tuple[int, int | str]]:
    parts = name.replace("-", ".").split(".")
    return [(0, int(part)) if part.isdigit() else (1, part) for part in parts]


def table_named(name: str) -> PublishedTable:
    """Return a table by its id, or that of a file; raises `InputError`."""
    if name.endswith(ENDING):
        return read_table(Path(name).expanduser())
    known = {each.id: each for each in built_in()}
    if name not in known:
        raise InputError(f"{no_such('table', name, known)}; or name a file {ENDING}")
    return known[name]


def read_table(path: Path) -> PublishedTable:
    """Return the table of a file; raises `InputError` with the reason if it is invalid."""
    try:
        read = tomllib.loads(read_bytes(path, _MOST_BYTES).decode("utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    try:
        return _table(read, path)
    except _FileError as error:
        raise InputError(f"{path}: {error}") from None


class _FileError(Exception):
    """Error in a file."""


def _table(read: dict[str, Any], path: Path) -> PublishedTable:
    fields = _Fields(read, "the file")
    data = _Fields(fields.table("data"), "[data]")
    columns = tuple(_column(_Fields(each, "columns")) for each in fields.tables("columns"))
    rows = tuple(_row(_Fields(each, "rows"), len(columns)) for each in fields.tables("rows"))
    table = PublishedTable(
        fields.text("id"), fields.text("title"), fields.text("paper"), fields.text("cite"),
        fields.text("source", ""),
        NeededData(
            data.text("name"), data.text("where"), data.integer("pages", 0),
            data.truth("available", True), data.text("origin", ""),
        ),
        columns, rows,
        fields.number("tolerance", _TOLERANCE), fields.number("far", _FAR),
        fields.text("input", ""), _word_unit(fields.text("word_unit", "characters")),
        fields.text("draws", ""), fields.text("notes", ""),
        _measured(read, len(rows), len(columns)), path,
    )  # fmt: skip
    data.end()
    fields.end("measured")
    if not 0 < table.tolerance <= table.far:
        raise _FileError("tolerance must be above 0 and at most far")
    if rows and not columns:
        raise _FileError("columns is missing: a head for each of the figures")
    return table


def _word_unit(name: str) -> WordUnit:
    unit = next((each for each in WORD_UNITS if each == name), None)
    if unit is None:
        raise _FileError(no_such("word_unit", name, WORD_UNITS))
    return unit


def _column(fields: "_Fields") -> PublishedColumn:
    name = fields.text("figure", "value")
    statistic = next((each for each in _STATISTICS if each == name), None)
    if statistic is None:
        raise _FileError(no_such("figure", name, _STATISTICS))
    column = PublishedColumn(
        fields.text("label"), fields.text("measure", ""), statistic, fields.text("data", "")
    )
    fields.end()
    return column


def _row(fields: "_Fields", columns: int) -> PublishedRow:
    label = fields.text("label")
    published = fields.numbers("published", columns, label)
    values = {name: str(value) for name, value in fields.table("set", {}).items()}
    row = PublishedRow(label, fields.text("method", ""), values, published, fields.text("why", ""))
    fields.end()
    return row


def _measured(read: dict[str, Any], rows: int, columns: int) -> MeasuredFigures | None:
    if "measured" not in read:
        return None
    fields = _Fields(read["measured"], "[measured]")
    day, figures = fields.take("date"), fields.take("figures")
    if not isinstance(day, date) or not isinstance(figures, list) or len(figures) != rows:
        raise _FileError("[measured] must have a date, and a line of figures for each row")
    lines = tuple(_numbers(line, columns, "[measured] figures") for line in figures)
    versions = {name: str(value) for name, value in fields.table("versions", {}).items()}
    made = MeasuredFigures(day, fields.text("command"), fields.integer("pages"), versions, lines)
    fields.end()
    return made


class _Fields:
    """Values of a TOML table, taken one by one; remaining values are an error."""

    def __init__(self, values: object, name: str) -> None:
        if not isinstance(values, dict):
            raise _FileError(f"{name} is not a table")
        self._values, self._name, self._left = values, name, set(values)

    def take(self, key: str, default: object = None) -> Any:  # noqa: ANN401
        self._left.discard(key)
        value = self._values.get(key, default)
        if value is None:
            raise _FileError(f"{key} is missing in {self._name}")
        return value

    def _typed(self, key: str, default: object, kind: type, what: str) -> Any:  # noqa: ANN401
        value = self.take(key, default)
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise _FileError(f"{key} in {self._name} must be {what}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        value: str = self._typed(key, default, str, "a text")
        return " ".join(value.split())

    def integer(self, key: str, default: int | None = None) -> int:
        value: int = self._typed(key, default, int, "a whole number")
        return value

    def truth(self, key: str, default: bool) -> bool:
        value: bool = self._typed(key, default, bool, "true or false")
        return value

    def number(self, key: str, default: float) -> float:
        value = self.take(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _FileError(f"{key} in {self._name} must be a number")
        return float(value)

    def numbers(self, key: str, count: int, row: str) -> tuple[float, ...]:
        return _numbers(self.take(key), count, f"{key} of {row}")

    def table(self, key: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
        value: dict[str, Any] = self._typed(key, default, dict, "a table")
        return value

    def tables(self, key: str) -> list[Any]:
        value: list[Any] = self._typed(key, [], list, "a list")
        return value

    def end(self, *known: str) -> None:
        left = sorted(self._left - set(known))
        if left:
            raise _FileError(f"{left[0]} is not a field of {self._name}")


def _numbers(value: object, count: int, what: str) -> tuple[float, ...]:
    is_list = isinstance(value, list) and all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in value
    )
    if not isinstance(value, list) or not is_list or len(value) != count:
        raise _FileError(f"{what} must be {count} numbers, one a column; nan where there is none")
    return tuple(math.nan if math.isnan(each) else float(each) for each in value)
