"""Training of a segmenter from pages with gold blocks.

A candidate is a block if its text matches a gold block's, as Kreuzer's fuzzy measure has it.  The
same pages give the same model to the byte, whatever the number of threads.  Figures are
cross-validated by site: all forms of a page, and all pages of a site, lie in one fold.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from algorithms.learning.blocks.block_model import BlockModel, Matrix, Trust, confidence
from algorithms.learning.blocks.candidate_columns import columns, matrix_of
from algorithms.learning.blocks.candidates import Candidates, candidates, same_texts, seen_on_page
from algorithms.learning.blocks.near_twins import best_blocks
from algorithms.learning.forest import Forest
from algorithms.learning.seen import of_blocks, of_page
from algorithms.levels import Level
from algorithms.measures.blocks import BlockScorer, without_space
from algorithms.plugins.training.boosting import (
    FEWEST_PAGES,
    Say,
    check_lightgbm,
    fit_trees,
    for_few,
)
from algorithms.plugins.training.gleaner_pages import folds
from algorithms.signals.block_types import Typist
from engine.errors import InputError
from engine.nodes import NodeTable
from engine.tree import Doubles, Longs

ROUNDS, FOLDS = 150, 13
_LEAST_ON_PAGE = 0.5
NEAR = 0.3
"""What a candidate is worth that matches a gold block which another matches better: as the target
it gives some .01 more F than 1 does."""

TREES: dict[str, Any] = {
    "num_leaves": 31, "learning_rate": 0.04, "feature_fraction": 0.3, "lambda_l2": 10.0,
    "min_data_in_leaf": 20, "max_bin": 255,
}  # fmt: skip
LEVEL_TREES: dict[str, Any] = {**TREES, "num_leaves": 8}
LEVEL_ROUNDS = 80


Suggestion = tuple[Level, str, str]
"""Level, suggested type ("" for none) and the annotators' type of a block."""

_RARE = 5
"""Types of fewer gold blocks are not in the macro F."""


@dataclass(frozen=True, eq=False)
class BlockPage:
    """Form of a page with m candidates and its gold.

    Attributes:
        name: For messages; the same for all forms of a page.
        site: Pages of one site are never on both sides of a fold.
        form: Such as ``repaired``; "" where a page has one.
        dataset: The data set it is of.
        importance: How much it counts.
        stretches: All candidates of the page.
        same: Of each the first with the same text, int64 (m,).
        matrix: What trees read, float32 (m, c) with ``columns``.
        gold: Texts without white space and levels of the gold blocks.
        on_page: Which share of the gold texts some candidate matches.
        is_block: float64 (m,). 1 for the candidate most like a gold block, `NEAR` for others
            that match it, 0 for the rest.
        level: float64 (m,). Share of the gold blocks it matches that are of level 1; NaN for none.
        types: Suggestions for the gold blocks that have a type.
        guideline: Which one its gold names; "" where it names none.
        seen: Fingerprints of page and gold (`algorithms.learning.seen`).
    """

    name: str
    site: str
    form: str
    dataset: str
    importance: float
    stretches: Candidates
    same: Longs
    matrix: Matrix
    columns: tuple[str, ...]
    gold: tuple[tuple[str, int], ...]
    on_page: float
    is_block: Doubles
    level: Doubles
    types: tuple[Suggestion, ...]
    guideline: str = ""
    seen: tuple[str, ...] = ()

    @property
    def teaches(self) -> bool:
        """Whether the gold is of this page: some published forms are the DOM of another one."""
        return self.on_page >= _LEAST_ON_PAGE

    def f(self, chance: Doubles, scorer: BlockScorer) -> float:
        """Return the fuzzy F of the candidates taken at these chances."""
        texts = [(self.stretches.text(k), 1) for k in taken_of(self, chance)]
        texts += [("", 2)] if self.stretches.pictures.size else []
        return float(scorer.score_texts(texts, self.gold).fuzzy["all"].prf.f1)


@dataclass(frozen=True)
class BlockFitScores:
    """Cross-validated fuzzy F of blocks of both levels, mean over pages.

    Attributes:
        f: By form; of several data sets by data set and form, ``data/form``.
        folds: In the same way the mean of each fold.
        pages: In the same way how many pages.
    """

    f: dict[str, float]
    folds: dict[str, tuple[float, ...]]
    pages: dict[str, int]


