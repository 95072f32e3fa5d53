"""What is known by theorem about the shape of familiar noise laws.

Numbers cannot show that a density is log-concave or how its tail ends; these tables can. A family that is
not listed gets no facts, and whatever rests on them is then left undecided.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Tail:
    """log-density ~ −coefficient·|x − loc|^power; power 0 stands for −coefficient·log|x − loc|.

    power = inf: faster than any of these (double exponential). ``bounded``: no tail, the support ends.
    """

    power: float
    coefficient: float = 1.0
    bounded: bool = False


ENDS = Tail(math.inf, bounded=True)
STEEP = Tail(math.inf)


@dataclass(frozen=True)
class NoiseFacts:
    """Shape of a noise law: log-concave, symmetric and unimodal about loc, and both tails."""

    loc: float
    log_concave: bool
    symmetric_unimodal: bool
    left: Tail
    right: Tail


def noise_facts(source: Any) -> NoiseFacts | None:
    """Facts about a frozen scipy distribution, or ``None``."""
    named = family(source)
    if named is None:
        return None
    name, shapes, loc, scale = named
    rule = _RULES.get(name)
    return rule(shapes, loc, scale) if rule else None


def family(source: Any) -> tuple[str, tuple[float, ...], float, float] | None:
    """(name, shape parameters, loc, scale) of a frozen scipy distribution of a known form."""
    if hasattr(source, "dist"):
        try:
            shapes, loc, scale = source.dist._parse_args(*source.args, **source.kwds)
            return source.dist.name, tuple(float(s) for s in shapes), float(loc), float(scale)
        except (AttributeError, TypeError, ValueError):
            return None
    kind = type(source).__name__
    try:
        if kind in ("Normal", "StandardNormal"):
            return "norm", (), float(source.mu), float(source.sigma)
        if kind in ("Uniform", "_Uniform"):
            return "uniform", (), float(source.a), float(source.b - source.a)
        if kind == "Logistic":
            return "logistic", (), 0.0, 1.0
    except (AttributeError, TypeError, ValueError):
        return None
    return None


Rule = Callable[[tuple[float, ...], float, float], "NoiseFacts | None"]


def _symmetric(tail: Callable[[tuple[float, ...], float], Tail], log_concave: Callable[..., bool] | bool) -> Rule:
    def rule(shapes: tuple[float, ...], loc: float, scale: float) -> NoiseFacts:
        end = tail(shapes, scale)
        concave = log_concave if isinstance(log_concave, bool) else log_concave(*shapes)
        return NoiseFacts(loc, concave, True, end, end)

    return rule


def _concave(
    left: Callable[..., Tail], right: Callable[..., Tail], when: Callable[..., bool] = lambda *_: True
) -> Rule:
    """A log-concave family that need not be symmetric; no facts where the condition on its shapes fails."""

    def rule(shapes: tuple[float, ...], loc: float, scale: float) -> NoiseFacts | None:
        if not when(*shapes):
            return None
        return NoiseFacts(loc, True, False, left(scale, *shapes), right(scale, *shapes))

    return rule


def _ends(*_: float) -> Tail:
    return ENDS


def _steep(*_: float) -> Tail:
    return STEEP


def _exponential(scale: float, *_: float) -> Tail:
    return Tail(1.0, 1 / scale)


def _square(scale: float, *_: float) -> Tail:
    return Tail(2.0, 0.5 / scale**2)


def _truncnorm(shapes: tuple[float, ...], loc: float, scale: float) -> NoiseFacts:
    low, high = shapes
    centred = low == -high
    left, right = (_square(scale) if math.isinf(end) else ENDS for end in (low, high))
    return NoiseFacts(loc, True, centred, left, right)


def _uniform(shapes: tuple[float, ...], loc: float, scale: float) -> NoiseFacts:
    return NoiseFacts(loc + scale / 2, True, True, ENDS, ENDS)


_RULES: dict[str, Rule] = {
    "norm": _symmetric(lambda s, scale: _square(scale), True),
    "laplace": _symmetric(lambda s, scale: _exponential(scale), True),
    "logistic": _symmetric(lambda s, scale: _exponential(scale), True),
    "hypsecant": _symmetric(lambda s, scale: _exponential(scale), True),
    "gennorm": _symmetric(lambda s, scale: Tail(s[0], scale ** -s[0]), lambda beta: beta >= 1),
    "cauchy": _symmetric(lambda s, scale: Tail(0.0, 2.0), False),
    "t": _symmetric(lambda s, scale: Tail(0.0, s[0] + 1), False),
    "semicircular": _symmetric(lambda s, scale: ENDS, True),
    "cosine": _symmetric(lambda s, scale: ENDS, True),
    "uniform": _uniform,
    "truncnorm": _truncnorm,
    "expon": _concave(_ends, _exponential),
    "gumbel_r": _concave(_steep, _exponential),
    "gumbel_l": _concave(_exponential, _steep),
    "laplace_asymmetric": _concave(lambda scale, k: Tail(1.0, 1 / (k * scale)), lambda scale, k: Tail(1.0, k / scale)),
    "skewnorm": _concave(
        lambda scale, a: Tail(2.0, (1 + max(a, 0.0) ** 2) / (2 * scale**2)),
        lambda scale, a: Tail(2.0, (1 + min(a, 0.0) ** 2) / (2 * scale**2)),
    ),
    "exponnorm": _concave(_square, lambda scale, k: Tail(1.0, 1 / (k * scale))),
    "gamma": _concave(_ends, _exponential, lambda a: a >= 1),
    "halfnorm": _concave(_ends, _square),
    "rayleigh": _concave(_ends, _square),
    "weibull_min": _concave(_ends, lambda scale, c: Tail(c, scale**-c), lambda c: c >= 1),
    "beta": _concave(_ends, _ends, lambda a, b: a >= 1 and b >= 1),
    "triang": _concave(_ends, _ends),
}


def loss_supremum_is_finite(p: NoiseFacts, q: NoiseFacts) -> bool | None:
    """Whether log q/p stays bounded above, from the two laws' tails; a bounded support is not judged here.

    ``None`` where the leading terms agree and the next ones would decide.
    """
    verdicts = [
        _tail_bounded(p.left, q.left, p.loc - q.loc),
        _tail_bounded(p.right, q.right, q.loc - p.loc),
    ]
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _tail_bounded(p: Tail, q: Tail, outward: float) -> bool | None:
    """One tail; ``outward``: how far q lies further out than p on this side."""
    if q.bounded:
        return True
    if p.bounded:
        return None  # q has mass where p has none: not a matter of tails
    if p.power != q.power:
        return q.power > p.power
    if math.isinf(p.power):
        return outward <= 0
    if not math.isclose(p.coefficient, q.coefficient, rel_tol=1e-12):
        return q.coefficient > p.coefficient
    return not (p.power > 1 and outward > 0)
