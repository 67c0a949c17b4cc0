"""``pagelet guidelines``: content as defined by the gold of data sets, side by side."""

from collections.abc import Sequence
from pathlib import Path

from annotate.evaluation.run.run_options import PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from engine.words import plural
from gui.cli.terminal import print_json, progress


def run(
    data: Sequence[str], *, by_type: bool = False, choice: PageChoice, json: bool = False
) -> int:
    """Read the gold, and print its share of each kind of text.

    Args:
        data (DATA): data sets with gold text, or workspaces
        by_type: a table for each type of page, too
        json: print JSON

    Examples:
      pagelet guidelines wcxb article-benchmark-sample
      pagelet guidelines wcxb work.pagelet --by-type --sample 200
      pagelet guidelines anna.pagelet ben.pagelet --json
    """
    with defer_interrupts():
        from annotate.evaluation.tables.summaries import align_cells
        from annotate.library.page_cases import Cases, data_names, dataset
        from annotate.plugins.guidelines.guidelines import (
            as_json,
            guideline_of,
            share_lines,
            text_lines,
        )
    opened = [Cases(tuple(map(choice.taken_of, dataset(path).datasets))) for path in data]
    every = [
        guideline_of(name, Path(path).expanduser(), cases, _print_hundreds)
        for name, path, cases in zip(data_names(data), data, opened, strict=True)
    ]
    if not any(each.pages for each in every):
        raise InputError("none of these pages has gold text")
    if json:
        print_json([as_json(each) for each in every])
        return 0
    for each in every:
        named = ", ".join(each.named) or "no guideline named"
        print(f"{each.name}: {plural(each.pages, 'page')} with gold text; {named}")
    kinds = dict.fromkeys(kind for each in every for kind in each.by_type if kind)
    for lines in filter(None, (text_lines(every), share_lines(every))):
        print(f"\n{align_cells(lines)}")
    for kind in kinds if by_type else ():
        print(f"\n{kind}\n{align_cells(share_lines(every, kind))}")
    return 0


def _print_hundreds(count: int) -> None:
    if count % 100 == 0:
        progress(f"{plural(count, 'page')} read")
