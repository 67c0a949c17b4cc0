"""``pagelet reduce``: the smallest page that still shows a behaviour of a method."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from algorithms.measures.text_words import normalise, words_of
from annotate.plugins.external.sides import chosen_side
from annotate.plugins.reduce.fault_test import fault_test
from annotate.plugins.reduce.project_fixture import (
    ProjectName,
    command_of,
    name_of,
    project_files,
    texts_of,
)  # fmt: skip
from annotate.plugins.reduce.question import ShownProperty, cause_of, failure_of
from annotate.plugins.reduce.reduce import reduce_page
from annotate.plugins.reduce.report import cause_text, issue_text
from annotate.workspace.workspace_file import is_workspace
from engine.bounded_file import atomic_write
from engine.document import plain_document
from engine.errors import InputError
from engine.options import Options, option
from engine.source import Source
from gui.cli.arguments import JOBS, check_is_other_file, params_of
from gui.cli.terminal import note, progress

_SHOWN = "behaviour"


@dataclass(frozen=True)
class ReduceOptions(Options):
    """Behaviour that a page must still show, and limits of the search."""

    settings: Sequence[str] = option((), "set a parameter", flag="set", metavar="NAME=VALUE")
    lost: str | None = option(
        None, "words that the extractor does not keep", metavar="WORDS", one_of=_SHOWN
    )
    kept: str | None = option(
        None, "words that the extractor keeps", metavar="WORDS", one_of=_SHOWN
    )
    fails: bool = option(False, "show that the extractor fails with the same error", one_of=_SHOWN)
    hangs: float | None = option(
        None,
        "show that the extractor takes more than so many seconds",
        metavar="SECONDS",
        above=0,
        unit="s",
        one_of=_SHOWN,
    )
    crashes: bool = option(
        False, "show that the extractor ends the process it runs in", one_of=_SHOWN
    )
    against: str = option(
        "",
        "a second extractor: with --lost, one that keeps the words; alone, one that differs",
        metavar="METHOD",
    )
    any_cause: bool = option(
        False,
        "with --lost or --kept: allow another cause of the method than on the page; the page may "
        "become smaller, and is another fault then",
    )
    least: int = option(10, "least number of words in which two methods differ", metavar="N", low=1)
    jobs: int = option(
        JOBS, "pages tried at once (default: as many as there are processors)", metavar="N", low=1
    )
    seconds: float = option(
        30.0, "stop after so many seconds, with the smallest page so far", metavar="SECONDS"
    )
    test: Path | None = option(
        None,
        "write a test that fails now and passes once it is fixed: for pytest, or for Node where "
        "FILE ends in .mjs or .js",
        metavar="FILE",
    )
    project: ProjectName = option(
        "",
        "write a fixture as this project lays its own out, and report.md, below the folder --out "
        "(default: the current one); METHOD is its package",
        flag="for",
    )
    out: Path | None = option(
        None,
        "write the page to FILE, and beside it, as FILE.md, how to see it (default: print)",
        metavar="FILE",
    )


def run(method: str, page: str, *, options: ReduceOptions) -> int:
    """Print or write the page.

    Args:
        method (METHOD): an extractor, or a version of one, as compare takes it
        page (PAGE): a page

    Examples:
      pagelet reduce lqf page.html --lost "Most read" --out small.html
      pagelet reduce trafilatura page.html --lost "the second part" --against gleaner
      pagelet reduce bte page.html --against dsc --least 20
      pagelet reduce npm:defuddle==0.19.4 page.html --lost "some words" --test lost.test.mjs
      pagelet reduce trafilatura page.html --lost "some words" --for trafilatura --out checkout
      pagelet reduce trafilatura==2.2.0 page.html --against trafilatura==2.1.0 --lost "some words"
      pagelet reduce goose3 page.html --fails
      pagelet reduce my_method.py page.html --hangs 5 --out small.html
    """
    if options.any_cause and options.lost is None and options.kept is None:
        raise InputError("--any-cause is of --lost and --kept: leave it out")
    if options.test is not None:
        check_is_other_file(options.test, page)
    if options.project:
        if options.lost is None and options.kept is None:
            raise InputError("--for needs --lost or --kept")
        if options.out is not None and options.out.exists() and not options.out.is_dir():
            raise InputError(f"{options.out} is a file: with --for name a folder after --out")
    elif options.out is not None:
        check_is_other_file(options.out, page)
        if options.out.is_file() and is_workspace(options.out):
            raise InputError(f"{options.out} is a workspace: name another file after --out")
    html = Source.of(plain_document(page).receive()).html
    question = _question(method, options, html)
    reduced = reduce_page(
        html, question, jobs=options.jobs, seconds=options.seconds,
        say=lambda size, seconds: progress(f"{size:,} characters after {seconds:.0f} s"),
    )  # fmt: skip
    tail = "" if reduced.is_least else "; stopped after --seconds: with more it may get smaller"
    note(
        f"{reduced.before:,} → {len(reduced.html):,} characters, {reduced.tried} pages "
        f"tried in {reduced.seconds:.1f} s{tail}"
    )
    cause = cause_text(question, html, reduced.html)
    if cause:
        note(cause)
    if options.test is not None:
        is_javascript = options.test.suffix in (".mjs", ".js")
        text = fault_test(question, method, reduced.html, is_javascript=is_javascript)
        _write({options.test: text})
    settings = "".join(f" --set {each}" for each in options.settings)
    command = _command(method, options.against)
    if options.project:
        files = project_files(options.project, question, reduced.html)
        command = f"{command}\n    {command_of(options.project, name_of(question.words))}"
        texts = texts_of(question, reduced.html)
        files["report.md"] = issue_text(question, reduced, command, settings, cause, texts)
        _write({(options.out or Path()) / name: text for name, text in files.items()})
        return 0
    if options.out is None:
        sys.stdout.write(reduced.html + "\n")
        return 0
    report = issue_text(question, reduced, command, settings, cause)
    _write({options.out: reduced.html, options.out.with_name(options.out.name + ".md"): report})
    return 0


def _write(files: Mapping[Path, str]) -> None:
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_write(path) as beside:
            beside.write_text(text, encoding="utf-8")


def _question(method: str, options: ReduceOptions, html: str) -> ShownProperty:
    """Return the behaviour the page must show; raises `InputError`."""
    side, settings = chosen_side(method), options.settings
    entry, params = side.entry, params_of(side.entry, settings) if settings else side.params
    other = chosen_side(options.against) if options.against else None
    against = "" if other is None else other.entry.key
    for each in (side, other):
        if each is not None and each.input not in ("", "original"):
            raise InputError("a page is cut down as source: leave out input=")
    made = replace(
        ShownProperty("fails", entry.key, params.as_dict(), against=against, recipe=entry.recipe),
        other_recipe=None if other is None else other.entry.recipe,
        other_params={} if other is None else other.params.as_dict(),
    )
    if options.hangs is not None:
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
    made = replace(made, shows="kept" if options.lost is None else "lost", words=words)
    decision = None if options.any_cause else made.decision(html)
    return made if decision is None else replace(made, cause=cause_of(decision))


def _command(method: str, against: str) -> str:
    """Return the command that shows the behaviour to a reader with Pagelet."""
    first, other = shlex.quote(method), shlex.quote(against)
    if against:
        return f"pagelet compare {other} {first} page.html"
    return f"pagelet extract {first} page.html"
