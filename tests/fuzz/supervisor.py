"""Watches workers that try seeds: those that die, hang, grow or leave something behind are told."""

import json
import os
import queue
import secrets
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
HANG_SECONDS = {"rendered": 90.0}
"""After so long without an answer a seed hangs, on a busy machine too."""
_HANG_SECONDS = 150.0
_START_SECONDS = 120.0
MOST_MB = 1_500
_MOST_MORE_FILES = 60
_MARK = "PAGELET_FUZZ"


@dataclass(frozen=True)
class Finding:
    """Something that must not be.

    Attributes:
        kind, seed: What was tried.
        what: crash, hang, traceback, leftover or memory.
        words: More of it.
    """

    kind: str
    seed: int
    what: str
    words: str

    def __str__(self) -> str:
        replay = f"./test tests/fuzz --kind {self.kind} --seed {self.seed} --count 1"
        return f"{self.what}: {replay}\n{self.words}"


@dataclass
class Tally:
    """What was found of one kind."""

    kind: str
    ended: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    peak: int = 0
    peak_seed: int = 0
    slowest: float = 0.0
    slowest_seed: int = 0
    seconds: float = 0.0

    @property
    def tried(self) -> int:
        """How many seeds."""
        return sum(self.ended.values())

    def add(self, answer: dict[str, object]) -> None:
        """Count what a worker says of a seed."""
        seed, peak, seconds = int(answer["seed"]), int(answer["peak"]), float(answer["seconds"])
        self.ended[str(answer["ended"])] += 1
        if peak > self.peak:
            self.peak, self.peak_seed = peak, seed
        if seconds > self.slowest:
            self.slowest, self.slowest_seed = seconds, seed
        if "trace" in answer:
            self.say(seed, "traceback", str(answer["trace"]))
        if peak > MOST_MB:
            self.say(seed, "memory", f"{peak:,} MB, want at most {MOST_MB:,} MB")

    def say(self, seed: int, what: str, words: str) -> None:
        """Note something that must not be."""
        self.findings.append(Finding(self.kind, seed, what, words))


def fuzz(kind: str, first: int, count: int, seconds: float, at_once: int = 400) -> Tally:
    """Try up to ``count`` seeds for up to some seconds, ``at_once`` in one process."""
    tally = Tally(kind)
    began = time.monotonic()
    seed, last = first, first + count
    while seed < last and time.monotonic() - began < seconds:
        until = began + seconds
        seed = _watch(tally, seed, min(at_once, last - seed), until)
    tally.seconds = time.monotonic() - began
    return tally


def _watch(tally: Tally, first: int, count: int, until: float) -> int:
    """Run one worker; return the seed to go on with."""
    with tempfile.TemporaryDirectory(prefix="pagelet-fuzz-") as work:
        own, temp = Path(work, "own"), Path(work, "temp")
        own.mkdir()
        temp.mkdir()
        mark = secrets.token_hex(8)
        environment = os.environ | {"TMPDIR": str(temp), _MARK: mark, "PYTHONPATH": str(REPOSITORY)}
        words = [sys.executable, "-m", "tests.fuzz.worker", tally.kind, str(first), str(count), own]
        with (
            Path(work, "errors").open("w+b") as errors,
            subprocess.Popen(
                [str(word) for word in words],
                stdout=subprocess.PIPE, stderr=errors, text=True, cwd=REPOSITORY, env=environment,
            ) as worker,
        ):  # fmt: skip
            seed, how = _listen(tally, worker, first, until)
            worker.kill()
            worker.wait()
            if how == "crashed":
                errors.seek(0)
                words = errors.read()[-3_000:].decode("utf-8", "replace")
                tally.ended["crashed"] += 1
                tally.say(seed, "crash", f"ended with {worker.returncode}\n{words}")
                seed += 1
        _check_left(tally, seed, temp if how == "ended" else None, mark)
    return seed


def _listen(
    tally: Tally, worker: "subprocess.Popen[str]", seed: int, until: float
) -> tuple[int, str]:
    """Take a worker's answers; return the next seed, and whether it ended, crashed or is to end."""
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_read, args=(worker, lines), daemon=True).start()
    limit = _START_SECONDS
    files: list[int] = []
    while True:
        try:
            line = lines.get(timeout=limit)
        except queue.Empty:
            tally.ended["hung"] += 1
            tally.say(seed, "hang", f"no answer for {limit:g} s")
            return seed + 1, "stuck"
        if not line:
            worker.wait()
            return seed, "ended" if worker.returncode == 0 else "crashed"
        if line.startswith("begin"):
            seed = int(line.split()[1])
            limit = HANG_SECONDS.get(tally.kind, _HANG_SECONDS)
            continue
        answer = json.loads(line)
        tally.add(answer)
        files.append(answer["open"])
        seed += 1
        if len(files) > 20 and files[-1] > files[10] + _MOST_MORE_FILES:
            tally.say(seed - 1, "leftover", f"{files[-1]} files are open, {files[10]} were")
            return seed, "enough"
        if time.monotonic() > until:
            return seed, "enough"


def _read(worker: "subprocess.Popen[str]", lines: "queue.Queue[str]") -> None:
    assert worker.stdout is not None
    for line in worker.stdout:
        lines.put(line)
    lines.put("")


def _check_left(tally: Tally, seed: int, temp: Path | None, mark: str) -> None:
    """Look for processes, and files where temporary ones go, that a worker left behind."""
    until = time.monotonic() + 15
    while (left := list(_marked(mark))) and time.monotonic() < until:
        time.sleep(0.1)
    if left:
        tally.say(seed, "leftover", f"processes of the last worker: {'; '.join(left)[:500]}")
    files = [path.name for path in temp.rglob("*") if path.is_file()] if temp else []
    if files:
        tally.say(seed, "leftover", f"{len(files)} files: {', '.join(files[:5])}")


def _marked(mark: str) -> Iterator[str]:
    """Yield the command lines of processes that a worker, or what it started, has started."""
    expected = f"{_MARK}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if expected in (folder / "environ").read_bytes().split(b"\0"):
                yield (
                    (folder / "cmdline")
                    .read_bytes()
                    .replace(b"\0", b" ")
                    .decode("utf-8", "replace")
                )
        except OSError:
            continue


def table(tallies: list[Tally]) -> str:
    """Return what was found, a line a kind."""
    whats = ("crash", "hang", "traceback", "leftover", "memory")
    head = ("kind", "seeds", "ended", *whats, "peak MB (seed)", "slowest s (seed)", "seconds")
    rows = [
        (
            each.kind,
            f"{each.tried:,}",
            ", ".join(f"{name} {count:,}" for name, count in each.ended.most_common()),
            *(str(sum(result.what == what for result in each.findings)) for what in whats),
            f"{each.peak:,} ({each.peak_seed})",
            f"{each.slowest:.1f} ({each.slowest_seed})",
            f"{each.seconds:,.0f}",
        )
        for each in tallies
    ]
    rule = tuple("---" for _ in head)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
