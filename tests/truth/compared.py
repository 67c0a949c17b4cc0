"""How many figures were computed again, and which of them differ."""

from dataclasses import dataclass, field
from math import isclose
from typing import NamedTuple


class Difference(NamedTuple):
    where: tuple
    pagelet: float | str | None
    own: float | str | None


@dataclass
class Comparison:
    figures: int = 0
    different: list[Difference] = field(default_factory=list)

    def note(self, where: tuple, pagelet: float | None, own: float | None) -> None:
        """Compare to nine digits; no figure is the same as no figure alone."""
        self.figures += 1
        if pagelet is None or own is None:
            same = pagelet is own
        else:
            same = isclose(pagelet, own, rel_tol=1e-9, abs_tol=1e-9)
        if not same:
            self.different.append(Difference(where, pagelet, own))

    def note_text(self, where: tuple, pagelet: str, own: str) -> None:
        self.figures += 1
        if pagelet != own:
            self.different.append(Difference(where, pagelet, own))
