"""Rows of extracted pages, as JSON Lines or Parquet; see formats.md#extracted-pages.

PyArrow, pandas, Polars, DuckDB and Spark read a folder of rows as a data set: Pagelet keeps its
own notes in the metadata of the files, or in files that begin with an underscore.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from algorithms.structure import Form
from engine.bounded_file import atomic_write
from engine.errors import InputError, convert_os_error

Format = Literal["jsonl", "parquet"]

_NOTE = b"pagelet"
_ROWS_AT_ONCE = 500


@dataclass(frozen=True)
class ExtractedPage:
    """Row of an extracted page.

    Attributes:
        archive, record, address: Origin of the page; see `archives.ArchivedPage`.
        offset, length: Where the record is in the archive, in bytes; None where it has no place of
            its own.
        date: Date of the download; None if unknown.
        bytes: Of the document.
        sha256: Of these.
        encoding: Encoding they were decoded with, WHATWG's name.
        title: The document's.
        language: ISO 639-1 code of what the text is written in; None where that is not known.
        method, version, parameters: Method of the extraction.
        status: ok, empty, failed, timed out.
        reason: Why there is no text, of the last two.
        truncated: Why the archive has only the beginning of the page; "" if it has all.
        digest: "differs" where the record's digest is of other bytes; "" otherwise.
        text: The main content.
        words, page_words: Number of words of it, and of the document.
        linked: Share of the words in links; None without words.
        confidence: How far another method takes the same words for main content, F1; None where
            there was none to ask, or no text.
        ms: Milliseconds the method took.
        markdown, html: Result with its elements; columns only if requested.
        predicted_f1, predicted_low, predicted_high: The F1 in words that is expected without gold,
            and its bounds; columns as above, None where there is no result.
    """

    archive: str
    offset: int | None
    length: int | None
    record: str
    address: str
    date: datetime | None
    bytes: int
    sha256: str
    encoding: str
    title: str
    language: str | None
    method: str
    version: str
    parameters: str
    status: str
    reason: str
    truncated: str
    digest: str
    text: str = ""
    words: int = 0
    page_words: int = 0
    linked: float | None = None
    confidence: float | None = None
    ms: float | None = None
    markdown: str | None = None
    html: str | None = None
    predicted_f1: float | None = None
    predicted_low: float | None = None
    predicted_high: float | None = None


PREDICTED = ("predicted_f1", "predicted_low", "predicted_high")


def columns_with(forms: Sequence[Form] = (), *, predicts: bool = False) -> tuple[str, ...]:
    """Return the names of the columns, in order, with the requested ones."""
    left_out = set(get_args(Form)) - set(forms) | set(() if predicts else PREDICTED)
    return tuple(name for name in ExtractedPage.__dataclass_fields__ if name not in left_out)


_TYPES = {
    **dict.fromkeys(("offset", "length", "bytes", "words", "page_words"), "int64"),
    **dict.fromkeys(("linked", "confidence", "ms", *PREDICTED), "float64"),
}
"""Types of the columns that are neither texts nor dates."""


def usual_format() -> Format:
    """Return Parquet where PyArrow is installed."""
    from importlib.util import find_spec

    return "parquet" if find_spec("pyarrow") else "jsonl"


def date_of(text: str) -> datetime | None:
    """Return a date as WARC has it (ISO 8601, possibly only a year or month); None if it is none.

    >>> date_of("2024-05-06T07:08:09Z").isoformat()
    '2024-05-06T07:08:09+00:00'
    """
    text = text.strip()
    if len(text) in (4, 7) and text[:4].isdecimal():  # a year, a year and month
        text += "-01-01"[len(text) - 4 :]
    with suppress(ValueError, OverflowError):
        result = datetime.fromisoformat(text)
        return result.replace(tzinfo=UTC) if result.tzinfo is None else result.astimezone(UTC)
    return None


class FinishedRows:
    """The rows of a shard that is not whole yet, in a hidden file beside it.

    A worker that continues for a dead one reads them, rather than extract the pages again.
    The file goes when the shard is whole, and stays where a process ends.

    Args:
        path: The file of the shard.
        goes_on: Whether rows that are there are read, rather than dropped.
    """

    def __init__(self, path: Path, *, goes_on: bool) -> None:
        self._path, self._goes_on = path.with_name(f".{path.name}.rows"), goes_on
        self._rows: dict[int, ExtractedPage] = {}
        self._file: Any = None

    def __enter__(self) -> "FinishedRows":
        with convert_os_error(f"write {self._path}"):
            kept = self._path.read_bytes() if self._goes_on and self._path.is_file() else b""
            whole = kept[: kept.rfind(b"\n") + 1]  # the last one may be cut
            for line in whole.splitlines():
                number, cells = json.loads(line)
                if cells["date"] is not None:
                    cells["date"] = datetime.fromisoformat(cells["date"])
                self._rows[number] = ExtractedPage(**cells)
            self._path.write_bytes(whole)
            self._file = self._path.open("ab", buffering=0)
        return self

    def __exit__(self, *error: object) -> None:
        """Remove the file: the shard is whole, or the whole run ends with an error."""
        self._file.close()
        self._path.unlink(missing_ok=True)

    def get(self, number: int) -> ExtractedPage | None:
        """Return the row of a record, None if it is not finished."""
        return self._rows.get(number)

    def add(self, number: int, row: ExtractedPage) -> None:
        """Keep the row of a record; raises `InputError` where there is no room."""
        with convert_os_error(f"write {self._path}"):
            line = json.dumps([number, vars(row)], default=lambda date: date.isoformat())
            self._file.write(f"{line}\n".encode())


class RowWriter:
    """A file of rows, written as they come; it takes its name once all are in it.

    Args:
        path: The file.
        kind: Its format.
        columns: Their names.

    Raises:
        InputError: It cannot be written, or PyArrow is not installed.
    """

    def __init__(self, path: Path, kind: Format, columns: Sequence[str] | None = None) -> None:
        self._path, self._kind, self._columns = path, kind, columns or columns_with()
        self._waiting: list[ExtractedPage] = []
        self._stack = ExitStack()
        self._file: Any = None

    def __enter__(self) -> "RowWriter":
        beside = self._stack.enter_context(atomic_write(self._path, hidden=True))
        if self._kind == "jsonl":
            file: Any = beside.open("w", encoding="utf-8", errors="replace", newline="\n")
        else:
            schema = _schema(self._columns)
            file = _arrow().parquet.ParquetWriter(beside, schema, compression="zstd")
        self._file = self._stack.enter_context(file)
        return self

    def __exit__(self, *error: Any) -> None:  # noqa: ANN401  (as `ExitStack` takes them)
        """Rename the file to its final name, or keep the old one after an error."""
        self._stack.__exit__(*error)

    def add(self, row: ExtractedPage) -> None:
        """Write a row, now or with the next ones."""
        self._waiting.append(row)
        if len(self._waiting) == _ROWS_AT_ONCE:
            self._flush()

    def finish(self, note: Mapping[str, object]) -> None:
        """Write the remaining rows, and Pagelet's note on the file."""
        self._flush()
        if self._kind == "parquet":
            self._file.add_key_value_metadata({_NOTE: json.dumps(note)})
            return
        self._file.flush()
        _write_json(_beside(self._path), {**note, "bytes": self._file.tell()})

    def _flush(self) -> None:
        rows, self._waiting = self._waiting, []
        if self._kind == "jsonl":
            for row in rows:
                cells = {name: getattr(row, name) for name in self._columns}
                if row.date is not None:
                    cells["date"] = row.date.isoformat().replace("+00:00", "Z")
                line = json.dumps(cells, ensure_ascii=False, separators=(",", ":"))
                self._file.write(f"{line}\n")
        elif rows:
            columns = {name: [_cell(getattr(r, name)) for r in rows] for name in self._columns}
            table = _arrow().Table.from_pydict(columns, schema=_schema(self._columns))
            self._file.write_table(table)


