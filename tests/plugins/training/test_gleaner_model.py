"""Model of gleaner: its trees and nets, and files that hold one."""

import io
import json
import re
import warnings
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algorithms.extraction.gleaner import gleaner as gleaner
from algorithms.extraction.gleaner.gleaner_model import Model, of_bytes
from algorithms.extraction.gleaner.learned import Weights
from algorithms.learning.net import Mixture, Net
from algorithms.plugins.training.boosting import forest_of
from engine.errors import ParameterError
from engine.source import Source


def leaf(value):
    return {"leaf_value": value}


def split(column, threshold, left, right, value):
    return {
        "split_feature": column,
        "threshold": threshold,
        "left_child": left,
        "right_child": right,
        "internal_value": value,
    }


TREES = [
    {"tree_structure": split(0, 0.5, leaf(-1.0), split(1, 2.0, leaf(0.5), leaf(3.0), 1.0), 0.25)},
    {"tree_structure": leaf(0.125)},
]


def test_trees_go_left_up_to_the_threshold():
    forest = forest_of(TREES)
    rows = np.array([[0.5, 9.0], [0.6, 2.0], [0.6, 2.1]], dtype=np.float32)
    assert forest.scores(rows).tolist() == [-0.875, 0.625, 3.125]


def test_contributions_and_the_expectation_sum_to_the_score():
    forest = forest_of(TREES)
    rows = np.array([[0.5, 9.0], [0.6, 2.1]], dtype=np.float32)
    added, expected = forest.contributions(rows)
    assert expected == 0.375
    assert added.tolist() == [[-1.25, 0.0], [0.75, 2.0]]
    np.testing.assert_allclose(added.sum(axis=1) + expected, forest.scores(rows))


def test_a_threshold_between_two_float32_values_separates_them():
    threshold = 1.0 + 1e-9
    forest = forest_of([{"tree_structure": split(0, threshold, leaf(0.0), leaf(1.0), 0.5)}])
    above = np.nextafter(np.float32(1), np.float32(2))
    assert forest.scores(np.array([[1.0], [above]], dtype=np.float32)).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("spoil", ["back", "beyond", "column"])
def test_trees_that_would_never_end_are_refused(spoil):
    forest = forest_of(TREES)
    left, column = forest.left.copy(), forest.column.copy()
    if spoil == "column":
        column[0] = 2
    else:
        left[2] = 0 if spoil == "back" else left.size
    spoilt = type(forest)(forest.roots, column, forest.limit, left, forest.right, forest.value)
    with pytest.raises(ValueError, match="damaged"):
        spoilt.check(2)


COLUMNS = ("text.words", "names.all")


NET = Net(
    np.array([1, 0], np.float32), np.array([2, 1], np.float32),
    (np.array([[0.5, -1.0, 0.25], [1.0, 0.5, -0.125]]), np.array([[1.0], [-0.5], [2.0]])),
    (np.array([0.0, 0.5, -0.25]), np.array([-0.5])),
)  # fmt: skip


SMALL = Model(
    COLUMNS, Mixture(forest_of(TREES), (NET,)),
    Weights(np.linspace(-1, 1, 16, dtype=np.float32), np.float32(0)),
    Weights(np.linspace(-1, 1, 8, dtype=np.float32), np.float32(0)),
    Weights(np.ones((4, 2), np.float32), np.zeros(2, np.float32)),
    {"types": ["article", "forum"]},
)  # fmt: skip


def check_it_reads_or_is_refused(data):
    """Assert that a file is read and used on a page, or refused in one sentence."""
    try:
        model = of_bytes(data, "x.npz")
    except ParameterError as error:
        assert str(error).startswith("x.npz")  # noqa: PT017
        assert "\n" not in str(error)  # noqa: PT017
    else:
        result = model.predict(Source.from_text("<p>a b c<p>d <b>e</b><li>f" * 20))
        assert np.isfinite(result.chance).all()


@settings(max_examples=200, deadline=None, derandomize=True)
@given(flips=st.lists(st.tuples(st.floats(0, 1), st.integers(1, 255)), min_size=1, max_size=4))
def test_a_model_with_spoilt_bytes_works_or_is_refused_in_a_sentence(flips):
    data = bytearray(SMALL.data)
    for where, bits in flips:
        data[int(where * (len(data) - 1))] ^= bits
    with warnings.catch_warnings():  # an exponent that overflows, a zip with a name twice
        warnings.simplefilter("ignore")
        check_it_reads_or_is_refused(bytes(data))


