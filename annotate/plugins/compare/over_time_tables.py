"""Tables of methods on two captures of the same pages, the worst pages, and rows for a file."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from annotate.evaluation.report.stability import WORST
from annotate.evaluation.tables.summaries import align_cells, digits, mean_column
from annotate.plugins.compare.over_time import CaptureChange
from engine.csv_cells import write_csv
from engine.words import plural, shorten

_COLUMNS = ("page", "method", "shared_words", "page_change", "agreement", "stayed", "lost",
            "gained", "excerpt", "trouble")  # fmt: skip
_EXCERPT = 70


@dataclass(frozen=True)
class MethodOverTime:
    """Changes of one method on all pairs of captures.

    Attributes:
        method: Key.
        changes: Of the pages on which it gave two results.
        failed: On how many pages it did not.
    """

    method: str
    changes: tuple[CaptureChange, ...]
    failed: int

    @property
    def shift(self) -> float:
        """Mean disagreement, 1 - agreement; NaN without a page."""
        return float(np.mean([1 - each.agreement for each in self.changes] or [np.nan]))

    def share(self, lost: bool) -> float:
        """Return the mean share of earlier words lost, or later words gained; NaN without any."""
        counts = [(each.lost if lost else each.gained, each.stayed) for each in self.changes]
        shares = [count / (stayed + count) for count, stayed in counts if stayed + count]
        return float(np.mean(shares or [np.nan]))

    def pages(self, lost: bool) -> int:
        """Return over how many pages that share is: those of which something was kept."""
        return sum(each.stayed + (each.lost if lost else each.gained) > 0 for each in self.changes)

    @property
    def empty(self) -> int:
        """Number of pages on which no shared word was kept, neither earlier nor later."""
        return sum(each.stayed + each.lost + each.gained == 0 for each in self.changes)

    @property
    def same(self) -> int:
        """Number of unchanged pages."""
        return sum(each.lost + each.gained == 0 for each in self.changes)


def methods_over_time(changes: Sequence[CaptureChange]) -> tuple[MethodOverTime, ...]:
    """Return how each method bore the time, the steadiest first.

    Methods that keep nothing of half of the pages or more are last.
    """
    result = []
    for method in dict.fromkeys(each.method for each in changes):
        mine = [each for each in changes if each.method == method]
        good = tuple(each for each in mine if not each.trouble)
        result.append(MethodOverTime(method, good, len(mine) - len(good)))
    result.sort(key=lambda e: (np.isnan(e.shift), 2 * e.empty >= len(e.changes), e.shift))
    return tuple(result)


def worst_pages(changes: Sequence[CaptureChange]) -> tuple[CaptureChange, ...]:
    """Return where results changed most, the worst first."""
    changed = (each for each in changes if not each.trouble and each.agreement < 1)
    return tuple(sorted(changed, key=lambda each: each.agreement)[:WORST])


def table_over_time(changes: Sequence[CaptureChange]) -> str:
    """Return how methods bore the time as text, the steadiest first."""
    by_page = {each.page: each.page_change for each in changes if not each.trouble}
    moved = digits(float(np.mean([*by_page.values()] or [0.0])))
    every = methods_over_time(changes)
    counts = [len(each.changes) for each in every]
    shifts = [(_digits(each.shift), n) for each, n in zip(every, counts, strict=True)]
    columns = [["method", *(each.method for each in every)], mean_column("shift", shifts, counts)]
    for name, is_lost in (("lost", True), ("gained", False)):
        cells = [(_digits(each.share(is_lost)), each.pages(is_lost)) for each in every]
        columns.append(mean_column(name, cells, counts))
    columns.append(["same", *(str(each.same) for each in every)])
    columns.append(["empty", *(str(each.empty) for each in every)])
    columns.append(["pages", *map(str, counts)])
    pages = plural(len({each.page for each in changes}), "page")
    title = (
        f"{pages} at two times; the text of the pages changed by {moved}. How far results changed "
        "on the text that stayed:"
    )
    parts = [title, align_cells([*zip(*columns, strict=True)])]
    if worst := worst_pages(changes):
        parts.append("Worst:")
        parts += [
            f"  {each.agreement:.3f}  {each.method} on {each.page}: {each.lost} words lost, "
            f"{each.gained} gained: {shorten(each.excerpt, _EXCERPT)}"
            for each in worst
        ]
    failures = {each.trouble: each.method for each in reversed(changes) if each.trouble}
    parts += [f"{method} gave no result: {trouble}" for trouble, method in failures.items()]
    return "\n".join(parts)


def rows_over_time(changes: Sequence[CaptureChange]) -> Iterator[Mapping[str, object]]:
    """Yield a row for each page and method; None where there is no result."""
    for each in changes:
        known: tuple[object, ...] = (
            each.shared, round(each.page_change, 4), round(each.agreement, 4), each.stayed,
            each.lost, each.gained,
        )  # fmt: skip
        numbers = (None,) * len(known) if each.trouble else known
        values = (each.page, each.method, *numbers, each.excerpt, each.trouble)
        yield dict(zip(_COLUMNS, values, strict=True))


def write_over_time(path: Path, changes: Sequence[CaptureChange]) -> None:
    """Write the rows as CSV, and create the folder if needed; raises `InputError`."""
    write_csv(path, _COLUMNS, (row.values() for row in rows_over_time(changes)))


def _digits(value: float) -> str:
    return digits(None if np.isnan(value) else value)
