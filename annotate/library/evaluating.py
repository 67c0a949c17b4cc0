"""Methods run on cases and scored, by this process's workers or by an executor of the caller's."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from algorithms.own.functions import ExtractFunction
from algorithms.own.texts import read_texts, texts_of
from algorithms.params import Value
from annotate.datasets.cases import DataSet
from annotate.datasets.readers import mixed_gold
from annotate.evaluation.report.result_files import write_tables
from annotate.evaluation.run.plan import Chosen, Plan, chosen_of, chosen_texts, notes_on, plan_of
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.run_progress import Eta
from annotate.evaluation.run.runner import carry_out
from annotate.evaluation.run.shards import (
    FOLDER,
    MOST_PAGES,
    Shard,
    ShardDone,
    do_shard,
    read_shard,
    rows_of_lost,
    shards_of,
    write_shard,
)
from annotate.evaluation.store.rows import ResultRow
from annotate.library.engines import Engine, ShardLost, engine_of, run_shards, workers_of
from annotate.library.page_cases import Cases, PageCase
from annotate.library.pages import entry_of, set_up
from annotate.library.progress import NullProgress, ProgressOption, watcher_of
from annotate.library.results import Evaluation
from engine.errors import InputError
from engine.page_cache import default_folder
from engine.word_units import WordUnit

MethodWord = str | ExtractFunction
Methods = (
    MethodWord
    | Sequence[MethodWord | tuple[MethodWord, Mapping[str, Value]]]
    | Mapping[str, Mapping[str, Value]]
)
"""Keys as the command line takes them; a function from HTML to text; or a list of these, each alone
or with parameters."""


def evaluate(
    cases: Cases | PageCase,
    methods: Methods = "native",
    *,
    measures: str | None = None,
    inputs: str | None = None,
    jobs: int = 1,
    executor: object = None,
    shard_pages: int = MOST_PAGES,
    out: str | Path | None = None,
    resume: bool = False,
    cache: bool = True,
    seconds: float = 120.0,
    word_unit: WordUnit = "characters",
    progress: ProgressOption = None,
) -> Evaluation:
    """Run methods on cases, score them, and return the results.

    Args:
        cases: From `dataset`.
        methods: Keys separated by commas, ``native``, ``external`` or ``all``; or a list of keys
            and of pairs of a key and parameters.  A function from HTML to text may replace a key.
        measures: Keys separated by commas, or ``all``; by default the usual ones.
        inputs: Forms to read, separated by commas; by default each method's first one.
        jobs: Worker processes; leave it out with an executor that brings workers.
        executor: Executor of the shards: ``"joblib"``, ``"ray"``, a client of Dask, an executor of
            `concurrent.futures`; by default a backend of joblib that is in force, else Pagelet's
            own worker processes.
        shard_pages: Pages that an executor does as one task, at most.
        out: A folder for ``scores.csv``, the summary and an SQLite file; None keeps the results
            in memory.
        resume: Whether finished pages, or shards of an executor, in ``out`` are kept.
        cache: Whether rendered pages are kept for the next time.
        seconds: Time limit for rendering one page, or for one method on it.
        word_unit: Unit of words in Chinese, Japanese, Thai, Lao, Khmer and Burmese:
            ``"characters"`` or ``"clauses"``.
        progress: Whether to tell how far it is: True, False, or a function that takes a line; by
            default in a terminal and in a notebook.

    Raises:
        InputError: There is no such method or measure, or nothing to score by.

    >>> import pagelet
    >>> cases = pagelet.dataset(pagelet.samples())[:2]
    >>> results = pagelet.evaluate(cases, ["plain", "bte"])
    >>> sorted(set(results.summary("numpy")["method"].tolist()))
    ['bte', 'plain']
    """
    options = _options(word_unit, out, jobs, seconds, resumes=resume, caches=cache)
    plan = make(cases, methods, measures, inputs, options)
    watcher = watcher_of(progress)
    engine = engine_of(executor, jobs)
    if engine is None:
        return _evaluation(plan, carry_out(plan, watcher).rows)
    shards = shards_of(plan, workers_of(executor, jobs), shard_pages)
    pages = [len(shard.tasks) for shard in shards]
    eta, done = Eta(sum(pages), 0, ()), []
    for each in _done(plan, shards, engine):
        done.append(each)
        for _ in range(pages[each.shard.number - 1]):
            eta.step()
        watcher.progressed(eta.state)
    done.sort(key=lambda each: each.shard.number)
    rows = tuple(row for each in done for row in each.rows)
    if plan.options.out is not None:
        write_tables(plan.options.out, rows)
    return _evaluation(plan, rows)


def score_texts(
    cases: Cases | PageCase,
    texts: Mapping[str, str] | str | Path,
    name: str = "",
    *,
    measures: str | None = None,
    jobs: int = 1,
    out: str | Path | None = None,
    seconds: float = 120.0,
    word_unit: WordUnit = "characters",
) -> Evaluation:
    """Score texts that were extracted elsewhere, as `evaluate` scores what methods extract.

    Args:
        cases: From `dataset`.
        texts: Page → text; or a file of that in JSON, or a folder with a file NAME.txt a page.
        name: Its name in tables; by default that of the file or folder.
        measures, jobs, out, seconds, word_unit: As `evaluate` takes them.

    Raises:
        InputError: There is no text of any of the pages.

    >>> import pagelet
    >>> cases = pagelet.dataset(pagelet.samples())[:2]
    >>> perfect = {case.name: case.gold.text for case in cases}
    >>> scored = pagelet.score_texts(cases, perfect, "perfect")
    >>> scored.summary("numpy")["value"].tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    options = _options(word_unit, out, jobs, seconds)
    datasets = as_cases(cases).datasets
    _warn_of_mixtures(datasets, 2)
    if isinstance(texts, str | Path):
        made = read_texts(Path(texts).expanduser(), name)
    else:
        made = texts_of(texts, name)
    made = made.among(name for dataset in datasets for name, _ in dataset.pages)
    notes_on(made, datasets, datasets)
    plan = plan_of(datasets, chosen_texts([made]), options, measures=measures)
    return _evaluation(plan, carry_out(plan, NullProgress()).rows)


