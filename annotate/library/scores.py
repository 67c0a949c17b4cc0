"""Scores of a result, by measure, as Python and notebooks show them."""

from collections.abc import Mapping

from algorithms.measures.prf import Score
from annotate.evaluation.report.markup import table_html


class Scores(dict[str, Score]):
    """Measure → score with ``value``, ``precision`` and ``recall``.

    Attributes:
        why_none: Why there is none, in one sentence; "" where there are some.
        gold_seen: Whether the method learned from the gold of this page.
        input: What the method read of the page; "" where nothing was run.
    """

    def __init__(
        self,
        scores: Mapping[str, Score] | None = None,
        why_none: str = "",
        *,
        gold_seen: bool = False,
        input: str = "",
    ) -> None:
        super().__init__(scores or {})
        self.why_none, self.gold_seen, self.input = why_none, gold_seen, input

    def __repr__(self) -> str:
        if self.why_none:
            return f"Scores(none: {self.why_none})"
        parts = [f"{key}={_number(each.value)}" for key, each in self.items()]
        parts += [f"input={self.input!r}"] * bool(self.input) + ["gold_seen=True"] * self.gold_seen
        return f"Scores({', '.join(parts)})"

    def _repr_html_(self) -> str:
        if self.why_none:
            return table_html([], [], f"No scores: {self.why_none}")
        lines = [
            [key, *map(_number, (score.value, score.precision, score.recall))]
            for key, score in self.items()
        ]
        note = f"The method read the page as {self.input}." if self.input else ""
        note += " It has seen the gold of this page." if self.gold_seen else ""
        return table_html(["measure", "value", "P", "R"], lines, note)


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
