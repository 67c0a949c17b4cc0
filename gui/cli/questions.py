"""What `why` and `diff` have in common: a method, a page, and its gold."""

import argparse
from dataclasses import dataclass
from pathlib import Path

from algorithms.core.attempt import GoldResults
from algorithms.method import Method
from algorithms.params import Params
from algorithms.templates.site import Site
from annotate.datasets.opening import open_page
from engine.errors import InputError
from engine.page import Input, Page
from gui.cli.arguments import (
    add_method_and_page,
    add_site,
    input_of,
    method_of,
    page_of,
    params_of,
    site_named,
)
from gui.cli.explanations import gold_of, needs_marks


def add_question(command: argparse.ArgumentParser) -> None:
    """Add arguments for a method, a page and its gold."""
    add_method_and_page(command)
    add_site(command)
    command.add_argument("--gold", type=Path, metavar="FILE", help="the main content as text")
    command.add_argument("--json", action="store_true", help="print JSON")


@dataclass(frozen=True)
class PageQuestion:
    """Subject of a question; ``gold`` is None where there is none."""

    entry: Method
    params: Params
    source: Input
    page: Page
    gold: str | None
    site: Site | None


def asked(options: argparse.Namespace) -> PageQuestion:
    """Return what a question is about.  A page is rendered only where its gold needs it."""
    entry = method_of(options.method, "extraction")
    params = params_of(entry, options.set)
    source = input_of(options, entry)
    files = open_page(options.page, options.variant)
    is_marked = options.gold is None and needs_marks(files)
    page = page_of(options, needs_rendering=source != "original" or is_marked)
    gold = gold_of(files, page, options.gold)
    return PageQuestion(entry, params, source, page, gold, site_named(options, entry, page))


def asked_blocks(
    options: argparse.Namespace,
) -> tuple[Method, Page, Params, Input, str, GoldResults]:
    """Return what a question about a segmenter is about, the gold blocks last."""
    entry = method_of(options.method, "segmentation")
    params = params_of(entry, options.set)
    source = input_of(options, entry)
    if options.gold is not None:
        raise InputError(
            f"{entry.key} finds blocks, and --gold names main content; gold blocks are taken from "
            "what comes with the page"
        )
    files = open_page(options.page, options.variant)
    page = page_of(options, needs_rendering=True)
    gold = files.marks(page).blocks_as_results(page)
    return entry, page, params, source, options.text, gold
