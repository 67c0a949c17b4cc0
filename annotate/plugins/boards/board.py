"""One table of all data sets: methods by set, type of page and language, by one measure.

A score is the mean over pages of the measure's value; a method that fails on a page has the score
of an empty text there, so that failing is no way to the top.  Its interval draws sites, and copies
of a page with it, together.  A method with a parameter ``guideline`` stands in the table once for
each guideline.  Two references need no run: *everything* is the method ``plain``, *best per page*
the best on each page of methods that have not seen its gold.  Adherence is how near a method's
share of a sort of text (caption, comment, code and so on) is to that of the gold: 1 - the mean over
pages of the distance of both.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from algorithms.core.batch import RunStatus
from algorithms.learning.seen import out_of_fold
from algorithms.measures.choice import measure_of
from algorithms.measures.significance import Interval, bootstrap_means
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import DataSet
from annotate.evaluation.report.result_files import facts_of
from annotate.evaluation.run.plan import Chosen, Plan, plan_of
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.run_progress import Eta
from annotate.evaluation.run.runner import Watcher
from annotate.evaluation.run.tasks import CaseTask, PageDone, Work
from annotate.evaluation.run.workers import run_in_workers
from annotate.evaluation.store.rows import ResultRow, parameters_of
from annotate.evaluation.tables.axes import setup_label
from engine.errors import InputError, PageletError
from engine.page import Page
from engine.source import Source
from engine.tree import Bools, Doubles
from engine.web.renderer import renderer_name

Shares = Callable[[Source, str], Mapping[str, float]]
"""Takes a page and a text; returns by sort of text which share of its words the text has."""

EVERYTHING, BEST = "everything", "best per page"
_LANG = re.compile(rb"""<html\b[^>]*?\blang\s*=\s*["']?\s*([a-zA-Z]{2,3})\b""", re.IGNORECASE)
_HEAD_BYTES = 20_000
UNSTATED = "no language"


@dataclass(frozen=True)
class BoardPage:
    """A page of the table.

    Attributes:
        dataset, name: Which.
        kind: Type of page, in the data set's words; "" if unknown.
        language: Subtag that its element ``html`` has; `UNSTATED` without one.
        site: What is drawn together for intervals: its site, or the page that it is a copy of.
    """

    dataset: str
    name: str
    kind: str
    language: str
    site: str


@dataclass(frozen=True)
class BoardNumber:
    """A method on some pages.

    Attributes:
        mean: With its 95 % interval; None where it ran on none.
        pages, failed, seen: How many it has a score on; failed on; has learned from.
    """

    mean: Interval | None
    pages: int
    failed: int
    seen: int


