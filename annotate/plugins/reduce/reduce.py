"""Delta debugging over a page's tree: removes everything that is not needed to show a property.

First the parts far from the given words are removed, then whole kinds: elements of a tag,
attributes of a name, ends of long lists and texts.  Then elements, attributes, wrappers and words
are tried, the largest first; a part that cannot be removed is split.  Where the markup itself is
the cause, which is gone once it is parsed, its tags, words and characters are removed instead
(Zeller & Hildebrandt 2002, "Simplifying and isolating failure-inducing input"; along the tree as in
Misherghi & Su 2006, "HDD").  Candidates are tried in several processes; the first in order is
taken, so that the result is the same for any number of processes.
"""

import heapq
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import count
from multiprocessing import connection
from typing import Any, Protocol

from annotate.plugins.reduce.question import ShownProperty
from annotate.plugins.reduce.tree import CuttableTree, pieces_of
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


_FAR = 3.0
"""What is around words is tried where the page is at least so many times as large."""

_GROWTH = 1.4
"""How many times as large as the one before each such page is at least."""

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
        self._most_s = seconds
        self._processes: list[WorkerProcess[tuple[ShownProperty, str], bool]] = [
            WorkerProcess(reduction_worker) for _ in range(jobs)
        ]
        self._known: dict[bytes, bool] = {}
        self.begin()

    def begin(self) -> None:
        """Count tries and time from now on."""
        self.tried, self._begin = 0, time.monotonic()

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

    def first(self, pages: Sequence[str], is_needed: bool = False) -> int:
        """Return which of some pages is the first that shows it; -1 if none does.

        When time is over no answer is waited for, unless it ``is_needed``.
        """
        digests = [blake2b(page.encode("utf-8", "surrogatepass")).digest() for page in pages]
        answers = [self._known.get(digest) for digest in digests]
        at: dict[WorkerProcess[tuple[ShownProperty, str], bool], int] = {}
        begun: set[WorkerProcess[tuple[ShownProperty, str], bool]] = set()
        waiting = [k for k, answer in enumerate(answers) if answer is None]
        for process, k in zip(self._processes, waiting, strict=False):
            process.hand((self._question, pages[k]))
            at[process] = k
        while at and (is_needed or not self.is_over):
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
                    answers[k] = self._known[digests[k]] = answer
        return next((k for k, answer in enumerate(answers) if answer), -1)


def reduce_page(
    html: str,
    question: ShownProperty,
    *,
    jobs: int = 1,
    seconds: float = 120.0,
    say: Callable[[int, float], None] = lambda _size, _seconds: None,
) -> Reduced:
    """Return the smallest page that still shows the property.

    Args:
        html: The page.
        question: The property it must show.
        jobs: Number of candidates tried at once.
        seconds: After this time, without that of loading the methods, it stops, with the current
            result.
        say: Called from time to time with the characters left, and the seconds so far.

    Raises:
        InputError: The page does not show it.
    """
    with closing(_Candidates(question, jobs, seconds)) as tries:
        if tries.first([html] * jobs, is_needed=True) < 0:  # each process loads the methods
            raise InputError(
                f"this page does not show it: {question.in_words()}; change the words or the method"
            )
        tries.begin()
        try:
            smallest = _reduced_tree(html, question.words, tries, say)
        except _OnlyInMarkup:
            smallest = _reduced_markup(html, tries, say)
        return Reduced(smallest, len(html), tries.tried, tries.seconds, not tries.is_over)


class _OnlyInMarkup(Exception):
    """A page no longer shows it once it is parsed and written again."""


class _Cuttable(Protocol):
    """A page that groups of units can be left out of (`CuttableTree`)."""

    def html(self, gone: Any = ...) -> str: ...  # noqa: ANN401  (a group of its own)
    def split(self, group: Any) -> list[Any]: ...  # noqa: ANN401
    def size(self, group: Any) -> int: ...  # noqa: ANN401
    def may_go(self, group: Any) -> bool: ...  # noqa: ANN401
    def remove(self, group: Any) -> None: ...  # noqa: ANN401


