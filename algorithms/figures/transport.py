"""Figures as JSON and back, for those that another process makes."""

from collections.abc import Iterable
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
from engine.errors import MethodError

_CLASSES = {c.__name__: c for c in (
    Figure, Curve, Dots, Bars, Strips, Bands, Links, Threshold, Items,
)}  # fmt: skip
_TUPLES = ("curves", "dots", "bars", "bands", "links", "thresholds", "labels")
_TYPES = {"places": np.int32, "cells": np.float32}


def figures_as_dicts(result: object) -> list[Any]:
    """Return figures ready for JSON; raises `MethodError` for an invalid one."""
    if not isinstance(result, tuple | list) or not all(isinstance(f, Figure) for f in result):
        raise MethodError("its figures are not a tuple of Figure")
    return [_as_dict(each) for each in result]


def figures_from(data: Iterable[Any]) -> tuple[Figure, ...]:
    """Return the figures that `figures_as_dicts` was given."""
    return tuple(_read(each) for each in data)


def _as_dict(value: Any) -> Any:  # noqa: ANN401
    if is_dataclass(value):
        values = {each.name: _as_dict(getattr(value, each.name)) for each in fields(value)}
        return {"kind": type(value).__name__, **values}
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    return [_as_dict(each) for each in value] if isinstance(value, tuple | list) else value


def _read(data: dict[str, Any]) -> Any:  # noqa: ANN401
    made = {}
    for name, value in data.items():
        if name == "kind":
            continue
        if isinstance(value, dict):
            value = _read(value)
        elif isinstance(value, list):
            if name in _TUPLES:
                value = tuple(_read(each) if isinstance(each, dict) else each for each in value)
            else:
                value = np.array(value, dtype=_TYPES.get(name, np.float64))
                value = value.reshape(-1, 2) if name == "places" else value
        made[name] = value
    return _CLASSES[data["kind"]](**made)
