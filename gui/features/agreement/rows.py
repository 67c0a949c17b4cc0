"""A page of the Agreement view, from the process that compared its marks to the table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from annotate.team.agreement import DIAL, PageAgreement

Level = Literal["both", "1", "2", "main"]
Atoms = Literal["chars", "nodes"]

_KEYS: dict[Level, str] = {"both": "all", "1": "1", "2": "2"}
"""What `PageAgreement` calls the levels of blocks."""


@dataclass(frozen=True)
class AgreementRow:
    """One page.

    Attributes:
        key, name: In the workspace, and what to call it.
        agreement: How far its annotators agree.
    """

    key: str
    name: str
    agreement: PageAgreement

    def values(self, level: Level, atoms: Atoms) -> tuple[float, ...]:
        """Return Cohen, Fleiss, Krippendorff, B³ and its larger part; NaN where there is none."""
        found = self.agreement
        if level == "main":
            beyond = found.main[atoms]
            return beyond.cohen, beyond.fleiss, beyond.alpha, np.nan, np.nan
        levels = (1, 2) if level == "both" else (int(level),)
        kappas = [found.blocks[each, atoms] for each in levels]
        of = _KEYS[level]
        return (
            mean([each.cohen for each in kappas]),
            mean([each.fleiss for each in kappas]),
            mean([each.alpha for each in kappas]),
            found.f1[of],
            found.maximum[of],
        )

    def dial(self, level: Level) -> tuple[float, ...]:
        """Return B-cubed F at each share of `DIAL`; NaN for main content, which has no blocks."""
        return self.agreement.dials[_KEYS[level]] if level != "main" else (np.nan,) * len(DIAL)


def types_of(rows: Sequence[AgreementRow], shown: Level = "both") -> list[tuple[str, int, float]]:
    """Return type with its level, on how many pages, mean alpha; those disagreed on most first.

    They are those of the level shown; main content has none.
    """
    found: dict[str, list[float]] = {}
    for row in rows:
        for (level, name), values in row.agreement.types.items():
            if shown in ("both", str(level)):
                found.setdefault(f"level {level}, {name}", []).append(values.alpha)
    means = [(name, len(values), mean(values)) for name, values in found.items()]
    return sorted(means, key=lambda each: (np.isnan(each[2]), each[2]))


def mean(values: Sequence[float]) -> float:
    """Return the mean of the numbers there are; NaN for none."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")
