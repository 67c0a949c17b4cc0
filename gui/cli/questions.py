"""What `why` and `diff` have in common: a method, a page, and its gold."""

import argparse
from pathlib import Path

from algorithms.method import Method
from algorithms.params import Params
from annotate.datasets.opening import open_page
from engine.page import Input, Page
from gui.cli.arguments import add_method_and_page, input_of, method_of, page_of, params_of
from gui.cli.explanations import gold_of, needs_marks


def add_question(command: argparse.ArgumentParser) -> None:
    """Let a command take a method, a page and its gold."""
    add_method_and_page(command)
    command.add_argument("--gold", type=Path, metavar="FILE", help="the main content as text")
    command.add_argument("--json", action="store_true", help="print JSON")


def asked(options: argparse.Namespace) -> tuple[Method, Params, Input, Page, str | None]:
    """Return what a question is about: method, parameters, input, page and gold.

    A page is rendered only where its gold needs it.
    """
    entry = method_of(options.method, "extraction")
    params = params_of(entry, options.set)
    source = input_of(options, entry)
    files = open_page(options.page, options.variant)
    is_marked = options.gold is None and needs_marks(files)
    page = page_of(options, needs_rendering=source != "original" or is_marked)
    return entry, params, source, page, gold_of(files, page, options.gold)
