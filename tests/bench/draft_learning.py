"""How many actions a block learned drafts cost, page by page, to an annotator simulated from gold.

    python -m tests.bench.draft_learning sites
    python -m tests.bench.draft_learning random

Pages are taken in random orders (a fixed seed); after so many that are confirmed as the gold has
them, the drafts of those that follow are scored.  Actions are those of measurements.md#marking: 2
for a block made from nothing, 1 to give another type, 1 to delete, and 1 to confirm all drafts in
view, views being 800 px high; where it is cheaper, all drafts are dropped by 1 and the page is
marked from nothing.  Drafts of a method as it ships, taken over by 1, are counted alike.

Gold blocks of ``sites`` are made by `BLOCKS`, paths for each site as its main content is made by
paths; what a page does not show is left out.  Its main content is that of the data set, where a run
of texts is added by 2 actions and taken out by 1.  The shipped Gleaner was trained on these pages,
too (with a weight of .15): `--gleaner FILE` takes another.  On the random pages, each a site of its
own, terrain-learned is trained anew without the pages of each fold.
"""

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import lxml.html
import numpy as np

from algorithms.core.catalogue import method
from algorithms.extraction.gleaner.gleaner_model import load as load_gleaner
from algorithms.learning.blocks.block_model import BlockModel
from algorithms.plugins.training.block_fit import BlockPage, fit_blocks, fit_levels, folds
from annotate.datasets import sites
from annotate.datasets.case_files import align_gold
from annotate.library.page_cases import dataset
from annotate.library.pages import OpenPage
from annotate.marks import edits
from annotate.marks.gold import MAIN, Gold, Target
from annotate.marks.learned.learned_drafts import LearnedDraft, learned_drafts
from annotate.marks.learned.memory import Lesson, lesson, memory_of
from annotate.marks.learned.offers import Models, Offer, list_shipped, offer
from annotate.plugins.training.training import block_pages
from engine.errors import InputError
from engine.page import Page
from tests.bench.test_bench_transfer import marks_at, path_of
from tests.outside import datasets_folder

