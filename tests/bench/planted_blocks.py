"""Which share of errors planted in gold blocks lies in the first tenth of what the auditor ranks.

    python -m tests.bench.planted_blocks DATA [--share .05] [--folds 13] [--seed 1] [--fit]

Of the stretches that are gold blocks ``--share`` are left out, and as many that are none are
marked.  Terrain-learned then learns from the gold *with* these errors, in folds by site, and all
stretches are ranked by suspicion.  With ``--fit`` nothing is planted, and the weights of
`algorithms.plugins.audit.block_audit` are fitted and printed.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from algorithms.plugins.audit.block_audit import WEIGHTS, suspicion
from annotate.plugins.audit.block_auditing import (
    ReadBlocks,
    data_with_blocks,
    evidence_of,
    out_of_fold,
    read_blocks,
)
from engine.errors import PageletError
from engine.web.worker_browser import LateBrowser

KINDS = ("a block left out", "a stretch that is no block marked")
_STEPS, _RIDGE = 30, 1.0


def read(data: str) -> list[ReadBlocks]:
    """Read all pages with gold blocks, as the auditor does."""
    pages = []
    with LateBrowser() as browser:
        dataset = data_with_blocks(data)
        for name, files in dataset.pages:
            try:
                page = read_blocks(dataset.name, name, next(iter(files.values())), browser)
            except PageletError as error:
                print(f"{name}: {error}")
                continue
            if page is not None and len(page.blocks.stretches):
                pages.append(page)
    return pages


def counted(page: ReadBlocks) -> np.ndarray:
    """Return which stretches are asked about: one of each text, and none that is nearly gold."""
    blocks = page.blocks
    alone = blocks.same == np.arange(len(blocks.stretches))
    return alone & ((blocks.is_block == 1) | (blocks.is_block == 0))


def plant(pages: Sequence[ReadBlocks], share: float, seed: int) -> list[np.ndarray]:
    """Return of each stretch which kind of error it gets, -1 for none."""
    rng = np.random.default_rng(seed)
    kinds = [np.full(page.chance.size, -1) for page in pages]
    lists: tuple[list[tuple[int, int]], ...] = ([], [])
    for number, page in enumerate(pages):
        for index in np.flatnonzero(counted(page)).tolist():
            lists[int(page.blocks.is_block[index] == 0)].append((number, index))
    most = int(share * len(lists[0]))
    for kind, every in enumerate(lists):
        for chosen in rng.permutation(len(every))[:most].tolist():
            number, index = every[chosen]
            kinds[number][index] = kind
    return kinds


def planted(page: ReadBlocks, kind: np.ndarray) -> ReadBlocks:
    """Return a page with errors in its gold."""
    is_block = np.where(kind == 0, 0.0, np.where(kind == 1, 1.0, page.blocks.is_block))
    return replace(page, blocks=replace(page.blocks, is_block=is_block))


def fitted(pages: Sequence[ReadBlocks]) -> np.ndarray:
    """Return the weights of a logistic regression, by Newton's method with a ridge."""
    rows = np.concatenate([evidence_of(page).matrix[counted(page)] for page in pages])
    target = np.concatenate([(page.blocks.is_block == 1)[counted(page)] for page in pages])
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (target - chance) - _RIDGE * weights
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + _RIDGE * np.eye(weights.size)
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def tell(name: str, score: np.ndarray, kind: np.ndarray) -> None:
    """Print one row: shares of all errors, then the first tenth of each kind."""
    rank = np.empty(score.size)
    rank[np.argsort(-score, kind="stable")] = np.arange(score.size) / score.size
    shares = [(rank[kind >= 0] < limit).mean() for limit in (0.1, 0.05, 0.02)]
    by_kind = [(rank[kind == k] < 0.1).mean() for k in range(len(KINDS))]
    print(f"{name:<24}", *(f"{value:.3f}" for value in (*shares, *by_kind)))


def main() -> None:
    """Measure, and print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("data")
    words.add_argument("--share", type=float, default=0.05)
    words.add_argument("--folds", type=int, default=13)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--fit", action="store_true")
    options = words.parse_args()
    pages = read(options.data)
    if options.fit:
        weights = fitted(out_of_fold(pages, options.folds, 1, print))
        print({name: round(float(w), 2) for name, w in zip(WEIGHTS, weights, strict=True)})
        return
    kinds = plant(pages, options.share, options.seed)
    wrong = [planted(page, kind) for page, kind in zip(pages, kinds, strict=True)]
    wrong = out_of_fold(wrong, options.folds, 1, print)
    asked = [counted(page) for page in pages]
    kind = np.concatenate([own[each] for own, each in zip(kinds, asked, strict=True)])
    print(f"{len(pages)} pages, {kind.size} stretches, {(kind >= 0).sum()} wrong:",
          *(f"{(kind == k).sum()} {name};" for k, name in enumerate(KINDS)))  # fmt: skip
    print(f"{'':<24} tenth 1/20  1/50  then the first tenth of each kind")
    alone, every = [], []
    for page, each in zip(wrong, asked, strict=True):
        marked, near = page.blocks.is_block == 1, page.blocks.is_block > 0
        alone.append(np.where(marked, 1 - page.chance, page.chance)[each])
        every.append(suspicion(marked, near, evidence_of(page))[each])
    tell("terrain-learned alone", np.concatenate(alone), kind)
    tell("with others of its kind", np.concatenate(every), kind)


if __name__ == "__main__":
    main()
