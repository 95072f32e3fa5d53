"""The curve of several (epsilon, delta) guarantees that hold at once: the largest of their lines."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve
from dplens.estimate import Certificate

_DEEPEST = 650.0


@dataclass(frozen=True, eq=False)
class ProfileCurve(PiecewiseCurve):
    """max over i of f_{eps_i, delta_i}: what guarantees known at finitely many epsilons leave open.

    Between them delta is linear in e^epsilon, so nothing is added to what is known; the truth is this or better.
    """

    note: str = ""

    @property
    def certificate(self) -> Certificate:
        return Certificate("imported", self.claimed_tolerance, self.note)

    def _mirrored(self) -> TradeOff:
        return self  # guarantees for both directions


def profile_curve(epsilons: Floats, deltas: Floats, note: str = "") -> TradeOff:
    """From rising epsilons ≥ 0 and deltas in [0, 1]; points above the convex hull in (e^epsilon, delta) say nothing."""
    near = epsilons <= _DEEPEST  # beyond, a guarantee says nothing that a float could show; leaving it out is safe
    eps, delta = _hull(epsilons[near], np.minimum.accumulate(deltas[near])) if near.any() else (np.zeros(1), np.ones(1))
    if delta[0] >= 1:
        eps, delta = np.zeros(1), np.ones(1)
    # lines 1 − delta − e^eps·alpha of neighbours meet at alpha = (delta_i − delta_{i+1})/(e^eps_{i+1} − e^eps_i)
    with np.errstate(over="ignore"):
        meet = (delta[:-1] - delta[1:]) * np.exp(-eps[1:]) / -np.expm1(eps[:-1] - eps[1:])
    middle = np.max((1 - delta) / (1 + np.exp(eps)))  # where the curve meets its own mirror image: beta = alpha
    ends = np.minimum(np.concatenate([[0.0], meet[::-1], [middle]]), middle)  # where slopes change, the steepest first
    ends[-1] = middle
    p = np.maximum(np.diff(ends), 0.0)
    losses = eps[::-1]
    with np.errstate(over="ignore", invalid="ignore"):
        q = np.where(p > 0, p * np.exp(losses), 0.0)
    keep = (p > 0) & np.isfinite(q)
    p, q, losses = p[keep], q[keep], losses[keep]
    proof = delta[-1]
    if len(p):  # each law is the mirror image of the other, so both halves of one add up to it; the rest is rounding
        scale = (1 - proof) / (p.sum() + q.sum())
        p, q = p * scale, q * scale
    steep = (np.zeros(1), np.array([proof]), np.array([math.inf])) if proof > 0 else (np.zeros(0),) * 3
    up = [np.concatenate([a, b]) for a, b in zip(steep, (p, q, losses))]
    law_p, law_q = np.concatenate([up[0], up[1][::-1]]), np.concatenate([up[1], up[0][::-1]])
    law_l = np.concatenate([up[2], -up[2][::-1]])
    at = np.flatnonzero(law_l == 0)
    if len(at) > 1:  # the flattest line and its mirror image are one
        law_p[at[0]], law_q[at[0]] = law_p[at].sum(), law_q[at].sum()
        law_p, law_q, law_l = (np.delete(x, at[1:]) for x in (law_p, law_q, law_l))
        law_q[at[0]] = law_p[at[0]]
    return ProfileCurve(law_p, law_q, law_l, 1e-14, 0.0, 1e-14, note=note)


def _hull(epsilons: Floats, deltas: Floats) -> tuple[Floats, Floats]:
    """The lower convex hull of delta over e^epsilon, its corners."""
    corners: list[tuple[float, float]] = []
    for e, d in zip(epsilons.tolist(), deltas.tolist()):
        if corners and d >= corners[-1][1]:
            continue  # a larger epsilon with no less delta
        while len(corners) > 1:
            (e0, d0), (e1, d1) = corners[-2:]
            # slope from 0 to 1 against slope from 0 to e, both divided by e^−e0
            if (d0 - d1) / math.expm1(e1 - e0) > (d0 - d) / math.expm1(e - e0):
                break
            corners.pop()
        corners.append((e, d))
    found = np.array(corners)
    return found[:, 0], found[:, 1]


@dataclass(frozen=True, eq=False)
class CornerCurve(PiecewiseCurve):
    """A piecewise linear curve that came as corners, with a note on where from."""

    note: str = ""

    @property
    def certificate(self) -> Certificate:
        return Certificate("imported", self.claimed_tolerance, self.note)

    def _mirrored(self) -> TradeOff:
        made = super()._mirrored()
        return self if made is self else noted(made, self.note)


def noted(curve: TradeOff, note: str) -> TradeOff:
    """The same piecewise linear curve with a note on where it comes from."""
    if not isinstance(curve, PiecewiseCurve):
        return curve
    return CornerCurve(curve.p, curve.q, curve.loss, *curve._roundings, note=note)


def points_curve(alphas: Floats, betas: Floats, note: str = "") -> TradeOff:
    """The curve through corners from alpha = 0 to alpha = 1."""
    p, q = np.diff(alphas), -np.diff(betas)
    if betas[0] < 1:
        p, q = np.append(0.0, p), np.append(1 - betas[0], q)
    with np.errstate(divide="ignore"):
        loss = np.minimum.accumulate(np.log(q) - np.log(p))  # equal slopes may differ in their last digits
    return CornerCurve(p, q, loss, 4e-15, 6e-16, 6e-16, note=note)
