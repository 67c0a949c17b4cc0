"""Tables and figures of papers as files: published values, data sets, and values measured here.

A file is one table or figure, in TOML; museum.md describes the fields.  Those of Pagelet lie in
``resources/museum``.
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

import resources
from engine.bounded_file import read_bytes
from engine.errors import InputError, convert_os_error
from engine.word_units import WORD_UNITS, WordUnit
from engine.words import no_such

Statistic = Literal[
    "value", "precision", "recall", "deviation", "median", "retrieved", "hits", "relevant"
]
"""What of a measure a column shows; the last three are the counts of Kreuzer's match."""

_STATISTICS: tuple[Statistic, ...] = get_args(Statistic)

Word = TypeVar("Word", bound=str)
Kind = TypeVar("Kind")

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

    def order(table: PublishedTable) -> list[tuple[int, int | str]]:
        parts = table.id.replace("-", ".").split(".")
        return [(0, int(part)) if part.isdigit() else (1, part) for part in parts]

    files = resources.path("museum").glob(f"*{ENDING}")
    return tuple(sorted(map(read_table, files), key=order))


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
        with convert_os_error(f"read {path}"):
            return _table(tomllib.loads(read_bytes(path, _MOST_BYTES).decode("utf-8")), path)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}") from None
    except _FileError as error:
        raise InputError(f"{path}: {error}") from None


class _FileError(Exception):
    """Error in a file."""


def _table(read: dict[str, Any], path: Path) -> PublishedTable:
    fields = _Fields(read, "the file")
    data = _Fields(fields.of(dict, "data"), "[data]")
    columns = tuple(_column(_Fields(each, "columns")) for each in fields.of(list, "columns", []))
    rows = tuple(_row(_Fields(each, "rows"), len(columns)) for each in fields.of(list, "rows", []))
    table = PublishedTable(
        fields.text("id"), fields.text("title"), fields.text("paper"), fields.text("cite"),
        fields.text("source", ""),
        NeededData(
            data.text("name"), data.text("where"), data.of(int, "pages", 0),
            data.of(bool, "available", True), data.text("origin", ""),
        ),
        columns, rows,
        fields.number("tolerance", _TOLERANCE), fields.number("far", _FAR),
        fields.text("input", ""), _one_of(fields, "word_unit", WORD_UNITS),
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


def _one_of(fields: "_Fields", key: str, known: Sequence[Word]) -> Word:
    """Return the one of some words that a field is, by default the first."""
    name = fields.text(key, known[0])
    if (word := next((each for each in known if each == name), None)) is None:
        raise _FileError(no_such(key, name, known))
    return word


def _column(fields: "_Fields") -> PublishedColumn:
    statistic = _one_of(fields, "figure", _STATISTICS)
    column = PublishedColumn(
        fields.text("label"), fields.text("measure", ""), statistic, fields.text("data", "")
    )
    fields.end()
    return column


def _row(fields: "_Fields", columns: int) -> PublishedRow:
    label = fields.text("label")
    published = _numbers(fields.take("published"), columns, f"published of {label}")
    values = {name: str(value) for name, value in fields.of(dict, "set", {}).items()}
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
    versions = {name: str(value) for name, value in fields.of(dict, "versions", {}).items()}
    made = MeasuredFigures(day, fields.text("command"), fields.of(int, "pages"), versions, lines)
    fields.end()
    return made


_KINDS: dict[type, str] = {
    str: "a text", int: "a whole number", bool: "true or false", dict: "a table", list: "a list",
}  # fmt: skip


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

    def of(self, kind: type[Kind], key: str, default: Kind | None = None) -> Kind:
        value = self.take(key, default)
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise _FileError(f"{key} in {self._name} must be {_KINDS[kind]}")
        return value

    def text(self, key: str, default: str | None = None) -> str:
        return " ".join(self.of(str, key, default).split())

    def number(self, key: str, default: float) -> float:
        value = self.take(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _FileError(f"{key} in {self._name} must be a number")
        return float(value)

    def end(self, *known: str) -> None:
        if left := self._left - set(known):
            raise _FileError(f"{min(left)} is not a field of {self._name}")


def _numbers(value: object, count: int, what: str) -> tuple[float, ...]:
    if (
        not isinstance(value, list)
        or len(value) != count
        or not {*map(type, value)} <= {int, float}
    ):
        raise _FileError(f"{what} must be {count} numbers, one a column; nan where there is none")
    return tuple(map(float, value))
