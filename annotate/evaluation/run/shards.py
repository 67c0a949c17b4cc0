"""Shards: an evaluation in pieces of 50 to 100 pages that any engine may do, in any order.

A shard is done by a plain function, wherever that is called: it starts worker processes of its own,
which alone know Qt, and gives back rows.  Shards are runs of pages in the order of the evaluation,
so their rows one after the other are those of a single process.  Parts of an evaluation on several
machines are some of its shards each, in files, and are merged.
"""

import hashlib
import json
import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path

from algorithms.core.batch import Run, RunStatus, measures_of
from annotate.evaluation.report.result_files import DataSetFacts, Evaluated, facts_of, write_results
from annotate.evaluation.run.plan import Plan
from annotate.evaluation.run.tasks import CaseTask, Work, has_changed, rows_of
from annotate.evaluation.run.workers import run_in_workers
from annotate.evaluation.store.row_files import (
    ORIGIN_FILE,
    encode_rows,
    read_origin,
    rows_in,
    write_origin,
    write_rows,
)
from annotate.evaluation.store.rows import ROW_COLUMNS, ResultRow, cells, parameters_of, version_of
from annotate.evaluation.store.run_store import PlannedRuns, RunStore
from engine.bounded_file import atomic_write, read_bytes
from engine.errors import CaptureError, InputError, convert_os_error
from engine.processes.worker_process import (
    Handler,
    ProcessLost,
    ProcessTimeout,
    Send,
    WorkerProcess,
)
from engine.web.renderer import renderer_name
from engine.words import plural

FOLDER = "shards"

MOST_PAGES = 100
"""Pages of one shard: few enough to lose, many enough that starting a browser does not count."""

FORMAT = 1
_PATIENCE_S = 120.0
_LARGEST = 4 * 2**30
"""Bytes of a shard's rows."""


@dataclass(frozen=True)
class Shard:
    """Pages to evaluate, with all that is needed for it; it travels to other machines.

    Attributes:
        number, of: Number of the shard, from 1, and of all shards.
        plan: Digest of the whole evaluation: only shards of the same one belong together.
        tasks: The pages, each with its setups.
        work: Settings of the work; the renderer is that of the machine it runs on.
        datasets: Facts about each data set for the tables.
    """

    number: int
    of: int
    plan: str
    tasks: tuple[CaseTask, ...]
    work: Work
    datasets: Mapping[str, DataSetFacts]

    @property
    def name(self) -> str:
        return f"shard-{self.number:04}-of-{self.of:04}"


@dataclass(frozen=True)
class ShardDone:
    """Results of a shard.

    Attributes:
        shard: Its number and all, without the pages.
        rows: In the order of the evaluation.
        notes: Notes for the user, one sentence each.
    """

    shard: Shard
    rows: tuple[ResultRow, ...]
    notes: tuple[str, ...] = ()


