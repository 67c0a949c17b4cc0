"""Why one row won: of the methods that choose the element with the highest value."""

import numpy as np
import numpy.typing as npt

from algorithms.trace import Rule, Trace, step
from engine.source import Source


def trace_best(source: Source, values: npt.ArrayLike, winner: int, rule: Rule, unit: str) -> Trace:
    """Return for each text the highest value around it, compared with the winner's.

    Args:
        source: The document.
        values: float64 (n,). Of each row; NaN for one that cannot win.
        winner: The row that won.
        rule: The criterion.
        unit: What the value counts, in the plural.
    """
    tree = source.tree
    value = np.asarray(values, dtype=np.float64).tolist()
    best, row_of = list(value), list(range(len(tree)))
    for row, parent in enumerate(tree.parent.tolist()):
        if parent >= 0 and not (best[row] > best[parent]) and best[parent] == best[parent]:
            best[row], row_of[row] = best[parent], row_of[parent]
    texts = np.flatnonzero(tree.is_text)
    inside = (texts >= winner) & (texts < int(tree.end[winner]))
    highest = np.where(inside, value[winner], np.array(best)[texts])
    name = tree.name_of(winner)
    notes = tuple(
        f"in <{name}>"
        if held
        else f"<{name}> has more {unit} than <{tree.name_of(row_of[row])}>, the best here"
        if best[row] == best[row]
        else f"<{name}> was chosen; no element around this text qualifies"
        for row, held in zip(texts.tolist(), inside.tolist(), strict=True)
    )
    at = tree.words[texts]
    return Trace((step(rule, at, inside, highest, value[winner], notes),), source.tokens.words.size)
