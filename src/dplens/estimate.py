"""What a number is worth: the certificate of a curve, and an estimate with both its ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dplens import _validate


@dataclass(frozen=True)
class Certificate:
    """How a curve is known.

    route: ``"exact"`` (closed form or finite sum), or the numerical method used.
    tolerance: relative half-width of the bracket that the route claims for power, beta and delta; of exact curves from
    alpha = 1e-300 on, of numerical ones from 1e-13 on, or at epsilon 0 alone where the note says so. Further
    out, as anywhere, rely on an answer's ``low`` and ``high``.
    note: what the claim rests on, when it rests on more than arithmetic.
    why: why a composition used this route.
    """

    route: str
    tolerance: float
    note: str = ""
    why: str = ""

    def __post_init__(self) -> None:
        _validate.text("route", self.route)
        object.__setattr__(self, "tolerance", _validate.at_least_zero("tolerance", self.tolerance))
        _validate.text("note", self.note)
        _validate.text("why", self.why)


class Estimate(float):
    """A float on the safe side of the truth, with the bracket ``low`` ≤ truth ≤ ``high``.

    The float equals ``high`` where more is riskier and ``low`` where less is riskier (an attacker's cost,
    the false-positive rate they need).

    >>> e = Estimate(0.3, low=0.29, high=0.3)
    >>> e + 0, e.low, e.high
    (0.3, 0.29, 0.3)
    """

    __slots__ = ("_certificate", "high", "low")
    low: float
    high: float
    _certificate: Any

    def __new__(
        cls,
        value: float,
        *,
        low: float,
        high: float,
        certificate: Certificate | Callable[[], Certificate] | None = None,
    ) -> Estimate:
        if not (type(value) is float and type(low) is float and type(high) is float and low <= value <= high):
            value, low, high = _checked(value, low, high)
        if not (certificate is None or isinstance(certificate, Certificate) or callable(certificate)):
            raise _validate.reject_type("certificate", "to be a Certificate, or a function that makes one", certificate)
        self = super().__new__(cls, value)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)
        object.__setattr__(self, "_certificate", certificate)
        return self

    @property
    def certificate(self) -> Certificate | None:
        """How the curve is known that the answer was read from; worked out when it is asked for."""
        found = self._certificate
        if found is not None and not isinstance(found, Certificate):
            found = found()
            object.__setattr__(self, "_certificate", found)
        return found

    @property
    def route(self) -> str:
        """How the number is known: ``"exact"``, or the numerical method; ``"unknown"`` without a certificate."""
        return self.certificate.route if self.certificate else "unknown"

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"an Estimate is immutable; cannot set {name!r}")

    def __repr__(self) -> str:
        return f"Estimate({float(self)!r}, low={self.low!r}, high={self.high!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (float(self), self.low, self.high, self.certificate)

    def to_dict(self) -> dict[str, Any]:
        """The estimate as plain values, for serialising."""
        route = self.certificate.route if self.certificate else None
        return {"value": float(self), "low": self.low, "high": self.high, "route": route}


def _checked(value: Any, low: Any, high: Any) -> tuple[float, float, float]:
    """The three as floats, in order; an error says what they are not."""
    found = [_number(name, x) for name, x in (("value", value), ("low", low), ("high", high))]
    if not found[1] <= found[2]:
        raise _validate.reject("low", f"to be at most high = {found[2]!r}", low)
    if not found[1] <= found[0] <= found[2]:
        raise _validate.reject("value", f"to lie between low = {found[1]!r} and high = {found[2]!r}", value)
    return found[0], found[1], found[2]


def _number(name: str, x: Any) -> float:
    return _validate.real(name, x, "to be a number", lambda _: True)


def _rebuild(value: float, low: float, high: float, certificate: Certificate | None) -> Estimate:
    return Estimate(value, low=low, high=high, certificate=certificate)
