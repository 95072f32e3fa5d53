"""Frames about the amount of noise: attack power against noise, F-score against epsilon."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from dplens import _validate
from dplens.decide.comparison.noise_error import NOISE_PARAMETERS, scaled_noise
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import as_curve
from dplens.mechanisms.combined import Failing, Grouped
from dplens.mechanisms.composed import Composed, Subsampled
from dplens.mechanisms.guarantees import ApproximateDP
from dplens.present.frames.base import ChartFrame, Row, is_one_of, table
from dplens.risk.bayes import FScore, naming_everyone
from dplens.risk.conversions import Epsilon
from dplens.risk.rates import AttackPower

# From half the present noise to four times as much, denser where there is little and curves are steep.
FACTORS = (0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
_LISTED = (0.5, 1.0, 2.0)


def power_against_noise(
    mechanism: Any, *, fprs: Sequence[float] = (0.001, 0.01, 0.1), factors: Sequence[float] = FACTORS
) -> ChartFrame:
    """Power of the best attack against the noise, from half the present noise to four times as much.

    For releases whose noise has a size: Gaussian, Laplace, geometric, DP-SGD, and what is made of them.
    """
    rates = tuple(_validate.open_probability("fprs", a) for a in _listed("fprs", fprs))
    steps = [_validate.positive("factors", x) for x in _listed("factors", factors)]
    family = _family(mechanism, steps)
    parameter, present = noise_parameter(mechanism) or (None, 1.0)
    rows = [row for factor, release in family for row in _powers_at(release, rates, factor, present)]
    rows.sort(key=lambda row: (row["fpr"], row["factor"]))
    facts = {
        "parameter": parameter,
        "present": present,
        "fprs": list(rates),
        "powers": [AttackPower(fpr=fpr).of(mechanism) for fpr in rates],
    }
    return ChartFrame(kind="power_noise", rows=tuple(rows), facts=facts, certificate=as_curve(mechanism).certificate)


def _listed(name: str, values: Any) -> list[float]:
    """One number or several, in order."""
    array = np.atleast_1d(_validate.as_array(name, values))
    if array.ndim != 1 or not len(array):
        raise _validate.reject(name, "to be a number or a list of them", values)
    return array.tolist()


def _powers_at(release: Any, rates: Sequence[float], factor: float, unit: float) -> list[Row]:
    """The power at all rates; for the present release as single answers, to match other places."""
    curve = as_curve(release)
    if factor == 1:
        answers = [AttackPower(fpr=fpr).of(curve) for fpr in rates]
        low, high = [answer.low for answer in answers], [float(answer) for answer in answers]
    else:
        low, high = curve.power_bounds(np.array(rates), 1 - np.array(rates))
    route, listed = curve.certificate.route, is_one_of(factor, _LISTED)
    return table(fpr=rates, factor=factor, noise=factor * unit, power=high, power_low=low, route=route, listed=listed)


def fscore(
    mechanism: Any,
    *,
    weight: float = 1.0,
    prior: float = 0.5,
    delta: float = 1e-6,
    factors: Sequence[float] = FACTORS,
) -> ChartFrame:
    """The attacker's best F-score against epsilon at ``delta``, as the noise of the release grows and shrinks.

    Beside it, what the pair (epsilon, delta) alone would allow: the F-score of the worst release with that guarantee.
    Where the noise has no size, the release is one point.
    """
    question = FScore(weight=weight, prior=prior)
    delta = _validate.probability("delta", delta)
    steps = [_validate.positive("factors", x) for x in _listed("factors", factors)]
    try:
        family = _family(mechanism, steps)
    except Undefined:
        family = [(1.0, mechanism)]
    own = [(factor, Epsilon(delta=delta).of(release), question.of(release)) for factor, release in family]
    known = [(factor, e, f) for factor, e, f in own if math.isfinite(e)]
    rows = [_fscore_row("release", factor, e, f) for factor, e, f in known]
    largest = max((float(e) for _, e, _ in known), default=5.0) or 1.0
    largest = 2 * largest if len(known) == 1 else largest
    least = min((float(e) for _, e, _ in known), default=0.01)
    for epsilon in np.linspace(min(least, largest / 50), largest, 17):
        answer = question.of(ApproximateDP(epsilon=float(epsilon), delta=delta))
        rows.append(_fscore_row("guarantee", None, float(epsilon), answer))
    present = Epsilon(delta=delta).of(mechanism)
    if math.isfinite(present):
        answer = question.of(ApproximateDP(epsilon=float(present), delta=delta))
        rows.append(_fscore_row("guarantee", 1.0, present, answer))
    rows.sort(key=lambda row: (row["series"] != "release", row["epsilon"]))
    facts = {
        "weight": question.weight,
        "prior": question.prior,
        "delta": delta,
        "epsilon": present,
        "score": question.of(mechanism),
        "everyone": naming_everyone(question.weight, question.prior),  # reached by naming everyone
    }
    return ChartFrame(kind="fscore", rows=tuple(rows), facts=facts, certificate=as_curve(mechanism).certificate)


def _fscore_row(series: str, factor: float | None, epsilon: float, answer: Estimate) -> dict[str, Any]:
    return {
        "series": series,
        "factor": factor,
        "epsilon": float(epsilon),
        "epsilon_low": epsilon.low if isinstance(epsilon, Estimate) else float(epsilon),
        "fscore": float(answer),
        "fscore_low": answer.low,
        "route": answer.route,
        "listed": factor is not None and is_one_of(factor, _LISTED),
    }


def _family(mechanism: Any, factors: Sequence[float]) -> list[tuple[float, Any]]:
    as_curve(mechanism)  # raises if it is none
    made = scaled_noise(mechanism)
    if made is None:
        raise Undefined(
            f"{type(mechanism).__name__} has no noise whose size could be changed. Draw it against a parameter of its "
            "own by asking a question of each value."
        )
    return [(factor, mechanism if factor == 1 else made(factor)) for factor in factors]


def noise_parameter(mechanism: Any) -> tuple[str, float] | None:
    """The name and value of the only noise parameter of a release; None if it has none or several."""
    name = NOISE_PARAMETERS.get(type(mechanism))
    if name is not None:
        return name, float(getattr(mechanism, name))
    if isinstance(mechanism, Composed):
        found = {noise_parameter(part) for part, _ in mechanism.parts}
        return found.pop() if len(found) == 1 else None
    if isinstance(mechanism, (Subsampled, Grouped, Failing)):
        return noise_parameter(mechanism.mechanism)
    return None
