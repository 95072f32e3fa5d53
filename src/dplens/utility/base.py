"""What every test of the analyst is: a frozen plan that can be asked for power, p-values and intervals."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dplens import _validate
from dplens._numerics.search import sign_change
from dplens.estimate import Certificate, Estimate
from dplens.utility.noise import Noise, WholeNoise, noise_of
from dplens.utility.planning import PlanningValue
from dplens.utility.results import Critical, Interval, Verdict
from dplens.utility.tails import TailLaw

if TYPE_CHECKING:
    from typing_extensions import Self

ALTERNATIVES = ("larger", "smaller", "two-sided")

_LEVEL = "The level is the chance of a false alarm that is accepted, for instance 0.05."


@dataclass(frozen=True, kw_only=True)
class AnalystTest(ABC):
    """A test on one published number.

    effect: by how much the truth is thought to differ from the hypothesised value ``null``, with its sign. level: the
    largest rejection probability under the null hypothesis; it holds with the noise. alternative: ``"larger"``,
    ``"smaller"`` or ``"two-sided"`` (rejects if either one-sided p-value is at most level/2). planning: sources of the
    values that the plan rests on; filled in from ``PlanningValue`` arguments.
    """

    effect: float
    null: float = 0.0
    level: float = 0.05
    alternative: str = "larger"
    planning: tuple[tuple[str, PlanningValue], ...] = ()

    def __post_init__(self) -> None:
        _validate.one_of("alternative", self.alternative, ALTERNATIVES)
        sources = _sources(self.planning)
        for f in fields(self):
            given = getattr(self, f.name)
            if isinstance(given, PlanningValue):
                sources[f.name] = given
                self._set(f.name, given.value)
            elif f.name in sources and given != sources[f.name].value:
                del sources[f.name]  # replaced by another number since
        self._set("planning", tuple(sources.items()))
        self._set("level", _validate.open_probability("level", self.level, _LEVEL))
        effect = _validate.real("effect", self.effect, "to be finite and not 0", lambda x: math.isfinite(x) and x != 0)
        if effect * {"larger": 1, "smaller": -1, "two-sided": math.copysign(1, effect)}[self.alternative] < 0:
            rule = f"{'> 0' if effect < 0 else '< 0'} with alternative {self.alternative!r}"
            raise _validate.reject("effect", rule, self.effect, "The effect is truth minus null hypothesis.")
        self._set("effect", effect)
        self._set("null", _validate.real("null", self.null, "to be finite", math.isfinite))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    neighbours: ClassVar[str] = "replace"  # n is public, so data sets of the same size are compared

    # ---- what a kind of test must say ----------------------------------------------------------------------

    @abstractmethod
    def _law(self, value: float, noise: Noise) -> TailLaw:
        """The law of the published number when the parameter has the given value; rises with it."""

    @abstractmethod
    def _limits(self) -> tuple[float, float]:
        """Between which values the parameter may lie."""

    def _noise(self, mechanism: Any) -> Noise:
        """The noise on the published number, refused where it does not belong."""
        noise = noise_of(mechanism)
        if isinstance(noise, WholeNoise) and not self._publishes_whole_numbers():
            raise _validate.reject(
                "mechanism",
                "to have noise with a density, as what is published is not a whole number",
                mechanism,
                "Whole-number noise would leave the digits behind the point as they are, and they give the data away. "
                "Publish a sum or count of whole numbers, or use dplens.Laplace or dplens.Gaussian.",
            )
        return noise

    def _accept(self, mechanism: Any) -> None:
        """Raise where the test cannot be made on a number with that noise."""
        self._noise(mechanism)

    def _publishes_whole_numbers(self) -> bool:
        return False

    def _observed(self, observed: Any, noise: Noise) -> float:
        """A published number as the statistic that is tested."""
        return _validate.real("observed", observed, "to be finite", math.isfinite)

    def _what(self) -> str:
        """The parameter in words."""
        return "the value"

    # ---- what can be asked --------------------------------------------------------------------------------

    def power(self, mechanism: Any = None, *, effect: float | None = None) -> Estimate:
        """The probability of rejecting the null hypothesis at the planned effect, or at ``effect``.

        mechanism: the noise on what is published; ``None`` for none. The critical value comes from the law of sampling
        error and noise together. The float is the lower end of the bracket: power is not promised too high.
        """
        noise = self._noise(mechanism)
        at = self.effect if effect is None else _validate.real("effect", effect, "to be finite", math.isfinite)
        region = self._remembered("region", mechanism, lambda: self._region(noise))
        law = self._law(self._alternative_value(at), noise)
        low = high = 0.0
        for bound, tail in ((region.high, law.upper), (region.low, law.lower)):
            if math.isfinite(bound):
                ends = tail(np.array([bound]))
                low, high = low + float(ends[0][0]), high + float(ends[1][0])
        return Estimate(min(low, 1.0), low=min(low, 1.0), high=min(high, 1.0), certificate=_certificate(law, low, high))

    def critical(self, mechanism: Any = None) -> Critical:
        """From which published numbers on the null hypothesis is rejected."""
        return self._published(self._region(self._noise(mechanism)))

    def p_value(self, observed: Any, mechanism: Any = None) -> Estimate:
        """The p-value of a published number, sampling error and noise together; the float is the upper end.

        Two-sided: twice the smaller of the one-sided ones, at most 1.
        """
        noise = self._noise(mechanism)
        x = np.array([self._observed(observed, noise)])
        law = self._null_law(noise)
        return _p_value(law, x, self.alternative)

    def interval(
        self, observed: Any, mechanism: Any = None, confidence: float = 0.95, *, alternative: str = "two-sided"
    ) -> Interval:
        """The values of the parameter that a published number does not reject, at level 1 − ``confidence``.

        By default both ends, each with half of the error; ``alternative="larger"`` leaves the upper end open.
        """
        noise = self._noise(mechanism)
        _validate.one_of("alternative", alternative, ALTERNATIVES)
        left = 1 - _validate.open_probability("confidence", confidence)
        x = self._observed(observed, noise)
        share = left / 2 if alternative == "two-sided" else left
        bottom, top = self._limits()
        low = self._limit(x, noise, share, +1) if alternative != "smaller" else bottom
        high = self._limit(x, noise, share, -1) if alternative != "larger" else top
        law = self._null_law(noise)
        return Interval(
            low=low,
            high=high,
            confidence=confidence,
            alternative=alternative,
            certificate=Certificate(law.route, law.width, law.note),
        )

    def decide(self, observed: Any, mechanism: Any = None, *, interval: bool = True) -> Verdict:
        """Whether a published number rejects the null hypothesis at the test's level, with p-value and interval.

        interval: whether to work out the interval too, which takes long where laws are simulated.
        """
        p = self.p_value(observed, mechanism)
        around = self.interval(observed, mechanism, 1 - self.level) if interval else None
        return Verdict(
            reject=float(p) <= self.level,
            p_value=p,
            interval=around,
            level=self.level,
            sentence=self._sentence(p, around, mechanism),
        )

    def sources(self) -> dict[str, PlanningValue]:
        """Every planning value with its source; a number given without one counts as public."""
        known = dict(self.planning)
        names = (f.name for f in fields(self) if f.name in self._planned())
        return {n: known.get(n) or PlanningValue(value=getattr(self, n), note="as declared") for n in names}

    def _planned(self) -> tuple[str, ...]:
        return ("n", "sd", "effect")

    def with_(self, **changes: Any) -> Self:
        """The same plan with some values changed."""
        return replace(self, **changes)

    def min_mu(
        self, *, max_power_loss: float | None = None, min_power: float | None = None, sensitivity: float | None = None
    ) -> Estimate:
        """The least mu of Gaussian noise under which the test still does its work (Fondeville §5.2).

        max_power_loss: the share of the power without noise that may be lost; or min_power: the power that must be
        left. sensitivity: of what is published; by default what the test's bounds imply. The float is large enough.

        >>> import dplens as dl
        >>> t = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, alternative="larger")
        >>> round(t.min_mu(max_power_loss=0.01, sensitivity=1/100), 4)
        0.286
        """
        from dplens.utility.limits import least_mu

        return least_mu(self, max_power_loss, min_power, sensitivity)

    def sensitivity_at(self, n: int | None = None) -> float:
        """The most that one record's replacement can change what is published, from the declared bounds."""
        raise _validate.reject(
            "sensitivity", "to be given", None, f"{type(self).__name__} has no bounds to derive it from."
        )

    # ---- how it is worked out -------------------------------------------------------------------------------

    def _alternative_value(self, effect: float) -> float:
        value = self.null + effect
        low, high = self._limits()
        if not low <= value <= high:
            raise _validate.reject("effect", f"in [{low - self.null:g}, {high - self.null:g}]", effect)
        return value

    def _null_law(self, noise: Noise) -> TailLaw:
        return self._law(self.null, noise)

    def _region(self, noise: Noise) -> Critical:
        law = self._null_law(noise)
        share = self.level / 2 if self.alternative == "two-sided" else self.level
        return Critical(
            low=-math.inf if self.alternative == "larger" else law.lower_quantile(share),
            high=math.inf if self.alternative == "smaller" else law.upper_quantile(share),
        )

    def _remembered(self, what: str, mechanism: Any, make: Callable[[], Any]) -> Any:
        """Made once for each mechanism: power at many effects has one critical value."""
        known = vars(self).setdefault("_known", {})
        try:
            if (what, mechanism) not in known:
                known[what, mechanism] = make()
            return known[what, mechanism]
        except TypeError:  # a mechanism that cannot be remembered
            return make()

    def _published(self, region: Critical) -> Critical:
        """A region of the tested statistic in units of what is published."""
        return region

    def _limit(self, x: float, noise: Noise, share: float, sign: int) -> float:
        """The end of an interval: the last value, from outside, at which x still lies in a tail of ``share``."""
        bottom, top = self._limits()

        def excess(value: float) -> float:
            law = self._law(value, noise)
            tail = law.upper if sign > 0 else law.lower
            return math.log(share) - math.log(max(float(tail(np.array([x]))[1][0]), 5e-324))

        outer, inner = (bottom, top) if sign > 0 else (top, bottom)
        if excess(outer) <= 0:
            return outer
        if excess(inner) > 0:
            return inner
        return crossing(excess, outer, inner, 1e-11)

    def _sentence(self, p: Estimate, interval: Interval | None, mechanism: Any) -> str:
        said = "is" if float(p) <= self.level else "is not"
        noisy = "sampling error and the protective noise together" if mechanism is not None else "sampling error"
        side = {"larger": "larger than", "smaller": "smaller than", "two-sided": "different from"}[self.alternative]
        evidence = (
            f"There {said} enough evidence that {self._what()} is {side} {self.null:g}: if it were not, {noisy} would "
            f"give so clear a number with probability {_shown(float(p))}, and the limit was {self.level:g}."
        )
        if interval is None:
            return evidence
        return (
            f"{evidence} With {100 * interval.confidence:g} % confidence {self._what()} lies between "
            f"{interval.low:.4g} and {interval.high:.4g}."
        )


