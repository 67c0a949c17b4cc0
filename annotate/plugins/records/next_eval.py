"""NEXT-EVAL: pages of lists with their records as XPaths.

Source: arXiv 2505.17125.  A folder has ``html/NAME.html``, or ``.html.gz``, and
``ground-truth/NAME.json``: a list of records, each a list of XPaths.  A path begins below ``html``
or at it; a step without a number is the first.
"""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from algorithms.plugins.records.elements import Elements, RecordSet
from algorithms.plugins.records.record_scores import RecordScore, record_score
from engine.bounded_file import read_bytes
from engine.errors import InputError
from engine.source import Source

_STEP = re.compile(r"([^\[\]]+)(?:\[([0-9]+)\])?")

_Records = list[frozenset[object]]


@dataclass(frozen=True)
class RecordPage:
    """A page of the data set.

    Attributes:
        name: Of its files.
        html: Its HTML, gzipped or not.
        truth: Its records.
    """

    name: str
    html: Path
    truth: Path

    def elements(self) -> Elements:
        """Read the page; raises `InputError` if it cannot be read."""
        data = read_bytes(self.html)
        if self.html.suffix == ".gz":
            try:
                data = gzip.decompress(data)
            except (OSError, EOFError) as error:
                raise InputError(f"{self.html} is no gzip file: {error}") from error
        return Elements.of(Source.from_bytes(data))

    def true_records(self, page: Elements) -> _Records:
        """Return the rows with text of each record; paths that lead nowhere stay as they are."""
        result: _Records = []
        for record in self._paths():
            every: set[object] = set()
            for path in record:
                row = row_at(page, path)
                every |= {path} if row is None else set(page.text_rows((row,)))
            result.append(frozenset(every))
        return result

    def _paths(self) -> list[list[str]]:
        try:
            records = json.loads(read_bytes(self.truth))
        except ValueError as error:
            raise InputError(f"{self.truth} is no JSON: {error}") from error
        if not isinstance(records, list) or not all(
            isinstance(record, list) and all(isinstance(path, str) for path in record)
            for record in records
        ):
            raise InputError(f"{self.truth} is no list of records, each a list of XPaths")
        return records


def record_pages(folder: Path) -> Iterator[RecordPage]:
    """Yield the pages of a folder in the order of their names; raises `InputError` if none is."""
    pages = [
        RecordPage(truth.stem, html, truth)
        for truth in sorted(folder.glob("ground-truth/*.json"))
        for html in (
            folder / "html" / f"{truth.stem}.html",
            folder / "html" / f"{truth.stem}.html.gz",
        )
        if html.is_file()
    ]
    if not pages:
        raise InputError(f"{folder} has no html/NAME.html with a ground-truth/NAME.json")
    yield from pages


def row_at(page: Elements, path: str) -> int | None:
    """Return the row at an XPath of NEXT-EVAL, None if there is none."""
    steps = path.strip("/").split("/")
    if steps and _STEP.fullmatch(steps[0]) and steps[0].partition("[")[0] == "html":
        steps = steps[1:]
    row = 0
    for step in steps:
        match = _STEP.fullmatch(step)
        if match is None:
            return None
        same = [child for child in page.children[row] if page.tags[child] == match[1]]
        number = int(match[2] or 1)
        if not 1 <= number <= len(same):
            return None
        row = same[number - 1]
    return row


def score_of(page: Elements, found: list[RecordSet], true: _Records) -> RecordScore:
    """Return NEXT-EVAL's score of the records found on a page."""
    sets = [set(page.text_rows(record)) for records in found for record in records]
    return record_score(sets, true)
