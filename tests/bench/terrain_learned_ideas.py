"""What was tried to make terrain-learned better, page by page.

    python -m tests.bench.terrain_learned_ideas kreuzer-random [--folds 7] [--splits 2]
      [--only PART]

prints fuzzy F of both levels by form of the pages, cross-validated by site over several splits into
folds, and what each idea adds to the trees as they ship: mean over pages ± standard error of the
differences page by page (a page's F is the mean of its splits).  Parts: ``bounds`` (what would be
possible), ``learners`` (targets, weights, columns, trees), ``choice`` (which set is taken),
``joint`` (`tests.bench.block_labellings`), ``granularity`` and ``mark``
(`tests.bench.block_granularity`), ``nets`` and ``settled`` (beside the trees), ``pages``
(how many to learn from, and pages of another sort), ``widths`` (pages drawn narrower and wider).
An hour on one processor.  ``--first N`` begins with another way to divide the sites.

The recipe of ``nets``, written down before it was tried: nets read the trees' columns, targets and
weights, equal texts once; half of the log odds are the trees', half the mean of four nets'
(`algorithms.learning.net`), of two while settings are looked for.  Free are width and depth,
what is dropped, decay and epochs (`DESCENTS`).  They are settled on one way to divide the sites
(``--only nets --splits 1``): by the least cross entropy of the mixture out of fold, pages weighing
the same, which is less a matter of luck than F.  What is settled is looked at once in two other
ways (``--only settled --first 4``) and ships if it adds .008 on either form, and more than two
standard errors.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from algorithms.learning.blocks.block_model import Matrix
from algorithms.learning.blocks.near_twins import BOTH, NEARLY, taken_at, twins_of
from algorithms.measures.assignment import WeightedPair, match
from algorithms.measures.blocks import BlockScorer
from algorithms.plugins.training.block_fit import NEAR, ROUNDS, TREES, BlockPage, block_page, folds
from algorithms.plugins.training.boosting import fit_trees
from algorithms.plugins.training.nets import NetTraining, fit_net
from annotate.library.page_cases import dataset
from annotate.library.pages import OpenPage, PageGold
from annotate.plugins.training.training import FORMS
from engine.errors import PageletError
from engine.tree import Bools, Doubles, Longs
from tests.bench.block_granularity import PRICES as COSTS
from tests.bench.block_granularity import choosers, set_columns, told_by
from tests.bench.block_labellings import DRAWN, Tree, best_on_average, labeller

PARTS = (
    "bounds",
    "learners",
    "choice",
    "joint",
    "nets",
    "settled",
    "granularity",
    "mark",
    "pages",
    "widths",
)
WIDTHS = (800, 1366, 1600)
PRICES = np.linspace(0.05, 0.7, 27)


@dataclass(frozen=True, eq=False)
class Judged:
    """A page whose sets of stretches are scored without a look at their texts.

    Attributes:
        page: With m stretches.
        kind, depth: int64 (m,). A number for each tag and class; how many stretches are around.
        pairs: Stretches and gold texts that match.
    """

    page: BlockPage
    kind: Longs
    depth: Longs
    pairs: tuple[WeightedPair, ...]

    @cached_property
    def gold(self) -> tuple[str, ...]:
        """Distinct texts."""
        return tuple(dict.fromkeys(text for text, _ in self.page.gold))

    @cached_property
    def alone(self) -> Bools:
        """Which stretches are the first with their text, bool (m,)."""
        return self.page.same == np.arange(len(self.page.stretches))

    def f(self, taken: Sequence[int]) -> float:
        """Return the fuzzy F of a set, one stretch of each text."""
        chosen, picture = set(taken), bool(self.page.stretches.pictures.size)
        hits = len(match([pair for pair in self.pairs if pair[0] in chosen]))
        hits += picture and "" in self.gold
        return 2 * hits / max(len(chosen) + picture + len(self.gold), 1)

    def target(self, near: float) -> Doubles:
        """Return 1 for what a gold text is most like, ``near`` for what else matches one, (m,)."""
        is_near = (self.page.is_block > 0) & (self.page.is_block < 1)
        return np.where(is_near, near, self.page.is_block)


def read(data: str, width: int = 0) -> list[Judged]:
    """Return the pages of a data set, drawn ``width`` px wide; 0 is its own width."""
    pages = []
    for case in dataset(data, variants=FORMS):
        for form, files in case.files.items():
            usual = files.document()
            wide = replace(usual, viewport=(width or usual.viewport[0], usual.viewport[1]))
            try:
                gold = PageGold(OpenPage(usual, files)).block_gold
                nodes = OpenPage(wide, files).rendered.rendered()
            except PageletError as error:
                print(f"{case.name}: {error}")
                continue
            if gold is None:
                continue
            site = files.host() or files.site_name or case.name.partition("/")[0]
            page = block_page(nodes, gold.texts, name=case.name, site=site, form=form)
            top = page.stretches.top.tolist()
            styles = [(nodes.tag[row], nodes.attributes[row].get("class", "")) for row in top]
            pages.append(_judged(page, styles))
    return pages


def _judged(page: BlockPage, styles: list[tuple[str, str]]) -> Judged:
    numbers: dict[tuple[str, str], int] = {}
    kind = np.array([numbers.setdefault(style, len(numbers)) for style in styles], dtype=np.int64)
    depth = np.zeros(len(styles), dtype=np.int64)
    for index, up in enumerate(page.stretches.parent.tolist()):
        depth[index] = depth[up] + 1 if up >= 0 else 0
    first, gold = np.unique(page.same), tuple(dict.fromkeys(text for text, _ in page.gold if text))
    texts = [page.stretches.text(k) for k in first.tolist()]
    alike = BlockScorer(remember=0).alike(texts, gold) if texts and gold else ()
    return Judged(page, kind, depth, tuple((int(first[i]), j, ratio) for i, j, ratio in alike))


# Learning and scoring ------------------------------------------------------------------------


@dataclass(frozen=True)
class Learner:
    """How trees are trained.

    Attributes:
        settings: What differs from the settings of the trees that ship.
        rounds: Trees.
        near: As `NEAR`.
        without: Groups of columns that are left out.
        by_gold: Whether a page weighs as much as it has stretches for each gold text, so that a
            stretch weighs what it adds to F; else all pages weigh the same.
    """

    settings: dict[str, Any] = field(default_factory=dict)
    rounds: int = ROUNDS
    near: float = NEAR
    without: tuple[str, ...] = ()
    by_gold: bool = False

    def columns(self, page: BlockPage) -> list[int]:
        """Return which columns the trees read."""
        groups = [name.partition(".")[0] for name in page.columns]
        return [
            k for k, group in enumerate(groups)
            if group not in self.without
        ]  # fmt: skip

    def rows(self, pages: Sequence[Judged]) -> tuple[Matrix, Doubles, Doubles]:
        """Return what is learned from: rows, targets, weights."""
        pages = [each for each in pages if each.page.teaches]
        use = self.columns(pages[0].page)
        counts = [len(each.gold) if self.by_gold else each.alone.sum() for each in pages]
        weight = [np.full(each.alone.sum(), 1 / n) for each, n in zip(pages, counts, strict=True)]
        return (
            np.concatenate([each.page.matrix[each.alone][:, use] for each in pages]),
            np.concatenate([each.target(self.near)[each.alone] for each in pages]),
            np.concatenate(weight),
        )

    def trained(self, pages: Sequence[Judged]) -> Callable[[Judged], Doubles]:
        """Return what gives the chances of a page's stretches."""
        settings = {**TREES, **self.settings}
        forest = fit_trees(*self.rows(pages), settings, rounds=self.rounds, threads=1)
        return lambda each: _chance(forest.scores(each.page.matrix[:, self.columns(each.page)]))


