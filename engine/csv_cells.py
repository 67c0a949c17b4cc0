"""Cells of tables that a spreadsheet program opens or has saved: none becomes a formula.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return
for a formula, and runs it; the name of a page may be one.  Such a text gets an apostrophe in front,
as the programs themselves write it; numbers stay (OWASP, *CSV Injection*).

What such a program saved again has the separator and the encoding of its country.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from engine.bounded_file import atomic_write
from engine.errors import convert_os_error
from engine.words import ONE_LINE

_BEGINS = frozenset("'=+-@\t\r")
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")


_SEPARATORS = ("\t", ";", ",")


def table_text(data: bytes) -> str:
    """Return a table as text: in UTF-8 or UTF-16, or else in windows-1252; lines ended by \\n."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = data.decode("utf-16")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("windows-1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def rows_of(text: str) -> list[list[str]]:
    """Return the rows of a table, without empty ones.

    The separator is the one there is most of in the first line outside quotes: tab, semicolon or
    comma; or what Excel's line ``sep=`` says.  Raises `csv.Error` for a text that holds no table.
    """
    said = re.match(r"sep=(.)\n", text)
    head = re.sub(r'"[^"]*"', "", text.partition("\n")[0])
    separator = said[1] if said else max(_SEPARATORS, key=head.count)
    lines = io.StringIO(text[said.end() :] if said else text, newline="")
    return [row for row in csv.reader(lines, delimiter=separator) if any(row)]


def guard_cell(text: str) -> str:
    """Return a text as a cell that is no formula, and one line; see `engine.words`.

    A text that starts with apostrophes itself gets one more, so that `unguard_cell` restores it.
    """
    text = ONE_LINE.write(text)
    if text[:1] not in _BEGINS:  # nearly all
        return text
    return f"'{text}" if _FORMULA.match(text) and not _is_number(text) else text


def guarded_row(row: Mapping[str, object]) -> dict[str, object]:
    """Return a row for a `csv.DictWriter`, its texts guarded."""
    return {name: guard_cell(cell) if isinstance(cell, str) else cell for name, cell in row.items()}


def write_csv(path: Path, columns: Sequence[str], lines: Iterable[Iterable[object]]) -> None:
    """Write a table atomically, its texts guarded, in a folder that is made where missing.

    Characters without an encoding are escaped.  Raises `InputError` if it cannot be written.
    """
    with convert_os_error(f"write to {path.parent}"):
        path.parent.mkdir(parents=True, exist_ok=True)
    with (
        atomic_write(path) as beside,
        beside.open("w", newline="", encoding="utf-8", errors="backslashreplace") as file,
    ):
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(
            [guard_cell(cell) if isinstance(cell, str) else cell for cell in line] for line in lines
        )


def unguard_cell(cell: str) -> str:
    """Return the text of a cell that `guard_cell` made."""
    return ONE_LINE.read(cell[1:] if cell[:1] == "'" and _GUARDED.match(cell) else cell)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return not text[0].isspace()
