"""What it is worth to read a page as it is seen: each extractor on each input that is HTML.

    python -m tests.bench.seen_inputs DATASET [METHODS]

Prints F1 of the words on original, DOM and the page as it is seen, means over the same pages, and
how many of the words that a method keeps are not displayed.  Gold is the main content that is
marked, or given as text; of pages with blocks alone the blocks of type *Content* on level 1.
METHODS are keys, separated by commas; Pagelet's own by default.
"""

import statistics
import sys
from collections import Counter, defaultdict

import pagelet

from algorithms.core.attempt import attempt
from algorithms.core.catalogue import EXTRACTORS, named_method
from algorithms.measures.text import score_text
from algorithms.results import Extraction
from annotate.datasets.case_files import PageFiles
from annotate.marks.gold import MAIN, Gold, Mark
from engine.errors import PageletError
from engine.page import SOURCES, Page
from engine.web.headless import Browser


def gold_of(files: PageFiles, page: Page) -> Extraction | None:
    """Return the main content of a page; None where nobody marked it."""
    text = files.text(lambda: page)
    if text is not None:
        return Extraction(page.source("original"), [], text)
    gold = files.marks(page)
    content = [m for m in gold.of_level(1) if m.type == "Content"]
    marks = tuple(Mark(mark.id, MAIN, mark.targets) for mark in content)
    return Gold(marks).as_extraction(page) if marks else None


def hidden(result: Extraction, page: Page) -> float:
    """Return which share of the words of a result the page does not show."""
    words = Counter(result.text.split())
    shown = Counter(page.source("seen").text.split())
    return (words - shown).total() / max(words.total(), 1)


def means_of(dataset: str, methods: str = "") -> tuple[int, dict[tuple[str, str], list[float]]]:
    """Return the number of pages, and by method and input mean F1 and share not displayed."""
    entries = [named_method(key) for key in methods.split(",")] if methods else EXTRACTORS
    rows: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    pages = 0
    with Browser() as browser:
        for case in pagelet.dataset(dataset):
            files = case.files.get("repaired") or next(iter(case.files.values()))
            try:
                page = files.laid_out(browser.capture(files.document()))
                gold = gold_of(files, page)
            except PageletError as error:
                print(f"{case.name}: {error}", file=sys.stderr)
                continue
            if gold is None:
                continue
            pages += 1
            for entry in entries:
                for source in SOURCES:
                    result = attempt(entry, page, entry.params(), source).result
                    f1, unseen = 0.0, 0.0
                    if isinstance(result, Extraction):
                        f1, unseen = score_text(result, gold).bow.f1, hidden(result, page)
                    rows[entry.key, source].append((f1, unseen))

    return pages, {
        key: [*map(statistics.fmean, zip(*own, strict=True))] for key, own in rows.items()
    }


def main(dataset: str, methods: str = "") -> None:
    """Run all and print the table."""
    pages, means = means_of(dataset, methods)
    print(f"{pages} pages\n\n| method | original | DOM | seen | not displayed: original | DOM |")
    print("| --- | --- | --- | --- | --- | --- |")
    for method in dict.fromkeys(key for key, _ in means):
        f1 = " | ".join(f"{means[method, source][0]:.3f}" for source in SOURCES)
        unseen = " | ".join(f"{means[method, source][1]:.1%}" for source in SOURCES[:2])
        print(f"| `{method}` | {f1} | {unseen} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