@dataclass(frozen=True)
class Nets:
    """How nets are trained: by which settings, and from which seeds."""

    settings: NetTraining
    seeds: tuple[int, ...]

    def trained(self, pages: Sequence[Judged]) -> Callable[[Judged], Doubles]:
        """Return what gives the chances of a page's stretches: those of the mean log odds."""
        rows = Learner().rows(pages)
        nets = [fit_net(*rows, seed=seed, settings=self.settings) for seed in self.seeds]
        return lambda each: _chance(np.mean([net.scores(each.page.matrix) for net in nets], axis=0))


def _chance(odds: Doubles) -> Doubles:
    return np.asarray(1 / (1 + np.exp(-odds)))


def _odds(chance: Doubles) -> Doubles:
    return np.asarray(np.log(chance / (1 - chance)))


Chances = list[list[Doubles]]
"""By split and page the chances of its stretches, from trees that have not seen its site."""

Take = Callable[[Judged, Doubles], Sequence[int]]
"""What is taken of a page by the chances of its stretches."""


class Laboratory:
    """Pages with their folds, in several splits."""

    def __init__(self, pages: Sequence[Judged], parts: int, splits: int, first: int = 0) -> None:
        self.pages = pages
        self.forms = tuple(dict.fromkeys(each.page.form for each in pages))
        self.splits = [self._split(parts, number) for number in range(first, first + splits)]

    def _split(self, parts: int, number: int) -> list[int]:
        if not number:
            return folds([each.page for each in self.pages], parts)
        sites = sorted({each.page.site for each in self.pages})
        np.random.default_rng(number).shuffle(sites)
        fold = {site: place % parts for place, site in enumerate(sites)}
        return [fold[each.page.site] for each in self.pages]

    def out_of_fold(self, learner: Learner | Nets, taught: Sequence[Judged] = ()) -> Chances:
        """Return the chances; ``taught`` are pages of the same sites to learn from instead."""
        return [self.by_others(fold, learner, taught) for fold in self.splits]

    def by_others(
        self, fold: Sequence[int], learner: Learner | Nets, taught: Sequence[Judged] = ()
    ) -> list[Doubles]:
        """Return the chances of each page by trees of the pages of other folds."""
        own = {each.page.site: number for each, number in zip(self.pages, fold, strict=True)}
        result: list[Doubles] = [np.zeros(0)] * len(self.pages)
        for number in sorted(set(fold)):
            rest = [each for each in taught or self.pages if own[each.page.site] != number]
            chance = learner.trained(rest)
            for k, each in enumerate(self.pages):
                if fold[k] == number and each.alone.size:
                    result[k] = chance(each)
        return result

    def f(self, chances: Chances, take: Take | None = None) -> Doubles:
        """Return F of each page, the mean of the splits."""
        take = take or taken_by()
        return np.mean([
            [each.f(take(each, chance) if chance.size else ()) for each, chance in zip(
                self.pages, split, strict=True)]
            for split in chances
        ], axis=0)  # fmt: skip

    def entropy(self, chances: Chances) -> float:
        """Return the cross entropy of what is learned: mean over pages, of each over stretches."""
        result = []
        for split in chances:
            for each, chance in zip(self.pages, split, strict=True):
                if each.page.teaches and each.alone.any():
                    own = np.clip(chance[each.alone], 1e-6, 1 - 1e-6)
                    target = each.page.is_block[each.alone]
                    loss = target * np.log(own) + (1 - target) * np.log(1 - own)
                    result.append(-float(loss.mean()))
        return float(np.mean(result))

    def tell(self, name: str, f: Doubles, usual: Doubles | None = None) -> None:
        """Print a row: F by form, and the difference."""
        cells = []
        for form in self.forms:
            own = np.array([each.page.form == form for each in self.pages])
            cell = f"{form} {f[own].mean():.4f}"
            if usual is not None:
                gain = (f - usual)[own]
                cell += f" {gain.mean():+.4f} ± {gain.std() / gain.size**0.5:.4f}"
            cells.append(cell)
        print(f"{name:<44}", "   ".join(cells), flush=True)


