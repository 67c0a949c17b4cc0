"""``pagelet segment``: the blocks of a page, as JSON."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from algorithms.results import Part, Segmentation
from engine import geometry
from engine.errors import InputError
from engine.nodes import NodeTable
from gui.cli.arguments import PageOptions, method_of, params_of
from gui.cli.signatures import Argument
from gui.cli.terminal import print_json

Item = dict[str, Any]


def blocks_as_json(result: Segmentation) -> list[Item]:
    """Return the blocks of a segmentation: level, text, type, reason, rect (px), node paths."""
    results = []
    for block in result.blocks:
        text, more = " ".join(result.text_of(block).split()), {}
        if block.type:
            more["type"] = block.type
        if block.reason:
            more["reason"] = block.reason
        span = _span(result.nodes, block.rows)
        results.append({"level": block.level, "text": text, **span, **more})
    return results


def rounds_as_json(result: Segmentation) -> list[Item]:
    """Return the rounds of a method that works in rounds: what was divided, found and merged, and
    the separators with weight and reason.
    """
    return [
        {
            "divided": _parts(result.nodes, each.divided),
            "found": _parts(result.nodes, each.found),
            "separators": [
                {"rect": _rounded(own.rect), "weight": own.weight, "reason": own.reason}
                for own in each.separators
            ],
            "merged": _parts(result.nodes, each.merged),
        }
        for each in result.rounds
    ]


def _parts(nodes: NodeTable, parts: Iterable[Part]) -> list[Item]:
    return [{"label": p.label, "reason": p.reason, **_span(nodes, p.rows)} for p in parts]


def _span(nodes: NodeTable, rows: Sequence[int]) -> Item:
    return {"rect": _rounded(geometry.box_of(nodes, rows)), "path": list(map(nodes.path, rows))}


def _rounded(rect: Iterable[float]) -> list[float]:
    return [round(float(value), 2) for value in rect]


def run(
    method: str,
    page: str,
    *,
    how: Annotated[PageOptions, Argument(without=("requested",))],
    rounds: bool = False,
) -> int:
    """Print the blocks.

    Args:
        method (METHOD): a key; see pagelet methods
        page (PAGE): file, URL, or - for standard input
        rounds: also print the rounds of a method that works in rounds
    """
    entry = method_of(method, "segmentation")
    params = params_of(entry, how.settings)
    result = entry.run(how.page_of(page, needs_rendering=True), params, entry.inputs[-1])
    assert isinstance(result, Segmentation)
    data: Any = blocks_as_json(result)
    if rounds:
        if not result.rounds:
            raise InputError(f"{entry.key} has no rounds to show; leave out --rounds, or use vips")
        data = {"blocks": data, "rounds": rounds_as_json(result)}
    print_json(data)
    return 0
