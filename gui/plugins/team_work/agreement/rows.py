"""Row of the Agreement view, sent from the comparing process to the table."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algorithms.levels import LEVELS
from annotate.plugins.team_work.agreement import (
    AgreementLevel,
    PageAgreement,
    added_confusion,
    mean,
)


@dataclass(frozen=True)
class AgreementRow:
    """Agreement of the annotators on one page.

    Attributes:
        key, name: Its key in the workspace, and its title.
        agreement: How far its annotators agree.
    """

    key: str
    name: str
    agreement: PageAgreement


def types_of(
    rows: Sequence[AgreementRow], shown: AgreementLevel = "both"
) -> list[tuple[str, int, float]]:
    """Return types with level, number of pages and mean alpha, those most disagreed on first.

    Only types of the shown level are listed; main content has none.
    """
    result: dict[str, list[float]] = {}
    for row in rows:
        for (level, name), values in row.agreement.types.items():
            if shown in ("both", str(level)):
                result.setdefault(f"level {level}, {name}", []).append(values.alpha)
    means = [(name, len(values), mean(values)) for name, values in result.items()]
    return sorted(means, key=lambda each: (np.isnan(each[2]), each[2]))


def find_confused(
    rows: Sequence[AgreementRow], shown: AgreementLevel = "both"
) -> list[tuple[str, str, float]]:
    """Return pairs of types that two annotators gave to one text, with their share of characters.

    The share is of all characters in a block of any annotator; the largest come first.
    """
    result: list[tuple[str, str, float]] = []
    for level in LEVELS:
        if shown in ("both", str(level)):
            table = added_confusion(row.agreement.confusion[level] for row in rows)
            total = sum(table.values())
            result += [(a, b, n / total) for (a, b), n in table.items() if a != b and total > 0]
    return sorted(result, key=lambda each: (-each[2], each))
