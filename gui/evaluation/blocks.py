"""``pagelet evaluate`` with gold blocks: pages rendered, segmented and scored in processes.

``scores.csv`` has one row a page, method, input and measure; ``summary.csv`` has one a data set,
method, input and measure.  An input is a variant of the page.  With predictions,
``predictions/DATASET/METHOD--VARIANT.json`` has text and level of each block found, for a scorer
that shares no code with Pagelet; until the end ``blocks.jsonl`` has them.
"""

import csv
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

from algorithms.batch import RunStatus, Setup
from algorithms.block_batch import BlockRun
from algorithms.catalogue import available, method
from algorithms.measures.named_blocks import BlockMeasure, block_measures
from algorithms.method import Method
from annotate.datasets.kreuzer import blocks_of
from engine.document import Document, Variant, list_documents
from engine.errors import InputError
from engine.page import Input
from engine.snapshots import default_folder
from gui.evaluation.block_tables import (
    BLOCK_ROW_COLUMNS,
    BLOCK_SUMMARY_COLUMNS,
    BlockGroup,
    block_rows,
    block_tables,
    count_columns,
    page_name,
)
from gui.evaluation.ledger import KIND, Key, Ledger
from gui.evaluation.page_work import PageTask, Work
from gui.evaluation.predicted import PredictedBlocks
from gui.evaluation.progress import Progress
from gui.evaluation.tables import renderer_name, settings_of, setup_columns, summary_row
from gui.evaluation.workers import PageDone, run_in_workers

DEFAULT_INPUTS = "html,dom,repaired"
DEFAULT_MEASURES = "blocks,b3"

_ORIGIN = re.compile(r'"/opt/dataset-(\w+)/')


@dataclass(frozen=True)
class BlockCase:
    """A page in one variant."""

    key: Key
    document: Document
    gold: Path | None


@dataclass(frozen=True)
class BlockDataSet:
    """A folder in Kreuzer's layout, or one site of it.

    Attributes:
        name: For tables and folders.
        origin: Which of the thesis' data sets it is: random, popular; "" for none.
        cases: In its own order, the variants of a page one after the other.
        problems: A sentence for each page that cannot be used.
    """

    name: str
    origin: str
    cases: tuple[BlockCase, ...]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class BlockPlan:
    """What to evaluate, checked before anything runs.

    Attributes:
        datasets: Where the pages are from.
        setups: What runs on each page in each variant.
        measures: What it is scored by.
        out: The folder to write to.
        cache: The folder of snapshots; None renders every time.
        predictions: Whether the blocks found are written.
        jobs: Worker processes.
        resumes: Whether pages that are done are left alone.
        no_sandbox, seconds: See `gui.evaluation.page_work.Work`.
    """

    datasets: tuple[BlockDataSet, ...]
    setups: tuple[Setup, ...]
    measures: tuple[BlockMeasure, ...]
    out: Path
    cache: Path | None
    predictions: bool = False
    jobs: int = 1
    resumes: bool = False
    no_sandbox: bool = False
    seconds: float = 120.0


def has_blocks(source: str | Path) -> bool:
    """Whether a data set's gold are blocks: a folder in Kreuzer's layout, or a site of one."""
    path = Path(source).expanduser()
    return path.is_dir() and any((p / "mapping.txt").is_file() for p in (path, path.parent))


