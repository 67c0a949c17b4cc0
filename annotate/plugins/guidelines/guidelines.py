"""What data sets take as content: their guidelines side by side, and what their gold keeps.

A guideline is a text, where gold names one; what gold does is in the gold.  Each block of a page is
of one sort (caption, comment, cell of a table, …), by the elements around it and their classes and
ids, and gold has a share of its words (`gleaner.labels.shares`: longest common subsequence, then
whole blocks elsewhere).  The share of a sort on a page is that of all its words, and pages count
equally, so that long pages do not dominate.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from algorithms.extraction.gleaner.block_columns import measure_columns
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.plugins.training.gleaner_pages import shares
from annotate.datasets.case_files import PageFiles
from annotate.library.page_cases import Cases, PageCase
from annotate.marks.guideline import Guideline, read
from annotate.workspace.stored_guideline import of_workspace
from annotate.workspace.workspace import Workspace
from engine.errors import PageletError
from engine.runs import mark_covered
from engine.source import Source
from engine.tree import Bools, Longs

FEWEST_WORDS = 5
"""Least number of words of a sort for a page to count for that sort."""

_NAMED = {
    "comments": "comment comments replies disqus",
    "by-lines": "byline author dateline published posted",
    "captions": "caption captions",
    "teasers": "related teaser teasers recommended recommendations promo more-stories",
    "advertisements": "advert advertisement sponsored adsbygoogle",
}
"""Words of classes and ids: runs of letters, digits and single hyphens."""

_TAGS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("navigation", ("nav", "menu")),
    ("footers", ("footer",)),
    ("captions", ("figcaption", "caption")),
    ("code", ("pre",)),
    ("titles", ("h1",)),
    ("headings", ("h2", "h3", "h4", "h5", "h6")),
    ("tables", ("table",)),
    ("quotes", ("blockquote",)),
    ("forms", ("form", "select", "button", "textarea", "label")),
    ("asides", ("aside",)),
    ("lists", ("li", "dd", "dt")),
    ("paragraphs", ("p",)),
)
"""Sorts by element, the first that fits."""

SORTS = (*dict.fromkeys((*_NAMED, "grids", *(name for name, _ in _TAGS), "other text")),)
_AROUND_GRIDS = ("navigation", "footers", "asides")
_FEWEST_ENTRIES, _MOST_IN_ENTRY = 4, 60
_SORT_OF = {word: sort for sort, words in _NAMED.items() for word in words.split()}
_NAMES = re.compile(r"""\b(?:class|id)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True)
class GoldShare:
    """Share of one sort of text in gold.

    Attributes:
        share: Of the words, mean over pages.
        pages: Number of pages with enough of it.
    """

    share: float
    pages: int


@dataclass(frozen=True)
class DataGuideline:
    """Guideline of one data set, as its gold shows it.

    Attributes:
        name: The data set's.
        named: The guidelines that its gold names.
        text: The guideline itself, where it is stored with the gold; None else.
        pages: Pages with gold text.
        by_type: By type of page and sort of text what gold has; type "" is all pages.
    """

    name: str
    named: tuple[str, ...]
    text: Guideline | None
    pages: int
    by_type: Mapping[str, Mapping[str, GoldShare]]