def taken_by(
    price: float = 1.0, nearly: float = NEARLY, fixed: float | None = None, both: float = BOTH
) -> Take:
    """Return the choice that ships, its price times ``price``, or a fixed price of a block."""

    def take(each: Judged, chance: Doubles) -> Sequence[int]:
        stretches = each.page.stretches
        alone = np.where(each.alone, chance, 0.0)
        tree = stretches.size, stretches.parent

        def at(cost: float) -> Bools:
            return taken_at(alone, *tree, cost, nearly)

        if fixed is not None:
            return np.flatnonzero(at(fixed)).tolist()
        relevant, best, best_f, cost = float(alone[at(0.0)].sum()), at(1.0), 0.0, 0.3
        while True:
            taken = at(price * cost)
            f = 2 * float(alone[taken].sum()) / max(int(taken.sum()) + relevant, 1e-9)
            if f <= best_f:
                break
            best, best_f, cost = taken, f, f / 2
        return np.flatnonzero(best).tolist() + twins_of(best, alone, *tree, nearly, both)[0]

    return take


# What was tried ------------------------------------------------------------------------------

RANDOMISED = Learner({"extra_trees": True}, rounds=250)
LEARNERS = {
    "what else matches counts 0": Learner(near=0.0),
    "what else matches counts 1": Learner(near=1.0),
    "stretches weigh as in F": Learner(by_gold=True),
    "randomised splits, 250 trees": RANDOMISED,
    "63 leaves, 5 rows in one at least": Learner({"num_leaves": 63, "min_data_in_leaf": 5}),
    "a tenth of the columns a tree": Learner({"feature_fraction": 0.1}),
    "without names": Learner(without=("name",)),
    "without tags and style": Learner(without=("tag", "style")),
    "without the page": Learner(without=("page",)),
    "without votes": Learner(without=("vote",)),
}


