"""Watches the memory of this process and of those that draw its pages; ends processes with too much
memory.

Chromium has no limit that holds: that of V8's heap leaves out WebAssembly and images, and one on
address space leaves none for V8's cages.  So a thread looks at each process every 50 ms and kills
the one that has passed the limit (`engine.memory`).

This process itself cannot be ended for a page's sake.  While a page is opened in it, and memory
grows past the limit, the page's process is: with that go the surfaces that it is painted on, and
whatever else it sends.
"""

import math
import os
import signal
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, replace

from engine import memory

CHECK_S = 0.05
IDLE_S = 0.25
"""How often to look while no page is opened and no process has half of the limit."""

_ALL_EVERY = 10
"""Frames of other origins have processes that Qt does not name: they are looked for each so many
looks."""

_PAINTING_S = 10.0
_ROOM = 2
"""A page may add one part in so many of the limit to a process that has passed it already."""


@dataclass
class _Watched:
    """View with the process that draws its page, and this process's limit while that opens."""

    process_id: int = 0
    own_limit: int = 0
    until: float = -math.inf  # by `time.monotonic`; inf while a page is opened


class MemoryWatch:
    """Memory watch of all views of a process, which name the processes of their pages."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._views: dict[int, _Watched] = {}
        self._ended: dict[int, str] = {}
        self._others: set[int] = set()
        self._frames_ended = 0
        self._thread: threading.Thread | None = None

    def follow(self, view: int, process_id: int) -> None:
        """Watch the process that draws a view's page from now on; 0 if there is none."""
        with self._lock:
            self._views.setdefault(view, _Watched()).process_id = process_id
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()

    def forget(self, view: int) -> None:
        """Stop watching a view after its deletion."""
        with self._lock:
            self._views.pop(view, None)

    def begin(self, view: int) -> None:
        """Count this process's memory from now on towards the page that a view opens."""
        own = memory.measure_used(os.getpid())
        most = memory.limit()
        with self._lock:
            watched = self._views.setdefault(view, _Watched())
            watched.own_limit = max(most, own + most // _ROOM)
            watched.until = math.inf

    def end(self, view: int) -> None:
        """Note that a view's page was read or given up; it may still be painted."""
        with self._lock:
            if view in self._views:
                self._views[view].until = time.monotonic() + _PAINTING_S

    def reason(self, process_id: int) -> str:
        """Return why a process that drew a page was ended; "" if that was not done here."""
        with self._lock:
            return self._ended.get(process_id, "")

    def is_reason(self, what: str) -> bool:
        """Return whether this is why a process was ended here."""
        with self._lock:
            return what in self._ended.values()

    @property
    def frames_ended(self) -> int:
        """Number of ended processes that drew no page, but frames in one."""
        return self._frames_ended

    def _run(self) -> None:
        over = threading.Event()
        count = 0
        is_busy = True
        while not over.wait(CHECK_S if is_busy else IDLE_S):
            count += 1
            try:
                if count % _ALL_EVERY == 1:
                    self._others = set(memory.renderers())
                is_busy = self._check()
            except OSError:  # a page has all files open that a process may have: look again
                is_busy = True

    def _check(self) -> bool:
        """End processes with too much memory; return whether any may soon have it."""
        most, own = memory.limit(), memory.measure_used(os.getpid())
        with self._lock:
            views = [replace(each) for each in self._views.values()]
        pages = {each.process_id for each in views if each.process_id > 0}
        highest = 0
        for process_id in pages | self._others:
            has = memory.measure_used(process_id)
            highest = max(highest, has)
            if has > most:
                self._frames_ended += process_id not in pages
                self._kill(process_id, f"the page {memory.too_much()}")
        opening = [each for each in views if time.monotonic() < each.until]
        for each in opening:
            if own > each.own_limit and each.process_id > 0:
                self._kill(each.process_id, f"Pagelet {memory.too_much('for the page')}")
        return bool(opening) or highest > most / _ROOM

    def _kill(self, process_id: int, reason: str) -> None:
        self._others.discard(process_id)
        with self._lock:
            self._ended.setdefault(process_id, reason)
        with suppress(ProcessLookupError):
            os.kill(process_id, signal.SIGKILL)


watch = MemoryWatch()