@dataclass
class Board:
    """Scores of methods on the pages of data sets.

    Attributes:
        measure: Key of the measure.
        pages: All pages.
        methods: Labels: a key, with the parameters that are changed.
        scores: float64 (methods, pages), NaN where a method did not run.
        failed, seen: bool as above.
        ms: Milliseconds of each run, float64 as above.
        stated: Label → scores on unseen sites that a model's card has, all in one line.
        adherence: Data set → label → sort of text → 1 - mean distance, and number of pages.
        rows: All rows, as `evaluate` writes them.
    """

    measure: str
    pages: Sequence[BoardPage]
    methods: Sequence[str]
    scores: Doubles
    failed: Bools
    seen: Bools
    ms: Doubles
    stated: Mapping[str, str]
    adherence: Mapping[str, Mapping[str, Mapping[str, tuple[float, int]]]]
    rows: Sequence[ResultRow] = field(repr=False)

    @cached_property
    def best(self) -> Doubles:
        """The best score on each page of methods that have not seen it, NaN without one."""
        open_ones = np.where(self.seen, -np.inf, np.nan_to_num(self.scores, nan=-np.inf))
        highest = open_ones.max(axis=0, initial=-np.inf)
        return np.where(np.isinf(highest), np.nan, highest)

    @cached_property
    def parts(self) -> Mapping[str, Bools]:
        """Name → which pages: each data set, then its types and its languages, if several."""
        result: dict[str, Bools] = {}
        sets = np.array([page.dataset for page in self.pages])
        for name in dict.fromkeys(sets.tolist()):
            mine = sets == name
            result[name] = mine
            for what in ("kind", "language"):
                values = np.array([getattr(page, what) for page in self.pages])
                counts = {each: int((values[mine] == each).sum()) for each in set(values[mine])}
                several = sorted(counts, key=lambda each: (-counts[each], each))
                for each in several if len(several) > 1 else ():
                    result[f"{name} · {each or 'no type'}"] = mine & (values == each)
        return result

    def numbers(self, part: str) -> Mapping[str, BoardNumber]:
        """Return by label, and by the name of a reference, the numbers on a part of the pages."""
        mask = self.parts[part]
        table = np.vstack([self.scores, self.best])[:, mask]
        sites = [page.site for page, is_in in zip(self.pages, mask, strict=True) if is_in]
        means = bootstrap_means(table.T, groups=sites)
        result = {}
        for k, label in enumerate((*self.methods, BEST)):
            failed, seen = (
                int(flags[k, mask].sum()) if k < len(self.methods) else 0
                for flags in (self.failed, self.seen)
            )
            result[label] = BoardNumber(means[k], int((~np.isnan(table[k])).sum()), failed, seen)
        return result

    @cached_property
    def order(self) -> Sequence[str]:
        """Labels, the best mean over sets first; those that have seen gold come last."""
        sets = [mask for name, mask in self.parts.items() if " · " not in name]
        means = {
            label: float(np.mean([_mean(self.scores[k, mask]) for mask in sets]))
            for k, label in enumerate(self.methods)
        }
        seen = {label: bool(self.seen[k].any()) for k, label in enumerate(self.methods)}
        return sorted(self.methods, key=lambda each: (seen[each], -means[each], each))


def _mean(values: Doubles) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else 0.0


def under_guidelines(chosen: Sequence[Chosen]) -> list[Chosen]:
    """Return the methods, each once for every choice of its parameter ``guideline``."""
    result = []
    for each in chosen:
        spec = type(each.params).specs().get("guideline")
        for choice in spec.choices if spec is not None and spec.choices else ("",):
            values = {**each.params.as_dict(), "guideline": choice}
            params = type(each.params)(**values) if choice else each.params
            result.append(Chosen(each.entry, params, each.is_named, each.input))
    return result


def make_board(
    datasets: Sequence[DataSet],
    chosen: Sequence[Chosen],
    measure: str,
    options: EvaluationOptions,
    watcher: Watcher,
    *,
    shares: Shares,
    rule_pages: int,
) -> Board:
    """Run methods on data sets and return their board.

    Args:
        datasets: With gold text.
        chosen: Extractors; `under_guidelines` gives those with a guideline several times.
        measure: Key of a measure of text.
        options: Of the runs.
        watcher: Receives the progress, and can stop it.
        shares: Tells sorts of text apart, for adherence.
        rule_pages: Pages of each set that adherence is taken on, the first ones.

    Raises:
        InputError: There is no such measure, no gold, or it was stopped.
    """
    for each in datasets:
        if each.has_variants:
            raise InputError(f"{each.name} has several files a page: evaluate compares these")
    plan = plan_of(tuple(datasets), tuple(chosen), options, measures=measure_of(measure).key)
    names = [(case.key, case.files) for _, case, _ in plan.cases()]
    numbers = {key[:2]: k for k, key in enumerate(dict.fromkeys(key[:2] for key, _ in names))}
    ruled = {
        key
        for each in datasets
        for key in [mine for mine in numbers if mine[0] == each.name][:rule_pages]
    }
    labels = [_label(each, chosen) for each in chosen]
    shape = len(labels), len(numbers)
    board = Board(
        measure, _pages(datasets, {key[:2]: files for key, files in names}), labels,
        np.full(shape, np.nan), np.zeros(shape, bool), np.zeros(shape, bool),
        np.full(shape, np.nan), _stated(chosen, labels), {}, [],
    )  # fmt: skip
    distances: dict[tuple[str, str, str], list[float]] = defaultdict(list)
    rows: list[ResultRow] = []
    by_setup = {
        (each.entry.key, json.dumps(each.params.as_dict())): k for k, each in enumerate(chosen)
    }
    for done in _done(plan, watcher):
        key = done.task.case.key[:2]
        for row in done.rows(renderer_name(), plan.measures, options.word_unit):
            rows.append(row)
            cell = by_setup[row.run.method, row.run.parameters], numbers[key]
            score = row.score if row.score.value is not None else row.if_empty
            if score is not None and score.value is not None:
                board.scores[cell] = score.value
            board.failed[cell] = row.status in (RunStatus.FAILED, RunStatus.TIMED_OUT)
            board.seen[cell] = row.run.gold_seen
            board.ms[cell] = np.nan if row.run.ms is None else row.run.ms
        if key in ruled:
            _note_rules(done, shares, labels, by_setup, distances)
    adherence: dict[str, dict[str, dict[str, tuple[float, int]]]] = {}
    for (name, label, sort), found in distances.items():
        of_label = adherence.setdefault(name, {}).setdefault(label, {})
        of_label[sort] = 1 - float(np.mean(found)), len(found)
    board.adherence, board.rows = adherence, rows
    return board