class _CuttableText:
    """A text whose pieces are left out."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._pieces: dict[int, str] = dict(enumerate(pieces))

    def html(self, gone: range = range(0)) -> str:
        return "".join(piece for k, piece in self._pieces.items() if k not in gone)

    def split(self, group: range) -> list[range]:
        middle = len(group) // 2
        return [group[:middle], group[middle:]] if middle else []

    def size(self, group: range) -> int:
        return sum(len(self._pieces.get(k, "")) for k in group)

    def may_go(self, _group: range) -> bool:
        return True

    def remove(self, group: range) -> None:
        for k in group:
            self._pieces.pop(k, None)


def _reduced_tree(
    html: str, words: Sequence[str], tries: _Candidates, say: Callable[[int, float], None]
) -> str:
    """Cut a page's tree until nothing more can go; raises `_OnlyInMarkup`."""
    try:
        page = CuttableTree(html, words)
    except InputError:
        raise _OnlyInMarkup from None
    smallest = page.html()
    if tries.first([smallest], is_needed=True) < 0:
        raise _OnlyInMarkup
    _cut_around(page, tries)
    _minimise(page, page.kinds(), tries, say)
    _cut_around(page, tries)
    _thin(page, tries)
    while not tries.is_over and len(page.html()) < len(smallest):
        smallest = page.html()
        _minimise(page, page.units(), tries, say)
    return page.html()


def _cut_around(page: CuttableTree, tries: _Candidates) -> None:
    """Remove the parts far from the words; keep the smallest surroundings that suffice."""
    most, groups = len(page.html()) / _FAR, list[Any]()
    before = 0.0
    for group in page.around():
        size = len(page.html(group))
        if before * _GROWTH < size < most:
            groups.append(group)
            before = size
    for at in range(0, len(groups), tries.jobs):
        chosen = groups[at : at + tries.jobs]
        shown = -1 if tries.is_over else tries.first([page.html(group) for group in chosen])
        if shown >= 0:
            page.remove(chosen[shown])
            return


def _thin(page: CuttableTree, tries: _Candidates) -> None:
    """Leave out every second part as often as that can be."""
    shown = 0
    while shown >= 0 and not tries.is_over:
        groups = page.thinned()
        shown = -1
        for at in range(0, len(groups), tries.jobs):
            chosen = groups[at : at + tries.jobs]
            shown = tries.first([page.html(group) for group in chosen])
            if shown >= 0:
                page.remove(chosen[shown])
                break


def _reduced_markup(html: str, tries: _Candidates, say: Callable[[int, float], None]) -> str:
    """Cut the text of a page: first whole tags and words, then characters."""
    for split in (pieces_of, list):
        before = ""
        while html != before and not tries.is_over:
            before = html
            pieces = split(html)
            page = _CuttableText(pieces)
            _minimise(page, [range(len(pieces))], tries, say)
            html = page.html()
    return html


def _minimise(
    page: _Cuttable,
    groups: Iterable[Any],
    tries: _Candidates,
    say: Callable[[int, float], None],
) -> None:
    """Leave out the groups that are not needed, the largest first; of the others, their parts."""
    order = count()
    waiting: list[tuple[int, int, Any]] = []

    def push(group: Any, size: int) -> None:  # noqa: ANN401  (a group of its own)
        if size:
            heapq.heappush(waiting, (-size, next(order), group))

    for group in groups:
        push(group, page.size(group))
    while waiting and not tries.is_over:
        # As many as there are processes, each as if those before it did not show it.
        chosen: list[Any] = []
        after: list[list[tuple[int, int, Any]]] = []
        while waiting and len(chosen) < tries.jobs:
            size, _, group = heapq.heappop(waiting)
            now = page.size(group)
            if now < -size:
                push(group, now)
                continue
            for part in page.split(group):
                push(part, page.size(part))
            if page.may_go(group):
                chosen.append(group)
                after.append([*waiting])
        shown = tries.first([page.html(group) for group in chosen])
        if shown >= 0:
            page.remove(chosen[shown])
            waiting = after[shown]
            say(len(page.html()), tries.seconds)