def guideline_of(name: str, path: Path, cases: Cases, say: Callable[[int], None]) -> DataGuideline:
    """Read a data set; ``say`` gets the number of pages read.  A marked page is rendered."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    named: dict[str, None] = {}
    count = 0
    for number, case in enumerate(cases, start=1):
        read_now = _page(case)
        say(number)
        if read_now is None:
            continue
        count += 1
        files, of_page = read_now
        if (ref := files.guideline()) is not None:
            named[str(ref)] = None
        for sort, share in of_page.items():
            for kind in {"", files.page_type()}:
                found[kind][sort].append(share)
    by_type = {
        kind: {s: GoldShare(float(np.mean(by[s])), len(by[s])) for s in SORTS if s in by}
        for kind, by in sorted(found.items())
    }
    return DataGuideline(name, tuple(named), stored_text(path), count, by_type)


def _page(case: PageCase) -> tuple[PageFiles, Mapping[str, float]] | None:
    try:
        gold = case.gold.text
        if not gold:
            return None
        source = case.page.source.source("original")
        return next(iter(case.files.values())), shares_of_page(source, gold)
    except PageletError:  # a page that cannot be read does not count
        return None


def shares_of_page(source: Source, gold: str) -> Mapping[str, float]:
    """Return by sort of text which share of its words gold has, where there are enough."""
    runs = text_runs(source)
    sorts, words = sorts_of(source), runs.words.astype(np.float64)
    had = shares(runs, gold) * words
    result = {}
    for number, sort in enumerate(SORTS):
        total = float(words[sorts == number].sum())
        if total >= FEWEST_WORDS:
            result[sort] = float(had[sorts == number].sum()) / total
    return result


def sorts_of(source: Source) -> Longs:
    """Return the number in `SORTS` of each block of text, int64 (b,)."""
    tree, rows = source.tree, text_runs(source).row
    result = np.full(len(rows), SORTS.index("other text"), dtype=np.int64)
    for sort, tags in reversed(_TAGS):
        result[tree.within(*tags)[rows]] = SORTS.index(sort)
    is_around = np.isin(result, [SORTS.index(sort) for sort in _AROUND_GRIDS])
    result[_in_grids(source) & ~is_around] = SORTS.index("grids")
    for sort, inside in reversed([*_within_names(source)]):
        result[inside[rows]] = SORTS.index(sort)
    return result


def _in_grids(source: Source) -> Bools:
    """Return which blocks lie in a grid of teasers or products, bool (b,).

    That is four and more siblings of one tag and class, of two blocks and more each, in the mean of
    at most `_MOST_IN_ENTRY` words, of which half and more have a price or a heading.
    """
    columns = measure_columns(source)
    if not columns:
        return np.zeros(0, dtype=bool)
    names = ("number", "blocks", "mean", "prices", "headings")
    record = {name: columns[f"record.{name}"] for name in names}
    return np.asarray(
        (record["number"] >= np.log1p(_FEWEST_ENTRIES) - 1e-6)
        & (record["blocks"] >= 2)
        & (record["mean"] <= np.log1p(_MOST_IN_ENTRY))
        & ((record["prices"] >= 0.5) | (record["headings"] >= 0.5))
    )


def _within_names(source: Source) -> Iterator[tuple[str, Bools]]:
    """Yield the sorts that classes and ids name, with the rows that lie in such elements."""
    tree, tokens = source.tree, source.tokens
    named: dict[str, list[int]] = defaultdict(list)
    for row in np.flatnonzero(~tree.is_text & (tree.token >= 0)).tolist():
        token = int(tree.token[row])
        tag = source.html[int(tokens.start[token]) : int(tokens.end[token])]
        if tree.name_of(row) in ("html", "body"):
            continue  # they name the page
        for match in _NAMES.finditer(tag):
            for word in _WORD.findall("".join(filter(None, match.groups())).lower()):
                for part in (word, *word.split("-")):
                    if part in _SORT_OF:
                        named[_SORT_OF[part]].append(row)
    for sort in _NAMED:
        rows = np.array(named.get(sort, ()), dtype=np.int64)
        yield sort, mark_covered(rows, tree.end[rows].astype(np.int64), len(tree))


def stored_text(path: Path) -> Guideline | None:
    """Return the guideline that is stored with gold: in a workspace, or ``guideline.md``."""
    beside = path / "guideline.md"
    try:
        if path.suffix == ".pagelet" and path.is_file():
            with Workspace.reading(path) as workspace:
                return of_workspace(workspace)
        return read(beside) if beside.is_file() else None
    except PageletError:
        return None


# Tables ------------------------------------------------------------------------------------


def share_lines(every: Sequence[DataGuideline], kind: str = "") -> list[list[str]]:
    """Return a table of what gold has of each sort of text, in percent, with the pages of it."""
    own = {each.name: each.by_type[kind] for each in every if kind in each.by_type}
    rows = [
        [sort, *(_cell(by.get(sort)) for by in own.values())]
        for sort in SORTS
        if any(sort in by for by in own.values())
    ]
    return [["gold has of", *own], *rows] if rows else []


def _cell(share: GoldShare | None) -> str:
    return "-" if share is None else f"{100 * share.share:.0f} % of {share.pages}"


def text_lines(every: Sequence[DataGuideline]) -> list[list[str]]:
    """Return a table of the parts of stored guidelines that are not the same in all of them."""
    texts = [(each.name, each.text) for each in every if each.text is not None]
    if len(texts) < 2:
        return []
    titles = dict.fromkeys(page.title for _, text in texts for page in text.pages)
    rows = []
    for title in titles:
        own = [text.page(title) for _, text in texts]
        if len({None if page is None else page.text.strip() for page in own}) > 1:
            rows.append([title, *("-" if page is None else page.sentence for page in own)])
    head = ["guideline", *(name for name, _ in texts)]
    return [head, *rows] if rows else []


def as_json(each: DataGuideline) -> dict[str, object]:
    """Return it ready for JSON."""
    return {
        "data": each.name,
        "guidelines": list(each.named),
        "text": None if each.text is None else {p.title: p.text for p in each.text.pages},
        "pages": each.pages,
        "gold_has": {
            kind: {sort: vars(share) for sort, share in by.items()}
            for kind, by in each.by_type.items()
        },
    }
