"""Test archives of other projects: Pagelet finds as many pages as FastWARC."""

import re
import zipfile
from pathlib import Path

import pytest

from annotate.archives.page_ranges import ArchivedPage, PageRanges, pages
from annotate.datasets.saved_pages import read_saved
from engine.errors import InputError
from resources.documentation import read_page
from tests.outside import datasets_folder

fastwarc = pytest.importorskip("fastwarc")
FOLDER = datasets_folder().parent / "suites" / "archives"


def bare(path: Path) -> int:
    """Return how many HTML responses with status 2xx FastWARC reads."""
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    count, streams = 0, [path]
    if path.suffix == ".wacz":
        package = zipfile.ZipFile(path)
        streams = [package.open(name) for name in package.namelist() if ".warc" in name]
    for stream in streams:
        opened = stream.open("rb") if isinstance(stream, Path) else stream
        kinds = WarcRecordType.response | WarcRecordType.resource
        try:
            for record in ArchiveIterator(opened, record_types=kinds, parse_http=True):
                kind = (
                    record.http_content_type if record.is_http else record.headers["Content-Type"]
                )
                status = record.http_headers.status_code if record.is_http else 200
                count += "html" in (kind or "") and 200 <= (status or 0) < 300
        except (OSError, ValueError):
            pass
        opened.close()
    return count


def documented() -> dict[str, tuple[int, int, int]]:
    """Return the rows of the table in freeze.md by the names of their files."""
    result = {}
    for line in read_page("freeze.md").splitlines():
        if found := re.fullmatch(r"\| (.+) \| (\d+) \| (\d+) \| (\d+) \|", line):
            for name in re.findall(r"`([^`]+)`", found[1]):
                result[name] = (int(found[2]), int(found[3]), int(found[4]))
    return result


def test_every_archive_of_other_projects_gives_at_least_the_pages_of_fastwarc():
    files = sorted(FOLDER.glob("*")) if FOLDER.is_dir() else []
    if not files:
        pytest.skip("no archives of other projects: set PAGELET_DATA to the folder beside theirs")
    table, less, said = [], [], documented()
    for path in files:
        ranges = PageRanges(1 << 60, [])
        parts = [*ranges.ranges(path, path.name), *ranges.revisits()]
        rows = [page for part in parts for page in pages(part)]
        read = sum(isinstance(page, ArchivedPage) and not page.trouble for page in rows)
        try:
            found = read_saved(path)
            imported, account = len(found.pages), found.account.sentence()
        except InputError as error:
            imported, account = 0, str(error).replace(str(path), path.name)
        assert "record" in account  # each file is accounted for
        expected = bare(path)
        table.append(f"| {path.name} | {expected} | {read} | {imported} | {account} |")
        if read < expected or said.get(path.name, (expected, read, imported)) != (
            expected, read, imported,
        ):  # fmt: skip
            less.append(table[-1])
    print("\n".join(["| file | FastWARC | extract | import | account |", *table]))
    assert less == []
