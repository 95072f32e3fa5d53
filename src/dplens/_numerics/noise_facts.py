"""What is known by theorem about the shape of familiar noise laws.

Numbers cannot show that a density is log-concave or how its tail ends; these tables can. A family that is
not listed gets no facts, and whatever rests on them is then left undecided.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens._numerics.laws import Law


@dataclass(frozen=True)
class Tail:
    """log-density = −coefficient·|x − loc|^power + log_term·log|x − loc| + O(1), far out.

    power 0: −coefficient·log|x − loc| + O(1). power = inf: −exp(coefficient·|x − loc|) and a term linear in x.
    ``key``: the parameters from which the coefficient was computed; they tell equal from equal after rounding.
    """

    power: float
    coefficient: float
    key: tuple[float, ...]
    log_term: float = 0.0


@dataclass(frozen=True)
class End:
    """The support ends at ``at``; towards it the density goes like distance^order, order ≥ 0."""

    at: float
    order: float


@dataclass(frozen=True)
class NoiseFacts:
    """Shape of a noise law: log-concave, symmetric and unimodal about loc, and both tails.

    Within its support the density of such a law is positive and finite.
    """

    loc: float
    log_concave: bool
    symmetric_unimodal: bool
    left: Tail | End
    right: Tail | End

    def moved(self, by: float) -> NoiseFacts:
        """The same of the law shifted by ``by``."""
        ends = (End(t.at + by, t.order) if isinstance(t, End) else t for t in (self.left, self.right))
        return NoiseFacts(self.loc + by, self.log_concave, self.symmetric_unimodal, *ends)


def noise_facts(source: Any) -> NoiseFacts | None:
    """Facts about a frozen scipy distribution, or ``None``."""
    named = family(source)
    if named is None:
        return None
    name, shapes, loc, scale = named
    rule = _RULES.get(name)
    return rule(shapes, loc, scale) if rule else None


def is_scipys(thing: Any) -> bool:
    """Whether the class of an object is scipy's own: a name alone proves nothing."""
    return type(thing).__module__.startswith("scipy.stats.")


def family(source: Any) -> tuple[str, tuple[float, ...], float, float] | None:
    """(name, shape parameters, loc, scale) of a frozen distribution of one of scipy's own families."""
    if hasattr(source, "dist"):
        kind = type(source.dist)
        # a family is its class and its parameters: histograms and laws that are sampled or interpolated are not
        if not (is_scipys(source.dist) and kind.__name__ == f"{source.dist.name}_gen"):
            return None
        try:
            shapes, loc, scale = source.dist._parse_args(*source.args, **source.kwds)
            if any(np.ndim(v) for v in (*shapes, loc, scale)):
                return None
            known = source.dist.name, tuple(float(s) for s in shapes), float(loc), float(scale)
            # Student's law with infinitely many degrees of freedom is the normal one
            return ("norm", (), *known[2:]) if known[:2] == ("t", (math.inf,)) else known
        except (AttributeError, TypeError, ValueError):
            return None
    if not is_scipys(source):
        return None
    kind = type(source).__name__
    try:
        if any(np.ndim(end) for end in source.support()):
            return None
        if kind in ("Normal", "StandardNormal"):
            return "norm", (), float(source.mu), float(source.sigma)
        if kind in ("Uniform", "_Uniform"):
            return "uniform", (), float(source.a), float(source.b - source.a)
        if kind == "Logistic":
            return "logistic", (), 0.0, 1.0
    except (AttributeError, TypeError, ValueError):
        return None
    return None


