"""``pagelet bisect``: the version or commit at which a result became worse."""

import argparse
import json
from dataclasses import asdict, replace

from annotate.datasets.cases import DataSet
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import add_options, options_of, processors, progress
from gui.plugins.compare.compare import LEFT_OUT, add_pages

EXAMPLES = """Examples:
  pagelet bisect trafilatura wcxb --page dev/4550
  pagelet bisect trafilatura page.html --lost "the second part" --good 2.0.0
  pagelet bisect "path/to/checkout mymodule:run" wcxb --good v1.0 --bad HEAD
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Add the arguments for a package or checkout, pages, and known versions."""
    command.epilog = EXAMPLES
    command.add_argument(
        "subject", metavar="SUBJECT",
        help="a package; or a checkout, or a method file in one; in quotation marks also the "
        "function of a package, and parameters",
    )  # fmt: skip
    add_pages(command)
    command.add_argument(
        "--page", action="append", default=[], metavar="NAME",
        help="only this page of the data (again for more)",
    )  # fmt: skip
    command.add_argument(
        "--lost", default="", metavar="WORDS", help="words that the good version keeps"
    )
    command.add_argument(
        "--good", default="", metavar="VERSION",
        help="a version that is better (default: goes back 1, 2, 4, … versions until one is)",
    )  # fmt: skip
    command.add_argument(
        "--bad", default="", metavar="VERSION", help="a version that is worse (default: the last)"
    )
    command.add_argument(
        "--threshold", type=float, default=0.01, metavar="D",
        help="by how much more the good version must score (default: 0.01)",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print all versions tried as JSON")
    left_out = (*LEFT_OUT, "out", "report")
    add_options(command, EvaluationOptions, leave_out=left_out, jobs=processors())
    add_options(command, PageChoice)


def run(options: argparse.Namespace) -> int:
    """Try some versions, and print where the result became worse."""
    with defer_interrupts():
        from annotate.evaluation.run.triage import pages_of
        from annotate.library.progress import NullProgress
        from annotate.plugins.compare.bisect import (
            TriedVersion,
            VersionName,
            bisect,
            position_of,
            trier,
            versions_of,
        )
    if not 0 <= options.threshold < 1:
        raise InputError(f"--threshold must be from 0 to below 1, got {options.threshold:g}")
    choice = options_of(PageChoice, options)
    datasets = _named([choice.taken_of(pages_of(each)) for each in options.data], options.page)
    own = options_of(EvaluationOptions, options)
    tries = trier(datasets, options.measure, own, NullProgress(), options.lost)

    def tried(version: VersionName) -> TriedVersion:
        result = tries(version)
        shown = result.trouble if result.score is None else f"{result.score:.4f}"
        progress(f"pagelet: {result.name}: {shown}")
        return result

    versions = versions_of(options.subject)
    known = {
        name: position_of(versions, getattr(options, name))
        for name in ("good", "bad")
        if getattr(options, name)
    }
    result = bisect(versions, tried, threshold=options.threshold, **known)
    if options.json:
        print(json.dumps(asdict(result), indent=2, ensure_ascii=False))
        return 0
    between = f" (or one of {', '.join(result.between)}, which cannot be run)"
    print(
        f"{result.after.name}{between if result.between else ''} changed it for the worse: "
        f"{result.before.score:.4f} with {result.before.name}, {result.after.score:.4f} with "
        f"{result.after.name}; {len(result.tried)} of {len(versions)} versions tried"
    )
    return 0


def _named(datasets: list[DataSet], names: list[str]) -> list[DataSet]:
    """Return data sets with the named pages; raises `InputError`."""
    if not names:
        return datasets
    result = []
    for dataset in datasets:
        pages = tuple(page for page in dataset.pages if page[0] in names)
        if pages:
            result.append(replace(dataset, pages=pages))
    known = {name for dataset in result for name, _ in dataset.pages}
    for name in names:
        if name not in known:
            raise InputError(f"there is no page {name} in this data")
    return result
