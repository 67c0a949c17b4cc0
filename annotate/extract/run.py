"""Extraction of the pages of web archives into columns, a file a shard, resumable.

Each file is written atomically and contains a note on its content; the folder has a manifest.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from algorithms.core.batch import Setup
from algorithms.core.catalogue import named_method
from annotate.archives.page_ranges import RecordRange
from annotate.evaluation.run.run_options import PageChoice
from annotate.extract.extracted_rows import read_note
from annotate.extract.folder_manifest import MOST_RECORDS, Manifest, manifest_of
from annotate.extract.work import (
    ExtractionJob,
    PageCounts,
    ShardOrder,
    ShardSummary,
    extraction_worker,
)
from engine.account import Account
from engine.errors import InputError
from engine.options import Options, option
from engine.processes.pool import Again, Blame, answers_of
from engine.processes.worker_process import ProcessLost, ProcessTimeout, WorkerProcess

_SHARDS_A_PROCESS = 50
_START_S = 120.0
_PAUSE_S = 0.02
"""How long to let what workers say wait: they name each page as they begin it, and to wake up for
every one costs a sixth of what a quick method does.  Names stay in the pipe if a worker dies."""


@dataclass(frozen=True)
class ExtractionOptions(Options):
    """Options of an extraction of archives, besides those of `PageChoice`."""

    jobs: int = option(
        1, "worker processes (default: as many as there are processors)", metavar="N", low=1
    )
    resumes: bool = option(False, "skip shards that are done", flag="resume")
    replaces: bool = option(
        False, "remove the rows of another extraction from the folder first", flag="replace"
    )
    shard_records: int = option(MOST_RECORDS, "records of one file", metavar="N", low=1)
    seconds: float = option(
        120.0,
        "longest time for one page",
        flag="timeout",
        metavar="SECONDS",
        above=0,
        unit="seconds",
    )
    predicts: bool = option(
        False,
        "predict the F1 of each page, as pagelet triage does, into extra columns; "
        "some 80 ms a page",
        flag="predict",
    )


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
class Extracted(PageCounts):
    """Extraction totals.

    Attributes:
        shards: Number of files.
        troubles: A sentence for each archive that is damaged or could not be read to its end.
        records: How many records there are, as far as the archives could be read, or with a limit
            had to be; 0 of folders.
        others: Number of these that are not answers: requests, metadata.
        damaged: Number of these that cannot be used; possible pages among them are rows.
        kinds: Number of the other records, by kind.
    """

    shards: int = 0
    troubles: tuple[str, ...] = ()
    records: int = 0
    others: int = 0
    damaged: int = 0
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
    def has_failed(self) -> bool:
        """Whether there are pages, and none of them could be read."""
        return self.pages > 0 and not self.counts.get("ok") and not self.counts.get("empty")

    def with_(self, summary: ShardSummary) -> "Extracted":
        """Return the same with one more shard."""
        is_new = summary.trouble and summary.trouble not in self.troubles
        return replace(
            self.plus(summary),
            shards=self.shards + 1,
            troubles=(*self.troubles, *((summary.trouble,) if is_new else ())),
        )


Workers = Callable[[Sequence[ExtractionShard], int], Iterator[ShardSummary]]
"""Runs shards; yields their results in any order."""


@dataclass(frozen=True)
class ExtractionPlan:
    """All shards of an extraction, in the order of the archives, and the folder's manifest."""

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
    named = tuple(once.values())
    manifest = manifest_of(named, job, most, choice or PageChoice(), replaces=replaces)
    shards = (
        ExtractionShard(number, records, chosen, job, manifest.digest)
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
    contents, names = plan.manifest.contents, ("left_out", "not_html", "not_chosen")
    passed: dict[str, Any] = {name: plan.manifest.passed.get(name, 0) for name in names}
    result = Extracted(
        troubles=plan.manifest.troubles,
        records=sum(each.records for each in contents),
        others=sum(each.others for each in contents),
        damaged=sum(each.damaged for each in contents),
        kinds=dict(sum((Counter(each.kinds) for each in contents), Counter[str]())),
        **passed,
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
    result = []
    for key in keys:
        entry = named_method(key)
        if setup.input not in entry.inputs or entry.output != "extraction":
            raise InputError(f"--beside {key}: it does not extract from the {setup.input} page")
        result.append(Setup(key, entry.params(), setup.input, entry.recipe))
    return tuple(result)


def usual_beside(setup: Setup) -> tuple[str, ...]:
    """Return the method asked beside another where the user names none."""
    return ("dsc",) if setup.method == "bte" else ("bte",)


# Workers -----------------------------------------------------------------------------------


def _in_workers(shards: Sequence[ExtractionShard], jobs: int) -> Iterator[ShardSummary]:
    job = shards[0].job
    tries = {shard.file: _Tries(shard) for shard in shards}

    def limit(order: ShardOrder) -> float:
        return max(job.seconds, _START_S if tries[order.file].record is None else 0.0)

    def note(order: ShardOrder, record: int) -> None:
        tries[order.file].record = record

    return answers_of(
        [each.order() for each in tries.values()],
        jobs,
        lambda: WorkerProcess(extraction_worker, job, most=_SHARDS_A_PROCESS),
        seconds=limit,
        lost=lambda order, error: tries[order.file].again(error),
        note=note,
        pause_s=_PAUSE_S,
    )


@dataclass
class _Tries:
    """Tries at a shard; a record that takes its process down is left out the next time."""

    shard: ExtractionShard
    record: int | None = None
    lost: dict[int, tuple[str, str]] = field(default_factory=dict)
    blame: Blame = field(default_factory=Blame)

    def order(self, *, goes_on: bool = False) -> ShardOrder:
        shard, self.record = self.shard, None
        return ShardOrder(shard.file, shard.records, shard.chosen, shard.digest, self.lost, goes_on)

    def again(self, error: ProcessLost) -> Again[ShardOrder]:
        """Return the next order after a process was lost at `record`."""
        if not self.blame.is_spared(self.record, error):
            if self.record is None:
                raise InputError("worker processes end at once: run pagelet doctor")
            status = "timed out" if isinstance(error, ProcessTimeout) else "failed"
            self.lost[self.record] = status, f"the page {error}"
        return Again(self.order(goes_on=True))
