"""One answer for any method: why a place of a page was kept, dropped, or made a block.

What a run has been asked is kept (`Explainer`), so that the next question about it costs a look-up
and two scores, not another trace.
"""

from collections.abc import Callable
from dataclasses import dataclass

from algorithms.core.attempt import GoldResults
from algorithms.explain.counterfactuals import CounterfactualResult
from algorithms.explain.differences import words_kept
from algorithms.explain.page_errors import TextRange, in_source, word_at
from algorithms.explain.why import BlockQuery, BlockSteps, BlockWhy, TextQuery, Why, reason_at
from algorithms.measures.text_comparison import LEAST_ON_PAGE, share_on_page
from algorithms.method import Method
from algorithms.params import Params
from algorithms.results import Result, Segmentation
from algorithms.templates.site import Site
from algorithms.trace import Trace
from engine.errors import PageletError
from engine.nodes import NodeTable
from engine.page import Input, Page
from engine.source import Source
from engine.words import quote_start

_MOST_TEXT = 160
"""Code points of the text of a place, on one line."""

_TEXT_GOLD = {
    True: "Gold keeps this text.",
    False: "Gold leaves this text out.",
    None: "Gold cannot judge this text: less than half of the gold is on the page.",
}
_BLOCK_GOLD = {
    True: "Gold speaks against this decision.",
    False: "Gold supports this decision.",
    None: "Gold says nothing about this decision.",
}


@dataclass(frozen=True)
class Location:
    """Location that a question is about.

    Attributes:
        row: A row of the page; -1 for words the page does not show.
        offset: A place in the row's text, code points; -1 for the row as a whole.
        word: A word of what the method reads, where that is known better than the row; else -1.
        of: The key of the method that ``word`` is of.
    """

    row: int
    offset: int = -1
    word: int = -1
    of: str = ""


@dataclass(frozen=True, eq=False)
class FinishedRun:
    """A method as it was run, and its result; with its site if it reads that."""

    entry: Method
    params: Params
    source: Input
    result: Result
    site: Site | None = None


@dataclass(frozen=True)
class DecidedLocation:
    """Part of the page that a decision is about: rows, or parts of texts."""

    rows: tuple[int, ...] = ()
    texts: tuple[TextRange, ...] = ()


