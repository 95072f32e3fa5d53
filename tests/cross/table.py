"""What a line of the list says, and how a peer's number is held against ours.

A line is mechanism × quantity × peer × tolerance. A comparison must agree; an exclusion is a place where the peer
does not give the number, with the digits it gets right against an independent high-precision value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import dplens as dl

DP_ACCOUNTING, RISKCAL = "dp-accounting", "riskcal"

# Relative rounding granted to our own side of every comparison: the accuracy that is promised for delta.
OWN = 1e-10

# ---- what is read ----------------------------------------------------------------------------------------


def _delta(mechanism: Any, epsilon: float) -> float:
    """The profile of both directions, continued to epsilon < 0 (1 − e^eps + e^eps·delta(−eps))."""
    if epsilon < 0:
        return -math.expm1(epsilon) + math.exp(epsilon) * _delta(mechanism, -epsilon)
    return mechanism.tradeoff().delta(epsilon)


def _loss_at(mechanism: Any, output: float) -> float:
    return math.log(dl.Attack(mechanism).likelihood_ratio(output))


QUANTITIES: dict[str, Callable[[Any, float], float]] = {
    "delta": _delta,
    "epsilon": lambda m, delta: m.tradeoff().epsilon(delta),
    "beta": lambda m, alpha: m.tradeoff()(alpha),
    "power": lambda m, alpha: m.tradeoff().power(alpha),
    "renyi": lambda m, order: m.tradeoff().renyi(order),
    "advantage": lambda m, _: dl.Advantage().of(m),
    "bayes error": lambda m, prior: dl.Cost(prior=prior).of(m),
    "loss of an output": _loss_at,
    "P(loss > x) under H1": lambda m, x: dl.PrivacyLoss.of(m).h1.sf(x),
}

# ---- how far apart ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Close:
    """The peer computes the same number; only rounding (or a stated search tolerance) lies between."""

    relative: float
    reason: str
    absolute: float = 0.0
    side: str = ""  # "above" or "below": the peer claims a bound as well

    def band(self, quantity: str, read: Callable[[float], float], x: float) -> tuple[float, float]:
        ours = read(x)
        if math.isinf(ours):
            return ours, ours
        width, own = self.relative * abs(ours) + self.absolute, OWN * abs(ours)
        return ours - (own if self.side == "above" else width), ours + (own if self.side == "below" else width)

    def __str__(self) -> str:
        sizes = [
            f"{kind} {size:g}" for kind, size in (("relative", self.relative), ("absolute", self.absolute)) if size
        ]
        return " + ".join(sizes) + (f", {self.side} ours" if self.side else "")


@dataclass(frozen=True)
class Grid:
    """The peer rounds every privacy loss to a grid, one way, and moves a tail to the same side.

    Pessimistic: each loss rises by at most ``step`` and mass at most ``tail`` becomes infinite, so
    delta(e) ≤ peer ≤ delta(e − step) + tail, and epsilon(d) ≤ peer ≤ epsilon(d − tail) + step. Optimistic: the
    mirror image. Both ends are theorems; nothing is fitted.
    """

    step: float
    tail: float
    reason: str
    pessimistic: bool = True

    def band(self, quantity: str, read: Callable[[float], float], x: float) -> tuple[float, float]:
        ours, sign = read(x), 1 if self.pessimistic else -1
        if quantity == "epsilon":
            far = read(max(x - sign * self.tail, 0.0)) + sign * self.step
        else:
            far = read(x - sign * self.step) + sign * self.tail
        if math.isinf(far) and math.isinf(ours):
            return ours, ours
        low, high = sorted((ours, far))
        return low - OWN * abs(low), high + OWN * abs(high)

    def __str__(self) -> str:
        side = "above ours" if self.pessimistic else "below ours"
        return f"{side}, by a loss of at most {self.step:g} and a mass of at most {self.tail:g}"


@dataclass(frozen=True)
class Bound:
    """The peer claims a bound only: at least (or at most) our value, and not absurdly far from it."""

    within: float
    reason: str
    above: bool = True

    def band(self, quantity: str, read: Callable[[float], float], x: float) -> tuple[float, float]:
        ours = read(x)
        if self.above:
            return ours * (1 - 10 * OWN), ours * (1 + self.within)
        return ours * (1 - self.within), ours * (1 + 10 * OWN)

    def __str__(self) -> str:
        return f"{'above' if self.above else 'below'} ours, by at most {self.within:g} of it"


# ---- the lines -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """One agreement. ``mechanism`` may be a function of the argument where the peer chooses the noise.

    since: the first version of a peer that computes this, as "package version"; empty if all that can be installed do.
    """

    mechanism: Any
    quantity: str
    peer: str
    theirs: Callable[[float], float]
    at: tuple[float, ...]
    tolerance: Close | Grid | Bound
    label: str = ""
    since: str = ""

    @property
    def name(self) -> str:
        return f"{self.label or describe(self.mechanism)} | {self.quantity} | {self.peer}"

    def ours(self, x: float) -> float:
        mechanism = self.mechanism if hasattr(self.mechanism, "tradeoff") else self.mechanism(x)
        return float(QUANTITIES[self.quantity](mechanism, x))

    def complaints(self) -> list[str]:
        """The arguments at which the peer's number lies outside the tolerance."""
        bad = []
        for x in self.at:
            low, high = self.tolerance.band(self.quantity, self.ours, x)
            theirs = float(self.theirs(x))
            if not low <= theirs <= high:
                bad.append(f"at {x!r}: peer {theirs!r}, ours {self.ours(x)!r}, allowed [{low!r}, {high!r}]")
        return bad


@dataclass(frozen=True)
class Exclusion:
    """One place where the peer's number is not to be compared with.

    truth: the independent value. digits: how many the peer gets right, −log10 of its relative error, the worst over
    ``at`` (−62: wrong by 62 orders of magnitude; −inf: there is no number). errs: the side on which it lies ("high",
    "low", "" if that is chance). gives: what it answers, "number", "inf", "nan" or the name of an exception.
    """

    mechanism: Any
    quantity: str
    peer: str
    version: str
    theirs: Callable[[float], float]
    at: tuple[float, ...]
    truth: Callable[[float], Any]
    digits: float
    errs: str
    gives: tuple[str, ...]
    reason: str

    @property
    def name(self) -> str:
        return f"{describe(self.mechanism)} | {self.quantity} | {self.peer}"

    def ours(self, x: float) -> float:
        return float(QUANTITIES[self.quantity](self.mechanism, x))


def describe(mechanism: Any) -> str:
    """A mechanism by its parameters, leaving defaults and scipy's addresses out."""
    text = repr(mechanism).replace("neighbours='add_remove', ", "")
    return text if "object at" not in text else f"{type(mechanism).__name__}(…)"
