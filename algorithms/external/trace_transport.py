"""A trace as JSON, between the worker that made it and Pagelet's own process."""

from typing import Any

import numpy as np

from algorithms.trace import Rule, Step, Trace
from engine.errors import MethodError


def trace_as_dict(result: object) -> dict[str, Any]:
    """Return a trace ready for JSON; raises `MethodError` for an invalid one."""
    if not isinstance(result, Trace):
        raise MethodError(f"its trace is a {type(result).__name__}; expected a Trace")
    return {"size": result.size, "steps": [_step(each) for each in result.steps]}


def _step(each: Step) -> dict[str, Any]:
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
