"""How small pages get, and in how long: ten pages of a data set, some methods, one error each.

    python -m tests.bench.reduced_pages wcxb [--methods gleaner trafilatura] [--seconds 30]

The pages are at equal steps of the order by size, from the largest on.  Of each method the error
of most words is held: words lost, with their cause where the method gives reasons, else words too
many.  A call is one page tried.  Seconds are the processors' (`ProcessorClock`), so that other work
does not count; ``--wall`` takes the usual ones.
"""

import argparse
import os
import resource
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from algorithms.core.catalogue import method
from algorithms.explain.differences import ErrorKind
from algorithms.measures.text_words import normalise, words_of
from annotate.evaluation.run.triage import pages_of
from annotate.library.page_cases import Cases, PageCase
from annotate.plugins.reduce import reduce
from annotate.plugins.reduce.next_step import PHRASE, judge
from annotate.plugins.reduce.question import ShownProperty, cause_of
from annotate.plugins.reduce.reduce import reduce_page
from annotate.plugins.reduce.report import cause_text
from engine.errors import PageletError
from engine.processes.descendants import descendants
from engine.source import Source


def asked_pages(
    cases: list[PageCase], keys: list[str], count: int
) -> Iterator[tuple[PageCase, dict[str, ShownProperty]]]:
    """Yield so many pages at equal steps of size, or the next smaller on which each method errs."""
    ordered = sorted(cases, key=lambda case: len(case.page.html))
    for k in range(count, 0, -1):
        for case in reversed(ordered[: k * len(ordered) // count]):
            with suppress(PageletError):
                asked = {key: question_of(key, case) for key in keys}
                found = {key: each for key, each in asked.items() if each is not None}
                if len(found) == len(keys):
                    yield case, found
                    break


def question_of(key: str, case: PageCase) -> ShownProperty | None:
    """Return the error of most words of a method on a page; None where there is none."""
    entry = method(key)
    (judged,) = judge(entry, entry.params(), [case], lambda _: None)
    kinds = (ErrorKind.MISSING, ErrorKind.SUPERFLUOUS)
    for error in sorted(judged.errors, key=lambda each: (kinds.index(each.kind), -each.words)):
        words = tuple(words_of(normalise(error.text)))[:PHRASE]
        asked = ShownProperty("lost" if error.kind is kinds[0] else "kept", key, {}, words)
        if asked.is_shown(case.page.html):
            decision = asked.decision(case.page.html)
            return asked if decision is None else replace(asked, cause=cause_of(decision))
    return None


class ProcessorClock:
    """A clock that other work on the machine does not move: seconds of this process, and of all

    that it began over the number of processors.
    """

    def __init__(self) -> None:
        self._own = os.getpid()

    def of_all(self) -> tuple[float, float]:
        """Return the seconds of this process, and of those below it, ended ones too."""
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        below = ended.ru_utime + ended.ru_stime
        for each in descendants(self._own):
            with suppress(OSError):
                fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
                below += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        return time.process_time(), below

    def monotonic(self) -> float:
        """Return what `time.monotonic` stands for in the search."""
        own, below = self.of_all()
        return own + below / (os.cpu_count() or 1)


def main() -> None:
    """Print a row for each page and method."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("data")
    words.add_argument("--methods", nargs="+", default=["gleaner", "trafilatura"])
    words.add_argument("--pages", type=int, default=10)
    words.add_argument("--only", nargs="*", default=[])
    words.add_argument("--seconds", type=float, default=30.0)
    words.add_argument("--wall", action="store_true", help="measure by the clock on the wall")
    words.add_argument("--out", type=Path, help="folder for the reduced pages")
    options = words.parse_args()
    print(
        "| method | page | shows | before | after | s | processor s | calls | ms a call | cause |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    clock = ProcessorClock()
    if not options.wall:
        reduce.time = clock  # type: ignore[attr-defined]
    data = pages_of(options.data)
    for case, questions in asked_pages([*Cases([data])], options.methods, options.pages):
        if options.only and case.name not in options.only:
            continue
        html = Source.of(case.page.document.receive()).html
        for key, asked in questions.items():
            before = sum(clock.of_all())
            got = reduce_page(html, asked, jobs=os.cpu_count() or 1, seconds=options.seconds)
            took = sum(clock.of_all()) - before
            print(
                f"| {key} | {case.name} | {asked.shows} | {len(html.encode()):,} "
                f"| {len(got.html.encode()):,}{'' if got.is_least else ' …'} | {got.seconds:.1f} "
                f"| {took:.1f} | {got.tried} | {1000 * took / max(got.tried, 1):.0f} "
                f"| {cause_text(asked, html, got.html) if asked.cause else 'no reasons'} |",
                flush=True,
            )
            if options.out:
                options.out.mkdir(parents=True, exist_ok=True)
                name = f"{key}-{case.name.replace('/', '-')}"
                (options.out / f"{name}.html").write_text(got.html, "utf-8")
                (options.out / f"{name}.txt").write_text(repr(asked), "utf-8")


if __name__ == "__main__":
    main()