def read_note(path: Path, kind: Format) -> dict[str, Any]:
    """Return the note in a complete file; raises `InputError` if it is not."""
    try:
        if kind == "parquet":
            note = json.loads((_arrow().parquet.read_metadata(path).metadata or {})[_NOTE])
        else:
            note = json.loads(_beside(path).read_bytes())
            if note["bytes"] != path.stat().st_size:
                raise InputError(f"{path} is incomplete")
    except (OSError, ValueError, OverflowError, KeyError, TypeError) as error:
        raise InputError(f"{path} is incomplete, or not Pagelet's") from error
    if not isinstance(note, dict):
        raise InputError(f"{path} is not Pagelet's")
    return note


def manifest_in(folder: Path, kind: Format) -> Path:
    """Return the path of the manifest of a folder of rows."""
    return folder / f"_manifest.{'parquet' if kind == 'parquet' else 'json'}"


def write_manifest(folder: Path, kind: Format, note: Mapping[str, object]) -> None:
    """Write the manifest of a folder of rows; raises `InputError`.

    Beside Parquet it is the metadata of a file without rows: Polars takes each file of a folder for
    a part of it, and stops at one of another kind.
    """
    path = manifest_in(folder, kind)
    if kind == "jsonl":
        _write_json(path, note)
        return
    with RowWriter(path, kind) as writer:
        writer.finish(note)


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of a folder of rows, None if it is missing or cannot be read."""
    for kind in ("parquet", "jsonl"):
        path = manifest_in(folder, kind)
        if path.is_file():
            note = None
            with suppress(InputError, OSError, ValueError, RecursionError):
                note = read_note(path, kind) if kind == "parquet" else json.loads(path.read_bytes())
            return note if isinstance(note, dict) else None
    return None


def written_in(folder: Path) -> list[Path]:
    """Return all that an extraction has written into a folder, its rows first."""
    rows = [p for kind in ("parquet", "jsonl") for p in sorted(folder.glob(f"shard-*.{kind}"))]
    noted = [*folder.glob("_shard-*"), *folder.glob("shard-*.done"), folder / "shards.json"]
    manifests = [manifest_in(folder, kind) for kind in ("parquet", "jsonl")]
    return [*rows, *(path for path in (*noted, *manifests) if path.is_file())]


def _beside(path: Path) -> Path:
    return path.with_name(f"_{path.stem}.json")


def _write_json(path: Path, note: Mapping[str, object]) -> None:
    with atomic_write(path, hidden=True) as beside:
        beside.write_text(json.dumps(note), "utf-8")


def _schema(columns: Sequence[str]) -> Any:  # noqa: ANN401
    arrow = _arrow()
    types = {name: getattr(arrow, _TYPES.get(name, "string"))() for name in columns}
    types["date"] = arrow.timestamp("us", tz="UTC")
    return arrow.schema(list(types.items()))


def _cell(value: object) -> object:
    """Return a value that UTF-8 can hold."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode()
    return value


def _arrow() -> Any:  # noqa: ANN401
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            "Parquet needs PyArrow: pip install 'pagelet[web]', or ask for --format jsonl"
        ) from None
    return pyarrow
