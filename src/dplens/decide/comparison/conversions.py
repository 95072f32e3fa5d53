"""One release expressed in every notion of privacy."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import LEAST, TradeOff
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.guarantees.renyi import RenyiCurve
from dplens.decide.calibration.unreachable import made
from dplens.decide.plain import Plain
from dplens.estimate import Estimate
from dplens.mechanisms.additive import DiscreteGaussian
from dplens.mechanisms.base import as_curve
from dplens.mechanisms.composed import Composed
from dplens.mechanisms.guarantees import GaussianDP
from dplens.numerics.sharing import remembered
from dplens.registry import Result, Tabular
from dplens.risk.conversions import Delta, Epsilon, Mu, Renyi
from dplens.risk.disclosure import FailureMode, failure_mode
from dplens.risk.rates import AUC, Advantage, AttackPower

ORDERS = tuple(float(1 + x) for x in np.concatenate([np.arange(0.1, 1, 0.1), np.arange(1, 64)]))  # up to Kaissis' 64


def standard_epsilon(order: float, divergence: float, delta: float) -> float:
    """The epsilon at ``delta`` of a Rényi ``divergence`` of that ``order``, after Mironov 2017, Proposition 3.

    divergence + log(1/delta)/(order − 1) (Kaissis et al., Equation 29).

    >>> round(standard_epsilon(2.0, 1.0, 1e-5), 6)
    12.512925
    """
    a, d, x = _conversion(order, divergence, delta)
    return max(x - math.log(d) / (a - 1), 0.0)


def improved_epsilon(order: float, divergence: float, delta: float) -> float:
    """The epsilon at ``delta`` of a Rényi ``divergence`` of that ``order``, after Balle et al. 2020, Theorem 21.

    divergence + log((order − 1)/order) − (log(delta) + log(order))/(order − 1) (Kaissis et al., Equation 30).

    >>> round(improved_epsilon(2.0, 1.0, 1e-5), 6)
    11.126631
    """
    a, d, x = _conversion(order, divergence, delta)
    return max(x + math.log1p(-1 / a) - (math.log(d) + math.log(a)) / (a - 1), 0.0)


def _conversion(order: float, divergence: float, delta: float) -> tuple[float, float, float]:
    a = _validate.real("order", order, "> 1 and finite", lambda x: 1 < x < math.inf)
    d = _validate.open_probability("delta", delta, "Rényi conversions need delta > 0; ask the profile at 0.")
    return a, d, _validate.at_least_zero("divergence", divergence)


@dataclass(frozen=True, kw_only=True)
class Route(Result):
    """One conversion at its best order: its epsilon and the loss compared with the profile."""

    order: float
    epsilon: float
    loss: float


@dataclass(frozen=True, kw_only=True)
class RenyiRoutes(Plain):
    """Three ways to an epsilon at ``delta``: exactly from the profile, and through Rényi divergences.

    profile: the lossless answer. standard, improved: each conversion at its best order. standard_by_order and
    improved_by_order: the same at each of ``orders``.
    """

    delta: float
    profile: Estimate
    standard: Route
    improved: Route
    orders: tuple[float, ...]
    standard_by_order: tuple[float, ...]
    improved_by_order: tuple[float, ...]


def renyi_routes(mechanism: Any, *, delta: float = 1e-5, orders: Sequence[float] = ORDERS) -> RenyiRoutes:
    """The epsilon of a mechanism at ``delta`` by its profile and by two Rényi conversions (Kaissis et al., §5).

    >>> import dplens as dl
    >>> routes = dl.renyi_routes(dl.GaussianDP(mu=1.0), delta=1e-5)
    >>> print(f"{routes.profile:.4f} {routes.improved.epsilon:.4f} {routes.standard.epsilon:.4f}")
    4.3772 4.7284 5.2985
    >>> print(f"{routes.improved.order:.2f} {routes.improved.loss:.4f}")
    5.43 0.3512
    """
    curve = as_curve(mechanism)
    d = _validate.open_probability("delta", delta, "Rényi conversions need delta > 0; ask the profile at 0.")
    given = _validate.several("orders", orders, "> 1 and finite", math.nextafter(1.0, 2.0), 1e300)
    known = {a: curve.renyi_bounds(a).hi for a in given}
    profile = Epsilon(delta=d).of(curve)
    return RenyiRoutes(
        delta=d,
        profile=profile,
        standard_by_order=tuple(standard_epsilon(a, known[a], d) for a in given),
        improved_by_order=tuple(improved_epsilon(a, known[a], d) for a in given),
        standard=_best(curve, standard_epsilon, d, known, float(profile)),  # both share divergences
        improved=_best(curve, improved_epsilon, d, known, float(profile)),
        orders=tuple(given),
    )


def _best(
    curve: TradeOff, convert: Callable[..., float], delta: float, tried: dict[float, float], profile: float
) -> Route:
    """The order with the smallest epsilon. Every order gives a valid bound, so stopping early is sound.

    The search extends the orders already ``tried``, since divergences of large orders are expensive.
    """

    def epsilon(a: float) -> float:
        return convert(a, remembered(tried, a, lambda: curve.renyi_bounds(a).hi), delta)

    def level(worst: float, best: float) -> bool:
        return worst - best <= max(1e-10 * (best - profile), 1e-13 * best)  # of the loss, or of rounding

    orders = sorted(tried)
    while True:
        at = min(range(len(orders)), key=lambda k: epsilon(orders[k]))
        if at == 0 and orders[0] - 1 > 1e-13:
            orders.insert(0, 1 + (orders[0] - 1) * math.exp(-2))
        elif at == len(orders) - 1 and orders[-1] < 1e26:
            if level(epsilon(orders[at - 1]), epsilon(orders[at])):  # converging to the pure epsilon
                break
            orders.append(1 + (orders[-1] - 1) * math.exp(2))
        else:
            break
    low, high = orders[max(at - 1, 0)], orders[min(at + 1, len(orders) - 1)]
    if not level(max(epsilon(low), epsilon(high)), epsilon(orders[at])):
        from scipy.optimize import fminbound

        ends = math.log(low - 1), math.log(high - 1)
        fminbound(lambda x: min(epsilon(1 + math.exp(x)), 1e100), *ends, xtol=1e-5, maxfun=40)
    order = min(tried, key=lambda o: convert(o, tried[o], delta))
    best = convert(order, tried[order], delta)
    return Route(order=order, epsilon=best, loss=0.0 if best == profile else best - profile)


@dataclass(frozen=True, kw_only=True)
class ConversionCurves(Tabular, Plain):
    """Epsilon as a function of a family's parameter by each route, the Rényi ones at one ``order``."""

    delta: float
    order: float
    values: tuple[float, ...]
    profile: tuple[Estimate, ...]
    standard: tuple[float, ...]
    improved: tuple[float, ...]


