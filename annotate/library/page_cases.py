"""Data sets as sequences of cases: pages with their gold."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import overload

from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import DEFAULT_VARIANTS, VARIANTS, DataSet, Variant
from annotate.datasets.readers import read_dataset
from annotate.evaluation.report.markup import table_html
from annotate.library.pages import OpenPage, PageGold
from engine.errors import InputError
from engine.words import plural, told_apart


@dataclass(frozen=True, eq=False)
class PageCase:
    """A page with its gold.

    Attributes:
        whole: The data set it is of.
        name: Its own.
        files: By input, "" where the data set has one file a page, where it and its gold are.
    """

    whole: DataSet
    name: str
    files: Mapping[str, PageFiles]

    @property
    def dataset(self) -> str:
        """The name of its data set."""
        return self.whole.name

    def alone(self) -> "Cases":
        """Return it as a sequence of one."""
        return Cases((replace(self.whole, pages=((self.name, self.files),)),))

    @property
    def page(self) -> OpenPage:
        """The page; of several variants the first."""
        first = next(iter(self.files.values()))
        return OpenPage(first.document(), first)

    @property
    def gold(self) -> PageGold:
        """Gold of the page."""
        return PageGold(self.page)

    def __repr__(self) -> str:
        return f"<case {self.dataset} {self.name}>"


@dataclass(frozen=True, eq=False)
class Cases(Sequence[PageCase]):
    """Pages with gold, of one data set or several; slices and filters are such sequences too.

    Attributes:
        datasets: The data sets.
    """

    datasets: tuple[DataSet, ...]

    def __len__(self) -> int:
        return sum(len(dataset.pages) for dataset in self.datasets)

    def __iter__(self) -> Iterator[PageCase]:
        for dataset in self.datasets:
            for name, files in dataset.pages:
                yield PageCase(dataset, name, files)

    @overload
    def __getitem__(self, at: int | str) -> PageCase: ...
    @overload
    def __getitem__(self, at: slice) -> "Cases": ...
    def __getitem__(self, at: int | str | slice) -> "PageCase | Cases":
        """Return a case by its place or name, or some of them."""
        if isinstance(at, str):
            result = next((case for case in self if case.name == at), None)
            if result is None:
                raise KeyError(at)
            return result
        numbers = range(len(self))[at]
        if isinstance(numbers, int):
            return next(islice(self, numbers, None))
        return self._only(case for number, case in enumerate(self) if number in numbers)

    def filter(self, test: Callable[[PageCase], bool]) -> "Cases":
        """Return the cases that pass a test, in their order."""
        return self._only(filter(test, self))

    @property
    def problems(self) -> tuple[str, ...]:
        """A sentence for each thing that cannot be used."""
        return tuple(f"{d.name}: {problem}" for d in self.datasets for problem in d.problems)

    def _only(self, cases: Iterable[PageCase]) -> "Cases":
        names = {(case.dataset, case.name) for case in cases}
        chosen = (
            replace(d, pages=tuple(page for page in d.pages if (d.name, page[0]) in names))
            for d in self.datasets
        )
        return Cases(tuple(dataset for dataset in chosen if dataset.pages))

    def __repr__(self) -> str:
        names = ", ".join(f"{d.name} ({len(d.pages)})" for d in self.datasets)
        return f"<cases {names}>"

    def _repr_html_(self) -> str:
        lines = [[case.dataset, case.name] for case in list(self)[:10]]
        more = plural(len(self), "case") if len(self) > 10 else ""
        return table_html(["data set", "page"], lines, more)


def dataset(*paths: str | Path, variants: Sequence[Variant] = DEFAULT_VARIANTS) -> Cases:
    """Return the cases of data sets in any layout that Pagelet reads.

    Args:
        paths: Files or folders.
        variants: Of pages in Kreuzer's layout which of their files.

    Raises:
        InputError: There is none, in one sentence.

    >>> import pagelet
    >>> cases = pagelet.dataset(pagelet.samples())
    >>> len(cases[:3])
    3
    """
    if not paths:
        raise InputError("name a data set: a file or folder")
    known = tuple(variant for variant in VARIANTS if variant in variants)
    return Cases(tuple(read_dataset(str(path), known) for path in paths))


def data_names(paths: Sequence[str | Path]) -> list[str]:
    """Return a name of each data set: its own, with folders above it where others have that, too.

    One that comes twice is numbered: scores go by these names, and no two are to be averaged.
    """
    names = told_apart([Path(path).expanduser().resolve().parts for path in paths])
    return [
        name if name not in names[:k] else f"{name} ({names[:k].count(name) + 1})"
        for k, name in enumerate(names)
    ]
