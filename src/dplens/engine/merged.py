"""A curve above that of a composition: outcomes with neighbouring losses are put together, which only hides.

Putting outcomes together is post-processing, so no question has a riskier answer afterwards, whatever is put together
and after however many steps. Where a lattice says too little about how far it overstates the risk, this says how large
the risk is at least.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dplens._numerics.logits import from_logit
from dplens.curves.base import Floats, TradeOff
from dplens.curves.piecewise import PiecewiseCurve
from dplens.curves.sampled import SampledCurve, SampledMirror
from dplens.engine.atoms import Atoms, atoms_of

_OUTCOMES = 1000  # kept after every step
_LOGITS = np.linspace(-45.0, 45.0, _OUTCOMES)  # of the false-positive rates between which outcomes are put together
_SHARE = 0.01  # of a rate; outcomes that weigh less are put together with others
_USELESS = 0.1  # relative error of the masses


@dataclass(frozen=True, eq=False)
class Merged:
    """Outcomes whose masses are known up to a factor between e^−error and e^error."""

    curve: PiecewiseCurve
    error: float

    @classmethod
    def of(cls, steps: Sequence[tuple[TradeOff, int]]) -> Merged | None:
        """Of a composition; None where the error would say nothing."""
        laws = [_outcomes(curve) for curve, _ in steps]
        if not all(len(law.loss) for law, _ in laws):
            return None
        error = sum(count * wrong for (_, wrong), (_, count) in zip(laws, steps)) + 1e-12
        if not error < _USELESS:
            return None
        total = Atoms(np.zeros(1), np.ones(1), np.ones(1))
        for (square, _), (_, times) in zip(laws, steps):
            count = times
            while count:
                if count & 1:
                    total = _coarser(total.times(square, exact=False))
                count >>= 1
                if count:
                    square = _coarser(square.times(square, exact=False))
        return cls(_whole(total).curve(1e-13), error) if len(total.loss) else None

    def profile(self, epsilon: Floats) -> Floats:
        """delta from below: q·e^−error against p·e^error."""
        return math.exp(-self.error) * self.curve.profile_bounds(epsilon + 2 * self.error).lo

    def rates(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        """Power from below and beta from above: of a test that has at most alpha whatever the masses are."""
        less = alpha * math.exp(-self.error)
        power = math.exp(-self.error) * self.curve.power_bounds(less, 1 - less).lo
        more = np.minimum(co * math.exp(self.error), 1.0)
        beta = math.exp(self.error) * self.curve.beta_bounds(1 - more, more).hi
        return power, np.minimum(np.where(alpha < 0.5, 1 - power, beta), co)


def _outcomes(curve: TradeOff) -> tuple[Atoms, float]:
    """One step's outcomes, by finitely many losses, and the relative error of their masses."""
    atoms = atoms_of(curve)
    if atoms is not None:
        return _coarser(atoms), 1e-14 + curve.input_rounding + curve.rounding
    match curve:  # what is known of the base, without a search
        case SampledCurve(base=base, rate=rate):
            law, wrong = _outcomes(base)
            return law.sampled(rate), wrong + 4e-15
        case SampledMirror(forward=forward):
            law, wrong = _outcomes(forward)
            return law.reversed(), wrong
    alpha, co = from_logit(_LOGITS)
    (power, _), (_, beta) = curve.both_bounds(alpha, co)
    by_power = power[1:] <= 0.5
    p = np.where(alpha[1:] <= 0.5, np.diff(alpha), -np.diff(co))
    q = np.where(by_power, np.diff(power), -np.diff(beta))
    # the masses are differences: those that are not small beside the rates themselves carry their error little enlarged
    kept = (p > 0) & (q > _SHARE * np.where(by_power, power[1:], beta[:-1]))
    certificate = curve.certificate
    wrong = 4 * curve.rounding if certificate.route == "exact" else 4 * certificate.tolerance
    return _whole(Atoms(np.log(q[kept]) - np.log(p[kept]), p[kept], q[kept])), (wrong + 1e-15) / _SHARE


def _coarser(law: Atoms) -> Atoms:
    """Outcomes with neighbouring losses put together, finest around the middle; those too rare for floats dropped."""
    possible = (law.p > 0) & (law.q > 0)
    loss, p, q = law.loss[possible], law.p[possible], law.q[possible]
    if len(loss) <= _OUTCOMES:
        return Atoms(loss, p, q, law.unseen)
    weight = (p + q) / np.sum(p + q)
    middle = float(weight @ loss)
    scale = math.sqrt(float(weight @ (loss - middle) ** 2)) + 1e-300
    place = np.arcsinh((loss - middle) / scale)
    first, last = float(place.min()), float(place.max())
    index = np.minimum(((place - first) * (_OUTCOMES / (last - first + 1e-300))).astype(int), _OUTCOMES - 1)
    p, q = (np.bincount(index, x, _OUTCOMES) for x in (p, q))
    there = (p > 0) & (q > 0)
    p, q = p[there], q[there]
    return Atoms(np.log(q) - np.log(p), p, q, law.unseen)


def _whole(law: Atoms) -> Atoms:
    """What was dropped is put together with the most likely outcome, so that masses add up to 1 again."""
    if not len(law.loss):
        return law
    p, q = law.p.copy(), law.q.copy()
    heaviest = int(np.argmax(p + q))
    for mass, unseen in ((p, law.unseen[0]), (q, law.unseen[1])):
        mass[heaviest] += max(1 - unseen - math.fsum(mass), 0.0)
    loss = np.log(q) - np.log(p)
    order = np.argsort(loss)
    return Atoms(loss[order], p[order], q[order], law.unseen)
