"""Audit of the gold of data sets, with a list of probable errors."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from algorithms.extraction.gleaner.block_columns import path_groups
from algorithms.extraction.gleaner.gleaner_model import model_of
from algorithms.extraction.gleaner.text_runs import hash_word, text_runs
from algorithms.levels import Level
from algorithms.plugins.audit.audit import Contradiction, Evidence, evidence, findings
from algorithms.plugins.audit.crowd import Crowd, crowd_of
from algorithms.plugins.audit.gold_anywhere import repeats_gold, with_blocks_anywhere
from algorithms.plugins.audit.gold_text import (
    EMPTY,
    HALF,
    NOT_ON_PAGE,
    OTHER_GOLD,
    OTHER_PASSAGE,
    Flaw,
    flaws,
    index_of,
    origin_of,
    sketch,
)
from algorithms.plugins.audit.out_of_fold import expected_out_of_fold
from algorithms.plugins.training.gleaner_pages import TrainingPage, shares, training_page
from algorithms.triage.prediction import committee
from annotate.datasets.case_files import PageFiles, WorkspaceFiles
from annotate.datasets.cases import DataSet
from annotate.evaluation.tables.summaries import aligned_before
from annotate.workspace.workspace import Workspace, page_key
from engine.csv_cells import write_csv
from engine.errors import PageletError
from engine.page import Page
from engine.source import Source
from engine.tree import Bools, Doubles, Longs
from engine.web.worker_browser import LateBrowser
from engine.words import plural

_EXCERPT = 80
_MIDDLE = 8
"""Words of a part that weighs half of what the longest would."""

_COLUMNS = ("order", "dataset", "page", "finding", "suspicion", "words", "reason", "start", "end",
            "element", "text")  # fmt: skip


@dataclass(frozen=True)
class AuditedPart:
    """Part of a page, or a block, whose gold is contradicted; or gold that is wrong in itself.

    Attributes:
        dataset, page: Data set and page.
        finding: Finding with reasons; of a block, its first and last are rows.
        span: Start and end in code points of the page's HTML; None for a block, and for text that
            is not on the page.
        text: Its text, on the page or in gold.
        flaw: Error in the gold text itself; None where the page contradicts it.
        element: The path of a block's element; "" for text.
        suggested: The type a block probably has; "" if its being a block is contradicted.
        type, level: Its marked type and level; "" and 0 unless its type is contradicted.
    """

    dataset: str
    page: str
    finding: Contradiction
    span: tuple[int, int] | None
    text: str
    flaw: Flaw | None = field(default=None, compare=False)
    element: str = ""
    suggested: str = ""
    type: str = ""
    level: Level = 0

    @property
    def is_block(self) -> bool:
        return bool(self.element)

    @property
    def says(self) -> str:
        """Description of the error."""
        is_marked = self.finding.is_marked
        if self.flaw is not None:
            return self.flaw.says
        if self.suggested:
            return f"probably of type {self.suggested}"
        if self.is_block:
            return "probably no block" if is_marked else "probably a missing block"
        return "probably too much" if is_marked else "probably missing"

    @property
    def item(self) -> str:
        """Identifier, stable as long as page and gold are the same."""
        if self.flaw is not None:
            return f"gold {hash_word(self.text)} {self.finding.words}"
        if self.suggested:
            return f"type {self.level} {self.type} {self.suggested} {self.element}"
        sign = "+" if self.finding.is_marked else "-"
        if self.is_block:
            return f"block {sign}{self.element}"
        first, last = self.span or (0, 0)
        return f"{sign}{first}-{last}-{len(self.text)}"

    @property
    def weight(self) -> float:
        """Rank of the part, higher for more certain and, of text, longer parts.

        Errors in the text of gold itself are certain, and count a little more; so do whole lists,
        rare in correct gold.
        """
        if self.is_block:
            return self.finding.suspicion
        is_sure = self.flaw is not None or self.finding.is_list
        certain, words = 1.15 if is_sure else 1.0, self.finding.words
        return certain * self.finding.suspicion**3 * words / (words + _MIDDLE)


@dataclass(frozen=True, eq=False)
class ReadPage:
    """A page with gold text, b blocks.

    Attributes:
        dataset, name: Data set and page.
        gold: float64 (b,). Which share of each block gold has.
        chance: float64 (b,). Which share of each is expected.
        votes: float64 (b,). Share of the native methods that keep most of it.
        kinds: int64 (b,). Blocks of one path of tags and classes have one number.
        words: int64 (b,). How many each has.
        spans: int64 (b, 2). Where it is, in code points of the page's HTML.
        texts: Their text.
        elsewhere: bool (b,). What gold has of another place of the page: such as the first
            sentences of a post above it, or quoted below.  Gold has it, but has no mark on it.
        flaws: Errors in the gold text itself.
        sketch: What passages of it are known by on other pages; see `gold_text.sketch`.
        others: Other annotator → share of each block, as ``gold``.
        crowd: How far the annotators are to be trusted, and their names in its order; None where
            there is one alone.
    """

    dataset: str
    name: str
    gold: Doubles
    chance: Doubles
    votes: Doubles
    kinds: Longs
    words: Longs
    spans: Longs
    texts: tuple[str, ...]
    elsewhere: Bools
    flaws: tuple[Flaw, ...] = ()
    sketch: Longs = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    others: Mapping[str, Doubles] = field(default_factory=dict)
    crowd: tuple[Crowd, tuple[str, ...]] | None = None

    @property
    def evidence(self) -> Evidence:
        known = evidence(self.gold, self.chance, self.votes, self.kinds)
        if self.crowd is None or not self.others:
            return known
        crowd, names = self.crowd
        others = self.others
        marked = tuple(others[name] > 0.5 if name in others else None for name in names)
        return replace(known, others=marked, crowd=crowd)

    @property
    def parts(self) -> list[AuditedPart]:
        """Contradicted parts, in the order of the page; then parts of faulty gold."""
        flaws = [self._flawed(each) for each in self.flaws]
        if any(each.is_whole for each in self.flaws):
            return flaws  # findings on its parts follow from that
        words = np.where(self.elsewhere, 0, self.words)  # neither missing nor too much
        for each in self.flaws:
            if each.block >= 0:
                words[each.block] = 0  # reported once
        return flaws + [
            AuditedPart(
                self.dataset,
                self.name,
                each,
                (int(self.spans[each.first, 0]), int(self.spans[each.last - 1, 1])),
                " ".join(self.texts[each.first : each.last]),
            )
            for each in findings(self.gold, self.evidence, words)
        ]

    def _flawed(self, flaw: Flaw) -> AuditedPart:
        block, is_marked = flaw.block, flaw.says not in (EMPTY, HALF)
        span = (int(self.spans[block, 0]), int(self.spans[block, 1])) if block >= 0 else None
        finding = Contradiction(
            block, block + 1, is_marked, flaw.suspicion, flaw.words, flaw.reasons
        )
        return AuditedPart(self.dataset, self.name, finding, span, flaw.text, flaw)


@dataclass(frozen=True)
class GoldTexts:
    """A source with the gold text of it; and others', by the names of their annotators.

    ``shown`` is what a browser shows of the page, where it was rendered for its gold.
    """

    source: Source
    text: str
    others: Mapping[str, str] = field(default_factory=dict)
    shown: str = ""


def read_page(dataset: str, name: str, gold: GoldTexts, model: str = "") -> ReadPage:
    """Read a page with its gold; ``model`` is a file of ``pagelet train gleaner``, "" Pagelet's."""
    source = gold.source
    runs, spans = text_runs(source), source.tokens.spans
    chance = votes = np.zeros(0)
    where = np.zeros((0, 2), dtype=np.int64)
    if len(runs):
        others = committee(source)
        votes = np.mean([share > 0.5 for key, share in others.items() if key != "gleaner"], axis=0)
        chance = model_of(model).predict(source).chance
        where = np.stack((spans[runs.first, 0], spans[runs.last - 1, 1]), axis=1)
    kinds = path_groups(source)["classes"]

    def marked(text: str) -> tuple[Doubles, Bools]:
        aligned = shares(runs, text)
        result = with_blocks_anywhere(aligned, runs, text)
        return result, repeats_gold(aligned, runs) & (result >= 0.5)

    own, elsewhere = marked(gold.text)
    return ReadPage(
        dataset, name, own, chance, votes, kinds, runs.words, where, runs.texts, elsewhere,
        flaws(runs, gold.text, chance, gold.shown), sketch(runs),
        {who: marked(text)[0] for who, text in gold.others.items()},
    )  # fmt: skip


