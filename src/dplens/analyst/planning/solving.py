"""Solve a design for one unknown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from scipy.special import expit, logit

from dplens import _validate
from dplens.analyst.laws.noise import NoNoise, WholeNoise, noise_of
from dplens.analyst.planning.noise_limits import NoiseFamily, Unsolvable, most_noise, noise_family, precision_of
from dplens.analyst.planning.protection import Sensitivity, misdeclared, unprotected
from dplens.analyst.tests.base import AnalystTest, checked_test
from dplens.analyst.tests.location import LocationTest
from dplens.analyst.tests.proportion import ProportionTest, TwoProportionsTest
from dplens.analyst.tests.simulated import SimulatedTest
from dplens.estimate import Estimate
from dplens.mechanisms.base import Mechanism
from dplens.numerics.roots import crossing
from dplens.registry import Result

_KEEP: Any = object()
_WORK = 300_000_000  # pairs of counts that a search may sum
_NAMES = ("n", "effect", "level", "power", "noise")


@dataclass(frozen=True, kw_only=True)
class Solution(Result):
    """The solution for one unknown; ``float(solution)`` is its value.

    unknown: its name. power: the power of the solved design, at least the required one. test and mechanism: the solved
    design.
    """

    unknown: str
    value: float
    power: Estimate
    test: AnalystTest
    mechanism: Any

    def __float__(self) -> float:
        return float(self.value)


def solve(
    test: AnalystTest,
    *,
    n: Any = _KEEP,
    effect: Any = _KEEP,
    level: Any = _KEEP,
    power: Any = _KEEP,
    noise: Any = 0.0,
    family: Any = None,
    sensitivity: float | None = None,
) -> Solution:
    """Solve for one of n, effect, level, power, noise given the others, like statsmodels' ``solve_power``.

    Pass ``None`` for the unknown; the others default to the values of ``test``. noise: an amount of noise of the
    ``family`` (sigma or scale), a mechanism, or a function from n to a mechanism (if noise shrinks with n); 0 means no
    noise. sensitivity: of the returned mechanism, by default from the test's bounds, else 1.

    The answer is the smallest n, effect or level, or the largest noise, with at least the required power; n is rounded
    up to a whole number, and the achieved power is reported. The power of whole-number tests fluctuates with n: the
    answer reaches the power while the smaller sizes that were tried do not: 60 and more in a row.

    >>> import dplens as dl
    >>> t = dl.MeanTest(n=100, sd=0.25, effect=0.1)
    >>> s = dl.solve(t, n=None, power=0.8, noise=lambda n: dl.Laplace(scale=1 / n, sensitivity=1 / n))
    >>> s.value, f"{s.power:.4f}"
    (59, '0.8061')
    """
    checked_test(test)
    given = {"n": n, "effect": effect, "level": level, "power": power, "noise": noise}
    unknown = [name for name in _NAMES if given[name] is None]
    if len(unknown) != 1:
        found = "none" if not unknown else " and ".join(unknown)
        remedy = "Leave out what the test already says; pass None for what is wanted."
        raise _validate.reject("unknowns (None)", "to be exactly one of n, effect, level, power, noise", found, remedy)
    (name,) = unknown
    changes = {k: given[k] for k in ("n", "effect", "level") if given[k] is not _KEEP and given[k] is not None}
    plan = test.with_(**changes) if changes else test
    if name == "power":
        mechanism = _mechanism(plan, noise, family, sensitivity)(plan.n)
        found = plan.power(mechanism)
        return Solution(unknown=name, value=float(found), power=found, test=plan, mechanism=mechanism)
    if power is _KEEP:
        raise _validate.reject("power", "to be given", None, f"It is what {name} is solved for.")
    wanted = _validate.open_probability("power", power, "The chance of finding the effect, for instance 0.8.")
    if name == "noise":
        return _solve_noise(plan, wanted, family, sensitivity)
    make = _mechanism(plan, noise, family, sensitivity)
    return {"n": _solve_n, "effect": _solve_effect, "level": _solve_level}[name](plan, wanted, make)


def _mechanism(test: AnalystTest, noise: Any, family: Any, sensitivity: float | None) -> Callable[[int], Any]:
    """The function from n to the mechanism."""
    if noise is None or isinstance(noise, Mechanism):
        return lambda n: noise
    if callable(noise):
        return lambda n: _validate.made("noise", noise, n)
    amount = _validate.nonnegative("noise", noise, "An amount of noise, a mechanism, or a function of n.")
    if amount == 0:
        return lambda n: None
    if family is None:
        raise _validate.reject("family", "to be given with an amount of noise", None, "For instance 'gaussian'.")
    kind = noise_family(family)
    size = _protects(test, sensitivity, kind)
    return lambda n: kind(amount, size.of(kind) * (size.at(n) if size.given is None else 1.0), size.neighbours)


def _protects(test: AnalystTest, sensitivity: float | None, kind: NoiseFamily) -> Sensitivity:
    """The sensitivity of a solved mechanism: given, from the test's bounds, or 1 if unknown."""
    size = Sensitivity(test, sensitivity, test.neighbours)
    known = size if size.known else Sensitivity(test, 1.0, test.neighbours)
    mechanism = known.make(kind, known.of(kind))
    why = misdeclared(mechanism, size) or unprotected(test, mechanism, test.neighbours)
    if why is not None:
        raise _validate.reject("family", "to fit what is published", kind.name, why)
    return known