def _label(one: Chosen, every: Sequence[Chosen]) -> str:
    sets = [each.params.as_dict() for each in every if each.entry.key == one.entry.key]
    return setup_label(one.entry.key, one.params.as_dict(), sets)


def _stated(chosen: Sequence[Chosen], labels: Sequence[str]) -> dict[str, str]:
    result: dict[str, str] = {}
    for each, label in zip(chosen, labels, strict=True):
        with suppress(PageletError):  # a model that is missing fails on every page, with its reason
            card = {} if each.entry.card is None else each.entry.card(each.params)
            result[label] = out_of_fold(card, "")
    return result


def _pages(
    datasets: Sequence[DataSet], files: Mapping[tuple[str, str], PageFiles]
) -> list[BoardPage]:
    facts = facts_of(datasets)
    result = []
    for (dataset, name), each in files.items():
        kind = site = ""
        with suppress(PageletError):
            kind, site = each.page_type(), each.host() or each.site_name
        copy_of = facts[dataset].copies.get(name, name)
        result.append(BoardPage(dataset, name, kind, _language(each), site or copy_of))
    return result


def _language(files: PageFiles) -> str:
    with suppress(PageletError):
        document = files.document()
        if not document.is_live and (found := _LANG.search(document.receive().data[:_HEAD_BYTES])):
            return found[1].decode("ascii").lower()
    return UNSTATED


def _done(plan: Plan, watcher: Watcher) -> Iterator[PageDone]:
    tasks = [CaseTask(k, case, setups) for k, (_, case, setups) in enumerate(plan.cases())]
    states: list[str] = []
    eta = Eta(len(tasks), 0, states)
    work = Work(plan.measures.keys, renderer_name(), plan.options)
    with closing(run_in_workers(tasks, work, plan.options.jobs, states)) as done:
        for each in done:
            if watcher.is_stopped():
                raise InputError("the board was stopped before its end, and is not written")
            if each is not None:
                yield each
                eta.step()
            watcher.progressed(eta.state)


def _note_rules(
    done: PageDone,
    shares: Shares,
    labels: Sequence[str],
    by_setup: Mapping[tuple[str, str], int],
    distances: dict[tuple[str, str, str], list[float]],
) -> None:
    """Add how far each method's shares of the sorts of text are from those of the gold."""
    dataset = done.task.case.key[0]
    with suppress(PageletError):  # an unreadable page has no rules
        gold = done.task.case.files.text(_no_rendering)
        source = Source.of(done.task.case.files.document().receive())
        true = shares(source, gold or "") if gold else {}
        for setup, run in zip(done.task.setups, done.runs, strict=True):
            label = labels[by_setup[setup.method, parameters_of(setup)]]
            mine = shares(source, run.text or "") if true else {}
            for sort, share in true.items():
                distances[dataset, label, sort].append(abs(share - mine[sort]))


def _no_rendering() -> Page:
    raise InputError("gold that needs the rendered page is not read here")
