"""Delta debugging over a page's tree: removes everything that is not needed to show a property.

Level by level from the root, then wrappers, attributes and words, until nothing more can go; where
the markup itself is the cause, which is gone once it is parsed, tags, words and characters of it
(Zeller & Hildebrandt 2002, "Simplifying and isolating failure-inducing input"; by levels as in
Misherghi & Su 2006, "HDD").  Candidates are tried in several processes ahead of their turn; which
is taken is the first in order, so that the result is the same for any number of processes.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import connection
from typing import Any

from annotate.plugins.reduce.question import ShownProperty
from annotate.plugins.reduce.tree import (
    RemovableParts,
    TreePart,
    cut_attributes,
    cut_level,
    cut_words,
    cut_wrappers,
    parse_page,
    parts_of,
    pieces_of,
    write_page,
)
from engine.errors import InputError
from engine.processes.worker_process import TICK_S, Handler, ProcessLost, Send, WorkerProcess


@dataclass(frozen=True)
class Reduced:
    """Result of cutting a page down.

    Attributes:
        html: The page.
        before: Characters it had.
        tried: Number of candidates.
        seconds: Duration.
        is_least: Whether nothing more can go; else it was stopped before.
    """

    html: str
    before: int
    tried: int
    seconds: float
    is_least: bool


_START_S = 60.0
"""How long a process may take until it begins with a page: to load a method, too."""


@contextmanager
def reduction_worker(send: Send) -> Iterator[Handler]:
    """Answer whether pages show the property; send a message at the start of each."""
    loaded: set[str] = set()

    def answer(order: tuple[ShownProperty, str]) -> bool:
        question, html = order
        if question.shows == "hangs" and question.method not in loaded:
            question.is_shown("<p>word")  # loading is no hang
            loaded.add(question.method)
        send(None)
        return question.is_shown(html)

    yield answer


class _Candidates:
    """Tries pages in several processes, until time is over; `first` does not depend on how many."""

    def __init__(self, question: ShownProperty, jobs: int, seconds: float) -> None:
        self._question, self.jobs = question, jobs
        self._begin, self._most_s = time.monotonic(), seconds
        self._processes: list[WorkerProcess[tuple[ShownProperty, str], bool]] = [
            WorkerProcess(reduction_worker) for _ in range(jobs)
        ]
        self._known: dict[str, bool] = {}
        self.tried = 0

    @property
    def seconds(self) -> float:
        """Time since the start."""
        return time.monotonic() - self._begin

    @property
    def is_over(self) -> bool:
        return self.seconds > self._most_s

    def close(self) -> None:
        """End the processes, each with the packages it runs."""
        for process in self._processes:
            process.close()
        for process in self._processes:
            process.end(waits=True)

    def first(self, pages: Sequence[str]) -> int:
        """Return which of some pages is the first that shows it; -1 if none does."""
        answers = [self._known.get(page) for page in pages]
        at: dict[WorkerProcess[tuple[ShownProperty, str], bool], int] = {}
        begun: set[WorkerProcess[tuple[ShownProperty, str], bool]] = set()
        waiting = [k for k, answer in enumerate(answers) if answer is None]
        for process, k in zip(self._processes, waiting, strict=False):
            process.hand((self._question, pages[k]))
            at[process] = k
        while at:
            connection.wait([process.pipe for process in at], TICK_S)
            for process, k in [*at.items()]:
                answer = None
                try:
                    limit = self._question.seconds if process in begun else _START_S
                    for is_answer, message in process.messages(limit):
                        begun.add(process)
                        answer = bool(message) if is_answer else answer
                except ProcessLost as end:
                    answer = self._question.is_shown_by(end)
                if answer is not None:
                    del at[process]
                    self.tried += 1
                    answers[k] = self._known[pages[k]] = answer
        return next((k for k, answer in enumerate(answers) if answer), -1)


def reduce_page(
    html: str,
    question: ShownProperty,
    *,
    jobs: int = 1,
    seconds: float = 60.0,
    say: Callable[[int, float], None] = lambda _size, _seconds: None,
) -> Reduced:
    """Return the smallest page that still shows the property.

    Args:
        html: The page.
        question: The property it must show.
        jobs: Number of candidates tried at once.
        seconds: After this time it stops, with the current result.
        say: Called from time to time with the characters left, and the seconds so far.

    Raises:
        InputError: The page does not show it.
    """
    with closing(_Candidates(question, jobs, seconds)) as tries:
        if tries.first([html]) < 0:
            raise InputError(
                f"this page does not show it: {question.in_words()}; change the words or the method"
            )
        try:
            smallest = _reduced_tree(html, tries, say)
        except _OnlyInMarkup:
            smallest = _reduced_markup(html, tries, say)
        return Reduced(smallest, len(html), tries.tried, tries.seconds, not tries.is_over)


class _OnlyInMarkup(Exception):
    """A page no longer shows it once it is parsed and written again."""


def _reduced_tree(html: str, tries: _Candidates, say: Callable[[int, float], None]) -> str:
    """Cut a page's tree until nothing more can go; raises `_OnlyInMarkup`."""
    try:
        root = parse_page(html)
    except InputError:
        raise _OnlyInMarkup from None
    smallest = write_page(root)
    if tries.first([smallest]) < 0:
        raise _OnlyInMarkup
    while not tries.is_over:
        before = len(smallest)
        for cut in _cuts(root):

            def page(rest: Sequence[Any], cut: RemovableParts = cut) -> str:
                cut.apply(rest)
                return write_page(root)

            cut.apply(_minimised(cut.units, page, tries))
            now = write_page(root)
            if len(now) < len(smallest):
                say(len(now), tries.seconds)
            smallest = now
            if tries.is_over:
                break
        if len(smallest) == before:
            break
    return smallest


def _reduced_markup(html: str, tries: _Candidates, say: Callable[[int, float], None]) -> str:
    """Cut the text of a page: first whole tags and words, then characters."""
    for split in (pieces_of, list):
        before = ""
        while html != before and not tries.is_over:
            before = html
            html = "".join(_minimised(split(html), "".join, tries))
            if len(html) < len(before):
                say(len(html), tries.seconds)
    return html


def _cuts(root: TreePart) -> Iterator[RemovableParts]:
    depth = 1
    while depth <= max(level for level, _ in parts_of(root)):
        yield cut_level(root, depth)
        depth += 1
    yield cut_wrappers(root)
    yield cut_attributes(root)
    yield cut_words(root)


def _minimised(
    units: Sequence[Any], page: Callable[[Sequence[Any]], str], tries: _Candidates
) -> Sequence[Any]:
    """Return the units that are needed, removing the others in ever smaller groups.

    ``page`` builds the page with some of them.
    """
    units = list(units)
    if not units or tries.first([page([])]) == 0:
        return []
    size = max(1, len(units) // 2)
    while not tries.is_over:
        position, is_shorter = 0, False
        while position < len(units) and not tries.is_over:
            # As many as there are processes, each as if those before it did not show it.
            starts = range(position, min(len(units), position + size * tries.jobs), size)
            rests = [units[:at] + units[at + size :] for at in starts]
            shown = tries.first([page(each) for each in rests])
            if shown < 0:
                position += size * len(rests)
            else:
                units, position, is_shorter = rests[shown], position + size * shown, True
        if size == 1 and not is_shorter:
            break
        size = max(1, min(size, len(units)) // 2)
    return units