def make_block_plan(
    sources: Sequence[str],
    *,
    methods: str,
    inputs: str | None,
    measures: str | None,
    settings: Sequence[str],
    out: Path,
    cache: Path | None = None,
    is_cached: bool = True,
    predictions: bool = False,
    jobs: int = 1,
    resumes: bool = False,
    no_sandbox: bool = False,
    seconds: float = 120.0,
) -> BlockPlan:
    """Return the plan that the words of a command line say; `InputError` where they say none."""
    if jobs < 1:
        raise InputError(f"--jobs is {jobs}, want 1 or more")
    if not seconds > 0:
        raise InputError(f"--timeout is {seconds:g}, want more than 0 seconds")
    variants = tuple(dict.fromkeys(name.strip() for name in (inputs or DEFAULT_INPUTS).split(",")))
    for name in variants:
        if name not in get_args(Variant):
            wanted = ", ".join(get_args(Variant))
            raise InputError(f"--input is {name!r}, want some of {wanted} for gold blocks")
    entries = _entries(methods)
    texts = settings_of(entries, settings)
    chosen = cast("tuple[Variant, ...]", variants)
    datasets = tuple(_read(Path(source).expanduser(), chosen) for source in sources)
    names = [dataset.name for dataset in datasets]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two data sets have the name {name}: evaluate them one by one")
    return BlockPlan(
        datasets,
        tuple(
            Setup(key, entry.params.parse(texts.get(key, {})), "rendered")
            for key, entry in entries.items()
        ),
        block_measures(measures or DEFAULT_MEASURES),
        out,
        (cache or default_folder()) if is_cached else None,
        predictions,
        jobs,
        resumes,
        no_sandbox,
        seconds,
    )


def _entries(methods: str) -> dict[str, Method]:
    segmenters = [entry for entry in available() if entry.output == "segmentation"]
    groups = {
        "all": segmenters,
        "native": [entry for entry in segmenters if entry.is_own],
        "external": [entry for entry in segmenters if not entry.is_own],
    }
    entries: dict[str, Method] = {}
    for word in dict.fromkeys(name.strip() for name in methods.split(",")):
        for entry in groups[word] if word in groups else [method(word)]:
            if entry.output != "segmentation":
                raise InputError(f"{word} is a method of {entry.output}: it gives no blocks")
            entries.setdefault(entry.key, entry)
    if not entries:
        raise InputError("no segmenter of another maker is installed")
    return entries


def _read(path: Path, variants: Sequence[Variant]) -> BlockDataSet:
    resolved = path.resolve()
    root = resolved if (resolved / "mapping.txt").is_file() else resolved.parent
    problems: list[str] = []
    pages: dict[str, list[BlockCase]] = {}
    for variant in variants:
        said: list[str] = []
        for document in list_documents(path, variant=variant, problems=said):
            assert document.root is not None
            place = (document.root / document.path).relative_to(root).as_posix()
            key = (resolved.name, page_name(place), variant)
            case = BlockCase(key, document, blocks_of(document))
            pages.setdefault(key[1], []).append(case)
        problems.extend(said)
    mapping = (root / "mapping.txt").read_text("utf-8", "replace")
    origins = set(_ORIGIN.findall(mapping))
    return BlockDataSet(
        resolved.name,
        origins.pop() if len(origins) == 1 else "",
        tuple(case for cases in pages.values() for case in cases),
        tuple(dict.fromkeys(problems)),
    )


def run_block_plan(plan: BlockPlan, say: Callable[[str], None]) -> str:
    """Carry a plan out; return its tables.  Ctrl-C keeps the pages that are done."""
    for dataset in plan.datasets:
        for problem in dataset.problems:
            say(f"{dataset.name}: {problem}")
    cases = [case for dataset in plan.datasets for case in dataset.cases]
    kinds = {_kind(setup, measure) for setup in plan.setups for measure in plan.measures}
    keys = [case.key for case in cases]
    path = plan.out / "scores.csv"
    with Ledger(path, BLOCK_ROW_COLUMNS, kinds, keys, resumes=plan.resumes) as ledger:
        predicted = PredictedBlocks(plan.out / "predictions") if plan.predictions else None
        if predicted is not None:
            predicted.begin(resumes=plan.resumes)
        try:
            _run(plan, cases, ledger, predicted, say)
        except KeyboardInterrupt:
            done = f"{len(ledger.pages)} of {len(cases)} pages are in {path}"
            say(f"stopped; {done}, and --resume goes on with the others")
            raise
        ledger.finish()
        if predicted is not None:
            predicted.finish()
        parts = list(_summarise(plan, ledger))
    parts.append(f"Rows: {path}, summary: {plan.out / 'summary.csv'}")
    return "\n\n".join(parts)