@np.errstate(all="ignore")
def seen_shape(law: Law) -> tuple[bool, bool]:
    """Whether a law is log-concave, and whether it is symmetric with one peak, as far as its quantiles show."""
    x = law.landmarks()
    x = np.unique(np.append(x, x[:-1] + np.diff(x) / 2))
    logs = law.logpdf(x)
    slack = 1e-11 * (1 + np.nan_to_num(np.abs(logs), posinf=0.0))
    chord = (logs[:-2] * (x[2:] - x[1:-1]) + logs[2:] * (x[1:-1] - x[:-2])) / (x[2:] - x[:-2])
    middle = float(law.ppf(np.array([0.5]))[0])
    away = np.unique(np.abs(x - middle))
    left, right = law.logpdf(middle - away), law.logpdf(middle + away)
    even = (left == right) | (np.abs(left - right) <= 1e-8 * (1 + np.abs(right)))
    falls = (right[1:] <= right[:-1] + 1e-11 * (1 + np.abs(right[1:]))) | np.isneginf(right[1:])
    return bool((logs[1:-1] >= chord - slack[1:-1]).all()), bool(even.all() and falls.all())


Rule = Callable[[tuple[float, ...], float, float], "NoiseFacts | None"]
Side = Callable[..., "Tail | End"]  # of (loc, scale, *shapes)


def _symmetric(tail: Side, log_concave: Callable[..., bool] | bool) -> Rule:
    def rule(shapes: tuple[float, ...], loc: float, scale: float) -> NoiseFacts:
        right = tail(loc, scale, *shapes)
        left = End(loc - (right.at - loc), right.order) if isinstance(right, End) else right
        concave = log_concave if isinstance(log_concave, bool) else log_concave(*shapes)
        return NoiseFacts(loc, concave, True, left, right)

    return rule


def _concave(left: Side, right: Side, when: Callable[..., bool] = lambda *_: True) -> Rule:
    """A log-concave family that need not be symmetric; no facts where the condition on its shapes fails."""

    def rule(shapes: tuple[float, ...], loc: float, scale: float) -> NoiseFacts | None:
        if not when(*shapes):
            return None
        return NoiseFacts(loc, True, False, left(loc, scale, *shapes), right(loc, scale, *shapes))

    return rule


def _exponential(loc: float, scale: float, *_: float) -> Tail:
    return Tail(1.0, _power(scale, -1), (scale,))


def _square(loc: float, scale: float, *_: float) -> Tail:
    return Tail(2.0, _power(scale, -2) / 2, (scale,))


def _steep(loc: float, scale: float, *_: float) -> Tail:
    return Tail(math.inf, _power(scale, -1), (scale,))


def _power(scale: float, exponent: float) -> float:
    try:
        return float(scale**exponent)
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _starts(order: Callable[..., float]) -> Side:
    """The support begins at loc, the density there of the given order."""
    return lambda loc, scale, *shapes: End(loc, order(*shapes))


def _skewed(loc: float, scale: float, a: float) -> Tail:
    """The tail on which the factor Φ(a·x) of a skewed normal dies out (a > 0), or not (a ≤ 0)."""
    return Tail(2.0, _power(scale, -2) * (1 + a * a) / 2, (scale, a), -1.0) if a > 0 else _square(loc, scale)


def _truncnorm(shapes: tuple[float, ...], loc: float, scale: float) -> NoiseFacts:
    low, high = shapes
    left, right = (_square(loc, scale) if math.isinf(end) else End(loc + scale * end, 0.0) for end in (low, high))
    return NoiseFacts(loc, True, low == -high, left, right)


def _uniform(shapes: tuple[float, ...], loc: float, scale: float) -> NoiseFacts:
    return NoiseFacts(loc + scale / 2, True, True, End(loc, 0.0), End(loc + scale, 0.0))


