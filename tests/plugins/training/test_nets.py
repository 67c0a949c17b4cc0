"""Nets: what they learn, that their sums are exact, and how they are stored."""

import hashlib
import os
import subprocess
import sys

import numpy as np
import pytest

from algorithms.learning.net import Mixture, Net, of_arrays
from algorithms.plugins.training.boosting import forest_of
from algorithms.plugins.training.nets import NetTraining, fit_net

QUICK = NetTraining(
    hidden=(12, 6), epochs=12, rate=0.01, decay=0.01, dropout=0.1, input_dropout=0.0, warm=20
)


def either_or(count=4000, columns=6):
    """Return rows, and whether exactly one of their first two numbers is above 0."""
    rows = np.random.default_rng(0).standard_normal((count, columns)).astype(np.float32)
    return rows, ((rows[:, 0] > 0) != (rows[:, 1] > 0)).astype(np.float64)


def learned(seed=1):
    rows, target = either_or()
    return fit_net(rows, target, np.ones(len(rows)), seed=seed, settings=QUICK)


@pytest.fixture(scope="module")
def net():
    return learned()


def test_a_net_learns_a_target_that_is_not_linear(net):
    rows, target = either_or()
    unseen = np.random.default_rng(1).standard_normal((2000, 6)).astype(np.float32)
    expected = (unseen[:, 0] > 0) != (unseen[:, 1] > 0)
    assert ((net.scores(unseen) > 0) == expected).mean() > 0.93
    assert ((net.scores(rows) > 0) == target).mean() > 0.93


def test_rows_of_negligible_weight_are_not_learned_from():
    rows, target = either_or()
    odd = np.arange(len(rows)) % 2 == 1
    weight = np.where(odd, 1e-9, 1.0)
    net = fit_net(rows, np.where(odd, 1 - target, target), weight, seed=1, settings=QUICK)
    assert ((net.scores(rows) > 0) == target).mean() > 0.9


def test_scores_do_not_depend_on_the_order_of_columns_and_neurons(net):
    rows, _ = either_or(300)
    order = np.random.default_rng(2).permutation(6)
    inner = np.random.default_rng(3).permutation(12)
    weights = (
        net.weights[0][order][:, inner].copy(), net.weights[1][inner].copy(), net.weights[2],
    )  # fmt: skip
    biases = (net.biases[0][inner].copy(), *net.biases[1:])
    other = Net(net.mean[order].copy(), net.scale[order].copy(), weights, biases)
    assert other.scores(rows[:, order]).tolist() == net.scores(rows).tolist()


DIGEST = """
import hashlib
from tests.plugins.training.test_nets import digest
print(digest())
"""


def digest():
    """Return a digest of the arrays of a net that is trained on wide rows."""
    rows, target = either_or(3000, 300)
    settings = NetTraining(hidden=(96, 48), epochs=2, warm=2)
    net = fit_net(rows, target, np.ones(len(rows)), seed=1, settings=settings)
    return hashlib.sha256(b"".join(array.tobytes() for array in net.arrays.values())).hexdigest()


@pytest.mark.slow
def test_any_number_of_blas_threads_trains_the_same_net_to_the_byte():
    found = set()
    for threads in ("1", "2", "3"):
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        command = [sys.executable, "-c", DIGEST]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        found.add(done.stdout.strip())
    assert found == {digest()}


def test_a_net_is_restored_unchanged_from_its_arrays(net):
    rows, _ = either_or(200)
    again = of_arrays(net.arrays)
    again.check(6)
    assert again.scores(rows).tolist() == net.scores(rows).tolist()


def test_a_net_for_other_columns_is_refused(net):
    with pytest.raises(ValueError, match="damaged"):
        net.check(7)


def test_the_same_seed_trains_the_same_net_and_another_seed_another_net(net):
    rows, _ = either_or(50)
    assert learned().scores(rows).tolist() == net.scores(rows).tolist()
    assert learned(seed=2).scores(rows).tolist() != net.scores(rows).tolist()


def test_scores_of_a_mixture_are_the_mean_of_its_forest_and_its_nets(net):
    rows, _ = either_or(60)
    forest = forest_of([{"tree_structure": {"leaf_value": 3.0}}])
    other = learned(seed=2)
    both = (net.scores(rows) + other.scores(rows)) / 2
    mixture = Mixture(forest, (net, other))
    np.testing.assert_allclose(mixture.scores(rows), 1.5 + both / 2)
    assert Mixture(forest).scores(rows).tolist() == [3.0] * 60
