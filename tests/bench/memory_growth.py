"""How memory grows with the number of pages: that of the process one starts, and of its workers.

Run from the repository's folder: ``python -m tests.bench.memory_growth WHAT PAGES …``, as in
``python -m tests.bench.memory_growth evaluate 1000 10000 100000``.  WHAT is ``evaluate`` (a package
with gold), ``evaluate-folder`` (the same, unpacked), ``extract`` (a folder of pages) or
``extract-warc``; ``--method KEY`` names another method than bte.  Pages are small, made here, and
each is different.

Prints peak resident memory (VmHWM, which the kernel counts) of the parent and of its largest
worker, seconds, and kB that each page more has cost the parent since the line before.
"""

import argparse
import gzip
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil

from annotate.evaluation.store.predictions import PredictedPage, write_package

_EVERY_S = 0.2
_WORDS = (
    "ferry harbour morning winter council bridge engine market captain island letter window "
    "village season north water garden doctor music silver summer paper road station teacher"
).split()


def text_of(number: int) -> tuple[str, str]:
    """Return title and main content of a page, each page's its own."""
    chance = random.Random(number)
    parts = (" ".join(chance.choices(_WORDS, k=25)) for _ in range(3))
    return f"Story {number}", "\n".join(f"{part.capitalize()} {number}." for part in parts)


def html_of(number: int) -> bytes:
    """Return a page with navigation around its main content."""
    title, text = text_of(number)
    links = "".join(f"<li><a href='/{k}'>{_WORDS[k]}</a></li>" for k in range(8))
    story = "".join(f"<p>{line}</p>" for line in text.split("\n"))
    return (
        f"<!doctype html><meta charset=utf-8><title>{title}</title><ul>{links}</ul>"
        f"<h1>{title}</h1>{story}<p><a href='/'>home</a></p>"
    ).encode()


def made(place: Path, what: str, count: int) -> Path:
    """Write pages as a command takes them; return where."""
    if what == "evaluate":
        path = place / f"many-{count}.zip"
        write_package(path, "many", map(_page, range(count)))
        return path
    path = place / f"{what}-{count}"
    if what == "extract-warc":
        path = path.with_suffix(".warc.gz")
        with path.open("wb") as file:
            file.writelines(map(_record, range(count)))
        return path
    path.mkdir()
    for number in range(count):
        (path / f"page-{number}.html").write_bytes(html_of(number))
        if what == "evaluate-folder":
            (path / f"page-{number}.txt").write_text(text_of(number)[1], "utf-8")
    if what == "evaluate-folder":
        names = [f"page-{number}" for number in range(count)]
        (path / "package.json").write_text(json.dumps({"documents": names}), "utf-8")
    return path


def _page(number: int) -> PredictedPage:
    about = {"url": f"https://example.org/{number}", "encoding": "utf-8"}
    return PredictedPage(f"page-{number}", html_of(number), text_of(number)[1], about)


def _record(number: int) -> bytes:
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + html_of(number)
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\n"
        f"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n"
        "WARC-Date: 2024-05-06T07:08:09Z\r\n"
        f"WARC-Target-URI: https://example.org/{number}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + body + b"\r\n\r\n", 1)


def words_of(what: str, method: str, source: Path, out: Path) -> list[str]:
    """Return the command."""
    pagelet = [sys.executable, "-m", "gui.cli.main"]
    if what.startswith("evaluate"):
        words = ["evaluate", str(source), "--methods", method, "--input", "original"]
        words += ["--report", "none", "--no-cache"]
    else:
        words = ["extract", method, "--in", str(source), "--beside", "none", "--format", "jsonl"]
    return [*pagelet, *words, "--out", str(out), "--jobs", "2"]


def measured(words: list[str]) -> tuple[float, float, float]:
    """Run a command; return peak MB of it and of its largest worker, and seconds."""
    start, parent, worker = time.monotonic(), 0.0, 0.0
    with tempfile.TemporaryFile() as text:
        process = psutil.Popen(words, stdout=text, stderr=text)
        while process.poll() is None:
            parent = max(parent, _most_mb(process.pid))
            worker = max([worker, *map(_most_mb, _children(process))])
            with suppress(psutil.TimeoutExpired, subprocess.TimeoutExpired):
                process.wait(_EVERY_S)
        if process.returncode:
            text.seek(0)
            sys.exit(f"{' '.join(words)} ended with {process.returncode}:\n{text.read().decode()}")
    return parent, worker, time.monotonic() - start


def _children(process: psutil.Process) -> Iterator[int]:
    with suppress(psutil.Error):
        yield from (each.pid for each in process.children(recursive=True))


def _most_mb(pid: int) -> float:
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) / 1024
    return 0.0


def main() -> None:
    """Print a line for each number of pages."""
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=("evaluate", "evaluate-folder", "extract", "extract-warc"))
    parser.add_argument("pages", type=int, nargs="+")
    parser.add_argument("--method", default="bte")
    options = parser.parse_args()
    print(f"{'pages':>8} {'parent MB':>10} {'worker MB':>10} {'s':>7} {'kB a page more':>15}")
    before: tuple[int, float] | None = None
    with tempfile.TemporaryDirectory() as position:
        for count in options.pages:
            source = made(Path(position), options.what, count)
            words = words_of(options.what, options.method, source, Path(position) / f"out-{count}")
            parent, worker, seconds = measured(words)
            more = ""
            if before is not None:
                more = f"{(parent - before[1]) * 1024 / max(count - before[0], 1):.3f}"
            before = count, parent
            print(f"{count:8} {parent:10.1f} {worker:10.1f} {seconds:7.1f} {more:>15}", flush=True)


if __name__ == "__main__":
    main()