BLOCKS: dict[str, tuple[tuple[int, str, str], ...]] = {
    "flink": (
        (1, "Header", "/html/body/header"), (2, "Logo", "//a[@class='navbar-brand']"),
        (2, "Menu", "//div[@id='navbarSupportedContent']"), (1, "Content", "//main//article"),
        (2, "Title", "//main//article/h1"), (1, "Sidebar", "//aside[@class='book-toc']"),
        (1, "Footer", "/html/body/footer"), (2, "Link list", "//footer//div[@class='panel']"),
    ),
    "httpd": (
        (1, "Header", "//div[@id='page-header']"),
        (2, "Menu", "//div[@id='page-header']/p[@class='menu']"),
        (2, "Link list", "//div[@id='path']"), (1, "Content", "//div[@id='page-content']"),
        (2, "Title", "//div[@id='preamble']/h1"), (2, "Link list", "//div[@id='quickview']"),
        (2, "Article", "//div[@id='page-content']/div[@class='section']"),
        (2, "Comments", "/html/body/div[@class='section']"), (1, "Footer", "//div[@id='footer']"),
    ),
    "numpy": (
        (1, "Header", "/html/body/header"), (2, "Menu", "/html/body/header//nav"),
        (1, "Sidebar", "//div[@id='pst-primary-sidebar']"),
        (2, "Link list", "//nav[contains(@class,'bd-docs-nav')]"), (1, "Content", "//article"),
        (2, "Title", "//article//h1"), (1, "Sidebar", "//div[@id='pst-secondary-sidebar']"),
        (2, "Link list", "//footer[contains(@class,'prev-next-footer')]"),
        (1, "Footer", "/html/body/footer"),
    ),
    "calcite": (
        (1, "Header", "/html/body/header"), (1, "Header", "/html/body/div[@class='topNav']"),
        (2, "Menu", "/html/body/div[@class='subNav']"), (1, "Content", "//article"),
        (1, "Content", "//div[@class='contentContainer']"), (2, "Title", "//article//h1"),
        (2, "Title", "/html/body/div[@class='header']/h2"), (1, "Sidebar", "//aside"),
        (2, "Link list", "//aside/ul"), (2, "Table", "//div[@class='summary']"),
        (1, "Footer", "/html/body/footer"), (1, "Footer", "/html/body/div[@class='bottomNav']"),
    ),
    "sqlite": (
        (1, "Header", "/html/body/div[@class='nosearch'][1]"),
        (2, "Menu", "//div[contains(@class,'mainmenu')]/ul"),
        (2, "Title", "//div[@class='fancy_title']"), (2, "Link list", "//div[@class='fancy_toc']"),
        (1, "Content", "/html/body/div[@class='fancy']"),
        (2, "Title", "/html/body/div[@class='nosearch'][2]//h2"),
    ),
    "xstream": (
        (1, "Sidebar", "//div[@id='left']"), (2, "Link list", "//div[@class='MenuGroup']"),
        (1, "Content", "//div[@id='content']"), (2, "Title", "//div[@id='content']/h1[1]"),
        (1, "Header", "//div[@id='banner']"), (1, "Footer", "//div[@id='footer']"),
        (1, "Header", "/html/body/div[@class='topNav']"),
        (1, "Content", "//div[@class='contentContainer']"),
        (2, "Menu", "/html/body/div[@class='subNav']"),
    ),
    "datascience1": (
        (1, "Header", "//header[@id='quarto-header']"),
        (1, "Sidebar", "//nav[@id='quarto-sidebar']"),
        (2, "Menu", "//div[@class='sidebar-menu-container']"),
        (1, "Sidebar", "//div[@id='quarto-margin-sidebar']"),
        (1, "Content", "//main[@id='quarto-document-content']"),
        (2, "Title", "//header[@id='title-block-header']"),
        (2, "Article", "//main/section[contains(@class,'level2')]"),
        (2, "Link list", "//nav[@class='page-navigation']"),
    ),
}  # fmt: skip
"""Level, type and path of the blocks of each site."""

AFTER = (0, 1, 5, 10, 20)
VIEW = 800
ORDERS, SEED, MOST_TESTED = 3, 25, 20


@dataclass(frozen=True, eq=False)
class SimulatedPage:
    """A page with its gold and what the models make of it."""

    site: str
    offer: Offer
    gold: Gold
    lesson: Lesson
    methods: dict[str, tuple[LearnedDraft, ...]]


@dataclass
class Actions:
    """What a page, or many, took."""

    blocks: int = 0
    count: float = 0.0
    deleted: int = 0
    typed: int = 0
    missing: int = 0
    confirmed: int = 0
    drafts: int = 0
    right: int = 0
    confidence: float = 0.0

    def add(self, other: "Actions") -> None:
        for name in (each.name for each in fields(self)):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def each(self) -> float:
        return self.count / max(self.blocks, 1)

    def __str__(self) -> str:
        n, drafts = max(self.blocks, 1), max(self.drafts, 1)
        return (
            f"{self.each:.2f} (missing {2 * self.missing / n:.2f}, types {self.typed / n:.2f}, "
            f"wrong {self.deleted / n:.2f}, confirming {self.confirmed / n:.2f}), confidence "
            f"{self.confidence / drafts:.2f}, right {self.right / drafts:.2f}"
        )


