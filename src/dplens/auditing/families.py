"""The smallest parameter of a family that is consistent with a measurement (Liu et al. 2019, §5.3.1)."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from dplens import _validate
from dplens.auditing.measured import Refutation
from dplens.mechanisms.additive import Laplace
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.finite import RandomizedResponse
from dplens.mechanisms.guarantees import ApproximateDP, Exponential, GaussianDP, ZeroConcentratedDP

FAMILIES: dict[str, tuple[str, Callable[[float], Mechanism]]] = {
    "gaussian": ("mu", lambda mu: GaussianDP(mu=mu)),
    "laplace": ("epsilon", lambda e: Laplace(scale=1 / e)),
    "randomized_response": ("epsilon", lambda e: RandomizedResponse(epsilon=e)),
    "exponential": ("epsilon", lambda e: Exponential(epsilon=e)),
    "approximate_dp": ("epsilon", lambda e: ApproximateDP(epsilon=e)),
    "zcdp": ("rho", lambda rho: ZeroConcentratedDP(rho=rho)),
}


@dataclass(frozen=True, kw_only=True)
class Least:
    """The smallest parameter of a family that a measurement does not refute.

    value: a lower bound on the true parameter, if the release belongs to the family. mechanism: the mildest member that
    is not refuted, adjacent to ``value``. Its curve is Liu's PR_optimalLow, the best attack on the mildest member that
    explains the measurement; assessments of it note that the true risk may be higher. refutation: the verdict at
    ``value``, None if nothing is refuted.
    """

    family: str
    parameter: str
    value: float
    mechanism: Any
    refutation: Refutation | None


def least_consistent(
    refutes: Callable[[Any], Any],
    family: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    close: float = 1e-7,
) -> Least:
    """Bisect for the parameter, to relative accuracy ``close`` from below; leakage must grow with it."""
    if isinstance(family, type):
        remedy = "Say how the number enters it: lambda x: Gaussian(sigma=1 / x), say."
        raise _validate.reject_type("family", "to be a name or a function from a number to a mechanism", family, remedy)
    if callable(family):
        name, parameter = getattr(family, "__name__", "family"), "parameter"
        made = partial(_validate.made, "family", family)
    else:
        name = _validate.one_of("family", family, tuple(FAMILIES))
        parameter, made = FAMILIES[name]
    least = _validate.positive("low", 1e-6 if low is None else low)
    most = _validate.real("high", 1e4 if high is None else high, f"> low ({least:g})", lambda x: least < x < math.inf)

    def answer(value: float, at: float, refutation: Any) -> Least:
        """Mark the member: unlike a description of a release, only a lower bound supports it."""
        member = copy.copy(made(at))
        object.__setattr__(member, "_mildest", True)
        return Least(family=name, parameter=parameter, value=value, mechanism=member, refutation=refutation)

    first = refutes(made(least))
    if not first:
        if high is not None and refutes(made(most)):
            shown = _validate.Shown(f"one that is refuted at {most:g} and not at {least:g}")
            remedy = "Turn its parameter round: lambda x: Gaussian(sigma=1 / x), say."
            raise _validate.reject("family", "to leak more the larger its parameter", shown, remedy)
        return answer(0.0 if low is None else least, least, None)
    top = min(max(1.0, 2 * least), most)
    found = refutes(made(top))
    while found and top < most:
        least, first, top = top, found, min(4 * top, most)
        found = refutes(made(top))
    if found:
        return answer(most, most, found)
    while top > least * (1 + close):
        middle = math.sqrt(least * top)
        at = refutes(made(middle))
        if at:
            least, first = middle, at
        else:
            top = middle
    return answer(least, top, first)
