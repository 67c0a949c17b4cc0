"""Candidates for marks on a page, with the shipped models' scores and features.

Main content is offered by text, as predicted by `gleaner`; blocks by text run, as predicted by
`terrain-learned` (`algorithms.learning.blocks.candidates`), and parts without words, such as
pictures.

Each item has *clues*, hashes from the general to the particular: its structure on any site, then
its structure, position and text on its own site.
"""

from collections import Counter
from dataclasses import dataclass, replace
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from algorithms.extraction.gleaner.gleaner_model import Model, model_of
from algorithms.extraction.gleaner.text_runs import text_runs
from algorithms.learning.blocks.block_model import BlockModel, confidence
from algorithms.learning.blocks.block_model import model_of as block_model_of
from algorithms.learning.blocks.candidates import Candidates, letter_offsets, seen_on_page
from algorithms.learning.blocks.terrain_learned import picture_rows, shown_rows
from algorithms.levels import LEVELS, Level
from algorithms.results import keep_words
from algorithms.signals.block_types import Typist
from annotate.marks.gold import MAIN, Gold
from annotate.marks.page_text import page_text
from annotate.marks.style import page_style
from engine.nodes import NodeTable
from engine.page import Page
from engine.runs import mark_covered
from engine.tree import Bools, Doubles, Longs

MARKED: tuple[Level, ...] = (MAIN, *LEVELS)

_STEPS = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Shares at which main content is cut to know how much of a text is expected to be content."""

_PICTURE, _OTHER_PICTURE = 0.3, 0.1
"""Chances of a part without words, by whether terrain-learned takes it: it says no number."""

_MOST_ALIKE = 20
"""An item's number among those of its path counts up to so many."""

_Clues = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OfferedItems:
    """Candidates on one level, n items in document order.

    Attributes:
        rows: int64 (n,). The node to be marked.
        chance: float64 (n,). How probable the shipped model takes it to be that it is marked.
        clues: int64 (n, c). From the general to the particular; no number is in two columns but by
            chance.
        first, last: int64 (n,). The letters of the page it begins and ends at.
        parent: int64 (n,). The item around it, -1 for none.
    """

    rows: Longs
    chance: Doubles
    clues: _Clues
    first: Longs
    last: Longs
    parent: Longs

    def __len__(self) -> int:
        return int(self.rows.size)


@dataclass(frozen=True, eq=False)
class Offer:
    """Candidates on a page.

    Attributes:
        nodes: Its rows.
        items: By level.
        of_row: int64 (n,). The item of levels 1 and 2 for each row, -1 for none.
        typist: Suggests the type of a block.
        trust: Share of right ones, from the card of terrain-learned.
    """

    nodes: NodeTable
    items: dict[Level, OfferedItems]
    of_row: Longs
    typist: Typist
    trust: dict[str, list[int]]

    def type_of(self, row: int, level: Level) -> tuple[str, float]:
        """Return the type suggested for a block, "" for none, and how probable it is right."""
        kind = self.typist.suggest(row, level)[0]
        return kind, (confidence(self.trust, level, kind) or 0.0) if kind else 0.0

    def is_marked(self, gold: Gold, level: Level) -> Bools:
        """Return which items of a level are marked, bool (n,)."""
        items = self.items[level]
        result = np.zeros(len(items), dtype=bool)
        if level == MAIN:
            inside = np.zeros(len(self.nodes), dtype=bool)
            for target in (t for mark in gold.of_level(MAIN) for t in mark.targets):
                size = len(self.nodes.text[target.row].strip())
                if target.is_whole:
                    inside[target.row : int(self.nodes.end[target.row])] = True
                elif 2 * (target.end - target.start) >= size:
                    inside[target.row] = True
            return np.asarray(inside[items.rows])
        for mark in gold.of_level(level):
            if len(mark.targets) == 1 and (item := int(self.of_row[mark.targets[0].row])) >= 0:
                result[item] = True
        return result


@dataclass(frozen=True)
class Models:
    """The shipped models that drafts begin from."""

    main: Model
    blocks: BlockModel


def list_shipped() -> Models:
    """Return the models that ship with Pagelet."""
    return Models(model_of(""), block_model_of(""))


def offer(page: Page, site: str, models: Models) -> Offer:
    """Return what may be marked on a page of a site: some .1 to .5 s, most of it VIPS' votes."""
    nodes = page.rendered()
    predicted = models.blocks.predict(nodes)
    blocks, of_row = _blocks(nodes, predicted.stretches, site)
    words = len(predicted.stretches)
    pictures = set(picture_rows(nodes, predicted.stretches))
    bare = [_PICTURE if row in pictures else _OTHER_PICTURE for row in blocks.rows[words:].tolist()]
    inner = np.concatenate([predicted.chance * (1 - predicted.outer), bare])
    outer = np.concatenate([predicted.chance * predicted.outer, np.zeros(len(bare))])
    return Offer(
        nodes,
        {MAIN: _texts(page, site, models.main), 1: replace(blocks, chance=outer),
         2: replace(blocks, chance=inner)},
        of_row, Typist(seen_on_page(nodes)), models.blocks.card["types"],
    )  # fmt: skip


