"""The critical value of a difference of two counts under noise with a density, proven at every common proportion."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from dplens._numerics.search import sign_change
from dplens.errors import Undefined

if TYPE_CHECKING:
    from dplens.utility.pair import Pair

_MARGIN = 5e-4  # relative: what is left of the level makes the proof easy
_SMALL = 1e-7  # levels that are too small for transforms
_STILL = 4  # doublings without a change after which a tail is taken for one that is known no better
_MANY = 500_000  # pairs of counts that take longer than a coarse line
_WIDTH, _NEAR, _TIMES = 1e-6, 1e-4, 6  # of the first search; of a correction, and how often there is one


def critical_of_density(pair: Pair, upper: bool, level: float, common: tuple[float, float]) -> float:
    """From a rough line to the first x, corrections by the hazard where sums are exact, then outwards to a proof."""
    sign, aim = (1 if upper else -1), math.log(level * (1 - _MARGIN))

    def exact(x: float) -> float:
        return _log(pair._seen(x, upper, 0.0, common, level < _SMALL)) - aim

    coarse = level >= _SMALL and (pair.n1 + 1) * (pair.n2 + 1) > _MANY

    def first(x: float) -> float:
        return _log(pair.rough(x, upper, common)) - aim if coarse else exact(x)

    x = _crossing(first, sign, pair.start())
    step = 1e-3 * pair.start()
    hazard = max((first(x - sign * step) - first(x)) / step, 1e-3 / pair.start())
    if coarse and not pair.quick:
        for _ in range(_TIMES):
            over = exact(x)
            if -_NEAR <= over <= 0:
                break
            x += sign * (over + _NEAR / 2) / hazard
    step = 3e-5 * max(abs(x), pair.noise.spread)
    while True:
        low, high = pair.worst(x, upper, 0.0, common, level)
        if high <= level:
            return x
        x += sign * max(step, (_log(low) - aim) / hazard)
        step *= 2


def _crossing(excess: Callable[[float], float], sign: int, unit: float) -> float:
    """Where an excess that falls outwards crosses 0, to about ``_WIDTH``; the outer end."""
    near, far, last, still = 0.0, sign * unit, math.inf, 0
    while (over := excess(far)) > 0:
        near, far = far, 2 * far
        still = still + 1 if over >= last - 1e-6 else 0
        last = over
        if still == _STILL or abs(far) > 1e300:
            raise Undefined(
                "No critical value keeps the level: the tails of the noise are not known to be that small. Use a "
                "larger level, or noise whose tails are known closely, such as dplens.Laplace or dplens.Gaussian."
            )
    if near == 0 and excess(near) <= 0:  # more than half of all releases reject: a level above one half
        near = -far
        while excess(near) <= 0:
            near *= 2
    _, found = sign_change(
        lambda x: np.array([excess(float(v)) for v in x]), np.array([near]), np.array([far]), width=_WIDTH
    )
    return float(found[0])


def _log(x: float) -> float:
    return math.log(max(x, 5e-324))
