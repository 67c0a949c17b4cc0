"""Models from pages with gold, of every data set and workspace Pagelet reads."""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from algorithms.extraction.gleaner.gleaner import text_of
from algorithms.learning.seen import CARD_KEY, for_card
from algorithms.plugins.training import block_fit as blocks
from algorithms.plugins.training import gleaner_fit as gleaner
from algorithms.plugins.training.block_fit import BlockPage, block_page
from algorithms.plugins.training.gleaner_pages import TrainingPage, own_host, training_page
from annotate.datasets.case_files import MarkedFiles, PageFiles
from annotate.datasets.cases import Variant
from annotate.library.page_cases import Cases, PageCase, data_names, dataset
from annotate.library.pages import OpenPage, PageGold
from annotate.marks.gold import MAIN
from engine.bounded_file import atomic_write
from engine.errors import InputError, PageletError
from engine.source import Source

_LINK = re.compile(r"""<a\b[^>]*?\bhref\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
_CLASS = re.compile(r"""\bclass\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)

ALIKE = 0.5
"""Pages that share so much of their classes, or of their links, by Jaccard, are of one site."""

FEWEST = 5
"""Of fewer classes or links nothing follows."""


class PageSites:
    """Names the site of one page after another; pages that come later join those before.

    A page is of the host that it gives as its own; else of the host that most of its links with a
    host lead to; else of the site of a page with like classes or links, as one navigation gives
    them to all pages of a site.  Two sites of one generator may so count as one: scores on sites
    that a model has not seen are then rather too low than too high.
    """

    def __init__(self) -> None:
        self._known: list[tuple[str, frozenset[str], frozenset[str]]] = []

    def site_of(self, source: Source, name: str) -> str:
        """Return the site of a page; its own name where it is like no page before."""
        links = _LINK.findall(source.html)
        own = frozenset(link.partition("#")[0] for link in links) - {""}
        classes = frozenset(
            word for found in _CLASS.findall(source.html) for word in "".join(found).split()
        )
        alike = (
            site
            for site, its_links, its_classes in self._known
            if _are_alike(own, its_links) or _are_alike(classes, its_classes)
        )
        site = own_host(source) or _linked_host(links) or next(alike, name)
        self._known.append((site, own, classes))
        return site


def _linked_host(links: list[str]) -> str:
    """Return the host that more than half of the links with a host lead to; "" for none."""
    hosts = Counter(host for link in links if (host := _host(link)))
    if hosts.total() < FEWEST:
        return ""
    host, count = hosts.most_common(1)[0]
    return host if 2 * count > hosts.total() else ""


