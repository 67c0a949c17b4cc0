"""``pagelet diff``: what a method misses, and what it has too much."""

import argparse
from collections.abc import Sequence

from algorithms.explain.differences import ErrorKind, TextError, text_errors
from algorithms.results import Extraction
from annotate.comparison.over_time import as_before
from annotate.datasets.opening import open_page
from annotate.evaluation.robustness.changed_page import OF_SOURCE, after_change
from engine.errors import InputError
from engine.page import Page
from engine.source import Source
from engine.words import listed, plural, shortened
from gui.cli import explanations
from gui.cli.questions import PageQuestion, add_question, asked
from gui.cli.terminal import json_text


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a method and a page."""
    add_question(command)
    command.add_argument(
        "--perturb",
        metavar="CHANGE",
        help="compare with what the method gives after a harmless change of the page, in place of "
        f"gold: {', '.join(each.key for each in OF_SOURCE)}",
    )
    command.add_argument(
        "--since",
        metavar="EARLIER",
        help="compare with what the method gives on an earlier capture of the page, on the text "
        "that both have, in place of gold",
    )


def run(options: argparse.Namespace) -> int:
    """Print the errors."""
    of = asked(options)
    if options.perturb is not None and options.since is not None:
        raise InputError("--perturb and --since exclude each other: give one of them")
    if options.since is not None:
        return _over_time(of, options.since, is_json=options.json)
    if options.perturb is not None:
        return _after_change(of, options.perturb, is_json=options.json)
    if of.gold is None:
        raise InputError(
            f"no main content is known of {options.page}: name a text file with --gold FILE"
        )
    result = of.entry.run(of.page, of.params, of.source, of.site)
    assert isinstance(result, Extraction)
    results = explanations.differences(result, of.gold)
    if options.json:
        print(json_text(explanations.errors_as_json(results), indent=2))
    else:
        print(explanations.errors_as_text(results))
    return 0


def _after_change(of: PageQuestion, key: str, *, is_json: bool) -> int:
    """Print what a method keeps and drops otherwise after a change that leaves the content."""
    change = next((each for each in OF_SOURCE if each.key == key), None)
    if change is None or of.source == "rendered":
        known = listed([each.key for each in OF_SOURCE])
        raise InputError(f"--perturb of diff must be one of {known}, and the input HTML, got {key}")
    result = of.entry.run(of.page, of.params, of.source, of.site)
    assert isinstance(result, Extraction)
    other = after_change(of.entry, of.params, result.source, change)
    _print(text_errors(other, result), "change", change.key, change.name, is_json=is_json)
    return 0


def _over_time(of: PageQuestion, earlier: str, *, is_json: bool) -> int:
    """Print what a method keeps and drops otherwise than on an earlier capture, of shared text."""
    if of.source != "original":
        raise InputError("--since reads the source of both captures: leave out --input")
    received = open_page(earlier).document().receive()
    source = Source.of(received)
    page = Page(of.page.url, source)
    before = of.entry.run(page, of.params, "original", of.site)
    after = of.entry.run(of.page, of.params, "original", of.site)
    assert isinstance(before, Extraction)
    assert isinstance(after, Extraction)
    errors = text_errors(after, as_before(before, after))
    _print(errors, "since", earlier, f"Since {earlier}, on the text of both", is_json=is_json)
    return 0


def _print(errors: Sequence[TextError], what: str, key: str, title: str, *, is_json: bool) -> None:
    if is_json:
        rows = [{"kind": str(e.kind), "words": e.words, "text": e.text} for e in errors]
        print(json_text({what: key, "differences": rows}, indent=2))
        return
    for error in errors:
        sign = "-" if error.kind is ErrorKind.MISSING else "+"
        print(f"{sign} {error.words:>5}  {shortened(error.text, 90)}")
    lost, more = (sum(e.words for e in errors if e.kind is kind) for kind in ErrorKind)
    print(f"{title}: {plural(lost, 'word')} less, {plural(more, 'word')} more")
