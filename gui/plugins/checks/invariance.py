"""``pagelet invariance``: words of a result that options of form change."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

from annotate.evaluation.run.run_options import EvaluationOptions, PageChoice
from engine.errors import InputError, PageletError
from engine.interrupts import defer_interrupts
from gui.cli.arguments import JOBS
from gui.cli.signatures import Argument
from gui.cli.terminal import note, print_json

if TYPE_CHECKING:
    from annotate.plugins.checks.invariance import Variance

_LEFT_OUT = ("predictions", "resumes", "repeatable", "cache", "out", "report", "word_unit")
Running = Annotated[EvaluationOptions, Argument(without=_LEFT_OUT, defaults={"jobs": JOBS})]
_WORDS = 8


def run(
    method: str,
    data: Sequence[str],
    *,
    json: bool = False,
    running: Running,
    choice: PageChoice,
) -> int:
    """Switch each option in turn, and print the words that change against its rule.

    Args:
        method (METHOD): an extractor, or a version of one, as compare takes it
        data (DATA): pages, with gold or without: a folder, a workspace, a data set
        json: print all affected pages as JSON

    An option of form (links, formatting, output format) must change no word; one that includes
    a part of pages (tables, comments, alternative texts) may only add words; tables only those
    in tables.  Other options are not judged.

    Examples:
      pagelet invariance trafilatura wcxb --sample 50
      pagelet invariance trafilatura==2.2.0 pages --json
      pagelet invariance my_method.py pages

    Exit status: 0 no option changes such words, 1 some do, 2 wrong input.
    """
    with defer_interrupts():
        from annotate.evaluation.run.triage import pages_of
        from annotate.library.progress import LineProgress
        from annotate.plugins.checks.invariance import switches_of, variances
        from annotate.plugins.compare.runs import failures_of, plan_for, run_versions
        from annotate.plugins.external.sides import chosen_side
        from gui.cli.terminal import progress
    base = chosen_side(method)
    switches, others = switches_of(method)
    if not switches:
        raise InputError(
            f"{method} has no option of form: name a method with such options, as trafilatura"
        )
    sides = (base, *(each.side for each in switches))
    plan = plan_for([choice.taken_of(pages_of(each)) for each in data], sides, None, running)
    pages = run_versions(plan, LineProgress(progress))
    found = variances(base, switches, pages)
    if not any(each.compared for each in found):
        why = failures_of(pages, [base]).get(base.entry.key, "there is no page")
        raise PageletError(f"{method} gave no text on any page, so nothing was compared: {why}")
    if json:
        print_json({"method": method, "options": list(map(_as_json, found)), "not_judged": others})
    else:
        print(_table(found))
        if others:
            note(f"not judged: {', '.join(others)}")
    return 1 if any(each.pages for each in found) else 0


def _table(found: "Sequence[Variance]") -> str:
    """Return a line for each option, and its first page with words."""
    width = max(len(each.switch.name) for each in found)
    lines = [f"{'option':<{width}}  may change             pages  words lost  added"]
    for each in found:
        lines.append(
            f"{each.switch.name:<{width}}  {each.switch.rule:<20} {len(each.pages):>3} of "
            f"{each.compared:<4} {each.words_lost:>7} {each.words_added:>6}"
        )
        for name, lost, added in each.pages[:1]:
            texts = [f"{sign} {_short(part[0])}" for sign, part in (("−", lost), ("+", added))
                     if part]  # fmt: skip
            lines.append(f"  {name}: {'  '.join(texts)}")
        if each.failure:
            lines.append(f"  fails: {each.failure}")
    return "\n".join(lines)


def _short(text: str) -> str:
    words = text.split()
    return " ".join(words[:_WORDS]) + (" …" if len(words) > _WORDS else "")


def _as_json(each: "Variance") -> dict[str, Any]:
    pages = [{"page": name, "lost": lost, "added": added} for name, lost, added in each.pages]
    return {
        "option": each.switch.option, "value": each.switch.value, "may_change": each.switch.rule,
        "compared": each.compared, "affected": len(pages), "words_lost": each.words_lost,
        "words_added": each.words_added, "failure": each.failure, "pages": pages,
    }  # fmt: skip
