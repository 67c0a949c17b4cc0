"""``pagelet agreement``: how far annotators agree, page by page and in the mean."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from annotate.agreement import DIAL, Coefficients, PageAgreement, page_agreement
from annotate.datasets.case_files import PageFiles
from annotate.datasets.cases import page_name
from annotate.datasets.opening import open_pages
from annotate.workspace import page_key
from engine.errors import CaptureError, InputError

_EPILOG = "Example: pagelet agreement anna.pagelet ben.pagelet carla.pagelet"


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a workspace, or a folder with gold files, an annotator."""
    command.epilog = _EPILOG
    command.add_argument(
        "annotators",
        nargs="+",
        type=Path,
        metavar="MARKS",
        help="a workspace, or a folder of pages with gold files: one an annotator",
    )
    command.add_argument("--json", action="store_true", help="print JSON, page by page")


def run(options: argparse.Namespace) -> int:
    """Print a table, or JSON."""
    if len(options.annotators) < 2:
        raise InputError("agreement needs the marks of two annotators or more")
    names = _names(options.annotators)
    pages = common_pages(dict(zip(names, options.annotators, strict=True)))
    found: dict[str, PageAgreement] = {}
    from engine.web import noise  # Qt
    from engine.web.headless import Browser

    noise.install()
    with Browser(no_sandbox=options.no_sandbox) as browser:
        for name, files in pages.items():
            try:
                page = browser.capture(next(iter(files.values())).document())
            except CaptureError as error:
                print(f"pagelet: {name}: {error}", file=sys.stderr)
                continue
            golds = {annotator: each.marks(page) for annotator, each in files.items()}
            found[name] = page_agreement(page, golds)
    if not found:
        raise InputError("none of the pages that all annotators marked could be rendered")
    if options.json:
        print(json.dumps(as_json(found), indent=2, ensure_ascii=False))
    else:
        print(as_table(found))
    return 0


def common_pages(annotators: Mapping[str, Path]) -> dict[str, dict[str, PageFiles]]:
    """Return the pages that all annotators have, with what each marked on them.

    They are the same where their address is; where no two are, as in copies of a folder, where
    their name is.
    """
    opened = {name: open_pages(path) for name, path in annotators.items()}
    for name_of in (page_key, page_name):
        by_name = {
            annotator: {
                name_of(document): files
                for document, files in zip(pages.documents, pages.files, strict=True)
            }
            for annotator, pages in opened.items()
        }
        shared = set.intersection(*map(set, by_name.values()))
        if shared:
            first = next(iter(by_name.values()))
            return {
                page_name(first[key].document()): {a: pages[key] for a, pages in by_name.items()}
                for key in first
                if key in shared
            }
    raise InputError(f"no page is marked in all of {', '.join(map(str, annotators.values()))}")


def as_table(found: Mapping[str, PageAgreement]) -> str:
    """Return agreement as a table, a page a line and the means below."""
    head = ("page", "main κ", "main α", "types α", "B³ F1", "max(P, R)")
    rows = {name: _numbers(each) for name, each in found.items()}
    rows[f"mean of {len(found)}"] = tuple(
        float(np.nanmean(column)) if not np.isnan(column).all() else float("nan")
        for column in np.array(list(rows.values())).T
    )
    width = max(map(len, rows))
    lines = [f"{head[0]:<{width}}  " + "  ".join(f"{name:>9}" for name in head[1:])]
    for name, values in rows.items():
        lines.append(f"{name:<{width}}  " + "  ".join(f"{_shown(v):>9}" for v in values))
    dial = np.array([each.dial for each in found.values()])
    shown = "  ".join(
        f"{share:.1%}: {_shown(value)}"
        for share, value in zip(DIAL, np.nanmean(dial, axis=0), strict=True)
    )
    lines += ["", f"B³ F1 without blocks below a share of the page  {shown}"]
    return "\n".join(lines)


def as_json(found: Mapping[str, PageAgreement]) -> list[dict[str, Any]]:
    """Return agreement ready for JSON; what cannot be said is null."""
    return [
        {
            "page": name,
            "annotators": list(each.annotators),
            "main": {atoms: _coefficients(values) for atoms, values in each.main.items()},
            "blocks": {
                f"level {level}, {atoms}": _coefficients(values)
                for (level, atoms), values in each.blocks.items()
            },
            "b3_f1": {level: _known(value) for level, value in each.f1.items()},
            "b3_max": {level: _known(value) for level, value in each.maximum.items()},
            "dial": [
                {"share": share, "b3_f1": _known(value)}
                for share, value in zip(DIAL, each.dial, strict=True)
            ],
        }
        for name, each in found.items()
    ]


def _numbers(each: PageAgreement) -> tuple[float, ...]:
    types = [each.blocks[level, "chars"].alpha for level in (1, 2)]
    known = [value for value in types if not np.isnan(value)]
    return (
        each.main["chars"].cohen,
        each.main["chars"].alpha,
        float(np.mean(known)) if known else float("nan"),
        each.f1["all"],
        each.maximum["all"],
    )


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


def _names(paths: Sequence[Path]) -> list[str]:
    """Return a name an annotator: that of the file, the whole path where two are alike."""
    stems = [path.stem for path in paths]
    return stems if len(set(stems)) == len(stems) else [str(path) for path in paths]
