"""Models of ``pagelet train`` as separate methods, beside the method they are models of.

Such a file holds arrays and a card, nothing that runs: its method works in Pagelet's own process.
"""

import dataclasses
import hashlib
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner import gleaner_model as gleaner_model
from algorithms.learning import model_file
from algorithms.learning.blocks import block_model as block_model
from algorithms.learning.blocks import terrain_learned as terrain_learned
from algorithms.learning.model_file import LearnedMethod
from algorithms.method import Method
from algorithms.params import Params, params_class
from engine.words import cut_text

SUFFIX = ".npz"
_MOST_NAMED, _MOST_PAGES = 10, 1e9

_LEARNED: dict[str, tuple[Method, LearnedMethod[Any]]] = {
    learned.format: (method, learned)
    for method, learned in (
        (gleaner.METHOD, gleaner_model.LEARNED),
        (terrain_learned.METHOD, block_model.LEARNED),
    )
}


def method_of(path: Path) -> Method:
    """Return the method that a model makes; raises `ParameterError` where a file holds none.

    Its key is the learned method's, a hyphen and the file's name; its parameters are the learned
    method's without ``model``.
    """
    data = model_file.read(path)
    with model_file.reading(str(path), "pagelet train"):
        base, learned = _LEARNED[model_file.format_of(data)]
    card = learned.of_bytes(data, str(path)).card
    run = partial(_run, base.params, str(path))
    stem = path.stem.removeprefix(f"{base.key}-")

    def with_model(call: Callable[..., Any] | None) -> Callable[..., Any] | None:
        return None if call is None else partial(run, call)

    return Method(
        key=f"{base.key}-{re.sub(r'[^a-z0-9_.-]+', '-', stem.lower()).strip('-') or 'model'}",
        name=f"{base.name}: {stem}",
        params=_params_without_model(base.params),
        output=base.output,
        cite="a model of your own",
        on_source=with_model(base.on_source),
        on_page=with_model(base.on_page),
        summary=_summary(base, card),
        version=f"{path.name} {hashlib.blake2b(data, digest_size=4).hexdigest()}",
        trace_source=with_model(base.trace_source),
        trace_page=with_model(base.trace_page),
        card=lambda _params: card,
    )


def _run(
    kind: type[Params], path: str, call: Callable[..., Any], subject: object, params: Params
) -> Any:  # noqa: ANN401
    return call(subject, kind(**{**params.as_dict(), "model": path}))


def _params_without_model(kind: type[Params]) -> type[Params]:
    fields = [
        (each.name, each.type, dataclasses.field(default=each.default, metadata=each.metadata))
        for each in dataclasses.fields(kind)
        if each.name != "model"
    ]
    return params_class("ModelParams", fields)


def _summary(base: Method, card: dict[str, Any]) -> str:
    """Return a summary of the data and scores in a card, as far as it has them."""
    data = card.get("data")
    named = data if isinstance(data, list) else []
    names = [
        "".join(filter(str.isprintable, cut_text(str(each["name"]), 60)))
        for each in named[:_MOST_NAMED]
        if isinstance(each, dict) and "name" in each
    ]
    origin = f" on {', '.join(names)}" if names else ""
    text = f"{base.name} as trained{origin}"
    score = _score(card.get("scores"))
    if score is not None:
        text += f"; F1 {score:.2f} on sites it had not seen"
    return f"{text}: its scores on the pages it learned from say nothing."


def _score(scores: object) -> float | None:
    """Return the cross-validated F of a card, mean over its pages; None where it has none."""
    if not isinstance(scores, dict):
        return None
    own = scores.get("by_data", scores.get("f"))
    total = count = 0.0
    for row in own.values() if isinstance(own, dict) else ():
        f, pages = (row.get("f1"), row.get("pages")) if isinstance(row, dict) else (row, 1)
        if not (isinstance(f, int | float) and isinstance(pages, int | float)):
            return None
        if not (0 <= f <= 1 and 0 < pages < _MOST_PAGES):
            return None
        total, count = total + f * pages, count + pages
    return total / count if count else None
