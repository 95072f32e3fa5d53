"""From requirements to the parameter of a family."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.decide.calibration.oracle import Oracle, ParameterAxis, Point
from dplens.decide.calibration.search import End, Search
from dplens.decide.calibration.shape import reject_used_up, survey
from dplens.decide.calibration.unreachable import (
    FamilyError,
    Unreachable,
    Unrestricted,
    breaks,
    ends,
    number,
    why,
    worded,
)
from dplens.decide.plain import Plain
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import Mechanism
from dplens.risk.base import Requirement

_UNCHANGED = "No answer was seen to change: does the family use its parameter?"


@dataclass(frozen=True, kw_only=True)
class Calibration(Plain):
    """The riskiest parameter that provably meets every requirement, with its evidence.

    value: the parameter (an ``int`` for whole-number families). mechanism: the family's member there.
    achieved: the answers there, in the order of ``meet``, each with both ends; slack: their distances from the bounds.
    binding: the requirement that fails at ``neighbour``, which is within a relative 1e-9 of ``value`` or the next whole
    number; both are None if the family or the bracket ends first. If brackets are wide (few sampled steps at tiny
    rates, sampled Laplace noise, mu of sampled or whole-number noise beside other kinds, bounds next to an end), the
    neighbour may meet the requirement without a proof of it.
    refused: if the family ends first, its error at the next parameter; riskier parameters may also meet the
    requirements. None if a requirement fails or the bracket ends.
    more_is_riskier: whether risk grows with the parameter. evaluations: the number of parameters tried.
    """

    value: float
    mechanism: Any
    meet: tuple[Requirement, ...]
    achieved: tuple[Estimate, ...]
    slack: tuple[float, ...]
    binding: Requirement | None
    neighbour: float | None
    more_is_riskier: bool
    evaluations: int
    refused: str | None = None


def calibrate(
    family: Callable[[Any], Any],
    meet: Sequence[Requirement] | Requirement,
    *,
    integer: bool = False,
    start: float | None = None,
    bracket: tuple[float, float] | None = None,
) -> Calibration:
    """Find the riskiest parameter of a ``family`` that provably meets every requirement in ``meet``.

    family: a function from one number (sigma, scale, epsilon, sampling rate, number of steps) to a mechanism, a curve,
    or anything with a ``tradeoff()``. Risk must be monotone in the number; the direction is detected. Numbers for which
    the family raises ``ValueError`` lie outside its domain.
    integer: the parameter is a whole number ≥ 0; the answer is one whose neighbour fails.
    start: where the search begins, by default 1, or 100 for whole numbers. bracket: the search stays within it;
    negative numbers and 0 are searched only within a bracket.

    Requirements are checked at the safe end of the certified bracket, so they are met by proof, not by estimate
    (calibration to the attacker's power instead of epsilon: Kulynych, Gómez, Kaissis, Calmon & Troncoso 2024).

    >>> import dplens as dl
    >>> fit = dl.calibrate(lambda sigma: dl.Gaussian(sigma=sigma).subsample(0.01).repeat(1000),
    ...                    meet=[dl.Advantage().at_most(0.1), dl.Epsilon(delta=1e-5).at_most(2.0)])
    >>> print(f"{fit.value:.6f}", fit.binding)
    1.422440 Requirement(question=Advantage(), bound=0.1)
    >>> all(a <= r.bound for a, r in zip(fit.achieved, fit.meet))
    True
    """
    if not callable(family) or (isinstance(family, type) and issubclass(family, Mechanism)):
        remedy = "Pass for instance lambda sigma: dplens.Gaussian(sigma=sigma)."
        raise _validate.reject_type("family", "to be a function of one number", family, remedy)
    requirements = requirements_of("meet", meet, "[dplens.Advantage().at_most(0.1)]")
    integer = _validate.flag("integer", integer)
    axis = _axis(integer, bracket)
    oracle = Oracle(family, requirements, integer)
    _reject_impossible(requirements)
    return _searched(Search(oracle, axis, _start(axis, start, bracket), bracket is not None))


def requirements_of(name: str, given: Any, example: str) -> tuple[Requirement, ...]:
    """One requirement or several."""
    found, remedy = (given,) if isinstance(given, Requirement) else given, f"Pass for instance {example}."
    if isinstance(found, (str, bytes)) or not isinstance(found, Sequence):
        raise _validate.reject_type(name, "to be a requirement or a list of requirements", given, remedy)
    if not found:
        raise _validate.reject(name, "to hold at least one requirement", given, remedy)
    for i, r in enumerate(found):
        if not isinstance(r, Requirement):
            raise _validate.reject_type(f"{name}[{i}]", "to be a requirement", r, remedy)
    return tuple(found)


def _axis(integer: bool, bracket: Any, least: float = 1e-300, tolerance: float = 9e-10) -> ParameterAxis:
    """The axis of the search; ``tolerance`` is the relative distance of the neighbour that fails."""
    if bracket is None:
        if integer:
            return ParameterAxis(0.0, 2.0**53, True, True, 0.0)  # beyond, whole numbers are not exact as floats
        return ParameterAxis(least, 1e300, False, True, tolerance, zero=True)
    first, last = _validate.pair("bracket", bracket, "to be a pair (low, high)")
    low = _validate.real("bracket[0]", first, "to be finite", math.isfinite)
    high = _validate.real("bracket[1]", last, f"to be finite and > bracket[0] = {low!r}", lambda x: low < x < math.inf)
    if integer:
        low, high = float(math.ceil(low)), float(math.floor(high))
        if low > high:
            raise _validate.reject("bracket", "to hold a whole number", bracket)
        return ParameterAxis(low, high, True, low >= 0, 0.0)
    if low == 0 and high > least:
        return ParameterAxis(least, high, False, True, tolerance, zero=True)
    return ParameterAxis(low, high, False, low > 0, tolerance)


def _start(axis: ParameterAxis, start: Any, bracket: Any) -> float:
    if start is not None:
        rule = f"in [{axis.low:g}, {axis.high:g}]"
        return axis.whole(_validate.real("start", start, rule, lambda x: axis.low <= x <= axis.high))
    if bracket is None or (axis.low <= 1 <= axis.high and axis.logarithmic):
        return 100.0 if axis.integer and axis.high >= 100 else 1.0
    if axis.zero:
        return axis.high / 2
    return axis.midpoint(axis.low, axis.high) if axis.high - axis.low > 1 or not axis.integer else axis.low


def _reject_impossible(requirements: Sequence[Requirement]) -> None:
    """Refuse bounds that even perfect privacy breaks, and sets of bounds that every release meets."""
    for r in requirements:
        best = ends(r.question)[0]
        if breaks(best, r):
            least = number(best, r.bound)
            raise Unreachable(
                f"Expected a bound that some release can meet, got {worded(r, best)}. A release that reveals nothing "
                f"at all already gives {least}: that much the attacker reaches by guessing. The nearest bound that can "
                f"be met is {least}.",
                r,
                float(best),
                None,
            )
    if all(r._met_at(float(ends(r.question)[1])) for r in requirements):
        raise Undefined(
            f"Expected a requirement that restricts something, got {', '.join(worded(r) for r in requirements)}. Even "
            "a release of the data themselves meets that, so there is no riskiest parameter."
        )


def _searched(search: Search) -> Calibration:
    try:
        search.settle()
        reject_used_up(search)
        survey(search, search.run()[0])
        while True:
            low, high = search.run()
            achieved = _achieved(search.oracle, low)
            if achieved is not None:
                return _calibration(search, low, high, achieved)
    except End as end:
        return _riskiest(search, end) if end.way > 0 else _safest(search, end.point)


def _achieved(oracle: Oracle, point: Point) -> tuple[Estimate, ...] | None:
    """The answers with both ends; None, and the point marked as failing, if one does not meet its bound."""
    answers = tuple(oracle.estimate(point, i) for i in range(len(oracle.meet)))
    for i, answer in enumerate(answers):
        if not oracle.meet[i]._met_at(answer):
            point.failing = i
            return None
    return answers


def _calibration(search: Search, point: Point, beyond: Point | None, achieved: tuple[Estimate, ...]) -> Calibration:
    oracle, kind = search.oracle, int if search.oracle.integer else float
    signed = [(r.bound - float(a)) * (1 if r.question.more_is_riskier else -1) for r, a in zip(oracle.meet, achieved)]
    return Calibration(
        value=kind(point.value),
        mechanism=oracle.mechanism(point.value),
        meet=tuple(oracle.meet),
        achieved=achieved,
        slack=tuple(0.0 if math.isnan(s) else s for s in signed),
        binding=None if beyond is None or beyond.failing is None else oracle.meet[beyond.failing],
        neighbour=None if beyond is None else kind(beyond.value),
        more_is_riskier=search.sign > 0,
        evaluations=oracle.evaluations,
        refused=oracle.wall(point.value, search.sign) if beyond is None else None,
    )


def _riskiest(search: Search, end: End) -> Calibration:
    """Every parameter meets the requirements: the last one is the answer, if there is one."""
    oracle = search.oracle
    oracle.reject_some(end.point, search.axis)
    if survey(search, end.point, search.ordered()[0]) and search.ordered()[-1] is not end.point:
        return _searched(search)  # the family continues beyond a gap
    zero = _zero(search) if search.sign < 0 and end.of_family else None
    last = zero if zero is not None and zero.met else end.point
    achieved = _achieved(oracle, last)
    if end.of_family and achieved is not None and search.sign:
        return _calibration(search, last, None, achieved)
    tried = sorted(oracle.points)
    raise Unrestricted(
        f"Every parameter from {number(tried[0])} to {number(tried[-1])} meets "
        f"{', '.join(worded(r) for r in oracle.meet)}, so there is no riskiest one. "
        + ("Pass a bracket; its riskier end is then the answer." if search.sign else _UNCHANGED)
        + oracle.walls(tried[0], tried[-1]),
        {+1: math.inf, 0: None, -1: 0.0}[search.sign],
    )


def _zero(search: Search) -> Point | None:
    """The point 0, if it belongs to the axis."""
    try:
        return search.oracle.at(0.0, all_of_them=True) if search.axis.zero else None
    except FamilyError:  # the user did not ask about 0
        return None


def _safest(search: Search, point: Point) -> Calibration:
    """No parameter meets the requirements; perhaps 0 does."""
    oracle = search.oracle
    oracle.reject_some(point, search.axis)
    reject_used_up(search)
    zero = _zero(search) if search.sign >= 0 else None
    if zero is not None and zero.met and (achieved := _achieved(oracle, zero)) is not None:
        search.sign = 1  # at least from 0 on, if all other answers are infinite
        return _calibration(search, zero, search.ordered()[1], achieved)
    if survey(search, point, search.ordered()[-1], everywhere=True) and search.border()[0] is not None:
        return _searched(search)  # the family continues beyond a gap
    if zero is not None and max(zero.heights.values()) < max(point.heights.values()):
        point = zero
    if point.failing is None:
        raise FamilyError(f"The answers at {number(point.value)} change between two readings.", point.value)
    r, nearest = oracle.meet[point.failing], point.answers[point.failing]
    raise Unreachable(
        f"No parameter from {number(min(oracle.points))} to {number(max(oracle.points))} provably meets "
        f"{worded(r, nearest)}. The nearest that was reached is {number(nearest, r.bound)}, at the parameter "
        f"{number(point.value)}."
        + (why(oracle.curve(point.value), r, nearest) or _left(search, point, point.failing))
        + oracle.walls(point.value),
        r,
        nearest,
        point.value,
    )


def _left(search: Search, point: Point, failing: int) -> str:
    """A sentence that says if the parameter has no effect, or no further effect at extreme values."""
    oracle, axis = search.oracle, search.axis
    worst = float(ends(oracle.meet[failing].question)[1])  # a constant answer at this value proves nothing
    if not search.sign and len(oracle.points) > 1 and point.answers[failing] != worst:
        return f" {_UNCHANGED}"
    inside = search.given_ends or axis.integer or axis.low < point.value < axis.high
    if inside or not breaks(oracle.estimate(point, failing), oracle.meet[failing]):
        return ""
    return " However far it goes, so much is left: that part of the release does not depend on the parameter."
