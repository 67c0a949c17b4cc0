"""Try some fuzzed models: each is read or refused, in limited time and memory."""

import shutil

import numpy as np
import pytest

import resources
from algorithms.own.model_files import method_of
from engine.errors import ParameterError
from tests.fuzz.models import HARMS, _npy, _whole, _zip, tried

SEEDS = 40
"""The fuzzer itself tries 600: ``python -m tests.fuzz.models``."""


@pytest.mark.slow
def test_damaged_models_are_refused_with_a_sentence(tmp_path):
    trials = [tried(seed, tmp_path) for seed in range(SEEDS)]
    assert [trial for trial in trials if trial.finding] == []
    assert sum(bool(trial.said) for trial in trials) > SEEDS / 2
    assert {trial.harm for trial in trials} == {*HARMS}


@pytest.mark.parametrize("name", ["gleaner/model.npz", "terrain-learned/model.npz"])
def test_intact_models_are_read(name, tmp_path):
    assert method_of(shutil.copy(resources.path(name), tmp_path / "whole.npz")).version


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"forest_roots.npy": _npy(np.zeros(5_001, np.int32))}, "it has more than 5,000 trees"),
        ({f"a{k}.npy": b"" for k in range(300)}, "arrays, more than 256"),
        ({"more.npy": bytes(70_000_000)}, "bytes, more than 64,000,000"),
        ({"head.npy": bytes(1_000_001)}, "its head has 1,000,001 bytes, more than 1,000,000"),
    ],
)
def test_a_model_above_a_limit_is_refused_with_the_limit(tmp_path, members, said):
    path = tmp_path / "large.npz"
    path.write_bytes(_zip(_whole("gleaner/model.npz") | members))
    with pytest.raises(ParameterError, match=f"is larger than a model may be: .*{said}"):
        method_of(path)
