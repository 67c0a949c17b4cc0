"""``pagelet diff``: what a method misses, and what it has too much."""

import argparse
from collections.abc import Sequence

from algorithms.explain.differences import ErrorKind, TextError, text_errors
from algorithms.results import Extraction
from annotate.evaluation.robustness.perturbed import OF_SOURCE, after_change
from engine.errors import InputError
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


def run(options: argparse.Namespace) -> int:
    """Print the errors."""
    of = asked(options)
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
    print_differences(
        text_errors(other, result), "change", change.key, change.name, is_json=is_json
    )
    return 0


def print_differences(
    errors: Sequence[TextError], what: str, key: str, title: str, *, is_json: bool
) -> None:
    """Print what one result has less and more than another."""
    if is_json:
        rows = [{"kind": str(e.kind), "words": e.words, "text": e.text} for e in errors]
        print(json_text({what: key, "differences": rows}, indent=2))
        return
    for error in errors:
        sign = "-" if error.kind is ErrorKind.MISSING else "+"
        print(f"{sign} {error.words:>5}  {shortened(error.text, 90)}")
    lost, more = (sum(e.words for e in errors if e.kind is kind) for kind in ErrorKind)
    print(f"{title}: {plural(lost, 'word')} less, {plural(more, 'word')} more")
