"""Extracts the pages of web archives into columns, a file a shard, and goes on where it stopped.

What is done is a file and a mark beside it, each written whole; the shards of an archive are found
once and kept in ``shards.json``.
"""

import hashlib
import json
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from multiprocessing import connection
from pathlib import Path
from typing import Any

from algorithms.batch import Setup
from annotate.crawls.archives import Stretch, stretches
from annotate.crawls.work import Crawl, ShardSummary, StretchOrder, serve
from annotate.evaluation.rows import parameters_of, version_of
from annotate.evaluation.supervisor import TICK_S, ProcessLost, Supervised
from engine.errors import InputError
from engine.whole_file import replaced

MOST_RECORDS = 1000
"""Records of one shard: a few megabytes of text, half a minute of work."""

_SHARDS_A_PROCESS = 50
_START_S = 120.0
_FALSE_STARTS = 2


@dataclass(frozen=True)
class CrawlShard:
    """A stretch and what is done with it; it travels to other machines that see the same folders.

    Attributes:
        number: From 0.
        stretch: The records.
        crawl: What is done.
    """

    number: int
    stretch: Stretch
    crawl: Crawl

    @property
    def file(self) -> Path:
        """Where its rows are written."""
        return self.crawl.out / f"shard-{self.number:05}.{self.crawl.kind}"

    @property
    def mark(self) -> Path:
        """Where it is noted that they are complete."""
        return self.file.with_suffix(".done")

    @property
    def digest(self) -> str:
        """Return what changes with records, method, parameters, version or columns."""
        setups = [
            (each.method, version_of(each), parameters_of(each), each.input)
            for each in (self.crawl.setup, *self.crawl.beside)
        ]
        only = None if self.crawl.only is None else sorted(self.crawl.only)
        said = repr((_stretch_as_json(self.stretch), setups, only))
        return hashlib.blake2b(said.encode("utf-8", "replace"), digest_size=16).hexdigest()

    def done(self) -> ShardSummary | None:
        """Return what came of it if it is done; None if it is not, or was something else."""
        try:
            mark = json.loads(self.mark.read_bytes())
            if mark["shard"] != self.digest or self.file.stat().st_size != mark["bytes"]:
                return None
            return ShardSummary(mark["pages"], mark["counts"], mark["trouble"], mark["left_out"])
        except (OSError, ValueError, OverflowError, KeyError, TypeError):
            return None


@dataclass(frozen=True)
class Extracted:
    """What came of a crawl.

    Attributes:
        pages: Rows that were written.
        counts: Status → how many of them.
        shards: How many files.
        troubles: A sentence for each archive that could not be read to its end.
        left_out: How many answers in HTML were no success, and so no pages.
    """

    pages: int = 0
    counts: Mapping[str, int] = field(default_factory=dict)
    shards: int = 0
    troubles: tuple[str, ...] = ()
    left_out: int = 0

    def with_(self, summary: ShardSummary) -> "Extracted":
        """Return the same with one more shard."""
        counts = dict(self.counts)
        for status, count in summary.counts.items():
            counts[status] = counts.get(status, 0) + count
        is_new = summary.trouble and summary.trouble not in self.troubles
        said = (summary.trouble,) if is_new else ()
        return Extracted(
            self.pages + summary.pages,
            counts,
            self.shards + 1,
            (*self.troubles, *said),
            self.left_out + summary.left_out,
        )


Workers = Callable[[Sequence[CrawlShard], int], Iterator[ShardSummary]]
"""Does shards; yields what came of them, in any order."""


def shards_of(sources: Sequence[Path], crawl: Crawl, most: int = MOST_RECORDS) -> list[CrawlShard]:
    """Return the shards of archives and folders; costs unpacking each archive the first time.

    Raises:
        InputError: A source is no archive, or the folder cannot be written to.
    """
    if most < 1:
        raise InputError(f"a shard has {most} records, want 1 or more")
    try:
        crawl.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write to {crawl.out}: {error.strerror or error}") from error
    path = crawl.out / "shards.json"
    asked = {"most": most, "sources": [_state_of(source) for source in sources]}
    found = _known(path, asked)
    if found is None:
        found = [stretch for source in sources for stretch in stretches(source, most)]
        plan = {**asked, "shards": [_stretch_as_json(stretch) for stretch in found]}
        with replaced(path) as beside:
            beside.write_text(json.dumps(plan), "utf-8")
    return [CrawlShard(number, stretch, crawl) for number, stretch in enumerate(found)]


def extract(
    shards: Sequence[CrawlShard],
    jobs: int,
    *,
    resumes: bool = False,
    say: Callable[[Extracted], None] = lambda _: None,
    workers: Workers | None = None,
) -> Extracted:
    """Do shards in ``jobs`` worker processes; blocks.

    Args:
        shards: Of `shards_of`.
        jobs: How many processes.
        resumes: Whether shards that are done are left alone.
        say: Is told what is done so far, after each shard.
        workers: Does the shards elsewhere, as an engine does that calls `do_crawl_shard`.

    Raises:
        InputError: Something cannot be written, or workers cannot be started.
    """
    found = Extracted()
    todo = []
    for shard in shards:
        summary = shard.done() if resumes else None
        if summary is None:
            todo.append(shard)
        else:
            found = found.with_(summary)
    for summary in (workers or _in_workers)(todo, jobs) if todo else ():
        found = found.with_(summary)
        say(found)
    return found