NOWHERE = DecidedLocation()
"""Of what the page does not show."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """Explanation of one method's decision at a location.

    Attributes:
        key, name: The method's.
        is_kept: The decision: kept or dropped, in a block or in none; None if nothing was.
        sentence: Why, with the numbers.
        steps: The decisions on the way, in order; empty where there was one.
        text: Text of the place; "" for blocks.
        location: What of the page the decision is about.
        step_locations: The same for each of the steps.
        why: The decision itself, where it can be turned.
    """

    key: str
    name: str
    is_kept: bool | None
    sentence: str
    steps: tuple[str, ...] = ()
    text: str = ""
    location: DecidedLocation = NOWHERE
    step_locations: tuple[DecidedLocation, ...] = ()
    why: Why | BlockWhy | None = None

    @property
    def is_wrong(self) -> bool | None:
        """Whether the decision differs from gold; None where gold has no answer."""
        if self.why is None or self.why.in_gold is None:
            return None
        return self.why.in_gold != self.why.is_kept

    @property
    def cost(self) -> str:
        """Cost of the decision, in words; "" where that is not known."""
        why = self.why
        if isinstance(why, BlockWhy) and why.why_no_f1:
            return f"No {why.measure}: {why.why_no_f1}."
        if why is None or why.f1 is None or why.turned_f1 is None:
            return ""
        if isinstance(why, BlockWhy):
            gold, measure = _BLOCK_GOLD[self.is_wrong], why.measure
        else:
            gold, measure = _TEXT_GOLD[why.in_gold], "F1"
        f1, turned_f1 = f"{why.f1:.3f}", f"{why.turned_f1:.3f}"
        then = "about the same" if f1 == turned_f1 else turned_f1
        return f"{gold} {measure} is {f1}; with this one decision reversed, {then}."

    def lines(self, turned: CounterfactualResult | None = None) -> list[str]:
        """Return the explanation as lines, with the change that reverses the decision if known."""
        lines = [f"{self.key}: {self.sentence}"]
        if self.text:
            lines.append(f"  about: {quote_start(self.text, _MOST_TEXT)}")
        if self.steps:
            lines.append("  steps:")
            lines += [f"    {n}. {step}" for n, step in enumerate(self.steps, start=1)]
        lines += [f"  {line}" for line in (self.cost, turned and turned.sentence) if line]
        return lines


class Explainer:
    """Explainer of the runs on one page; remembers each run's trace."""

    def __init__(self, page: Page, gold: GoldResults) -> None:
        self.page, self.gold = page, gold
        self._asked: dict[str, tuple[tuple[object, ...], TextQuery]] = {}
        self._asked_blocks: dict[str, BlockQuery] = {}
        self._traces: dict[str, tuple[Segmentation, Trace | None]] = {}  # of segmentations

    def explain(self, setup: FinishedRun, location: Location) -> Explanation:
        """Return why a place is in a result or not."""
        key, name = setup.entry.key, setup.entry.name
        if isinstance(setup.result, Segmentation):
            if location.row < 0:
                return Explanation(key, name, None, "this text is not visible on the page")
            way = self._way_to(setup, setup.result, location.row)
            is_block, sentence, rows, more = reason_at(
                setup.result, location.row, with_rounds=not way
            )
            steps = (*way, *more)
            return Explanation(
                key, name, is_block, sentence, tuple(step for step, _ in steps),
                location=DecidedLocation(rows),
                step_locations=tuple(DecidedLocation(rows) for _, rows in steps),
                why=self._blocks(setup, setup.result).why(location.row),
            )  # fmt: skip
        if not setup.entry.says_why or setup.source == "rendered":
            whose = "" if setup.entry.is_own else ": it is a third-party program"
            return Explanation(key, name, None, f"it gives no reasons{whose}")
        source = self.page.source(setup.source)
        word = location.word if location.of == key and location.word >= 0 else -1
        if word < 0 and location.row >= 0:
            word = word_at(self.page, source, location.row, location.offset)
        if word < 0:
            return Explanation(key, name, None, "it reads no text here")
        why = self.asked(setup).why(word)
        if why is None:
            return Explanation(key, name, None, "it decides nothing about this text")
        decisions = why.decisions if len(why.decisions) > 1 else ()
        return Explanation(
            key, name, why.is_kept, why.sentence, tuple(each.sentence for each in decisions),
            why.text,
            location=self._location(source, why.first, why.last),
            step_locations=tuple(self._location(source, *each.place) for each in decisions),
            why=why,
        )  # fmt: skip

    def _location(self, source: Source, first: int, last: int) -> DecidedLocation:
        """Return the location of a run of source words on the page, if that was rendered."""
        if self.page.nodes is None:
            return NOWHERE
        spans, visible = source.tokens.spans, self.page.rendered().visible
        result = self.page.alignment(source).ranges([[spans[first, 0], spans[last - 1, 1]]])
        return DecidedLocation(texts=tuple((a, b, c) for a, b, c in result.tolist() if visible[a]))

    def _way_to(self, setup: FinishedRun, result: Segmentation, row: int) -> BlockSteps:
        """Return a segmenter's decisions from the root of the page down to a row."""
        nodes = self.page.rendered()
        rows = [row]
        while nodes.parent[rows[-1]] >= 0:
            rows.append(int(nodes.parent[rows[-1]]))
        cached = self._traces.get(setup.entry.key)
        if cached is None or cached[0] is not result:
            trace = setup.entry.trace(self.page, setup.params, setup.source)
            cached = self._traces[setup.entry.key] = (result, trace)
        if cached[1] is None:
            return ()
        return tuple(
            (f"{_named(nodes, each)} {decision.sentence}", (each,))
            for each, decision in cached[1].on_path(rows[::-1])
        )

    def counterfactual(
        self,
        setup: FinishedRun,
        why: Why | BlockWhy,
        seconds: float = 3.0,
        is_wanted: Callable[[], bool] = lambda: True,
    ) -> CounterfactualResult:
        """Return the smallest change of one parameter that turns a decision, of those tried."""
        if isinstance(why, Why):
            return self.asked(setup).counterfactual(why, seconds, is_wanted)
        assert isinstance(setup.result, Segmentation)
        return self._blocks(setup, setup.result).counterfactual(why, seconds, is_wanted)

    def _blocks(self, setup: FinishedRun, result: Segmentation) -> BlockQuery:
        cached = self._asked_blocks.get(setup.entry.key)
        if cached is None or cached.result is not result:
            cached = BlockQuery(
                setup.entry, self.page, setup.params, setup.source, result, self.gold.block_gold
            )
            self._asked_blocks[setup.entry.key] = cached
        return cached

    def asked(self, setup: FinishedRun) -> TextQuery:
        """Return the run that is asked; `PageletError` if its method shows no decisions."""
        of = (setup.params, setup.source, setup.site)
        cached = self._asked.get(setup.entry.key)
        if cached is None or cached[0] != of:
            source, text = self.page.source(setup.source), self.gold.text
            gold_words = None
            if text is not None and share_on_page(text) >= LEAST_ON_PAGE:
                gold_words = words_kept(in_source(self.page, text, source))
            gold = None if text is None else text.text
            made = TextQuery(setup.entry, source, setup.params, gold, gold_words, setup.site)
            cached = self._asked[setup.entry.key] = (of, made)
        return cached[1]


def _named(nodes: NodeTable, row: int) -> str:
    return "the text" if nodes.is_text[row] else f"<{nodes.name_of(row)}>"


def safely(explainer: Explainer, setup: FinishedRun, location: Location) -> Explanation:
    """Return an explanation, or one of its failure."""
    try:
        return explainer.explain(setup, location)
    except PageletError as error:
        return Explanation(setup.entry.key, setup.entry.name, None, str(error))
