"""``pagelet diff``: what a method misses, and what it has too much."""

import argparse

from algorithms.results import Extraction
from engine.errors import InputError
from gui.cli import explanations
from gui.cli.questions import add_question, asked
from gui.cli.terminal import json_text


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a method and a page."""
    add_question(command)


def run(options: argparse.Namespace) -> int:
    """Print the errors."""
    of = asked(options)
    if of.gold is None:
        raise InputError(
            f"no main content was found beside {options.page}: name a text file with --gold FILE"
        )
    result = of.entry.run(of.page, of.params, of.source, of.site)
    assert isinstance(result, Extraction)
    results = explanations.differences(result, of.gold)
    if options.json:
        print(json_text(explanations.errors_as_json(results), indent=2))
    else:
        print(explanations.errors_as_text(results))
    return 0
