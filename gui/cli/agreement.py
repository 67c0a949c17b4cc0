"""``pagelet agreement``: how far annotators agree, page by page and in the mean."""

import argparse
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from algorithms.measures.choice import measure_of
from annotate.team.agreement import (
    DIAL,
    Coefficients,
    PageAgreement,
    column_means,
    page_agreement,
)
from annotate.team.shared_pages import control_pages_of, read_in_part, shared_pages
from engine.errors import InputError, PageletError
from gui.cli.terminal import json_text

_TYPES = (
    "types α: the mean of that of level 1 and that of level 2; κ and α by characters, white space "
    "left out; unsure: marks flagged so, of all annotators"
)
_EPILOG = """Example:
  pagelet agreement anna.pagelet ben.pagelet
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a workspace, or a folder with gold files, an annotator."""
    command.epilog = _EPILOG
    command.add_argument(
        "annotators",
        nargs="+",
        type=Path,
        metavar="MARKS",
        help="a workspace, or a folder of pages with gold files, of each annotator; or one "
        "workspace with the marks of several",
    )
    command.add_argument(
        "--controls", action="store_true",
        help="each annotator against the known gold of the control pages in a workspace",
    )  # fmt: skip
    command.add_argument("--json", action="store_true", help="print JSON, page by page")
    command.add_argument(
        "--lines", action="store_true", help="print JSON, one line a page, as soon as it is done"
    )


def run(options: argparse.Namespace) -> int:
    """Print a table, or JSON."""
    paths = options.annotators
    problems = read_in_part(paths)
    pages = control_pages_of(paths) if options.controls else shared_pages(paths, problems)
    for problem in problems:
        print(f"pagelet: {problem}", file=sys.stderr)
    result: dict[str, PageAgreement] = {}
    from engine.web.headless import Browser
    from engine.web.qt_log import silence_qt_log  # Qt

    silence_qt_log()
    with Browser(no_sandbox=options.no_sandbox) as browser:
        for number, each in enumerate(pages, 1):
            try:
                page = browser.capture(each.document)
                result[each.name] = page_agreement(page, each.golds(page))
            except PageletError as error:
                print(f"pagelet: {each.name}: {error}", file=sys.stderr)
                continue
            if options.lines:
                (line,) = as_json({each.name: result[each.name]})
                facts = {"key": each.key, "number": number, "of": len(pages)}
                print(json_text({**facts, **line}), flush=True)
    if not result:
        raise InputError("no page that all annotators marked could be rendered")
    if options.json:
        print(json_text(as_json(result), indent=2))
    elif not options.lines:
        print(as_table(result))
    return 0


def as_table(result: Mapping[str, PageAgreement]) -> str:
    """Return agreement as a table, a page a line and the means below."""
    lie, larger = measure_of("b3-chars").name, measure_of("b3-chars-max").name
    head = ("main κ", "main α", "types α", lie, larger, "unsure")
    rows = {name: _numbers(each) for name, each in result.items()}
    rows[f"mean of {len(result)}"] = column_means(rows.values())
    unsure = [f"{sum(each.unsure.values())}" for each in result.values()]
    unsure.append(_mean_count(result.values()))
    width = max(map(len, rows))
    lines = [f"{'page':<{width}}  " + "  ".join(f"{name:>9}" for name in head)]
    for (name, values), count in zip(rows.items(), unsure, strict=True):
        cells = zip(head, (*map(_shown, values), count), strict=True)
        lines.append(f"{name:<{width}}  " + "  ".join(f"{v:>{max(9, len(on))}}" for on, v in cells))
    dial = column_means(each.dial() for each in result.values())
    shown = "  ".join(
        f"{share:.1%}: {_shown(value)}" for share, value in zip(DIAL, dial, strict=True)
    )
    lines += ["", _TYPES, f"{lie} without blocks below a share of the page  {shown}"]
    return "\n".join(lines)


def as_json(result: Mapping[str, PageAgreement]) -> list[dict[str, Any]]:
    """Return agreement ready for JSON; what cannot be said is null."""
    return [
        {
            "page": name,
            "annotators": list(each.annotators),
            "unsure": dict(each.unsure),
            "main": {atoms: _coefficients(values) for atoms, values in each.main.items()},
            "blocks": {
                f"level {level}, {atoms}": _coefficients(values)
                for (level, atoms), values in each.blocks.items()
            },
            "types": {
                f"level {level}, {kind}": _coefficients(values)
                for (level, kind), values in each.types.items()
            },
            "b3_f1": {level: _known(value) for level, value in each.f1.items()},
            "b3_max": {level: _known(value) for level, value in each.maximum.items()},
            "dial": [
                {
                    "share": share,
                    "b3_f1": _known(each.dial()[at]),
                    "level 1": _known(each.dials["1"][at]),
                    "level 2": _known(each.dials["2"][at]),
                }
                for at, share in enumerate(DIAL)
            ],
        }
        for name, each in result.items()
    ]


def _numbers(each: PageAgreement) -> tuple[float, ...]:
    main = each.main["chars"]
    _, _, types, lie, larger = each.values("both", "chars")
    return main.cohen, main.alpha, types, lie, larger


def _mean_count(result: Iterable[PageAgreement]) -> str:
    """Return how many marks of a page are unsure, in the mean."""
    return f"{np.mean([sum(each.unsure.values()) for each in result]):.1f}"


def _coefficients(values: Coefficients) -> dict[str, float | None]:
    return {
        "cohen": _known(values.cohen),
        "fleiss": _known(values.fleiss),
        "alpha": _known(values.alpha),
    }


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"
