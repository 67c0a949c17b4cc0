"""Triage: predictions without gold, and the order of work by them."""

import numpy as np

from tests.bench.triage_quality import Predicted, bounds_of, within


def test_bounds_rise_without_carrying_an_odd_page_up():
    """A page with empty gold and an empty extraction affects no bound of other pages."""
    random = np.random.default_rng(1)
    f1 = np.sort(random.uniform(0.05, 1, 400))
    real = np.clip(f1 + random.normal(0, 0.05, 400), 0, 0.97)
    f1[:3], real[:3] = 0, 1
    zeros = np.zeros(400)
    low, high = bounds_of(Predicted(f1, real, zeros, zeros, zeros), [0.1])
    assert (np.diff(low) >= -1e-12).all()
    assert (np.diff(high) >= -1e-12).all()
    assert high[0, 0] < 0.4
    assert within(Predicted(f1, real, zeros, zeros, zeros), low[0], high[0])[:3].all()
