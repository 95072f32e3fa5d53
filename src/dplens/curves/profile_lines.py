"""Curves that come as lines or corners: of several (epsilon, delta) guarantees at once the largest of their lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.polygons import Dots, polygon
from dplens.estimate import Certificate

_DEEPEST = 650.0


def imports_among(steps: Iterable[tuple[TradeOff, int]], said: Certificate) -> Certificate:
    """What is said of a composition, after what is said of those of its steps that come from elsewhere."""
    found = [step for step, _ in steps]
    while any(hasattr(step, "base") for step in found):  # sampled, or with a chance of failure
        found = [getattr(step, "base", step) for step in found]
    notes = dict.fromkeys(step.note for step in found if isinstance(step, PiecewiseCurve) and step.note)
    return replace(said, note="; ".join([*notes, said.note])) if notes else said


def profile_curve(epsilons: Floats, deltas: Floats, note: str = "", back: Floats | None = None) -> TradeOff:
    """max over i of f_{eps_i, delta_i}: what guarantees known at finitely many epsilons ≥ 0 leave open.

    Between them delta is linear in e^epsilon, so nothing is added to what is known; the truth is this or better. Points
    above the convex hull in (e^epsilon, delta) say nothing. deltas: of H1 against H0, and of H0 against H1 unless
    ``back`` has these. The former bound the steep part of the curve, the latter the flat one.
    """
    near = epsilons <= _DEEPEST  # beyond, a guarantee says nothing that a float could show; leaving it out is safe
    sides = [_dots(epsilons[near], delta[near]) for delta in (deltas, back) if delta is not None]
    # what is stated is exact, the mass at infinity among it: epsilon at the last delta is the last epsilon
    return replace(polygon(sides[0], sides[-1]), input_rounding=0.0, route="imported", note=note)


def _dots(epsilon: Floats, delta: Floats) -> Dots:
    """Guarantees of one direction by rising epsilon, with what they leave at 0: power ≤ delta + e^eps·alpha ≤ 1."""
    least = float(np.min(delta * np.exp(-epsilon) - np.expm1(-epsilon), initial=1.0))
    delta = np.minimum.accumulate(np.append(least, delta))
    epsilon, count = np.unique(np.append(0.0, epsilon), return_counts=True)
    delta = delta[np.cumsum(count) - 1]  # of an epsilon that comes twice the least
    return Dots(epsilon, delta, float(delta[-1]))


def points_curve(alphas: Floats, betas: Floats, note: str = "") -> TradeOff:
    """The curve through corners from alpha = 0 to alpha = 1."""
    p, q = np.diff(alphas), -np.diff(betas)
    if betas[0] < 1:
        p, q = np.append(0.0, p), np.append(1 - betas[0], q)
    with np.errstate(divide="ignore"):
        loss = np.minimum.accumulate(np.log(q) - np.log(p))  # equal slopes may differ in their last digits
    return PiecewiseCurve(p, q, loss, 4e-15, 6e-16, 6e-16, route="imported", note=note)