def _sources(planning: Any) -> dict[str, PlanningValue]:
    pairs = planning if isinstance(planning, (tuple, list)) else (planning,)
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], PlanningValue)):
            remedy = "Pass a dplens.PlanningValue in place of the number itself; this is filled in."
            raise _validate.reject_type("planning", "to be pairs of a name and a PlanningValue", planning, remedy)
    return dict(pairs)


def _shown(p: float) -> str:
    return f"at most {p:.2g}" if p < 1 else "up to 1"


def _certificate(law: TailLaw, low: float, high: float) -> Certificate:
    width = 0.0 if high <= 0 else (high - low) / (2 * high)
    return Certificate(law.route, width, law.note)


def _p_value(law: TailLaw, x: np.ndarray, alternative: str) -> Estimate:
    found = []
    if alternative != "smaller":
        found.append(law.upper(x))
    if alternative != "larger":
        found.append(law.lower(x))
    factor = len(found)
    low = min(1.0, factor * min(float(ends[0][0]) for ends in found))
    high = min(1.0, factor * min(float(ends[1][0]) for ends in found))
    return Estimate(high, low=low, high=high, certificate=_certificate(law, low, high))


def boundary(holds: Callable[[float], bool], inside: float, outside: float, width: float = 1e-13) -> float:
    """The last number, coming from ``inside`` where ``holds`` is true, before ``outside`` where it is not."""
    for _ in range(200):
        middle = inside + (outside - inside) / 2
        if middle in (inside, outside) or abs(outside - inside) <= width * max(abs(inside), abs(outside)):
            break
        inside, outside = (middle, outside) if holds(middle) else (inside, middle)
    return inside


def crossing(excess: Callable[[float], float], inside: float, outside: float, width: float = 1e-12) -> float:
    """The same where an excess tells how far it is: positive inside, negative outside. Fewer steps than halving."""
    if excess(inside) <= 0:
        return inside
    found, _ = sign_change(
        lambda x: np.array([excess(float(v)) for v in x]), np.array([inside]), np.array([outside]), width=width
    )
    return float(found[0])
