"""Which share of wrong types of gold blocks lies in the first tenth of what the auditor ranks.

    python -m tests.bench.planted_types DATA [--share .05] [--times 20]

Of the blocks that have a type ``--share`` get another one of their level: any other alike; as often
as types are; or one of twenty blocks and more.  All are ranked by suspicion.  Each row is a mean of
``--times`` plantings, and says which share of the errors is in the first tenth and twentieth, the
AUROC, and which share of the right blocks is in the first tenth: of types that are less than a
twentieth of their level, and of all others.  *Suggestion alone* is by how often the suggested type
is right on other sites.
"""

import argparse
from collections import Counter
from collections.abc import Sequence

import numpy as np

from algorithms.plugins.audit.type_audit import type_evidence
from algorithms.plugins.training.block_fit import Suggestion, Trust, confidence, trust_of
from annotate.plugins.audit.block_auditing import typed_blocks
from tests.bench.planted_blocks import read

MODES = ("any other type", "as often as types are", "a type of 20 blocks and more")
_OFTEN, _RARE, _TENTH, _TWENTIETH = 20, 0.05, 0.1, 0.05


def plant(
    made: Sequence[Suggestion], mode: str, share: float, rng: np.random.Generator
) -> tuple[list[Suggestion], np.ndarray]:
    """Return the blocks with errors, and which those are, bool (n,)."""
    golds = {level: Counter(kind for own, _, kind in made if own == level) for level in (1, 2)}
    result, is_wrong = list(made), np.zeros(len(made), dtype=bool)
    for k in rng.choice(len(made), int(share * len(made)), replace=False).tolist():
        level, suggested, kind = made[k]
        others = {name: count for name, count in golds[level].items() if name != kind}
        if mode == MODES[2]:
            others = {name: count for name, count in others.items() if count >= _OFTEN}
        often = np.array([*others.values()], dtype=float) ** (mode == MODES[1])
        other = rng.choice([*others], p=often / often.sum())
        result[k], is_wrong[k] = (level, suggested, str(other)), True
    return result, is_wrong


def by_suggestion(made: Sequence[Suggestion], sites: Sequence[str]) -> np.ndarray:
    """Return by how much suggestions on other sites alone contradict each type, (n,)."""
    elsewhere: dict[str, Trust] = {
        site: trust_of([each for each, own in zip(made, sites, strict=True) if own != site])
        for site in set(sites)
    }
    sure = [confidence(elsewhere[site], level, suggested) or 0.0
            for (level, suggested, _), site in zip(made, sites, strict=True)]  # fmt: skip
    differs = np.array([suggested != kind for _, suggested, kind in made])
    return np.where(differs & (np.array(sure) > 0.5), sure, 0.0)


def is_rare(made: Sequence[Suggestion]) -> np.ndarray:
    """Return which blocks are of a type that few blocks of their level have."""
    levels = Counter(level for level, _, _ in made)
    types = Counter((level, kind) for level, _, kind in made)
    return np.array([types[level, kind] < _RARE * levels[level] for level, _, kind in made])


def figures(score: np.ndarray, is_wrong: np.ndarray, rare: np.ndarray) -> list[float]:
    """Return what a row says of one planting; equal scores are in any order."""
    order = np.random.default_rng(0).permutation(score.size)
    rank = np.empty(score.size)
    rank[order[np.argsort(-score[order], kind="stable")]] = np.arange(score.size) / score.size
    wrong, right = rank[is_wrong], rank[~is_wrong]
    return [
        (wrong < _TENTH).mean(),
        (wrong < _TWENTIETH).mean(),
        (wrong[:, None] < right).mean(),
        (rank[~is_wrong & rare] < _TENTH).mean(),
        (rank[~is_wrong & ~rare] < _TENTH).mean(),
    ]


def main() -> None:
    """Measure, and print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("data")
    words.add_argument("--share", type=float, default=0.05)
    words.add_argument("--times", type=int, default=20)
    options = words.parse_args()
    pages = [typed_blocks(page) for page in read(options.data)]
    made = [each for page in pages for each in page.made]
    sites = [page.site for page in pages for _ in page.made]
    print(f"{len(pages)} pages, {len(made)} blocks, {int(options.share * len(made))} wrong")
    print(f"{'':<52} tenth 1/20  AUROC rare  others")
    for mode in MODES:
        rows: dict[str, list[list[float]]] = {"suggestion alone": [], "beside what is usual": []}
        for seed in range(options.times):
            wrong, is_wrong = plant(made, mode, options.share, np.random.default_rng(seed))
            rare = is_rare(wrong)
            scores = by_suggestion(wrong, sites), type_evidence(wrong, sites).suspicion
            for row, score in zip(rows.values(), scores, strict=True):
                row.append(figures(score, is_wrong, rare))
        for name, row in rows.items():
            print(f"{mode:<30}{name:<22}", *(f"{value:.3f}" for value in np.mean(row, axis=0)))


if __name__ == "__main__":
    main()