def _clue(*parts: object) -> int:
    """Return a number for some parts: the same in every process."""
    text = repr(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(text, digest_size=8).digest(), signed=True)


# blocks ---------------------------------------------------------------------------------------
def _blocks(nodes: NodeTable, stretches: Candidates, site: str) -> tuple[OfferedItems, Longs]:
    """Return text runs and parts without words, without probabilities, and the item of each row."""
    words, bare = len(stretches), stretches.pictures
    of_row = stretches.of_row.copy()
    chains: list[list[int]] = [[] for _ in range(words)]
    for row in np.flatnonzero(of_row >= 0).tolist():
        chains[int(of_row[row])].append(row)
    style, (plain, full) = page_style(nodes), _paths(nodes, site)
    offsets, letters = letter_offsets(nodes)
    of_row[bare] = words + np.arange(bare.size)
    chains += [[row] for row in bare.tolist()]
    number: Counter[int] = Counter()
    clues = np.zeros((len(chains), 6), dtype=np.int64)
    for item, chain in enumerate(chains):
        bottom, above = chain[-1], int(nodes.parent[chain[0]])
        kinds = tuple(style.plain[row] for row in chain)
        around = style.plain[above] if above >= 0 else ""
        path = full[bottom]
        text = letters[int(offsets[bottom]) : int(offsets[nodes.end[bottom]])]
        clues[item] = [
            _clue(kinds, around), _clue(site, kinds), plain[bottom], path,
            _clue(path, min(number[path], _MOST_ALIKE)), _clue(path, text),
        ]  # fmt: skip
        number[path] += 1
    rows = np.concatenate([shown_rows(nodes, stretches), bare]).astype(np.int64)
    ends = np.concatenate([stretches.first, offsets[bare]]).astype(np.int64)
    lasts = np.concatenate([stretches.last, offsets[bare]]).astype(np.int64)
    parent = np.concatenate([stretches.parent, np.full(bare.size, -1)]).astype(np.int64)
    return OfferedItems(rows, np.zeros(rows.size), _by_column(clues), ends, lasts, parent), of_row


def _by_column(clues: _Clues) -> _Clues:
    return clues + np.arange(clues.shape[1]) * 0x9E3779B97F4A7  # wraps around


def _paths(nodes: NodeTable, site: str) -> tuple[list[int], list[int]]:
    """Return for each row a hash of the way to it by names and classes, and by ids, too."""
    style = page_style(nodes)
    plain, full = [0] * len(nodes), [0] * len(nodes)
    for row, parent in enumerate(nodes.parent.tolist()):
        one, other = (plain[parent], full[parent]) if parent >= 0 else (0, 0)
        plain[row] = _clue(site, one, style.plain[row])
        full[row] = _clue(site, other, style.kind[row])
    return plain, full


# main content ---------------------------------------------------------------------------------
def _texts(page: Page, site: str, model: Model) -> OfferedItems:
    nodes = page.rendered()
    rows = page_text(nodes).rows.astype(np.int64)
    style, (plain, full) = page_style(nodes), _paths(nodes, site)
    above = nodes.parent.tolist()
    clues = np.zeros((rows.size, 5), dtype=np.int64)
    for item, row in enumerate(rows.tolist()):
        parent = above[row]
        grand = style.plain[above[parent]] if above[parent] >= 0 else ""
        clues[item] = [
            _clue(style.plain[parent]), _clue(site, style.plain[parent], grand),
            plain[parent], full[parent], _clue(full[parent], nodes.text[row].strip()),
        ]  # fmt: skip
    order = np.arange(rows.size)
    chance = _expected(page, model)[rows]
    return OfferedItems(
        rows, chance, _by_column(clues), order, order + 1, np.full(rows.size, -1, dtype=np.int64)
    )


def _expected(page: Page, model: Model) -> Doubles:
    """Return which share of each row's text is expected to be content, float64 (n,)."""
    nodes, source = page.rendered(), page.source("dom")
    predicted, runs = model.predict(source), text_runs(source)
    letters, most = np.zeros((2, len(nodes)))
    size = source.tokens.words.size
    for low, high in zip((0.0, *_STEPS), (*_STEPS, 1.0), strict=True):
        is_in = (predicted.chance >= low) & (predicted.chance <= high)
        words = mark_covered(runs.first[is_in], runs.last[is_in], size)
        ranges = page.alignment(source).ranges(keep_words(source, words).spans)
        length = (ranges[:, 2] - ranges[:, 1]).astype(np.float64)
        np.add.at(letters, ranges[:, 0], length * (low + high) / 2)
        np.add.at(most, ranges[:, 0], length)
    share = np.full(len(nodes), 0.05)
    np.divide(letters, most, out=share, where=most > 0)
    return share