def _solve_noise(test: AnalystTest, wanted: float, family: Any, sensitivity: float | None) -> Solution:
    if family is None:
        raise _validate.reject("family", "to be given where noise is wanted", None, "For instance 'gaussian'.")
    kind = noise_family(family)
    size = _protects(test, sensitivity, kind)
    amount = most_noise(test, lambda x: size.make(kind, x), wanted)
    return _solution("noise", amount, test, size.make(kind, amount))


def _solve_effect(test: AnalystTest, wanted: float, make: Callable[[int], Any]) -> Solution:
    mechanism = make(test.n)
    sign = math.copysign(1.0, test.effect)
    most = abs(test.largest_effect())

    def excess(size: float) -> float:
        return float(test.power(mechanism, effect=sign * size)) - wanted

    top = min(abs(test.effect), most)
    while excess(top) < 0:
        if top >= most or top > 1e300:
            best = float(test.power(mechanism, effect=sign * min(top, most)))
            raise Unsolvable(
                f"No effect is large enough for a power of {wanted:g}: at the largest, {sign * most:g}, it "
                f"is {best:.6g}. More records or less noise would raise it.",
                best,
                "largest effect",
            )
        top = min(2 * top, most)
    bottom = top
    while excess(bottom) >= 0:
        top, bottom = bottom, bottom / 2
        if bottom < 1e-300:
            raise Unsolvable(f"Any effect has a power of {wanted:g}: the level {test.level:g} is that large.", wanted)
    size = crossing(excess, top, bottom, precision_of(test))
    return _solution("effect", sign * size, test.with_(effect=sign * size), mechanism)


def _solve_level(test: AnalystTest, wanted: float, make: Callable[[int], Any]) -> Solution:
    mechanism = make(test.n)

    def excess(log_odds: float) -> float:
        return float(test.with_(level=float(expit(log_odds))).power(mechanism)) - wanted

    top, least = float(logit(test.level)), -600.0
    if test.simulated:  # with m draws no p-value is below 1/(m + 1)
        least = float(logit(len(test._sides) / (getattr(test, "draws", 1) + 1) * (1 + 1e-9)))
    while excess(top) < 0:
        top += 1 + abs(top) / 2
        if top > 35:
            raise Unsolvable(f"No level below 1 gives a power of {wanted:g}.", None, "level")
    bottom = top
    while excess(bottom) >= 0:
        if bottom <= least:
            raise Unsolvable(
                f"A power of {wanted:g} is reached at any level down to {expit(least):.2g}: the effect cannot "
                "be missed." + (" More draws would allow smaller levels." if test.simulated else ""),
                wanted,
            )
        top, bottom = bottom, max(bottom - 1 - abs(bottom) / 2, least)
    found = crossing(excess, top, bottom, precision_of(test))
    solved = test.with_(level=float(expit(found)))
    return _solution("level", solved.level, solved, mechanism)


