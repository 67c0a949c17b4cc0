"""``pagelet bundle``: an evaluation as a folder of web pages for those without Pagelet."""

from collections.abc import Sequence
from pathlib import Path

from annotate.evaluation.store.row_files import RunOrigin, read_origin, read_rows, results_in
from annotate.library.bundling import bundle
from annotate.library.page_cases import Cases, dataset
from engine.errors import InputError
from gui.cli.arguments import JOBS
from gui.cli.signatures import Count
from gui.cli.terminal import print_json, progress


def run(
    folder: Path,
    *,
    out: Path = Path("pagelet-bundle"),
    data: Sequence[Path] = (),
    title: str = "",
    no_content: bool = False,
    jobs: Count = JOBS,
    resume: bool = False,
    json: bool = False,
) -> int:
    """Write the bundle.

    Args:
        folder (RUN): a folder that evaluate wrote
        out: folder
        data (DATASET): where the pages are, if not where they were evaluated
        title: title of the web pages (default: the data sets)
        no_content: leave out pictures and texts of the pages
        jobs (N): processes that draw pages (default: %(default)s, as many as there are processors)
        resume: leave pages that are in OUT already as they are
        json: print where the index is as JSON

    Example:
      pagelet bundle pagelet-evaluation --out to-hand-on
    """
    path = results_in(folder)
    if path is None:
        raise InputError(f"{folder} holds no results: name a folder that evaluate wrote")
    rows = read_rows(path)
    try:
        origin = read_origin(folder)
    except InputError:
        if not data:
            raise
        origin = RunOrigin()
    datasets = data or origin.datasets
    index = bundle(
        out,
        title or ", ".join(dict.fromkeys(row.run.dataset for row in rows)),
        rows,
        dataset(*datasets) if datasets else Cases(()),
        with_content=not no_content,
        jobs=jobs,
        resumes=resume,
        repeatable=origin.repeatable,
        say=progress,
    )
    if json:
        pages = len({row.run.key[:2] for row in rows})
        answer = {"index": str(index), "pages": pages, "rows": len(rows)}
        print_json(answer, indent=None, is_ascii=True)
    else:
        print(f"Open {index} in any browser.")
    return 0