def _host(link: str) -> str:
    try:
        return (urlsplit(link).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    common = len(one & other)
    return common >= FEWEST and common >= ALIKE * len(one | other)


def training_pages(
    paths: Sequence[str | Path], problems: list[str], weights: Sequence[float] = ()
) -> Iterator[TrainingPage]:
    """Yield the pages that have gold text, one by one; a marked page is rendered for its gold.

    ``weights`` gives the weight of a page of each path: none is 1 for all.  ``problems`` gets what
    is wrong with a data set, as that its gold has several guidelines, and a sentence for each page
    that cannot be used.  Raises `InputError` for other files than data sets.
    """
    every = [dataset(path) for path in paths]  # report invalid ones before reading any
    for case, name, weight, sites in _cases(every, paths, problems, weights):
        files = next(iter(case.files.values()))
        try:
            page = _page(case, files, name, weight, sites)
            problems += _left_out(case, files)
        except PageletError as error:
            problems.append(f"{case.name}: {error}")
            continue
        if page is None:
            problems.append(f"{case.name} has no gold text")
        else:
            yield page


def _cases(
    every: Sequence[Cases],
    paths: Sequence[str | Path],
    problems: list[str],
    weights: Sequence[float],
) -> Iterator[tuple[PageCase, str, float, PageSites]]:
    """Yield each page of data sets with the name, the weight and the sites of its data set."""
    problems += [problem for cases in every for problem in cases.problems]
    names = data_names(paths)
    for name, cases, weight in zip(names, every, weights or [1.0] * len(every), strict=True):
        sites = PageSites()
        for case in cases:
            yield case, name, weight, sites


def check_names(pages: Sequence[TrainingPage]) -> None:
    """Raise `InputError` where two data sets have a page of the same name."""
    by_name = Counter(page.name for page in pages)
    for name in (name for name, count in by_name.items() if count > 1):
        raise InputError(f"two data sets have a page {name}: train on one of them")


def _left_out(case: PageCase, files: PageFiles) -> list[str]:
    """Return notes on the marks of a page that do not count, such as unconfirmed ones."""
    if not isinstance(files, MarkedFiles):
        return []
    return [f"{case.name}: {each}" for each in files.problems(lambda: case.page.rendered)]


def _guideline(files: PageFiles) -> str:
    ref = files.guideline()
    return "" if ref is None else str(ref)


def _page(
    case: PageCase, files: PageFiles, name: str, weight: float, sites: PageSites
) -> TrainingPage | None:
    gold = case.gold.text
    if gold is None:
        return None
    source = case.page.source.source("original")
    site = files.host() or files.site_name
    if not site and isinstance(files, MarkedFiles):
        site = _site_of(case, files, sites)
    return training_page(
        source, gold, name=case.name, site=site, type=files.page_type(), dataset=name,
        importance=weight, guideline=_guideline(files),
    )  # fmt: skip


def texts_out_of_fold(
    paths: Sequence[str | Path], scores: Mapping[str, gleaner.FitScores]
) -> dict[str, str]:
    """Return by page what models keep that have not learned from it nor from its site.

    Scored as texts of a method they can be compared with methods that have learned nothing.  No two
    pages may have one name (`check_names`).
    """
    return {
        case.name: text_of(case.page.source.source("original"), scores[name].kept[case.name])
        for path, name in zip(paths, data_names(paths), strict=True)
        if name in scores
        for case in dataset(path)
        if case.name in scores[name].kept
    }


FORMS: tuple[Variant, ...] = ("dom", "repaired")
"""Of pages that are published in several forms, those a segmenter learns from."""


def block_pages(
    paths: Sequence[str | Path], problems: list[str], weights: Sequence[float] = ()
) -> Iterator[BlockPage]:
    """Yield the pages that have gold blocks, rendered; each form of a page separately.

    Arguments and errors are those of `training_pages`.
    """
    every = [dataset(path, variants=FORMS) for path in paths]
    for case, name, weight, sites in _cases(every, paths, problems, weights):
        for form, files in case.files.items():
            try:
                page = _blocks(case, form, files, name, weight, sites)
                problems += _left_out(case, files)
            except PageletError as error:
                problems.append(f"{case.name}: {error}")
                continue
            if page is None:
                problems.append(f"{case.name} has no gold blocks")
                break
            yield page


def _blocks(
    case: PageCase, form: str, files: PageFiles, name: str, weight: float, sites: PageSites
) -> BlockPage | None:
    page = OpenPage(files.document(), files)
    gold = PageGold(page).block_gold
    if gold is None:
        return None
    site = files.host() or files.site_name or _site_of(case, files, sites)
    typed = [
        (mark.targets[0].row, mark.level, mark.type)
        for mark in files.marks(page.rendered).sure.marks
        if mark.type and mark.level != MAIN and len(mark.targets) == 1 and mark.targets[0].row >= 0
    ]
    return block_page(
        page.rendered.rendered(), gold.texts, name=case.name, site=site, form=form, dataset=name,
        importance=weight, typed=typed, guideline=_guideline(files),
        words=page.source.source("original").words,
    )  # fmt: skip


def _site_of(case: PageCase, files: PageFiles, sites: PageSites) -> str:
    """Return the site of a page whose data set gives none.

    Kreuzer's pages are in a folder for each site; pages marked in Pagelet can be anywhere.
    """
    folder, slash, _ = case.name.partition("/")
    if isinstance(files, MarkedFiles) or not slash:
        source = case.page.source.source("original")
        is_own = isinstance(files, MarkedFiles)
        return sites.site_of(source, case.name) if is_own else own_host(source) or case.name
    return folder


@dataclass(frozen=True)
class Learner:
    """A method that learns.

    Attributes:
        pages: Reads the pages of data sets; fills a list with a sentence for each it leaves out.
        train: Returns a model, which has ``data`` and ``card``, and its scores.
        rounds, folds: Defaults.
        limits: Limits for the card of any model.
    """

    pages: Callable[[Sequence[str], list[str], Sequence[float]], Iterator[Any]]
    train: Callable[..., tuple[Any, Any]]
    rounds: int
    folds: int
    limits: tuple[str, ...]


LEARNERS = {
    "gleaner": Learner(
        training_pages, gleaner.train, gleaner.ROUNDS, 5,
        (
            "It reads HTML, not the rendered page: what a script writes is not seen.",
            "Content is defined by the training gold.",
        ),
    ),
    "terrain-learned": Learner(
        block_pages, blocks.train, blocks.ROUNDS, blocks.FOLDS,
        (
            "Blocks and their size are defined by the training gold.",
            "It learned from pages as they are rendered here; other widths and fonts differ.",
        ),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Training:
    """Plan of a training.

    Attributes:
        learner: Key of a learned method.
        data: Data sets and workspaces.
        weights: Weight of a page of each.
        threads, folds, rounds: As ``pagelet train`` has them.
        guideline, licence: For the card.
    """

    learner: str
    data: tuple[str, ...]
    weights: tuple[float, ...]
    threads: int
    folds: int
    rounds: int
    guideline: str = ""
    licence: str = ""

    def read(self, problems: list[str], on_page: Callable[[int], None]) -> list[Any]:
        """Return the pages to learn from; ``on_page`` gets how many there are so far."""
        pages: list[Any] = []
        for page in LEARNERS[self.learner].pages(self.data, problems, self.weights):
            pages.append(page)
            on_page(len(pages))
        return pages

    def train(self, pages: Sequence[Any], say: Callable[[str], None]) -> tuple[Any, Any]:
        """Return a model of pages, with its card, and its cross-validated scores."""
        return LEARNERS[self.learner].train(
            pages, self._card(pages), threads=self.threads, parts=self.folds, rounds=self.rounds,
            say=say,
        )  # fmt: skip

    def _card(self, pages: Sequence[Any]) -> dict[str, object]:
        read = Counter(page.dataset for page in pages)
        made_by: dict[str, set[str]] = {}
        for page in pages:
            made_by.setdefault(page.dataset, set()).update({page.guideline} - {""})
        return {
            "name": self.learner,
            "data": [
                {"name": name, "pages": read[name], "weight": weight}
                | ({"guidelines": sorted(made_by[name])} if made_by.get(name) else {})
                for name, weight in zip(data_names(self.data), self.weights, strict=True)
            ],
            "guideline": self.guideline or ", ".join(sorted(set().union(*made_by.values()))),
            "licence": self.licence,
            "date": _today(),
            "pages": len(pages),
            "trees": self.rounds,
            "limits": list(LEARNERS[self.learner].limits),
            CARD_KEY: for_card(page.seen for page in pages),
        }


def write_model(model: Any, out: Path) -> Path:  # noqa: ANN401
    """Write a model, and its card beside it, both or none; return the card's file."""
    card = out.with_suffix(".card.json")
    with atomic_write(card) as new_card, atomic_write(out) as new_model:
        new_card.write_text(json.dumps(model.card, indent=1, ensure_ascii=False), encoding="utf-8")
        new_model.write_bytes(model.data)
    return card


def _today() -> str:
    """Return the day, or the one that ``SOURCE_DATE_EPOCH`` names, so that a file can recur."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    if not given.isdecimal():
        return datetime.now(UTC).date().isoformat()
    try:
        return datetime.fromtimestamp(int(given), UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        raise InputError(f"SOURCE_DATE_EPOCH must be seconds since 1970, got {given}") from None