def conversion_curves(
    values: Sequence[float],
    *,
    order: float,
    delta: float = 1e-5,
    family: Callable[[float], Any] = lambda mu: GaussianDP(mu=mu),
) -> ConversionCurves:
    """Epsilon at ``delta`` over many parameters, by the profile and by two Rényi conversions at one ``order``.

    Kaissis et al., Figure 6: the family is the Gaussian mechanism by its mu (their psi), with order 2 for large mu
    and order 6 for small ones.

    >>> import dplens as dl
    >>> figure = dl.conversion_curves([1.0, 5.0], order=2.0)
    >>> [round(float(e), 3) for e in figure.profile], [round(e, 3) for e in figure.improved]
    ([4.377, 33.104], [11.127, 35.127])
    """
    places = _validate.several("values", values, "to be finite", -1e308, 1e308)
    curves = [made(family, x) for x in places]
    a = _validate.real("order", order, "> 1 and finite", lambda x: 1 < x < math.inf)
    divergences = [curve.renyi_bounds(a).hi for curve in curves]
    d = _validate.open_probability("delta", delta)
    return ConversionCurves(
        delta=d,
        order=a,
        values=tuple(places),
        profile=tuple(Epsilon(delta=d).of(curve) for curve in curves),
        standard=tuple(standard_epsilon(a, x, d) for x in divergences),
        improved=tuple(improved_epsilon(a, x, d) for x in divergences),
    )


