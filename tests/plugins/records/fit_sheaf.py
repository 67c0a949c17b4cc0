"""Train sheaf on pages with records: ``python -m tests.plugins.records.fit_sheaf FOLDER``.

FOLDER has NEXT-EVAL's form.  Prints the score by pages left out in turns, an eighth of the sites at
a time, divided in several ways, then writes the model that ships.  Training repeats: the same pages
give the same model.
"""

import argparse
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from algorithms.learning.forest import Forest
from algorithms.learning.model_file import pack_model
from algorithms.plugins.records import sheaf
from algorithms.plugins.records.elements import Elements
from algorithms.plugins.records.family_columns import COLUMNS, family_columns
from algorithms.plugins.records.like_siblings import Family, families_of, tag_paths_below
from algorithms.plugins.records.record_scores import RecordScore, overlap
from algorithms.plugins.training.boosting import fit_trees
from annotate.plugins.records.next_eval import record_pages, score_of
from resources import path

SETTINGS = {
    "objective": "regression", "num_leaves": 15, "learning_rate": 0.05, "min_data_in_leaf": 8,
    "feature_fraction": 0.4, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5,
    "extra_trees": True,
}  # fmt: skip
ROUNDS, SEEDS = 400, (0, 1, 2)

ONE_SITE = 0.4
"""Pages with more than this share of class names in common are of one site: the pages of NEXT-EVAL
have numbers for addresses."""


class Example(NamedTuple):
    name: str
    page: Elements
    families: list[Family]
    columns: np.ndarray
    quality: np.ndarray
    weight: np.ndarray
    true: list[frozenset]


def examples(folder: Path, names: set[str]) -> list[Example]:
    result = []
    for each in record_pages(folder):
        if names and each.name not in names:
            continue
        page = each.elements()
        paths = tag_paths_below(page)
        families = families_of(page, paths)
        true = each.true_records(page)
        holders: dict[object, set[int]] = {}
        for number, record in enumerate(true):
            for row in record:
                holders.setdefault(row, set()).add(number)
        quality = [np.mean(overlaps(page, family, true, holders)) for family in families]
        count = np.array([sum(len(one.records) for one in family) for family in families])
        weight = np.sqrt(count / np.maximum(len(true), count))
        columns = family_columns(page, paths, families)
        result.append(Example(each.name, page, families, columns, np.array(quality), weight, true))
    return result


def overlaps(page: Elements, family: Family, true: list[frozenset], holders: dict) -> list[float]:
    """Return the overlap of each record with the true one it overlaps most."""
    result = []
    for siblings in family:
        for record in siblings.records:
            rows = set(page.text_rows(record))
            near = set().union(*(holders.get(row, ()) for row in rows))
            result.append(max((overlap(rows, true[number]) for number in near), default=0.0))
    return result


def fit_forest(pages: list[Example]) -> Forest:
    """Return the mean of one forest a seed, as one."""
    matrix = np.concatenate([each.columns for each in pages])
    target = np.concatenate([each.quality for each in pages])
    weight = np.concatenate([each.weight for each in pages])
    forests = [
        fit_trees(matrix, target, weight, {**SETTINGS, "seed": seed}, rounds=ROUNDS, threads=1)
        for seed in SEEDS
    ]
    nodes = np.cumsum([0, *(forest.column.size for forest in forests[:-1])])
    columns = {name: [each.arrays[name] for each in forests] for name in forests[0].arrays}
    for name in ("roots", "left", "right"):
        columns[name] = [each + first for each, first in zip(columns[name], nodes, strict=True)]
    columns["value"] = [each / len(SEEDS) for each in columns["value"]]
    kinds = forests[0].arrays
    return Forest(**{k: np.concatenate(v).astype(kinds[k].dtype) for k, v in columns.items()})


def sites_of(pages: list[Elements]) -> np.ndarray:
    """Return a number for each page, (p,): equal for pages whose class names are of one site."""
    names = [
        {name for row in range(len(page)) for name in page.classes(row).split()} for page in pages
    ]
    site = np.arange(len(pages))
    for one, other in combinations(range(len(pages)), 2):
        both = len(names[one] & names[other])
        if both > ONE_SITE * (len(names[one]) + len(names[other]) - both):
            site[site == site[other]] = site[one]
    return np.unique(site, return_inverse=True)[1]


def score_left_out(pages: list[Example], division: int, parts: int = 8) -> list[RecordScore]:
    """Return the score of each page by a forest of the sites of the other parts."""
    site = sites_of([each.page for each in pages])
    part_of = np.random.default_rng(division).permutation(site.max() + 1)[site] % parts
    scores: list[RecordScore] = [RecordScore(0, 0, 0)] * len(pages)
    for part in range(parts):
        forest = fit_forest([pages[number] for number in np.flatnonzero(part_of != part)])
        for number in np.flatnonzero(part_of == part):
            each = pages[number]
            found = sheaf.choose_records(each.page, each.families, forest.scores(each.columns))
            scores[number] = score_of(each.page, found, each.true)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", default="", help="names, separated by commas (default: all)")
    parser.add_argument("--divisions", type=int, default=3, help="ways to divide the sites")
    parser.add_argument("--out", type=Path, default=path("sheaf/model.npz"))
    options = parser.parse_args()
    pages = examples(options.folder, set(filter(None, options.pages.split(","))))
    scores = np.array([score_left_out(pages, division) for division in range(options.divisions)])
    for division, (precision, recall, f1) in enumerate(scores.mean(axis=1)):
        print(f"left out, {division}: precision {precision:.3f}, recall {recall:.3f}, F1 {f1:.3f}")
    by_page = scores[:, :, 2].mean(axis=0)
    error = by_page.std(ddof=1) / len(pages) ** 0.5
    print(f"F1 of all divisions {by_page.mean():.3f} ± {error:.3f}, the standard error over pages")
    card = {"pages": len(pages), "records": sum(len(each.true) for each in pages)}
    head = {"format": sheaf.FORMAT, "version": sheaf.VERSION, "columns": COLUMNS, "card": card}
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_bytes(pack_model(head, fit_forest(pages).arrays))


if __name__ == "__main__":
    main()
