"""What the rows and columns of a table of results are: pages, and methods as they are set up."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from algorithms.catalogue import method
from engine.errors import InputError

OutputKind = Literal["extraction", "segmentation"]
"""What a method gives."""


@dataclass(frozen=True)
class ListedPage:
    """One row of the table.

    Attributes:
        dataset, name: What an evaluation calls it.
        title: What the user sees.
        note: Where it comes from, for the tool tip.
    """

    dataset: str
    name: str
    title: str = ""
    note: str = ""


@lru_cache(maxsize=512)
def canonical(parameters: str) -> str:
    """Return parameters (JSON) so that equal ones are equal texts; what is no JSON stays."""
    try:
        return json.dumps(json.loads(parameters or "{}"), sort_keys=True)
    except ValueError:
        return parameters


@lru_cache(maxsize=512)
def values_of(parameters: str) -> Mapping[str, object]:
    """Return parameters (JSON) by name, in the order written."""
    try:
        found = json.loads(parameters) if parameters else {}
    except ValueError:
        found = None
    return dict(found) if isinstance(found, dict) else {"parameters": parameters}


@dataclass(frozen=True)
class Column:
    """One column: a method as it is set up.

    Attributes:
        method: Its key.
        parameters: As `canonical` writes them.
        input: What it reads.
        said: The parameters as they were written first: their order is the method's own.
    """

    method: str
    parameters: str
    input: str
    said: str = field(default="", compare=False)

    @classmethod
    def of(cls, method_key: str, parameters: str, input_name: str) -> "Column":
        """Return the column of a method with parameters as rows have them."""
        return cls(method_key, canonical(parameters), input_name, parameters)

    @property
    def name(self) -> str:
        """The method's name; its key where this Pagelet does not have it."""
        try:
            return method(self.method).name
        except InputError:
            return self.method

    @property
    def kind(self) -> OutputKind:
        """What it gives."""
        return _kind(self.method)

    @property
    def values(self) -> Mapping[str, object]:
        """The parameters by name."""
        return values_of(self.said or self.parameters)


@lru_cache(maxsize=512)
def _kind(key: str) -> OutputKind:
    try:
        return "segmentation" if method(key).output == "segmentation" else "extraction"
    except InputError:
        return "extraction"
