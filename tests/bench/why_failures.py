"""Real failures of methods, what is said of them, and whether that is true.

    python -m tests.bench.why_failures DATASET [DATASET ...] [--most 12]

Of each method in turn the first page whose largest error has an answer: the sentence that *Why*
gives, the smallest change of one parameter that turns the decision, F1 before and with it.  Then
method and page are run anew, by nothing but the printed values: ``confirmed`` says that the
decision is the other one and F1 is what was said.  Data sets are those whose gold is text.
"""

import argparse
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import cycle
from typing import Any

from algorithms.core.catalogue import EXTRACTORS
from algorithms.core.mapping import map_text
from algorithms.explain.counterfactuals import Counterfactual
from algorithms.explain.differences import text_errors, words_kept
from algorithms.explain.why import TextQuery, Why
from algorithms.measures.text import score_words
from algorithms.measures.text_words import Words
from algorithms.method import Method
from algorithms.results import Extraction
from annotate.datasets.opening import open_pages
from engine.errors import PageletError
from engine.page import Page
from engine.source import Source

LEAST = 20
"""Words of an error that counts as a failure."""


@dataclass(frozen=True)
class GoldPage:
    name: str
    data: bytes
    charset: str | None
    gold: str

    def source(self) -> Source:
        return Source.from_bytes(self.data, self.charset)


def gold_pages(folders: list[str]) -> Iterator[GoldPage]:
    """Read pages with gold text, one data set after the other in turn."""
    sets = [iter(open_pages(folder).files) for folder in folders]
    for files in cycle(sets):
        each = next(files, None)
        if each is None:
            return
        try:
            received = each.document().receive()
            page = Page(each.document().address, Source.from_bytes(received.data, received.charset))
            gold = each.text(lambda page=page: page)
        except PageletError:
            continue
        if gold and len(gold.split()) > 50:
            yield GoldPage(each.document().name, received.data, received.charset, gold)


def failure(entry: Method, page: GoldPage) -> tuple[Why, Counterfactual] | None:
    """Return what is said of the largest error of a method, and what turns it."""
    source = page.source()
    expected = Extraction(source, map_text(source, page.gold).spans)
    result: Any = entry.run_on(source, entry.params())
    errors = sorted(text_errors(result, expected), key=lambda error: -error.words)
    if not errors or errors[0].words < LEAST:
        return None
    asked = TextQuery(entry, source, entry.params(), page.gold, words_kept(expected))
    why = asked.why((errors[0].first + errors[0].last) // 2)
    if why is None or why.in_gold == why.is_kept:
        return None
    change = asked.counterfactual(why, seconds=60.0).counterfactual
    return None if change is None or change.f1 is None else (why, change)


def is_confirmed(entry: Method, page: GoldPage, why: Why, change: Counterfactual) -> bool:
    """Run the method anew with the change: whether decision and F1 are those that were said."""
    source = page.source()
    result: Any = entry.run_on(source, replace(entry.params(), **{change.parameter: change.after}))
    is_kept = bool(words_kept(result, source)[why.first : why.last].mean() > 0.5)
    score = score_words(Words(result.text), Words(page.gold)).ws.f1
    assert change.f1 is not None
    return is_kept != why.is_kept and abs(score - change.f1) < 1e-9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--most", type=int, default=12)
    options = parser.parse_args()
    pages = []
    for page in gold_pages(options.folders):
        pages.append(page)
        if len(pages) == 3 * options.most:
            break
    methods = [entry for entry in EXTRACTORS if entry.trace_source is not None]
    shown, confirmed = 0, 0
    for turn, entry in enumerate(methods):
        if shown == options.most:
            break
        for step in range(len(pages)):
            page = pages[(turn * 3 + step) % len(pages)]
            result = failure(entry, page)
            if result is None:
                continue
            why, change = result
            is_true = is_confirmed(entry, page, why, change)
            shown, confirmed = shown + 1, confirmed + is_true
            text = textwrap.shorten(" ".join(why.text.split()), 60, placeholder=" ...")
            print(f'{shown}. {entry.key} on {page.name}: "{text}"')
            print(f"   {why.sentence}")
            print(
                f"   F1 {why.f1:.3f}; {why.turned_f1:.3f} with this one decision reversed; "
                f"{change.parameter} {change.before} -> {change.after} gives {change.f1:.3f}: "
                f"{'confirmed' if is_true else 'NOT CONFIRMED'}",
                flush=True,
            )
            break
    print(f"{shown} failures of {shown} methods, {confirmed} confirmed by a run")


if __name__ == "__main__":
    main()
