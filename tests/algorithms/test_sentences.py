"""Sentences about decisions: the number that decided, the number needed, what to change."""

import numpy as np
import pytest

from algorithms.explain.counterfactuals import Counterfactual, CounterfactualResult
from algorithms.explain.explanations import Explanation
from algorithms.explain.why import Why
from algorithms.trace import Rule, step

WORDS = {keeps: Rule("words", keeps, measured="{} word(s)") for keeps in (">", ">=", "<", "<=")}


def said(rule, kept, value=np.nan, limit=np.nan, note=""):
    return step(rule, [[0, 1]], kept, value, limit, (note,) if note else ()).sentence(0)


@pytest.mark.parametrize(
    ("keeps", "value", "kept", "sentence"),
    [
        (">", 7, False, "dropped: 7 words (more than 40 needed)"),
        (">=", 41, True, "kept: 41 words (at least 40 needed)"),
        ("<", 1, True, "kept: 1 word (must be less than 40)"),
        ("<=", 41, False, "dropped: 41 words (at most 40 allowed)"),
    ],
)
def test_a_reason_has_the_number_and_what_it_needed_to_be(keeps, value, kept, sentence):
    assert said(WORDS[keeps], kept, value, 40) == sentence


def test_an_overruled_number_is_not_called_needed():
    note = "the next block has 25 words (more than 17 needed)"
    assert said(WORDS[">"], True, 7, 40, note) == f"kept: 7 words (40 or less); {note}"
    assert said(WORDS["<"], False, 7, 40, "hidden") == "dropped: 7 words (less than 40); hidden"


def test_a_comparison_can_have_a_sentence_for_either_outcome():
    rule = Rule(
        "distance", ">", says=("nearer to a cluster ({limit})", "nearer to the origin ({value})")
    )
    assert said(rule, True, 27.9, 5.79) == "kept: nearer to a cluster (5.79)"
    assert said(rule, False, 3.0, 5.79) == "dropped: nearer to the origin (3)"
    assert said(rule, True, 3.0, 5.79) == "kept: distance 3 (5.79 or less)"


def test_a_yes_or_no_rule_has_a_sentence_for_each_outcome():
    rule = Rule("visible content", says=("something is visible", "nothing is visible"))
    assert said(rule, True) == "kept: something is visible"
    assert said(rule, False, note="cut at tr") == "dropped: nothing is visible; cut at tr"
    by_note = Rule("its label", is_in_note=True)
    assert said(by_note, True, note="labelled content") == "kept: labelled content"
    assert said(by_note, True) == "kept: its label"


@pytest.mark.parametrize(
    ("wanted", "gold"),
    [
        (True, "Gold keeps this text."),
        (False, "Gold leaves this text out."),
        (None, "Gold cannot judge this text: less than half of the gold is on the page."),
    ],
)
def test_the_cost_reports_gold_and_f1_with_the_decision_reversed(wanted, gold):
    why = Why("bte", False, (), 0, 1, "", wanted, 0.4971, 0.5163)
    cost = Explanation("bte", "BTE", False, "", why=why).cost
    assert cost == f"{gold} F1 is 0.497; with this one decision reversed, 0.516."


def test_the_cost_does_not_repeat_the_same_f1_twice():
    why = Why("bte", True, (), 0, 1, "", True, 0.94812, 0.94796)
    cost = Explanation("bte", "BTE", True, "", why=why).cost
    assert cost.endswith("F1 is 0.948; with this one decision reversed, about the same.")


def test_a_counterfactual_names_the_change_and_its_result():
    change = Counterfactual("range", 40, 17, 0.1, 0.798)
    assert CounterfactualResult(change, 61).sentence == (
        "With “range” 17 (now 40) it is kept; F1 of the page becomes 0.798. "
        "Nothing smaller in 61 tries."
    )
    assert CounterfactualResult(change, 61, is_complete=True).sentence.endswith(
        "Nothing smaller in 61 tries, all there are."
    )
    assert CounterfactualResult(None, 1, is_cut_short=True).sentence == (
        "No change of a single parameter reverses it in 1 try (time ran out)."
    )
