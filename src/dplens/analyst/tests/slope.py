"""The test of a slope in simple regression on bounded data."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.analyst.laws.noise import Noise, NoNoise
from dplens.analyst.laws.published import alone
from dplens.analyst.laws.simulation import draws_of, seed_of
from dplens.analyst.planning.sources import PlanningValue, bounds_of
from dplens.analyst.tests.base import IntervalEnd, Published
from dplens.analyst.tests.location import LocationTest
from dplens.analyst.tests.results import Critical
from dplens.analyst.tests.simulated import Job, SimulatedTest
from dplens.estimate import Certificate, Estimate
from dplens.numerics.sharing import cached_property
from dplens.registry import register
from dplens.telling import Told

_ORDER = "Σx, Σy, Σx², Σxy"


@register
@dataclass(frozen=True, kw_only=True)
class SlopeTest(LocationTest):
    """Does y change with x? A test of the slope in y = a + slope·x + error on n records with bounded x and y.

    sd: standard deviation of the error. x_bounds, y_bounds: (lo, hi) of every value. sd_x: standard deviation of x, by
    default that of a uniform x within its bounds. published: what the noise is added to,

    * ``"cross_product"``: Σ (x − mean)·y, for public x (a design); its sensitivity is the width of x times that of y;
    * ``"slope"``: the slope itself, whose sensitivity the user must justify;
    * ``"statistics"``: each of Σx, Σy, Σx², Σxy of values rescaled to [−1, 1], with public n. The slope is computed
      from the noisy sums (Vu & Slavković 2009 show the effect of ignoring the noise), and its law is simulated with
      ``draws`` and ``rng``, for uniform x of standard deviation sd_x (some of them at the bounds if sd_x is larger than
      uniform x allows). Observed values are the four sums. The noise of Σx is multiplied by the mean of y, and that of
      Σy by the mean of x: without mean_x and mean_y the level holds for any means, and the power is the smallest.
      Declared means, public or estimated, increase the power, and the level then relies on them as it does on sd.

    >>> import dplens as dl
    >>> t = dl.SlopeTest(n=200, sd=0.2, effect=0.15, x_bounds=(0, 1), y_bounds=(0, 1), alternative="two-sided")
    >>> print(f"{t.power():.4f} {t.power(dl.Laplace(scale=1.0)):.4f}")
    0.8647 0.2798
    """

    _what = "the slope"
    _least_n = 3
    _why_n = "A line through fewer than three records says nothing."
    _planned = ("n", "sd", "sd_x", "effect", "mean_x", "mean_y")
    _kinds: ClassVar = {
        "slope": Published(),
        **{kind: Published(instead="the slope (published='slope')") for kind in ("cross_product", "statistics")},
    }

    sd: float
    x_bounds: tuple[float, float]
    y_bounds: tuple[float, float]
    sd_x: float | None = None
    mean_x: float | None = None
    mean_y: float | None = None
    published: str = "cross_product"
    draws: int = 10_000
    rng: Any = None
    workers: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        remedy = "A planning value: public, worst-case or privately estimated."
        self._set("sd", _validate.positive("sd", self.sd, remedy))
        for name in ("x_bounds", "y_bounds"):
            self._set(name, bounds_of(name, getattr(self, name)))
        width = self.x_bounds[1] - self.x_bounds[0]
        spread = _even(self.x_bounds) if self.sd_x is None else _validate.positive("sd_x", self.sd_x)
        if spread > width / 2:
            raise _validate.reject("sd_x", f"at most half the width of x_bounds, {width / 2:g}", self.sd_x)
        self._set("sd_x", spread)
        if abs(self.null + self.effect) > self._steepest() * (1 + 1e-9):
            remedy = "With y within its bounds no line through the data is steeper."
            rule = f"to make a slope (null + effect) of at most {self._steepest():g} in size"
            raise _validate.reject("effect", rule, self.effect, remedy)
        if self.published == "statistics" and self.rng is None:
            raise _validate.reject("rng", "to be given with published='statistics'", None, "Pass a seed such as 1.")
        self._set("draws", draws_of(self.draws))
        self._set("workers", _validate.workers(self.workers))
        if self.rng is not None:  # a generator advances: use one seed for all answers
            self._set("rng", seed_of(self.rng))
        if self.simulated and self.n > 10**8:
            rule = "to be at most 1e+08 with published='statistics'"
            raise _validate.reject("n", rule, self.n, "Every record is simulated.")
        if self.simulated and self.null != 0:
            raise _validate.reject("null", "to be 0 with published='statistics'", self.null)
        self._check_means()

    def _check_means(self) -> None:
        for name, (low, high) in (("mean_x", self.x_bounds), ("mean_y", self.y_bounds)):
            given = getattr(self, name)
            if given is None:
                continue
            if self.published != "statistics":
                remedy = "What else may be published has a law that does not depend on it."
                raise _validate.reject(name, "to be left out but with published='statistics'", given, remedy)
            rule, remedy = f"between {low:g} and {high:g}", "Of values within the bounds."
            self._set(name, _validate.real(name, given, rule, lambda x, low=low, high=high: low <= x <= high, remedy))
        if self.mean_x is None:
            return
        low, high = self.x_bounds
        most = math.sqrt((high - self.mean_x) * (self.mean_x - low))  # Bhatia and Davis 2000
        if (self.sd_x or 0.0) > most * (1 + 1e-9):
            remedy = f"With a standard deviation sd_x of {self.sd_x:g} the mean is not so near to a bound: pass sd_x."
            raise _validate.reject("mean_x", f"to leave room for sd_x: at most {most:g}", self.mean_x, remedy)

    @property
    def simulated(self) -> bool:
        return self.published == "statistics"

    def _steepest(self) -> float:
        """The largest slope cov(x, y)/sd_x²; the standard deviation of y is at most half the width of its bounds."""
        return (self.y_bounds[1] - self.y_bounds[0]) / (2 * (self.sd_x or math.inf))

    def largest_effect(self) -> float:
        return math.copysign(self._steepest(), self.effect) - self.null

    def _sampling_sd(self, n: Any = None) -> Any:
        size = np.asarray(self.n if n is None else n, float)
        return self.sd / (self.sd_x * np.sqrt(size))  # pyright: ignore[reportOperatorIssue]

    def _units(self, n: Any = None) -> Any:
        size = self.n if n is None else n
        return size * (self.sd_x or 0.0) ** 2 if self.published == "cross_product" else 1.0

    def _sensitivity(self, n: int, neighbours: str, norm: int) -> float | None:
        """The sensitivity of the cross product or of the four sums; unknown for the slope itself.

        The cross product is Σ (x − mean)·(y − mean). A record (x, y) among n − 1 others with means m and k contributes
        (1 − 1/n)·(x − m)·(y − k). Since m and k also lie within the bounds, the range of this term is at most the
        product of the widths, even if x is not public.

        For the sums, replacing a record (x, y) in [−1, 1]² by (x', y') changes them by v = (x − x', y − y', x² − x'²,
        xy − x'y').
        A norm of v is convex in y and y', so the worst are ±1. With u = x − x' and s = x + x', |u| + |s| ≤ 2:

        * y = y': |v| = (|u|, 0, |us|, |u|). L1: |u|·(2 + |s|) ≤ |u|·(4 − |u|) ≤ 4. L2²: u²·(2 + s²) ≤
          u²·(6 − 4|u| + u²), which rises in |u|, to 8;
        * y = −y': |v| = (|u|, 2, |us|, |s|). L1: at most 2 + 2 + 1 = 5, reached. L2²: 4 + u² + s² + u²s² ≤
          8 − 2p + p² ≤ 8 for p = |us| in [0, 1].
        """
        if neighbours != "replace" or self.published == "slope":
            return None
        if self.simulated:
            return 5.0 if norm == 1 else math.sqrt(8.0)
        return (self.x_bounds[1] - self.x_bounds[0]) * (self.y_bounds[1] - self.y_bounds[0])

    def _numbers_changed(self, neighbours: str) -> int:
        return 4 if self.published == "statistics" else 1

    def sources(self) -> dict[str, PlanningValue]:
        found = super().sources()
        if "sd_x" not in dict(self.planning) and self.sd_x == _even(self.x_bounds):
            note = "x spread evenly over its bounds"
            found["sd_x"] = PlanningValue(value=found["sd_x"].value, note=note)
        note = "the level holds for any mean within the bounds"
        for name, bounds in (("mean_x", self.x_bounds), ("mean_y", self.y_bounds)):
            if self.simulated and getattr(self, name) is None:
                found[name] = PlanningValue(value=bounds[1], source="worst_case", note=note)
        return found

    def _proviso(self) -> str:
        known = self.sources()
        parts = []
        if self.published == "statistics":
            parts.append(Told("assume-sums", order=_ORDER, scaled=self._brought()))
        said = [known[k].sentence(k) for k in ("mean_x", "mean_y") if getattr(self, k) is not None]
        if said:
            parts.append(Told("assume-means", values=said))
        return Told("several", sentences=parts) if parts else ""

    def _brought(self) -> str:
        """How x and y are rescaled to [−1, 1], in words."""
        scaled = [
            f"(2·{name} − {low + high:.12g})/{high - low:.12g}"
            for name, (low, high) in (("x", self.x_bounds), ("y", self.y_bounds))
        ]
        return f"{scaled[0]} in place of x and {scaled[1]} in place of y, which lie in [−1, 1]"

    @cached_property
    def _simulated(self) -> SimulatedTest:
        return _NoisySums(
            simulate=functools.partial(
                _sums, 2 * self.sd / (self.y_bounds[1] - self.y_bounds[0]), self._scale(), self._variance()
            ),
            means=self._means(),
            statistic=np.asarray,
            score=functools.partial(_slope, self.n, self._scale(), self._variance()),
            batched=True,
            n=self.n,
            effect=self.effect,
            level=self.level,
            alternative=self.alternative,
            draws=self.draws,
            rng=self.rng,
            workers=self.workers,
            rises=True,
        )

    def _scale(self) -> float:
        """The slope of the original values per slope of the rescaled ones."""
        return (self.y_bounds[1] - self.y_bounds[0]) / (self.x_bounds[1] - self.x_bounds[0])

    def _variance(self) -> float:
        """The variance of rescaled x: 1/3 if uniform, 1 if all values are at the bounds."""
        return (2 * (self.sd_x or 0.0) / (self.x_bounds[1] - self.x_bounds[0])) ** 2

    def _means(self) -> tuple[tuple[float, float], ...]:
        """The means of rescaled x and y with the largest and smallest effect of the noise; one pair if declared.

        The noisy slope exceeds t if Σ(x − x̄)e + noise(Σxy) − ȳ·noise(Σx) − x̄·noise(Σy) − t·(noise(Σx²) −
        2x̄·noise(Σx)) > (t − slope)·Σ(x − x̄)², up to products of two noises. The noises have weights 1, |t|,
        |x̄| and |ȳ − 2t·x̄|, and a sum of independent symmetric unimodal noises is more dispersed the larger each weight
        is (Birnbaum 1948): the most if |x̄| and |ȳ| are as large as possible, with opposite signs for t > 0 and equal
        signs for t < 0, the least near 0. Other means have a chance of rejection in between. |ȳ| ≤ 1, and x̄² ≤ 1 − the
        variance of x.
        """
        far = math.sqrt(max(1 - self._variance(), 0))
        xs, ys = (-far, 0.0, far), (1.0, 0.0, 1.0)  # turning x and y round leaves the slope as it is
        if self.mean_x is not None:
            xs, ys = (_rescaled(self.mean_x, *self.x_bounds),) * 3, (-1.0, 0.0, 1.0)
        if self.mean_y is not None:
            ys = (_rescaled(self.mean_y, *self.y_bounds),) * 3
        return tuple(dict.fromkeys(zip(xs, ys, strict=True)))

    def _ask(self, what: str, mechanism: Any, *given: Any, **more: Any) -> Any:
        """The answer of the simulated test if sums are published, else of the test with a known law."""
        self._noise(mechanism)  # refuses whole-number noise
        return getattr(self._simulated if self.simulated else super(), what)(*given, **more)

    def power(self, mechanism: Any = None, *, effect: float | None = None) -> Estimate:
        return self._ask("power", mechanism, mechanism, effect=effect)

    def critical(self, mechanism: Any = None) -> Critical:
        return self._ask("critical", mechanism, mechanism)

    def p_value(self, observed: Any, mechanism: Any = None) -> Estimate:
        self._possible(observed, mechanism)
        return self._ask("p_value", mechanism, observed, mechanism)

    def _ends_of(self, observed: Any, mechanism: Any, left: float, sides: int) -> tuple[IntervalEnd, Certificate]:
        self._possible(observed, mechanism)
        return self._ask("_ends_of", mechanism, observed, mechanism, left, sides)

    def _possible(self, observed: Any, mechanism: Any) -> None:
        """Refuse sums that values in [−1, 1] cannot have; usually the values were not rescaled."""
        noise, more = self._noise(mechanism), 0.0
        if not self.simulated:
            return
        if mechanism is not None:
            law = alone(noise)
            more = max(law.quantile(1e-15, +1), -law.quantile(1e-15, -1))  # noise is practically never larger
        most = self.n * (1 + 1e-9) + more
        try:
            sums = np.asarray(observed, dtype=float)
        except (TypeError, ValueError):
            return  # refused later
        if float(np.max(np.abs(sums), initial=0.0)) > most:
            rule = f"sums of {self.n} values in [−1, 1], so none beyond {most:.4g} with this noise"
            raise _validate.reject("observed", f"to be {rule}", observed, f"Sum {self._brought()}.")
        if sums.shape != (4,):
            return
        # Cauchy–Schwarz, up to the noise
        x, xy = (max(abs(float(sums[i])) - more, 0.0) for i in (0, 3))
        if float(sums[2]) + more < max(x, xy) ** 2 / self.n * (1 - 1e-9):
            rule = f"{_ORDER} in this order, with a Σx² of at least (Σx)²/n and (Σxy)²/n but for the noise"
            raise _validate.reject("observed", f"to be {rule}", observed, f"Sum {self._brought()}.")

    def powers(self, family: str | None = None, noise: Any = 0.0, **design: Any) -> Floats:
        """Power of many designs at once; see ``MeanTest.powers``."""
        if self.published == "statistics":
            raise _validate.reject("published", "'slope' or 'cross_product' for closed forms", self.published)
        return super().powers(family, noise, **design)


def _rescaled(value: float, low: float, high: float) -> float:
    return (2 * value - low - high) / (high - low)


def _even(bounds: tuple[float, float]) -> float:
    """The standard deviation of a uniform variable."""
    return (bounds[1] - bounds[0]) / math.sqrt(12)


@dataclass(frozen=True, kw_only=True)
class _NoisySums(SimulatedTest):
    """The test of a slope from four noisy sums, for several pairs of rescaled means."""

    means: tuple[tuple[float, float], ...]

    def _cases(self, noise: Noise) -> tuple[Any, ...]:
        return self.means[:1] if isinstance(noise, NoNoise) else self.means  # without noise they do not matter

    def _job(self, value: float, noise: Noise, case: Any = None) -> Job:
        return replace(super()._job(value, noise), simulate=functools.partial(self.simulate, means=case))


def _sums(
    error: float,
    scale: float,
    variance: float,
    rng: np.random.Generator,
    n: int,
    slope: float,
    size: int,
    means: tuple[float, float] = (0.0, 0.0),
) -> Floats:
    """Draws Σx, Σy, Σx², Σxy with the given means, x spread as planned, y on the line plus normal errors.

    All in units in which the bounds are −1 and 1. Given x, the sums Σe and Σxe of the errors e are jointly normal.
    """
    u = rng.uniform(-1, 1, (size, n)) * min(math.sqrt(3 * variance), 1.0)
    if 3 * variance > 1 + 1e-9:  # wider than evenly over the bounds: some at the ends
        u = np.where(rng.random(u.shape) < (3 * variance - 1) / 2, np.sign(u), u)
    x, xx = u.sum(axis=1), (u * u).sum(axis=1)
    first, second = error * rng.normal(size=(2, size))
    e, xe = first * math.sqrt(n), first * x / math.sqrt(n) + second * np.sqrt(np.maximum(xx - x * x / n, 0.0))
    p, q = means
    beta = slope / scale
    y = n * q + beta * x + e
    return np.stack([x + n * p, y, xx + 2 * p * x + n * p * p, q * x + beta * xx + xe + p * y], axis=1)


def _slope(n: int, scale: float, variance: float, sums: Floats) -> Floats:
    """The slope from four noisy sums, with the variance of x clipped to between half and double the planned one.

    Outside of that range the noise dominates, and dividing by it would ruin the power.
    """
    if sums.shape[-1:] != (4,):
        shown = _validate.Shown(f"an array of shape {sums.shape[1:]}")
        raise _validate.reject("observed", f"to be the four noisy sums {_ORDER} of values in [−1, 1]", shown)
    x, y, xx, xy = np.moveaxis(sums, -1, 0) / n
    return scale * (xy - x * y) / np.clip(xx - x * x, variance / 2, 2 * variance)
