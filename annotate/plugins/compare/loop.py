"""The loop: one change of a method after another, each with its hypothesis, held against the last.

A folder holds what the accepted method gave on each page, with its decisions, and the log of all
cycles.  A cycle runs the method as it is now.  It is accepted where the mean rises, no page falls
by more than `FALL` without an explanation, and no page that rose is known by heart; then its
results are what the next one is held against.  Pages of the vault, a share of all sites by the hash
of their names, are in no cycle.  The first one runs its method on them, too, without a word on it:
opening the vault is counted, and measures against that.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from statistics import fmean, stdev
from urllib.parse import urlsplit
from zlib import crc32

from algorithms.core.batch import Run, RunStatus
from algorithms.core.mapping import map_text
from algorithms.explain.differences import ErrorKind, TextError, text_errors
from algorithms.extraction.gleaner.page_codes import own_address
from algorithms.results import Extraction
from algorithms.trace import Trace
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import DataSet
from annotate.datasets.stored_listing import StoredListing
from annotate.evaluation.run.plan import Chosen, Plan
from annotate.evaluation.run.runner import Watcher
from annotate.plugins.compare.differences import text_change
from annotate.plugins.compare.loop_files import (
    AcceptedPage,
    Cycle,
    CycleVerdict,
    Decisions,
    MovedPage,
)
from annotate.plugins.compare.memorised import known_by_heart, why_untried
from annotate.plugins.compare.runs import ComparedPage, check_gold, run_versions
from engine.errors import InputError, PageletError
from engine.source import Source
from engine.words import plural

FALL = 0.05
"""By more than this much no page may fall unexplained."""

_VAULT = 4
"""One site of so many is in the vault, at least one."""

_HEAD_BYTES = 40_000
"""Size of the head in which a page's own address is searched."""

_TRIED = 60
"""Number of pages tried with changed words, the largest rises first."""

_TIMED = 30
"""Pages whose processor time is measured."""

_EXCERPT = 120
_DIGITS = 4


