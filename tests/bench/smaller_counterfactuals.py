"""What turns a decision, against trying many more values: is a smaller change there, or one at all?

    python -m tests.bench.smaller_counterfactuals DATASET [DATASET ...] [--most 88] [--values 150]

Each case is the largest error of a method on a page.  `TextQuery.counterfactual` names the smallest
change of one parameter that it came upon, or none; here every number is then set to ``--values``
more values on either side, evenly spaced and random ones in turn.  Printed are the cases in which
one of these turns the decision though none was named, or is smaller than what was named by more
than the rounding that the search allows itself.  Data sets are those whose gold is text.
"""

import argparse
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

from algorithms.core.catalogue import EXTRACTORS
from algorithms.core.mapping import map_text
from algorithms.explain.counterfactuals import Counterfactual
from algorithms.explain.differences import text_errors, words_kept
from algorithms.explain.why import TextQuery, Why
from algorithms.method import Method
from algorithms.results import Extraction
from engine.errors import PageletError
from engine.source import Source
from tests.bench.why_failures import LEAST, gold_pages

ROUNDING = 1e-3
MOST_BYTES = 150_000


def largest_error(entry: Method, source: Source, gold: str) -> tuple[TextQuery, Why] | None:
    expected = Extraction(source, map_text(source, gold).spans)
    result: Any = entry.run_on(source, entry.params())
    errors = sorted(text_errors(result, expected), key=lambda error: -error.words)
    if not errors or errors[0].words < LEAST:
        return None
    asked = TextQuery(entry, source, entry.params(), gold, words_kept(expected))
    why = asked.why((errors[0].first + errors[0].last) // 2)
    return None if why is None else (asked, why)


def turns(entry: Method, source: Source, why: Why, **values: Any) -> bool:
    try:
        result: Any = entry.run_on(source, replace(entry.params(), **values))
    except PageletError:
        return False
    return bool(words_kept(result, source)[why.first : why.last].mean() > 0.5) != why.is_kept


def tried(entry: Method, source: Source, why: Why, count: int) -> tuple[float, str, Any] | None:
    """Size, parameter and value of the smallest change that turns, of ``count`` each way."""
    random, params, best = Random(0), entry.params(), None
    for name, spec in params.specs().items():
        now = getattr(params, name)
        if isinstance(now, bool) or not isinstance(now, int | float):
            continue
        span = float(spec.high if spec.high is not None else now) - float(
            spec.low if spec.low is not None else now
        )
        for bound in (spec.low, spec.high):
            if bound is None or bound == now or not span:
                continue
            shares = {k / count for k in range(1, count // 2 + 1)}
            shares |= {2 * k / count for k in range(1, count // 2 + 1)}
            shares |= {random.random() ** 2 for _ in range(count // 2)}
            for share in sorted(shares):
                value: Any = now + share * (bound - now)
                value = round(value) if isinstance(now, int) else value
                size = abs(value - now) / span
                if value == now or (best is not None and size >= best[0]):
                    continue
                if turns(entry, source, why, **{name: value}):
                    best = size, name, value
                    break
    return best


def judged(
    entry: Method, source: Source, why: Why, change: Counterfactual | None, count: int
) -> str:
    if change is not None and not turns(entry, source, why, **{change.parameter: change.after}):
        return "NOT CONFIRMED"
    best = tried(entry, source, why, count)
    if best is None:
        return "none, by neither" if change is None else "no smaller one"
    if change is None:
        return f"NONE NAMED, and {best[1]} = {best[2]} turns it"
    if best[0] < change.size - ROUNDING:
        better = f"{best[1]} = {best[2]} ({best[0]:.4f})"
        return f"SMALLER: {better} than {change.parameter} ({change.size:.4f})"
    return "no smaller one"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--most", type=int, default=88)
    parser.add_argument("--values", type=int, default=150)
    options = parser.parse_args()
    methods = [entry for entry in EXTRACTORS if entry.trace_source is not None]
    counts: Counter[str] = Counter()
    for page in gold_pages(options.folders):
        if len(page.data) > MOST_BYTES:
            continue
        for entry in methods[counts.total() % 3 :: 3]:
            if counts.total() == options.most:
                break
            source = page.source()
            result = largest_error(entry, source, page.gold)
            if result is None:
                continue
            asked, why = result
            verdict = judged(
                entry,
                source,
                why,
                asked.counterfactual(why, seconds=60.0).counterfactual,
                options.values,
            )
            short = verdict.partition(":")[0].partition(",")[0]
            counts[short] += 1
            if short.isupper():
                print(f"{entry.key} on {page.name}, words {why.first}-{why.last}: {verdict}")
        if counts.total() == options.most:
            break
    print(", ".join(f"{count} {name}" for name, count in counts.items()), flush=True)


if __name__ == "__main__":
    main()
