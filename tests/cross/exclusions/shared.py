"""One line about one package, and the true values that several lines need."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.cross.table import DP_ACCOUNTING, RISKCAL, Exclusion
from tests.reference.oracles.guarantees import RenyiCurve
from tests.reference.oracles.numerics import mp, mpf

NUMBER = "number"
LOOKED_AT = {DP_ACCOUNTING: "0.6.0", RISKCAL: "1.5.1"}


def lines_about(package: str) -> Callable[..., Exclusion]:
    """What makes a line about one package, at the version that was looked at."""

    def make(mechanism, quantity, peer, theirs, *, at, truth, reason, digits=-math.inf, errs="", gives=(NUMBER,)):
        call, version = f"{package}: {peer}", f"{package} {LOOKED_AT[package]}"
        arguments = at if isinstance(at, tuple) else (at,)
        return Exclusion(mechanism, quantity, call, version, theirs, arguments, truth, digits, errs, gives, reason)

    return make


# ---- true values -----------------------------------------------------------------------------------------


def laplace_renyi(epsilon: Any) -> Callable[[float], Any]:
    """Mironov (2017), Proposition 6."""

    def value(order):
        a, e = mpf(order), mpf(epsilon)
        if a == mp.inf:
            return e
        forth, back = a / (2 * a - 1) * mp.exp((a - 1) * e), (a - 1) / (2 * a - 1) * mp.exp(-a * e)
        return mp.log(forth + back) / (a - 1)

    return value


def one_order(order: Any, epsilon: Any) -> RenyiCurve:
    """The least beta that one Rényi inequality leaves, in both directions."""
    return RenyiCurve([order], [epsilon])


def concentrated(rho: float, order: str) -> RenyiCurve:
    """rho-zCDP at the order that is best for the alpha in question (found by search, written down by the caller)."""
    return one_order(mpf(order), mpf(rho) * mpf(order))
