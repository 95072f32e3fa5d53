"""The base of all analyst's tests: a frozen plan with power, p-values and intervals."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dplens import _validate
from dplens.analyst.laws.noise import Noise, WholeNoise, noise_of
from dplens.analyst.planning.sources import PlanningValue
from dplens.analyst.tests.results import Critical, Interval, Verdict, digits_of, outwards, percent
from dplens.estimate import Certificate, Estimate
from dplens.mechanisms.base import NEIGHBOURS
from dplens.numerics.sharing import Memo, Shared, remembered
from dplens.registry import TESTS, Discreet, Registry
from dplens.telling import Figure, Told

if TYPE_CHECKING:
    from typing_extensions import Self

ALTERNATIVES = ("larger", "smaller", "two-sided")

IntervalEnd = Callable[[int], float]

_BOUNDS = {"worst_case": "the smallest possible number", "private_estimate": "a lower bound from a noisy count"}
_LEVEL = "The level is the chance of a false alarm that is accepted, for instance 0.05."


@dataclass(frozen=True)
class Published:
    """Properties of a published number.

    whole: it may be a whole number, so whole-number noise is accepted; integer: it is one, so such noise is offered by
    default. divided: it is a sum divided by the number of records. instead: set for totals, which grow with the
    number of records: what to publish if n is only a bound.
    """

    whole: bool = False
    integer: bool = False
    divided: bool = False
    instead: str | None = None


@dataclass(frozen=True, kw_only=True)
class AnalystTest(Discreet, Shared, ABC):
    """A test on one published number.

    effect: the assumed difference of the truth from the hypothesised value ``null``, with its sign. level: the largest
    rejection probability under the null hypothesis, including the noise. alternative: ``"larger"``, ``"smaller"`` or
    ``"two-sided"`` (rejects if either one-sided p-value is at most level/2). planning: the sources of the plan's
    values, filled in from ``PlanningValue`` arguments. n: the number of records.
    """

    registry: ClassVar[Registry] = TESTS
    _hooks = ("simulated",)
    effect: float
    null: float = 0.0
    level: float = 0.05
    alternative: str = "larger"
    planning: tuple[tuple[str, PlanningValue], ...] = ()
    n: int
    _known = Memo()

    def __post_init__(self) -> None:
        if None not in self._kinds:
            _validate.one_of("published", getattr(self, "published", ""), tuple(self._kinds))  # pyright: ignore
        _validate.one_of("alternative", self.alternative, ALTERNATIVES)
        sources = _sources(self.planning)
        for f in fields(self):
            given = getattr(self, f.name)
            if isinstance(given, PlanningValue):
                sources[f.name] = given
                self._set(f.name, given.value)
            elif f.name in sources and (isinstance(given, (list, np.ndarray)) or given != sources[f.name].value):
                del sources[f.name]  # replaced by another number
        self._set("planning", tuple(sources.items()))
        bound, instead = sources.get("n"), self._kind.instead
        if instead is not None and bound is not None and not bound.declared:
            published = getattr(self, "published", None)
            raise _validate.reject(
                "n",
                "to be public where a total is published" + (f" (published={published!r})" if published else ""),
                _validate.Shown(f"{bound.shown}, {_BOUNDS[bound.source]}"),
                "A total grows with the number of records, so its law at one number does not hold at another, and "
                f"neither would the level. Publish {instead}, which more records only make surer.",
            )
        self._set("level", _validate.open_probability("level", self.level, _LEVEL))
        if self.level < 1e-300:
            raise _validate.reject("level", ">= 1e-300", self.level, "Floats reach no further.")
        effect = _validate.real("effect", self.effect, "to be finite and not 0", lambda x: math.isfinite(x) and x != 0)
        if effect * {"larger": 1, "smaller": -1, "two-sided": math.copysign(1, effect)}[self.alternative] < 0:
            rule = f"{'> 0' if effect < 0 else '< 0'} with alternative {self.alternative!r}"
            raise _validate.reject("effect", rule, self.effect, "The effect is truth minus null hypothesis.")
        self._set("effect", effect)
        self._set("null", _validate.real("null", self.null, "to be finite", math.isfinite))
        self._set("n", _validate.count("n", self.n, self._least_n, self._why_n))

    def _set(self, name: str, value: Any) -> None:
        object.__setattr__(self, name, value)

    _relation: ClassVar[str] = "replace"  # if n is public, neighbours have the same size
    _kinds: ClassVar[dict[str | None, Published]] = {None: Published()}  # by the value of ``published``
    _what: ClassVar[str] = "the value"  # the parameter in words
    _planned: ClassVar[tuple[str, ...]] = ("n", "sd", "effect")  # the planning values
    _least_n: ClassVar[int] = 1
    _why_n: ClassVar[str] = "A test needs data: n is the number of records."

    @property
    def _kind(self) -> Published:
        return self._kinds[None if None in self._kinds else getattr(self, "published", None)]

    @property
    def neighbours(self) -> str:
        """The default relation of the sensitivity; ``"add_remove"`` if n was estimated and so is not public."""
        n = dict(self.planning).get("n")
        return "add_remove" if n is not None and n.source == "private_estimate" else self._relation

    @property
    def simulated(self) -> bool:
        """Whether answers are simulated."""
        return False

    # ---- to be implemented by each test --------------------------------------------------------------------

    @abstractmethod
    def _limits(self) -> tuple[float, float]:
        """The range of the parameter."""

    @abstractmethod
    def power(self, mechanism: Any = None, *, effect: float | None = None) -> Estimate:
        """The probability of rejecting the null hypothesis at the planned effect, or at ``effect``.

        mechanism: the noise on the published number, ``None`` for none. The critical value accounts for sampling error
        and noise. The float is the lower end of the bracket, so power is never overstated.
        """

    @abstractmethod
    def critical(self, mechanism: Any = None) -> Critical:
        """The published numbers at which the null hypothesis is rejected."""

    @abstractmethod
    def p_value(self, observed: Any, mechanism: Any = None) -> Estimate:
        """The p-value of a published number, including sampling error and noise; the float is the upper end.

        Two-sided: twice the smaller of the one-sided p-values, at most 1.
        """

    @abstractmethod
    def _ends_of(self, observed: Any, mechanism: Any, left: float, sides: int) -> tuple[IntervalEnd, Certificate]:
        """The ends of an interval with error rate ``left`` over ``sides`` sides, and their certificate.

        The ends are a function of the side, +1 for the lower and −1 for the upper one.
        """

    def _noise(self, mechanism: Any) -> Noise:
        """The noise on the published number; refuses whole-number noise on other numbers."""
        noise = noise_of(mechanism)
        if isinstance(noise, WholeNoise) and not self._kind.whole:
            raise _validate.reject(
                "mechanism",
                "to have noise with a density, as what is published is not a whole number",
                mechanism,
                "Whole-number noise would leave the digits behind the point as they are, and they give the data away. "
                "Publish a sum or count of whole numbers, or use dplens.Laplace or dplens.Gaussian.",
            )
        return noise

    def _accept(self, mechanism: Any) -> None:
        """Raise if the test does not support that noise."""
        self._noise(mechanism)

    def _null_is_possible(self) -> bool:
        """Whether a single record may have the hypothesised value; not so for a difference of groups."""
        return False

    def _proviso(self) -> str:
        """A sentence on what the level assumes beyond the declared spread, if anything."""
        return ""

    def _model(self) -> str:
        """A sentence on the assumed distribution of the data, if there is such an assumption."""
        return ""

    def _sensitivity(self, n: int, neighbours: str, norm: int) -> float | None:
        """The sensitivity of the published numbers in the given norm; None if unknown."""
        return None

    def _numbers_changed(self, neighbours: str) -> int:
        """The number of published numbers that one record can change."""
        return 1

    # ---- for users ----------------------------------------------------------------------------------------

    def interval(
        self, observed: Any, mechanism: Any = None, confidence: float = 0.95, *, alternative: str = "two-sided"
    ) -> Interval:
        """The values of the parameter that a published number does not reject, at level 1 − ``confidence``.

        By default both ends, each with half of the error; ``alternative="larger"`` leaves the upper end open.
        """
        _validate.one_of("alternative", alternative, ALTERNATIVES)
        left = 1 - _validate.open_probability("confidence", confidence)
        return self._interval(observed, mechanism, left, confidence, alternative)

    def _interval(
        self, observed: Any, mechanism: Any, left: float, confidence: float, alternative: str = "two-sided"
    ) -> Interval:
        end, certificate = self._ends_of(observed, mechanism, left, 2 if alternative == "two-sided" else 1)
        low, high = self._limits()
        missed = math.fsum(1 - value.confidence for _, value in self.planning)  # bounds among the planning values fail
        return Interval(
            low=low if alternative == "smaller" else end(+1),
            high=high if alternative == "larger" else end(-1),
            confidence=max(confidence - missed, 0.0) if missed else confidence,
            alternative=alternative,
            certificate=certificate,
        )

    def decide(self, observed: Any, mechanism: Any = None, *, interval: bool = True) -> Verdict:
        """Whether a published number rejects the null hypothesis at the test's level, with p-value and interval.

        interval: whether to compute the interval, which takes long for simulated tests.
        """
        p, wanted = self.p_value(observed, mechanism), _validate.flag("interval", interval)
        around = self._interval(observed, mechanism, self.level, 1 - self.level) if wanted else None
        said = self._sentence(p, around, mechanism)
        return Verdict(reject=float(p) <= self.level, p_value=p, interval=around, level=self.level, sentence=said)

    def sources(self) -> dict[str, PlanningValue]:
        """Every planning value with its source, ``"not_stated"`` where a number was given without one."""
        known, names = dict(self.planning), (f.name for f in fields(self) if f.name in self._planned)
        return {n: known.get(n) or PlanningValue(value=v) for n in names if (v := getattr(self, n)) is not None}

    def with_(self, **changes: Any) -> Self:
        """The same plan with some values changed."""
        return replace(self, **changes)

    def min_mu(
        self, *, max_power_loss: float | None = None, min_power: float | None = None, sensitivity: float | None = None
    ) -> Estimate:
        """The smallest mu of Gaussian noise that leaves the test enough power (Fondeville §5.2).

        max_power_loss: the share of the power without noise that may be lost; or min_power: the required power.
        sensitivity: of the published number, by default from the test's bounds. The float is the safe, larger end. It
        is the mu of this noise alone; ``utility_first`` also accounts for the release behind a ``private_n``.

        >>> import dplens as dl
        >>> t = dl.MeanTest(n=100, sd=0.25, effect=0.2, level=0.01, alternative="larger")
        >>> round(t.min_mu(max_power_loss=0.01, sensitivity=1/100), 4)
        0.286
        """
        from dplens.analyst.planning.noise_limits import least_mu

        return least_mu(self, max_power_loss, min_power, sensitivity)

    def sensitivity_at(self, n: int | None = None, *, neighbours: str | None = None, norm: int = 1) -> float:
        """The largest change of what is published when one record changes, from the declared bounds.

        n: number of records, by default the plan's. neighbours: ``"replace"`` or ``"add_remove"``, by default the
        relation that fits the test. norm: over several published numbers, 1 (for Laplace noise) or 2 (for Gaussian
        noise). For a mean under ``"add_remove"`` it holds with at least n records; if there may be fewer, publish
        c + Σ (x − c)/max(n, their number) with c within the bounds, for which it always holds. With c = null, if that
        lies within the bounds, fewer records than n do not make a false alarm of one mean likelier.
        """
        relation = self.neighbours if neighbours is None else neighbours
        _validate.one_of("neighbours", relation, NEIGHBOURS)
        norm = int(_validate.real("norm", norm, "to be 1 or 2", lambda x: x in (1, 2)))
        size = self.n if n is None else _validate.count("n", n, 1, "The number of records.")
        found = self._sensitivity(size, relation, norm)
        if found is None:
            remedy = (
                f"With neighbours={relation!r} {type(self).__name__} cannot tell what one record changes: pass it"
                + (", or declare the bounds=(lo, hi) of every value." if hasattr(self, "bounds") else ".")
            )
            raise _validate.reject("sensitivity", "to be given", None, remedy)
        return found

    def largest_effect(self) -> float:
        """The largest possible effect with the sign of the planned one; infinite if nothing bounds it."""
        low, high = self._limits()
        return high - self.null if self.effect > 0 else low - self.null

    # ---- helpers --------------------------------------------------------------------------------------------

    @property
    def _sides(self) -> tuple[int, ...]:
        """The tested sides: +1 for large numbers, −1 for small ones."""
        return {"larger": (+1,), "smaller": (-1,), "two-sided": (+1, -1)}[self.alternative]

    @property
    def _share(self) -> float:
        """The level of each tested side."""
        return self.level / len(self._sides)

    def _alternative_value(self, effect: float) -> float:
        value = self.null + effect
        low, high = self._limits()
        if not low <= value <= high:
            raise _validate.reject("effect", f"in [{low - self.null:g}, {high - self.null:g}]", effect)
        return value

    def _remembered(self, what: str, mechanism: Any, make: Callable[[], Any], most: int = 64) -> Any:
        """A value computed once for each mechanism, such as a critical value; the last ``most`` are kept."""
        try:
            hash(mechanism)
        except TypeError:
            return make()
        return remembered(self._known.setdefault(what, {}), mechanism, make, most)

    def _sentence(self, p: Estimate, interval: Interval | None, mechanism: Any) -> Told:
        about = {**self._named(), "null": Figure(f"{self.null:.12g}")}
        rejects = float(p) <= self.level
        more: dict[str, Any] = {"rejects": "yes" if rejects else "no", "noisy": "no" if mechanism is None else "yes"}
        more |= {"p": Figure(outwards(min(float(p), 1.0), +1, 2)), "level": Figure(f"{self.level:g}")}
        parts = [Told("tested", side=self.alternative, **more, **about), self._proviso()]
        if interval is not None:
            ends = (outwards(x, sign, digits_of(interval)) for x, sign in ((interval.low, -1), (interval.high, +1)))
            low, high = map(Figure, ends)
            sure = percent(interval.confidence)
            parts.append(Told("tested-interval", confidence=sure, low=low, high=high, **about))
            if self.alternative != "two-sided" and rejects and self.null in interval:
                parts.append(Told("tested-interval-holds", **about))
        return Told("several", sentences=[part for part in parts if part])

    def _named(self) -> dict[str, str]:
        """The tested quantity, by its key and in English."""
        return {"what": self._what.removeprefix("the ").replace(" ", "-"), "phrase": self._what}


def checked_tests(tests: Any) -> tuple[AnalystTest, ...]:
    """A non-empty sequence of tests, as a tuple."""
    if isinstance(tests, AnalystTest) or not isinstance(tests, Sequence) or not tests:
        raise _validate.reject_type("tests", "to be a list of tests", tests)
    return tuple(checked_test(t, f"tests[{i}]") for i, t in enumerate(tests))


def checked_test(test: Any, name: str = "test") -> AnalystTest:
    """A single test."""
    return _validate.instance(name, test, AnalystTest, "to be a test such as dplens.MeanTest(...)")


def _sources(planning: Any) -> dict[str, PlanningValue]:
    pairs = planning if isinstance(planning, (tuple, list)) else (planning,)
    for pair in pairs:
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(pair[1], PlanningValue)):
            remedy = "Pass a dplens.PlanningValue in place of the number itself; this is filled in."
            raise _validate.reject_type("planning", "to be pairs of a name and a PlanningValue", planning, remedy)
    return dict(pairs)
