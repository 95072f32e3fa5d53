"""Epsilon at a delta by three routes: the profile, and two conversions of Rényi bounds (Kaissis et al., §5)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.decide.calibration.unreachable import made
from dplens.decide.plain import Plain
from dplens.estimate import Estimate
from dplens.mechanisms.base import as_curve
from dplens.mechanisms.guarantees import GaussianDP
from dplens.risk.conversions import Epsilon

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
class Route:
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
    by_order = {
        convert: tuple(convert(a, known[a], d) for a in given) for convert in (standard_epsilon, improved_epsilon)
    }
    best = {convert: _best(curve, convert, d, known, float(profile)) for convert in by_order}  # sharing divergences
    return RenyiRoutes(
        delta=d,
        profile=profile,
        standard=best[standard_epsilon],
        improved=best[improved_epsilon],
        orders=tuple(given),
        standard_by_order=by_order[standard_epsilon],
        improved_by_order=by_order[improved_epsilon],
    )


def _best(
    curve: TradeOff, convert: Callable[..., float], delta: float, tried: dict[float, float], profile: float
) -> Route:
    """The order with the smallest epsilon. Every order gives a valid bound, so stopping early is sound.

    The search extends the orders already ``tried``, since divergences of large orders are expensive.
    """

    def epsilon(a: float) -> float:
        if a not in tried:
            tried[a] = curve.renyi_bounds(a).hi
        return convert(a, tried[a], delta)

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
class ConversionCurves(Plain):
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
