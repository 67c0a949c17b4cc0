"""Rows and columns of a table of results: pages, and methods with their parameters."""

import json
from array import array
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, overload

import numpy as np

from algorithms.core.catalogue import method
from algorithms.extraction import plain
from algorithms.params import changed_values
from engine.errors import InputError
from engine.tree import Bools

MARK = " ~ "
"""Between the name of a data set and that of a change, in the names of changed data sets."""

OutputKind = Literal["extraction", "segmentation"]
"""What a method gives."""


@dataclass(frozen=True)
class ListedPage:
    """Page of a table, one row.

    Attributes:
        dataset, name: Its names in an evaluation.
        title: Title for the user.
        note: Its source, for the tool tip.
    """

    dataset: str
    name: str
    title: str = ""
    note: str = ""


class PackedPages(Sequence[ListedPage]):
    """Pages under the names an evaluation has for them, in the bytes of these and twelve more each.

    Args:
        pages: Data set and name of each.

    Attributes:
        titles: Name of a page → its title, where that is known.
    """

    titles: Mapping[str, str] = MappingProxyType({})

    def __init__(self, pages: Iterable[tuple[str, str]]) -> None:
        self._names, self._ends = bytearray(), array("q", [0])
        self._datasets: dict[str, int] = {}  # data set → its number in `_of`
        self._of = array("i")
        for dataset, name in pages:
            self._names += name.encode("utf-8", "surrogatepass")
            self._ends.append(len(self._names))
            self._of.append(self._datasets.setdefault(dataset, len(self._datasets)))
        self._known = tuple(self._datasets)

    def __len__(self) -> int:
        return len(self._of)

    @overload
    def __getitem__(self, index: int) -> ListedPage: ...
    @overload
    def __getitem__(self, index: slice) -> list[ListedPage]: ...
    def __getitem__(self, index: int | slice) -> ListedPage | list[ListedPage]:
        if isinstance(index, slice):
            return [self[position] for position in range(len(self))[index]]
        position = range(len(self))[index]
        packed = self._names[self._ends[position] : self._ends[position + 1]]
        name, dataset = packed.decode("utf-8", "surrogatepass"), self._known[self._of[position]]
        whose, _, change = dataset.partition(MARK)
        title = self.titles.get(name, name)
        if any(each.partition(MARK)[0] != whose for each in self._known):
            title = f"{title} · {whose}"
        return ListedPage(dataset, name, f"{change}: {title}" if change else title)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def as_they_are(self) -> Bools:
        """Return whether each page is unperturbed, bool (pages,)."""
        is_own = np.array([MARK not in name for name in self._known], dtype=bool)
        return np.asarray(is_own[np.array(self._of)], dtype=bool)


def pages_of_dataset(pages: Sequence[ListedPage], dataset: str) -> Bools:
    """Return which pages are of a data set, bool (pages,)."""
    if isinstance(pages, PackedPages):
        return np.asarray(np.array(pages._of) == pages._datasets.get(dataset, -1), dtype=bool)
    return np.array([page.dataset == dataset for page in pages], dtype=bool)


@lru_cache(maxsize=512)
def canonical(parameters: str) -> str:
    """Return parameters (JSON) so that equal ones are equal texts; other text stays."""
    with suppress(ValueError):
        return json.dumps(json.loads(parameters or "{}"), sort_keys=True)
    return parameters


@lru_cache(maxsize=512)
def values_of(parameters: str) -> Mapping[str, object]:
    """Return parameters (JSON) by name, in the order written."""
    with suppress(ValueError):
        if isinstance(result := json.loads(parameters or "{}"), dict):
            return dict(result)
    return {"parameters": parameters}


@dataclass(frozen=True)
class Column:
    """Column of a table: a method as it is set up.

    Attributes:
        method: Its key.
        parameters: As `canonical` writes them.
        input: The form of the pages it reads.
        said: The parameters as they were first written, in the method's own order.
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
        """The method's name, with a star where its parameters are not the published ones."""
        return star_name(method_name(self.method), self.changed)

    @property
    def changed(self) -> Mapping[str, object]:
        """The parameters that are not the published ones, by name."""
        return changed_of(self.method, self.values)

    @property
    def kind(self) -> OutputKind:
        return _kind(self.method)

    @property
    def keeps_everything(self) -> bool:
        """Whether it is the method that keeps all text, with its usual parameters."""
        if self.method != plain.METHOD.key:
            return False
        return self.parameters == canonical(json.dumps(plain.METHOD.params().as_dict()))

    @property
    def values(self) -> Mapping[str, object]:
        return values_of(self.said or self.parameters)


def method_name(key: str) -> str:
    """Return a method's name; its key where this Pagelet does not have it."""
    with suppress(InputError):
        return method(key).name
    return key


def changed_of(key: str, values: Mapping[str, object]) -> Mapping[str, object]:
    """Return those of a method's parameters that are not the published ones, by name."""
    with suppress(InputError):
        return changed_values(method(key).params, values)
    return {}


def star_name(name: str, changed: object) -> str:
    """Return the name of a method, with a star where its parameters are changed."""
    return f"{name} *" if changed else name


def setup_label(
    key: str, values: Mapping[str, object], sets: Sequence[Mapping[str, object]] = ()
) -> str:
    """Return a method's key with its parameters that are changed, or in which its sets differ.

    Args:
        key: Of the method.
        values: Its parameters, by name.
        sets: All the parameters that it was run with, these among them.
    """
    changed = changed_of(key, values)
    names = dict.fromkeys(name for each in sets for name in each)
    other = [name for name in names if any(each.get(name) != sets[0].get(name) for each in sets)]
    told = dict.fromkeys([*other, *changed])
    settings = (f"{name}={format_value(values[name])}" for name in told if name in values)
    return " ".join((star_name(key, changed), *settings))


def format_value(value: object) -> str:
    """Return a parameter's value as one types it."""
    return value if isinstance(value, str) else json.dumps(value)


@lru_cache(maxsize=512)
def _kind(key: str) -> OutputKind:
    try:
        return "segmentation" if method(key).output == "segmentation" else "extraction"
    except InputError:
        return "extraction"