_EPSILONS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 8.0, 10.0)
_FPRS = (0.0, 1e-6, 1e-4, 1e-3, 0.01, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)
_ORDERS = (1.0, 1.5, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)


@dataclass(frozen=True, kw_only=True)
class Conversions(Plain):
    """A release in all notions of privacy; every number is an estimate at its safe end.

    epsilon: at ``delta``; pure_epsilon: at delta 0. profile: pairs (epsilon, delta), lossless. roc: pairs
    (false-positive rate, power), lossless. mu: the smallest Gaussian-DP parameter, lossy by mu_looseness (0: lossless).
    renyi: pairs (order, divergence). zcdp: the smallest rho, in a certified bracket. auc and advantage: one-number
    summaries. routes: epsilon at ``delta`` by way of Rényi, and the loss (None at delta 0).
    """

    delta: float
    epsilon: Estimate
    pure_epsilon: Estimate
    profile: tuple[tuple[float, Estimate], ...]
    roc: tuple[tuple[float, Estimate], ...]
    mu: Estimate
    mu_looseness: float
    renyi: tuple[tuple[float, Estimate], ...]
    zcdp: Estimate
    auc: Estimate
    advantage: Estimate
    failure: FailureMode
    routes: RenyiRoutes | None


def conversions(
    mechanism: Any,
    *,
    delta: float = 1e-5,
    epsilons: Sequence[float] = _EPSILONS,
    fprs: Sequence[float] = _FPRS,
    orders: Sequence[float] = _ORDERS,
) -> Conversions:
    """The guarantee of a release in every notion of privacy, and what each notion loses.

    The profile delta(epsilon) and the ROC curve 1 − f(fpr) are lossless (Dong, Roth & Su 2022, Propositions 2.11
    and 2.12); mu, rho and a single Rényi divergence are bounds.

    >>> import dplens as dl
    >>> c = dl.conversions(dl.Laplace(scale=1.0), delta=1e-5)
    >>> print(f"{c.epsilon:.6f} {c.pure_epsilon:g} {c.mu:.4f} {c.mu_looseness:.4f} {c.zcdp:.4f} {c.advantage:.4f}")
    0.999980 1 1.0301 0.0370 0.3679 0.3935
    """
    curve = as_curve(mechanism)
    d = _validate.real("delta", delta, "in [0, 1)", lambda x: 0 <= x < 1)
    at_epsilons = np.ravel(_validate.floats("epsilons", epsilons, ">= 0", 0.0, math.inf)).tolist()
    at_fprs = np.ravel(_validate.floats("fprs", fprs, "in [0, 1]", 0.0, 1.0)).tolist()
    at_orders = np.ravel(_validate.floats("orders", orders, ">= 1", 1.0, math.inf)).tolist()
    mu = Mu().of(curve)
    return Conversions(
        delta=d,
        epsilon=Epsilon(delta=d).of(curve),
        pure_epsilon=Epsilon().of(curve),
        profile=tuple((e, Delta(epsilon=e).of(curve)) for e in at_epsilons),
        roc=tuple((a, AttackPower(fpr=a).of(curve)) for a in at_fprs),
        mu=mu,
        mu_looseness=curve.mu_looseness() if math.isfinite(mu) else math.inf,
        renyi=tuple((a, Renyi(order=a).of(curve)) for a in at_orders),
        zcdp=zero_concentration(curve, known=_known_rho(mechanism)),
        auc=AUC().of(curve),
        advantage=Advantage().of(curve),
        failure=failure_mode(curve),
        routes=renyi_routes(curve, delta=d) if d > 0 else None,
    )


