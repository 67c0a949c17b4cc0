"""Model of gleaner: its trees and nets, and files that hold one."""

import pytest

import resources
from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner.gleaner_model import load, model_of, of_bytes
from engine.errors import ParameterError


@pytest.mark.parametrize("data", [b"", b"no zip", b"PK\x03\x04 cut"])
def test_a_file_that_is_no_model_is_refused_in_a_sentence(data):
    with pytest.raises(ParameterError, match=r"x\.npz: it holds no model of gleaner"):
        of_bytes(data, "x.npz")


def test_a_missing_model_file_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="there is no such file"):
        load(tmp_path / "none.npz")


def test_the_shipped_model_is_small_and_has_a_complete_card():
    file = resources.path("gleaner/model.npz")
    assert file.stat().st_size <= 3_000_000
    card = model_of("").card
    assert {"data", "guideline", "licence", "date", "scores", "limits", "types"} <= card.keys()
