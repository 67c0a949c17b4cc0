"""Data sets as cases: pages with their gold, from all layouts with gold.

A case is one page in one form, and where its gold is.  Cases are cheap, nothing was read yet, and
travel to worker processes.
`annotate.datasets.readers` lists the layouts.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, cast, get_args

from annotate.datasets.case_files import PageFiles
from annotate.datasets.copied_pages import copies_in
from engine.document import Document
from engine.page import Input

Key = tuple[str, str, str]
"""Data set, page and input."""

TEXT, BLOCKS = "text", "blocks"
"""Kinds of gold."""

Variant = Literal["html", "original", "dom", "repaired"]
"""Which of a page's files: as saved, as received, the DOM, the DOM without its gold marks."""

VARIANTS: tuple[Variant, ...] = get_args(Variant)

DEFAULT_VARIANTS: tuple[Variant, ...] = ("html", "dom", "repaired")
FORMS: tuple[Input, ...] = get_args(Input)


@dataclass(frozen=True)
class Case:
    """Page in one form, with its gold."""

    key: Key
    files: PageFiles

    @property
    def input(self) -> str:
        """Form of the page that is read."""
        return self.key[2]


@dataclass(frozen=True)
class DataSet:
    """Pages with gold from one place.

    Attributes:
        name: For tables and folders.
        golds: Its kinds of gold.
        pages: In its own order; for each its name, and by input where it is.
        has_variants: Whether its inputs are separate files, and not forms of one.
        origin: Kreuzer's data set: random, popular; "" for none.
        complete: Number of pages of the whole data set, of which these may be a part.
        is_package: Whether it is a zip of formats.md#package.
        has_sites: Whether its pages are whole sites, for methods that read a page with its site.
        problems: A sentence for each thing in it that cannot be used.
    """

    name: str
    golds: frozenset[str]
    pages: Sequence[tuple[str, Mapping[str, PageFiles]]]
    has_variants: bool = False
    origin: str = ""
    complete: int = 0
    is_package: bool = False
    has_sites: bool = False
    problems: tuple[str, ...] = field(default=())

    @property
    def sites(self) -> dict[str, str]:
        """The site each page is of, by the page's name; empty unless its pages are whole sites."""
        if not self.has_sites:
            return {}
        return {name: next(iter(files.values())).site_name for name, files in self.pages}

    @cached_property
    def copies(self) -> dict[str, str]:
        """Name of each copy of an earlier page → name of that page."""
        return copies_in((name, next(iter(files.values()))) for name, files in self.pages)

    @property
    def inputs(self) -> tuple[str, ...]:
        """Forms or variants of its pages that can be read."""
        return VARIANTS if self.has_variants else FORMS

    def cases(self, inputs: Sequence[str]) -> Iterator[Case]:
        """Yield each page in each of these inputs that it has."""
        for name, files in self.pages:
            for chosen in inputs:
                variant = chosen if self.has_variants else ""
                if variant in files:
                    yield Case((self.name, name, chosen), files[variant])


def page_name(document: Document) -> str:
    """Return what a page is called in tables: its path in its folder, else its name."""
    return document.path if document.path and document.root is not None else document.name


def page_names(documents: Sequence[Document]) -> tuple[str, ...]:
    """Return distinct names of pages.

    Pages of one name, as ``index.html`` of several folders, are distinguished by as few of the
    folders above as possible; remaining duplicates get a number.
    """
    names = [page_name(document) for document in documents]
    alike: dict[str, list[int]] = defaultdict(list)
    for index, name in enumerate(names):
        alike[name].append(index)
    for indices in alike.values():
        paths = [_steps(documents[index]) for index in indices]
        most = max(map(len, paths)) if len(indices) > 1 else 0
        for depth in range(1, most + 1):
            longer = ["/".join(path[-depth:]) for path in paths]
            if len(set(longer)) == len(longer) or depth == most:
                for index, name in zip(indices, longer, strict=True):
                    names[index] = name or names[index]
                break
    return tuple(_numbered(names))


def _steps(document: Document) -> list[str]:
    """Return the folders and the name of where a page lies, or the parts of its address."""
    where = document.full_path if document.root is not None else document.address
    return [step for step in re.split(r"[/\\]", where.split("://", 1)[-1]) if step]


def _numbered(names: Iterable[str]) -> Iterator[str]:
    """Yield the names; a repeated name gets a number."""
    used: set[str] = set()
    for name in names:
        number, own = 1, name
        while own in used:
            number += 1
            own = f"{name} ({number})"
        used.add(own)
        yield own


def distinct(
    pages: Iterable[tuple[str, Mapping[str, PageFiles]]],
) -> tuple[tuple[str, Mapping[str, PageFiles]], ...]:
    """Return the pages under distinct names: a repeated name gets a number."""
    listed = list(pages)
    names = _numbered(name for name, _ in listed)
    return tuple((name, files) for name, (_, files) in zip(names, listed, strict=True))


def form_of(case_input: str, output: str, inputs: Sequence[Input], *, is_variant: bool) -> Input:
    """Return what a method of this output reads of a page in this input.

    A variant is a separate document: extractors read its HTML, segmenters its rendering.  Else
    the input tells it, except that segmenters use ``dom`` for the rendering as well.
    """
    if is_variant:
        return inputs[0]
    if output == "segmentation" and case_input == "dom":
        return "rendered"
    return cast(Input, case_input)
