"""Layers as they are stored."""

import json

from hypothesis import given
from hypothesis import strategies as st

from algorithms.core.catalogue import method
from gui.state.layers import GOLD_LAYERS, changed, default_layers, from_records, to_records


@given(st.floats(0, 1), st.booleans(), st.integers(0, 2), st.randoms())
def test_stored_layers_are_restored_unchanged(opacity, visible, level, dice):
    layers = list(default_layers())
    dice.shuffle(layers)
    left = changed(tuple(layers), "bte", opacity=opacity, visible=visible, level=level)
    left = changed(left, "bte", params=method("bte").params.parse({"tag_cost": "2.5"}))
    assert from_records(json.loads(json.dumps(to_records(left)))) == left


def test_unknown_layers_are_left_out_and_gold_layers_are_always_present():
    remaining = to_records(default_layers())
    remaining[3]["key"] = "method-of-tomorrow"
    remaining[4]["params"] = {"no such": 1}
    del remaining[0]
    result = [layer.key for layer in from_records(remaining)]
    assert set(GOLD_LAYERS) <= set(result)
    assert len(result) == len(default_layers()) - 2


def test_a_stored_layer_cannot_run_a_method_file(tmp_path):
    file = tmp_path / "theirs.py"
    file.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    record = next(r for r in to_records(default_layers()) if r["key"] == "bte")
    remaining = from_records([record | {"key": str(file)}])
    assert not any(layer.key.endswith(".py") for layer in remaining)
    assert not (tmp_path / "ran").exists()