def stream(
    cases: Cases | PageCase,
    methods: Methods = "native",
    *,
    measures: str | None = None,
    inputs: str | None = None,
    jobs: int = 1,
    executor: object = None,
    shard_pages: int = 10,
    out: str | Path | None = None,
    resume: bool = False,
    cache: bool = True,
    seconds: float = 120.0,
    word_unit: WordUnit = "characters",
) -> Iterator[Evaluation]:
    """Yield results shard by shard as they come, in any order; takes what `evaluate` takes.

    >>> import pagelet
    >>> cases = pagelet.dataset(pagelet.samples())[:2]
    >>> sum(len(results.rows) for results in pagelet.stream(cases, "plain", shard_pages=1))
    8
    """
    options = _options(word_unit, out, jobs, seconds, resumes=resume, caches=cache)
    plan = make(cases, methods, measures, inputs, options)
    engine = engine_of(executor, jobs) or (
        lambda _do, shards, jobs: ((number, do_shard(each, jobs), "") for number, each in shards)
    )
    shards = shards_of(plan, workers_of(executor, jobs), shard_pages)
    for done in _done(plan, shards, engine):
        yield _evaluation(plan, done.rows)


def _options(
    word_unit: WordUnit,
    out: str | Path | None,
    jobs: int,
    seconds: float,
    *,
    resumes: bool = False,
    caches: bool = True,
) -> EvaluationOptions:
    return EvaluationOptions(
        word_unit,
        None if out is None else Path(out),
        jobs=jobs,
        resumes=resumes,
        seconds=seconds,
        cache=default_folder() if caches else None,
    )


def _evaluation(plan: Plan, rows: Iterable[ResultRow]) -> Evaluation:
    entries = (chosen.entry for chosen in plan.methods)
    recipes = {entry.key: entry.recipe for entry in entries if entry.recipe is not None}
    return Evaluation(tuple(rows), Cases(plan.datasets), recipes)


def _done(plan: Plan, shards: Sequence[Shard], engine: Engine) -> Iterator[ShardDone]:
    """Yield shards as they are done, earlier ones first; each is stored at once."""
    folder = None if plan.options.out is None else plan.options.out / FOLDER
    todo = []
    for shard in shards:
        stored = read_shard(folder, shard) if folder is not None and plan.options.resumes else None
        if stored is None:
            todo.append(shard)
        else:
            yield stored
    for done in run_shards(engine, do_shard, todo, plan.options.jobs) if todo else ():
        if isinstance(done, ShardLost):  # not kept, so that it is done when this is resumed
            yield ShardDone(replace(done.shard, tasks=()), rows_of_lost(done.shard, done.why))
            continue
        if folder is not None:
            write_shard(folder, done)
        yield done


def make(
    cases: Cases | PageCase,
    methods: Methods,
    measures: str | None,
    inputs: str | None,
    options: EvaluationOptions,
) -> Plan:
    """Return the plan of an evaluation; raises `InputError`."""
    datasets = as_cases(cases).datasets
    _warn_of_mixtures(datasets, 3)
    chosen, forms = _chosen(methods, datasets), None
    if inputs is not None:
        forms = tuple(dict.fromkeys(word.strip() for word in inputs.split(",") if word.strip()))
    return plan_of(datasets, chosen, options, measures=measures, inputs=forms)


def _warn_of_mixtures(datasets: Sequence[DataSet], level: int) -> None:
    """Warn where gold of several guidelines is about to be averaged, ``level`` calls up."""
    for dataset in datasets:
        if mixed := mixed_gold(dataset):
            warnings.warn(f"{dataset.name}: {mixed}", stacklevel=level + 1)


def as_cases(cases: Cases | PageCase) -> Cases:
    """Return cases as one sequence; `InputError` if there are none."""
    if isinstance(cases, PageCase):
        cases = cases.alone()
    if not isinstance(cases, Cases):
        raise InputError("evaluate takes what pagelet.dataset returns, or a part of it")
    if not len(cases):
        raise InputError("there are no cases to evaluate")
    return cases


def _chosen(methods: Methods, datasets: Sequence[DataSet]) -> tuple[Chosen, ...]:
    if isinstance(methods, str):
        return chosen_of(methods, (), datasets)
    many: Iterable[MethodWord | tuple[MethodWord, Mapping[str, Value]]]
    if isinstance(methods, Mapping):
        many = methods.items()
    else:
        many = [methods] if callable(methods) else methods
    result: list[Chosen] = []
    versions: dict[str, str] = {}
    twice = ""
    for each in many:
        word, params = each if isinstance(each, tuple) else (each, dict[str, Value]())
        entry = entry_of(word)
        result.append(Chosen(entry, set_up(entry, params).params))
        if versions.setdefault(entry.key, entry.version) != entry.version:
            twice = twice or entry.key
    if not result:
        raise InputError("name a method, such as pagelet.evaluate(cases, ['vips'])")
    if twice:
        raise InputError(f"two functions have the name {twice}: rename one")
    return tuple(result)
