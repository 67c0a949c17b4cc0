"""Pages a second of ``pagelet extract`` on a web archive, beside trafilatura and Resiliparse.

Run from the repository's folder: ``python -m tests.bench.archive_rates FOLDER RECORDS METHOD …``,
with a folder of pages, of which as many records are made as are asked for: pages again and again,
each time with another title and another first line, so that no two are the same.

All read the same archive with the same reader, in one process after the other.  CPU seconds are
those of the processes that did the work, starting them included; pages a second are by CPU time, so
that a busy machine does not count.
"""

import gzip
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from annotate.archives.page_files import pages_in
from annotate.archives.warc.archives import all_pages
from engine.encoding import decode
from engine.fetch import read_file
from tests.annotate.archives.warc.warc_files import answer, record

OTHERS = ("trafilatura", "trafilatura fast", "resiliparse")


def main() -> None:
    """Print a line for each extractor."""
    folder = sys.argv[1] if len(sys.argv) > 1 else "resources/corpus"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    keys = sys.argv[3:] or ["bte", "dsc", "accb", "lqf", "bp-articles"]
    with tempfile.TemporaryDirectory() as position:
        archive = make_archive(Path(position) / "pages.warc.gz", Path(folder), count)
        print(f"{count} records, {archive.stat().st_size / 1e6:.1f} MB packed")
        heads = f"{'pages':>6} {'wall s':>7} {'CPU s':>7} {'a CPU s':>8} {'MB':>6}"
        print(f"{'extractor':34} {heads}")
        for key in keys:
            words = [sys.executable, "-m", "gui.cli.main", "extract", key, "--in", str(archive)]
            words += ["--out", f"{position}/{key}", "--jobs", "1"]
            say(f"pagelet extract {key}", count, words)
            say("  without a second method", count, [*words, "--beside", "none"])
        for name in OTHERS:
            words = [sys.executable, "-m", "tests.bench.archive_rates", "--other", name]
            say(name, count, [*words, str(archive)])


def say(name: str, count: int, words: list[str]) -> None:
    """Run a command and print what it took."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(words, check=True, capture_output=True)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    largest = after.ru_maxrss / 1024  # of any child so far
    print(f"{name:34} {count:6} {wall:7.1f} {cpu:7.1f} {count / cpu:8.1f} {largest:6.0f}")


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
    if sys.argv[1:2] == ["--other"]:
        other(sys.argv[2], Path(sys.argv[3]))
    else:
        main()
