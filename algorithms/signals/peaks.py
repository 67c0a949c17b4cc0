"""Detection of runs of a sequence that exceed a threshold once blurred, without blurring all of it.

A blurred sequence is smooth, so most runs are decided by its values at every few places.  Such
values come from sums over cells: the kernel is taken as linear between places, which makes the
transforms as many times shorter.  How far that, and values between places, may be from the truth is
summed up from the kernel; runs whose highest value is nearer to the threshold than that are
blurred place by place.  The answer always equals that of `blur`.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from algorithms.signals.smoothing import Reals, blur, fast_size, filtered, kernel_power
from engine.tree import Bools, Doubles, lock

_STEPS = (8, 4, 2)
_NEAR = 0.005
"""Distance from the threshold up to which a coarse value may decide nothing."""

_ROUNDING = 1e-4
"""Far more than transforms in single precision are wrong by."""

_EQUAL = 1e-9
"""Nearer to the threshold rounding decides: the answer must be that of `blur`."""

_FEW = 1 << 12
"""Numbers up to which a transform of all of them takes less."""

_SHORT = 1 << 13
"""Number of sums in one transform."""

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CoarseKernel:
    """A kernel at every few places.

    Attributes:
        kernel: float64 (2 * reach + 1,). At every place.
        step: Places from one to the next.
        taps: float64 (2 * m + 1,). The kernel there.
        error: How far a value that is read at or between places may be from the truth.
    """

    kernel: Doubles
    step: int
    taps: Doubles
    error: float


def exceeds(
    values: Bools,
    first: Positions,
    past: Positions,
    threshold: float,
    radius: int,
    sigma: float,
    times: int,
) -> Bools:
    """Return which runs exceed a threshold somewhere once the sequence is blurred, (k,).

    Args:
        values: bool (n,). The sequence, as 0 and 1.
        first, past: int64 (k,). Starts of the runs, and one past their ends; may be empty.
        threshold: From 0 to 1.
        radius, sigma, times: As `blur` takes them.
    """
    coarse = _coarse_kernel(radius, sigma, times) if values.size > _FEW else None
    result = None
    if coarse is not None:
        result = _by_coarse_values(values, first, past, threshold, coarse)
    if result is None:
        above = (blur(values, radius, sigma, times) > threshold).nonzero()[0]
        result = above.searchsorted(first) < above.searchsorted(past)
    return np.asarray(result, dtype=bool)


def _by_coarse_values(
    values: Bools, first: Positions, past: Positions, threshold: float, coarse: CoarseKernel
) -> Bools | None:
    """Return the result of `exceeds`; None where too much is near the threshold."""
    step = coarse.step
    above = _coarsely_blurred(values, threshold, coarse)
    surely = (above > coarse.error).nonzero()[0]
    maybe = (above > -coarse.error).nonzero()[0]
    # The places around each run, and those in it.
    low, high = first // step, -(-(past - 1) // step) + 1
    around = surely.searchsorted(high) - surely.searchsorted(low)
    inside = surely.searchsorted((past - 1) // step + 1) > surely.searchsorted(-(-first // step))
    is_some = past > first
    result: Bools = is_some & (inside | (around == high - low))
    begin, end = maybe.searchsorted(low), maybe.searchsorted(high)
    doubtful = (is_some & ~result & (end > begin)).nonzero()[0]
    if not doubtful.size:
        return result
    begin, end = begin[doubtful], end[doubtful]
    starts = np.maximum(first[doubtful], (maybe[begin] - 1) * step)
    ends = np.minimum(past[doubtful], (maybe[end - 1] + 1) * step + 1)
    if int((ends - starts).sum()) * _STEPS[0] > values.size:
        return None
    for number, start, stop in zip(doubtful.tolist(), starts.tolist(), ends.tolist(), strict=True):
        highest = _highest(values, start, stop, threshold, coarse.kernel)
        if abs(highest) < _EQUAL:
            return None
        result[number] = highest > 0
    return result


def _coarsely_blurred(values: Bools, threshold: float, coarse: CoarseKernel) -> Reals:
    """Return how far above the threshold the blurred values are at every few places, float32 (j,).

    Where a part of the kernel lies past the ends it is how far times the part inside.
    """
    step, n = coarse.step, values.size
    count = -(-n // step) + 1
    cells = np.zeros(count * step, dtype=np.float32)
    cells[:n] = values
    cells[:n] -= np.float32(threshold)
    share = np.arange(step, dtype=np.float32) / step
    parts = cells.reshape(-1, step) @ np.stack([1 - share, share], axis=1)
    sums = parts[:, 0].copy()
    sums[1:] += parts[:-1, 1]
    reach = coarse.taps.size // 2
    size = fast_size(min(count + 2 * reach, max(_SHORT, 16 * reach)))
    return filtered(sums, _coarse_spectrum(size, coarse), size, reach)


def _highest(values: Bools, start: int, stop: int, threshold: float, kernel: Doubles) -> float:
    """Return how far above the threshold a run gets, as `_coarsely_blurred` has it."""
    reach = kernel.size // 2
    around = np.zeros(stop - start + 2 * reach)
    low, high = max(start - reach, 0), min(stop + reach, values.size)
    around[low - start + reach : high - start + reach] = values[low:high] - threshold
    return float(np.convolve(around, kernel, "valid").max())


@lru_cache(maxsize=16)
def _coarse_kernel(radius: int, sigma: float, times: int) -> CoarseKernel | None:
    """Return the kernel in the largest steps that are exact enough; None if each step matters."""
    kernel = kernel_power(radius, sigma, times)
    reach = kernel.size // 2
    for step in _STEPS:
        places = -(-reach // step) + 1
        padded = np.zeros(2 * (places + 1) * step + 1)
        middle = padded.size // 2
        padded[middle - reach : middle + reach + 1] = kernel
        at = np.arange(padded.size)
        linear = np.interp(at, at[::step], padded[::step])
        error = float(np.abs(padded - linear).sum())
        # A value between two places is taken to be between theirs.
        wide = np.concatenate((np.zeros(step), padded, np.zeros(step)))
        shifted = np.lib.stride_tricks.sliding_window_view(wide, padded.size + step)
        share = np.arange(step)[:, None] / step
        between = (1 - share) * shifted[0] + share * shifted[step]
        error += float(np.abs(shifted[:step] - between).sum(axis=1).max())
        if error + _ROUNDING <= _NEAR:
            taps = padded[step:-step:step].copy()
            lock(taps)
            return CoarseKernel(kernel, step, taps, error + _ROUNDING)
    return None


@lru_cache(maxsize=16)
def _coarse_spectrum(size: int, coarse: CoarseKernel) -> Reals:
    """Return the transform of a coarse kernel, real because it is symmetric; float32."""
    reach = coarse.taps.size // 2
    centred = np.zeros(size)
    centred[: reach + 1] = coarse.taps[reach:]
    centred[-reach:] = coarse.taps[:reach]
    spectrum = np.fft.rfft(centred).real.astype(np.float32)
    lock(spectrum)
    return spectrum
