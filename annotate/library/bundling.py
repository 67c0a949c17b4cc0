"""Bundles of evaluations: which pages are to be drawn, in how many processes, and how far it is."""

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from algorithms.method import MethodRecipe
from annotate.evaluation.bundle.bundle import Bundle
from annotate.evaluation.bundle.page import MethodKey, SheetKey, sheet_of
from annotate.evaluation.run.run_progress import Eta
from annotate.evaluation.store.rows import ResultRow
from annotate.library.bundle_pages import BundleOrder, draw_pages
from annotate.library.page_cases import Cases
from engine.errors import InputError
from engine.words import plural

_SAY_EVERY_S = 5.0
"""Interval of progress messages of a command."""


def bundle(
    out: Path,
    title: str,
    rows: Sequence[ResultRow],
    cases: Cases,
    *,
    with_content: bool = True,
    jobs: int = 1,
    resumes: bool = False,
    recipes: Mapping[str, MethodRecipe] | None = None,
    compared: tuple[str, str] | None = None,
    repeatable: bool | None = None,
    say: Callable[[str], None] = lambda _: None,
    every_s: float = _SAY_EVERY_S,
    is_stopped: Callable[[], bool] | None = None,
) -> Path:
    """Write a bundle of an evaluation; return its first page.

    There is one sheet a page, whatever inputs methods read; if a data set has variants of a page,
    which are separate files, one for each of them.

    Args:
        out: The folder.
        title: Of the whole.
        rows: Rows of `evaluate`.
        cases: The pages it was found on; pages of other data sets have no picture.
        with_content: Whether pictures and texts of the pages go into it.
        jobs: Processes that draw pages beside each other; one draws where nothing is rendered.
        resumes: Whether pages that lie in the folder already are left as they are.
        recipes: Recipes of the methods that are not in the catalogue, by key.
        compared: Two methods, by key: pages show first what the later one lost and gained.
        repeatable: See `engine.document.Document`; None: as in the pages.
        say: Called every ``every_s`` seconds with the progress and the remaining time.
        is_stopped: Called several times a second; True stops and keeps the pages written.  All
            pages are then drawn in other processes, so that stopping waits for none of them.

    Raises:
        InputError: The folder cannot be written to, or it was stopped; ``resumes`` continues.
    """
    with_variants = {case.dataset for case in cases if case.whole.has_variants}
    sets = {case.dataset: case.whole for case in cases}
    bundle = Bundle(
        out, title, rows, with_content=with_content, with_variants=with_variants, resumes=resumes,
        copies={name: each.copies for name, each in sets.items()},
    )  # fmt: skip
    missing = frozenset(bundle.missing)
    every = list(_orders(rows, cases, with_variants, with_content))
    orders = [
        replace(order, recipes=recipes or {}, compared=compared, repeatable=repeatable)
        for order in every
        if order.key in missing
    ]
    total, told = len(every), time.monotonic()
    eta = Eta(total, total - len(orders), ())
    jobs = jobs if any(order.is_rendered for order in orders) else 1
    with closing(draw_pages(orders, jobs, is_stopped)) as pages:
        for page in pages:
            bundle.add(page)
            eta.step()
            if time.monotonic() - told >= every_s:
                told = time.monotonic()
                say(eta.state.line)
    index = bundle.write_lists()
    if (done := eta.state.done) < total:
        raise InputError(
            f"stopped after {done} of {plural(total, 'page')}: the folder is not complete"
        )
    return index


def _orders(
    rows: Sequence[ResultRow], cases: Cases, with_variants: Collection[str], with_content: bool
) -> Iterator[BundleOrder]:
    known = {(case.dataset, case.name): case for case in cases}
    runs: dict[SheetKey, dict[MethodKey, ResultRow]] = {}
    for row in rows:
        methods = runs.setdefault(sheet_of(row, with_variants), {})
        methods.setdefault((row.run.method, row.run.input), row)
    for key, methods in runs.items():
        case = known.get(key[:2])
        files = None
        if case is not None:
            files = case.files.get(key[2]) or next(iter(case.files.values()))
        yield BundleOrder(key, files, methods, bool(key[2]), with_content)
