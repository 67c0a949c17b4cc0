"""``pagelet segment``: the blocks of a page, as JSON."""

from typing import Annotated, Any

from algorithms.results import Segmentation
from engine.errors import InputError
from gui.cli.arguments import PageOptions, method_of, params_of
from gui.cli.json_output import blocks_as_json, rounds_as_json
from gui.cli.signatures import Argument
from gui.cli.terminal import print_json


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
