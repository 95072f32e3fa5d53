"""The table of routes: each way to compose, what it takes, what it costs and how close it comes.

Steps are normalised first. Of the routes that accept them, the cheapest that promises a relative width of 1e-9 is taken
if it takes no more than a moment; then the cheapest that promises 1e-6, where closer ones may take four times as long;
where none does, the closest. A promise is a forecast: a route that finds out on the way that it cannot serve hands
over to the next. A route may be forced by its name, which lets one check another.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

import numpy as np

from dplens import _validate
from dplens.composition.contour.curve import ContourCurve
from dplens.composition.finite import OnLattice, enumerated, most_sums
from dplens.composition.grid.connect_the_dots import USUAL_WIDTH, connected
from dplens.composition.grid.groups import tabled
from dplens.composition.spline.steps import splined
from dplens.composition.steps import Steps
from dplens.curves.base import TradeOff
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.closed.laplace import LaplaceCurve
from dplens.curves.closed.logistic import LogisticCurve
from dplens.curves.derived.groups import FailingCurve
from dplens.curves.derived.sampled import SampledCurve
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve
from dplens.errors import Undefined
from dplens.losses.atoms import atoms_of
from dplens.losses.base import GaussianLoss
from dplens.losses.total import Composition
from dplens.numerics.sharing import remembered

TOLERANCE = 1e-9  # relative width of a bracket, where that takes no more than ...
MOMENT = 0.01  # ... seconds
ENOUGH = 1e-6  # otherwise: close enough for anyone

_LARGEST_SHIFT = 1e100  # squares of a larger Gaussian shift, with all that comes on top, are no floats
_LARGEST_LOSS = 1e100  # squares of larger losses, with all that comes on top, are no floats either
_LARGEST_SUM = 1e307  # of the losses of equal steps: a larger one, or the distance between two, may be no float
_LARGEST_BESIDE_FAILURE = 700.0  # e to a larger loss is no float, and only failures would be counted
_RAREST = 1e-15  # rate of samples that are told from none
_SMALLEST_LOSS = 1e-140  # and squares of smaller losses vanish
_SPLINE_STEPS = 64  # steps up to which a spline takes no longer than lines
_LITTLE = 0.02  # Gaussian loss, of a standard deviation of all: lines over so little are long
_ELSEWHERE = 16.0  # times the width that is meant: about the largest elsewhere
_WORTH = 4.0  # times the cost of a wider route that a close one may have
_DECAYED, _STAYING = 31.0, 15.5  # −log of a characteristic function that is next to nothing, or clearly something


class Route(Protocol):
    """One way to compose."""

    name: str

    def accepts(self, steps: Steps) -> bool:
        """Whether it can serve, as far as can be told quickly."""
        ...

    def cost(self, steps: Steps) -> float:
        """Expected seconds for a first answer."""
        ...

    def width(self, steps: Steps) -> float:
        """Expected relative width of a bracket."""
        ...

    def curve(self, steps: Steps) -> TradeOff | None:
        """The curve; None if on the way it turned out that it cannot serve."""
        ...


class Closed:
    """Nothing to compose: no steps, one step, Gaussian steps alone, or a step that reveals everything."""

    name = "closed"

    def accepts(self, steps: Steps) -> bool:
        return not steps.terms or _is_single(steps) or _reveals_all(steps)

    def cost(self, steps: Steps) -> float:
        return 0.0

    def width(self, steps: Steps) -> float:
        return 0.0

    def curve(self, steps: Steps) -> TradeOff | None:
        if not steps.terms:
            return PiecewiseCurve(np.ones(1), np.ones(1), np.zeros(1))
        if _is_single(steps):
            return steps.terms[0][0]
        masses = np.array([0.0, 1.0])
        return PiecewiseCurve(masses, masses[::-1].copy(), np.array([math.inf, -math.inf]), 0.0, 2e-15)


class Enumeration:
    """Finitely many losses, listed one by one."""

    name = "enumeration"

    def accepts(self, steps: Steps) -> bool:
        return steps.enumerable is not None

    def cost(self, steps: Steps) -> float:
        atoms, lattice = steps.enumerable, OnLattice.of(steps)
        if atoms is None:
            return math.inf
        sums = most_sums(atoms, steps.terms)
        return 1e-4 + 1.6e-6 * (sums if lattice is None else min(sums, lattice.size))

    def width(self, steps: Steps) -> float:
        return 1e-12

    def curve(self, steps: Steps) -> TradeOff | None:
        return enumerated(steps.terms, steps.enumerable) if steps.enumerable is not None else None


class Lattice:
    """Finitely many losses that lie on one lattice: a tilted Fourier transform."""

    name = "lattice"

    def accepts(self, steps: Steps) -> bool:
        return steps.atoms is not None and OnLattice.of(steps) is not None

    def cost(self, steps: Steps) -> float:
        found = OnLattice.of(steps)
        return 2e-3 + 1e-6 * found.size if found is not None else math.inf

    def width(self, steps: Steps) -> float:
        return 1e-12

    def curve(self, steps: Steps) -> TradeOff | None:
        found = OnLattice.of(steps)
        return found.curve(steps.terms) if found is not None else None


class Spline:
    """Few steps with atoms and level densities (Laplace, bounded range): piecewise polynomials."""

    name = "spline"

    def accepts(self, steps: Steps) -> bool:
        if steps.composition is None or steps.is_atomic:
            return False
        bases = [curve.base if isinstance(curve, FailingCurve) else curve for curve, _ in steps.terms]
        return any(isinstance(base, (LaplaceCurve, LogisticCurve)) for base in bases)

    def cost(self, steps: Steps) -> float:
        return 1.0 if _falls_off(steps) else 2e-3  # more pieces take longer than lines that end

    def width(self, steps: Steps) -> float:
        return 1e-12

    def curve(self, steps: Steps) -> TradeOff | None:
        return splined(steps.terms, steps.composition) if steps.composition is not None else None


class Contour:
    """Laws with a known cumulant function: integrals along lines in the complex plane."""

    name = "contour"

    def accepts(self, steps: Steps) -> bool:
        return steps.composition is not None and not steps.is_atomic

    def cost(self, steps: Steps) -> float:
        return 5e-3 + 1e-5 * len(steps.terms)

    def width(self, steps: Steps) -> float:
        return 1e-10 if self.lines_end(steps) else 1e-5

    def curve(self, steps: Steps) -> ContourCurve | None:
        parts = steps.composition
        if parts is None:
            return None
        return remembered(vars(steps), "_contour", lambda: ContourCurve(parts, steps.terms, self._elsewhere))

    def _elsewhere(self, terms: Iterable[tuple[TradeOff, int]]) -> TradeOff:
        """For losses at which the characteristic function does not fall off."""
        steps = Steps(tuple(terms))
        return _first_to_serve(ranked(steps, [route for route in ROUTES if route is not self]), steps)

    def lines_end(self, steps: Steps) -> bool:
        """Whether the characteristic function falls off: by itself, not for a little Gaussian loss.

        If that little were treated otherwise than none, more noise might tell more.
        """
        return remembered(vars(steps), "_lines_end", lambda: self._lines_end(steps))

    def _lines_end(self, steps: Steps) -> bool:
        parts = steps.composition
        if parts is None:
            return False
        if _falls_off(steps) or any(samples_gaussian(curve) for curve, _ in steps.terms):  # no line need be tried
            return True
        if _stays(steps):
            return False
        if parts.gaussian > 0 and not _has_much_gaussian(steps):
            rest = Composition(tuple(term for term in parts.terms if not isinstance(term.law, GaussianLoss)))
            return not ContourCurve(rest).lacks_line(np.zeros(1))[0]
        curve = self.curve(steps)
        return curve is not None and not curve.lacks_line(np.zeros(1))[0]


class Grid:
    """Any curves at all: losses spread onto a lattice, connect-the-dots."""

    name = "grid"

    def accepts(self, steps: Steps) -> bool:
        return bool(steps.terms)

    def cost(self, steps: Steps) -> float:
        return 0.02 + 2e-3 * len(steps.terms)

    def width(self, steps: Steps) -> float:
        if any(samples_gaussian(curve) for curve, _ in steps.terms):  # rare large losses among many tiny ones
            return 1e-2
        return max(ENOUGH, 1e-8 * steps.count)

    def curve(self, steps: Steps) -> TradeOff | None:
        return self._to(steps, USUAL_WIDTH)

    def _to(self, steps: Steps, tolerance: float) -> TradeOff:
        found = connected([(tabled(curve), count) for curve, count in steps.terms], tolerance)
        return replace(found, steps=tuple(steps.terms), finer=partial(self._finer, steps))

    def _finer(self, steps: Steps, tolerance: float) -> TradeOff:
        # widths are meant at moderate deltas, and larger elsewhere
        return self._to(steps, min(tolerance / _ELSEWHERE, USUAL_WIDTH))


CLOSED, CONTOUR = Closed(), Contour()
ROUTES: tuple[Route, ...] = (CLOSED, Enumeration(), Lattice(), Spline(), CONTOUR, Grid())
NAMES = tuple(route.name for route in ROUTES)


def composed(steps: Iterable[tuple[TradeOff, int]], route: str | None = None) -> TradeOff:
    """T(P1 × P2 × …, Q1 × Q2 × …) from the T(Pi, Qi), each with how often it occurs.

    route: the name of one, to be used whatever it costs.
    """
    terms = Steps.of(steps)
    if not _is_single(terms):
        _reject_extreme(terms)
    return _forced(terms, route) if route is not None else _first_to_serve(ranked(terms), terms)


def _reject_extreme(steps: Steps) -> None:
    """Refuse steps that tell so much, or so little, that squares of their losses are no floats."""
    for whole, count in steps.terms:
        curve = whole.base if isinstance(whole, FailingCurve) else whole
        if isinstance(curve, GaussianCurve):
            if curve.shift > _LARGEST_SHIFT:
                raise Undefined(
                    "A Gaussian release with next to no noise reveals everything, and is not composed with others. "
                    "Leave the others out, or check its noise and its sensitivity."
                )
            continue
        if isinstance(curve, SampledCurve) and samples_gaussian(curve) and curve.rate < _RAREST:
            raise Undefined(
                f"Samples at rates below {_RAREST:g} tell less than floats can add up, and are not composed with "
                "others. Leave them out, or treat each as ApproximateDP(epsilon=0, delta=rate), which is no less risky."
            )
        lower, largest = map(max, zip(curve._max_loss(), curve.inverse()._max_loss()))
        if math.isinf(largest):  # perhaps by rounding alone
            largest = lower
        if isinstance(curve, SampledCurve) and isinstance(curve.base, GaussianCurve):  # losses without an end
            largest = curve.base.shift
        noisy = curve.base if isinstance(curve, SampledCurve) else curve
        if isinstance(noisy, LatticeCurve) and math.isinf(largest):  # then far out only; where most of it lies counts
            with np.errstate(over="ignore"):
                largest = float(np.abs(noisy.noise.log_ratio(np.zeros(1), noisy.shift))[0])
            largest = min(largest, _LARGEST_LOSS * 2)
        most = _LARGEST_LOSS if isinstance(noisy, LatticeCurve) else _LARGEST_SUM / count
        if curve is not whole:
            most = _LARGEST_BESIDE_FAILURE
        if most < largest < math.inf:
            raise Undefined(
                f"Steps whose losses reach {largest:.3g} hide next to nothing, and are not composed with others. Treat "
                "such a release as one of the data themselves, or check its noise and its sensitivity."
            )
        if 0 < largest < _SMALLEST_LOSS:
            raise Undefined(
                f"A release whose losses stay below {_SMALLEST_LOSS:g} tells less than floats can add up, and is not "
                "composed with others. Leave it out, or check its noise and its sensitivity."
            )


def ranked(steps: Steps, among: Sequence[Route] | None = None) -> Iterator[Route]:
    """The routes that accept the steps, best first."""
    if CLOSED.accepts(steps):
        yield CLOSED
        return
    accepting = [route for route in ROUTES if (among is None or route in among) and route.accepts(steps)]
    yield from sorted(accepting, key=lambda route: _rank(route, steps))


def _rank(route: Route, steps: Steps) -> tuple[int, float]:
    cost, width = route.cost(steps), route.width(steps)
    if width <= TOLERANCE and cost <= MOMENT:
        return 0, cost
    if width <= TOLERANCE:  # worth some time: the far tails, where others are wide, are known as well
        return 1, cost / _WORTH
    return (1, cost) if width <= ENOUGH else (2, width)


def _first_to_serve(routes: Iterable[Route], steps: Steps) -> TradeOff:
    passed: list[str] = []
    for route in routes:
        curve = route.curve(steps)
        if curve is not None:
            if route is not CLOSED:
                vars(curve)["_why"] = _reason(route, steps, passed)
            return curve
        passed.append(route.name)
    raise Undefined("No route composes these steps. Check their noise and their sensitivities.")


def _reason(route: Route, steps: Steps, passed: list[str]) -> str:
    """Why a route was taken, in a sentence."""
    promise = (f"cheapest route within {TOLERANCE:g}", f"cheapest route within {ENOUGH:g}", "closest route there is")
    found = promise[_rank(route, steps)[0]]
    return f"{found}; {', '.join(passed)} did not serve" if passed else found


def _forced(steps: Steps, name: str) -> TradeOff:
    route = next(route for route in ROUTES if route.name == _validate.one_of("route", name, NAMES))
    curve = route.curve(steps) if route.accepts(steps) else None
    if curve is None:
        others = ", ".join(repr(other.name) for other in ranked(steps) if other is not route)
        remedy = f"These do: {others}. Without a route the best is chosen."
        raise _validate.reject("route", "to be a way that can compose these releases", name, remedy)
    if name != "closed":
        vars(curve)["_why"] = "as asked"
    return curve


def samples_gaussian(curve: TradeOff) -> bool:
    """Whether it is one step of DP-SGD, in either direction."""
    return isinstance(curve, SampledCurve) and isinstance(curve.base, GaussianCurve)


def _is_single(steps: Steps) -> bool:
    return len(steps.terms) == 1 and steps.terms[0][1] == 1


def _has_much_gaussian(steps: Steps) -> bool:
    """Whether there is so much Gaussian loss that lines are short."""
    parts = steps.composition
    return parts is not None and parts.gaussian > _LITTLE * math.sqrt(parts.real(0.5)[2])


def _reveals_all(steps: Steps) -> bool:
    """Whether some step proves which world it is, as far as floats can tell."""
    for curve, _ in steps.terms:
        atoms = atoms_of(curve)
        if max(curve._power_at_zero(), curve.inverse()._power_at_zero()) >= 1 or (atoms and not len(atoms.loss)):
            return True
    return False


def _falls_off(steps: Steps) -> bool:
    """Whether the characteristic function of many steps falls off, as far as that shows at once."""
    if steps.count <= _SPLINE_STEPS:
        return False
    smooth = any(isinstance(curve, LogisticCurve) and count > _SPLINE_STEPS for curve, count in _bases(steps))
    return smooth or _decay(steps) > _DECAYED


def _stays(steps: Steps) -> bool:
    """Whether it surely does not: few Laplace steps, perhaps beside others with atoms only."""
    return _decay(steps) < _STAYING and all(isinstance(c, LaplaceCurve) or atoms_of(c) for c, _ in _bases(steps))


def _bases(steps: Steps) -> list[tuple[TradeOff, int]]:
    return [(curve.base if isinstance(curve, FailingCurve) else curve, count) for curve, count in steps.terms]


def _decay(steps: Steps) -> float:
    """−log |phi| of Laplace steps at infinity: the mass of the atoms is 1/(1 + epsilon/2)."""
    return sum(n * math.log1p(curve.epsilon0 / 2) for curve, n in _bases(steps) if isinstance(curve, LaplaceCurve))
