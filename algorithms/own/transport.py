"""Calls of a method in a worker process; results, traces and figures travel back as JSON."""

import pickle
import time
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from algorithms.figures.figure import (
    Bands,
    Bars,
    Curve,
    Dots,
    Figure,
    Items,
    Links,
    Strips,
    Threshold,
)
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Block, Extraction, Result, Segmentation, nothing
from algorithms.trace import Rule, Step, Trace
from engine.archive import pack, unpack
from engine.errors import MethodError
from engine.page import Page
from engine.processes.foreign import ForeignWorker
from engine.source import Source

SECONDS = 30.0
"""Time limit for one page, where the method has no parameter ``seconds``."""

_CLASSES = {c.__name__: c for c in (
    Figure, Curve, Dots, Bars, Strips, Bands, Links, Threshold, Items,
)}  # fmt: skip
_TUPLES = ("curves", "dots", "bars", "bands", "links", "thresholds", "labels")
_TYPES = {"places": np.int32, "cells": np.float32}


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


def called(
    worker: Callable[[], ForeignWorker], what: str, output: str
) -> Callable[[Any, Params], Any]:
    """Return a function that has a worker call one function of a method.

    Args:
        worker: Returns the worker, whose handler answers by `answer_to`.
        what: The attribute of `Method` that holds the function, such as ``on_source``.
        output: That of the method.
    """

    def call(subject: Source | Page, params: Params) -> Any:  # noqa: ANN401
        values = params.as_dict()
        limit = float(values.get("seconds", SECONDS))
        answer = worker().ask((what, _sent(subject), values), limit)
        if what.startswith("on_"):
            return _received(answer, subject, output)
        return figures_from(answer["figures"]) if "figures" in answer else trace_from(answer)

    return call


def answer_to(
    entry: Method, what: str, packed: bytes, values: dict[str, Any], *, may_be_none: bool = False
) -> dict[str, Any]:
    """Return the answer of a worker that has the method; raises `MethodError` for an invalid one.

    A result of None is nothing at all where it ``may_be_none``.
    """
    subject: Source | Page = pickle.loads(packed) if what.endswith("source") else unpack(packed)
    start = time.perf_counter()
    result = getattr(entry, what)(subject, entry.params(**values))
    if what.startswith("on_"):
        if result is None and may_be_none and isinstance(subject, Source):
            result = nothing(subject)
        return {**_as_json(result, subject), "seconds": time.perf_counter() - start}
    if what.startswith("figures_"):
        return {"figures": figures_as_dicts(result)}
    return trace_as_dict(result)


def _sent(subject: Source | Page) -> bytes:
    """Return a packed document without computed data, which the other side computes as needed."""
    if isinstance(subject, Page):
        return pack(subject)
    return pickle.dumps(subject.unread())


def _as_json(result: object, subject: Source | Page) -> dict[str, Any]:
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


def _received(answer: dict[str, Any], subject: Source | Page, output: str) -> Result:
    """Return the result that `_as_json` wrote down; `MethodError` if it is not of its kind."""
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


def trace_as_dict(result: object) -> dict[str, Any]:
    """Return a trace ready for JSON; raises `MethodError` for an invalid one."""
    if not isinstance(result, Trace):
        raise MethodError(f"its trace is a {type(result).__name__}; expected a Trace")
    return {"size": result.size, "steps": [_step_as_dict(each) for each in result.steps]}


def _step_as_dict(each: Step) -> dict[str, Any]:
    rule = each.rule
    return {
        "asks": rule.asks, "keeps": rule.keeps, "parameters": list(rule.parameters),
        "is_share": rule.is_share, "verbs": list(rule.verbs), "measured": rule.measured,
        "says": list(rule.says), "is_in_note": rule.is_in_note,
        "places": each.places.tolist(), "kept": each.kept.tolist(),
        "values": each.values.tolist(), "thresholds": each.thresholds.tolist(),
        "notes": list(each.notes),
    }  # fmt: skip


def trace_from(data: dict[str, Any]) -> Trace:
    """Return the trace that `trace_as_dict` wrote down."""
    steps = tuple(
        Step(
            Rule(
                each["asks"],
                each["keeps"],
                tuple(each["parameters"]),
                each["is_share"],
                (each["verbs"][0], each["verbs"][1]),
                each["measured"],
                (each["says"][0], each["says"][1]),
                each["is_in_note"],
            ),
            np.array(each["places"], np.int32).reshape(-1, 2),
            np.array(each["kept"], bool),
            np.array(each["values"], np.float64),
            np.array(each["thresholds"], np.float64),
            tuple(each["notes"]),
        )
        for each in data["steps"]
    )
    return Trace(steps, int(data["size"]))


def figures_as_dicts(result: object) -> list[Any]:
    """Return figures ready for JSON; raises `MethodError` for an invalid one."""
    if not isinstance(result, tuple | list) or not all(isinstance(f, Figure) for f in result):
        raise MethodError("its figures are not a tuple of Figure")
    return [_figure_as_dict(each) for each in result]


def figures_from(data: Iterable[Any]) -> tuple[Figure, ...]:
    """Return the figures that `figures_as_dicts` was given."""
    return tuple(_figure_from(each) for each in data)


def _figure_as_dict(value: Any) -> Any:  # noqa: ANN401
    if is_dataclass(value):
        values = {each.name: _figure_as_dict(getattr(value, each.name)) for each in fields(value)}
        return {"kind": type(value).__name__, **values}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_figure_as_dict(each) for each in value] if isinstance(value, tuple | list) else value


def _figure_from(data: dict[str, Any]) -> Any:  # noqa: ANN401
    made = {}
    for name, value in data.items():
        if name == "kind":
            continue
        if isinstance(value, dict):
            value = _figure_from(value)
        elif isinstance(value, list):
            if name in _TUPLES:
                value = tuple(
                    _figure_from(each) if isinstance(each, dict) else each for each in value
                )
            else:
                value = np.array(value, dtype=_TYPES.get(name, np.float64))
                value = value.reshape(-1, 2) if name == "places" else value
        made[name] = value
    return _CLASSES[data["kind"]](**made)
