"""Gaussian smoothing of a sequence of numbers, with edges that do not fade.

Past either end there is nothing, so a mean there is over what is inside: the smoothed values are
divided by the equally smoothed ones.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_DIRECT = 2_000_000
"""Products up to which summing directly is as fast as a Fourier transform."""


def gaussian_kernel(radius: int, sigma: float) -> Floats:
    """Return the 2 * radius + 1 normalised weights of a Gauss curve, float64."""
    offsets = np.arange(-radius, radius + 1, dtype=np.float64)
    weights = np.exp(-(offsets**2) / (2.0 * sigma**2))
    return np.asarray(weights / weights.sum(), dtype=np.float64)


def blur(values: npt.ArrayLike, radius: int, sigma: float, times: int = 1) -> Floats:
    """Return ``values``, (n,), after ``times`` passes of the Gaussian filter, float64 (n,).

    Several passes are one pass with the kernel to the power of ``times`` in the frequency domain;
    then the edges are set right once, at the end, not after every pass.  O(n log n).
    """
    values = np.asarray(values, dtype=np.float64)
    n = values.size
    if not n or times < 1 or radius < 1 or sigma <= 0:
        return values.copy()
    reach = radius * times
    if times == 1 and n * (2 * radius + 1) <= _DIRECT:
        kernel = gaussian_kernel(radius, sigma)
        smooth = np.convolve(values, kernel)[radius : radius + n]
        reach = min(reach, n)
    else:
        size = _fast_size(n + 2 * reach)
        spectrum = _spectrum(size, radius, sigma, times)
        smooth = np.fft.irfft(np.fft.rfft(values, size) * spectrum, size)[:n]
        kernel = np.fft.irfft(spectrum, size)
        kernel = np.concatenate((kernel[-reach:], kernel[: reach + 1]))
    return smooth / _coverage(kernel, n)


def _coverage(kernel: Floats, n: int) -> Floats:
    """How much of the kernel lies inside at each of n places."""
    reach = kernel.size // 2
    total = np.concatenate(([0.0], np.cumsum(kernel)))
    before = np.minimum(np.arange(n), reach)
    return np.asarray(total[reach + 1 + before[::-1]] - total[reach - before], dtype=np.float64)


@lru_cache(maxsize=16)
def _spectrum(size: int, radius: int, sigma: float, times: int) -> Floats:
    """The transform of the kernel centred at 0, to a power; real, as the kernel is symmetric."""
    kernel = gaussian_kernel(radius, sigma)
    centred = np.zeros(size)
    centred[: radius + 1] = kernel[radius:]
    centred[-radius:] = kernel[:radius]
    spectrum = np.asarray(np.fft.rfft(centred).real ** times, dtype=np.float64)
    spectrum.setflags(write=False)
    return spectrum


def _fast_size(least: int) -> int:
    """Return the next 2**k, 3 * 2**k or 5 * 2**k: few sizes, so that spectra are reused."""
    power = 1 << max(0, (least - 1).bit_length())
    return min(size for size in (power, power * 3 // 4, power * 5 // 8) if size >= least)
