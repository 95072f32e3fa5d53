"""Find where a monotone family stops meeting its requirements, in few evaluations.

The coordinate is the parameter's place on its axis, with its sign chosen such that risk grows with it. Inverse
interpolation of the answers on their natural scale predicts the border; the search ends with one parameter on either
side of it, closer together than the tolerance. If predictions fail, bisection bounds the number of evaluations.
"""

from __future__ import annotations

import itertools
import math
from collections import deque

from dplens.decide.calibration.oracle import Oracle, ParameterAxis, Point, predicted
from dplens.decide.calibration.unreachable import FamilyError, breaks, number, worded

LIMIT = 300  # evaluations; bisection alone needs fewer


class End(Exception):
    """The riskiest parameter (way +1) meets the requirements, or the safest (way −1) does not.

    of_family: the search ended at the family's domain or a given bracket, not at the largest or smallest number.
    """

    def __init__(self, point: Point, way: int, of_family: bool = False) -> None:
        super().__init__(number(point.value))
        self.point, self.way, self.of_family = point, way, of_family


class Search:
    """The state of one search; ``sign`` is +1 if risk grows with the parameter, −1 if it falls, 0 while unknown."""

    def __init__(self, oracle: Oracle, axis: ParameterAxis, start: float, given_ends: bool) -> None:
        self.oracle, self.axis, self.start, self.given_ends = oracle, axis, start, given_ends
        self.sign = 0
        self._doubted: set[float] = set()  # parameters that fail only because brackets are wide
        self._moves = {+1: 0, -1: 0}
        self._close = 0  # consecutive trials next to a predicted border
        self._halve = False
        self._least = math.inf
        self._ended: set[int] = set()  # ways whose last number before the wall was tried

    def place(self, value: float) -> float:
        """The coordinate, signed such that risk grows."""
        return self.sign * self.axis.place(value)

    def parameter(self, place: float) -> float:
        return self.axis.parameter(self.sign * place)

    def ordered(self) -> list[Point]:
        """Points from the safest to the riskiest."""
        return sorted(self.oracle.points.values(), key=lambda p: self.sign * p.value)

    def _first(self) -> Point:
        """The start, or a power of ten times it (a point of the bracket), at which the family is defined."""
        low, high, trials = self.axis.low, self.axis.high, [self.start]
        if self.axis.logarithmic:
            trials += [self.start * 10.0 ** (side * k) for k in (1, 2, 3, 4, 5, 6, 9, 12) for side in (-1, 1)]
        else:
            trials += [low + (high - low) * k / 8 for k in (2, 6, 1, 3, 5, 7, 0, 8)]
        for trial in dict.fromkeys(self.axis.whole(min(max(t, low), high)) for t in trials):
            point = self.oracle.at(trial, all_of_them=True)
            if point is not None:
                return point
        outside, refusal = self.oracle.outside, self.oracle.refusal
        value = next(iter(outside))
        said = f"at {number(value)} ({refusal(value)}). Pass a start at which it makes something."
        if len(outside) > 1 and len({refusal(x) for x in outside}) == 1:  # another start will not help
            said = f"from {number(min(outside))} to {number(max(outside))}, always the same ({refusal(value)})."
        raise FamilyError(f"The family raised at all {len(outside)} parameters tried, {said}", value)

    def settle(self) -> None:
        """Find a valid parameter and the direction in which risk grows, unless known.

        Tries parameters on both sides, further and further away, until an answer provably differs.
        """
        if self.sign:
            return
        first = self._first()
        height = max(first.heights.values())
        # most parameters are amounts of noise, and more noise means less risk
        side = 1 if height > 0 else -1
        step = min(max(abs(height) / 1.5, 0.05), math.log(2)) if math.isfinite(height) else math.log(2)
        reaches = deque(min(step * 2.5**k, 1400.0) for k in range(9))
        while reaches:
            reach, ended = reaches.popleft(), False
            for way in (side, -side):
                value = self._stepped(first, way, reach)
                point = None if value is None else self.oracle.at(value, all_of_them=True)
                if point is not None and self._direction(first, point):
                    return
                ended |= value is not None and point is None and not self.axis.adjacent(first.value, value)
            if ended and reach <= step:  # the domain ends nearby
                reaches.appendleft(reach / 4)
        raise End(first, +1 if first.met else -1)

    def _stepped(self, first: Point, side: int, reach: float) -> float | None:
        if self.axis.logarithmic:
            value = self.axis.parameter(self.axis.place(first.value) + side * reach)
        else:
            span = (self.axis.high - self.axis.low) / 2
            value = self.axis.parameter(first.value + side * span * min(reach, 1.0))
        value = self.axis.whole(value, side < 0)
        if value == first.value and self.axis.integer:
            value = min(max(first.value + side, self.axis.low), self.axis.high)
        return None if value == first.value else value

    def _direction(self, a: Point, b: Point) -> bool:
        """Set the sign if the two points decide it; raise if requirements disagree."""
        rising, falling = [], []
        for i in range(len(self.oracle.meet)):
            plainly = abs(b.heights[i] - a.heights[i]) > 0.01  # no proof needed; False if both are infinite
            for riskier, safer in ((a, b), (b, a)):
                apart = riskier.heights[i] > safer.heights[i]
                if (plainly and apart) or (not plainly and self.oracle.provably_riskier(i, riskier, safer)):
                    (rising if riskier.value > safer.value else falling).append(i)
        if rising and falling:
            up, down = (worded(self.oracle.meet[i[0]]) for i in (rising, falling))
            raise FamilyError(
                f"The requirements pull in opposite directions: from the parameter {number(min(a.value, b.value))} to "
                f"{number(max(a.value, b.value))} the risk in {up} rises and that in {down} falls, so there is no "
                "riskiest parameter. Calibrate to one of them and look at the other.",
                max(a.value, b.value),
            )
        if rising or falling:
            self.sign = 1 if rising else -1
        return bool(self.sign)

    def run(self) -> tuple[Point, Point]:
        """The riskiest point that meets the requirements, and its neighbour that fails."""
        while True:
            low, high = self.border()
            if low is not None and high is not None and self.axis.adjacent(low.value, high.value):
                return low, high
            if self.oracle.evaluations >= LIMIT:
                at = (low or high or self.ordered()[0]).value
                raise FamilyError(
                    f"No border was found with {LIMIT} parameters; the last were near {number(at)}. Does the family "
                    "return the same for the same parameter?",
                    at,
                )
            self._visit(self._next(low, high), low, high)

    def border(self) -> tuple[Point | None, Point | None]:
        """The riskiest point that meets the requirements, and the safest riskier point that fails."""
        points = self.ordered()
        low = next((p for p in reversed(points) if p.met), None)
        if low is not None:
            for p in points[: points.index(low)]:
                if not p.met and p.value not in self._doubted:
                    self._doubt(p, low)
        above = points if low is None else points[points.index(low) + 1 :]
        return low, next((p for p in above if not p.met), None)

    def _doubt(self, safer: Point, riskier: Point) -> None:
        """A point fails although a riskier one holds: the family is not monotone, or the bracket is too wide."""
        i = safer.failing if safer.failing is not None else 0
        if breaks(self.oracle.estimate(safer, i), self.oracle.meet[i]):  # even at its milder end
            raise FamilyError(
                f"The family is not monotone: {worded(self.oracle.meet[i])} fails at the parameter "
                f"{number(safer.value)} and holds at {number(riskier.value)}, where more risk was expected. "
                "Pass a bracket on which risk only grows or only falls.",
                safer.value,
            )
        self._doubted.add(safer.value)

    def _visit(self, value: float, low: Point | None, high: Point | None) -> None:
        before = self._span(low, high)
        point = self.oracle.at(value)
        if point is None:
            if low is not None and high is not None:
                self.oracle.reject_some(low, self.axis)
                left, right = sorted((low.value, high.value))
                raise FamilyError(
                    f"The family raised at the parameter {number(value)}, between {number(left)} and {number(right)} "
                    f"where it did not ({self.oracle.refusal(value)}). Pass a bracket on one side of it.",
                    value,
                ) from self.oracle.outside[value]
            return
        self.check_order(point)
        least = min((abs(h) for h in point.heights.values()), default=math.inf)
        slow = self._span(*self.border()) > before / 2 and not least < self._least / 4
        self._halve = slow and math.isfinite(before) and not self._halve
        self._least = min(self._least, least)

    def _next(self, low: Point | None, high: Point | None) -> float:
        guess = predicted(self.ordered(), self.place, len(self.oracle.meet))
        if low is None:
            return self._outwards(high, guess, -1) if high is not None else self.axis.low
        if high is None:
            return self._outwards(low, guess, +1)
        middle = self.axis.midpoint(low.value, high.value)
        if guess is None or self._halve:
            return middle
        value = self._whole(self._aimed(guess, low, high))
        inside = min(low.value, high.value) < value < max(low.value, high.value)
        return value if inside and value not in self.oracle.points else middle

    def _whole(self, place: float) -> float:
        """The parameter at a place; whole numbers are rounded to the safe side."""
        return self.axis.whole(self.parameter(place), self.sign > 0)

    def _aimed(self, guess: tuple[float, float], low: Point | None, high: Point | None) -> float:
        """The predicted border; once it is precise, a place just below it, then one just above the best point."""
        place, error = guess
        quarter = self.axis.width(self.parameter(place)) / 4
        if error > quarter:
            self._close = 0
            return place
        self._close += 1
        apart = quarter * 4.0 ** ((self._close - 1) // 2)  # widen while trials change nothing
        if low is not None and self.place(low.value) >= place - 2 * apart:
            return self.place(low.value) + (1.0 if self.axis.integer else 0.9) * 4 * apart
        if high is not None and self.place(high.value) <= place:
            return self.place(high.value) - 3.6 * apart
        return place - apart

    def _outwards(self, end: Point, guess: tuple[float, float] | None, way: int) -> float:
        """A parameter beyond all tried ones: in small steps towards more risk, in large steps towards less."""
        limit = self.axis.high if self.sign * way > 0 else self.axis.low
        beyond = [x for x in self.oracle.outside if (x - end.value) * self.sign * way > 0]  # refused by the family
        wall = min(beyond, key=lambda x: abs(x - end.value), default=None)
        at_wall = wall is not None and self.axis.adjacent(end.value, wall)
        if wall is not None and at_wall and way not in self._ended:
            self._ended.add(way)
            last = self.axis.shortest(end.value, wall)  # the domain may be closed
            if last is not None:
                return last
        if end.value == limit or at_wall:
            raise End(end, way, self.given_ends or wall is not None)
        moves = self._moves[way]
        self._moves[way] += 1
        unit = 1.0 if self.axis.logarithmic else (self.axis.high - self.axis.low) / 10
        cap = unit * (1.4 * 1.5**moves if way > 0 else 4.6 * 2.0**moves)
        here = self.place(end.value)
        place = here + way * cap
        if guess is not None:
            aim = self._aimed(guess, end if way > 0 else None, end if way < 0 else None)
            if way < 0 and moves > 2:  # predictions keep falling short: the risk levels off
                aim = here + (aim - here) * 2.0 ** (moves - 2)
            if way * (aim - here) > 0:
                place = min(aim, place) if way > 0 else max(aim, place)
        value = self._whole(place)
        if self.axis.integer and value == end.value:
            value = min(max(end.value + self.sign * way, self.axis.low), self.axis.high)
        if wall is not None and (value - wall) * self.sign * way >= 0:
            value = self._short_of(end, wall, way)
        return value if value != end.value else limit

    def _short_of(self, end: Point, wall: float, way: int) -> float:
        """A parameter between an accepted and a refused one; domains often end at a power of ten."""
        if end.value > 0 and end.value == 10.0 ** round(math.log10(end.value)):
            close = end.value + self.sign * way
            if not self.axis.integer:
                close = self.parameter(self.place(end.value) + way * 0.9 * self.axis.width(end.value))
            if (wall - close) * self.sign * way > 0:
                return close
        return self.axis.midpoint(end.value, wall)

    def _span(self, low: Point | None, high: Point | None) -> float:
        return math.inf if low is None or high is None else self.place(high.value) - self.place(low.value)

    def check_order(self, point: Point) -> None:
        """Raise if neighbouring points are provably in the wrong order."""
        points = self.ordered()
        at = points.index(point)
        for safer, riskier in itertools.pairwise(points[max(at - 1, 0) : at + 2]):
            for i in safer.answers.keys() & riskier.answers.keys():
                if self.oracle.provably_riskier(i, safer, riskier):
                    raise FamilyError(
                        f"The family is not monotone: {self.oracle.meet[i].question} is {number(safer.answers[i])} at "
                        f"the parameter {number(safer.value)} and {number(riskier.answers[i])} at "
                        f"{number(riskier.value)}, where more risk was expected. Pass a bracket on which risk only "
                        "grows or only falls.",
                        safer.value,
                    )