def block_page(
    nodes: NodeTable,
    gold: Sequence[tuple[str, int]],
    *,
    name: str,
    site: str = "",
    form: str = "",
    dataset: str = "",
    importance: float = 1.0,
    typed: Sequence[tuple[int, Level, str]] = (),
    guideline: str = "",
    words: Iterable[str] = (),
) -> BlockPage:
    """Measure a rendered page with the texts and levels of its gold blocks.

    ``typed`` are row, level and type of those that have a type, ``words`` those of its HTML.
    """
    stretches = candidates(nodes)
    measured = columns(nodes, stretches)
    same = same_texts(stretches)
    texts = tuple((without_space(text), level) for text, level in gold)
    on_page, is_block, level = _labels(stretches, same, texts)
    matrix = matrix_of(measured)
    return BlockPage(
        name, site or name, form, dataset, importance, stretches, same, matrix, tuple(measured),
        texts, on_page, is_block, level, suggestions(nodes, typed), guideline,
        of_page(words, of_blocks(gold)),
    )  # fmt: skip


def _labels(
    stretches: Candidates, same: Longs, gold: tuple[tuple[str, int], ...]
) -> tuple[float, Doubles, Doubles]:
    levels: dict[str, list[int]] = defaultdict(list)
    for text, level in gold:
        if text:
            levels[text].append(level)
    first = np.unique(same)
    is_block, level_1, hits = (np.zeros(len(stretches)) for _ in range(3))
    outer = [float(np.mean([level == 1 for level in each])) for each in levels.values()]
    matched: set[int] = set()
    if first.size and levels:
        texts = [stretches.text(k) for k in first.tolist()]
        pairs = BlockScorer(remember=0).alike(texts, tuple(levels))
        closest: dict[int, float] = {}
        for _, j, ratio in pairs:
            closest[j] = max(ratio, closest.get(j, 0.0))
        for i, j, ratio in pairs:
            is_block[first[i]] = max(is_block[first[i]], 1.0 if ratio == closest[j] else NEAR)
            level_1[first[i]] += ratio * outer[j]
            hits[first[i]] += ratio
            matched.add(j)
    share = np.divide(level_1, hits, out=np.full(len(stretches), np.nan), where=hits > 0)
    return len(matched) / max(len(levels), 1), is_block[same], share[same]


def taken_of(page: BlockPage, chance: Doubles) -> list[int]:
    """Return the candidates that are taken at these chances, one of each text."""
    stretches = page.stretches
    alone = np.where(page.same == np.arange(len(stretches)), chance, 0.0)
    taken, _, _ = best_blocks(alone, stretches.first, stretches.last, stretches.parent)
    return np.flatnonzero(taken).tolist()


def train(
    pages: Sequence[BlockPage],
    card: dict[str, Any],
    *,
    threads: int = 1,
    parts: int = FOLDS,
    rounds: int = ROUNDS,
    say: Say = lambda _line: None,
) -> tuple[BlockModel, BlockFitScores | None]:
    """Return a model of all pages, and its cross-validated scores; none of a single site."""
    check_lightgbm()
    usable = [page for page in pages if page.teaches]
    if len({page.name for page in usable}) < FEWEST_PAGES:
        raise InputError(
            f"training needs at least {FEWEST_PAGES} pages with gold blocks, "
            f"got {len({page.name for page in usable})}"
        )
    parts = min(parts, len({page.site for page in pages}))
    scores = _validated(pages, parts, rounds, threads, say) if parts > 1 else None
    say("training on all pages")
    blocks = fit_blocks(usable, rounds, threads)
    levels = fit_levels(usable, threads)
    by_site: dict[str, list[Suggestion]] = defaultdict(list)
    for page in usable:
        by_site[page.site] += page.types
    trust = trust_of([each for page in usable for each in page.types])
    scored = {**_card_of(scores), "types": type_scores(by_site)}
    about = {**card, "types": trust, "scores": scored}
    return BlockModel(usable[0].columns, blocks, levels, about), scores