def _kind(setup: Setup, measure: BlockMeasure) -> tuple[str, ...]:
    values = {**setup_columns(setup), "measure": measure.key}
    return tuple(str(values[name]) for name in KIND)


def _run(
    plan: BlockPlan,
    cases: Sequence[BlockCase],
    ledger: Ledger,
    predicted: PredictedBlocks | None,
    say: Callable[[str], None],
) -> None:
    done = {key for key in ledger.pages if predicted is None or key in predicted.pages}
    todo = [number for number, case in enumerate(cases) if case.key not in done]
    states: list[str] = []
    name = "+".join(dataset.name for dataset in plan.datasets)
    progress = Progress(name, len(cases), say, len(cases) - len(todo), states)
    renderer = renderer_name()
    keys = tuple(measure.key for measure in plan.measures)
    work = Work(plan.setups, keys, renderer, plan.cache, plan.no_sandbox, plan.seconds)
    for page in _pages(cases, todo, work, plan.jobs, states):
        case = cases[page.task.number]
        for note in page.facts.notes if page.facts is not None else ():
            say(f"{case.key[1]} ({case.key[2]}): {note}")
        if predicted is not None:
            methods = [setup.method for setup in plan.setups]
            predicted.add(case.key, dict(zip(methods, page.runs, strict=True)))
        ledger.add(
            case.key,
            [
                row
                for setup, run in zip(plan.setups, page.runs, strict=True)
                for row in block_rows(case.key, page.facts, renderer, setup, run, plan.measures)
            ],
        )
        progress.step()


def _pages(
    cases: Sequence[BlockCase], todo: Sequence[int], work: Work, jobs: int, states: list[str]
) -> Iterator[PageDone]:
    tasks = []
    for number in todo:
        case = cases[number]
        if case.gold is None:
            task = PageTask(number, case.document, Path(), has_rows=False)
            run = BlockRun(RunStatus.SKIPPED, "the page has no gold blocks")
            yield PageDone(task, None, (run,) * len(work.setups))
        else:
            is_repaired = case.document.repaired
            tasks.append(PageTask(number, case.document, case.gold, is_repaired))
    yield from run_in_workers(tasks, work, jobs, states)


def _summarise(plan: BlockPlan, ledger: Ledger) -> Iterator[str]:
    path = plan.out / "summary.csv"
    try:
        file = path.open("w", newline="", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write to {plan.out}: {error.strerror or error}") from error
    with file:
        writer = csv.DictWriter(file, BLOCK_SUMMARY_COLUMNS, restval="")
        writer.writeheader()
        for dataset in plan.datasets:
            groups = _groups(plan, dataset, ledger)
            for group in groups:
                for measure in plan.measures:
                    summary = summary_row(dataset.name, group, measure, group.found[measure.key])
                    writer.writerow({**summary, **count_columns(group, measure)})
            yield block_tables(dataset.name, dataset.origin, groups, plan.measures)


def _groups(plan: BlockPlan, dataset: BlockDataSet, ledger: Ledger) -> list[BlockGroup]:
    groups = []
    for variant in dict.fromkeys(case.key[2] for case in dataset.cases):
        keys = [case.key for case in dataset.cases if case.key[2] == variant]
        for setup in plan.setups:
            parameters = json.dumps(setup.params.as_dict())
            rows = [
                row
                for key in keys
                for row in ledger.pages[key]
                if row["method"] == setup.method and row["parameters"] == parameters
            ]
            shown = Setup(setup.method, setup.params, cast("Input", variant))
            groups.append(BlockGroup(shown, rows, plan.measures))
    return groups
