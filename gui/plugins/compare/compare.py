"""``pagelet compare``: differences by page between two versions of anything."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.bounded_file import atomic_write
from engine.errors import InputError, convert_os_error
from engine.interrupts import defer_interrupts
from gui.cli.arguments import JOBS
from gui.cli.signatures import Argument, Count, Share
from gui.cli.terminal import json_text, note, print_json, progress

if TYPE_CHECKING:
    from annotate.evaluation.run.plan import Plan
    from annotate.evaluation.store.rows import ResultRow
    from annotate.plugins.compare.compare import VersionComparison

LEFT_OUT = ("predictions", "resumes", "repeatable", "cache")
Running = Annotated[EvaluationOptions, Argument(without=LEFT_OUT, defaults={"jobs": JOBS})]
Data = Annotated[
    Sequence[str],
    Argument("pages, with gold or without: a folder, a workspace, a data set", metavar="DATA"),
]
MeasureKey = Annotated[
    str | None,
    Argument(
        "what pages with gold are scored by (default: the main measure of text)", metavar="KEY"
    ),
]


def run(
    before: str,
    after: str,
    data: Data,
    *,
    measure: MeasureKey = None,
    threshold: Share = 0.05,
    first: Count = 20,
    json: Annotated[bool, Argument(one_of="printed")] = False,
    markdown: Annotated[bool, Argument(one_of="printed")] = False,
    running: Running,
    choice: PageChoice,
    bundle: bool = False,
) -> int:
    """Compare two versions, and print the differences.

    Args:
        before (A): a version, see below
        after (B): another one
        threshold (D): count pages that gain or lose more than this (default: 0.05)
        first (N): changed pages to print; JSON has all (default: 20)
        json: print all of it as JSON
        markdown: print it as Markdown
        bundle: also write OUT/bundle, web pages with both texts marked on each changed page

    A and B are each (in quotation marks if they contain a space):
      trafilatura==2.1.0               a version of a package, installed in a separate environment
      "mypackage==1.2 mymodule:run"    the same, and the function from HTML to text
      path/to/checkout@v1.2            a checkout's package as of a commit
      path/to/checkout                 a checkout's package as it is now
      my_method.py@HEAD~3              a method file as of a commit
      my_method.py                     a method file
      "bte tag_cost=2"                   a method with parameters
      "gleaner input=dom"              a method and what it reads
    Examples:
      pagelet compare trafilatura==2.1.0 trafilatura==2.2.0 wcxb --sample 50
      pagelet compare bte "bte tag_cost=2" pages --markdown
      pagelet compare my_method.py@HEAD my_method.py pages --out changes --report pictures --bundle
    """
    with defer_interrupts():
        from annotate.evaluation.run.triage import pages_of
        from annotate.plugins.compare.compare import compare
        from annotate.plugins.compare.runs import failures_of, plan_for, run_versions
        from annotate.plugins.compare.tables import as_json, as_markdown, as_text
        from annotate.plugins.external.sides import chosen_sides
        from gui.cli.progress import ProgressPrinter
    if running.out is None and (bundle or running.report != "none"):
        raise InputError("--bundle and --report need a folder to write to: add --out DIR")
    note("preparing both versions")
    sides = chosen_sides((before, after))
    plan = plan_for([choice.taken_of(pages_of(each)) for each in data], sides, measure, running)
    pages = run_versions(plan, ProgressPrinter(plan))
    compared = compare(
        (sides[0], sides[1]), pages, plan.measures.text[0], threshold=threshold, explain=first
    )
    if running.out is not None:
        _write(running.out, plan, compared, first, has_bundle=bundle)
    if json:
        print_json(as_json(compared))
    else:
        print((as_markdown if markdown else as_text)(compared, first))
    failures = failures_of(pages, sides)
    note(*(f"{key} failed on every page; the first: {why}" for key, why in failures.items()))
    return 1 if failures else 0


def _write(
    out: Path, plan: "Plan", compared: "VersionComparison", first: int, *, has_bundle: bool
) -> None:
    """Write the comparison, its rows, and further requested files."""
    from annotate.evaluation.report.result_files import write_tables
    from annotate.plugins.compare.runs import rows_in
    from annotate.plugins.compare.tables import as_json, as_markdown

    results = write_tables(out, rows_in(compared.pages))
    text = json_text(as_json(compared), indent=2)
    write_text(out / "comparison.json", text + "\n")
    write_text(out / "comparison.md", as_markdown(compared, first))
    if plan.options.report != "none":
        from annotate.evaluation.run.reporting import make_report

        note(f"the report is {make_report(plan, results, None, progress)}")
    if has_bundle:
        changed = [row for each in compared.changes for row in each.page.rows]
        write_bundle(out / "bundle", plan, changed)


def write_bundle(out: Path, plan: "Plan", rows: "Sequence[ResultRow]") -> None:
    """Write web pages of the pages with rows, in the order of the rows."""
    from annotate.library.bundling import bundle
    from annotate.library.page_cases import Cases

    if not rows:
        note("no page to show: there is no bundle")
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
    note(f"open {index} in any browser")


def write_text(path: Path, text: str) -> None:
    """Write a file, creating its folder if missing; raises `InputError`."""
    with convert_os_error(f"write {path}"):
        path.absolute().parent.mkdir(parents=True, exist_ok=True)
    with atomic_write(path) as beside:
        beside.write_text(text, encoding="utf-8", errors="backslashreplace")
