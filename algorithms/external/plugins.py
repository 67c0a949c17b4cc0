"""Python packages as methods: entry points of the group ``pagelet.methods``, each a `Method`.

The package is imported in Pagelet's own process, for its name and parameters only: it should import
large modules inside the function that does the work.  That function runs in a worker process like
everything else that is not Pagelet's own.  A parameter named ``seconds`` is the time limit.
"""

import dataclasses
import pickle
import time
from collections.abc import Callable
from importlib import metadata
from typing import Any

import numpy as np

from algorithms.external.trace_transport import trace_as_dict, trace_from
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Block, Extraction, Result, Segmentation
from algorithms.trace import Trace
from engine.archive import pack, unpack
from engine.errors import MethodError
from engine.page import Page
from engine.processes.foreign import in_a_line, worker_for
from engine.source import Source

GROUP = "pagelet.methods"
SECONDS = 30.0
"""Time limit for one page, where the method has no parameter ``seconds``."""

PluginRequest = tuple[str, bytes, dict[str, Any]]
"""The call, the packed document, the values of parameters."""


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
        result.append(
            dataclasses.replace(
                entry,
                version=entry.version or where,
                on_source=_apart(entry, point.name, "source") if entry.on_source else None,
                on_page=_apart(entry, point.name, "page") if entry.on_page else None,
                trace_source=_traced(point.name, "trace_source") if entry.trace_source else None,
                trace_page=_traced(point.name, "trace_page") if entry.trace_page else None,
            )
        )
    return tuple(result), tuple(problems)


def _entry(point: metadata.EntryPoint) -> Method:
    return checked(point.load(), point.value)


def checked(entry: object, where: str) -> Method:
    """Return an object as a method; raise `MethodError` if it cannot run."""
    if not isinstance(entry, Method):
        raise MethodError(f"{where} is of type {type(entry).__name__}; expected a Method")
    if entry.on_source is None and entry.on_page is None:
        raise MethodError(f"{where} has neither on_source nor on_page")
    if entry.output not in ("extraction", "segmentation"):
        raise MethodError(f"output must be extraction or segmentation, got {entry.output!r}")
    entry.params()  # its defaults must be allowed
    return entry


# In Pagelet's process ----------------------------------------------------------------------


def _apart(entry: Method, name: str, reads: str) -> Callable[[Any, Params], Result]:
    """Return a function that runs the method in its worker process."""

    def run(subject: Source | Page, params: Params) -> Result:
        return received(_asked(name, reads, subject, params), subject, entry.output)

    return run


def _traced(name: str, what: str) -> Callable[[Any, Params], Trace]:
    """Return a function that asks the worker process for the method's trace."""

    def trace(subject: Source | Page, params: Params) -> Trace:
        return trace_from(_asked(name, what, subject, params))

    return trace


def _asked(name: str, what: str, subject: Source | Page, params: Params) -> dict[str, Any]:
    values = params.as_dict()
    limit = float(values.get("seconds", SECONDS))
    return worker_for(__name__, name).ask((what, sent(subject), values), limit)


def received(answer: dict[str, Any], subject: Source | Page, output: str) -> Result:
    """Return the result that `as_json` wrote down; `MethodError` if it is not of its kind."""
    if (answer["kind"] == "segmentation") != (output == "segmentation"):
        raise MethodError(f"it gave {answer['kind']}, and is a method of {output}")
    if answer["kind"] == "segmentation":
        assert isinstance(subject, Page)
        blocks = (Block(tuple(b["rows"]), b["level"], b["type"], b["reason"]) for b in
                  answer["blocks"])  # fmt: skip
        return Segmentation(subject.rendered(), tuple(blocks))
    source = subject if isinstance(subject, Source) else subject.source(answer["source"])
    spans = np.array(answer["spans"], dtype=np.int32).reshape(-1, 2)
    return Extraction(source, spans, answer["given"], answer["unmapped"], seconds=answer["seconds"])


def sent(subject: Source | Page) -> bytes:
    """Return a packed document without computed data, which the other side computes as needed."""
    if isinstance(subject, Page):
        return pack(subject)
    return pickle.dumps(subject.unread())


# In the worker process ---------------------------------------------------------------------


def load(name: str) -> Callable[[PluginRequest], dict[str, Any]]:
    """Return a function that answers requests to one plugin, imported now."""
    entry = _entry(next(iter(metadata.entry_points(group=GROUP, name=name))))

    def answer(request: PluginRequest) -> dict[str, Any]:
        reads, sent, values = request
        is_source = reads.endswith("source")
        subject: Source | Page = pickle.loads(sent) if is_source else unpack(sent)
        start = time.perf_counter()
        params = entry.params(**values)
        is_trace = reads.startswith("trace")
        run: Any = getattr(entry, reads if is_trace else f"on_{reads}")
        result = run(subject, params)
        data = trace_as_dict(result) if is_trace else as_json(result, subject)
        return {**data, "seconds": time.perf_counter() - start}

    return answer


def as_json(result: object, subject: Source | Page) -> dict[str, Any]:
    """Return a result ready for JSON; `MethodError` for an invalid one, or one of another page."""
    if isinstance(result, Segmentation):
        if not isinstance(subject, Page):
            raise MethodError("it returned blocks for a source: blocks need the rendered page")
        return {"kind": "segmentation", "blocks": [_block(b, subject) for b in result.blocks]}
    if not isinstance(result, Extraction):
        raise MethodError(
            f"it gave a {type(result).__name__}; expected an Extraction or a Segmentation"
        )
    source = subject.name_of(result.source) if isinstance(subject, Page) else "original"
    spans = result.spans
    flat = spans.ravel()
    size = len(result.source.html)
    if flat.size and (flat[0] < 0 or flat[-1] > size or (np.diff(flat) < 0).any()):
        raise MethodError("its spans overlap, are out of order or outside the page")
    return {
        "kind": "extraction",
        "source": source,
        "spans": spans.tolist(),
        "given": result.given,
        "unmapped": result.unmapped,
    }


def _block(block: Block, page: Page) -> dict[str, Any]:
    rows = [int(row) for row in block.rows]
    if not rows or min(rows) < 0 or max(rows) >= len(page.rendered()):
        raise MethodError(f"a block has the rows {rows[:5]}, which the page does not have")
    if block.level not in (1, 2):
        raise MethodError(f"a block has the level {block.level}; expected 1 or 2")
    return {"rows": rows, "level": block.level, "type": block.type, "reason": block.reason}
