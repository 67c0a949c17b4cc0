"""How far to trust a suggested type: how often that suggestion was right on pages with gold.

The suggestions are those of `algorithms.features.block_types`.  Trees on the same columns as those
that tell blocks, with the suggestions among them, were no better (cross-validated by site on the
1,224 typed blocks of the random pages: 64 % right, macro F .47, against 66 % and .54), so the
confidence is learned.
"""

from collections import Counter
from collections.abc import Sequence

from algorithms.features.block_types import Typist
from algorithms.learning.blocks.candidates import seen_on_page
from engine.nodes import NodeTable

Suggestion = tuple[int, str, str]
"""Level, suggested type ("" for none) and the annotators' type of a block."""

Trust = dict[str, list[int]]
"""By level and suggested type how often it was right, and how often it was given."""

_RARE = 5
"""Types of fewer gold blocks are not in the macro F."""


def suggestions(nodes: NodeTable, typed: Sequence[tuple[int, int, str]]) -> tuple[Suggestion, ...]:
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


def check_trust(trust: Trust) -> None:
    """Raise `ValueError` or `TypeError` for an invalid value."""
    for right, given in trust.values():
        if type(right) is not int or type(given) is not int or not 0 <= right <= given:
            raise ValueError("its types are damaged")


def confidence(trust: Trust, level: int, suggested: str) -> float | None:
    """Return how probable a suggested type is right; None where nothing is known of it.

    Laplace's rule: one right and one wrong are added, so that few cases weigh little.
    """
    right, given = trust.get(f"{level} {suggested}", (0, 0))
    return (right + 1) / (given + 2) if given and suggested else None


def scores(by_site: dict[str, list[Suggestion]]) -> dict[str, float]:
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
