"""``pagelet reduce``: the smallest page that still shows a behaviour of a method."""

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from algorithms.measures.text_words import normalise, words_of
from annotate.plugins.external.sides import chosen_side
from annotate.plugins.reduce.question import Question, failure_of
from annotate.plugins.reduce.reduce import Reduced, reduce_page
from annotate.plugins.reduce.report import cause_text, issue_text
from annotate.workspace.workspace_file import is_workspace
from engine.document import plain_document
from engine.errors import InputError
from engine.source import Source
from engine.whole_file import atomic_write
from gui.cli.arguments import params_of, processors, progress

EXAMPLES = """Examples:
  pagelet reduce lqf page.html --lost "Most read" --out small.html
  pagelet reduce trafilatura page.html --lost "the second part" --against gleaner
  pagelet reduce bte page.html --against dsc --least 20
  pagelet reduce trafilatura==2.2.0 page.html --against trafilatura==2.1.0 --lost "some words"
  pagelet reduce goose3 page.html --fails
  pagelet reduce my_method.py page.html --hangs 5 --out small.html
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for a method, a page, and the behaviour to show."""
    command.add_argument(
        "method", metavar="METHOD", help="an extractor, or a version of one, as compare takes it"
    )
    command.add_argument("page", metavar="PAGE", help="a page")
    command.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="set a parameter"
    )
    shown = command.add_mutually_exclusive_group()
    shown.add_argument("--lost", metavar="WORDS", help="words that the extractor does not keep")
    shown.add_argument("--kept", metavar="WORDS", help="words that the extractor keeps")
    shown.add_argument(
        "--fails", action="store_true", help="show that the extractor fails with the same error"
    )
    shown.add_argument(
        "--hangs", type=float, metavar="SECONDS",
        help="show that the extractor takes more than so many seconds",
    )  # fmt: skip
    shown.add_argument(
        "--crashes", action="store_true", help="show that the extractor ends the process it runs in"
    )
    command.add_argument(
        "--against", default="", metavar="METHOD",
        help="a second extractor: with --lost, one that keeps the words; alone, one that differs",
    )  # fmt: skip
    command.add_argument(
        "--any-cause", action="store_true",
        help="with --lost: let the words be lost by another rule of the method than on the page; "
        "the page may become smaller, and is another fault then",
    )  # fmt: skip
    command.add_argument(
        "--least", type=int, default=10, metavar="N",
        help="least number of words in which two methods differ (default: 10)",
    )  # fmt: skip
    command.add_argument(
        "--jobs", type=int, default=processors(), metavar="N",
        help="pages tried at once (default: as many as there are processors)",
    )  # fmt: skip
    command.add_argument(
        "--timeout", type=float, default=60.0, metavar="SECONDS",
        help="stop after so many seconds, with what is left by then (default: 60)",
    )  # fmt: skip
    command.add_argument(
        "--out", type=Path, metavar="FILE",
        help="write the page to FILE, and beside it, as FILE.md, how to see it (default: print)",
    )  # fmt: skip
    command.epilog = EXAMPLES


def run(options: argparse.Namespace) -> int:
    """Print or write the page."""
    if options.jobs < 1:
        raise InputError(f"--jobs must be at least 1, got {options.jobs}")
    if options.any_cause and options.lost is None:
        raise InputError("--any-cause is of --lost: leave it out")
    if options.least < 1:
        raise InputError(f"--least must be at least 1, got {options.least}")
    if options.out is not None and options.out.is_file() and is_workspace(options.out):
        raise InputError(f"{options.out} is a workspace: name another file after --out")
    received = plain_document(options.page).receive()
    html = Source.of(received).html
    question = question_of(options, html)
    reduced = reduce_page(
        html, question, jobs=options.jobs, seconds=options.timeout,
        say=lambda size, seconds: progress(f"{size:,} characters after {seconds:.0f} s"),
    )  # fmt: skip
    tail = "" if reduced.is_least else "; stopped by --timeout: a longer one may cut more"
    progress(
        f"pagelet: {reduced.before:,} → {len(reduced.html):,} characters, {reduced.tried} pages "
        f"tried in {reduced.seconds:.1f} s{tail}"
    )
    cause = cause_text(question, html, reduced.html)
    if cause:
        progress(f"pagelet: {cause}")
    if options.out is None:
        sys.stdout.write(reduced.html + "\n")
        return 0
    for path, text in (
        (options.out, reduced.html),
        (
            options.out.with_name(options.out.name + ".md"),
            _report(options, question, reduced, cause),
        ),
    ):
        with atomic_write(path) as beside:
            beside.write_text(text, encoding="utf-8")
    return 0


def question_of(options: argparse.Namespace, html: str) -> Question:
    """Return the behaviour the page must show; raises `InputError`."""
    side = chosen_side(options.method)
    entry, params = side.entry, params_of(side.entry, options.set) if options.set else side.params
    other = chosen_side(options.against) if options.against else None
    against = "" if other is None else other.entry.key
    for each in (side, other):
        if each is not None and each.input not in ("", "original"):
            raise InputError("a page is cut down as source: leave out input=")
    made = replace(
        Question("fails", entry.key, params.as_dict(), against=against, recipe=entry.recipe),
        other_recipe=None if other is None else other.entry.recipe,
        other_params={} if other is None else other.params.as_dict(),
    )
    if options.hangs is not None:
        if options.hangs <= 0:
            raise InputError(f"--hangs must be more than 0 s, got {options.hangs:g}")
        return replace(made, shows="hangs", seconds=options.hangs)
    if options.crashes:
        return replace(made, shows="crashes")
    if options.fails:
        return replace(made, error=failure_of(entry, params, html))
    phrase = options.lost if options.lost is not None else options.kept
    if phrase is None:
        if not against:
            raise InputError(
                "say what the page is to show: --lost, --kept, --against, --fails, --hangs or "
                "--crashes"
            )
        return replace(made, shows="differs", least=options.least)
    words = tuple(words_of(normalise(phrase)))
    if not words:
        raise InputError("--lost and --kept need words of the page")
    if options.lost is None:
        return replace(made, shows="kept", words=words)
    lost = replace(made, shows="lost", words=words)
    cause = None if options.any_cause else lost.cause(html)
    return lost if cause is None else replace(lost, rule=cause.rule.asks)


def _report(options: argparse.Namespace, question: Question, reduced: Reduced, cause: str) -> str:
    """Return a report on the behaviour of the reduced page."""
    settings = "".join(f" --set {each}" for each in options.set)
    return issue_text(question, reduced, _command(options), settings, cause)


def _command(options: argparse.Namespace) -> str:
    """Return the command that shows the behaviour to a reader with Pagelet."""
    first, other = shlex.quote(options.method), shlex.quote(options.against)
    if options.against:
        return f"pagelet compare {other} {first} page.html"
    return f"pagelet extract {first} page.html"