def learners(laboratory: Laboratory, usual: Chances) -> Iterator[tuple[str, Doubles]]:
    """Other targets, weights, trees and columns."""
    some = []
    for name, learner in LEARNERS.items():
        chances = laboratory.out_of_fold(learner)
        if learner.near == NEAR and not learner.without:
            some.append(chances)
        yield name, laboratory.f(chances)
    mean = [
        [
            _chance(np.mean([_odds(each) for each in page], axis=0))
            for page in zip(*split, strict=True)
        ]
        for split in zip(usual, *some, strict=True)
    ]
    yield f"the mean of {len(some) + 1} of these", laboratory.f(mean)


def choice(laboratory: Laboratory, usual: Chances) -> Iterator[tuple[str, Doubles]]:
    """Other ways from chances to blocks."""
    for price in (0.8, 0.9, 1.1, 1.2):
        yield f"price of a block times {price}", laboratory.f(usual, taken_by(price))
    for nearly in (0.5, 0.6, 0.75, 0.85):
        yield (
            f"nearly one from {nearly} of the letters",
            laboratory.f(usual, taken_by(nearly=nearly)),
        )
    for both in (1.0, 0.4, 0.6):
        yield f"near twins together above {both}", laboratory.f(usual, taken_by(both=both))
    for slope in (0.7, 0.85, 1.2):
        flat = [[_chance(slope * _odds(each)) for each in split] for split in usual]
        yield f"log odds times {slope}", laboratory.f(flat)
    for share in (0.5, 1.0):
        ways = [
            [
                _together(each, chance, share)
                for each, chance in zip(laboratory.pages, split, strict=True)
            ]
            for split in usual
        ]
        yield f"{share} of the mean of siblings of a kind", laboratory.f(ways)


def _together(each: Judged, chance: Doubles, share: float) -> Doubles:
    """Return chances moved towards the mean log odds of the siblings of one kind."""
    if not chance.size:
        return chance
    key = np.stack([each.page.stretches.parent, each.kind], axis=1)
    group = np.unique(key, axis=0, return_inverse=True)[1].ravel()
    odds = _odds(chance)
    mean = np.bincount(group, weights=odds) / np.bincount(group)
    return _chance((1 - share) * odds + share * mean[group])


def joint(laboratory: Laboratory, usual: Chances) -> Iterator[tuple[str, Doubles]]:
    """Blocks decided together; alone, and with the trees that ship."""
    trees = [tree_of(each) for each in laboratory.pages]
    sets: list[list[Sequence[int]]] = []
    shares: Chances = []
    for fold in laboratory.splits:
        sets.append([()] * len(trees))
        shares.append([np.zeros(0)] * len(trees))
        for number in sorted(set(fold)):
            model = labeller([
                (tree, each.target(0.0)) for tree, each, own in zip(
                    trees, laboratory.pages, fold, strict=True)
                if own != number and each.page.teaches
            ])  # fmt: skip
            for k, own in enumerate(fold):
                if own == number and trees[k].parent.size:
                    drawn = model.drawn(trees[k])
                    sets[-1][k] = best_on_average(trees[k], drawn)
                    shares[-1][k] = (drawn.sum(axis=1) + 0.2) / (DRAWN + 0.4)
    f = [[each.f(s) for each, s in zip(laboratory.pages, split, strict=True)] for split in sets]
    yield "the best set on average", np.mean(f, axis=0)
    yield "shares of labellings as chances", laboratory.f(shares)
    yield "shares and the trees that ship", laboratory.f(mixed(shares, usual))


def mixed(one: Chances, other: Chances) -> Chances:
    """Return the chances of the mean log odds."""
    return [
        [_chance((_odds(a) + _odds(b)) / 2) for a, b in zip(*each, strict=True)]
        for each in zip(one, other, strict=True)
    ]


