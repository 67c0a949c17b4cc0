"""``pagelet next``: what to fix next, with the page and the test that show it."""

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotate.evaluation.run.run_options import PageChoice
from engine.bounded_file import atomic_write
from engine.errors import InputError
from engine.interrupts import defer_interrupts
from engine.words import plural, shorten
from gui.cli.terminal import print_json, progress

_WORST, _CAUSES = 5, 5


def run(
    method: str,
    data: Sequence[str],
    *,
    choice: PageChoice,
    seconds: float = 30.0,
    out: Path | None = None,
    json: bool = False,
) -> int:
    """Print the worst pages, the cause that costs most F1, and the smallest page that shows it.

    Pages of the vault of `pagelet loop` are left out, unless there are no others.

    Args:
        method (METHOD): an extractor, or a version of one, as compare takes it
        data (DATA): data sets with gold text, or workspaces
        seconds: time to make the page small (default: %(default)g)
        out: write page.html and test_next.py into this folder
        json: print JSON

    Examples:
      pagelet next my_method.py wcxb --sample 200
      pagelet next gleaner wcxb --out next
    """
    with defer_interrupts():
        from annotate.evaluation.run.triage import pages_of
        from annotate.library.page_cases import Cases
        from annotate.plugins.compare.loop import part_of
        from annotate.plugins.external.sides import chosen_side
        from annotate.plugins.reduce.fault_test import fault_test
        from annotate.plugins.reduce.next_step import (
            judge,
            shared_causes,
            smallest_page,
        )
    side = chosen_side(method)
    outside = [choice.taken_of(part_of(pages_of(each), vault=False)) for each in data]
    pages = judge(side.entry, side.params, Cases(tuple(outside)), _print_hundreds)
    if not pages:
        raise InputError("none of these pages has gold text outside the vault of pagelet loop")
    causes = shared_causes(pages)
    worst = [{"page": p.case.name, "f1": round(p.f1, 4), "failure": p.failure} for p in pages]
    rows: list[dict[str, Any]] = [
        {
            "kind": str(each.kind), "cause": each.cause,
            "f1_lost": round(each.loss / len(pages), 4), "words": each.words,
            "pages": each.pages[:_WORST], "page_count": len(each.pages),
            "example": shorten(each.errors[0].text, 200),
        }
        for each in causes[:_CAUSES]
    ]  # fmt: skip
    shown = next((each for each in causes if each.is_shown), None)
    found = smallest_page(side.entry, side.params, shown, pages, seconds) if shown else None
    others = causes[_CAUSES:]
    rest = sum(each.loss for each in others) / len(pages)
    page = "" if found is None else found[1].html
    test = "" if found is None else fault_test(found[0], method, page, is_javascript=False)
    files = {"page.html": page, "test_next.py": test} if out is not None and found else {}
    for name, text in files.items():
        assert out is not None
        out.mkdir(parents=True, exist_ok=True)
        with atomic_write(out / name) as beside:
            beside.write_text(text, encoding="utf-8")
    after = _after([method, *data, *_chosen(choice)], shown.cause if shown else "", out)
    if json:
        print_json({
            "method": method, "pages": len(pages),
            "mean_f1": round(sum(p.f1 for p in pages) / len(pages), 4), "worst": worst[:_WORST],
            "causes": rows, "f1_lost_by_others": round(rest, 4),
            "smallest_page": "" if files else page, "test": "" if files else test,
            "files": [str(out / name) for name in files] if out is not None else [], "next": after,
        })  # fmt: skip
        return 0
    print(f"{plural(len(pages), 'page')}; the worst:")
    for each in worst[:_WORST]:
        print(f"  {each['f1']:.3f}  {each['page']}  {each['failure']}".rstrip())
    for row in rows:
        print(f"  {row['f1_lost']:.3f} of F1, {plural(row['words'], 'word')} on "
              f"{plural(row['page_count'], 'page')}: {row['kind']}, {row['cause']}")  # fmt: skip
    if others:
        print(f"  {rest:.3f} of F1: {plural(len(others), 'other cause')}")
    if found is not None and not files:
        print(f"\nThe smallest page ({len(page.encode()):,} bytes):\n{page}\n\n{test}")
    print(after)
    return 0


def _chosen(choice: PageChoice) -> list[str]:
    """Return the words that choose the same pages again."""
    given = {"--limit": choice.limit, "--sample": choice.sample, "--seed": choice.seed or None}
    return [word for name, n in given.items() if n is not None for word in (name, str(n))]


def _after(words: Sequence[str], cause: str, out: Path | None) -> str:
    if not cause:
        return "no error of five words is left: open the vault once with pagelet loop --vault"
    test = "the test" if out is None else str(out / "test_next.py")
    return (
        f"change the method until {test} passes, then: pagelet loop {shlex.join(words)} "
        '--hypothesis "…"'
    )


def _print_hundreds(count: int) -> None:
    if count % 100 == 0:
        progress(f"{plural(count, 'page')} read")
