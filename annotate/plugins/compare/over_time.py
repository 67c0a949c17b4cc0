"""Two captures of one address: how far a method's result changed where the page's text did not.

A page that is read again later has other news and other comments, and a method should follow these.
What both captures have, it should treat as before.  Both texts are aligned; of the words in both
(in runs of three and more: shorter ones match by chance) those are compared that the method keeps.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from algorithms.core.mapping import SHORTEST_RUN, map_text
from algorithms.explain.differences import ErrorKind, text_errors, words_kept
from algorithms.measures.choice import main_measure
from algorithms.results import Extraction, keep_words
from annotate.archives.frozen.frozen_file import FrozenFile, is_frozen
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import TEXT, DataSet
from annotate.datasets.saved_pages import container_kind, read_saved
from annotate.datasets.stored_listing import StoredListing
from annotate.evaluation.run.plan import Chosen, Plan, plan_of
from annotate.evaluation.run.run_options import EvaluationOptions
from annotate.evaluation.run.runner import Watcher
from annotate.evaluation.run.triage import UnmarkedFiles, pages_of
from annotate.plugins.compare.runs import ComparedPage, run_versions
from engine.errors import InputError
from engine.sequences import common_words
from engine.source import Source
from engine.tree import Longs

EARLIER, LATER = "earlier", "later"


@dataclass(frozen=True)
class CaptureChange:
    """Change of a method's result on one page.

    Attributes:
        page: Its address, or its name where no address is known.
        method: Key.
        shared: Words that both captures have.
        page_change: Share of all words of both captures that the other has not.
        stayed, lost, gained: Shared words that the method keeps in both, only in the earlier
            one, only in the later one.
        excerpt: The longest passage lost or gained, "" for none.
        trouble: Why one of both has no result; "" if both have one.
    """

    page: str
    method: str
    shared: int
    page_change: float
    stayed: int = 0
    lost: int = 0
    gained: int = 0
    excerpt: str = ""
    trouble: str = ""

    @property
    def agreement(self) -> float:
        """F1 of the shared words kept later, those kept earlier taken as right; 1 for none."""
        kept = 2 * self.stayed + self.lost + self.gained
        return 2 * self.stayed / kept if kept else 1.0


def captures(source: str) -> DataSet:
    """Return the pages of an archive, a frozen page, a folder or a data set by their addresses.

    A page without a web address is identified by its name; repeated pages count once.  Raises
    `InputError`.
    """
    path = Path(source).expanduser()
    pages: dict[str, PageFiles] = {}
    if path.is_file() and is_frozen(path):  # local pages too, which their addresses show
        file = FrozenFile(path.absolute())
        pages = {str(file.manifest["address"]): UnmarkedFiles(file.document())}
        return DataSet(path.name, frozenset({TEXT}), _listing(pages))
    kind = container_kind(path)
    if kind is not None and kind.is_archive:
        documents = read_saved(path).documents
        pages = {each.home: UnmarkedFiles(each) for each in reversed(documents)}
        return DataSet(path.name, frozenset({TEXT}), _listing(dict(reversed(pages.items()))))
    dataset = pages_of(source)
    for name, variants in dataset.pages:
        for files in variants.values():
            pages.setdefault(files.document().home or name, files)
    return replace(dataset, pages=_listing(pages))


def in_both(earlier: DataSet, later: DataSet) -> tuple[DataSet, DataSet]:
    """Return the pages that both have, in the order of the later one; raises `InputError`."""
    before, after = ({name: files[""] for name, files in each.pages} for each in (earlier, later))
    names = [name for name in after if name in before]
    if not names:
        both = f"{earlier.name} and {later.name}"
        raise InputError(f"{both} have no page of one address or name in common")
    return (
        replace(earlier, name=EARLIER, pages=_listing({name: before[name] for name in names})),
        replace(later, name=LATER, pages=_listing({name: after[name] for name in names})),
    )


def plan_over_time(
    pair: tuple[DataSet, DataSet], methods: Sequence[Chosen], options: EvaluationOptions
) -> Plan:
    """Return the plan that runs methods on both captures of each page; raises `InputError`.

    The source is read, nothing is rendered.
    """
    extractors = tuple(each for each in methods if "original" in each.entry.inputs)
    if not extractors:
        raise InputError("none of these methods reads the source of a page: name others")
    return plan_of(
        pair,
        extractors,
        replace(options, predictions=True, out=None, resumes=False),
        measures=main_measure("text").key,
        inputs=("original",),
    )


def changes_over_time(plan: Plan, watcher: Watcher) -> tuple[CaptureChange, ...]:
    """Carry such a plan out, and return what changed, page by page."""
    by_page = {(each.dataset, each.name): each for each in run_versions(plan, watcher)}
    result: list[CaptureChange] = []
    for name, _ in plan.datasets[1].pages:
        if (EARLIER, name) in by_page and (LATER, name) in by_page:
            result += _of_page(by_page[EARLIER, name], by_page[LATER, name])
    return tuple(result)


def shared_words(before: Source, after: Source) -> Longs:
    """Return pairs ``(i, j)`` of words that both have, int64 (p, 2), in runs of three and more."""
    pairs = common_words(before.words, after.words)
    if not len(pairs):
        return pairs
    starts = np.flatnonzero((np.diff(pairs, axis=0) != 1).any(axis=1)) + 1
    bounds = np.concatenate([[0], starts, [len(pairs)]])
    lengths = np.diff(bounds)
    return pairs[np.repeat(lengths >= SHORTEST_RUN, lengths)]


def as_before(before: Extraction, after: Extraction) -> Extraction:
    """Return what would be kept of the later page if shared text were treated as earlier.

    What the later page alone has is kept as it is now, so that a difference from ``after`` is one
    of the method and not of the page.
    """
    pairs = shared_words(before.source, after.source)
    keeps = words_kept(after)
    keeps[pairs[:, 1]] = words_kept(before)[pairs[:, 0]]
    return keep_words(after.source, keeps)


def change_of(page: str, method: str, before: Extraction, after: Extraction) -> CaptureChange:
    """Return what became of a result from one capture to the other."""
    pairs = shared_words(before.source, after.source)
    one = words_kept(before)[pairs[:, 0]]
    two = words_kept(after)[pairs[:, 1]]
    total = len(before.source.words) + len(after.source.words)
    errors = text_errors(after, as_before(before, after))
    largest = max(errors, key=lambda each: each.words, default=None)
    sign = "" if largest is None else "-" if largest.kind is ErrorKind.MISSING else "+"
    stayed, lost, gained = (int(kept.sum()) for kept in (one & two, one & ~two, two & ~one))
    moved = 1 - 2 * len(pairs) / total if total else 0.0
    excerpt = "" if largest is None else f"{sign} {largest.text}"
    return CaptureChange(page, method, len(pairs), moved, stayed, lost, gained, excerpt)


def _of_page(before: ComparedPage, after: ComparedPage) -> list[CaptureChange]:
    sources = [Source.of(each.files.document().receive()) for each in (before, after)]
    result = []
    for key in after.runs:
        runs = before.runs[key], after.runs[key]
        trouble = next((run.reason for run in runs if run.text is None), None)
        if trouble is not None:
            result.append(CaptureChange(after.name, key, 0, 0.0, trouble=trouble or "no result"))
            continue
        one, two = (
            Extraction(source, map_text(source, run.text or "").spans)
            for source, run in zip(sources, runs, strict=True)
        )
        result.append(change_of(after.name, key, one, two))
    return result


def _listing(pages: Mapping[str, PageFiles]) -> StoredListing:
    return StoredListing((name, {"": files}) for name, files in pages.items())
