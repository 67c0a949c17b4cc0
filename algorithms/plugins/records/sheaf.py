"""Sheaf: families of like siblings, of which a learned score chooses those that are records.

Pagelet's own.  Each family of `like_siblings` gets an expected quality from its `family_columns` by
gradient-boosted trees: the mean overlap of its records with true ones.  A place of the page is then
either the records of a family or what is below its elements, whichever has the greater sum over
records of quality less a threshold, from the leaves to the root; so a card is preferred to its two
halves, and rows to their cells.

The threshold is the best family's quality times `RELATIVE`, at most `MOST`: for F1, what counts is
better than half of what can be reached (Z. Lipton et al., 2014), and a page whose lists are all
doubtful has some all the same.

Trained by ``python -m tests.plugins.records.fit_sheaf``.

Time: about 50 ms for a page of 2,000 elements.
"""

from functools import cache

from algorithms.learning.forest import Forest
from algorithms.learning.model_file import unpack_model
from algorithms.plugins.records.elements import Elements, RecordSet
from algorithms.plugins.records.family_columns import COLUMNS, family_columns
from algorithms.plugins.records.like_siblings import Family, Siblings, families_of, tag_paths_below
from engine.tree import Doubles
from resources import path

RELATIVE, MOST = 0.7, 0.5

FORMAT, VERSION = "pagelet-sheaf", 1


def sheaf(page: Elements) -> list[RecordSet]:
    """Return the records of a page, a list for each place, in document order."""
    paths = tag_paths_below(page)
    families = families_of(page, paths)
    quality = _forest().scores(family_columns(page, paths, families))
    return choose_records(page, families, quality)


def choose_records(page: Elements, families: list[Family], quality: Doubles) -> list[RecordSet]:
    """Return the records that an expected quality of families, (f,), 0 to 1, chooses."""
    if not families:
        return []
    gain = quality - min(MOST, RELATIVE * float(quality.max()))
    at: dict[int, list[tuple[float, Siblings]]] = {}
    for family, value in zip(families, gain.tolist(), strict=True):
        for siblings in family:
            at.setdefault(siblings.parent, []).append((value, siblings))
    best = [0.0] * len(page)
    taken: dict[int, list[Siblings]] = {}
    for row in range(len(page) - 1, -1, -1):
        best[row] = sum(best[child] for child in page.children[row])
        runs: list[tuple[float, Siblings]] = []
        for value, siblings in at.get(row, ()):
            own = value * len(siblings.records)
            if siblings.is_runs:
                runs.append((own, siblings))
                continue
            more = own - sum(best[each] for record in siblings.records for each in record)
            if more > 0:
                best[row] += more
                taken.setdefault(row, []).append(siblings)
        for own, siblings in runs:  # of all children, instead of what they hold
            if own > best[row]:
                best[row], taken[row] = own, [siblings]
    return _from_root(page, taken)


def _from_root(page: Elements, taken: dict[int, list[Siblings]]) -> list[RecordSet]:
    result: list[RecordSet] = []
    stack = [0]
    while stack:
        row = stack.pop()
        every = [siblings.records for siblings in taken.get(row, ())]
        covered = {each for records in every for record in records for each in record}
        result += every
        stack += [child for child in page.children[row] if child not in covered]
    return sorted(result)


@cache
def _forest() -> Forest:
    head, arrays = unpack_model(path("sheaf/model.npz").read_bytes(), FORMAT, VERSION)
    if tuple(head["columns"]) != COLUMNS:
        raise ValueError("the model of sheaf has other columns: train it again")
    return Forest(**arrays)
