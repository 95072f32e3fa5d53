"""Fourier sums over nodes at very many equally spaced t."""

from __future__ import annotations

import math

import numpy as np

from dplens.engine.laws import UNIT, Complexes, Floats

_TERMS = 24  # (π/2)^24/24! < 1e-19
_PAIRWISE = 40  # units: sums of neighbours, eight at a time within blocks of 128, then pairwise


def fourier_sums(loss: Floats, weight: Floats, step: float, count: int) -> tuple[Complexes, Floats]:
    """Σ weight·e^{i·t·loss} for t = 0, step, …, and its error in units of Σ |weight|; that of t·loss is not in it.

    Every loss is moved to the nearest point g of a grid on which the sums are Fourier's, and back by a Taylor series:
    e^{i·t·loss} = e^{i·t·g}·Σ (i·t·(loss − g))^p/p!, with |t·(loss − g)| ≤ π/2 throughout.
    """
    size = 2 ** math.ceil(math.log2(2 * count))
    if np.any(np.diff(loss) < 0):
        order = np.argsort(loss)
        loss, weight = loss[order], weight[order]
    place = loss * (step * size / (2 * math.pi))
    cell = np.rint(place)
    away = place - cell
    starts = np.append(0, np.flatnonzero(np.diff(cell)) + 1)
    index = np.mod(cell[starts], size).astype(int)
    turn = (2 * math.pi / size) * np.arange(count)
    total, factor = np.zeros((2, count)), np.ones(count)
    for p in range(_TERMS):
        part = np.fft.rfft(np.bincount(index, np.add.reduceat(weight, starts), size))[:count]
        # e^{+i·t·g} is the conjugate of Fourier's factor, and i^p turns it further
        re, im = ((part.real, -part.imag), (part.imag, part.real))[p % 2]
        sign = 1 if p % 4 in (0, 1) else -1
        total[0] += sign * factor * re
        total[1] += sign * factor * im
        weight = weight * away
        factor *= turn / (p + 1)
    units = 8 * (math.log2(size) + 4) + _PAIRWISE + 4 * _TERMS
    return total[0] + 1j * total[1], units * UNIT * np.exp(turn / 2)