def audit(
    datasets: Sequence[DataSet],
    browser: LateBrowser,
    say: Callable[[str], None],
    *,
    model: str = "",
    folds: int = 0,
    threads: int = 1,
) -> tuple[tuple[AuditedPart, ...], int]:
    """Return the parts of all pages with gold text, most suspicious first, and how many pages.

    Args:
        datasets: Data sets of the gold.
        browser: Renders a page, where its gold are marks.
        say: Called for pages that cannot be read, and for training.
        model: As `read_page` takes it.
        folds: Where it is not 0, gleaner learns from these pages themselves, in so many folds by
            site: what it expects of a page it learned from others.
        threads: That learn.
    """
    pages: list[ReadPage] = []
    learning: list[TrainingPage] = []
    for dataset in datasets:
        for name, files, gold in pages_with_gold(dataset, browser, say):
            pages.append(read_page(dataset.name, name, gold, model))
            if folds:
                learning.append(learning_page(name, files, gold))
    if folds:
        chances = expected_out_of_fold(learning, folds, threads=threads, say=say)
        pages = [replace(page, chance=own) for page, own in zip(pages, chances, strict=True)]
    return list_parts(with_crowd(pages)), len(pages)


def list_parts(pages: Sequence[ReadPage]) -> tuple[AuditedPart, ...]:
    """Return the parts of all pages, most suspicious first."""
    parts = [part for page in pages for part in page.parts]
    return tuple(order_parts(with_origins(parts, {page.name: page.sketch for page in pages})))


