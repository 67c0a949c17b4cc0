"""Bundles of evaluations: which pages are to be drawn, in how many processes, and how far it is."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from algorithms.method import MethodRecipe
from annotate.evaluation.bundle.bundle import Bundle
from annotate.evaluation.progress import Eta
from annotate.evaluation.rows import ResultRow
from annotate.library.bundle_pages import BundleOrder, draw_pages
from annotate.library.cases import Cases
from engine.errors import InputError
from engine.words import plural

_SAY_EVERY_S = 5.0


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
    repeatable: bool | None = None,
    say: Callable[[str], None] = lambda _: None,
    is_stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """Write a bundle of an evaluation; return its first page.

    Args:
        out: The folder.
        title: Of the whole.
        rows: What `evaluate` found.
        cases: The pages it was found on; pages of other data sets have no picture.
        with_content: Whether pictures and texts of the pages go into it.
        jobs: Processes that draw pages beside each other; one draws where nothing is rendered.
        resumes: Whether pages that lie in the folder already are left as they are.
        recipes: What makes the methods that are in no catalogue, by key.
        repeatable: How pages are rendered, see `engine.document.Document`; None: as they say.
        say: Is told now and then how far it is, and how long the rest will take.
        is_stopped: Is asked before each page whether to leave it at what is written.

    Raises:
        InputError: The folder cannot be written to, or it was stopped; ``resumes`` goes on.
    """
    bundle = Bundle(out, title, rows, with_content=with_content, resumes=resumes)
    missing = frozenset(bundle.missing)
    orders = [
        replace(order, recipes=recipes or {}, repeatable=repeatable)
        for order in _orders(rows, cases, with_content)
        if order.key in missing
    ]
    total = len({row.run.key for row in rows})
    progress = _BundleProgress(total, total - len(orders), say)
    for page in draw_pages(orders, jobs if any(o.is_rendered for o in orders) else 1):
        bundle.add(page)
        progress.step()
        if is_stopped() and progress.done < total:
            raise InputError(
                f"stopped after {progress.done} of {plural(total, 'page')}: "
                "the folder is not complete"
            )
    return bundle.finish()


class _BundleProgress:
    """Says every some seconds how many pages are written, and how long the rest will take."""

    def __init__(self, total: int, done: int, say: Callable[[str], None]) -> None:
        self._eta, self._say = Eta(total, done, ()), say
        self._said = time.monotonic()

    @property
    def done(self) -> int:
        """How many are written."""
        return self._eta.state.done

    def step(self) -> None:
        """One more is written."""
        self._eta.step()
        if time.monotonic() - self._said >= _SAY_EVERY_S:
            self._said = time.monotonic()
            self._say(self._eta.state.line)


def _orders(rows: Sequence[ResultRow], cases: Cases, with_content: bool) -> Iterator[BundleOrder]:
    known = {(case.dataset, case.name): case for case in cases}
    runs: dict[tuple[str, str, str], dict[str, ResultRow]] = {}
    for row in rows:
        runs.setdefault(row.run.key, {}).setdefault(row.run.method, row)
    for key, methods in runs.items():
        case = known.get(key[:2])
        files = None
        if case is not None:
            files = case.files.get(key[2]) or next(iter(case.files.values()))
        is_variant = case is not None and case.whole.has_variants
        yield BundleOrder(key, files, methods, is_variant, with_content)
