"""``pagelet why``: what a method decided on some words, and what would turn it."""

import argparse
import json

from gui.cli import explanations
from gui.cli.questions import add_question, asked


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a method, a page, and some words of it."""
    add_question(command)
    command.add_argument("--text", required=True, metavar="WORDS", help="words of the page")


def run(options: argparse.Namespace) -> int:
    """Print the answer."""
    of = asked(options)
    answer, flip = explanations.explain(
        of.entry, of.page, of.params, of.source, options.text, of.gold, of.site
    )
    if options.json:
        print(
            json.dumps(explanations.as_json(answer, flip, of.params), indent=2, ensure_ascii=False)
        )
    else:
        print(explanations.as_text(answer, flip))
    return 0
