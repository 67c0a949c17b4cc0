"""``pagelet bundle``: an evaluation as a folder of web pages for those without Pagelet."""

import argparse
import json
from pathlib import Path

from annotate.evaluation.store.provenance import RunOrigin, read_origin
from annotate.evaluation.store.row_files import read_rows, results_in
from annotate.library.bundling import bundle
from annotate.library.cases import Cases, dataset
from engine.errors import InputError
from gui.cli.arguments import processors, progress

_EPILOG = """Example:
  pagelet bundle pagelet-evaluation --out to-hand-on
"""


def add_arguments(command: argparse.ArgumentParser) -> None:
    """Take a folder that `evaluate` wrote, and where to write."""
    command.epilog = _EPILOG
    command.add_argument("run", type=Path, metavar="RUN", help="a folder that evaluate wrote")
    command.add_argument("--out", type=Path, default=Path("pagelet-bundle"), help="folder")
    command.add_argument(
        "--data",
        action="append",
        default=[],
        type=Path,
        metavar="DATASET",
        help="where the pages are, if not where they were evaluated",
    )
    command.add_argument(
        "--title", default="", help="title of the web pages (default: the data sets)"
    )
    command.add_argument(
        "--no-content", action="store_true", help="leave out pictures and texts of the pages"
    )
    command.add_argument(
        "--jobs",
        type=int,
        default=processors(),
        metavar="N",
        help="processes that draw pages (default: %(default)s, as many as there are processors)",
    )
    command.add_argument(
        "--resume", action="store_true", help="leave pages that are in OUT already as they are"
    )
    command.add_argument("--json", action="store_true", help="print where the index is as JSON")


def run(options: argparse.Namespace) -> int:
    """Write the bundle."""
    path = results_in(options.run)
    if path is None:
        raise InputError(f"{options.run} holds no results: name a folder that evaluate wrote")
    rows = read_rows(path)
    if not rows:
        raise InputError(f"{path} holds no rows")
    origin = _origin(options)
    data = options.data or origin.datasets
    cases = dataset(*data) if data else Cases(())
    title = options.title or ", ".join(dict.fromkeys(row.run.dataset for row in rows))
    content = not options.no_content
    if options.jobs < 1:
        raise InputError(f"--jobs must be at least 1, got {options.jobs}")
    index = bundle(
        options.out,
        title,
        rows,
        cases,
        with_content=content,
        jobs=options.jobs,
        resumes=options.resume,
        repeatable=origin.repeatable,
        say=progress,
    )
    if options.json:
        pages = len({row.run.key[:2] for row in rows})
        print(json.dumps({"index": str(index), "pages": pages, "rows": len(rows)}))
    else:
        print(f"Open {index} in any browser.")
    return 0


def _origin(options: argparse.Namespace) -> RunOrigin:
    try:
        return read_origin(options.run)
    except InputError:
        if not options.data:
            raise
        return RunOrigin()
