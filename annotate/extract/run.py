"""Extraction of the pages of web archives into columns, a file a shard, resumable.

Each file is written atomically and contains a note on its content; the folder has a manifest.
"""

import hashlib
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from multiprocessing import connection
from pathlib import Path
from typing import Any

from algorithms.core.batch import Setup
from annotate.archives.page_ranges import RecordRange
from annotate.evaluation.run.run_options import PageChoice
from annotate.evaluation.run.triage import worst_of
from annotate.extract.columns import read_note
from annotate.extract.manifest import MOST_RECORDS, Manifest, manifest_of
from annotate.extract.work import ExtractionJob, ShardOrder, ShardSummary, extraction_worker
from engine.account import Account
from engine.errors import InputError
from engine.processes.worker_process import TICK_S, ProcessLost, ProcessTimeout, WorkerProcess

_SHARDS_A_PROCESS = 50
_START_S = 120.0
_PAUSE_S = 0.02
"""How long to let what workers say wait: they name each page as they begin it, and to wake up for
every one costs a sixth of what a quick method does.  Names stay in the pipe if a worker dies."""

_FALSE_STARTS = 2


@dataclass(frozen=True)
class ExtractionShard:
    """Range of records and its job; can be sent to other machines that see the same folders.

    Attributes:
        number: From 0.
        records: The records.
        chosen: Numbers of these records to extract; None takes all.
        job: The job.
        plan: Digest of the whole extraction: only shards of the same one belong together.
    """

    number: int
    records: RecordRange
    chosen: frozenset[int] | None
    job: ExtractionJob
    plan: str

    @property
    def file(self) -> Path:
        """File for its rows."""
        return self.job.out / f"shard-{self.number:05}.{self.job.kind}"

    @property
    def digest(self) -> str:
        """Return what changes with records, method, parameters, version or columns."""
        return hashlib.blake2b(f"{self.plan} {self.number}".encode(), digest_size=16).hexdigest()

    def done(self) -> ShardSummary | None:
        """Return its summary if it is done; None if it is not, or the file is of another one."""
        try:
            note = read_note(self.file, self.job.kind)
            if note["shard"] != self.digest:
                return None
            return ShardSummary(**{name: note[name] for name in ShardSummary.__dataclass_fields__})
        except (InputError, KeyError, TypeError):
            return None


@dataclass(frozen=True)
class Extracted:
    """Extraction totals.

    Attributes:
        counts: Status → how many rows have it.
        shards: Number of files.
        troubles: A sentence for each archive that is damaged or could not be read to its end.
        left_out: Number of unsuccessful answers in HTML, which are not pages.
        not_html: Number of answers other than HTML.
        not_chosen: Number of pages not selected.
        truncated: Number of pages of which the archives have only the beginning.
        predicted, bad, worst: See `ShardSummary`.
        kinds: Number of the other records, by kind.
        failure: Why the first page failed; "" if none did.
        records: How many records there are, as far as the archives could be read, or with a limit
            had to be; 0 of folders.
        others: Number of these that are not answers: requests, metadata.
        damaged: Number of these that cannot be used; possible pages among them are rows.
    """

    counts: Mapping[str, int] = field(default_factory=dict)
    shards: int = 0
    troubles: tuple[str, ...] = ()
    left_out: int = 0
    not_html: int = 0
    not_chosen: int = 0
    truncated: int = 0
    failure: str = ""
    records: int = 0
    others: int = 0
    damaged: int = 0
    predicted: int = 0
    bad: int = 0
    worst: tuple[tuple[float, str], ...] = ()
    kinds: Mapping[str, int] = field(default_factory=dict)

    def account(self) -> Account:
        """Return what became of each record and file."""
        result = Account("record")
        failed = sum(self.counts.get(each, 0) for each in ("failed", "timed out"))
        result.take(self.pages - failed)
        result.pass_over("rows with a reason", count=failed)
        result.pass_over("not HTML", count=self.not_html)
        result.pass_over("redirect, not found, or error of the server", count=self.left_out)
        result.pass_over("not asked for", count=self.not_chosen)
        for kind, count in self.kinds.items():
            result.pass_over(kind if " " in kind else f"{kind}, not an answer", count=count)
        result.pass_over("damaged", count=max(0, self.records - result.found))
        return result

    @property
    def pages(self) -> int:
        """Number of rows written."""
        return sum(self.counts.values())

    @property
    def has_failed(self) -> bool:
        """Whether there are pages, and none of them could be read."""
        return self.pages > 0 and not self.counts.get("ok") and not self.counts.get("empty")

    def with_(self, summary: ShardSummary) -> "Extracted":
        """Return the same with one more shard."""
        is_new = summary.trouble and summary.trouble not in self.troubles
        return replace(
            self,
            counts=dict(Counter(self.counts) + Counter(summary.counts)),
            shards=self.shards + 1,
            troubles=(*self.troubles, *((summary.trouble,) if is_new else ())),
            left_out=self.left_out + summary.left_out,
            not_html=self.not_html + summary.not_html,
            not_chosen=self.not_chosen + summary.not_chosen,
            truncated=self.truncated + summary.truncated,
            failure=self.failure or summary.failure,
            predicted=self.predicted + summary.predicted,
            bad=self.bad + summary.bad,
            worst=tuple(worst_of([*self.worst, *summary.worst])),
        )


