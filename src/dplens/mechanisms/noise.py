"""Any noise with a density, and any two continuous laws."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import Floats, TradeOff
from dplens.curves.closed.bounded import LaplaceCurve, LogisticCurve
from dplens.curves.closed.gaussian import GaussianCurve
from dplens.curves.finite.piecewise import PiecewiseCurve, revealing_curve
from dplens.curves.finite.ratio import RatioCurve
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.experiment import ContinuousOutputs, Experiment, Noisy, without_values
from dplens.mechanisms.noise_laws import LaplaceLaw, NormalLaw, StudentLaw
from dplens.numerics.enclosure import quotient_above
from dplens.numerics.laws.base import Law, ShiftedLaw
from dplens.numerics.laws.facts import NoiseFacts, family, loss_supremum_is_finite, noise_facts, seen_shape
from dplens.numerics.laws.scipy import as_law, fingerprint, pack, unpack
from dplens.registry import register

_REMEDY = "Pass a frozen distribution such as scipy.stats.t(df=3, scale=2.0)."


_SHAPELESS = (
    "This noise is neither log-concave nor symmetric with one peak, as far as its density shows, so a smaller shift "
    "may be worse than the sensitivity. Use noise of such a shape, or compare the outputs of one shift as a "
    "ContinuousPair."
)
_SCALARS = "bhilqBHILQefd"  # NumPy type codes that SciPy can compute with
_SPREADS = 1e-100, 1e100  # beyond these, squares and quotients leave the range of floats


@np.errstate(all="ignore")  # extreme parameters may overflow; results that are not finite are rejected
def _law(name: str, source: Any) -> Law:
    _check_parameters(name, source)
    law = source if isinstance(source, Law) else _light_law(source) or as_law(source)
    if law is None:
        raise _validate.reject_type(name, "to be a frozen continuous scipy.stats distribution", source, _REMEDY)
    ends = source.support()
    if any(np.ndim(end) for end in ends):
        raise _validate.reject_type(name, "to be one law, with a single value for each parameter", source, _REMEDY)
    middle = law.ppf(np.array([0.25, 0.75]))
    if not (ends[0] < ends[1] and np.isfinite(middle).all()):
        shown = _validate.Shown(_described(source))
        raise _validate.reject(name, "to be a proper law (finite parameters, scale > 0)", shown, _REMEDY)
    return law


def _check_parameters(name: str, source: Any) -> None:
    """Check parameter types, since SciPy freezes distributions with any parameters and only fails on use."""
    if isinstance(source, type) or not hasattr(source, "dist"):
        return
    for value in (*getattr(source, "args", ()), *getattr(source, "kwds", {}).values()):
        if np.ndim(value):
            continue  # several laws: reported below
        plain = isinstance(value, (int, float)) and not isinstance(value, bool)
        known = np.asarray(value).dtype.char in _SCALARS if isinstance(value, np.generic) else plain
        if not known or (isinstance(value, int) and abs(value) > sys.float_info.max):
            shown = _validate.Shown(f"the parameter {value!r}"[:100])
            raise _validate.reject_type(name, "to have floats or whole numbers as parameters", shown, _REMEDY)


def _spread(law: Law) -> float:
    with np.errstate(all="ignore"):
        low, high = law.ppf(np.array([0.25, 0.75]))
        return float(high - low)


def _standard(source: Any) -> tuple[Any, float]:
    """The noise standardised to loc 0 and scale 1, with its scale; the source and 1 if that is impossible.

    Shifting and scaling do not affect privacy, and cusps and end points then lie on exact floats.
    """
    known = family(source)
    if known is None or not hasattr(source, "dist"):
        return source, 1.0
    _, shapes, _, scale = known
    return source.dist(*shapes), scale


def _light_law(source: Any) -> Law | None:
    """The law of a common family, without the overhead of SciPy's distribution objects."""
    known = family(source)
    if known is None or not all(math.isfinite(x) for x in known[2:]) or known[3] <= 0:
        return None
    name, shapes, loc, scale = known
    if name == "cauchy" or (name == "t" and 0 < shapes[0] < math.inf):
        return ShiftedLaw(StudentLaw(shapes[0] if shapes else 1.0, scale), loc)
    kind = {"norm": NormalLaw, "laplace": LaplaceLaw}.get(name)
    return ShiftedLaw(kind(scale), loc) if kind else None


def _described(source: Any) -> str:
    """A distribution as Python source."""
    known = family(source)
    if known is None:
        if not hasattr(source, "dist"):
            return repr(source)
        given = [*map(repr, source.args), *(f"{name}={value!r}" for name, value in source.kwds.items())]
        return f"{type(source.dist).__name__}({', '.join(given)})"
    name, shapes, loc, scale = known
    return f"scipy.stats.{name}({', '.join(f'{x:g}' for x in (*shapes, loc, scale))})"


