"""The reasons that gleaner gives hold when the page is edited independently."""

import re

import numpy as np
import pytest

import resources
from algorithms.core.catalogue import method
from algorithms.extraction.gleaner import removals
from engine.source import Source
from tests.bench.why_reasons import answer_of, followed, holds

GLEANER = method("gleaner")
CORPUS = sorted(resources.path("corpus").glob("*/index.html"))
MENU = "".join(f"<li class=nav-item><a href=/{k}>Part {k} of the harbour</a>" for k in range(9))
STORY = "".join(
    f"<p class=text>The harbour was quiet that morning, and number {k} of the boats had not come "
    "back yet, although everybody in the town was waiting for it.</p>"
    for k in range(12)
)
PAGE = (
    f"<title>The harbour</title><nav class=menu id=top role=navigation><ul>{MENU}</ul></nav>"
    f"<article class=post><h1>The harbour</h1>{STORY}</article>"
    "<footer class=site-footer><p>© 2024 All rights reserved. Privacy policy</p></footer>"
)


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.parent.name)
def test_reasons_hold_when_somebody_else_edits_the_page(path):
    source = Source.from_bytes(path.read_bytes())
    places = GLEANER.trace_on(source, GLEANER.params(), None).steps[1].places
    long = places[places[:, 1] - places[:, 0] >= 3]
    outcomes = []
    for word in np.random.default_rng(4).permutation(long[:, 0])[:2].tolist():
        answer = answer_of(source, word)
        for name, turns in () if answer is None else answer.named:
            outcomes.append(holds(source, answer, name))
            assert outcomes[-1] == "turned" or not turns, answer.decision.sentence
    assert outcomes
    assert outcomes.count("no") + outcomes.count("lost") <= len(outcomes) / 6


@pytest.mark.slow
def test_class_words_are_not_a_reason_on_a_page_without_classes():
    source = Source.from_text(PAGE)
    bare = Source.from_text(followed(PAGE, "class, id and role", []))
    assert "class" not in bare.html
    with_class, without = (
        "".join(
            answer.decision.sentence
            for word in range(0, len(each.words), 7)
            if (answer := answer_of(each, word)) is not None
        )
        for each in (source, bare)
    )
    assert "class, id and role" in with_class
    assert "class, id and role" not in without


def test_removals_edit_only_features_found_on_the_page():
    source = Source.from_text("<div>One two three four</div><div>and five six seven</div>")
    edited = {each.name: each.edit(source, (0, 4)) is not source for each in removals.REMOVALS}
    assert [name for name, is_edited in edited.items() if is_edited] == ["its words", "its length"]


def test_an_edited_page_has_the_same_words_in_the_same_blocks():
    source = Source.from_text(PAGE)
    words, lines = source.words, source.text.split("\n")
    for removal in removals.REMOVALS:
        if not removal.is_own:
            edited = removal.edit(source, (0, 0))
            assert edited.words == words
            assert len(edited.text.split("\n")) == len(lines)
        source = edited if removal.how.startswith("as") else source
    assert not re.search(r"<(a|nav|li|p|h1)\b", source.html)


def test_a_sentence_is_worked_out_only_for_the_block_that_is_asked_about(monkeypatch):
    asked = []
    own = removals.Reasons.sentence
    monkeypatch.setattr(
        removals.Reasons, "sentence", lambda self, block: asked.append(block) or own(self, block)
    )
    trace = GLEANER.trace_on(Source.from_text(PAGE), GLEANER.params(), None)
    assert asked == []
    assert trace.decisions(0)[-1].sentence == trace.decisions(0)[-1].sentence
    assert asked == [0]
