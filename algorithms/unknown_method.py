"""Placeholder for a method that results name but this Pagelet does not have."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from algorithms.method import Method
from algorithms.params import Params, Value, param
from algorithms.results import Result
from engine.errors import MethodError
from engine.source import Source


@dataclass(frozen=True)
class UnknownMethod:
    """A method that results are of; it cannot be run.

    Attributes:
        output: What it gave.
        values: Names and values of its parameters.
    """

    output: str
    values: tuple[tuple[str, Value], ...]

    def entry(self, key: str) -> Method:
        def fail(_source: Source, _params: Params) -> Result:
            raise MethodError(f"there is no method {key} here to run")

        fields = [(name, type(value), param(value, "as it was run")) for name, value in self.values]
        made = dataclasses.make_dataclass("StandInParams", fields, bases=(Params,), frozen=True)
        assert issubclass(made, Params)
        return Method(
            key, key, made, self.output, "", on_source=fail, version="unknown", recipe=self
        )

    def for_page(self, _name: str) -> "UnknownMethod":
        return self


def unknown_method(key: str, output: str, values: Mapping[str, Value]) -> Method:
    """Return a placeholder for a method with the parameters it was run with."""
    return UnknownMethod(output, tuple(values.items())).entry(key)