def _bounded_losses(p: NoiseFacts | None, q: NoiseFacts | None) -> tuple[bool | None, bool | None]:
    if p is None or q is None:
        return None, None
    return loss_supremum_is_finite(p, q), loss_supremum_is_finite(q, p)


@dataclass(frozen=True)
class _Packed:
    """A distribution in pickled form."""

    content: bytes


class _WithLaws(Mechanism):
    """Mechanisms that hold distributions: compared, hashed and shown by value, not by identity."""

    def _key(self) -> tuple[Any, ...]:
        return type(self), *(
            (family(v) or fingerprint(v) or v) if hasattr(v, "logpdf") else v for v in self._values().values()
        )

    def _values(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    def __getstate__(self) -> dict[str, Any]:
        # curves are recomputed when needed
        return {name: _Packed(pack(v)) if hasattr(v, "logpdf") else v for name, v in self._values().items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            object.__setattr__(self, name, unpack(value.content) if isinstance(value, _Packed) else value)

    def __deepcopy__(self, memo: Any) -> _WithLaws:
        return self  # it is immutable

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _WithLaws):
            return NotImplemented
        return self is other or self._key() == other._key()

    def __hash__(self) -> int:
        # laws of unknown families are hashed by type, since their state may change
        values = self._values().values()
        return hash((type(self), *((family(v) or type(v)) if hasattr(v, "logpdf") else v for v in values)))

    def __repr__(self) -> str:
        inner = ", ".join(
            f"{n}={_described(v) if hasattr(v, 'logpdf') else repr(v)}" for n, v in self._values().items()
        )
        return f"{type(self).__name__}({inner})"


@register
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class AdditiveNoise(Noisy, _WithLaws):
    """Noise with a density, given as a frozen SciPy distribution, on a number of the given sensitivity.

    Log-concave noise: f = F(F⁻¹(1 − alpha) − sensitivity); for asymmetric noise (Gumbel) the curve is the lower convex
    hull of this f and that of the reflected noise. For symmetric unimodal noise that is not log-concave (Cauchy, t) the
    sensitivity is still the worst shift. For unknown families the shape is checked on the density between quantiles;
    noise of any other shape is rejected, because a smaller shift may be worse.

    Use it for any other noise that SciPy knows, such as logistic or Gumbel noise.

    >>> import dplens as dl
    >>> from scipy import stats
    >>> release = dl.AdditiveNoise(noise=stats.logistic(scale=0.5), sensitivity=1.0)
    >>> print(f"{release.tradeoff()(0.1):.6f} {dl.RelativeRisk().of(release):.4f}", dl.failure_mode(release).value)
    0.549147 7.3891 none
    """

    noise: Any
    sensitivity: float = field(default=1.0, metadata=_validate.checked(_validate.positive))

    def __post_init__(self) -> None:
        super().__post_init__()
        spread = _spread(_law("noise", self.noise))
        if not _SPREADS[0] < self.sensitivity / spread < _SPREADS[1]:
            rule = f"to have a spread within a factor 1e100 of the sensitivity ({self.sensitivity:g})"
            raise _validate.reject("noise", rule, self.noise, "Such noise hides everything or nothing.")

    def _step(self) -> TradeOff:
        # each release may shift the query up or down, whichever is worse given the earlier outputs
        return self.tradeoff()

    def _forward(self) -> TradeOff:
        closed = _closed_form(self.noise, self.sensitivity)
        if closed is not None:
            return closed
        noise, scale = _standard(self.noise)
        # the quotient is rounded up: a larger shift is never safer
        d = quotient_above(self.sensitivity, scale)
        law, facts = _law("noise", noise), noise_facts(noise)
        if facts is None:
            concave, symmetric = seen_shape(law)
            if not (concave or symmetric):
                raise Undefined(_SHAPELESS)
            return RatioCurve.moved(law, d, (None, None), symmetric=symmetric, log_concave=False)
        bounded = _bounded_losses(facts, replace(facts, loc=facts.loc + d))
        known = {"symmetric": facts.symmetric_unimodal, "log_concave": facts.log_concave}
        return RatioCurve.moved(law, d, bounded, **known)

    @property
    def log_concave(self) -> bool:
        """Whether the noise is known to be log-concave."""
        facts = noise_facts(self.noise)
        return facts is not None and facts.log_concave

    def as_additive(self) -> AdditiveNoise:
        return self

    def noise_law(self) -> Law:
        """The noise."""
        return _law("noise", self.noise)

    def experiment(self, values: Any = None) -> Experiment:
        without_values(values, " here: outputs are relative to the value under H0")
        law, facts = _law("noise", self.noise), noise_facts(self.noise)
        moved = ShiftedLaw(law, self.sensitivity)
        curve = self.tradeoff("add") if facts is not None else RatioCurve.of(law, moved)
        return Experiment(curve, ContinuousOutputs(law, moved, int(self.log_concave)))


FAMILIES = (Laplace, Gaussian, Geometric, DiscreteGaussian, Staircase, AdditiveNoise)


def known_noise(mechanism: Any) -> Any | None:
    """Additive noise as one of the ``FAMILIES``: itself, or an ``AdditiveNoise`` of its law; None if it is neither."""
    if isinstance(mechanism, FAMILIES):
        return mechanism
    return mechanism.as_additive() if isinstance(mechanism, Noisy) else None


def _closed_form(noise: Any, shift: float) -> TradeOff | None:
    """The exact curve of families that have one."""
    known = family(noise)
    if known is None:
        return None
    name, _, _, scale = known
    if name == "uniform":
        if shift >= scale:
            return revealing_curve(Fraction(0), Fraction(1))
        return revealing_curve(1 - Fraction(shift) / Fraction(scale), Fraction(shift) / Fraction(scale))
    kind = {"norm": GaussianCurve, "laplace": LaplaceCurve, "logistic": LogisticCurve}.get(name)
    return kind(quotient_above(shift, scale)) if kind else None


def _step_curve(p: Law, q: Law, edges: Floats) -> TradeOff:
    """The exact curve of two laws with constant densities between the edges."""
    logs = [law.logpdf((edges[1:] + edges[:-1]) / 2) for law in (p, q)]
    first, second = (np.exp(log) * np.diff(edges) for log in logs)
    with np.errstate(invalid="ignore"):
        loss = logs[1] - logs[0]
    return PiecewiseCurve.from_pair(first / first.sum(), second / second.sum(), loss, 4e-15, 4e-15)


@register
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ContinuousPair(_WithLaws):
    """Any two continuous output laws, as frozen SciPy distributions: ``p`` without the target, ``q`` with it.

    Use it for any release of one number whose two distributions are known.

    >>> import dplens as dl
    >>> from scipy import stats
    >>> spread = dl.ContinuousPair(p=stats.norm(), q=stats.norm(scale=2.0))  # with the target the output varies more
    >>> print(f"{spread.tradeoff(direction='add').power(0.05):.4f}")
    0.3271
    """

    p: Any
    q: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("p", "q"):
            source = getattr(self, name)
            if not _SPREADS[0] < _spread(_law(name, source)) < _SPREADS[1]:
                raise _validate.reject(name, "to have a spread between 1e-100 and 1e100", source, "Change the units.")

    def _forward(self) -> TradeOff:
        first, second = family(self.p), family(self.q)
        if self.p is self.q or (first is not None and first == second):
            return PiecewiseCurve.from_pair(np.ones(1), np.ones(1), np.zeros(1))
        if first and second and first[0] == second[0] == "norm" and first[3] == second[3] and first[2] != second[2]:
            return GaussianCurve(quotient_above(abs(Fraction(first[2]) - Fraction(second[2])), first[3]))
        laws = self._laws()
        if all(law.is_step() for law in laws):
            return _step_curve(*laws, np.union1d(*(law.jumps() for law in laws)))
        bounded = _bounded_losses(noise_facts(self.p), noise_facts(self.q))
        return RatioCurve.of(*laws, bounded=bounded)

    def _laws(self) -> tuple[Law, Law]:
        """The two laws, centred at the loc of the first if neither support ends, so that small shifts keep digits."""
        first, second = family(self.p), family(self.q)
        laws = _law("p", self.p), _law("q", self.q)
        endless = all(math.isinf(end) for law in laws for end in law.support())
        if not (first and second and endless and hasattr(self.p, "dist") and hasattr(self.q, "dist")):
            return laws
        at = second[2] - first[2]
        if not (first[2] and math.isfinite(at)):
            return laws
        moved = (x.dist(*f[1], loc=loc, scale=f[3]) for x, f, loc in ((self.p, first, 0.0), (self.q, second, at)))
        return _law("p", next(moved)), _law("q", next(moved))

    def experiment(self, values: Any = None) -> Experiment:
        without_values(values, ": the two laws are given")
        return Experiment(self.tradeoff("add"), ContinuousOutputs(_law("p", self.p), _law("q", self.q), 0))
