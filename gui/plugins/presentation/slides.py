"""Slides of the open page: which a presentation has, in which order, with their captions."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from algorithms.core.attempt import Outcome
from algorithms.results import Extraction, Segmentation
from annotate.marks.gold import Gold
from engine.words import plural
from gui.state.layers import GOLD_LAYERS, LayerState
from gui.state.round_steps import DrawnLayers, RoundStep, Stage, steps_of

NOTHING = DrawnLayers()
"""The page alone."""


@dataclass(frozen=True)
class Slide:
    """A slide: visible layers and notes.

    Attributes:
        key: The same for what is alike on another page: ``page``, a layer's key, that with the
            number of a step (``vips#3``), ``all``.
        title: What is shown.
        caption: Of it in a few words.
        drawn: The layers drawn.
    """

    key: str
    title: str
    caption: str = ""
    drawn: DrawnLayers = NOTHING


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
        result.append(Slide("all", "Together", ", ".join(names), DrawnLayers(tuple(shown))))
    return tuple(result)


def _of_layer(layer: LayerState, gold: Gold, outcome: Outcome) -> Iterator[Slide]:
    key, drawn = layer.key, (layer.key,)
    if layer.is_gold:
        count = len(gold.of_level(GOLD_LAYERS[key]))
        if count:
            yield Slide(key, layer.title, f"gold, {plural(count, 'mark')}", DrawnLayers(drawn))
        return
    result = outcome.result
    if isinstance(result, Segmentation):
        steps = steps_of(result.rounds)
        for number, step in enumerate(steps, start=1):
            where = f"round {step.number} of {steps[-1].number}: {step.stage}"
            text = f"{where}, {_counted(step)}"
            yield Slide(f"{key}#{number}", layer.title, text, DrawnLayers(drawn, number))
    if result is not None or outcome.error:
        yield Slide(key, layer.title, summary_of(outcome), DrawnLayers(drawn))


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
