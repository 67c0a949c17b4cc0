"""Calls of a method in a worker process; results, traces and figures travel back as JSON."""

import pickle
import time
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, get_origin

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
from algorithms.levels import LEVELS
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

_CLASSES: dict[str, Any] = {c.__name__: c for c in (
    Figure, Curve, Dots, Bars, Strips, Bands, Links, Threshold, Items, Trace, Step, Rule,
)}  # fmt: skip
_TYPES = {"places": np.int32, "cells": np.float32, "kept": bool}
"""Of arrays, by name; others are float64."""


def check_method(entry: object, where: str) -> Method:
    """Return an object as a method; raise `MethodError` if it cannot run."""
    if not isinstance(entry, Method):
        raise MethodError(f"{where} is of type {type(entry).__name__}; expected a Method")
    if entry.on_source is None and entry.on_page is None:
        raise MethodError(f"{where} has neither on_source nor on_page")
    if entry.output not in ("extraction", "segmentation"):
        raise MethodError(f"output must be extraction or segmentation, got {entry.output!r}")
    entry.params()  # its defaults must be valid
    return entry


def make_caller(
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
        # Without computed data, which the other side computes as needed.
        packed = pack(subject) if isinstance(subject, Page) else pickle.dumps(subject.unread())
        answer = worker().ask((what, packed, values), limit)
        if what.startswith("on_"):
            return _received(answer, subject, output)
        if "figures" in answer:
            return tuple(map(_made, answer["figures"]))
        return _made(answer["trace"])

    return call


def answer_to(
    entry: Method, what: str, packed: bytes, values: dict[str, Any], *, may_be_none: bool = False
) -> dict[str, Any]:
    """Return the answer of a worker that has the method; raises `MethodError` for an invalid one.

    A result of None is empty if it ``may_be_none``.
    """
    subject: Source | Page = pickle.loads(packed) if what.endswith("source") else unpack(packed)
    start = time.perf_counter()
    result = getattr(entry, what)(subject, entry.params(**values))
    if what.startswith("on_"):
        if result is None and may_be_none and isinstance(subject, Source):
            result = nothing(subject)
        return {**_as_json(result, subject), "seconds": time.perf_counter() - start}
    if what.startswith("figures_"):
        if not isinstance(result, tuple | list) or not all(isinstance(f, Figure) for f in result):
            raise MethodError("its figures are not a tuple of Figure")
        return {"figures": _plain(result)}
    if not isinstance(result, Trace):
        raise MethodError(f"its trace is a {type(result).__name__}; expected a Trace")
    return {"trace": _plain(result)}


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
    flat, size = result.spans.ravel(), len(result.source.html)
    if flat.size and (flat[0] < 0 or flat[-1] > size or (np.diff(flat) < 0).any()):
        raise MethodError("its spans overlap, are out of order or outside the page")
    return {
        "kind": "extraction",
        "source": source,
        "spans": result.spans.tolist(),
        "given": result.given,
        "unmapped": result.unmapped,
    }


def _block(block: Block, page: Page) -> dict[str, Any]:
    rows = [int(row) for row in block.rows]
    if not rows or min(rows) < 0 or max(rows) >= len(page.rendered()):
        raise MethodError(f"a block has the rows {rows[:5]}, which the page does not have")
    if block.level not in LEVELS:
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


def _plain(value: Any) -> Any:  # noqa: ANN401
    """Return a value of one of `_CLASSES`, or part of one, ready for JSON."""
    if is_dataclass(value):
        values = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return {"kind": type(value).__name__, **values}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    is_list = isinstance(value, Sequence) and not isinstance(value, str)
    return [_plain(each) for each in value] if is_list else value


def _made(data: Any) -> Any:  # noqa: ANN401
    """Return what `_plain` was given."""
    if not isinstance(data, dict):
        return data
    kind, made = _CLASSES[data["kind"]], {}
    for each in fields(kind):
        value = data[each.name]
        if not isinstance(value, list):
            made[each.name] = _made(value)
        elif get_origin(each.type) in (tuple, Sequence):
            made[each.name] = tuple(map(_made, value))
        else:
            array = np.array(value, dtype=_TYPES.get(each.name, np.float64))
            made[each.name] = array.reshape(-1, 2) if each.name == "places" else array
    return kind(**made)
