"""Dominance of trade-off curves, proven on whole intervals of false-positive rates.

Let T be the attacker's power. The privacy profile bounds it by lines: T(alpha) ≤ delta(e) + e^e·alpha for every e and
alpha. Between two rates, the power against one release thus lies below the lower of two lines, which has at most one
bend. The power against another release is concave, so it lies above both lines if it does so at both ends and at the
bend. Any slopes give valid lines; the slopes of the curve at the two rates give tight ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.numerics.logits import from_logit
from dplens.numerics.roots import sign_change
from dplens.registry import Result

# logits of the first false-positive rates, from 1e-300 on, densest where curves bend
_TAIL = np.concatenate([np.linspace(-690, -80, 14), np.linspace(-70, -14, 29)])
_LOGITS = np.unique(np.concatenate([_TAIL, -_TAIL, np.linspace(-12, 12, 241)]))
RATES = len(_LOGITS)
_ENOUGH = 1e-9  # relative slack that still counts as a proof


@dataclass(frozen=True, kw_only=True)
class Relation(Result):
    """How the curve of one mechanism compares with that of another (both numbered from 0).

    kind: ``"safer"`` (the first curve is above wherever they provably differ), ``"riskier"``, ``"equal"`` (no
    provable difference) or ``"crossing"``. crossings: the false-positive rates where they were seen to cross (curves
    with steps may cross more often).

    Unless they cross, it is proven for every false-positive rate from ``proven_from`` to ½, and with the worlds
    exchanged, that the power against the safer release is at most 1 + ``slack`` times that against the other (in both
    directions if they are equal). Both are None if the curves cross.
    """

    first: int = 0
    second: int = 1
    kind: str
    crossings: tuple[float, ...] = ()
    slack: float | None = None
    proven_from: float | None = None


def standing(f: TradeOff, g: TradeOff) -> Relation:
    """The relation of two curves, with their crossings or the proof that one never lies below the other."""
    if _same(f, g):
        return Relation(kind="equal", slack=0.0, proven_from=0.0)
    logits = _LOGITS
    order = _order(f, g, logits)
    while True:
        signs = set(order[order != 0])
        if len(signs) == 2:
            return Relation(kind="crossing", crossings=_crossings(f, g, logits, order))
        upper, lower = (g, f) if -1.0 in signs else (f, g)
        proof = _proof(upper, lower)
        if not signs:  # prove both directions
            proof &= _proof(lower, upper)
        against = np.setdiff1d(np.array(proof.against), logits)
        found = _order(f, g, against) if len(against) else against
        news = set(found[found != 0]) - signs
        if not news:
            kind = "safer" if upper is f else "riskier"
            return Relation(kind=kind if signs else "equal", slack=proof.slack, proven_from=proof.start)
        increasing = np.argsort(np.concatenate([logits, against]))  # the curves differ at a new rate
        logits, order = (np.concatenate(both)[increasing] for both in ((logits, against), (order, found)))


@dataclass(frozen=True)
class _Proof:
    """Power ≤ (1 + slack)·power against the other, from the rate ``start`` on; ``against`` are undecided logits."""

    slack: float
    start: float
    against: tuple[float, ...]

    def __and__(self, other: _Proof) -> _Proof:
        return _Proof(max(self.slack, other.slack), max(self.start, other.start), self.against + other.against)


def _proof(upper: TradeOff, lower: TradeOff) -> _Proof:
    """Prove that the first curve is nowhere below the second, up to alpha = ½ and with the worlds exchanged."""
    proof = _half(upper, lower)
    if upper.inverse() is upper and lower.inverse() is lower:
        return proof
    mirrored = _half(upper.inverse(), lower.inverse())
    return proof & replace(mirrored, against=tuple(_mirror(lower, x) for x in mirrored.against))


def _mirror(curve: TradeOff, logit: float) -> float:
    """The logit of the false-positive rate at which the false-negative rate has the given logit."""
    alpha, co = from_logit(np.array([logit]))
    beta, power = curve.inverse().beta_bounds(alpha, co).lo, curve.inverse().power_bounds(alpha, co).hi
    with np.errstate(divide="ignore"):
        return float(np.clip(np.log(beta) - np.log(power), -690, 690)[0])


def _half(upper: TradeOff, lower: TradeOff, rounds: int = 24) -> _Proof:
    """The proof for false-positive rates up to ½; undecided intervals are halved up to ``rounds`` times."""
    ends = _LOGITS[_LOGITS <= 0]
    a, b = ends[:-1], ends[1:]
    start = _reached(upper, lower, ends[:1])
    most = 3000 if {upper.certificate.route, lower.certificate.route} == {"exact"} else 200  # others are slow
    settled = 0.0
    while True:
        excess = _excess_between(upper, lower, a, b)
        undecided = excess > _ENOUGH
        settled = max(settled, float(np.max(excess[~undecided], initial=0.0)))
        if not undecided.any() or rounds == 0 or 2 * np.count_nonzero(undecided) > most:
            break
        a, b = a[undecided], b[undecided]
        middle = (a + b) / 2
        a, b, rounds = np.concatenate([a, middle]), np.concatenate([middle, b]), rounds - 1
    against = tuple(((a + b) / 2)[undecided])
    return _Proof(max(settled, float(np.max(excess[undecided], initial=0.0))), start, against)


def _reached(upper: TradeOff, lower: TradeOff, logit: Floats) -> float:
    """The rate from which a proof can begin: 0 if one line covers all rates up to the first."""
    alpha, co = from_logit(logit)
    slope, offset = _line(upper, logit)
    here = _excess(_height(slope, offset, alpha), lower.power_bounds(alpha, co).lo)
    return 0.0 if offset[0] <= lower.infinity_mass().lo * (1 + _ENOUGH) and here[0] <= _ENOUGH else float(alpha[0])


def _excess_between(upper: TradeOff, lower: TradeOff, a: Floats, b: Floats) -> Floats:
    """Upper bound, between two logits, on the relative excess of the power against ``upper`` over that of ``lower``."""
    ends = np.unique(np.concatenate([a, b]))
    alpha, co = from_logit(ends)
    slope, offset = _line(upper, ends)
    at_ends = _excess(_height(slope, offset, alpha), lower.power_bounds(alpha, co).lo)
    i, j = np.searchsorted(ends, a), np.searchsorted(ends, b)
    with np.errstate(all="ignore"):  # where the two lines meet
        gap = np.log(np.maximum(offset[j] - offset[i], 0.0)) - slope[i] - np.log(-np.expm1(slope[j] - slope[i]))
        bend = np.clip(np.nan_to_num(np.exp(gap), nan=0.0), alpha[i], alpha[j])
    both = np.maximum(_height(slope[i], offset[i], bend), _height(slope[j], offset[j], bend))
    at_bend = _excess(both, lower.power_bounds(bend, 1 - bend).lo)
    return np.maximum(at_bend, np.maximum(at_ends[i], at_ends[j]))


def _line(curve: TradeOff, logit: Floats) -> tuple[Floats, Floats]:
    """(log slope, offset) of a line above the power, tight at the given rates."""
    alpha, co = from_logit(logit)
    with np.errstate(all="ignore"):
        slope = np.nan_to_num(curve._log_slope(alpha, co), nan=0.0, posinf=700.0, neginf=-700.0)
    slope = np.clip(slope, -700.0, 700.0)
    distinct, where = np.unique(slope, return_inverse=True)
    offset = curve.profile_bounds(distinct).hi[where]
    top, sure = curve._max_loss()[1], curve.infinity_mass().hi
    if top < 700:  # the largest likelihood ratio gives the best line for the smallest rates
        better = _height(np.full_like(alpha, top), np.full_like(alpha, sure), alpha) < _height(slope, offset, alpha)
        slope, offset = np.where(better, top, slope), np.where(better, sure, offset)
    return slope, offset


def _height(slope: Floats, offset: Floats, alpha: Floats) -> Floats:
    """A line at a rate, rounded up."""
    place = np.log(alpha)
    with np.errstate(over="ignore"):
        return (offset + np.exp(slope + place)) * (1 + 2e-15 + 4e-16 * (np.abs(slope) + np.abs(place)))


def _excess(line: Floats, power: Floats) -> Floats:
    """The relative excess of a line, capped at 1, over a power."""
    return np.maximum(np.minimum(line, 1.0) / power - 1, 0.0)


def _same(f: TradeOff, g: TradeOff) -> bool:
    try:
        return f is g or bool(f == g)
    except ValueError:  # comparison of arrays
        return False


def _order(f: TradeOff, g: TradeOff, logits: Floats) -> Floats:
    """+1 where f is provably above g, −1 where it is provably below, 0 where neither is proven."""
    alpha, co = from_logit(logits)
    small = alpha < 0.5
    out = np.zeros_like(alpha)
    powers = [curve.power_bounds(alpha[small], co[small]) for curve in (f, g)]
    betas = [curve.beta_bounds(alpha[~small], co[~small]) for curve in (g, f)]
    for rows, (less, more) in ((small, powers), (~small, betas)):  # more power is a lower curve
        out[rows] = (less.hi < more.lo).astype(float) - (more.hi < less.lo)
    return out


def _crossings(f: TradeOff, g: TradeOff, logits: Floats, order: Floats) -> tuple[float, ...]:
    """The false-positive rates where the order changes."""
    decided = np.flatnonzero(order)
    signs = order[decided]
    turns = np.flatnonzero(signs[1:] != signs[:-1])
    low, high = logits[decided[turns]], logits[decided[turns + 1]]
    flip = signs[turns]
    inner, outer = sign_change(lambda x: flip * _difference(f, g, x), low, high, floor=1e-12)
    return tuple(map(float, from_logit((inner + outer) / 2)[0]))


def _difference(f: TradeOff, g: TradeOff, logits: Floats) -> Floats:
    """f − g, from powers where alpha is small and from betas elsewhere."""
    alpha, co = from_logit(logits)
    powers = g.power_bounds(alpha, co).hi - f.power_bounds(alpha, co).hi
    betas = f.beta_bounds(alpha, co).lo - g.beta_bounds(alpha, co).lo
    return np.where(alpha < 0.5, powers, betas)