def fit_blocks(pages: Sequence[BlockPage], rounds: int, threads: int) -> Forest:
    """Return the trees that tell blocks; every page counts by its importance, equal texts once."""
    rows, targets, weights = [], [], []
    for page in pages:
        first = np.unique(page.same)
        rows.append(page.matrix[first])
        targets.append(page.is_block[first])
        weights.append(np.full(first.size, page.importance / max(first.size, 1)))
    return fit_trees(
        np.concatenate(rows), np.concatenate(targets), np.concatenate(weights),
        for_few(TREES, sum(map(len, rows)), 200), rounds=rounds, threads=threads,
    )  # fmt: skip


def fit_levels(pages: Sequence[BlockPage], threads: int) -> Forest:
    """Return the trees that tell level 1 from level 2."""
    rows = [page.matrix[np.isfinite(page.level)] for page in pages]
    target = np.concatenate([page.level[np.isfinite(page.level)] for page in pages])
    return fit_trees(
        np.concatenate(rows), target, np.ones(target.size), for_few(LEVEL_TREES, target.size, 200),
        rounds=LEVEL_ROUNDS, threads=threads,
    )  # fmt: skip


def _validated(
    pages: Sequence[BlockPage], parts: int, rounds: int, threads: int, say: Say
) -> BlockFitScores:
    fold = folds(pages, parts)
    scorer = BlockScorer()
    several = len({page.dataset for page in pages}) > 1
    by_form: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number in range(parts):
        say(f"trees without fold {number + 1} of {parts}")
        rest = [
            page for page, own in zip(pages, fold, strict=True)
            if own != number and page.teaches
        ]  # fmt: skip
        forest = fit_blocks(rest, rounds, threads)
        for page, own in zip(pages, fold, strict=True):
            if own == number:
                chance = 1 / (1 + np.exp(-forest.scores(page.matrix)))
                form = f"{page.dataset}/{page.form}".strip("/") if several else page.form
                by_form[form][number].append(page.f(chance, scorer))
    return BlockFitScores(
        {
            form: float(np.mean(list(chain.from_iterable(by.values()))))
            for form, by in by_form.items()
        },
        {form: tuple(float(np.mean(f)) for f in by.values()) for form, by in by_form.items()},
        {form: sum(map(len, by.values())) for form, by in by_form.items()},
    )


def suggestions(
    nodes: NodeTable, typed: Sequence[tuple[int, Level, str]]
) -> tuple[Suggestion, ...]:
    """Return the suggestions for blocks given by row, level and gold type."""
    typist = Typist(seen_on_page(nodes))
    return tuple((level, typist.suggest(row, level)[0], kind) for row, level, kind in typed)


def trust_of(made: Sequence[Suggestion]) -> Trust:
    """Return how often suggestions were right."""
    trust: Trust = {}
    for level, suggested, kind in made:
        count = trust.setdefault(f"{level} {suggested}", [0, 0])
        count[0] += suggested == kind
        count[1] += 1
    return dict(sorted(trust.items()))


def type_scores(by_site: dict[str, list[Suggestion]]) -> dict[str, float]:
    """Return the share right, macro F, and Brier's score of confidences from other sites."""
    every = [each for made in by_site.values() for each in made]
    if not every:
        return {}
    golds, given = Counter(kind for _, _, kind in every), Counter(name for _, name, _ in every)
    hits = Counter(kind for _, name, kind in every if name == kind)
    often = [kind for kind, count in golds.items() if count >= _RARE]
    errors = []
    for site, made in by_site.items():
        rest = trust_of([each for name, one in by_site.items() if name != site for each in one])
        for level, name, kind in made:
            chance = confidence(rest, level, name)
            if chance is not None:
                errors.append((chance - (name == kind)) ** 2)
    f = [2 * hits[kind] / (golds[kind] + given[kind]) for kind in often]
    return {
        "blocks": len(every),
        "right": round(sum(hits.values()) / len(every), 4),
        "macro_f": round(sum(f) / max(len(f), 1), 4),
        "brier": round(sum(errors) / max(len(errors), 1), 4),
    }


def _card_of(scores: BlockFitScores | None) -> dict[str, Any]:
    if scores is None:
        return {}
    return {
        "measure": "fuzzy F of blocks of both levels, mean over pages, cross-validated by site",
        "pages": scores.pages,
        "f": {form: round(value, 4) for form, value in scores.f.items()},
        "folds": {form: [round(value, 4) for value in by] for form, by in scores.folds.items()},
    }
