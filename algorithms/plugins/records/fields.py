"""Fields of records: values of the same meaning share a column.

Partial alignment after Y. Zhai, B. Liu, "Web Data Extraction Based on Partial Tree Alignment", WWW
2005, on the sequence of a record's fields instead of its tree: the longest record is the seed, and
of each other what matches no column becomes one where its place among the columns is certain,
that is, between two neighbours; records with fields left over are tried again, and what remains
then is put behind the column before it.
"""

from dataclasses import dataclass

from rapidfuzz.distance import LCSseq

from algorithms.plugins.records.elements import Elements, Record, RecordSet
from engine.tree import BLOCK_TAGS

_Key = tuple[str, ...]


@dataclass(frozen=True)
class Field:
    """A value of a record.

    Attributes:
        key: Where it stands in the record: tags from the record down, the last one's classes, and
            what the value is: text, href or src.
        name: What a column of such values may be called.
        value: The text, or the address as written.
    """

    key: _Key
    name: str
    value: str


@dataclass(frozen=True)
class RecordTable:
    """Records as rows.

    Attributes:
        names: Of the columns, each once.
        rows: The values of each record; None where it has none.
    """

    names: list[str]
    rows: list[list[str | None]]


def fields_of(page: Elements, record: Record) -> list[Field]:
    """Return the fields of a record, in document order.

    An element with a text of its own is a field, with all it holds if that is no block; so are the
    address of a link and that of a picture.
    """
    result: list[Field] = []
    for number, root in enumerate(record):
        paths: dict[int, _Key] = {root: (str(number), page.tags[root])}
        inside = root
        for row in range(root, page.end[root]):
            if row > root:
                paths[row] = (*paths[page.parent[row]], page.tags[row])
            for attribute in ("href", "src"):
                if (page.tags[row], attribute) in (("a", "href"), ("img", "src")) and (
                    value := page.attributes[row].get(attribute, "").strip()
                ):
                    result.append(_field(page, row, root, paths[row], attribute, value))
            if page.own[row] and row >= inside:
                is_whole = not any(
                    page.tags[below] in BLOCK_TAGS for below in range(row + 1, page.end[row])
                )
                value = page.text(row) if is_whole else " ".join(page.own[row])
                inside = page.end[row] if is_whole else row + 1
                result.append(_field(page, row, root, paths[row], "text", value))
    return result


def _field(page: Elements, row: int, root: int, path: _Key, kind: str, value: str) -> Field:
    at, name = row, ""
    while not (name := " ".join(page.classes(at).split()[:1])) and at > root:
        at = page.parent[at]
    name = name or page.tags[row]
    classes = page.classes(row)
    return Field((*path, classes, kind), name if kind == "text" else f"{name} {kind}", value)


def table_of(page: Elements, records: RecordSet) -> RecordTable:
    """Return records as a table: a column for fields in the same place, a row a record."""
    every = [fields_of(page, record) for record in records]
    keys = [[field.key for field in fields] for fields in every]
    columns = _aligned(keys)
    rows: list[list[str | None]] = []
    names: list[str | None] = [None] * len(columns)
    for own, fields in zip(keys, every, strict=True):
        row: list[str | None] = [None] * len(columns)
        for part in LCSseq.opcodes(own, columns):
            if part.tag == "equal":
                for at, column in zip(
                    range(part.src_start, part.src_end),
                    range(part.dest_start, part.dest_end),
                    strict=True,
                ):
                    row[column] = fields[at].value
                    names[column] = names[column] or fields[at].name
        rows.append(row)
    return RecordTable(_distinct(_headings(page, records, [name or "" for name in names])), rows)


def _aligned(sequences: list[list[_Key]]) -> list[_Key]:
    """Return columns such that each sequence is part of them, in their order."""
    waiting = sorted(sequences, key=len, reverse=True)
    columns: list[_Key] = []
    is_last = False
    while waiting:
        left = []
        for sequence in waiting:
            columns, is_complete = _merged(columns, sequence, is_last or not columns)
            if not is_complete:
                left.append(sequence)
        is_last = len(left) == len(waiting)
        waiting = left
    return columns


def _merged(columns: list[_Key], sequence: list[_Key], takes_all: bool) -> tuple[list[_Key], bool]:
    result: list[_Key] = []
    is_complete = True
    parts = list(LCSseq.opcodes(columns, sequence))
    for number, part in enumerate(parts):
        if part.tag != "insert":
            result += columns[part.src_start : part.src_end]
            continue
        beside = [parts[at].tag for at in (number - 1, number + 1) if 0 <= at < len(parts)]
        if takes_all or "delete" not in beside:
            result += sequence[part.dest_start : part.dest_end]
        else:
            is_complete = False
    return result, is_complete


def _headings(page: Elements, records: RecordSet, names: list[str]) -> list[str]:
    """Return the headings of a table whose columns are all of them, else the names."""
    row = records[0][0]
    while row >= 0 and page.tags[row] != "table":
        row = page.parent[row]
    if row < 0:
        return names
    headings = [
        page.text(at) for at in range(row, page.end[row]) if page.tags[at] == "th" and page.own[at]
    ]
    return headings if len(headings) == len(names) else names


def _distinct(names: list[str]) -> list[str]:
    """Return names with a number behind each that was there before."""
    result: list[str] = []
    taken: set[str] = set()
    for name in names:
        new, number = name, 1
        while new in taken:
            number += 1
            new = f"{name} {number}"
        taken.add(new)
        result.append(new)
    return result