def stored(**changed):
    """Return the small model as a file, with some arrays replaced."""
    with np.load(io.BytesIO(SMALL.data)) as arrays:
        made = {**arrays, **{k: v for k, v in changed.items() if v is not None}}
    file = io.BytesIO()
    np.savez(file, **{k: v for k, v in made.items() if k not in changed or v is not None})
    return file.getvalue()


def headed(**changed):
    """Return the small model as a file, with some of its header replaced."""
    head = {
        "format": "pagelet-gleaner", "version": 2, "columns": COLUMNS, "nets": 1,
        "card": SMALL.card,
    }  # fmt: skip
    return stored(head=np.frombuffer(json.dumps(head | changed).encode(), np.uint8))


@pytest.mark.parametrize(
    "data",
    [
        stored(forest_column=np.zeros(6)),
        stored(forest_value=np.array(["a"] * 6)),
        stored(forest_limit=np.full(6, np.nan, np.float32)),
        stored(forest_roots=np.zeros((2, 2), np.int32)),
        stored(forest_left=np.full(6, -1, np.int32)),
        stored(paths_values=np.zeros(15, np.int8)),
        stored(paths_values=np.zeros(0, np.int8)),
        stored(words_scale=np.float32(np.inf)),
        stored(types_values=np.zeros((4, 3), np.int8)),
        stored(types_bias=np.zeros(7, np.float32)),
        stored(net0_weight0=np.zeros((3, 3), np.int32)),
        stored(net0_weight1=np.array(1)),
        stored(net0_bias0=np.array(1)),
        stored(net0_bias1=np.zeros((1, 1), np.int32)),
        stored(net0_scale=np.zeros(2, np.float32)),
        stored(net0_mean=np.array([0, np.nan], np.float32)),
        headed(nets=2),
        headed(nets=-1),
        headed(nets="1"),
        headed(columns=[["text.words"], 3]),
        headed(card={}),
        headed(card={"types": "ab"}),
        headed(card={"types": ["a", "a"]}),
        headed(version="new"),
        stored(head=np.frombuffer(b"[" * 100_000, np.uint8)),
    ],
)
def test_a_file_whose_parts_do_not_fit_is_refused_in_a_sentence(data):
    with pytest.raises(ParameterError, match=r"^x\.npz: it holds no model of gleaner, or is dam"):
        of_bytes(data, "x.npz")


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"version": 99}, "a newer Pagelet wrote it: update Pagelet, or train it again"),
        ({"columns": ["text.words", "no.such"]},
         "the model learned from measures that this Pagelet does not have (no.such): train it"),
    ],
)  # fmt: skip
def test_a_model_of_another_version_is_refused_with_the_reason(changed, says):
    with pytest.raises(ParameterError, match=re.escape(f"x.npz: {says}")):
        of_bytes(headed(**changed), "x.npz")


def test_a_model_file_without_nets_is_read():
    old = of_bytes(headed(version=1, nets=0), "x.npz")
    assert not old.mixture.nets
    rows = np.array([[0.6, 2.1]], dtype=np.float32)
    assert old.mixture.scores(rows).tolist() == SMALL.mixture.forest.scores(rows).tolist()


def test_a_model_is_read_from_its_file_unchanged():
    rows = np.array([[0.5, 9.0], [0.6, 2.1], [-3.0, 0.3]], dtype=np.float32)
    again = of_bytes(SMALL.data, "x.npz")
    assert again.mixture.scores(rows).tolist() == SMALL.mixture.scores(rows).tolist()
    assert again.data == SMALL.data


def test_a_model_file_that_claims_a_huge_array_is_refused():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as members:
        with np.load(io.BytesIO(SMALL.data)) as arrays:
            for name, array in arrays.items():
                with members.open(f"{name}.npy", "w") as member:
                    np.lib.format.write_array(member, array)
        header = io.BytesIO()
        shape = {"descr": "<f8", "fortran_order": False, "shape": (1 << 50,)}
        np.lib.format.write_array_header_1_0(header, shape)
        members.writestr("forest_more.npy", header.getvalue())
    with pytest.raises(ParameterError, match="it holds no model of gleaner"):
        of_bytes(file.getvalue(), "x.npz")
