"""Noise around the points 0, h, 2h, … of a lattice: outputs of many laws in cells on the same grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.views.cells import CellLaws
from dplens.correlated.views.output_cells import output_cells
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace

WIDEST_STEP = 16.0  # largest distance of lattice points in sigma or scale; beyond it the noise hides almost nothing
LARGEST_SIGMA = 100.0  # for discrete Gaussian noise, since every output is a cell
LONGEST_STEP = 1000  # largest distance of lattice points under geometric noise, since every output is a cell


Cells = Callable[[Floats], CellLaws]  # the outputs under laws (N, S) of the lattice point


def chain_noise(mechanism: Any, step: float, width: float = 0.005) -> Cells | str:
    """The noise around multiples of a step of the query, in cells of a width in sigma; else why it has none."""
    if isinstance(mechanism, (Laplace, Gaussian)):
        scale = mechanism.scale if isinstance(mechanism, Laplace) else mechanism.sigma
        if step / scale > WIDEST_STEP:
            most = f"{WIDEST_STEP:g} times the noise, {WIDEST_STEP * scale:g}"
            return f"its query moves by {step:g}, which must be at most {most}. Use more noise."
        return _laplace_noise(step / scale) if isinstance(mechanism, Laplace) else _normal_noise(step / scale, width)
    if not isinstance(mechanism, (Geometric, DiscreteGaussian)):
        return f"its noise is {type(mechanism).__name__}. Use Laplace, Gaussian, Geometric or DiscreteGaussian noise."
    whole, longest = round(step), float(LONGEST_STEP)
    if isinstance(mechanism, DiscreteGaussian):
        longest = WIDEST_STEP * mechanism.sigma
        if mechanism.sigma > LARGEST_SIGMA:
            most = f"Use at most {LARGEST_SIGMA:g}, or Gaussian noise."
            return f"sigma of the DiscreteGaussian is {mechanism.sigma:g}. {most}"
    if whole < 1 or abs(step - whole) > 1e-9:
        return f"its query moves by {step:g}, under noise on whole numbers. Use whole values and weights."
    if whole > longest:
        return f"its query moves by {step:g}, which must be at most {longest:g}. Count in a larger unit."
    # each output between the outermost places is a cell
    return lambda masses: CellLaws.of(output_cells(mechanism, whole * np.arange(float(masses.shape[1])), 0), masses)


def _normal_noise(h: float, width: float) -> Cells:
    """Unit normal noise.

    log density + r²/2 is convex, as the logarithm of a sum of exponentials of r. So on a cell of width s it lies below
    its chord, by at most s/4 times the change of its slope. The log-ratio of two such laws therefore lies between its
    values at the ends, up to these gaps, for any distance of the places.
    """
    # each period of cells only depends on the lattice points around it, and all periods do so in the same way
    deepest = 12.0  # in sigmas; the noise beyond has a mass below 1e-31 and is omitted
    reach, stride, parts = math.ceil(deepest / h), max(1, int(width / h)), max(1, math.ceil(h / width))
    cell, before = h * stride / parts, -(-reach // stride)  # width, and periods before the first lattice point
    at = h * np.arange(-reach, stride + reach + 1)
    window = _window(at[:, None] - cell * np.arange(parts + 1), cell)

    def outputs(masses: Floats) -> CellLaws:
        count, size = masses.shape
        first, periods = before * stride + reach, before + -(-(size - 1 + reach) // stride)
        padded = np.zeros((count, first + max(size, (periods - before) * stride + reach + 1)))
        padded[:, first : first + size] = masses
        seen = np.lib.stride_tricks.sliding_window_view(padded, len(window), axis=1)
        seen = np.ascontiguousarray(seen[:, ::stride][:, :periods])
        mass, dens, slope = np.moveaxis((seen @ window).reshape(count, periods, 3, parts + 1), 2, 0)
        ends = mass[..., :-1], dens[..., :-1], dens[..., 1:], slope[..., :-1], slope[..., 1:]
        mass, low, high, slope_low, slope_high = (end.reshape(count, -1) for end in ends)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            gap = np.maximum(slope_high / high - slope_low / low + cell, 0.0) * (cell / 4) + 1e-13
            left, right = np.log(low), np.log(high)
        gap[np.minimum(low, high) < 1e-20] = np.inf  # close to the omitted part
        return CellLaws(mass, left, right, gap)

    return outputs


def _window(away: Floats, cell: float) -> Floats:
    """At edges this far from the places: mass of the cell that begins there, density and slope of the density."""
    from scipy.special import ndtr

    dens = np.exp(-0.5 * away**2) / math.sqrt(2 * math.pi)
    after = away - cell
    mass = np.where(after > 0, ndtr(-after) - ndtr(-away), ndtr(away) - ndtr(after))
    return np.concatenate([np.maximum(mass, 0.0), dens, away * dens], axis=1)


def _laplace_noise(h: float, width: float = 0.015) -> Cells:
    """Unit Laplace noise: between lattice points every density is A·e^−r + B·e^r, so ratios are monotone there."""
    parts = max(1, math.ceil(h / width))

    def outputs(masses: Floats) -> CellLaws:
        from scipy.signal import lfilter

        rule = [1.0], [1.0, -math.exp(-h)]
        up = np.asarray(lfilter(*rule, masses, axis=1))  # Σ_{j ≤ k} m_j·e^{−(k − j)h}
        down = np.asarray(lfilter(*rule, masses[:, ::-1], axis=1))[:, ::-1]
        x = h / parts * np.arange(parts + 1)
        rise, fall = up[:, :-1, None] * np.exp(-x), down[:, 1:, None] * np.exp(-x[::-1])
        mass = 0.5 * -np.expm1(-h / parts) * (rise[..., :-1] + fall[..., 1:])
        with np.errstate(divide="ignore"):
            inner, first, last = (np.log(height) for height in (rise + fall, down[:, :1], up[:, -1:]))
        rows = len(masses), -1
        left, right = (np.c_[first, side.reshape(rows), last] for side in (inner[..., :-1], inner[..., 1:]))
        mass = np.c_[0.5 * down[:, :1], mass.reshape(rows), 0.5 * up[:, -1:]]  # beyond all places the ratio is constant
        return CellLaws(mass, left, right, np.zeros(mass.shape))

    return outputs
