"""Test what a decision is said to rest on: other code takes it away from the page."""

import re
from dataclasses import replace

import numpy as np
import pytest

from algorithms.core.catalogue import method
from engine.source import Source
from resources import path
from tests.bench.why_reasons import Answer, drawn, holds

PAGES = ("blog", "cookie", "docs", "encyclopedia", "forum", "magazine", "news")


def untrue(source: Source, answer: Answer) -> list[str]:
    """Return the names that are said to turn a decision, and do not."""
    turning = [name for name, turns in answer.named if turns]
    return [name for name in turning if holds(source, answer, name) not in ("turned", "lost")]


@pytest.fixture(scope="module")
def answers():
    """Four blocks of each bundled page with words, as gleaner explains them."""
    files = [path("corpus") / name / "index.html" for name in PAGES]
    sources = [Source.from_bytes(file.read_bytes()) for file in files]
    rng = np.random.default_rng(4)
    return [each for _ in range(4) for each in drawn(iter(sources), rng)]


@pytest.mark.slow
def test_what_a_decision_rests_on_turns_it_when_it_is_taken_away(answers):
    assert len(answers) >= 12
    assert [untrue(*each) for each in answers] == [[]] * len(answers)


@pytest.mark.slow
def test_what_only_weakens_a_decision_is_not_called_what_it_rests_on(answers):
    weak = [answer for _, answer in answers if not any(turns for _, turns in answer.named)]
    assert weak
    for answer in weak:
        said = answer.decision.sentence
        assert "rests on" not in said or "without all of these" in said


@pytest.mark.slow
def test_the_check_finds_a_planted_reason_that_does_not_turn(answers):
    planted = [
        (source, replace(answer, named=tuple((name, True) for name, _ in answer.named)))
        for source, answer in answers
    ]
    assert any(untrue(*each) for each in planted)


RULES = {"lqf": "in links", "crunch": "linked words", "bp-numwords": "link density"}
"""Methods of rules, and what their sentence has where it names links."""
TOO = "without its links dropped, too"


def unlinked(html: str, first: int, last: int) -> str:
    """Return a page with words from ``first`` to ``last`` in no link."""
    opening = html.rfind("<a", 0, first)
    start = first if html.rfind("</a", 0, first) >= opening else opening
    is_cut = start < first or "<a" in html[first:last]
    end = max(last, html.find("</a>", last) + 4) if is_cut else last
    return html[:start] + re.sub(r"</?a\b[^>]*>", " ", html[start:end]) + html[end:]


def followed_rules(key: str, wants: int) -> list[tuple[str, bool]]:
    """Return sentences that name links, and whether the block is kept once it has none."""
    entry, result = method(key), []
    rng = np.random.default_rng(3)
    for name in (*PAGES, "shop", "gallery", "recipe", "search"):
        source = Source.from_bytes((path("corpus") / name / "index.html").read_bytes())
        trace = entry.trace_on(source, entry.params(), None)
        seen = set()
        for word in rng.permutation(len(source.words)).tolist():
            decisions = trace.decisions(word)
            if not decisions or decisions[-1].kept or RULES[key] not in decisions[-1].sentence:
                continue
            first, last = decisions[-1].place
            if first in seen:
                continue
            seen.add(first)
            spans = source.tokens.spans[[first, last - 1]]
            # The block of the others, whose share it is, may be larger than the place.
            within = (spans[0, 0], spans[1, 1]) if key == "bp-numwords" else (0, len(source.html))
            edited = Source.from_text(unlinked(source.html, *within))
            assert edited.words == source.words
            kept = entry.trace_on(edited, entry.params(), None).kept[first]
            result.append((decisions[-1].sentence, bool(kept)))
            if len(seen) == 8 or len(result) == wants:
                break
        if len(result) == wants:
            break
    return result


@pytest.mark.slow
def test_links_that_rules_name_turn_the_decision_or_the_sentence_says_they_do_not():
    asked = {key: followed_rules(key, 30) for key in RULES}
    print({key: (len(each), sum(kept for _, kept in each)) for key, each in asked.items()})
    assert sum(map(len, asked.values())) >= 60
    wrong = [said for each in asked.values() for said, kept in each if kept == (TOO in said)]
    assert wrong == []
    planted = [(said.replace(TOO, ""), kept) for said, kept in asked["bp-numwords"]]
    assert any(kept == (TOO in said) for said, kept in planted)
