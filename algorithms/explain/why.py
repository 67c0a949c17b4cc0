"""Reasons for a method's decision on a text, its cost, and changes that reverse it.

Three answers, each from a run of the method itself:

- the decisions on it, from the method's trace (`algorithms.trace`);
- the cost: F1 (words in sequence) as it is, and with this one decision turned, all else left;
- the counterfactual: the smallest change of one parameter that turns the decision, found by
  running the method again and again, so that no change is named that does not turn it, with the
  F1 it gives and the number of runs it is the smallest of.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from algorithms.explain.counterfactuals import CounterfactualResult, CounterfactualSearch
from algorithms.explain.differences import words_kept
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Extraction, keep_words
from algorithms.templates.site import Site
from algorithms.trace import Decision
from engine.errors import PageletError
from engine.source import Source
from engine.tree import Bools


@dataclass(frozen=True)
class Why:
    """Explanation of the decision on one text.

    Attributes:
        method: The method's key.
        is_kept: The decision.
        decisions: One after the other; the last one holds.
        first, last: The words the last decision is about: the first, and one past the last.
        text: Their text.
        in_gold: Whether gold has it, by most of its words; None without gold.
        f1: As it is; None without gold.
        turned_f1: With this one decision turned; None without gold.
    """

    method: str
    is_kept: bool
    decisions: tuple[Decision, ...]
    first: int
    last: int
    text: str
    in_gold: bool | None = None
    f1: float | None = None
    turned_f1: float | None = None

    @property
    def sentence(self) -> str:
        """The last decision in words, with its numbers."""
        return self.decisions[-1].sentence


class TextQuery:
    """Query on one run: its trace and its score are computed once.

    Args:
        entry: The method; one whose trace is known.
        source: What it read.
        params: How.
        gold: The main content: a text; None where there is none.
        gold_words: Which words of ``source`` gold holds, bool (w,); None where it is not known.
        site: The page's, for methods that read it.
    """

    def __init__(
        self,
        entry: Method,
        source: Source,
        params: Params,
        gold: str | None = None,
        gold_words: Bools | None = None,
        site: Site | None = None,
    ) -> None:
        self._site = site
        trace = entry.trace_on(source, params, site)
        if trace is None:
            raise PageletError(f"{entry.name} gives no reasons for its decisions")
        self.entry, self.source, self.params = entry, source, params
        self._gold = None if gold is None else Words(gold)
        self._in_gold = gold_words
        self.trace = trace

    def why(self, word: int) -> Why | None:
        """Return why the word was kept or dropped; None if nothing was asked about it."""
        decisions = self.trace.decisions(word)
        if not decisions:
            return None
        first, last = decisions[-1].place
        is_kept = self.trace.kept
        turned = is_kept.copy()
        turned[first:last] = not decisions[-1].kept
        spans = self.source.tokens.spans[[first, last - 1]]
        text = self.source.text_of([[spans[0, 0], spans[1, 1]]])
        in_gold = None
        if self._in_gold is not None:
            in_gold = bool(self._in_gold[first:last].mean() > 0.5)
        return Why(
            self.entry.key, decisions[-1].kept, decisions, first, last, text, in_gold,
            self._f1(keep_words(self.source, is_kept)),
            self._f1(keep_words(self.source, turned)),
        )  # fmt: skip

    def counterfactual(
        self, why: Why, seconds: float = 3.0, is_wanted: Callable[[], bool] = lambda: True
    ) -> CounterfactualResult:
        """Return the smallest change of one parameter that turns a decision, of those tried.

        Parameters that bear on the decision come first.  After ``seconds``, or when it is stopped,
        the search ends with the best it has.  A change that empties the whole page is none: it does
        not explain this place.
        """
        until = time.monotonic() + seconds
        is_elsewhere = self.trace.kept.copy()
        is_elsewhere[why.first : why.last] = False
        keeps_more = bool(is_elsewhere.any())

        def rerun(params: Params) -> Extraction | None:
            result: Any = self.entry.run_on(self.source, params, self._site)
            every = words_kept(result, self.source)
            if why.is_kept and keeps_more and not every.any():
                return None
            is_kept = every[why.first : why.last]
            return result if bool(is_kept.mean() > 0.5) != why.is_kept else None

        return CounterfactualSearch(
            self.params,
            rerun,
            self._f1,
            lambda: time.monotonic() > until or not is_wanted(),
            outcome="dropped" if why.is_kept else "kept",
        ).smallest(why.decisions[-1].rule.parameters)

    def _f1(self, extraction: Extraction) -> float | None:
        if self._gold is None:
            return None
        return score_words(Words(extraction.text), self._gold).ws.f1
