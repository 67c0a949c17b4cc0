"""Scores with their counts, definitions and sources."""

import pytest
from PySide6.QtCore import Qt

from algorithms.measures.blocks import BlockScorer
from algorithms.measures.text import score_text
from algorithms.results import Block, Extraction, Segmentation
from engine.source import Source
from gui.features.layers.details import ScoresTable
from gui.state.shown_scores import headline, reading, shown_scores
from tests.gui.parts import HEADER, MAIN, NODES, STORY

GOLD = "the cat sat on the mat"
FOUND_BLOCKS = (
    "home the cat sat on a mat"  # measures.md#test-vectors: CS 19 of 25 and 22, WS 5 of 7 and 6
)


def extraction(text):
    return Extraction(Source(text), [(0, len(text))])


@pytest.fixture
def text_scores():
    return score_text(extraction(FOUND_BLOCKS), extraction(GOLD))


def test_text_scores_have_their_counts(text_scores):
    shown = {each.name: each.counts for each in shown_scores(text_scores, extraction(FOUND_BLOCKS))}
    assert shown == {
        "Word sequence (WS)": (5, 7, 6),
        "Character sequence (CS)": (19, 25, 22),
        "Bag of words (BoW)": (5, 7, 6),
        "Set of words (SoW)": (5, 7, 5),
    }


def test_a_reading_has_the_counts_definition_and_source(text_scores):
    words = reading(headline(text_scores, result=extraction(FOUND_BLOCKS)), "precision")
    assert "precision 0.714 = hits / returned = 5 of 7 words" in words
    assert "longest common subsequence" in words
    assert "Source: T. Gottron" in words


def test_scores_without_hits_have_no_counts():
    scores = score_text(extraction("quite other"), extraction(GOLD))
    shown = headline(scores, result=extraction("quite other"))
    assert shown.counts is None
    assert "recall 0.000 = hits / marked\n" in reading(shown, "recall")


def test_block_scores_are_listed_by_match_and_level():
    gold = Segmentation(NODES, (Block((HEADER,), 1), Block((MAIN,), 1), Block((STORY,), 2)))
    result = Segmentation(NODES, (Block((HEADER,), 1), Block((MAIN,), 2)))
    scores = BlockScorer().score(result, gold)
    shown = {each.name: each.counts for each in shown_scores(scores)}
    assert shown["Texts equal (exact)"] == (2, 2, 3)
    assert shown["Texts equal (exact, level 1)"] == (1, 1, 2)
    assert shown["Texts equal (exact, level 2)"] == (0, 1, 1)
    assert headline(scores, 1).counts == (1, 1, 2)
    assert headline(scores, 0).counts == (2, 2, 3)


def test_a_click_on_a_score_shows_its_source_and_a_second_hides_it(qtbot, text_scores):
    table = ScoresTable()
    qtbot.addWidget(table)
    table.show()
    table.show_scores(text_scores, extraction(FOUND_BLOCKS))
    cell = table.cell(1, "recall")
    assert cell.text() == "0.864"
    assert table.source == ""
    qtbot.mouseClick(cell, Qt.MouseButton.LeftButton)
    assert "19 of 22 characters" in table.source
    qtbot.mouseClick(cell, Qt.MouseButton.LeftButton)
    assert table.source == ""


def test_the_shown_source_follows_changed_scores(qtbot, text_scores):
    table = ScoresTable()
    qtbot.addWidget(table)
    table.show_scores(text_scores, extraction(FOUND_BLOCKS))
    qtbot.mouseClick(table.cell(0, "F1"), Qt.MouseButton.LeftButton)
    assert "F1 0.769" in table.source
    table.show_scores(score_text(extraction(GOLD), extraction(GOLD)), extraction(GOLD))
    assert "F1 1.000" in table.source
    table.show_scores(None)
    assert table.source == ""