DESCENTS = {  # from "more dropped, 7 epochs" on: what was better alone, together
    "gleaner's": NetTraining(),
    "48, 24": NetTraining((48, 24)),
    "24": NetTraining((24,)),
    "less dropped": NetTraining((48, 24), dropout=0.3, input_dropout=0.1),
    "more dropped": NetTraining((48, 24), dropout=0.6, input_dropout=0.4),
    "decay 1": NetTraining((48, 24), decay=1.0),
    "7 epochs": NetTraining((48, 24), epochs=7),
    "28 epochs": NetTraining((48, 24), epochs=28),
    "more dropped, 7 epochs": NetTraining((48, 24), epochs=7, dropout=0.6, input_dropout=0.4),
    "more dropped, decay 1": NetTraining((48, 24), decay=1.0, dropout=0.6, input_dropout=0.4),
    "all three": NetTraining((48, 24), epochs=7, decay=1.0, dropout=0.6, input_dropout=0.4),
    "all three, gleaner's size": NetTraining(epochs=7, decay=1.0, dropout=0.6, input_dropout=0.4),
    "much dropped": NetTraining((48, 24), dropout=0.7, input_dropout=0.6),
}
SETTLED = Nets(DESCENTS["all three"], (1, 2, 3, 4))


def nets(laboratory: Laboratory, usual: Chances) -> Iterator[tuple[str, Doubles]]:
    """Nets alone and beside the trees, by settings; what they are settled by is printed."""
    print(f"  cross entropy of the trees {laboratory.entropy(usual):.4f}")
    for name, settings in DESCENTS.items():
        yield from _with_nets(laboratory, usual, name, Nets(settings, (1, 2)))


def settled(laboratory: Laboratory, usual: Chances) -> Iterator[tuple[str, Doubles]]:
    """The nets that were settled on."""
    print(f"  cross entropy of the trees {laboratory.entropy(usual):.4f}")
    yield from _with_nets(laboratory, usual, "settled", SETTLED)


def _with_nets(
    laboratory: Laboratory, usual: Chances, name: str, learner: Nets
) -> Iterator[tuple[str, Doubles]]:
    chances = laboratory.out_of_fold(learner)
    both = mixed(chances, usual)
    alone, beside = laboratory.entropy(chances), laboratory.entropy(both)
    print(f"  {name}: cross entropy of the nets {alone:.4f}, with the trees {beside:.4f}")
    yield f"nets, {name}", laboratory.f(chances)
    yield f"trees and nets, {name}", laboratory.f(both)


def tree_of(each: Judged) -> Tree:
    """Return a page as labellings read it."""
    page = each.page
    return Tree(
        page.matrix, page.stretches.parent, page.stretches.size, page.same, each.kind, each.depth,
        bool(page.stretches.pictures.size),
    )  # fmt: skip


def bounds(laboratory: Laboratory, usual: Chances) -> Iterator[tuple[str, Doubles]]:
    """What could be had of the same stretches, and of the same chances."""
    every = [each.f(sorted(set(match(each.pairs).values()))) for each in laboratory.pages]
    yield "all gold that some stretch matches", np.array(every)
    fixed = np.array([laboratory.f(usual, taken_by(fixed=price)) for price in PRICES.tolist()])
    yield "the best price of a block for each page", fixed.max(axis=0)


def granularity(laboratory: Laboratory, usual: Chances) -> Iterator[tuple[str, Doubles]]:
    """The page chooses among sets of several prices of a block."""
    ways = [taken_by(), *(taken_by(fixed=price) for price in COSTS)]
    found: dict[str, list[Doubles]] = {}
    for fold, split in zip(laboratory.splits, usual, strict=True):
        f, rows = np.zeros((len(split), len(ways))), []
        for k, (each, chance) in enumerate(zip(laboratory.pages, split, strict=True)):
            own = []
            for j, take in enumerate(ways):
                taken = take(each, chance) if chance.size else ()
                f[k, j] = each.f(taken)
                price = COSTS[j - 1] if j else -1
                columns = set_columns(
                    each.page.stretches, each.alone, each.kind, each.depth, chance, taken, price
                )
                at = [n for n, name in enumerate(each.page.columns) if name.startswith("page.")]
                own.append(columns + (each.page.matrix[0, at].tolist() if chance.size else [0] * 6))
            rows.append(np.array(own))
        found.setdefault("the best known for each page", []).append(f.max(axis=1))
        found.setdefault("one price for all, .28", []).append(f[:, 1 + COSTS.index(0.28)])
        for number in sorted(set(fold)):
            rest = [
                k for k, own in enumerate(fold)
                if own != number and laboratory.pages[k].page.teaches and split[k].size
            ]  # fmt: skip
            gain = np.concatenate([f[k] - f[k, 0] for k in rest])
            for name, chooser in choosers(np.concatenate([rows[k] for k in rest]), gain).items():
                if len(found.setdefault(name, [])) < len(found["the best known for each page"]):
                    found[name].append(f[:, 0].copy())
                for k in np.flatnonzero(np.array(fold) == number).tolist():
                    found[name][-1][k] = f[k, int(chooser(rows[k]).argmax())]
    for name, values in found.items():
        yield f"granularity: {name}", np.mean(values, axis=0)


