"""The axis of a parameter, and what a family answers at its points: which requirements are met, by how much."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dplens.curves.base import TradeOff
from dplens.decide.calibration.unreachable import FamilyError, natural_scale, number
from dplens.errors import DplensError, InvalidType, Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import as_curve
from dplens.numerics.sharing import remembered
from dplens.risk.base import Question, Requirement


@dataclass(frozen=True)
class ParameterAxis:
    """Parameters from ``low`` to ``high``; ``place`` is the coordinate of the search, often a logarithm.

    ``zero``: whether the axis also contains 0, which has no logarithm.
    """

    low: float
    high: float
    integer: bool
    logarithmic: bool
    tolerance: float
    zero: bool = False

    def place(self, x: float) -> float:
        """The coordinate of a parameter."""
        return math.log(max(x, 0.5) if self.integer else x) if self.logarithmic else x

    def parameter(self, place: float) -> float:
        """The parameter at a coordinate, within the ends."""
        if self.logarithmic:
            if place >= self.place(self.high):  # where exp may overflow
                return self.high
            place = math.exp(place)
        return min(max(place, self.low), self.high)

    def width(self, x: float) -> float:
        """The distance, in coordinates, of two parameters near x at which a search ends."""
        if self.integer:
            return 1 / max(abs(x), 1.0) if self.logarithmic else 1.0
        return self.tolerance if self.logarithmic else self.tolerance * max(abs(x), 1e-300)

    def adjacent(self, x: float, other: float) -> bool:
        """Whether two parameters are so close that the search ends."""
        if self.integer:
            return abs(x - other) <= 1
        return abs(x - other) <= self.tolerance * max(abs(x), abs(other)) or math.nextafter(x, other) == other

    def whole(self, x: float, down: bool | None = None) -> float:
        """The parameter itself, or the nearest whole number (on the given side) for integer axes."""
        if not self.integer:
            return x
        return round(x) if down is None else math.floor(x) if down else math.ceil(x)

    def shortest(self, x: float, other: float) -> float | None:
        """The number with the fewest digits strictly between two; domains tend to end at such numbers."""
        low, high = min(x, other), max(x, other)
        if self.integer:
            return None
        for digits in range(15):
            for trial in (float(f"{end:.{digits}e}") for end in (low, (low + high) / 2, high)):
                if low < trial < high:
                    return trial
        return None

    def midpoint(self, x: float, other: float) -> float:
        """A parameter strictly between two, a power of ten if there is one."""
        low, high = min(x, other), max(x, other)
        if self.logarithmic:
            ten = 10.0 ** math.floor(math.log10(high) + 1e-12)
            if low < ten < high:
                return ten
        middle = self.parameter((self.place(low) + self.place(high)) / 2)
        if self.integer:
            return min(max(round(middle), low + 1), high - 1)
        return middle if low < middle < high else low + (high - low) / 2


def predicted(points: Sequence[Point], place: Callable[[float], float], count: int) -> tuple[float, float] | None:
    """(place, uncertainty) of the first bound crossed as risk grows, from up to six points; None without data."""
    crossings = []
    for i in range(count):
        known = {p.heights[i]: place(p.value) for p in points if math.isfinite(p.heights.get(i, math.nan))}
        if known:
            crossings.append(_crossing(sorted(known.items(), key=lambda item: abs(item[0]))[:6]))
    return min(crossings, default=None)


def _crossing(known: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The place where the height is 0, by Neville's scheme for the inverse function at the order that changes least.

    With one point, assume slope 1, as for Gaussian-like noise.
    """
    heights, column = [h for h, _ in known], [p for _, p in known]
    best, change = column[0] - heights[0], math.inf
    last = best
    for order in range(1, len(column)):
        column = [
            (heights[j + order] * column[j] - heights[j] * column[j + 1]) / (heights[j + order] - heights[j])
            for j in range(len(column) - 1)
        ]
        if abs(column[0] - last) <= change:
            best, change = column[0], abs(column[0] - last)
        last = column[0]
    return best, change


@dataclass
class Point:
    """An evaluated parameter; ``answers`` are on the safe side, ``heights`` are their distances above the bounds.

    Once one requirement fails the others are skipped, so answers may be missing.
    """

    value: float
    answers: dict[int, float] = field(default_factory=dict)
    heights: dict[int, float] = field(default_factory=dict)
    failing: int | None = None

    @property
    def met(self) -> bool:
        return self.failing is None


