"""Planning without the data: every value carries its source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.analyst.laws.noise import noise_of
from dplens.analyst.laws.published import alone
from dplens.mechanisms.base import Mechanism
from dplens.telling import Figure, Told

SOURCES = ("public", "worst_case", "private_estimate", "not_stated")


@dataclass(frozen=True, kw_only=True)
class PlanningValue:
    """A number, or table of numbers, on which a plan is based, with its source (Fondeville §5.2).

    source: ``"public"`` (known before looking at the data), ``"worst_case"`` (no data can be worse),
    ``"private_estimate"`` (from a noisy release that used up budget) or ``"not_stated"``, which is treated like public
    knowledge but reported as not stated. note: a short remark for readers.
    confidence: that of a bound; intervals subtract the chance that it fails. release: the mechanism with which an
    estimate was released. It is included wherever noise is chosen for a plan that uses the value, once for each
    ``PlanningValue``: pass the same object to all tests that share it. Tests accept planning values in place of
    numbers, and results show them.

    >>> import dplens as dl
    >>> sd = dl.PlanningValue(value=0.5, source="worst_case", note="binary data")
    >>> t = dl.MeanTest(n=100, sd=sd, effect=0.2)
    >>> t.sources()["sd"].source, t.sources()["n"].source
    ('worst_case', 'not_stated')
    """

    value: Any
    source: str = "not_stated"
    note: str = ""
    confidence: float = 1.0
    release: Any = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "value", _finite(self.value))
        sure = _validate.real("confidence", self.confidence, "in (0, 1]", lambda x: 0 < x <= 1)
        object.__setattr__(self, "confidence", sure)
        _validate.one_of("source", self.source, SOURCES)
        _validate.instance("note", self.note, str, "to be a few words")
        if self.release is None:
            return
        _validate.instance("release", self.release, Mechanism, "to be the mechanism that the value was released with")
        if self.source != "private_estimate":
            remedy = "What was read from a release has the source 'private_estimate'."
            raise _validate.reject("release", f"to be left out with the source {self.source!r}", self.release, remedy)

    def __float__(self) -> float:
        return self.value

    @property
    def declared(self) -> bool:
        """Whether it counts as known before looking at the data."""
        return self.source in ("public", "not_stated")

    @property
    def shown(self) -> str:
        """The value with six digits."""
        return _shown(self.value)

    @property
    def origin(self) -> str:
        """The source in words, with the note."""
        return Told("planned-source", source=self.source, noted="yes" if self.note else "no", note=self.note)

    def sentence(self, name: str) -> str:
        """The value as it would be stated in a plan."""
        return Told("planned-value", name=_validate.text("name", name), shown=Figure(self.shown), origin=self.origin)


def _finite(value: Any) -> Any:
    if not isinstance(value, (Sequence, np.ndarray)) or isinstance(value, (str, bytes)):
        return _validate.real("value", value, "to be finite", math.isfinite)
    most = float(np.finfo(float).max)
    return _nested(_validate.floats("value", value, "finite", -most, most).tolist())


def _nested(values: Any) -> Any:
    return tuple(_nested(v) for v in values) if isinstance(values, list) else values


def _shown(value: Any) -> str:
    return f"[{', '.join(_shown(v) for v in value)}]" if isinstance(value, tuple) else f"{value:g}"


def finite_pair(name: str, value: Any, rule: str, remedy: str = "") -> tuple[float, float]:
    """Two finite numbers."""
    pair = _validate.pair(name, value, rule, remedy)
    first, second = (_validate.real(f"{name}[{i}]", x, "to be finite", math.isfinite) for i, x in enumerate(pair))
    return first, second


def bounds_of(name: str, bounds: Any) -> tuple[float, float]:
    """(lo, hi) with lo < hi."""
    remedy = "Pass the least and the largest possible value."
    low, high = finite_pair(name, bounds, "to be a pair (lo, hi)", remedy)
    if not low < high:
        raise _validate.reject(name, "with lo < hi", bounds, "The range that every value is known to lie in.")
    if not math.isfinite(high - low):
        raise _validate.reject(name, "with a finite width hi − lo", bounds)
    return low, high


def worst_case_sd(bounds: tuple[float, float]) -> PlanningValue:
    """The largest standard deviation that values in ``bounds`` = (lo, hi) can have: (hi − lo)/2 (Popoviciu 1935).

    >>> worst_case_sd((0, 1)).value
    0.5
    """
    low, high = bounds_of("bounds", bounds)
    return PlanningValue(value=(high - low) / 2, source="worst_case", note=f"values in [{low:g}, {high:g}]")


def private_n(observed: float, mechanism: Any, *, confidence: float = 0.95) -> PlanningValue:
    """A lower confidence bound on the number of records, from a noisy count of them, for use in a plan.

    observed: the published count. mechanism: its noise. The true n lies below the bound with probability at most
    1 − ``confidence``, so a plan based on it is conservative. Privacy does not depend on that confidence: means are
    divided by at least the planned n, see ``sensitivity_at``, and neighbours differ by default by adding or removing a
    record. Tests of a total (sum, count) need the exact number of records and refuse a bound. The value records the
    mechanism, so that the privacy loss of the count is included wherever noise is chosen for such a plan.

    >>> import dplens as dl
    >>> dl.private_n(1003, dl.Geometric(scale=2.0), confidence=0.99).value
    995.0
    """
    x = _validate.real("observed", observed, "to be finite", math.isfinite)
    confidence = _validate.open_probability("confidence", confidence)
    share = 1 - confidence
    if mechanism is None:
        remedy = "A count without noise is public: pass it as n itself."
        raise _validate.reject("mechanism", "to be the noise that the count was published with", None, remedy)
    law = alone(noise_of(mechanism))
    changed = getattr(mechanism, "sensitivity", 1.0)
    if changed < 1 and getattr(mechanism, "neighbours", "") == "add_remove":
        remedy = "One record that is added or removed changes a count by 1: it would protect less than it says."
        raise _validate.reject("mechanism", "with a sensitivity of at least 1", mechanism, remedy)
    if law.step is not None and x != math.floor(x):
        raise _validate.reject("observed", "to be a whole number, as the noise is", observed)
    # the smallest n with P(n + noise ≥ observed) > share: beyond observed minus the quantile
    bound = x - law.quantile(share, +1)
    n = math.floor(bound) + 1 if law.step is not None or bound == math.floor(bound) else math.ceil(bound)
    if n < 1:
        raise _validate.reject(
            "observed",
            f"to leave a lower bound of at least 1 record at confidence {confidence:g}",
            observed,
            f"The bound is {n}: spend a larger share of the budget on the count.",
        )
    note = f"lower {100 * confidence:g} % confidence bound from a noisy count of {x:g}"
    release = mechanism if isinstance(mechanism, Mechanism) else None
    return PlanningValue(value=float(n), source="private_estimate", note=note, confidence=confidence, release=release)
