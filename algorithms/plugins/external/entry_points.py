"""Python packages as methods: entry points of the group ``pagelet.methods``, each a `Method`.

The package is imported in Pagelet's own process, for its name and parameters only: it should import
large modules inside the function that does the work.  That function runs in a worker process like
everything else that is not Pagelet's own.  A parameter named ``seconds`` is the time limit.
"""

import dataclasses
from collections.abc import Callable
from functools import partial
from importlib import metadata
from typing import Any

from algorithms.method import Method
from algorithms.own.transport import answer_to, check_method, make_caller
from engine.processes.foreign import in_a_line, worker_for

GROUP = "pagelet.methods"

Request = tuple[str, bytes, dict[str, Any]]
"""Which function of the method, the packed document, the values of parameters."""


def plugins() -> tuple[tuple[Method, ...], tuple[str, ...]]:
    """Return the methods of installed packages, and a sentence for each that cannot be used."""
    result: list[Method] = []
    problems: list[str] = []
    for point in metadata.entry_points(group=GROUP):
        where = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        try:
            entry = _entry(point)
        except Exception as error:  # noqa: BLE001  (somebody else's module may raise anything)
            problems.append(f"{where}: method {point.name} cannot be used: {in_a_line(error)}")
            continue
        worker = partial(worker_for, __name__, point.name)
        calls: dict[str, Any] = {
            what: make_caller(worker, what, entry.output)
            for what in ("on_source", "on_page", "trace_source", "trace_page")
            if getattr(entry, what) is not None
        }
        result.append(dataclasses.replace(entry, version=entry.version or where, **calls))
    return tuple(result), tuple(problems)


def _entry(point: metadata.EntryPoint) -> Method:
    return check_method(point.load(), point.value)


def load(name: str) -> Callable[[Request], dict[str, Any]]:
    """Return a function that answers requests to one package, imported now, in its worker."""
    entry = _entry(next(iter(metadata.entry_points(group=GROUP, name=name))))
    return lambda request: answer_to(entry, *request)
