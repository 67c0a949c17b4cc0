"""Pages a second of ``pagelet extract`` on a web archive, beside trafilatura and Resiliparse.

Run from the repository's folder: ``python -m tests.bench.archive_rates FOLDER RECORDS METHOD …``,
with a folder of pages, of which as many records are made as are asked for: pages again and again,
each time with another title and another first line, so that no two are the same.

All read the same archive with the same reader, in one process after the other.  The bare loop is
what anybody would write: the reader, the method, a file of Parquet with address and text; below it
stands how much more CPU time the command and the library's stream take, starts (a run on one
record) left out, the least of `ROUNDS` runs each, in turn.  CPU seconds are those of the processes
that did the work, starting them included; pages a second are by CPU time, so that a busy machine
does not count.
"""

import gzip
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

import pagelet

from algorithms.core.catalogue import method
from annotate.archives.page_files import pages_in
from annotate.archives.page_ranges import ArchivedPage, all_pages
from engine.encoding import decode
from engine.fetch import read_file
from engine.page import Page
from engine.source import Source
from tests.plugins.archives.warc_files import answer, record

LOOPS = ("bare", "stream")
ROUNDS = 3
OTHERS = ("trafilatura", "trafilatura fast", "resiliparse")


def main() -> None:
    """Print a line for each extractor."""
    folder = sys.argv[1] if len(sys.argv) > 1 else "resources/corpus"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    keys = sys.argv[3:] or ["bte", "dsc", "accb", "lqf", "bp-articles"]
    with tempfile.TemporaryDirectory() as position:
        archive = make_archive(Path(position) / "pages.warc.gz", Path(folder), count)
        one = make_archive(Path(position) / "one.warc.gz", Path(folder), 1)
        print(f"{count} records, {archive.stat().st_size / 1e6:.1f} MB packed")
        heads = f"{'pages':>6} {'wall s':>7} {'CPU s':>7} {'a CPU s':>8} {'MB':>6}"
        print(f"{'extractor':34} {heads}")
        for key in keys:
            words = [sys.executable, "-m", "gui.cli.main", "extract", key, "--in", str(archive)]
            words += ["--out", f"{position}/{key}", "--jobs", "1"]
            say(f"pagelet extract {key}", count, words)
            alone = [*words, "--beside", "none", "--replace"]
            say(
                "  with Markdown and prediction", count, [*alone, "--predict", "--with", "markdown"]
            )
            compare(key, alone, count, archive, one)
        for name in OTHERS:
            words = [sys.executable, "-m", "tests.bench.archive_rates", "--other", name]
            say(name, count, [*words, str(archive)])


def compare(key: str, command: list[str], count: int, archive: Path, one: Path) -> None:
    """Print how much more the command and the stream take than the bare loop."""
    jobs = {"command": command}
    for loop in LOOPS:
        words = [sys.executable, "-m", "tests.bench.archive_rates", f"--{loop}", key, str(archive)]
        jobs[loop] = words
    whole: dict[str, float] = dict.fromkeys(jobs, math.inf)
    starts = dict(whole)
    for _ in range(ROUNDS):
        for name, words in jobs.items():
            whole[name] = min(whole[name], say(f"  {name}, no second method", count, words))
            few = [str(one) if word == str(archive) else word for word in words]
            starts[name] = min(starts[name], say("  start of it", 1, few))
    taken = {name: whole[name] - starts[name] for name in jobs}
    for name in ("command", "stream"):
        print(f"  {name} / bare loop: {taken[name] / taken['bare']:.2f}")


def say(name: str, count: int, words: list[str]) -> float:
    """Run a command, print what it took, and return the CPU seconds."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(words, check=True, capture_output=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    largest = after.ru_maxrss / 1024  # of any child so far
    print(f"{name:34} {count:6} {wall:7.1f} {cpu:7.1f} {count / cpu:8.1f} {largest:6.0f}")
    return cpu


def make_archive(path: Path, folder: Path, count: int) -> Path:
    """Write an archive of that many pages."""
    pages = [read_file(each) for each in pages_in(folder, deep=True)]
    with path.open("wb") as file:
        for number in range(count):
            data = pages[number % len(pages)]
            changed = data.replace(b"<body", b"<!-- %d --><body" % number, 1)
            changed = changed.replace(b"<title>", b"<title>%d " % number, 1)
            file.write(gzip.compress(record(number, answer(changed, "text/html")), 6, mtime=0))
    return path


def write_texts(texts: Iterable[tuple[str, str]]) -> None:
    """Write addresses and texts to a file of Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("address", pa.string()), ("text", pa.string())])
    with (
        tempfile.NamedTemporaryFile(suffix=".parquet") as file,
        pq.ParquetWriter(file.name, schema, compression="zstd") as writer,
    ):
        while rows := [{"address": a, "text": text} for a, text in islice(texts, 500)]:
            writer.write_table(pa.Table.from_pylist(rows, schema))


def bare(key: str, archive: Path) -> None:
    """Extract every page with a method of Pagelet and write its text, nothing else."""
    entry = method(key)

    def text_of(page: ArchivedPage) -> str:
        source = Source.from_bytes(page.data, page.charset)
        return entry.run(Page(page.address, source), entry.params(), "original").text

    write_texts((page.address, text_of(page)) for page in all_pages(archive))


def stream(key: str, archive: Path) -> None:
    """Do the same by the library's stream."""
    pages = ((page.address, page.data) for page in all_pages(archive))
    made = pagelet.extract_stream(pages, key, predict=False)
    write_texts((page.address, page.text) for page in made)


def other(name: str, archive: Path) -> None:
    """Extract every page as another library does, decoded as Pagelet decodes it."""
    for page in all_pages(archive):
        html = decode(page.data, page.charset)[0]
        if name == "resiliparse":
            from resiliparse.extract.html2text import extract_plain_text

            extract_plain_text(html, main_content=True)
        else:
            from trafilatura import extract

            extract(html, fast=name.endswith("fast"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--bare"]:
        bare(sys.argv[2], Path(sys.argv[3]))
    elif sys.argv[1:2] == ["--stream"]:
        stream(sys.argv[2], Path(sys.argv[3]))
    elif sys.argv[1:2] == ["--other"]:
        other(sys.argv[2], Path(sys.argv[3]))
    else:
        main()
