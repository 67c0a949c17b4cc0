"""``pagelet segment``: the blocks of a page, as JSON."""

import argparse
from typing import Any

from algorithms.results import Segmentation
from engine.errors import InputError
from gui.cli.arguments import add_method_and_page, method_of, page_of, params_of
from gui.cli.json_output import blocks_as_json, rounds_as_json
from gui.cli.terminal import json_text


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a method, a page, and whether to print its rounds."""
    add_method_and_page(command, with_input=False)
    command.add_argument(
        "--rounds",
        action="store_true",
        help="also print the rounds of a method that works in rounds",
    )


def run(options: argparse.Namespace) -> int:
    """Print the blocks."""
    entry = method_of(options.method, "segmentation")
    params = params_of(entry, options.set)
    page = page_of(options, needs_rendering=True)
    result = entry.run(page, params, entry.inputs[-1])
    assert isinstance(result, Segmentation)
    data: Any = blocks_as_json(result)
    if options.rounds:
        if not result.rounds:
            raise InputError(f"{entry.key} has no rounds to show; leave out --rounds, or use vips")
        data = {"blocks": data, "rounds": rounds_as_json(result)}
    print(json_text(data, indent=2))
    return 0