_RULES: dict[str, Rule] = {
    "norm": _symmetric(_square, True),
    "laplace": _symmetric(_exponential, True),
    "logistic": _symmetric(_exponential, True),
    "hypsecant": _symmetric(_exponential, True),
    "gennorm": _symmetric(lambda loc, scale, b: Tail(b, _power(scale, -b), (scale,)), lambda b: b >= 1),
    # df, not df + 1: that would round
    "cauchy": _symmetric(lambda loc, scale: Tail(0.0, 1.0, ()), False),
    "t": _symmetric(lambda loc, scale, df: Tail(0.0, df, ()), False),
    "semicircular": _symmetric(lambda loc, scale: End(loc + scale, 0.5), True),
    "cosine": _symmetric(lambda loc, scale: End(loc + math.pi * scale, 2.0), True),
    "uniform": _uniform,
    "truncnorm": _truncnorm,
    "expon": _concave(_starts(lambda: 0.0), _exponential),
    "gumbel_r": _concave(_steep, _exponential),
    "gumbel_l": _concave(_exponential, _steep),
    "laplace_asymmetric": _concave(
        lambda loc, scale, k: Tail(1.0, _power(k * scale, -1), (scale, k)),
        lambda loc, scale, k: Tail(1.0, k * _power(scale, -1), (scale, k)),
    ),
    "skewnorm": _concave(_skewed, lambda loc, scale, a: _skewed(loc, scale, -a)),
    "exponnorm": _concave(
        lambda loc, scale, k: Tail(2.0, _power(scale, -2) / 2, (scale,), -1.0),
        lambda loc, scale, k: Tail(1.0, _power(k * scale, -1), (scale, k)),
    ),
    "gamma": _concave(
        _starts(lambda a: a - 1), lambda loc, scale, a: Tail(1.0, _power(scale, -1), (scale,), a - 1), lambda a: a >= 1
    ),
    "halfnorm": _concave(_starts(lambda: 0.0), _square),
    "rayleigh": _concave(_starts(lambda: 1.0), lambda loc, scale: Tail(2.0, _power(scale, -2) / 2, (scale,), 1.0)),
    "weibull_min": _concave(
        _starts(lambda c: c - 1), lambda loc, scale, c: Tail(c, _power(scale, -c), (scale,), c - 1), lambda c: c >= 1
    ),
    "beta": _concave(
        _starts(lambda a, b: a - 1), lambda loc, scale, a, b: End(loc + scale, b - 1), lambda a, b: a >= 1 and b >= 1
    ),
    "triang": _concave(_starts(lambda c: float(c > 0)), lambda loc, scale, c: End(loc + scale, float(c < 1))),
}


def loss_supremum_is_finite(p: NoiseFacts, q: NoiseFacts) -> bool | None:
    """Whether log q/p stays bounded above where both densities are positive, from the two laws' tails and ends.

    Inside the common support both densities are positive, so only its ends matter. ``None`` where the terms known
    agree, or differ by no more than rounding, so that the next ones would decide.
    """
    verdicts = [
        _side_bounded(p.left, q.left, p.loc - q.loc, -1.0),
        _side_bounded(p.right, q.right, q.loc - p.loc, 1.0),
    ]
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _side_bounded(p: Tail | End, q: Tail | End, outward: float, sign: float) -> bool | None:
    """One side; ``outward``: how far q lies further out than p on this side."""
    if isinstance(p, Tail):
        return True if isinstance(q, End) else _tail_bounded(p, q, outward)
    if isinstance(q, Tail):
        return p.order == 0  # q reaches beyond p and is positive at its end
    beyond = sign * (q.at - p.at)
    if beyond == 0:
        return q.order >= p.order
    if abs(beyond) <= 1e-12 * max(abs(p.at), abs(q.at)):
        return None  # one end or two: beyond the digits
    return True if beyond < 0 else p.order == 0


def _tail_bounded(p: Tail, q: Tail, outward: float) -> bool | None:
    if p.power != q.power:
        return q.power > p.power
    if p.power == 0:
        return q.coefficient >= p.coefficient
    if not (p.key == q.key and p.coefficient == q.coefficient):
        close = math.isclose(p.coefficient, q.coefficient, rel_tol=1e-12)
        return None if close else q.coefficient > p.coefficient
    if p.power > 1 and outward != 0:
        return outward < 0
    return q.log_term <= p.log_term
