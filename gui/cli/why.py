"""``pagelet why``: what a method decided on some words, and what would turn it."""

import argparse

from algorithms.core.catalogue import named_method
from gui.cli import block_explanations, explanations
from gui.cli.questions import add_question, asked, asked_blocks
from gui.cli.terminal import json_text

EXAMPLES = """Examples:
  pagelet why lqf page.html --text "Most read"          why the extractor keeps or drops it
  pagelet why vips page.html --text "Most read"         in which block it is, and why
  pagelet why terrain page.html --text "Home" --json    the same as JSON

Gold that comes with the page is taken: then the answer says what the decision costs, too.
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a method, a page, and some words of it."""
    add_question(command)
    command.add_argument("--text", required=True, metavar="WORDS", help="words of the page")
    command.epilog = EXAMPLES


def run(options: argparse.Namespace) -> int:
    """Print the answer."""
    if named_method(options.method).output == "segmentation":
        answer = block_explanations.explain_blocks(*asked_blocks(options))
        data = block_explanations.as_json(answer) if options.json else None
        text = block_explanations.as_text(answer)
    else:
        of = asked(options)
        why, turned = explanations.explain(
            of.entry, of.page, of.params, of.source, options.text, of.gold, of.site
        )
        data = explanations.as_json(why, turned, of.params) if options.json else None
        text = explanations.as_text(of.entry, why, turned)
    print(text if data is None else json_text(data, indent=2))
    return 0