def mark(laboratory: Laboratory, usual: Chances) -> Iterator[tuple[str, Doubles]]:
    """Two random gold blocks of each page, one at a time, are marked; the first division."""
    for same, other in ((0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (2.0, 1.0)):
        pick, take, f = np.random.default_rng(0), taken_by(), []
        for each, chance in zip(laboratory.pages, usual[0], strict=True):
            gold = sorted({row for row, *_ in each.pairs if each.page.is_block[row] == 1})
            marks = pick.choice(gold, min(2, len(gold)), replace=False).tolist() if gold else ()
            scores = []
            for row in marks:
                odds = _odds(np.clip(chance, 1e-6, 1 - 1e-6))
                told = _chance(told_by(
                    each.page.stretches, each.kind, odds, row, same=same, other=other
                ))  # fmt: skip
                told[row] = 1.0
                scores.append(each.f(sorted({*take(each, told), row})))
            f.append(np.mean(scores or [each.f(take(each, chance) if chance.size else ())]))
        yield f"one mark: its kind {same}, kinds around and inside -{other}", np.array(f)


def pages(laboratory: Laboratory, _usual: Chances) -> Iterator[tuple[str, Doubles]]:
    """Fewer pages to learn from; and half of the pages by trees of the other half."""
    for parts in (2, 4):
        fewer = Laboratory(laboratory.pages, parts, len(laboratory.splits))
        yield f"{parts} folds", laboratory.f(fewer.out_of_fold(Learner()))
    for column in ("page.stretches", "page.tables", "page.height", "links.share", "text.prose"):
        value: dict[str, float] = {}
        for each in laboratory.pages:
            if each.alone.size:
                at = each.page.columns.index(column)
                value.setdefault(each.page.site, float(each.page.matrix[0, at]))
        middle = np.median(list(value.values()))
        half = [int(value.get(each.page.site, 0.0) > middle) for each in laboratory.pages]
        for name, learner in (
            ("", Learner()),
            (", randomised", RANDOMISED),
        ):
            chances = [laboratory.by_others(half, learner)]
            yield f"halves by {column}{name}", laboratory.f(chances)


def widths(laboratory: Laboratory, data: str, usual: Doubles) -> None:
    """Pages drawn otherwise, by trees of those drawn as usual, and by trees of both."""
    for width in WIDTHS:
        other = Laboratory(read(data, width), 2, 0)
        other.splits = laboratory.splits
        there = other.f(other.out_of_fold(Learner(), laboratory.pages))
        laboratory.tell(f"{width} px wide", there, usual)
        twice = [*laboratory.pages, *other.pages]
        more = Learner({"min_data_in_leaf": 40, "lambda_l2": 20.0})
        laboratory.tell("  trees of both widths", other.f(other.out_of_fold(more, twice)), there)
        laboratory.tell("  the same, pages as usual", laboratory.f(
            laboratory.out_of_fold(more, twice)), usual)  # fmt: skip


def main() -> None:
    """Read the pages, try, print."""
    words = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    words.add_argument("data")
    words.add_argument("--folds", type=int, default=7)
    words.add_argument("--splits", type=int, default=2)
    words.add_argument("--first", type=int, default=0)
    words.add_argument("--only", choices=PARTS, action="append")
    options = words.parse_args()
    laboratory = Laboratory(read(options.data), options.folds, options.splits, options.first)
    usual = laboratory.out_of_fold(Learner())
    f = laboratory.f(usual)
    laboratory.tell("as it ships", f)
    tried = {
        "bounds": bounds, "learners": learners, "choice": choice, "joint": joint, "nets": nets,
        "settled": settled, "granularity": granularity, "mark": mark, "pages": pages,
    }  # fmt: skip
    for part in options.only or PARTS:
        print(f"\n{part}")
        if part == "widths":
            widths(laboratory, options.data, f)
            continue
        for name, own in tried[part](laboratory, usual):
            laboratory.tell(name, own, f)


if __name__ == "__main__":
    main()
