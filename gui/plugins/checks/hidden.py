"""``pagelet hidden``: words that extractors pass on and nobody sees."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from annotate.evaluation.run.run_options import PageChoice
from engine.errors import InputError, PageletError
from engine.interrupts import defer_interrupts
from engine.web.worker_browser import LateBrowser
from gui.cli.terminal import note, print_json, progress

if TYPE_CHECKING:
    from annotate.datasets.cases import DataSet
    from annotate.plugins.checks.hidden import HiddenWords
    from engine.page import Page


def run(
    methods: str,
    data: Sequence[str],
    *,
    choice: PageChoice,
    json: bool = False,
    no_sandbox: bool,
) -> int:
    """Print the words by method and kind; return 0 whatever it finds.

    Args:
        methods (METHODS): extractors, separated by commas; "all": all that read the DOM
        data (DATA): pages, with gold or without: a folder, a workspace, a data set
        json: print counts and examples as JSON

    Pages are rendered, and the methods read their DOM.  Kinds: closed details, hidden attribute,
    display, visibility, opacity, size, colour, off the screen, clipped, covered.

    Examples:
      pagelet hidden trafilatura pages
      pagelet hidden bte,trafilatura,gleaner wcxb --sample 50
      pagelet hidden all pages --json
    """
    with defer_interrupts():
        from algorithms.core.catalogue import available
        from annotate.evaluation.run.triage import pages_of
        from annotate.plugins.checks.hidden import count_hidden
        from annotate.plugins.external.sides import chosen_side
    keys = methods.split(",")
    if methods == "all":
        keys = [m.key for m in available() if m.output == "extraction" and "dom" in m.inputs]
    sides = [chosen_side(each) for each in keys]
    for side in sides:
        if "dom" not in side.entry.inputs:
            raise InputError(f"{side.entry.key} does not read the DOM: leave it out")
    datasets = [choice.taken_of(pages_of(each)) for each in data]
    with LateBrowser(no_sandbox=no_sandbox) as browser:
        found, total = count_hidden(sides, _pages(datasets, browser))
    if not total:
        raise InputError("none of these pages has words: give pages with text")
    if json:
        print_json({"pages": dict(total), "methods": [_as_json(each) for each in found]})
    else:
        print(_table(found, total))
    note(*(each.failures[0] for each in found if each.failures))
    return 0


def _pages(datasets: "Sequence[DataSet]", browser: LateBrowser) -> "Iterator[tuple[str, Page]]":
    for dataset in datasets:
        for name, variants in dataset.pages:
            progress(f"{dataset.name}/{name}")
            try:
                yield (
                    f"{dataset.name}/{name}",
                    browser.capture(next(iter(variants.values())).document()),
                )
            except PageletError as error:
                note(f"{dataset.name}/{name}: {error}")


def _table(found: "Sequence[HiddenWords]", total: Counter[str]) -> str:
    """Return a line for each method, and the first example of each kind."""
    from annotate.plugins.checks.hidden import KINDS

    kinds = [kind for kind in KINDS if total[kind]]
    width = max(len("on the pages"), *(len(each.method) for each in found))
    head = "  ".join((f"{'method':<{width}}", "passed", "unseen", *kinds, "seen words dropped"))
    lines = [f"{'on the pages':<{width}}  {total['seen']:>6}  "
             f"{sum(total[kind] for kind in kinds):>6}  "
             + "  ".join(f"{total[kind]:>{len(kind)}}" for kind in kinds)]  # fmt: skip
    for each in found:
        share = f"{100 * each.dropped / each.seen:.1f} %" if each.seen else "–"
        counts = "  ".join(f"{each.hidden[kind]:>{len(kind)}}" for kind in kinds)
        lines.append(
            f"{each.method:<{width}}  {each.passed:>6}  {each.hidden.total():>6}  {counts}"
            f"  {share:>18}"
        )
    examples = {kind: (each.method, *each.examples[kind]) for each in reversed(found)
                for kind in each.examples}  # fmt: skip
    lines += [f"{kind}: {words} ({page}, {method})"
              for kind, (method, page, words) in examples.items()]  # fmt: skip
    lines.append(
        f"{total['rendered']} seen words are not in the source: scripts and styles bring them"
    )
    return "\n".join((head, *lines))


def _as_json(each: "HiddenWords") -> dict[str, object]:
    examples = {kind: {"page": page, "words": words}
                for kind, (page, words) in each.examples.items()}  # fmt: skip
    return {
        "method": each.method, "pages": each.pages, "passed": each.passed,
        "hidden": dict(each.hidden), "seen": each.seen, "dropped": each.dropped,
        "examples": examples, "failures": each.failures,
    }  # fmt: skip
