"""Curves that come as lines or corners: of several (epsilon, delta) guarantees at once the largest of their lines."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve
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
    sides = [(epsilons[near], delta[near]) for delta in (deltas, back) if delta is not None]
    if len(sides) > 1:  # the largest difference of probabilities is that of both directions
        least = min(float(np.min(d * np.exp(-e) - np.expm1(-e), initial=1.0)) for e, d in sides)
        sides = [(np.append(0.0, e), np.append(least, d)) for e, d in sides]
    lines = [_lines(*side) for side in sides]
    there, here = lines[0], lines[-1]
    x, y = _middle(there, here)
    (p, q, up), (co_q, co_p, down) = _half(*there, x), _half(*here, y)
    proofs = there[1][-1], here[1][-1]
    whole, co_whole = p.sum() + co_p.sum(), q.sum() + co_q.sum()
    if whole > 0 and co_whole > 0:  # both parts of a law add up to it; the rest is rounding
        p, co_p = (part * ((1 - proofs[1]) / whole) for part in (p, co_p))
        q, co_q = (part * ((1 - proofs[0]) / co_whole) for part in (q, co_q))
    law_p, law_q = (
        np.concatenate([[0.0], p, co_p[::-1], [proofs[1]]]),
        np.concatenate([[proofs[0]], q, co_q[::-1], [0]]),
    )
    law_l = np.concatenate([[math.inf], up, -down[::-1], [-math.inf]])
    at = np.flatnonzero(law_l == 0)
    if len(at) > 1:  # the flattest line of either part is one
        law_p[at[0]], law_q[at[0]] = law_p[at].sum(), law_q[at].sum()
        law_p, law_q, law_l = (np.delete(x, at[1:]) for x in (law_p, law_q, law_l))
    seen = (law_p > 0) | (law_q > 0)
    return PiecewiseCurve(law_p[seen], law_q[seen], law_l[seen], 1e-14, 0.0, 1e-14, route="imported", note=note)


Lines = tuple[Floats, Floats]


def _lines(epsilons: Floats, deltas: Floats) -> Lines:
    """The guarantees of one direction that count, by rising epsilon; none is (0, 1)."""
    eps, delta = profile_hull(epsilons, np.minimum.accumulate(deltas)) if len(epsilons) else (np.zeros(1), np.ones(1))
    return (np.zeros(1), np.ones(1)) if delta[0] >= 1 else (eps, delta)


def _middle(there: Lines, here: Lines) -> tuple[float, float]:
    """Where the steep part of the curve, lines 1 − delta − e^eps·alpha, meets the flat one, such lines over beta."""
    if there is here:  # mirror images meet where beta = alpha
        at = float(np.max((1 - there[1]) / (1 + np.exp(there[0]))))
        return at, at

    def over(lines: Lines, x: float) -> float:
        return float(np.max(1 - lines[1] - np.exp(lines[0]) * x))

    low, high = 0.0, 1 - float(there[1][0])
    while low < (x := (low + high) / 2) < high:  # both fall by more than 1 a unit, so one after the other rises so
        low, high = (low, x) if over(here, over(there, x)) >= x else (x, high)
    return x, max(over(there, x), 0.0)


def _half(eps: Floats, delta: Floats, end: float) -> tuple[Floats, Floats, Floats]:
    """(masses along the axis, masses across, losses) of the lines of one direction up to where they end."""
    # lines 1 − delta − e^eps·alpha of neighbours meet at alpha = (delta_i − delta_{i+1})/(e^eps_{i+1} − e^eps_i)
    with np.errstate(over="ignore"):
        meet = (delta[:-1] - delta[1:]) * np.exp(-eps[1:]) / -np.expm1(eps[:-1] - eps[1:])
    ends = np.minimum(np.concatenate([[0.0], meet[::-1], [end]]), end)  # where slopes change, the steepest first
    along = np.maximum(np.diff(ends), 0.0)
    losses = eps[::-1]
    with np.errstate(over="ignore", invalid="ignore"):
        across = np.where(along > 0, along * np.exp(losses), 0.0)
    keep = (along > 0) & np.isfinite(across)
    return along[keep], across[keep], losses[keep]


def profile_hull(epsilons: Floats, deltas: Floats) -> tuple[Floats, Floats]:
    """The lower convex hull of delta over e^epsilon, its corners."""
    corners: list[tuple[float, float]] = []
    for e, d in zip(epsilons.tolist(), deltas.tolist()):
        if corners and d >= corners[-1][1]:
            continue  # a larger epsilon with no less delta
        if corners and e == corners[-1][0]:
            corners.pop()  # the same epsilon with less delta
        while len(corners) > 1:
            (e0, d0), (e1, d1) = corners[-2:]
            # slope from 0 to 1 against slope from 0 to e, both divided by e^−e0
            if (d0 - d1) / math.expm1(e1 - e0) > (d0 - d) / math.expm1(e - e0):
                break
            corners.pop()
        corners.append((e, d))
    found = np.array(corners)
    return found[:, 0], found[:, 1]


def points_curve(alphas: Floats, betas: Floats, note: str = "") -> TradeOff:
    """The curve through corners from alpha = 0 to alpha = 1."""
    p, q = np.diff(alphas), -np.diff(betas)
    if betas[0] < 1:
        p, q = np.append(0.0, p), np.append(1 - betas[0], q)
    with np.errstate(divide="ignore"):
        loss = np.minimum.accumulate(np.log(q) - np.log(p))  # equal slopes may differ in their last digits
    return PiecewiseCurve(p, q, loss, 4e-15, 6e-16, 6e-16, route="imported", note=note)