def order_parts(parts: Sequence[AuditedPart]) -> list[AuditedPart]:
    """Return parts by weight, the n-th of a page by its weight over the root of n.

    So a page whose gold is wrong in many places does not hide the others.
    """
    count: Counter[str] = Counter()

    def rank(part: AuditedPart) -> float:
        count[part.page] += 1
        return float(-part.weight / count[part.page] ** 0.5)

    return sorted(sorted(parts, key=lambda each: -each.weight), key=rank)


def with_origins(parts: Sequence[AuditedPart], sketches: Mapping[str, Longs]) -> list[AuditedPart]:
    """Return parts, with the page that has gold text which is missing on its own page.

    Args:
        parts: Of all pages; those without gold text stay as they are.
        sketches: Of each page, by its name.
    """
    names = list(sketches)
    index = index_of(list(sketches.values()))
    result = []
    for part in parts:
        flaw, found = part.flaw, -1
        if flaw is not None and flaw.says == NOT_ON_PAGE:
            own = names.index(part.page) if part.page in names else len(names)
            found = origin_of(flaw.codes, index, own)
        if flaw is not None and found >= 0:
            reasons = (*part.finding.reasons, f"it stands on {names[found]}")
            says = OTHER_GOLD if flaw.is_whole else OTHER_PASSAGE
            finding = replace(part.finding, suspicion=1.0, reasons=reasons)
            part = replace(part, finding=finding, flaw=replace(flaw, says=says, suspicion=1.0))
        result.append(part)
    return result


def pages_with_gold(
    dataset: DataSet, browser: LateBrowser, say: Callable[[str], None]
) -> Iterator[tuple[str, PageFiles, GoldTexts]]:
    """Yield name, files and gold texts of each page with gold; failures are reported."""
    for name, variants in dataset.pages:
        files = next(iter(variants.values()))
        try:
            gold = gold_texts(files, browser, _of_page(say, name))
        except PageletError as error:
            say(f"{name}: {error}")
            continue
        if gold is not None:
            yield name, files, gold


def _of_page(say: Callable[[str], None], name: str) -> Callable[[str], None]:
    return lambda line: say(f"{name}: {line}")