def of_blocks(page: SimulatedPage, drafts: Iterable[LearnedDraft], taken_over: int = 0) -> Actions:
    """Return the actions that make the gold blocks of a page from drafts."""
    offered, rect = page.offer, page.offer.nodes.rect
    gold = {
        (level, _content(offered, [t.row for t in mark.targets])): mark
        for level in (1, 2)
        for mark in page.gold.of_level(level)
    }
    made = {(d.level, _content(offered, [d.target.row])): d for d in drafts if d.level != MAIN}
    right = gold.keys() & made.keys()
    views = {int(rect[made[key].target.row, 1]) // VIEW for key in right}
    result = Actions(
        len(gold), 0, len(made.keys() - gold.keys()),
        sum(made[key].type != gold[key].type for key in right), len(gold) - len(right), len(views),
    )  # fmt: skip
    spent = result.deleted + result.typed + 2 * result.missing + result.confirmed + taken_over
    scratch = 2 * len(gold) + bool(made)
    if spent > scratch:
        result = Actions(len(gold), scratch, int(bool(made)), 0, len(gold), 0)
    else:
        result.count = spent
    result.drafts, result.confidence = len(made), sum(d.confidence for d in made.values())
    result.right = sum(made[key].type == gold[key].type for key in right)
    return result


def _content(page: Offer, rows: Sequence[int]) -> tuple[int, ...]:
    items = {int(page.of_row[row]) for row in rows}
    return tuple(sorted(items)) if -1 not in items else tuple(-row - 2 for row in rows)


def of_main(page: SimulatedPage, drafts: Iterable[LearnedDraft]) -> Actions:
    """Return the actions that make the main content of a page from drafts; blocks are runs."""
    offered = page.offer
    gold = offered.is_marked(page.gold, MAIN)
    targets = [draft.target for draft in drafts if draft.level == MAIN]
    made = offered.is_marked(edits.add_main(Gold(), offered.nodes, targets), MAIN)
    tops = offered.nodes.rect[[t.row for t in targets if _holds(page, t, gold)], 1]
    views = len({int(top) // VIEW for top in tops})
    runs, missing, wrong = _runs(gold), _runs(gold & ~made), _runs(made & ~gold)
    spent = 2 * missing + wrong + views
    scratch = 2 * runs + bool(made.any())
    if spent > scratch:
        return Actions(runs, scratch, int(made.any()), 0, runs, 0)
    return Actions(runs, spent, wrong, 0, missing, views)


def _holds(page: SimulatedPage, target: Target, gold: np.ndarray) -> bool:
    rows = page.offer.items[MAIN].rows
    inside = (rows >= target.row) & (rows < page.offer.nodes.end[target.row])
    return bool((inside & gold).any())


def _runs(flags: np.ndarray) -> int:
    return int(np.diff(np.concatenate(([0], flags.astype(int)))).clip(min=0).sum())


# pages ----------------------------------------------------------------------------------------
def site_pages(path: Path, names: Sequence[str], gleaner: str) -> list[SimulatedPage]:
    models = list_shipped()
    if gleaner:
        models = Models(load_gleaner(Path(gleaner)), models.blocks)
    result = []
    abouts: dict[str, dict] = {}
    for case in sites.pages(path, []):
        if names and case.site_name not in names:
            continue
        page = _rendered(OpenPage(case.document()))
        about = abouts.setdefault(case.site_name, json.loads((case.site / "site.json").read_text()))
        main = Gold()
        if case.has_gold:
            main = marks_at(page, about["templates"][case.template]) or Gold()
            main = main if main.marks else align_gold(page.rendered(), case.text()).gold
        gold = blocks_at(page, case.site_name, main)
        result.append(simulated(page, case.site_name, gold, models))
    return result


def _rendered(page: OpenPage) -> Page:
    return page.rendered


def blocks_at(page: Page, site: str, gold: Gold) -> Gold:
    """Return the gold with the blocks of a site; each text once a level."""
    nodes = page.rendered()
    tree = lxml.html.document_fromstring(page.source("dom").html)
    rows = {nodes.path(row): row for row in np.flatnonzero(~nodes.is_text).tolist()}
    for level, kind, where in BLOCKS[site]:
        for element in tree.xpath(where):
            row = rows.get(path_of(element), -1)
            if row < 0 or not nodes.visible[row] or not nodes.text_below(row).strip():
                continue
            try:
                gold = edits.add_block(gold, nodes, [Target(row)], level, kind)
            except InputError:
                continue
    return gold


def simulated(page: Page, site: str, gold: Gold, models: Models) -> SimulatedPage:
    offered = offer(page, site, models)
    made = {key: blocks_of(page, key) for key in ("terrain", "terrain-learned")}
    return SimulatedPage(site, offered, gold, lesson(offered, gold), made)


def blocks_of(page: Page, key: str) -> tuple[LearnedDraft, ...]:
    entry = method(key)
    blocks = entry.on_page(page, entry.params()).blocks
    return tuple(LearnedDraft(b.level, Target(b.rows[0]), b.type, 1.0) for b in blocks)


def random_pages(path: Path, parts: int) -> list[SimulatedPage]:
    """The random pages, as repaired; trees of terrain-learned are those of other folds."""
    learned = list(block_pages([path], []))
    number = folds(learned, parts)
    models = []
    for fold in range(parts):
        rest = [p for p, own in zip(learned, number, strict=True) if own != fold and p.teaches]
        models.append(_model(rest))
    fold_of = {page.name: own for page, own in zip(learned, number, strict=True)}
    main = list_shipped()
    result = []
    for case in dataset(path, variants=("repaired",)):
        page = _rendered(case.page)
        gold = next(iter(case.files.values())).shown(page)[0]
        if case.name in fold_of and gold.of_level(2):
            used = Models(main.main, models[fold_of[case.name]])
            result.append(simulated(page, case.name, gold, used))
    return result


def _model(pages: Sequence[BlockPage]) -> BlockModel:
    card = list_shipped().blocks.card
    return BlockModel(
        pages[0].columns, fit_blocks(pages, 150, 1), fit_levels(pages, 1), {"types": card["types"]}
    )


# the simulation -------------------------------------------------------------------------------
def simulate(pages: Sequence[SimulatedPage], after: Sequence[int]) -> dict[str, dict[str, Actions]]:
    """Return "blocks" and "main" → what drafts came from → actions."""
    dice = random.Random(SEED)
    totals: dict[str, dict[str, Actions]] = {
        "blocks": defaultdict(Actions), "main": defaultdict(Actions)
    }  # fmt: skip
    for _ in range(ORDERS):
        order = list(pages)
        dice.shuffle(order)
        for count in after:
            if count >= len(order):
                continue
            memory = memory_of([each.lesson for each in order[:count]])
            name = f"after {count}"
            for page in order[count : count + MOST_TESTED]:
                drafts = learned_drafts(page.offer, memory, (MAIN, 1, 2))
                totals["blocks"][name].add(of_blocks(page, drafts))
                if page.gold.of_level(MAIN):
                    totals["main"][name].add(of_main(page, drafts))
        for page in order[:MOST_TESTED]:
            for key, drafts in page.methods.items():
                totals["blocks"][key].add(of_blocks(page, drafts, 1))
            totals["blocks"]["from nothing"].add(of_blocks(page, ()))
            if page.gold.of_level(MAIN):
                totals["main"]["from nothing"].add(of_main(page, ()))
    return totals


def show(name: str, totals: dict[str, dict[str, Actions]]) -> None:
    for what, by in totals.items():
        for origin, actions in by.items():
            print(f"{name:<14}{what:<8}{origin:<18}{actions.blocks:>6} blocks  {actions}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("sites", "random"))
    parser.add_argument("--only", default="", help="sites, separated by commas")
    parser.add_argument("--gleaner", default="", help="a model of main content")
    parser.add_argument("--folds", type=int, default=5)
    options = parser.parse_args()
    if options.what == "random":
        show(
            "random",
            simulate(
                random_pages(datasets_folder() / "kreuzer-random", options.folds), (*AFTER, 50)
            ),
        )
        return
    names = [name for name in options.only.split(",") if name] or list(BLOCKS)
    every: dict[str, dict[str, Actions]] = {
        "blocks": defaultdict(Actions), "main": defaultdict(Actions)
    }  # fmt: skip
    for name in names:
        totals = simulate(site_pages(datasets_folder() / "sites", [name], options.gleaner), AFTER)
        show(name, totals)
        for what, by in totals.items():
            for origin, actions in by.items():
                every[what][origin].add(actions)
    show("all", every)


if __name__ == "__main__":
    main()
