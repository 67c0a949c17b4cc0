"""``pagelet compare``: differences by page between two versions of anything."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from engine.whole_file import atomic_write
from gui.cli.arguments import add_options, options_of, processors, progress

if TYPE_CHECKING:
    from annotate.evaluation.run.plan import Chosen, Plan
    from annotate.evaluation.store.rows import ResultRow
    from annotate.plugins.compare.compare import VersionComparison

EXAMPLES = """A and B are each (in quotation marks if they contain a space):
  trafilatura==2.1.0               a version of a package, installed in an environment of its own
  "mypackage==1.2 mymodule:run"    the same, and the function from HTML to text
  path/to/checkout@v1.2            a checkout's package as of a commit
  my_method.py@HEAD~3              a method file as of a commit
  my_method.py                     a method file
  "bte tag_cost=2"                   a method with parameters
  "gleaner input=dom"              a method and what it reads
Examples:
  pagelet compare trafilatura==2.1.0 trafilatura==2.2.0 wcxb --sample 50
  pagelet compare bte "bte tag_cost=2" pages --markdown
  pagelet compare my_method.py@HEAD my_method.py pages --out changes --report pictures --bundle
"""
LEFT_OUT = ("predictions", "resumes", "repeatable")


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for two versions, pages, and the run."""
    command.epilog = EXAMPLES
    command.add_argument("before", metavar="A", help="a version, see below")
    command.add_argument("after", metavar="B", help="another one")
    add_pages(command)
    command.add_argument(
        "--threshold", type=float, default=0.05, metavar="D",
        help="count pages that gain or lose more than this (default: 0.05)",
    )  # fmt: skip
    command.add_argument(
        "--first", type=int, default=20, metavar="N",
        help="changed pages to print; JSON has all (default: 20)",
    )  # fmt: skip
    printed = command.add_mutually_exclusive_group()
    printed.add_argument("--json", action="store_true", help="print all of it as JSON")
    printed.add_argument("--markdown", action="store_true", help="print it as Markdown")
    add_running(command)
    command.add_argument(
        "--bundle", action="store_true",
        help="also write OUT/bundle, web pages with both texts marked on each changed page",
    )  # fmt: skip


def add_pages(command: argparse.ArgumentParser) -> None:
    """Add the arguments for pages and for the measure."""
    command.add_argument(
        "data", nargs="+", metavar="DATA",
        help="pages, with gold or without: a folder, a workspace, a data set",
    )  # fmt: skip
    add_measure(command)


def add_measure(command: argparse.ArgumentParser) -> None:
    """Add the argument for the measure; None is the main measure."""
    command.add_argument(
        "--measure", metavar="KEY",
        help="what pages with gold are scored by (default: the main measure of text)",
    )  # fmt: skip


def add_running(command: argparse.ArgumentParser) -> None:
    """Add the arguments for the run, the pages, and the output."""
    jobs = processors()
    add_options(command, EvaluationOptions, leave_out=LEFT_OUT, jobs=jobs, report="none")
    add_options(command, PageChoice)


def run(options: argparse.Namespace) -> int:
    """Compare two versions, and print the differences."""
    with defer_interrupts():
        from annotate.plugins.compare.compare import compare
        from annotate.plugins.compare.runs import failures_of, run_versions
        from annotate.plugins.compare.tables import as_json, as_markdown, as_text
        from annotate.plugins.external.sides import chosen_sides
        from gui.cli.progress import Speaker
    if options.first < 1:
        raise InputError(f"--first must be at least 1, got {options.first}")
    if not 0 <= options.threshold <= 1:
        raise InputError(f"--threshold must be from 0 to 1, got {options.threshold:g}")
    if options.out is None and (options.bundle or options.report != "none"):
        raise InputError("--bundle and --report need a folder to write to: add --out DIR")
    progress("pagelet: preparing both versions")
    sides = chosen_sides((options.before, options.after))
    plan = plan_of_pages(options, sides)
    pages = run_versions(plan, Speaker(plan, progress))
    compared = compare(
        (sides[0], sides[1]), pages, plan.measures.text[0],
        threshold=options.threshold, explain=options.first,
    )  # fmt: skip
    if options.out is not None:
        _write(options, plan, compared)
    if options.json:
        print(json.dumps(as_json(compared), indent=2, ensure_ascii=False))
    else:
        print((as_markdown if options.markdown else as_text)(compared, options.first))
    failures = failures_of(pages, sides)
    for key, reason in failures.items():
        progress(f"pagelet: {key} failed on every page; the first: {reason}")
    return 1 if failures else 0


def plan_of_pages(options: argparse.Namespace, sides: "tuple[Chosen, ...]") -> "Plan":
    """Return the plan of the versions on the named pages."""
    from annotate.evaluation.run.triage import pages_of
    from annotate.plugins.compare.runs import plan_for

    choice = options_of(PageChoice, options)
    datasets = [choice.taken_of(pages_of(each)) for each in options.data]
    own = options_of(EvaluationOptions, options)
    return plan_for(datasets, sides, options.measure, own)


def _write(options: argparse.Namespace, plan: "Plan", compared: "VersionComparison") -> None:
    """Write the comparison, its rows, and further requested files."""
    from annotate.evaluation.report.result_files import write_tables
    from annotate.plugins.compare.runs import rows_in
    from annotate.plugins.compare.tables import as_json, as_markdown

    out: Path = options.out
    results = write_tables(out, rows_in(compared.pages))
    text = json.dumps(as_json(compared), indent=2, ensure_ascii=False)
    write_text(out / "comparison.json", text + "\n")
    write_text(out / "comparison.md", as_markdown(compared, options.first))
    if options.report != "none":
        from annotate.evaluation.run.reporting import make_report

        progress(f"pagelet: the report is {make_report(plan, results, None, progress)}")
    if options.bundle:
        changed = [row for each in compared.changes for row in each.page.rows]
        write_bundle(out / "bundle", plan, changed)


def write_bundle(out: Path, plan: "Plan", rows: "Sequence[ResultRow]") -> None:
    """Write web pages of the pages with rows, in the order of the rows."""
    from annotate.library.bundling import bundle
    from annotate.library.cases import Cases

    if not rows:
        progress("pagelet: no page to show: there is no bundle")
        return
    sides = {side.entry.key: side.entry.recipe for side in plan.methods}
    earlier, *later = sides
    index = bundle(
        out,
        " → ".join(sides),
        rows,
        Cases(plan.datasets),
        jobs=plan.options.jobs,
        recipes={key: recipe for key, recipe in sides.items() if recipe is not None},
        compared=(earlier, later[0]) if later else None,
        say=progress,
    )
    progress(f"pagelet: open {index} in any browser")


def write_text(path: Path, text: str) -> None:
    """Write a file, creating its folder if missing; raises `InputError`."""
    try:
        path.absolute().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    with atomic_write(path) as beside:
        beside.write_text(text, encoding="utf-8", errors="backslashreplace")
