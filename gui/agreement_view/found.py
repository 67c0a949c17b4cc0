"""What `pagelet agreement --lines` says of each page, as the Agreement view shows it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

LEVELS = ("main", "both", "1", "2")


@dataclass(frozen=True)
class FoundPage:
    """One page.

    Attributes:
        key, name: In the workspace, and what to call it.
        annotators: Who marked it.
        said: The coefficients as the command says them.
        shares, dial: B-cubed F once blocks below a share of the page are left out.
    """

    key: str
    name: str
    annotators: tuple[str, ...]
    said: Mapping[str, Any]
    shares: tuple[float, ...]
    dial: tuple[float, ...]

    @classmethod
    def of(cls, line: Mapping[str, Any]) -> "FoundPage":
        """Return what a line says."""
        return cls(
            line["key"],
            line["page"],
            tuple(line["annotators"]),
            line,
            tuple(float(each["share"]) for each in line["dial"]),
            tuple(_number(each["b3_f1"]) for each in line["dial"]),
        )

    def values(self, level: str, atoms: str) -> tuple[float, ...]:
        """Return Cohen, Fleiss, Krippendorff, B-cubed F and max(P, R); NaN where there is none."""
        if level == "main":
            kappas = [self.said["main"][atoms]]
        else:
            levels = ("1", "2") if level == "both" else (level,)
            kappas = [self.said["blocks"][f"level {each}, {atoms}"] for each in levels]
        names = ("cohen", "fleiss", "alpha")
        found = tuple(mean([_number(each[name]) for each in kappas]) for name in names)
        if level == "main":
            return (*found, np.nan, np.nan)
        of = {"both": "all"}.get(level, level)
        return (*found, _number(self.said["b3_f1"][of]), _number(self.said["b3_max"][of]))


def types_of(pages: Sequence[FoundPage]) -> list[tuple[str, int, float]]:
    """Return type with its level, on how many pages, mean alpha; those disagreed on most first."""
    found: dict[str, list[float]] = {}
    for page in pages:
        for name, values in page.said["types"].items():
            found.setdefault(name, []).append(_number(values["alpha"]))
    rows = [(name, len(values), mean(values)) for name, values in found.items()]
    return sorted(rows, key=lambda row: (np.isnan(row[2]), row[2]))


def page_in(line: str) -> tuple[FoundPage, int, int] | None:
    """Return what a line of output says, its number and of how many; None for what is none."""
    try:
        said = json.loads(line)
        return FoundPage.of(said), int(said["number"]), int(said["of"])
    except (ValueError, OverflowError, KeyError, TypeError):
        return None


def mean(values: Sequence[float]) -> float:
    """Return the mean of the numbers there are; NaN for none."""
    known = [value for value in values if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _number(value: float | None) -> float:
    return float("nan") if value is None else float(value)
