"""``pagelet agreement``: how far annotators agree, page by page and in the mean."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from algorithms.levels import LEVELS, Level
from algorithms.measures.choice import measure_of
from annotate.plugins.team_work.agreement import (
    DIAL,
    Coefficients,
    Confusion,
    PageAgreement,
    added_confusion,
    column_means,
    page_agreement,
)
from annotate.plugins.team_work.shared_pages import (
    SharedPage,
    control_pages_of,
    curated_pages_of,
    marked_pages,
    read_in_part,
)
from engine.errors import InputError, PageletError
from engine.words import plural
from gui.cli.arguments import browser_for
from gui.cli.signatures import Argument
from gui.cli.terminal import json_text, note, print_json

_TYPES = (
    "types α: the mean of that of level 1 and that of level 2; κ and α by characters, white space "
    "left out; unsure: marks flagged so, of all annotators"
)
_MOST_TYPES = 8
"""Types in a printed confusion table; JSON has all."""


def run(
    annotators: Sequence[Path],
    *,
    controls: Annotated[bool, Argument(one_of="known")] = False,
    curated: Annotated[bool, Argument(one_of="known")] = False,
    json: bool = False,
    lines: bool = False,
    no_sandbox: bool,
) -> int:
    """Print a table, or JSON.

    Args:
        annotators (MARKS): a workspace, or a folder of pages with gold files, of each annotator;
            or one workspace with the marks of several
        controls: each annotator against the known gold of the control pages in a workspace
        curated: each annotator against what a reviewer decided, in a workspace
        json: print JSON, page by page
        lines: print JSON, one line a page, as soon as it is done

    Example:
      pagelet agreement anna.pagelet ben.pagelet
    """
    problems = read_in_part(annotators)
    if controls:
        marked = pages = control_pages_of(annotators)
    elif curated:
        marked = pages = curated_pages_of(annotators, problems)
    else:
        marked = marked_pages(annotators, problems)
        pages = [each for each in marked if each.is_shared]
    note(*problems)
    result: dict[str, PageAgreement] = {}
    with browser_for(no_sandbox=no_sandbox) as browser:
        for number, each in enumerate(pages, 1):
            try:
                page = browser.capture(each.document)
                golds = each.golds(page)
                if len(golds) < 2:
                    raise InputError("only drafts of all but one annotator")
                result[each.name] = page_agreement(page, golds, of_known=controls or curated)
                asked = sum(len(gold.unconfirmed()) for gold in golds.values())
                if asked:
                    note(f"{each.name}: {plural(asked, 'mark')} to be confirmed, left out")
            except PageletError as error:
                note(f"{each.name}: {error}")
                continue
            if lines:
                (line,) = as_json({each.name: result[each.name]})
                facts = {"key": each.key, "number": number, "of": len(pages)}
                print(json_text({**facts, **line}), flush=True)
    if not result:
        raise InputError("no page that two annotators marked could be rendered")
    if json:
        print_json(as_json(result))
    elif not lines:
        is_known = controls or curated
        print(as_table(result, _by_annotator(pages, result) if is_known else None))
        if not is_known:
            print(_who_has_which(marked))
    return 0


def as_table(
    result: Mapping[str, PageAgreement], groups: Mapping[str, Sequence[PageAgreement]] | None = None
) -> str:
    """Return agreement as a table, a page a line and the means below, those of groups first."""
    lie, larger = measure_of("b3-chars").name, measure_of("b3-chars-max").name
    head = ("main κ", "main α", "main AC1", "types α", "types AC1", lie, larger, "unsure")
    rows = [(name, _numbers(each), f"{sum(each.unsure.values())}") for name, each in result.items()]
    for name, pages in {**(groups or {}), "": list(result.values())}.items():
        label = f"{name}: mean of {len(pages)}" if name else f"mean of {len(pages)}"
        unsure = np.mean([sum(each.unsure.values()) for each in pages])
        rows.append((label, column_means(map(_numbers, pages)), f"{unsure:.1f}"))
    width = max(len(name) for name, *_ in rows)
    lines = [f"{'page':<{width}}  " + "  ".join(f"{name:>9}" for name in head)]
    for name, values, count in rows:
        cells = zip(head, (*map(_shown, values), count), strict=True)
        lines.append(f"{name:<{width}}  " + "  ".join(f"{v:>{max(9, len(on))}}" for on, v in cells))
    dial = column_means(each.dial() for each in result.values())
    points = zip(DIAL, dial, strict=True)
    shown = "  ".join(f"{share:.1%}: {_shown(value)}" for share, value in points)
    if not np.isnan(dial).all():
        lines += ["", _TYPES, f"{lie} without blocks below a share of the page  {shown}"]
    for level in LEVELS:
        tables = (each.confusion[level] for each in result.values())
        of_known = groups is not None
        lines += _confusion(level, added_confusion(tables, of_known=of_known), of_known=of_known)
    return "\n".join(lines)


def _confusion(level: Level, table: Confusion, *, of_known: bool) -> list[str]:
    """Return lines for the types of a level that two gave to one text, each pair once.

    With ``of_known`` lines have the annotators' answers, columns the known ones or a reviewer's.
    """
    total = sum(table.values())
    if not total:
        return []
    sums: dict[str, float] = {}
    for pair, weight in table.items():
        for kind in set(pair):
            sums[kind] = sums.get(kind, 0.0) + weight
    kinds = sorted(sums, key=lambda kind: (-sums[kind], kind))[:_MOST_TYPES]
    width = max(map(len, kinds))
    beside = "one annotator beside another"
    if of_known:
        beside = "annotator's in lines, reviewer's or known in columns"
    lines = ["", f"types of level {level}, {beside}, % of characters"]
    lines.append(" " * width + "".join(f"  {kind:>6}" for kind in kinds))
    for number, row in enumerate(kinds):
        pairs = [
            (row, kind) if of_known else (min(row, kind), max(row, kind)) if at >= number else None
            for at, kind in enumerate(kinds)
        ]
        shares = (0.0 if pair is None else table.get(pair, 0.0) / total for pair in pairs)
        cells = (f"{100 * share:.1f}" if share else "·" for share in shares)
        columns = zip(cells, kinds, strict=True)
        lines.append(
            f"{row:<{width}}" + "".join(f"  {cell:>{max(6, len(on))}}" for cell, on in columns)
        )
    return lines


def _who_has_which(pages: Sequence[SharedPage]) -> str:
    """Return a table of who marked which page, with the number of pages of each annotator."""
    people = sorted({who for page in pages for who in page.annotators})
    counts = [sum(who in page.annotators for page in pages) for who in people]
    shared = sum(page.is_shared for page in pages)
    width = max(len("all pages"), *(len(page.name) for page in pages))
    rows = [("", people), ("all pages", [str(count) for count in counts])]
    rows += [(p.name, ["x" if who in p.annotators else "·" for who in people]) for p in pages]
    title = f"who marked which: {shared} of {plural(len(pages), 'page')} marked by two or more"
    lines = ["", title]
    for name, cells in rows:
        parts = (f"{cell:>{len(who)}}" for cell, who in zip(cells, people, strict=True))
        lines.append(f"{name:<{width}}  " + "  ".join(parts))
    return "\n".join(lines)


def _by_annotator(
    pages: Sequence[SharedPage], result: Mapping[str, PageAgreement]
) -> dict[str, list[PageAgreement]]:
    """Return annotator → agreement on each of his pages."""
    groups: dict[str, list[PageAgreement]] = {}
    for page in pages:
        if page.name in result:
            groups.setdefault(page.annotators[0], []).append(result[page.name])
    return groups


def as_json(result: Mapping[str, PageAgreement]) -> list[dict[str, Any]]:
    """Return agreement ready for JSON; undefined values are null."""
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
            "confusion": {
                f"level {level}": [
                    {"types": list(pair), "characters": weight} for pair, weight in table.items()
                ]
                for level, table in each.confusion.items()
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
    _, _, types, ac1, lie, larger = each.values("both", "chars")
    return main.cohen, main.alpha, main.ac1, types, ac1, lie, larger


def _coefficients(values: Coefficients) -> dict[str, float | None]:
    return {name: _known(value) for name, value in asdict(values).items()}


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _shown(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"
