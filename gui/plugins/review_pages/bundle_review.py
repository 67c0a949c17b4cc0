"""``pagelet bundle --review``: marks to be judged in a browser, without an install."""

from collections.abc import Sequence
from pathlib import Path

from algorithms.core.catalogue import named_method
from annotate.evaluation.store.row_files import read_origin, results_in
from annotate.library.page_cases import Cases, dataset
from annotate.plugins.review_pages.review_folder import write_review
from annotate.plugins.review_pages.review_page import review_pages
from annotate.workspace.workspace import Workspace
from annotate.workspace.workspace_file import is_workspace
from engine.errors import InputError
from engine.words import plural
from gui.cli.terminal import note, print_json, progress


def run(
    folder: Path,
    *,
    out: Path,
    data: Sequence[Path],
    title: str,
    no_content: bool,
    jobs: int,
    resume: bool,
    json: bool,
    review: bool = False,
    method: Sequence[str] = (),
) -> int | None:
    """Write pages on which marks are judged in a browser; RUN may be a workspace or data set then.

    Args:
        review: instead, pages to judge each mark: right, wrong, or another block; --out NAME.html
            writes one file
        method (METHOD): with --review: also judge what this method finds
    """
    if not review:
        if method:
            raise InputError("--method needs --review: give both, or leave it out")
        return None
    if resume:
        raise InputError("--resume does not go with --review, which is written whole: leave it out")
    for each in method:
        named_method(each)  # reports an unknown one before pages are drawn
    pages = review_pages(
        _cases(folder, data), method, with_content=not no_content, jobs=jobs, say=progress
    )
    note(*(f"{page.url}: {page.problem}" for page in pages if page.problem))
    who: tuple[str, ...] = ()
    if is_workspace(folder):
        with Workspace.reading(folder) as workspace:
            who = tuple(filter(None, [workspace.annotator.name]))
    written = write_review(out, title or folder.stem, pages, who, with_content=not no_content)
    if json:
        answer = {"index": str(written.index), "key": str(written.key), "pages": len(pages),
                  "bytes": written.size, "inside": written.inside}  # fmt: skip
        print_json(answer, indent=None, is_ascii=True)
        return 0
    print(written.inside)
    print(f"Pass on {out}: {plural(len(pages), 'page')}, {written.size // 1000} kB.")
    print(f"Keep {written.key}: pagelet merge needs it to take the answers.")
    return 0


def _cases(folder: Path, data: Sequence[Path]) -> Cases:
    """Return the pages of a run, a workspace or a data set, by full paths as in workspaces."""
    if data:
        return dataset(*(path.resolve() for path in data))
    if folder.is_dir() and results_in(folder) is not None:
        return dataset(*(Path(each).resolve() for each in read_origin(folder).datasets))
    return dataset(folder.resolve())