def _known_rho(mechanism: Any) -> float:
    """A rho proven for the mechanism: discrete Gaussian noise is no worse than continuous noise.

    Canonne, Kamath & Steinke 2020, Proposition 5. The rhos of several releases add up (Bun & Steinke 2016, Lemma 1.7),
    which matters only if losses are unbounded and nothing else bounds the largest orders.
    """
    if isinstance(mechanism, DiscreteGaussian):
        ratio = mechanism.sensitivity / mechanism.sigma
        return max(ratio * ratio / 2 * (1 + 2e-15), LEAST)
    if isinstance(mechanism, Composed) and math.isinf(Epsilon().of(mechanism)):
        rhos = [count * zero_concentration(as_curve(m), known=_known_rho(m)).high for m, count in mechanism._parts()]
        return math.fsum(rhos) * (1 + 1e-15)
    return math.inf


def zero_concentration(curve: TradeOff, evaluations: int = 60, known: float = math.inf) -> Estimate:
    """The smallest rho with D_a ≤ rho·a for every order a > 1 (Bun & Steinke 2016), in a certified bracket.

    Lower end: the largest D_a/a evaluated. Upper end: (a − 1)·D_a is convex in a (van Erven & Harremoës 2014, Corollary
    2), so it lies under its chord between two orders; beyond the last order D_a is at most the pure epsilon; and rho is
    at most mu²/2, since divergences grow as curves fall, and half the squared pure epsilon (Bun & Steinke 2016,
    Proposition 1.4). The interval with the highest bound is halved until both ends agree.
    """
    mu, pure = Mu().of(curve), float(Epsilon().of(curve))
    ceiling = min(_half_square(float(mu)), _half_square(pure), known)
    if isinstance(curve, GaussianCurve):
        low = min(mu.low * mu.low / 2 * (1 - 4e-16), ceiling)  # a known bound may lie below
        return Estimate(ceiling, low=low, high=ceiling, certificate=lambda: curve.certificate)
    if isinstance(curve, RenyiCurve) and curve.rho is not None:
        return Estimate(curve.rho, low=curve.rho, high=curve.rho, certificate=lambda: curve.certificate)
    seen = {a: Renyi(order=a).of(curve) for a in (1.0, 1.5, 2.0, 4.0, 16.0, 256.0)}
    while True:
        orders = sorted(seen)
        low = max(seen[a].low / a for a in orders)
        tops = {pair: _chord_top(*pair, seen[pair[0]].high, seen[pair[1]].high) for pair in itertools.pairwise(orders)}
        tail = pure / orders[-1] if math.isfinite(pure) else math.inf
        worst = max(tops, key=lambda pair: tops[pair])
        high = min(max(tail, tops[worst]), ceiling)
        between = (worst[0] + worst[1]) / 2 if worst[1] < 4 else math.sqrt(worst[0] * worst[1])
        beyond = tail >= tops[worst] and math.isfinite(pure) and orders[-1] < 1e9
        new = orders[-1] * 16 if beyond else between
        close = not high > low * (1 + 1e-6)
        if close or new in seen or len(seen) >= evaluations or math.isinf(seen[orders[-1]].high):
            return Estimate(high, low=min(low, high), high=high, certificate=lambda: curve.certificate)
        seen[new] = Renyi(order=new).of(curve)


def _half_square(x: float) -> float:
    """x²/2, rounded up."""
    return max(x * x / 2 * (1 + 4e-16), LEAST) if x > 0 else 0.0


def _chord_top(a: float, b: float, at_a: float, at_b: float) -> float:
    """max over orders x in [a, b] of the chord of (x − 1)·D_x, divided by x(x − 1)."""
    if a == 1:
        return at_b  # D grows with the order, and x ≥ 1
    first, last = (a - 1) * at_a, (b - 1) * at_b
    slope = (last - first) / (b - a)
    if math.isinf(slope) or math.isnan(slope):
        return math.inf

    def bound(x: float) -> float:
        return (first + slope * (x - a)) / (x * (x - 1))

    # a line over a parabola; its stationary points solve slope·x² + 2·c·x − c = 0 with c = first − slope·a
    c = first - slope * a
    root = math.sqrt(max(c * c + slope * c, 0.0))
    bends = [x for x in ((-c + root) / slope, (-c - root) / slope) if a < x < b] if slope else []
    return max(map(bound, (a, b, *bends))) * (1 + 1e-14)