def part_of(dataset: DataSet, *, vault: bool) -> DataSet:
    """Return a data set of the pages in the vault, or of all others.

    The vault is the first quarter of sites in the order of their hashes, at least one and never all
    of them; of pages where there is but one site.  Use it on all pages, before some are taken.
    """
    sites = [_site_of(*each) for each in dataset.pages]
    if len({*sites}) < 2:
        sites = [name for name, _ in dataset.pages]
    order = sorted({*sites}, key=lambda site: (_hash(dataset.name, site), site))
    inside = {*order[: min(max(1, len(order) // _VAULT), len(order) - 1)]}
    both = zip(dataset.pages, sites, strict=True)
    taken = (page for page, site in both if (site in inside) == vault)
    return replace(dataset, pages=StoredListing(taken))


def _hash(dataset: str, site: str) -> int:
    return crc32(f"vault {dataset}/{site}".encode("utf-8", "surrogatepass"))


def _site_of(name: str, forms: Mapping[str, PageFiles]) -> str:
    """Return the site of a page: pages of one share their template, and so what fits them."""
    files = next(iter(forms.values()))
    with suppress(PageletError, ValueError):  # such as half an IPv6 address
        site = files.host() or files.site_name
        if not site and not (document := files.document()).is_live:
            head = Source.from_bytes(document.receive().data[:_HEAD_BYTES])
            site = urlsplit(own_address(head)).hostname or ""
        return site.removeprefix("www.") or name
    return name


@dataclass(frozen=True)
class Hypothesis:
    """What a cycle tries.

    Attributes:
        text: What is expected of the change, and why.
        change: What was changed, such as a commit; "" where nobody knows.
        explained: Why pages may fall, by data set and page.
        date: The day.
    """

    text: str
    change: str
    explained: Mapping[str, str]
    date: str


def run_cycle(
    plan: Plan,
    before: Mapping[str, AcceptedPage],
    tried: Hypothesis,
    watcher: Watcher,
    *,
    vault: bool = False,
) -> tuple[Cycle, dict[str, AcceptedPage]]:
    """Return a cycle, and what its pages are in the accepted results if it is accepted.

    Args:
        plan: Of one method, on pages of the vault or on none of it.
        before: The accepted results by data set and page; empty before the first cycle; of the
            vault those of the first method.
        tried: What the cycle tries.
        watcher: Hears of progress.
        vault: Whether the pages are those of the vault: then only those are named that fell by more
            than `FALL`.

    Raises:
        InputError: where no page has a score, or none has one in the accepted results.
    """
    (side,), measure = plan.methods, plan.measures.text[0]
    by_name, scores = _scored(plan, watcher, "in the vault" if vault else "outside the vault")
    both = [name for name in scores if name in before]
    if before and not both:
        raise InputError("no page is one that the accepted method was run on: name the same data")
    if before and (out := before.keys() - scores.keys()):
        raise InputError(
            f"{plural(len(out), 'page')} of the accepted method left out, such as {min(out)}: name "
            "the same data, --sample and --limit; of a log from before the vault went by site, "
            "begin a new one with --log"
        )
    unknown = [name for name in tried.explained if name not in scores]
    if unknown:
        raise InputError(f"--explained names {unknown[0]!r}, which is no page of this cycle")
    results = {name: _accepted(side, p, scores[name], before) for name, p in by_name.items()}
    changed = [n for n in both if before[n].data not in ("", results[n].data)]
    if changed:
        raise InputError(
            f"{plural(len(changed), 'page')} or gold changed since the accepted cycle, such as "
            f"{min(changed)}: restore the data, or begin a new log with --log"
        )
    gains = {n: results[n].score - before[n].score for n in both}
    moved = [
        _moved(by_name[n], before[n], results[n], tried.explained.get(n, "")) for n in both
        if before[n].text != results[n].text and (not vault or gains[n] < -FALL)
    ]  # fmt: skip
    moved.sort(key=lambda each: (each.difference, each.page))
    tried_pages = [each.page for each in reversed(moved) if each.difference > 0]
    if vault or not both:
        tried_pages = sorted(scores, key=scores.__getitem__, reverse=True)
    del tried_pages[_TRIED:]
    known = known_by_heart(plan, [by_name[n] for n in tried_pages], FALL, watcher)
    by_heart = {name for name, is_known in zip(tried_pages, known, strict=True) if is_known}
    moved = [replace(each, by_heart=each.page in by_heart) for each in moved]
    means = None if not both else fmean(before[n].score for n in both)
    mean = fmean(scores[n] for n in both or scores)
    cycle = Cycle(
        tried.date, side.entry.key, measure.key, tried.text, tried.change, len(both or scores),
        None if means is None else round(means, _DIGITS + 1), round(mean, _DIGITS + 1),
        _milliseconds(side, list(by_name.values())[:_TIMED]),
        _verdict(means, mean, moved, vault=vault), tuple(moved),
        tried=len(known) - known.count(None), by_heart=len(by_heart), untried=known.count(None),
        why_untried=why_untried(plan),
        error=stdev(gains.values()) / len(gains) ** 0.5 if vault and len(gains) > 1 else None,
    )  # fmt: skip
    return cycle, results


def starting_results(plan: Plan, watcher: Watcher) -> dict[str, AcceptedPage]:
    """Return what the method of the first cycle gives on the vault; {} where it has no gold."""
    try:
        check_gold(plan.datasets, " in the vault")
    except InputError:
        return {}
    pages, scores = _scored(plan, watcher, "in the vault")
    return {name: _accepted(plan.methods[0], pages[name], scores[name], {}) for name in scores}


def _scored(
    plan: Plan, watcher: Watcher, part: str
) -> tuple[dict[str, ComparedPage], dict[str, float]]:
    """Return the pages that have a score, and their scores, by data set and page."""
    check_gold(plan.datasets, f" {part}")
    pages = run_versions(plan, watcher)
    key, measure = plan.methods[0].entry.key, plan.measures.text[0]
    scores = {_name(p): v for p in pages if (v := p.value(key, measure)) is not None}
    if not scores:
        raise InputError(f"no page with gold text is {part}: name more pages")
    return {_name(page): page for page in pages if _name(page) in scores}, scores


def _verdict(
    before: float | None, after: float, moved: Sequence[MovedPage], *, vault: bool
) -> CycleVerdict:
    if vault:
        return CycleVerdict.VAULT
    if before is None:
        return CycleVerdict.FIRST
    is_up = round(after - before, _DIGITS + 2) > 0
    fell = any(each.difference < -FALL and not each.explanation for each in moved)
    is_known = any(each.by_heart for each in moved)
    is_taken = is_up and not fell and not is_known
    return CycleVerdict.ACCEPTED if is_taken else CycleVerdict.REJECTED


def _name(page: ComparedPage) -> str:
    return f"{page.dataset}/{page.name}"


def _accepted(
    side: Chosen, page: ComparedPage, score: float, before: Mapping[str, AcceptedPage]
) -> AcceptedPage:
    text = page.runs[side.entry.key].text
    last = before.get(_name(page))
    data = sha256(page.files.document().receive().data + page.files.gold_bytes()).hexdigest()
    if last is not None and last.text == text:
        return replace(last, score=round(score, _DIGITS), data=data)
    return AcceptedPage(round(score, _DIGITS), text, _decisions(side, page), data)


def _decisions(side: Chosen, page: ComparedPage) -> Decisions:
    """Return the decision on each place, without remarks; none where a method gives no reasons."""
    reads = side.input or side.entry.default_input()
    if side.entry.trace_source is None or reads != "original":
        return ()
    try:
        trace = side.entry.trace(page.read(), side.params, "original")
    except PageletError:
        return ()
    return () if trace is None else tuple(_in_short(trace))


def _in_short(trace: Trace) -> list[tuple[int, int, str]]:
    """Return first word, one past the last, and the decision, of each place, the last step last."""
    result = []
    for each in trace.steps:
        short = replace(each, notes=())
        result += [(a, b, short.sentence(k)) for k, (a, b) in enumerate(each.places.tolist())]
    return result


def _moved(
    page: ComparedPage, before: AcceptedPage, after: AcceptedPage, explanation: str
) -> MovedPage:
    """Return how a page moved: its losses and gains, and the decision on the longest."""
    runs = (Run(RunStatus.OK, text=text) for text in (before.text, after.text))
    change = text_change(*runs)
    lost, gained = ("", "") if change is None else map(_first, (change.lost, change.gained))
    words = (0, 0) if change is None else (change.words_lost, change.words_gained)
    return MovedPage(
        _name(page), page.page_type, before.score, after.score, *words, lost, gained,
        _cause(page, before, after), explanation,
    )  # fmt: skip


def _first(texts: Sequence[str]) -> str:
    text = texts[0] if texts else ""
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT]}…"


def _cause(page: ComparedPage, before: AcceptedPage, after: AcceptedPage) -> tuple[str, str]:
    """Return the decision before and after on the longest text that changed; "" for none."""
    if not before.decisions or not after.decisions:
        return "", ""
    try:
        source = page.read().source("original")
    except PageletError:
        return "", ""
    one, two = (_extraction(source, each.text or "") for each in (before, after))
    errors: Sequence[TextError] = text_errors(two, one)
    kinds = (ErrorKind.MISSING, ErrorKind.SUPERFLUOUS)
    changed = [each for each in errors if each.kind in kinds]
    if not changed:
        return "", ""
    at = max(changed, key=lambda each: each.words).first
    return _decision(before.decisions, at), _decision(after.decisions, at)


def _extraction(source: Source, text: str) -> Extraction:
    mapped = map_text(source, text)
    return Extraction(source, mapped.spans, given=text, unmapped=mapped.unmapped)


def _decision(decisions: Decisions, at: int) -> str:
    return next((text for a, b, text in reversed(decisions) if a <= at < b), "")


def _milliseconds(side: Chosen, pages: Sequence[ComparedPage]) -> float | None:
    """Return the processor time of a page in milliseconds; None where it runs elsewhere.

    Mean of a few pages read again, after one that is not counted.
    """
    reads = side.input or side.entry.default_input()
    if reads != "original":
        return None
    spent = passed = 0.0
    for number, page in enumerate((*pages[:1], *pages)):
        try:
            read = page.read()
            began, started = time.perf_counter(), time.process_time()
            side.entry.run(read, side.params, "original")
        except PageletError:
            continue
        if number:
            spent += time.process_time() - started
            passed += time.perf_counter() - began
    is_here = spent > passed / 20  # a program that is started does its work in a separate process
    return round(1000 * spent / len(pages), 1) if is_here else None
