"""What comes out: one row a page, as JSON Lines or Parquet; see formats.md#extracted-pages."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from engine.errors import InputError
from engine.whole_file import replaced

Format = Literal["jsonl", "parquet"]


@dataclass(frozen=True)
class ExtractedPage:
    """One row.

    Attributes:
        archive, record, address, date: Where the page is from; see `archives.ArchivedPage`.
        bytes: Of the document.
        sha256: Of these.
        encoding: What they were decoded with, WHATWG's name.
        title: The document's.
        language: ISO 639-1 code of what the text is written in; None where that is not known.
        method, version, parameters: What extracted.
        status: ok, empty, failed, timed out.
        reason: Why there is no text, of the last two.
        text: The main content.
        words, page_words: How many it has, and the document.
        linked: Share of the words that stand in links; None without words.
        confidence: How far another method takes the same words for main content, F1; None where
            there was none to ask, or no text.
        ms: Milliseconds the method took.
    """

    archive: str
    record: str
    address: str
    date: str
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
    text: str
    words: int
    page_words: int
    linked: float | None
    confidence: float | None
    ms: float | None


_TYPES = {
    "bytes": "int64",
    "words": "int64",
    "page_words": "int64",
    "linked": "float64",
    "confidence": "float64",
    "ms": "float64",
}
"""Types of the columns that are no texts."""


def usual_format() -> Format:
    """Return Parquet where PyArrow is installed."""
    from importlib.util import find_spec

    return "parquet" if find_spec("pyarrow") else "jsonl"


def write(path: Path, rows: Sequence[ExtractedPage], kind: Format) -> None:
    """Write a file, whole or not at all; raises `InputError`."""
    with replaced(path) as beside:
        if kind == "jsonl":
            with beside.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
                file.writelines(
                    json.dumps(asdict(row), ensure_ascii=False, separators=(",", ":")) + "\n"
                    for row in rows
                )
        else:
            _write_parquet(beside, rows)


def _write_parquet(path: Path, rows: Sequence[ExtractedPage]) -> None:
    arrow, parquet = _arrow()
    fields = ExtractedPage.__dataclass_fields__
    schema = arrow.schema([(name, getattr(arrow, _TYPES.get(name, "string"))()) for name in fields])
    columns = [
        arrow.array([_cell(getattr(row, name)) for row in rows], type=schema.field(name).type)
        for name in fields
    ]
    parquet.write_table(arrow.Table.from_arrays(columns, schema=schema), path, compression="zstd")


def _cell(value: object) -> object:
    """Return a value that UTF-8 can hold."""
    if isinstance(value, str) and not value.isascii():
        return value.encode("utf-8", "replace").decode()
    return value


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            "Parquet needs PyArrow: pip install 'pagelet[web]', or ask for --format jsonl"
        ) from None
    return pyarrow, pyarrow.parquet