Workers = Callable[[Sequence[ExtractionShard], int], Iterator[ShardSummary]]
"""Does shards; yields what came of them, in any order."""


@dataclass(frozen=True)
class ExtractionPlan:
    """All shards of an extraction, and what the archives hold.

    Attributes:
        shards: In the order of the archives.
        manifest: The manifest of the folder.
    """

    shards: tuple[ExtractionShard, ...]
    manifest: Manifest


def shards_of(
    sources: Sequence[Path],
    job: ExtractionJob,
    most: int = MOST_RECORDS,
    *,
    choice: PageChoice | None = None,
    replaces: bool = False,
) -> ExtractionPlan:
    """Return the shards of archives and folders; costs unpacking each archive the first time.

    Args:
        sources: WARC files, WACZ packages, folders; one that is named twice is read once.
        job: Settings of the work on each page.
        most: Records of one shard at most.
        choice: Choice of pages to extract; None takes all.
        replaces: Whether what another extraction has written into the folder is removed.

    Raises:
        InputError: A source is no archive, the folder cannot be written to, or it holds rows of
            another extraction.
    """
    if most < 1:
        raise InputError(f"a shard must have at least 1 record, got {most}")
    once: dict[Path, Path] = {}
    for source in sources:
        once.setdefault(source.resolve(), source)
    manifest = manifest_of(
        tuple(once.values()), job, most, choice or PageChoice(), replaces=replaces
    )
    plan = manifest.digest
    shards = (
        ExtractionShard(number, records, chosen, job, plan)
        for number, (records, chosen) in enumerate(manifest.parts)
    )
    return ExtractionPlan(tuple(shards), manifest)


def extract(
    plan: ExtractionPlan,
    jobs: int,
    *,
    resumes: bool = False,
    say: Callable[[Extracted], None] = lambda _: None,
    workers: Workers | None = None,
) -> Extracted:
    """Do shards in ``jobs`` worker processes; blocks.

    Args:
        plan: Of `shards_of`.
        jobs: Number of processes.
        resumes: Whether shards that are done are left alone.
        say: Called with the progress, after each shard.
        workers: Does the shards elsewhere, as an engine does that calls `extract_shard`.

    Raises:
        InputError: Something cannot be written, or workers cannot be started.
    """
    manifest = plan.manifest
    result = Extracted(
        troubles=manifest.troubles,
        records=sum(each.records for each in manifest.contents),
        others=sum(each.others for each in manifest.contents),
        damaged=sum(each.damaged for each in manifest.contents),
        kinds=dict(sum((Counter(each.kinds) for each in manifest.contents), Counter[str]())),
        left_out=manifest.passed.get("left_out", 0),
        not_html=manifest.passed.get("not_html", 0),
        not_chosen=manifest.passed.get("not_chosen", 0),
    )
    todo = []
    for shard in plan.shards:
        summary = shard.done() if resumes else None
        if summary is None:
            todo.append(shard)
        else:
            result = result.with_(summary)
    for summary in (workers or _in_workers)(todo, jobs) if todo else ():
        result = result.with_(summary)
        say(result)
    return result