class Oracle:
    """Builds the members of a family, asks them the questions, and remembers the answers."""

    def __init__(self, family: Callable[[Any], Any], meet: Sequence[Requirement], integer: bool) -> None:
        self.family, self.meet, self.integer = family, meet, integer
        self.points: dict[float, Point] = {}
        self._mechanisms: dict[float, Any] = {}  # of the last four points; a curve may take hundreds of megabytes
        self._curves: dict[float, TradeOff] = {}
        self.outside: dict[float, Exception] = {}
        self.evaluations = 0
        self._scales = [natural_scale(r.question) for r in meet]
        self._bounds = [scale(r.bound) for scale, r in zip(self._scales, meet)]
        self._order = list(range(len(meet)))  # the requirement that failed last comes first

    def at(self, value: float, *, all_of_them: bool = False) -> Point | None:
        """The answers at a parameter; None if the family refuses it."""
        if value in self.outside or not (value in self.points or self._makes(value)):
            return None
        point = self.points.setdefault(value, Point(value))
        return point if self._ask(point, all_of_them) else None

    def mechanism(self, value: float) -> Any:
        """The member of the family at a parameter; only the last four are kept."""
        return remembered(self._mechanisms, value, lambda: self.family(int(value) if self.integer else value), most=4)

    def curve(self, value: float) -> TradeOff:
        """The trade-off curve at a parameter."""
        return remembered(self._curves, value, lambda: as_curve(self.mechanism(value), "what family returns"), most=4)

    def _makes(self, value: float) -> bool:
        """Whether the family has a member with a curve at a parameter; refusals are remembered."""
        self.evaluations += 1
        built = False
        try:
            self.mechanism(value)
            built = True
            self.curve(value)
        except Exception as error:
            if built and isinstance(error, InvalidType):
                raise FamilyError(f"At the parameter {number(value)}: {error}", value) from error
            return self._refused(value, error)
        return True

    def _refused(self, value: float, error: Exception) -> bool:
        """Remember a value outside the family's domain; raise any other error."""
        if isinstance(error, InvalidType) or not isinstance(error, (DplensError, ValueError, ArithmeticError)):
            raise FamilyError(
                f"The family raised {type(error).__name__} at the parameter {number(value)}: {error}", value
            ) from error
        self.points.pop(value, None)
        self.outside[value] = error
        return False

    def reject_some(self, point: Point, axis: ParameterAxis) -> None:
        """Raise if the family seems to end only because it accepts nothing but whole numbers or multiples."""
        value = point.value
        if not self.outside or value != round(value) or (self.integer and value == 0):
            return
        kind, remedy = "whole numbers only", "Pass integer=True."
        steps = ((value + 0.5, value + 1), (value - 0.5, value - 1))
        if self.integer:
            kind, remedy = "some whole numbers only", "Pass a family of them all, for instance lambda k: family(5 * k)."
            steps = ((value + 1, 2 * value),)
        for left_out, beyond in steps:
            inside = axis.low <= beyond <= axis.high
            if inside and self._accepts(beyond) and not self._accepts(left_out) and left_out in self.outside:
                raise FamilyError(
                    f"The family takes {kind}: it makes something of {number(value)} and {number(beyond)}, but at "
                    f"{number(left_out)} it raised ({self.refusal(left_out)}). {remedy}",
                    left_out,
                )

    def _accepts(self, value: float) -> bool:
        """Whether the family accepts a parameter; no question is asked."""
        try:
            return value in self.points or self._makes(value)
        except FamilyError:
            return False

    def member(self, value: float) -> Any:
        """The member of the family at a parameter, without any evaluation; None if it raises."""
        try:
            return self.family(int(value) if self.integer else value)
        except Exception:
            return None

    def refusal(self, value: float) -> str:
        """The error the family raised at a parameter."""
        error = self.outside[value]
        return f"{type(error).__name__}: {error}"

    def walls(self, *values: float) -> str:
        """A sentence about the refusals next to accepted parameters; empty if the family was not seen to end.

        A refusal counts if no accepted parameter lies in between.
        """
        walls = {self._next(value, side): value for value in values for side in (-1, +1)}
        said = [f"at {number(w, value)} ({self.refusal(w)})" for w, value in walls.items() if w in self.outside]
        return f" The family raised {' and '.join(said)}." if said else ""

    def wall(self, value: float, side: int) -> str | None:
        """The error at the next parameter on one side; None if the family was not seen to end there."""
        wall = self._next(value, side)
        return str(self.outside[wall]) if wall in self.outside else None

    def _next(self, value: float, side: int) -> float:
        """The nearest tried parameter on one side, or the value itself."""
        beyond = [x for x in (*self.outside, *self.points) if (x - value) * side > 0]
        return min(beyond, key=lambda x: abs(x - value), default=value)

    def _ask(self, point: Point, all_of_them: bool) -> bool:
        for i in list(self._order):
            if i not in point.answers:
                try:
                    self._answer(point, i)
                except FamilyError:
                    raise
                except Exception as error:
                    self._refused(point.value, error)
                    return False
            if not self.meet[i]._met_at(point.answers[i]):
                if point.failing is None or point.heights[i] > point.heights[point.failing]:
                    point.failing = i
                self._order.sort(key=lambda j: j != i)
                if not all_of_them:
                    break
        return True

    def _answer(self, point: Point, i: int) -> None:
        r, curve = self.meet[i], self.curve(point.value)
        # the safe side of ``of``, without computing the other end
        own = type(r.question).of is not Question.of
        answer = float(r.question.of(curve)) if own else r.question._safe_side(curve)
        if math.isnan(answer):
            raise FamilyError(f"{r.question} has no answer at {number(point.value)}.", point.value)
        height = self._scales[i](answer) - self._bounds[i]
        point.answers[i] = answer
        # inf − inf: decide by the answer itself
        point.heights[i] = height if not math.isnan(height) else -math.inf if r._met_at(answer) else math.inf

    def estimate(self, point: Point, i: int) -> Estimate:
        """The answer with both ends."""
        question = self.meet[i].question
        try:
            answer = question.of(self.curve(point.value))
        except Undefined as error:
            raise FamilyError(f"At the parameter {number(point.value)}: {error}", point.value) from error
        if any(map(math.isnan, (answer, answer.low, answer.high))):  # possible if a question overrides ``of``
            raise FamilyError(f"{question} has no answer at {number(point.value)}.", point.value)
        return answer

    def provably_riskier(self, i: int, point: Point, other: Point) -> bool:
        """Whether ``point`` is provably riskier than ``other``."""
        a, b = point.answers[i], other.answers[i]
        if self.meet[i].question.more_is_riskier:
            return a > b and self.estimate(point, i).low > b
        return a < b and self.estimate(point, i).high < b