def shards_of(plan: Plan, parts: int = 1, most: int = MOST_PAGES) -> tuple[Shard, ...]:
    """Return the shards of a plan, of similar size; each of ``parts`` workers gets as many.

    Args:
        plan: The plan.
        parts: For how many workers.
        most: Pages of one shard at most.
    """
    if most < 1:
        raise InputError(f"a shard must have at least 1 page, got {most}")
    tasks = [CaseTask(n, case, setups) for n, (_, case, setups) in enumerate(plan.cases())]
    pages = [tuple(same) for _, same in groupby(tasks, lambda task: task.case.key[:2])]
    count = min(len(pages), parts * math.ceil(len(pages) / (parts * most)))
    work = Work(plan.measures.keys, "", plan.options)
    facts = facts_of(plan.datasets)
    bounds = [len(pages) * k // count for k in range(count + 1)] if count else [0]
    digest = _digest(tasks, work, bounds)
    shards = []
    for number, (start, end) in enumerate(pairwise(bounds), 1):
        mine = tuple(task for page in pages[start:end] for task in page)
        shards.append(Shard(number, count, digest, mine, work, facts))
    return tuple(shards)


def do_shard(shard: Shard, jobs: int = 1) -> ShardDone:
    """Evaluate a shard in ``jobs`` worker processes; blocks, and writes nothing."""
    work = replace(shard.work, renderer=renderer_here())
    measures = measures_of(",".join(work.measures))
    result: dict[int, list[ResultRow]] = {}
    notes: list[str] = []
    for page in run_in_workers(shard.tasks, work, jobs):
        if page is not None:
            result[page.task.number] = page.rows(work.renderer, measures, work.options.word_unit)
            notes += page.notes
    rows = tuple(row for task in shard.tasks for row in result[task.number])
    return ShardDone(replace(shard, tasks=()), rows, tuple(notes))


@cache
def renderer_here() -> str:
    """Return name and version of the browser engine; costs a second the first time."""
    with WorkerProcess[None, str](_name_worker) as process:
        try:
            return process.ask(None, _PATIENCE_S)
        except ProcessTimeout:
            raise CaptureError(f"the renderer did not answer within {_PATIENCE_S:g} s") from None
        except ProcessLost:
            raise CaptureError("the renderer cannot be loaded: run pagelet doctor") from None


@contextmanager
def _name_worker(_: Send) -> Iterator[Handler]:
    yield lambda _order: renderer_name()


def rows_of_lost(shard: Shard, why: str) -> tuple[ResultRow, ...]:
    """Return the rows of a shard that could not be done: every run of it failed."""
    measures = measures_of(",".join(shard.work.measures))
    lost = Run(RunStatus.FAILED, f"its shard could not be done ({why})")
    return tuple(
        row
        for task in shard.tasks
        for setup in task.setups
        for row in rows_of(task.case.key, None, "", setup, lost, measures.of(setup.entry))
    )


def _digest(tasks: Sequence[CaseTask], work: Work, bounds: Sequence[int]) -> str:
    """Return what changes with pages, methods, parameters, versions, measures or the division."""
    digest = hashlib.blake2b(digest_size=16)
    chance = () if work.options.repeatable is None else (work.options.repeatable,)
    unit = () if work.options.word_unit == "characters" else (work.options.word_unit,)
    asked = (FORMAT, work.measures, work.options.seconds, *chance, *unit, tuple(bounds))
    digest.update(repr(asked).encode())
    for task in tasks:
        settings = [(s.method, version_of(s), parameters_of(s), s.input) for s in task.setups]
        digest.update(repr((task.case.key, settings)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


# In files ----------------------------------------------------------------------------------


def write_shard(folder: Path, done: ShardDone) -> Path:
    """Write the rows of a shard, then the mark that they are complete; both atomically.

    Raises `InputError` if the folder cannot be written to.
    """
    shard, path = done.shard, folder / f"{done.shard.name}.csv"
    data = encode_rows([ROW_COLUMNS, *map(cells, done.rows)])
    mark = {
        "format": FORMAT,
        "number": shard.number,
        "of": shard.of,
        "plan": shard.plan,
        "datasets": {name: asdict(facts) for name, facts in shard.datasets.items()},
        "rows": len(done.rows),
        "sha256": hashlib.sha256(data).hexdigest(),
    }
    with convert_os_error(f"write to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
    marked = path.with_suffix(".done"), json.dumps(mark, indent=1).encode()
    for file, content in ((path, data), marked):  # each is written to disk before it is renamed
        with atomic_write(file) as beside, beside.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
    return path


def read_shard(folder: Path, shard: Shard) -> ShardDone | None:
    """Return a shard that is done already.

    None where it is not, was of another evaluation, or where a page or its gold was changed since.
    """
    stored = None
    with suppress(InputError):
        stored = _StoredShard.read(folder / f"{shard.name}.done")
    if stored is None or stored.plan != shard.plan:
        return None
    rows = stored.rows()
    by_page = {key: tuple(own) for key, own in groupby(rows, lambda row: row.run.key)}
    if any(has_changed(by_page.get(t.case.key, ()), t.case.files) for t in shard.tasks):
        return None
    return ShardDone(replace(shard, tasks=()), rows)


def merge_shards(folders: Sequence[Path]) -> tuple[RunStore, Mapping[str, DataSetFacts]]:
    """Return the rows of all shards in some folders, and the facts about data sets.

    Raises `InputError` where some are missing, damaged, or of different evaluations.
    """
    stored: dict[int, _StoredShard] = {}
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"no such folder: {folder}")
        inside = folder / FOLDER
        for path in sorted((inside if inside.is_dir() else folder).glob("shard-*.done")):
            if (result := _StoredShard.read(path)) is None:
                continue
            stored.setdefault(result.number, result)
            if result.plan != next(iter(stored.values())).plan:
                raise InputError(
                    f"{path} is of another evaluation, or of one that was divided otherwise: "
                    "merge the shards of one evaluation, and of as many parts"
                )
    if not stored:
        names = ", ".join(map(str, folders))
        raise InputError(f"{names} holds no shards: run pagelet evaluate --shard 1/2 --out first")
    first = next(iter(stored.values()))
    missing = [number for number in range(1, first.of + 1) if number not in stored]
    if missing:
        listed = ", ".join(map(str, missing[:10])) + (", ..." if len(missing) > 10 else "")
        raise InputError(f"{len(missing)} of {first.of} shards are missing: {listed}")
    in_order = [stored[number] for number in sorted(stored)]
    keys = dict.fromkeys(row.run.key for shard in in_order for row in shard.rows())
    store = RunStore(None, PlannedRuns(lambda: ((key, frozenset()) for key in keys)))
    for shard in in_order:
        for key, rows in groupby(shard.rows(), lambda row: row.run.key):
            store.add(key, rows)
    return store, first.datasets


@dataclass(frozen=True)
class _StoredShard:
    """A completion mark, and its file."""

    path: Path
    number: int
    of: int
    plan: str
    datasets: Mapping[str, DataSetFacts]
    digest: str

    @classmethod
    def read(cls, path: Path) -> "_StoredShard | None":
        """Return the mark in a file, None if there is none; raises `InputError`."""
        try:
            with convert_os_error(f"read {path}"), suppress(FileNotFoundError):
                mark = json.loads(read_bytes(path))
                return cls(
                    path.with_suffix(".csv"),
                    int(mark["number"]),
                    int(mark["of"]),
                    str(mark["plan"]),
                    {name: DataSetFacts(**facts) for name, facts in mark["datasets"].items()},
                    str(mark["sha256"]),
                )
        except (ValueError, OverflowError, KeyError, TypeError, AttributeError):
            raise InputError(f"{path} is damaged: remove it, and do that shard again") from None
        return None

    def rows(self) -> tuple[ResultRow, ...]:
        """Return the rows; `InputError` if they are not those that were written."""
        with convert_os_error(f"read {self.path}"):
            data = read_bytes(self.path, _LARGEST)
        if hashlib.sha256(data).hexdigest() != self.digest:
            mark = self.path.with_suffix(".done").name
            raise InputError(f"{self.path} was changed: remove {mark}, and do that shard again")
        return tuple(rows_in(self.path, data))


# Parts of an evaluation -------------------------------------------------------------------


def do_part(plan: Plan, part: int, parts: int, most: int, say: Callable[[str], None]) -> str:
    """Run every shard of one part of a plan, into ``OUT/shards``; return the results.

    Args:
        plan: The plan; with ``resumes`` finished shards are kept.
        part, parts: Number of the part, from 1, and of all parts.
        most: Pages of one shard at most.
        say: Called with each line of progress.

    Raises:
        InputError: The folder cannot be written to.
        KeyboardInterrupt: Ctrl-C; the shards that are done are kept.
    """
    assert plan.options.out is not None, "shards need a folder"
    folder = plan.options.out / FOLDER
    every = shards_of(plan, parts, most)
    mine = every[part - 1 :: parts]
    done = 0
    for shard in mine:
        if plan.options.resumes and read_shard(folder, shard) is not None:
            continue
        result = do_shard(shard, plan.options.jobs)
        for note in result.notes:
            say(note)
        write_shard(folder, result)
        done += 1
        say(f"{shard.name} is done")
    done_before = f", {plural(len(mine) - done, 'shard')} done before" if done < len(mine) else ""
    return f"{plural(done, 'shard')} of {len(every)} done{done_before}; they are in {folder}"


def merge(folders: Sequence[Path], out: Path, *, has_report: bool, title: str = "") -> Evaluated:
    """Merge shards into ``scores.csv``, the summary and the report.

    Raises `InputError` where shards are missing, damaged or of different evaluations.
    """
    store, facts = merge_shards(folders)
    result = Evaluated.of(store, facts)
    write_rows(out / "scores.csv", store.lines())
    write_results(out, store.lines(), result.groups)
    homes = (each if (each / ORIGIN_FILE).exists() else each.parent for each in folders)
    origins = list(map(read_origin, homes))
    datasets = dict.fromkeys(path for each in origins for path in each.datasets)
    write_origin(out, list(datasets), origins[0].repeatable)
    if has_report:
        from annotate.evaluation.report.html_report import write_report  # with matplotlib

        write_report(out, result.results, title=title or ", ".join(result.groups))
    return result


def part_of(text: str) -> tuple[int, int]:
    """Return the two numbers of ``i/n``; raises `InputError`."""
    one, _, many = text.partition("/")
    if not (one.isdecimal() and many.isdecimal() and 1 <= int(one) <= int(many)):
        raise InputError(f"--shard must be one such as 2/5: the second of five parts, got {text!r}")
    return int(one), int(many)