def extract_shard(shard: ExtractionShard) -> ShardSummary:
    """Extract one shard, on any machine: a plain function for engines. Blocks."""
    (summary,) = _in_workers([shard], 1)
    return summary


def setups_beside(setup: Setup, keys: Sequence[str]) -> tuple[Setup, ...]:
    """Return the methods whose agreement is the confidence, on the same input."""
    from algorithms.core.catalogue import named_method

    result = []
    for key in keys:
        entry = named_method(key)
        if setup.input not in entry.inputs or entry.output != "extraction":
            raise InputError(f"--beside {key}: it does not extract from the {setup.input} page")
        result.append(Setup(key, entry.params(), setup.input))
    return tuple(result)


def usual_beside(setup: Setup) -> tuple[str, ...]:
    """Return the method asked beside another where the user names none."""
    return ("dsc",) if setup.method == "bte" else ("bte",)


# Workers -----------------------------------------------------------------------------------


def _in_workers(shards: Sequence[ExtractionShard], jobs: int) -> Iterator[ShardSummary]:
    waiting = deque(shards)
    workers = [_ShardWorker(shards[0].job) for _ in range(min(jobs, len(shards)))]
    try:
        while True:
            for worker in workers:
                if worker.shard is None and waiting:
                    worker.begin(waiting.popleft())
            busy = [worker for worker in workers if worker.shard is not None]
            if not busy:
                return
            connection.wait([worker.pipe for worker in busy], TICK_S)
            is_any_done = False
            for worker in busy:
                summary = worker.poll()
                if summary is not None:
                    is_any_done = True
                    yield summary
            if not is_any_done:
                time.sleep(_PAUSE_S)
    finally:
        for worker in workers:
            worker.end()


class _ShardWorker:
    """A process, and the shard it is at; a record that takes it down is left out the next time."""

    def __init__(self, job: ExtractionJob) -> None:
        self._seconds = job.seconds
        self._process: WorkerProcess[ShardOrder, ShardSummary] = WorkerProcess(
            extraction_worker, job, most=_SHARDS_A_PROCESS
        )
        self.shard: ExtractionShard | None = None
        self._lost: dict[int, tuple[str, str]] = {}
        self._died: set[int] = set()
        self._at: int | None = None
        self._false_starts = 0

    @property
    def pipe(self) -> "connection.Connection[Any, Any]":
        return self._process.pipe

    def begin(self, shard: ExtractionShard) -> None:
        self.shard, self._lost, self._false_starts = shard, {}, 0
        self._died = set()
        self._hand()

    def poll(self) -> ShardSummary | None:
        """Receive its messages; return the summary of its shard once that is done."""
        assert self.shard is not None
        limit = max(self._seconds, _START_S if self._at is None else 0.0)
        try:
            for is_answer, message in self._process.messages(limit):
                if is_answer:
                    self.shard = None
                    summary: ShardSummary = message
                    return summary
                self._at = message
        except ProcessLost as error:
            is_late = isinstance(error, ProcessTimeout)
            self._lose("timed out" if is_late else "failed", f"the page {error}")
        return None

    def end(self) -> None:
        """See to it that the process has ended."""
        self._process.end(waits=self.shard is None)

    def _hand(self) -> None:
        assert self.shard is not None
        self._at = None
        shard = self.shard
        self._process.hand(
            ShardOrder(shard.file, shard.records, shard.chosen, shard.digest, self._lost)
        )

    def _lose(self, status: str, why: str) -> None:
        if self._at is not None and status == "failed" and self._at not in self._died:
            self._died.add(self._at)  # once more: memory may have run out for a neighbour's sake
        elif self._at is not None:
            self._lost[self._at] = status, why
        elif self._false_starts < _FALSE_STARTS:
            self._false_starts += 1
        else:
            raise InputError("worker processes end at once: run pagelet doctor")
        self._hand()
