"""Frames about the analyst: the cost of noise for a test, and the noise that suits both sides."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dplens import _validate
from dplens.decide.comparison.noise_error import scaled_noise
from dplens.errors import Undefined
from dplens.estimate import Certificate, Estimate
from dplens.present.frames.base import ChartFrame, Row, is_one_of


def analyst_power(test: Any, *, mechanism: Any = None, effects: Sequence[float] | None = None) -> ChartFrame:
    """Power of the analyst's test against the true effect: without noise, with that of the mechanism, with twice it.

    test: for instance a ``dplens.MeanTest``. effects: by default from none to twice the planned one, or to the largest
    that is possible. Power is not promised too high: the number is the lower end of its bracket, ``power_high`` the
    other.
    """
    if not all(hasattr(test, name) for name in ("power", "effect", "level")):
        remedy = "Pass for instance dplens.MeanTest(n=100, sd=0.25, effect=0.2)."
        raise _validate.reject_type("test", "to be a test of the analyst", test, remedy)
    planned = float(test.effect)
    largest = abs(getattr(test, "largest_effect", lambda: math.inf)())
    end = math.copysign(min(2 * abs(planned), largest), planned)
    grid = np.linspace(0.0, end, 31) if effects is None else _validate.as_array("effects", effects)
    shown = sorted({*(float(e) for e in np.ravel(grid)), planned}, key=abs)
    series: list[tuple[str, Any]] = [("none", None)]
    if mechanism is not None:
        scaled = scaled_noise(mechanism)
        series += [("noise", mechanism), *([("twice", scaled(2.0))] if scaled is not None else [])]
    rows: list[Row] = []
    for name, noise in series:
        for effect in shown:
            answer = _power(test, noise, effect)
            row = {"series": name, "effect": effect, "power": float(answer), "power_high": answer.high}
            rows.append({**row, "route": answer.route, "listed": is_one_of(effect, (planned,))})
    planned_power = {name: _power(test, noise, planned) for name, noise in series}
    facts = {"effect": planned, "level": float(test.level), **{f"power_{n}": p for n, p in planned_power.items()}}
    certificate = planned_power[series[-1][0]].certificate or Certificate("unknown", math.inf)
    return ChartFrame(kind="analyst_power", rows=tuple(rows), facts=facts, certificate=certificate)


def _power(test: Any, noise: Any, effect: float) -> Estimate:
    found = test.power(noise, effect=effect)
    return found if isinstance(found, Estimate) else Estimate(float(found), low=float(found), high=float(found))


def feasible(decision: Any) -> ChartFrame:
    """For each family of noise, the least amount that meets the limits and the most that leaves the analyst's power.

    decision: what ``dplens.privacy_first`` or ``dplens.utility_first`` returned. A range whose low end lies above its
    high end is empty: nothing serves both.
    """
    options = getattr(decision, "options", None)
    if options is None:
        remedy = "Pass what dplens.privacy_first or dplens.utility_first returns."
        raise _validate.reject_type("decision", "to be a decision", decision, remedy)
    best, rows = decision.recommended, []
    for option in options:
        found = option.feasible
        if found is None:
            continue
        low, high = float(found.low), float(found.high)
        rows.append(
            {
                "family": option.family,
                "parameter": found.parameter,
                "low": low if low > 0 else None,
                "high": high if math.isfinite(high) and high > 0 else None,
                "unbounded": math.isinf(high),
                "empty": bool(found.empty),
                "noise": option.noise if option.admissible else None,
                "recommended": best is not None and option.family == best.family,
                "listed": True,
            }
        )
    if not rows:
        raise Undefined("No family of noise has a range to show: none is admissible. The decision's sentences say why.")
    facts = {
        "recommended": None if best is None else best.family,
        "noise": None if best is None else best.noise,
        "empty": all(row["empty"] for row in rows),
        "families": [row["family"] for row in rows],
    }
    certificate = Certificate("calibrated", 0.0, "ends are met provably; they are not rounded to the other side")
    return ChartFrame(kind="feasible", rows=tuple(rows), facts=facts, certificate=certificate)