def learning_page(name: str, files: PageFiles, gold: GoldTexts) -> TrainingPage:
    """Return a page as gleaner learns from it."""
    site, kind = files.host() or files.site_name, files.page_type()
    return training_page(gold.source, gold.text, name=name, site=site, type=kind)


def with_crowd(pages: Sequence[ReadPage]) -> list[ReadPage]:
    """Return pages that know how far their annotators are to be trusted, learned from all."""
    names = tuple(dict.fromkeys(name for page in pages for name in page.others))
    shared = [page for page in pages if page.others and page.gold.size]
    if not shared:
        return list(pages)
    marked = [np.concatenate([page.gold for page in shared]) > 0.5]
    seen = [np.ones(marked[0].size, dtype=bool)]
    for name in names:
        none = (np.zeros(page.gold.size) for page in shared)
        golds = [page.others.get(name, other) for page, other in zip(shared, none, strict=True)]
        marked.append(np.concatenate(golds) > 0.5)
        seen.append(np.repeat([name in p.others for p in shared], [p.gold.size for p in shared]))
    expected = np.concatenate([page.evidence.expected for page in shared])
    crowd = crowd_of(expected, np.array(marked), np.array(seen))
    others = replace(crowd, annotators=crowd.annotators[1:])
    return [replace(page, crowd=(others, names)) for page in pages]


def gold_texts(
    files: PageFiles, browser: LateBrowser, say: Callable[[str], None] = lambda _: None
) -> GoldTexts | None:
    """Return the gold texts of a page; None if it has no own ones.

    ``say`` is called for excluded gold.  Raises `PageletError`.
    """
    rendered: list[Page] = []

    def render() -> Page:
        if not rendered:
            rendered.append(files.laid_out(browser.capture(files.document())))
        return rendered[0]

    text = files.text(render)
    for problem in files.problems(render) if rendered else ():
        say(problem)
    if text is None:
        return None
    source = Source.of(files.document().receive())
    others = _others(files, render()) if isinstance(files, WorkspaceFiles) else {}
    dom = rendered[0].dom if rendered else None
    return GoldTexts(source, text, others, "" if dom is None else dom.text)


def _others(files: WorkspaceFiles, page: Page) -> dict[str, str]:
    """Return the gold texts of a workspace's other annotators on a page."""
    with Workspace.reading(files.workspace) as workspace:
        golds = workspace.golds(page_key(files.source), page.rendered())
        me = files.annotator or workspace.annotator.name
    texts = {who.shown: gold.as_results(page).text for who, gold in golds.items() if who.name != me}
    return {name: each.text for name, each in texts.items() if each is not None}


def rows_of(parts: Sequence[AuditedPart]) -> Iterator[Mapping[str, object]]:
    """Yield a row for each part, the most suspicious first."""
    for order, part in enumerate(parts, 1):
        finding, span = part.finding, part.span
        position = (None, None, part.element) if span is None else (*span, "")
        row = (order, part.dataset, part.page, part.says, round(finding.suspicion, 4),
               finding.words, "; ".join(finding.reasons), *position, part.text)  # fmt: skip
        yield dict(zip(_COLUMNS, row, strict=True))


def write_parts(path: Path, parts: Sequence[AuditedPart]) -> None:
    """Write the rows as CSV; raises `InputError`."""
    write_csv(path, _COLUMNS, (row.values() for row in rows_of(parts)))


def table_of(parts: Sequence[AuditedPart], pages: int, most: int) -> str:
    """Return the first parts as a table for the reader."""
    if not parts:
        return f"Nothing in the gold of {plural(pages, 'page')} is contradicted"
    lines, why = [["page", "gold", "words", "suspicion"]], ["why"]
    for part in parts[:most]:
        text = part.text if len(part.text) <= _EXCERPT else f"{part.text[:_EXCERPT]}…"
        number = f"{part.finding.suspicion:.2f}"
        lines.append([part.page, part.says, str(part.finding.words), number])
        why.append(f"{'; '.join(part.finding.reasons)}: {text}")
    title = f"Check these first, of {plural(len(parts), 'part')} of {plural(pages, 'page')}:"
    return f"{title}\n{aligned_before(lines, why)}"
