"""The table of composition routes: which steps each one accepts, what it costs and how narrow its brackets are.

Steps are normalised first. Of the routes that accept them, the cheapest that promises a relative width of 1e-9 is used
if it needs no more than 10 ms. Otherwise the cheapest that promises 1e-6 is used, where routes that promise 1e-9 may
take four times as long. If there is none, the narrowest is used. Cost and width are forecasts: a route that turns out
not to work returns None, and the next one is tried. A route can be forced by name, so that routes can be compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from dplens import _validate
from dplens.composition.contour.curve import ContourCurve
from dplens.composition.finite import enumerated, lattice_sum, most_sums, on_lattice
from dplens.composition.grid.connect_the_dots import USUAL_WIDTH, connected
from dplens.composition.grid.groups import with_fast_profile
from dplens.composition.spline.steps import splined
from dplens.composition.steps import Steps
from dplens.curves.base import TradeOff
from dplens.curves.closed.bounded import LaplaceCurve, LogisticCurve
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.derived.groups import FailingCurve
from dplens.curves.derived.sampled import SampledCurve
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.errors import Undefined
from dplens.losses.atoms import atoms_of
from dplens.losses.base import GaussianLoss
from dplens.losses.total import Composition
from dplens.numerics.sharing import remembered

TOLERANCE = 1e-9  # relative width that is wanted from a route that is fast
ENOUGH = 1e-6  # relative width required of any other route
MOMENT = 0.01  # seconds; a route that takes no longer is fast

_LARGEST_LOSS = 1e100  # squares of larger losses or Gaussian shifts overflow in a sum
_MANY_STEPS = 64  # up to here a spline is as fast as a contour


@dataclass(frozen=True)
class CompositionRoute:
    """One way to compose steps.

    ``accepts`` is a quick check. ``curve`` returns None if it finds out later that it cannot compose the steps.
    ``cost`` is the expected time of a first answer in seconds, and ``width`` the expected relative width of a bracket.
    """

    name: str
    accepts: Callable[[Steps], bool]
    curve: Callable[[Steps], TradeOff | None]
    cost: Callable[[Steps], float]
    width: Callable[[Steps], float] = lambda _: 1e-12


# ---- closed: no steps, one step, Gaussian steps alone, or a step that reveals everything ----------------------


def _is_closed(steps: Steps) -> bool:
    return not steps.terms or _is_single(steps) or any(_reveals_all(curve) for curve, _ in steps.terms)


def _is_single(steps: Steps) -> bool:
    return len(steps.terms) == 1 and steps.terms[0][1] == 1


def _reveals_all(curve: TradeOff) -> bool:
    """Whether a step shows which hypothesis holds, to within rounding."""
    atoms = atoms_of(curve)
    if atoms is not None:
        return not len(atoms.loss) or max(atoms.infinity_masses) >= 1
    return max(curve._power_at_zero(), curve.inverse()._power_at_zero()) >= 1


def _closed(steps: Steps) -> TradeOff:
    if not steps.terms:
        return PiecewiseCurve(np.ones(1), np.ones(1), np.zeros(1))
    if _is_single(steps):
        return steps.terms[0][0]
    masses = np.array([0.0, 1.0])
    return PiecewiseCurve(masses, masses[::-1].copy(), np.array([math.inf, -math.inf]), 0.0, 2e-15)


# ---- finitely many losses --------------------------------------------------------------------------------------


def _enumeration_cost(steps: Steps) -> float:
    sums, total = most_sums(steps.enumerable or (), steps.terms), lattice_sum(steps)
    return 1e-4 + 1.6e-6 * (sums if total is None else min(sums, sum(total.cells)))


def _lattice_cost(steps: Steps) -> float:
    total = lattice_sum(steps)
    return 2e-3 + 1e-6 * sum(total.cells) if total is not None else math.inf


# ---- spline: few steps with atoms and level densities (Laplace, bounded range) ---------------------------------


def _accepts_spline(steps: Steps) -> bool:
    return _accepts_contour(steps) and any(isinstance(c, (LaplaceCurve, LogisticCurve)) for c, _ in steps.bases)


def _spline(steps: Steps) -> TradeOff | None:
    return splined(steps.terms, steps.composition) if steps.composition is not None else None


# ---- contour: steps with a known cgf ----------------------------------------------------------------------------


def _accepts_contour(steps: Steps) -> bool:
    return steps.composition is not None and not steps.is_atomic


def _contour(steps: Steps) -> ContourCurve | None:
    parts = steps.composition
    if parts is None:
        return None
    return remembered(vars(steps), "_contour", lambda: ContourCurve(parts, steps.terms, _without_contour))


def _without_contour(terms: Iterable[tuple[TradeOff, int]]) -> TradeOff:
    """The curve for losses at which the characteristic function does not decay."""
    steps = Steps(tuple(terms))
    return _first_that_composes(ranked(steps, [route for route in ROUTES if route.name != "contour"]), steps)


def _contour_width(steps: Steps) -> float:
    return 1e-10 if remembered(vars(steps), "_lines_end", lambda: _lines_end(steps)) else 1e-5


def _lines_end(steps: Steps) -> bool:
    """Whether the characteristic function decays without the help of a small Gaussian loss.

    If a little Gaussian loss changed the route, more noise could seem to cost more privacy.
    """
    if _decays(steps) or any(samples_gaussian(curve) for curve, _ in steps.terms):  # no need to try a line
        return True
    # with so few Laplace steps, perhaps beside steps with atoms only, it does not decay: do not try a line. At 15.5 the
    # atoms of the Laplace steps still hold a mass of e^-15.5 = 2e-7, below which |phi| does not fall
    if _laplace_decay(steps) < 15.5 and all(isinstance(c, LaplaceCurve) or atoms_of(c) for c, _ in steps.bases):
        return False
    parts, curve = steps.composition, _contour(steps)
    # a Gaussian loss of at most 2 % of the spread counts as small
    if parts is not None and curve is not None and 0 < parts.gaussian <= 0.02 * curve.spread:
        curve = ContourCurve(Composition(tuple(x for x in parts.terms if not isinstance(x.law, GaussianLoss))))
    return curve is not None and not curve.lacks_line(np.zeros(1))[0]


def _decays(steps: Steps) -> bool:
    """Whether the characteristic function of many steps decays, by a quick check."""
    if steps.count <= _MANY_STEPS:
        return False
    many_logistic = any(isinstance(curve, LogisticCurve) and count > _MANY_STEPS for curve, count in steps.bases)
    return many_logistic or _laplace_decay(steps) > 31.0  # the atoms hold less than e^-31 = 3e-14


def _laplace_decay(steps: Steps) -> float:
    """−log |phi| of the Laplace steps at infinity: the mass of the atoms is 1/(1 + epsilon/2)."""
    return sum(n * math.log1p(curve.epsilon0 / 2) for curve, n in steps.bases if isinstance(curve, LaplaceCurve))


# ---- grid: any steps --------------------------------------------------------------------------------------------


def _grid(steps: Steps, tolerance: float = USUAL_WIDTH) -> TradeOff:
    found = connected([(with_fast_profile(curve), count) for curve, count in steps.terms], tolerance)
    return replace(found, steps=tuple(steps.terms), finer=partial(_finer_grid, steps))


def _finer_grid(steps: Steps, tolerance: float) -> TradeOff:
    # widths hold at moderate deltas and are up to 16 times larger elsewhere
    return _grid(steps, min(tolerance / 16, USUAL_WIDTH))


def _grid_width(steps: Steps) -> float:
    if any(samples_gaussian(curve) for curve, _ in steps.terms):  # rare large losses among many tiny ones
        return 1e-2
    return max(ENOUGH, 1e-8 * steps.count)


CLOSED = CompositionRoute("closed", _is_closed, _closed, lambda _: 0.0, lambda _: 0.0)
ROUTES = (
    CLOSED,
    CompositionRoute("enumeration", lambda steps: steps.enumerable is not None, enumerated, _enumeration_cost),
    CompositionRoute("lattice", lambda steps: lattice_sum(steps) is not None, on_lattice, _lattice_cost),
    # where a spline has many pieces, contours that end are faster
    CompositionRoute("spline", _accepts_spline, _spline, lambda steps: 1.0 if _decays(steps) else 2e-3),
    CompositionRoute(
        "contour", _accepts_contour, _contour, lambda steps: 5e-3 + 1e-5 * len(steps.terms), _contour_width
    ),
    CompositionRoute(
        "grid", lambda steps: bool(steps.terms), _grid, lambda steps: 0.02 + 2e-3 * len(steps.terms), _grid_width
    ),
)
NAMES = tuple(route.name for route in ROUTES)


def composed(steps: Iterable[tuple[TradeOff, int]], route: str | None = None) -> TradeOff:
    """T(P1 × P2 × …, Q1 × Q2 × …) from the T(Pi, Qi), each with its count.

    route: the name of a route to use regardless of its cost.
    """
    terms = Steps.of(steps)
    if not _is_single(terms):
        for curve, count in terms.terms:
            _reject_extreme(curve, count)
    return _forced(terms, route) if route is not None else _first_that_composes(ranked(terms), terms)


def _reject_extreme(whole: TradeOff, count: int) -> None:
    """Refuse steps with losses so large or so small that their squares overflow or underflow."""
    curve = whole.base if isinstance(whole, FailingCurve) else whole
    if isinstance(curve, GaussianCurve):
        if curve.shift > _LARGEST_LOSS:
            raise Undefined(
                "A Gaussian release with almost no noise reveals everything, and is not composed with others. "
                "Leave the others out, or check its noise and its sensitivity."
            )
        return
    rarest, smallest = 1e-15, 1e-140
    base = curve.base if isinstance(curve, SampledCurve) else curve
    if isinstance(curve, SampledCurve) and isinstance(base, GaussianCurve) and curve.rate < rarest:
        raise Undefined(
            f"Samples at rates below {rarest:g} reveal less than sums of floats resolve, and are not composed with "
            "others. Leave them out, or treat each as ApproximateDP(epsilon=0, delta=rate), which is no less risky."
        )
    # a sum of losses, or the distance between two, may overflow; beside a failure, so may e^loss
    largest, most = _typical_loss(curve, base), 1e307 / count
    if isinstance(base, LatticeCurve):
        most = _LARGEST_LOSS
    if (most if curve is whole else 700.0) < largest < math.inf:
        raise Undefined(
            f"Steps whose losses reach {largest:.3g} hide almost nothing, and are not composed with others. Treat "
            "such a release as one of the data themselves, or check its noise and its sensitivity."
        )
    if 0 < largest < smallest:
        raise Undefined(
            f"A release whose losses stay below {smallest:g} reveals less than sums of floats resolve, and is not "
            "composed with others. Leave it out, or check its noise and its sensitivity."
        )


def _typical_loss(curve: TradeOff, base: TradeOff) -> float:
    """The largest loss or, if losses are unbounded, that of a typical output; ``base``: what is sampled."""
    if isinstance(base, GaussianCurve):
        return base.shift
    least, largest = curve._max_loss()
    if (mirror := curve.inverse()) is not curve:
        least, largest = map(max, zip((least, largest), mirror._max_loss()))
    if not math.isinf(largest):
        return largest
    if isinstance(base, LatticeCurve) and math.isinf(least):
        with np.errstate(over="ignore"):
            typical = float(np.abs(base.noise.log_ratio(np.zeros(1), base.shift))[0])
        return min(typical, _LARGEST_LOSS * 2)
    return least  # perhaps infinite by rounding alone


def ranked(steps: Steps, among: Sequence[CompositionRoute] | None = None) -> Iterator[CompositionRoute]:
    """The routes that accept the steps, best first."""
    if CLOSED.accepts(steps):
        yield CLOSED
        return
    accepting = [route for route in among or ROUTES[1:] if route.accepts(steps)]
    accepting.sort(key=lambda route: route.cost(steps))
    # forecasting a width can take longer than an answer, so do not forecast more widths than necessary
    first = next((route for route in accepting if _rank(route, steps)[0] == 0), None)
    if first is not None:
        yield first
    yield from sorted((x for x in accepting if x is not first), key=lambda route: _rank(route, steps))


def _rank(route: CompositionRoute, steps: Steps) -> tuple[int, float]:
    cost, width = route.cost(steps), route.width(steps)
    if width <= TOLERANCE:  # where that takes longer, up to four times the cost of a wide route, for the far tails
        return (0, cost) if cost <= MOMENT else (1, cost / 4)
    return (1, cost) if width <= ENOUGH else (2, width)


def _first_that_composes(routes: Iterable[CompositionRoute], steps: Steps) -> TradeOff:
    failed: list[str] = []
    for route in routes:
        curve = route.curve(steps)
        if curve is not None:
            if route is not CLOSED:
                vars(curve)["_why"] = _reason(route, steps, failed)
            return curve
        failed.append(route.name)
    raise Undefined("No route composes these steps. Check their noise and their sensitivities.")


def _reason(route: CompositionRoute, steps: Steps, failed: list[str]) -> str:
    """The reason for choosing a route, in one sentence."""
    promise = (f"cheapest route within {TOLERANCE:g}", f"cheapest route within {ENOUGH:g}", "closest route there is")
    found = promise[_rank(route, steps)[0]]
    return f"{found}; {', '.join(failed)} could not compose these steps" if failed else found


def _forced(steps: Steps, name: str) -> TradeOff:
    route = next(route for route in ROUTES if route.name == _validate.one_of("route", name, NAMES))
    curve = _by(route, steps) if route.accepts(steps) else None
    if curve is None:
        others = ", ".join(repr(o.name) for o in ranked(steps) if o is not route and _by(o, steps) is not None)
        remedy = f"Use {others + ' or ' if others else ''}None, which chooses the best one."
        raise _validate.reject("route", "to be a route that can compose these releases", name, remedy)
    if route is not CLOSED:
        vars(curve)["_why"] = "as asked"
    return curve


def _by(route: CompositionRoute, steps: Steps) -> TradeOff | None:
    """The curve by this route and no other; a contour without a line is a curve by its fallback."""
    curve = route.curve(steps)
    return None if isinstance(curve, ContourCurve) and curve.lacks_line(np.zeros(1))[0] else curve


def samples_gaussian(curve: TradeOff) -> bool:
    """Whether this is one step of DP-SGD, in either direction."""
    return isinstance(curve, SampledCurve) and isinstance(curve.base, GaussianCurve)