def do_crawl_shard(shard: CrawlShard) -> ShardSummary:
    """Do one shard, wherever this is called: a plain function for engines.  Blocks."""
    (summary,) = _in_workers([shard], 1)
    return summary


def setups_beside(setup: Setup, keys: Sequence[str]) -> tuple[Setup, ...]:
    """Return the methods whose agreement is the confidence, on the same input."""
    from algorithms.catalogue import named_method

    found = []
    for key in keys:
        entry = named_method(key)
        if setup.input not in entry.inputs or entry.output != "extraction":
            raise InputError(f"--beside {key}: it does not extract from the {setup.input} page")
        found.append(Setup(key, entry.params(), setup.input))
    return tuple(found)


def usual_beside(setup: Setup) -> tuple[str, ...]:
    """Return the method asked beside another where the user names none."""
    return ("dsc",) if setup.method == "bte" else ("bte",)


# Workers -----------------------------------------------------------------------------------


def _in_workers(shards: Sequence[CrawlShard], jobs: int) -> Iterator[ShardSummary]:
    waiting = deque(shards)
    workers = [_CrawlWorker(shards[0].crawl) for _ in range(min(jobs, len(shards)))]
    try:
        while True:
            for worker in workers:
                if worker.shard is None and waiting:
                    worker.begin(waiting.popleft())
            busy = [worker for worker in workers if worker.shard is not None]
            if not busy:
                return
            connection.wait([worker.pipe for worker in busy], TICK_S)
            for worker in busy:
                summary = worker.look()
                if summary is not None:
                    yield summary
    finally:
        for worker in workers:
            worker.end()


class _CrawlWorker:
    """A process, and the shard it is at; a record that takes it down is left out the next time."""

    def __init__(self, crawl: Crawl) -> None:
        self._seconds = crawl.seconds
        self._process: Supervised[StretchOrder, Any] = Supervised(
            serve, crawl, most=_SHARDS_A_PROCESS
        )
        self.shard: CrawlShard | None = None
        self._lost: dict[int, tuple[str, str]] = {}
        self._at: int | None = None
        self._false_starts = 0

    @property
    def pipe(self) -> "connection.Connection[Any, Any]":
        """Where its answers come from."""
        return self._process.pipe

    def begin(self, shard: CrawlShard) -> None:
        """Hand it a shard."""
        self.shard, self._lost, self._false_starts = shard, {}, 0
        self._hand()

    def look(self) -> ShardSummary | None:
        """Take in what it has said; return what came of its shard once that is done."""
        assert self.shard is not None
        try:
            for answer in self._process.answers():
                if isinstance(answer, InputError):
                    raise answer
                if isinstance(answer, ShardSummary):
                    return self._over(answer)
                self._at = int(answer)
        except ProcessLost as error:
            self._lose("failed", f"the page took down the process it was worked on in{error}")
            return None
        limit = max(self._seconds, _START_S if self._at is None else 0.0)
        if self._process.seconds > limit:
            self._lose("timed out", f"the page took more than {limit:g} s")
        return None

    def end(self) -> None:
        """See to it that the process has ended."""
        self._process.end(waits=self.shard is None)

    def _hand(self) -> None:
        assert self.shard is not None
        self._at = None
        self._process.hand(StretchOrder(self.shard.file, self.shard.stretch, self._lost))

    def _lose(self, status: str, why: str) -> None:
        self._process.end(waits=False)
        if self._at is not None:
            self._lost[self._at] = status, why
        elif self._false_starts < _FALSE_STARTS:
            self._false_starts += 1
        else:
            raise InputError("worker processes end as soon as they are started: see pagelet doctor")
        self._hand()

    def _over(self, summary: ShardSummary) -> ShardSummary:
        shard, self.shard = self.shard, None
        assert shard is not None
        mark = {"shard": shard.digest, "bytes": shard.file.stat().st_size, **asdict(summary)}
        with replaced(shard.mark) as beside:
            beside.write_text(json.dumps(mark), "utf-8")
        return summary


# What is kept ------------------------------------------------------------------------------


def _state_of(source: Path) -> list[object]:
    try:
        known = source.stat()
    except OSError as error:
        raise InputError(f"cannot read {source}: {error.strerror or error}") from error
    return [str(source.absolute()), known.st_size, known.st_mtime_ns]


def _known(path: Path, asked: Mapping[str, object]) -> list[Stretch] | None:
    """Return the stretches found before, if the archives are as they were then."""
    try:
        plan = json.loads(path.read_bytes())
        if {name: plan[name] for name in asked} != asked:
            return None
        return [Stretch(Path(p), member, at, count) for p, member, at, count in plan["shards"]]
    except (OSError, ValueError, OverflowError, KeyError, TypeError):
        return None


def _stretch_as_json(stretch: Stretch) -> list[object]:
    return [str(stretch.path.absolute()), stretch.member, stretch.offset, stretch.count]