def _solve_n(test: AnalystTest, wanted: float, make: Callable[[int], Any]) -> Solution:
    def power(n: int) -> Estimate:
        return test.with_(n=n).power(make(n))

    n = test._least_n
    best, still = 0.0, 0
    closed = isinstance(test, LocationTest) and not test.simulated
    most = 2**100 if closed else 2**20 if isinstance(test, SimulatedTest) else 10**9
    while float(found := power(n)) < wanted:
        still = still + 1 if 0 < float(found) <= best * (1 + 1e-9) else 0
        best = max(best, float(found))
        flat = still >= 8 and make(n) is not None and _same_noise(make(n), make(2 * n))
        if flat and (n >= most or (n > 1000 and not closed)):
            raise Unsolvable(
                f"No number of records gives a power of {wanted:g}: with {n:.6g} it is {best:.6g}, and it does not "
                "grow any more, for the noise does not shrink with n. Less noise, or a larger effect, would help; pass "
                "noise as a function of n where more records need less noise.",
                best,
                "noise",
            )
        if n >= most or _takes_minutes(test, 2 * n, make):
            raise Unsolvable(
                f"With {n:.4g} records the power is {best:.6g}, and {wanted:g} was asked for; larger numbers are not "
                "looked at. A larger effect or less noise would help, and for two proportions group sizes with a large "
                "common divisor.",
                best,
                "more records than are looked at",
            )
        n = min(2 * n, most)
    if n > test._least_n:
        n = _least_n(test, wanted, make, power, n)
    return _solution("n", n, test.with_(n=n), make(n))


def _least_n(
    test: AnalystTest, wanted: float, make: Callable[[int], Any], power: Callable[[int], Estimate], enough: int
) -> int:
    """The smallest sufficient size, given one that is sufficient while half of it is not."""
    if isinstance(test, TwoProportionsTest):
        pair = test.with_(n=enough)._pair(make(enough))
        # sums over pairs of counts, for groups without a common divisor, take ten times as long
        work = _WORK if pair.quick or pair.masses is not None else _WORK // 10
        if pair.noise.step is None and pair.noise.scale * enough >= pair.unit:
            work = 0  # continuous noise wider than one record: power hardly fluctuates
        return _first_reaching(power, wanted, enough, work)
    if isinstance(test, (LocationTest, ProportionTest)) and not test.simulated:
        noise = noise_of(make(enough))
        if isinstance(noise, WholeNoise):
            return _first_reaching(power, wanted, enough, _WORK)
        if isinstance(test, ProportionTest) and isinstance(noise, NoNoise):
            return _first_reaching(power, wanted, enough, math.inf)
    return _guess(power, wanted, enough // 2, enough)


def _takes_minutes(test: AnalystTest, n: int, make: Callable[[int], Any]) -> bool:
    """Whether the power requires a sum over more than two million pairs of counts."""
    if not isinstance(test, TwoProportionsTest):
        return False
    larger = test.with_(n=n)
    if n * larger.n2 <= 2_000_000:
        return False
    pair = larger._pair(make(n))
    return not pair.quick and pair.masses is None


def _same_noise(first: Any, second: Any) -> bool:
    return first == second or noise_of(first) == noise_of(second)


def _guess(power: Callable[[int], Estimate], wanted: float, low: int, high: int) -> int:
    """A size that reaches the power while the one below does not, by bisection."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if float(power(middle)) >= wanted else (middle, high)
    return high


def _first_reaching(power: Callable[[int], Estimate], wanted: float, high: int, work: float) -> int:
    """The smallest n that reaches the power, which increases with n except for small fluctuations.

    From a first guess, try smaller sizes until many in a row fail (60 or an eighth of the guess, at most 600, fewer if
    the total ``work`` gets too large) or twice as many have been tried. Power drops by at most one outcome's chance,
    about n^(−1/2), and each record gains about 1/n, so fluctuations reach over a sixth of the guess at 100 records, and
    less at more.
    """
    b = _guess(power, wanted, max(high // 4, 1), high)
    best, n, misses, tried = b, b - 1, 0, 0
    enough = max(10, min(max(60, b // 8), 600, work // (b * b)))
    while n >= 1 and misses < enough and tried < 2 * enough:
        tried += 1
        if float(power(n)) >= wanted:
            best, misses = n, 0
        else:
            misses += 1
        n -= 1
    return best


def _solution(unknown: str, value: float, test: AnalystTest, mechanism: Any) -> Solution:
    return Solution(unknown=unknown, value=value, power=test.power(mechanism), test=test, mechanism=mechanism)
