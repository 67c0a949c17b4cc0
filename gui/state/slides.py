"""Slides of a presentation of the open page, and the steps of a method that works in rounds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from algorithms.core.attempt import Outcome
from algorithms.results import Extraction, Round, Segmentation
from annotate.marks.gold import Gold
from engine.words import plural
from gui.state.layers import GOLD_LAYERS, LayerState

SEPARATOR_COLOR = "#C2185B"
"""No layer of the usual ones has it, and it stands out from light pages and dark ones."""


class Stage(StrEnum):
    """Reading position in a round: one stage of the method after the other."""

    BLOCKS = "blocks"
    SEPARATORS = "separators"
    MERGED = "merged"


@dataclass(frozen=True)
class RoundStep:
    """A step of an algorithm to look at.

    Attributes:
        number: Of the round, from 1.
        shown: The round.
        stage: What of it.
    """

    number: int
    shown: Round
    stage: Stage


def steps_of(rounds: Sequence[Round]) -> tuple[RoundStep, ...]:
    """Return the steps, in order; no stage in which nothing was done."""
    result = []
    for number, shown in enumerate(rounds, start=1):
        result.append(RoundStep(number, shown, Stage.BLOCKS))
        if shown.separators:
            result.append(RoundStep(number, shown, Stage.SEPARATORS))
        if shown.merged:
            result.append(RoundStep(number, shown, Stage.MERGED))
    return tuple(result)


def step_at(rounds: Sequence[Round], index: int) -> RoundStep | None:
    """Return a step, from 1, the last where there are fewer; None for 0, which is the result."""
    steps = steps_of(rounds)
    return steps[min(index, len(steps)) - 1] if index and steps else None


def separator_fill(weight: int) -> float:
    """Return how dark a separator is, 0 to 1: weights are 1 to 10."""
    return 0.16 + 0.06 * min(max(weight, 1), 10)


@dataclass(frozen=True)
class Slide:
    """A slide: visible layers and notes.

    Attributes:
        key: The same for what is alike on another page: ``page``, a layer's key, that with the
            number of a step (``vips#3``), ``all``.
        title: What is shown.
        caption: Of it in a few words.
        layers: Keys of the layers drawn.
        step: Which step of a method that works in rounds is drawn, from 1; 0 for its result.
    """

    key: str
    title: str
    caption: str = ""
    layers: tuple[str, ...] = ()
    step: int = 0

    @property
    def layer(self) -> str:
        """The layer it is about; "" for none or several."""
        return self.layers[0] if len(self.layers) == 1 else ""


def slides_of(
    title: str,
    layers: Sequence[LayerState],
    is_chosen: Callable[[LayerState], bool],
    gold: Gold,
    outcomes: Mapping[str, Outcome],
) -> tuple[Slide, ...]:
    """Return the page alone, each chosen layer, step by step where it has rounds, then all.

    Layers without anything to show, such as gold where nothing is marked, are left out.
    """
    result = [Slide("page", title or "The page")]
    shown: list[str] = []
    for layer in layers:
        if is_chosen(layer):
            of_layer = tuple(_of_layer(layer, gold, outcomes.get(layer.key, Outcome())))
            result += of_layer
            shown += [layer.key] if of_layer else []
    if len(shown) > 1:
        names = [layer.title for layer in layers if layer.key in shown]
        result.append(Slide("all", "Together", ", ".join(names), tuple(shown)))
    return tuple(result)


def _of_layer(layer: LayerState, gold: Gold, outcome: Outcome) -> Iterator[Slide]:
    key, drawn = layer.key, (layer.key,)
    if layer.is_gold:
        count = len(gold.of_level(GOLD_LAYERS[key]))
        if count:
            yield Slide(key, layer.title, f"gold, {plural(count, 'mark')}", drawn)
        return
    result = outcome.result
    if isinstance(result, Segmentation):
        steps = steps_of(result.rounds)
        for number, step in enumerate(steps, start=1):
            where = f"round {step.number} of {steps[-1].number}: {step.stage}"
            text = f"{where}, {_counted(step)}"
            yield Slide(f"{key}#{number}", layer.title, text, drawn, number)
    if result is not None or outcome.error:
        yield Slide(key, layer.title, summary_of(outcome), drawn)


def summary_of(outcome: Outcome) -> str:
    """Return what a method gave, in a few words."""
    result = outcome.result
    if isinstance(result, Extraction):
        words = len(result.text.split())
        return f"{plural(words, 'word')} kept" if words else "nothing found"
    if isinstance(result, Segmentation):
        levels = sorted({block.level for block in result.blocks})
        counts = [sum(block.level == level for block in result.blocks) for level in levels]
        if len(levels) == 1:
            return plural(counts[0], "block")
        each = [f"{n} on level {level}" for n, level in zip(counts, levels, strict=True)]
        return f"blocks: {', '.join(each)}" if each else "nothing found"
    return outcome.error


def _counted(step: RoundStep) -> str:
    if step.stage is Stage.SEPARATORS:
        return plural(len(step.shown.separators), "separator")
    if step.stage is Stage.MERGED:
        return f"{plural(len(step.shown.merged), 'block')} merged"
    return f"{plural(len(step.shown.divided), 'block')} divided into {len(step.shown.found)}"
