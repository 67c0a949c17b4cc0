"""``pagelet bisect``: the version or commit at which a result became worse."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Annotated

from annotate.datasets.cases import DataSet
from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import JOBS
from gui.cli.signatures import Argument
from gui.cli.terminal import note, print_json
from gui.plugins.compare.compare import LEFT_OUT, Data, MeasureKey

_LEFT_OUT = (*LEFT_OUT, "out", "report")


def run(
    subject: str,
    data: Data,
    *,
    measure: MeasureKey = None,
    page: Sequence[str] = (),
    lost: str = "",
    good: str = "",
    bad: str = "",
    threshold: float = 0.01,
    json: bool = False,
    running: Annotated[EvaluationOptions, Argument(without=_LEFT_OUT, defaults={"jobs": JOBS})],
    choice: PageChoice,
) -> int:
    """Try some versions, and print where the result became worse.

    Args:
        subject (SUBJECT): a package; or a checkout, or a method file in one; in quotation marks
            also the function of a package, and parameters
        page (NAME): only this page of the data (again for more)
        lost (WORDS): words that the good version keeps
        good (VERSION): a version that is better (default: goes back 1, 2, 4, … versions until one
            is)
        bad (VERSION): a version that is worse (default: the last)
        threshold (D): by how much more the good version must score (default: 0.01)
        json: print all versions tried as JSON

    Examples:
      pagelet bisect trafilatura wcxb --page dev/4550
      pagelet bisect trafilatura page.html --lost "the second part" --good 2.0.0
      pagelet bisect "path/to/checkout mymodule:run" wcxb --good v1.0 --bad HEAD
    """
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
    if not 0 <= threshold < 1:
        raise InputError(f"--threshold must be from 0 to below 1, got {threshold:g}")
    datasets = _named([choice.taken_of(pages_of(each)) for each in data], page)
    tries = trier(datasets, measure, running, NullProgress(), lost)

    def tried(version: VersionName) -> TriedVersion:
        result = tries(version)
        shown = result.trouble if result.score is None else f"{result.score:.4f}"
        note(f"{result.name}: {shown}")
        return result

    versions = versions_of(subject)
    ends = {"good": good, "bad": bad}
    known = {name: position_of(versions, each) for name, each in ends.items() if each}
    result = bisect(versions, tried, threshold=threshold, **known)
    if json:
        print_json(asdict(result))
        return 0
    between = f" (or one of {', '.join(result.between)}, which cannot be run)"
    print(
        f"{result.after.name}{between if result.between else ''} changed it for the worse: "
        f"{result.before.score:.4f} with {result.before.name}, {result.after.score:.4f} with "
        f"{result.after.name}; {len(result.tried)} of {len(versions)} versions tried"
    )
    return 0


def _named(datasets: list[DataSet], names: Sequence[str]) -> list[DataSet]:
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
