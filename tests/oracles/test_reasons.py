"""Test what a decision is said to rest on: other code takes it away from the page."""

from dataclasses import replace

import numpy as np
import pytest

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
