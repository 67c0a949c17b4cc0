"""``pagelet audit``: probable errors in gold, the most suspicious first."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotate.evaluation.run.run_options import PageChoice
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from engine.web.worker_browser import LateBrowser
from gui.cli.signatures import Count
from gui.cli.terminal import note, print_json

if TYPE_CHECKING:
    from annotate.plugins.audit.auditing import AuditedPart


def run(
    data: Sequence[str],
    *,
    blocks: bool = False,
    out: Path | None = None,
    first: Count = 20,
    model: str = "",
    folds: int = 0,
    threads: Count = 1,
    choice: PageChoice,
    json: bool = False,
    no_sandbox: bool,
) -> int:
    """Audit the gold and print contradicted parts.

    Args:
        data (DATA): data sets with gold text or blocks, or workspaces
        blocks: check the gold blocks, not the main content (automatic if there is no other gold)
        out (FILE): write all parts as CSV
        first (N): parts to print (default: %(default)s)
        model (FILE): a model of pagelet train gleaner that has not seen this gold (default:
            Pagelet's own, which was trained on WCXB)
        folds (N): train gleaner on these pages themselves, in N folds by site, so that what it
            expects of a page it learned from others: for data it was trained on, such as WCXB
        threads (N): threads that train (default: 1)
        json: print all parts as JSON

    Examples:
      pagelet audit wcxb
      pagelet audit wcxb --folds 5 --out suspects.csv
      pagelet audit work.pagelet --out suspects.csv --first 50
      pagelet audit kreuzer-random --folds 13
      pagelet audit work.pagelet --blocks
    """
    with defer_interrupts():
        from annotate.evaluation.run.triage import pages_of
        from annotate.plugins.audit.auditing import audit, rows_of, table_of, write_parts
        from annotate.plugins.audit.block_auditing import (
            audit_blocks,
            data_with_blocks,
            has_only_blocks,
        )
    if folds and folds < 2:
        raise InputError(f"--folds must be at least 2, got {folds}")
    if folds and model:
        raise InputError("--folds and --model exclude each other: give one of them")
    if out is not None and not out.absolute().parent.is_dir():
        raise InputError(f"{out.parent} is no folder: make it first, or change --out")
    blocks = blocks or all(map(has_only_blocks, data))
    if blocks and model:
        raise InputError("--model is for gold text: leave it out, or leave out --blocks")
    opened = data_with_blocks if blocks else pages_of
    datasets = tuple(choice.taken_of(opened(each)) for each in data)
    parts: Sequence[AuditedPart]
    with LateBrowser(no_sandbox=no_sandbox) as browser:
        if blocks:
            seen = "terrain-learned has seen the gold of Kreuzer's random pages"
            parts, pages = audit_blocks(datasets, browser, note, folds=folds, threads=threads)
        else:
            seen = "gleaner has seen the gold of WCXB"
            parts, pages = audit(datasets, browser, note, model=model, folds=folds, threads=threads)
    if not pages:
        raise InputError(f"none of these pages has gold {'blocks' if blocks else 'text'}")
    if out is not None:
        write_parts(out, parts)
    if json:
        print_json(list(rows_of(parts)))
    else:
        print(table_of(parts, pages, first))
    if not (model or folds):
        note(f"{seen}: with --folds it learns anew without each page")
    return 0
