"""Gaussian smoothing of a sequence of numbers, with edges that do not fade.

Past either end there is nothing, so a mean there covers the values inside: the smoothed values are
divided by the equally smoothed ones.
"""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.tree import Doubles, lock

Reals = npt.NDArray[np.floating[Any]]

_DIRECT = 2_000_000
"""Products up to which summing directly is as fast as a Fourier transform."""

_SHORT = 8_192
"""Length of one transform."""

_TOGETHER = 4
"""Windows transformed by one call: more no longer stay in the processor's cache."""


def gaussian_kernel(radius: int, sigma: float) -> Doubles:
    """Return the 2 * radius + 1 normalised weights of a Gauss curve, float64."""
    offsets = np.arange(-radius, radius + 1, dtype=np.float64)
    weights = np.exp(-(offsets**2) / (2.0 * sigma**2))
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def blur(values: npt.ArrayLike, radius: int, sigma: float, times: int = 1) -> Doubles:
    """Return ``values``, (n,), after ``times`` passes of the Gaussian filter, float64 (n,).

    Several passes are one pass with the kernel to the power of ``times`` in the frequency domain;
    then the edges are set right once, at the end, not after every pass.  O(n log r) for a kernel
    that reaches r = ``radius * times`` far.
    """
    values = np.asarray(values, dtype=np.float64)
    n = values.size
    if not n or times < 1 or radius < 1 or sigma <= 0:
        return values.copy()
    reach = radius * times
    if times == 1 and n * (2 * radius + 1) <= _DIRECT:
        kernel = gaussian_kernel(radius, sigma)
        inside = _inside(kernel, min(n, 2 * reach))
        smooth = np.convolve(values, kernel)[radius : radius + n]
    else:
        size = fast_size(min(n + 2 * reach, max(_SHORT, 16 * reach)))
        spectrum, kernel, inside = _spectrum(size, radius, sigma, times)
        if n < 2 * reach:
            inside = _inside(kernel, n)
        smooth = filtered(values, spectrum, size, reach)
    # Near the ends a part of the kernel is outside.
    edge = min(reach, n)
    smooth[:edge] /= inside[:edge]
    if n > edge:
        rest = max(edge, n - reach)
        smooth[rest:] /= inside[rest - n :]
    return smooth


def filtered(values: Reals, spectrum: Reals, size: int, reach: int) -> Reals:
    """Filter in windows of ``size`` that overlap by the kernel's reach on either side.

    In the precision of ``values``, the same as the spectrum's.
    """
    n = values.size
    step = size - 2 * reach
    stretches = -(-n // step)
    padded = np.zeros(stretches * step + 2 * reach, dtype=values.dtype)
    padded[reach : reach + n] = values
    windows = np.lib.stride_tricks.sliding_window_view(padded, size)[::step]
    smooth = np.empty((stretches, step), dtype=values.dtype)
    for first in range(0, stretches, _TOGETHER):
        waves = np.fft.rfft(windows[first : first + _TOGETHER], axis=1)
        waves *= spectrum
        filtered = np.fft.irfft(waves, size, axis=1)
        smooth[first : first + _TOGETHER] = filtered[:, reach : reach + step]
    return smooth.ravel()[:n]


def _inside(kernel: Doubles, n: int) -> Doubles:
    """Return the kernel's sum inside the sequence at each of n places."""
    reach = kernel.size // 2
    total = np.concatenate(([0.0], np.cumsum(kernel)))
    position = np.arange(n)
    before = np.minimum(position, reach)
    after = np.minimum(n - 1 - position, reach)
    return np.asarray(total[reach + 1 + after] - total[reach - before], dtype=np.float64)


def kernel_power(radius: int, sigma: float, times: int) -> Doubles:
    """Return the weights of several passes in one, float64 (2 * radius * times + 1,)."""
    return _spectrum(fast_size(2 * radius * times + 1), radius, sigma, times)[1]


@lru_cache(maxsize=16)
def _spectrum(size: int, radius: int, sigma: float, times: int) -> tuple[Doubles, Doubles, Doubles]:
    """Return the kernel to a power: its transform, real as the kernel is symmetric, and itself.

    With them comes how much of it lies inside near the ends of a long sequence.
    """
    kernel = gaussian_kernel(radius, sigma)
    centred = np.zeros(size)
    centred[: radius + 1] = kernel[radius:]
    centred[-radius:] = kernel[:radius]
    spectrum = np.asarray(np.fft.rfft(centred).real ** times, dtype=np.float64)
    reach = radius * times
    power = np.fft.irfft(spectrum, size)
    power = np.concatenate((power[-reach:], power[: reach + 1]))
    inside = _inside(power, 2 * reach)
    for column in (spectrum, power, inside):
        lock(column)
    return spectrum, power, inside


def fast_size(least: int) -> int:
    """Return the next 2**k, 3 * 2**k or 5 * 2**k: few sizes, so that spectra are reused."""
    power = 1 << max(0, (least - 1).bit_length())
    return min(size for size in (power, power * 3 // 4, power * 5 // 8) if size >= least)
