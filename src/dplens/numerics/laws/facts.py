"""Known properties of the shapes of common noise laws.

Numerical values cannot prove that a density is log-concave or how its tail decays, so these tables list it. For
families that are not listed, answers that depend on such facts remain undecided.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dplens.numerics.laws.base import Law

Family = tuple[str, tuple[float, ...], float, float]  # name, shape parameters, loc, scale


class Tail(NamedTuple):
    """log-density = −factor·(|x − loc|/unit)^power + O(1), far out.

    power 0: −(factor + 1)·log|x − loc| + O(1). power = inf: −exp(|x − loc|/unit) and a term linear in x.
    """

    power: float
    unit: float = 1.0
    factor: float = 1.0


@dataclass(frozen=True)
class NoiseFacts:
    """Shape of a noise law: log-concave, symmetric and unimodal about loc, and both tails.

    Within its support the density is positive and finite. A tail is None if the support ends there and
    the density does not vanish at its end.
    """

    loc: float
    log_concave: bool
    symmetric_unimodal: bool
    left: Tail | None
    right: Tail | None


def noise_facts(source: Any) -> NoiseFacts | None:
    """Facts about a frozen SciPy distribution, or ``None``."""
    match family(source):
        case "norm", _, loc, scale:
            return _even(loc, Tail(2.0, scale, 0.5))
        case "laplace" | "logistic" | "hypsecant", _, loc, scale:
            return _even(loc, Tail(1.0, scale))
        case "gennorm", (power,), loc, scale:
            return _even(loc, Tail(power, scale), log_concave=power >= 1)
        case "cauchy", _, loc, _:
            return _even(loc, Tail(0.0), log_concave=False)
        case "t", (df,), loc, _:
            return _even(loc, Tail(0.0, factor=df), log_concave=False)
        case "uniform", _, loc, scale:
            return _even(loc + scale / 2, None)
        case "truncnorm", (low, high), loc, scale:
            left, right = (Tail(2.0, scale, 0.5) if math.isinf(end) else None for end in (low, high))
            return NoiseFacts(loc, True, low == -high, left, right)
        case "expon", _, loc, scale:
            return NoiseFacts(loc, True, False, None, Tail(1.0, scale))
        case "gumbel_r", _, loc, scale:
            return NoiseFacts(loc, True, False, Tail(math.inf, scale), Tail(1.0, scale))
        case "gumbel_l", _, loc, scale:
            return NoiseFacts(loc, True, False, Tail(1.0, scale), Tail(math.inf, scale))
    return None


def _even(loc: float, tail: Tail | None, log_concave: bool = True) -> NoiseFacts:
    return NoiseFacts(loc, log_concave, True, tail, tail)


def is_scipys(thing: Any) -> bool:
    """Whether the class of an object is defined in SciPy, since a name alone proves nothing."""
    return type(thing).__module__.startswith("scipy.stats.")


def family(source: Any) -> Family | None:
    """(name, shape parameters, loc, scale) of a frozen distribution of one of SciPy's families."""
    old = hasattr(source, "dist")
    thing = source.dist if old else source
    kind = type(thing).__name__
    # a family is determined by class and parameters, unlike histograms and sampled or interpolated laws
    if not is_scipys(thing) or (old and kind != f"{thing.name}_gen"):
        return None
    try:
        if any(np.ndim(end) for end in source.support()):
            return None
        if old:
            name, (shapes, loc, scale) = thing.name, thing._parse_args(*source.args, **source.kwds)
        elif kind in ("Normal", "StandardNormal"):
            name, shapes, loc, scale = "norm", (), source.mu, source.sigma
        elif kind in ("Uniform", "_Uniform"):
            name, shapes, loc, scale = "uniform", (), source.a, source.b - source.a
        elif kind == "Logistic":
            name, shapes, loc, scale = "logistic", (), 0.0, 1.0
        else:
            return None
        known = name, tuple(float(s) for s in shapes), float(loc), float(scale)
    except (AttributeError, TypeError, ValueError):
        return None
    # Student's law with infinitely many degrees of freedom is normal
    return ("norm", (), *known[2:]) if known[:2] == ("t", (math.inf,)) else known


@np.errstate(all="ignore")
def seen_shape(law: Law) -> tuple[bool, bool]:
    """Whether a law appears log-concave, and symmetric and unimodal, judging by its density between quantiles."""
    x = law.landmarks
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


def loss_supremum_is_finite(p: NoiseFacts, q: NoiseFacts) -> bool | None:
    """Whether log q/p is bounded above where both densities are positive, from the two laws' tails.

    Inside the common support both densities are positive, so only its ends matter. ``None`` if the tails differ only
    by rounding.
    """
    verdicts = [_is_bounded(p.left, q.left, p.loc - q.loc), _is_bounded(p.right, q.right, q.loc - p.loc)]
    return all(verdicts) if None not in verdicts or False in verdicts else None


def _is_bounded(p: Tail | None, q: Tail | None, outward: float) -> bool | None:
    """The answer for one side; ``outward``: the shift from p to q, outwards on this side."""
    if p is None or q is None:
        return True
    if p.power != q.power:
        return q.power > p.power
    if p.power == 0:
        return q.factor >= p.factor
    if p != q:
        power = min(p.power, 1e6)  # for an exponential, any large power
        steeper = math.log(q.factor / p.factor) - power * math.log(q.unit / p.unit)
        return None if abs(steeper) <= 1e-12 * power else steeper > 0
    return p.power <= 1 or outward <= 0
