"""The error that noise adds to a released number."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.special import ndtri

from dplens import _validate
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.combined import Failing, Grouped
from dplens.mechanisms.composed import DPSGD, Composed, Subsampled, compose
from dplens.mechanisms.experiment import Noisy
from dplens.mechanisms.noise import AdditiveNoise, known_noise
from dplens.mechanisms.noise_laws import ScaledLaw
from dplens.numerics.laws.base import Law
from dplens.numerics.laws.facts import family as known_family
from dplens.numerics.roots import sign_change
from dplens.registry import Result

NOISE_PARAMETERS: dict[type, str] = {
    Gaussian: "sigma",
    DiscreteGaussian: "sigma",
    Laplace: "scale",
    Geometric: "scale",
    DPSGD: "noise_multiplier",
}


@dataclass(frozen=True, kw_only=True)
class NoiseError(Result):
    """The error that noise adds to a released number.

    variance; mean_absolute: E|noise|; interval: the smallest half-width that contains 95 % of the noise.
    """

    variance: float
    mean_absolute: float
    interval: float


def noise_error(mechanism: Any) -> NoiseError:
    """Variance, mean absolute error and 95 % interval of the noise that a mechanism adds to a number.

    For repeated or subsampled releases this is the noise on each number; sampling error and the chance that a release
    fails (``fails_with``) are not included.

    >>> import dplens as dl
    >>> e = dl.noise_error(dl.Laplace(scale=2.0))
    >>> e.variance, e.mean_absolute, round(e.interval, 4)
    (8.0, 2.0, 5.9915)
    """
    added = _on_each_number(mechanism)
    added = added if (known := known_noise(added)) is None else known
    for kind, measure in _MEASURES.items():
        if isinstance(added, kind):
            try:
                found = measure(added)
            except (OverflowError, ZeroDivisionError):
                raise Undefined(f"The variance of the noise of {added} exceeds the largest float.") from None
            return NoiseError(**dict(zip(("variance", "mean_absolute", "interval"), found)))
    if isinstance(added, Composed) and added.parts:
        raise Undefined("Different releases together have no one variance. Compare them by a question.")
    raise Undefined(
        f"{type(added).__name__} does not add noise to a number, so it has no variance. Compare it by a question."
    )


def _on_each_number(mechanism: Any) -> Any:
    """The single release behind repetitions, samples, groups and failures."""
    if isinstance(mechanism, (Subsampled, Grouped, Failing)):
        return _on_each_number(mechanism.mechanism)
    parts = mechanism._parts() if isinstance(mechanism, Mechanism) else ()
    return _on_each_number(parts[0][0]) if len(parts) == 1 and parts[0][0] is not mechanism else mechanism


_Errors = tuple[float, float, float]


def _gaussian(m: Gaussian) -> _Errors:
    return m.sigma**2, m.sigma * math.sqrt(2 / math.pi), m.sigma * float(ndtri(0.975))


def _laplace(m: Laplace) -> _Errors:
    return 2 * m.scale**2, m.scale, m.scale * math.log(20)


def _geometric(m: Geometric) -> _Errors:
    a, rest = math.exp(-1 / m.scale), -math.expm1(-1 / m.scale)
    # the smallest k with P(|noise| > k) = 2·a^(k+1)/(1 + a) ≤ 0.05; the first guess is off by rounding only
    k = max(math.floor(m.scale * math.log(40 / (1 + a))) - 1, 0)
    while k < 2**53 and 2 * math.exp(-(k + 1) / m.scale) > 0.05 * (1 + a):
        k += 1  # beyond 2^53, k + 1 is the same float
    return 2 * a / rest**2, 2 * a / (rest * (1 + a)), float(k)


def _discrete_gaussian(m: DiscreteGaussian) -> _Errors:
    if m.sigma > 3e4:  # the moments agree with those of a continuous Gaussian to 1e-10
        variance, absolute, interval = _gaussian(Gaussian(sigma=m.sigma))
        return variance, absolute, math.ceil(interval)
    k = np.arange(0, math.ceil(40 * m.sigma) + 2)
    mass = np.exp(-0.5 * (k / m.sigma) ** 2)
    mass[1:] *= 2  # both signs
    mass /= mass.sum()
    inside = int(np.searchsorted(np.cumsum(mass), 0.95 * (1 - 1e-14)))
    return float(mass @ (k.astype(float) ** 2)), float(mass @ k), float(inside)


def _staircase(m: Staircase) -> _Errors:
    law, g, d = m.noise_law(), m._share, m.sensitivity
    b, rest = math.exp(-m.epsilon), -math.expm1(-m.epsilon)
    zeroth, first, second = 1 / rest, b / rest**2, b * (1 + b) / rest**3  # Σ b^k, Σ k·b^k, Σ k²·b^k
    squares = (
        (3 * second) * (g + b * (1 - g)) + (3 * first) * (g**2 + b * (1 - g**2)) + zeroth * (g**3 + b * (1 - g**3))
    )
    sizes = (2 * first) * (g + b * (1 - g)) + zeroth * (g**2 + b * (1 - g**2))
    half = float(law.isf(np.array([0.025]))[0])
    return 2 * law.height * d**3 * squares / 3, law.height * d**2 * sizes, half


def _additive(m: AdditiveNoise) -> _Errors:
    law = m.noise_law()

    def outside(x: np.ndarray) -> np.ndarray:
        return law.sf(x) + law.cdf(-x)

    unit = float(abs(law.isf(np.array([0.01]))[0]) + abs(law.ppf(np.array([0.01]))[0]))
    _low, high = sign_change(lambda x: outside(x) - 0.05, np.zeros(1), np.array([100 * unit]))
    if isinstance(m.noise, Law):  # which states no moments
        mean, square = _moment(outside, unit), _moment(outside, unit, 2)
        shift = _moment(law.sf, unit) - _moment(lambda x: law.cdf(-x), unit) if square < math.inf else 0.0
        return square - shift**2, mean, float(high[0])
    variance = float(m.noise.var())
    mean = _moment(outside, unit) if math.isfinite(float(m.noise.mean())) else math.inf
    return (variance if math.isfinite(variance) else math.inf), mean, float(high[0])


def _moment(tail: Callable[[np.ndarray], np.ndarray], unit: float, power: int = 1) -> float:
    """∫ power·x^(power − 1)·tail(x) dx, in parts: for the tail P(|noise| > x) this is E|noise|^power.

    Beyond 10 units over log x, up to where heavy tails are negligible; infinite if they never are.
    """
    from scipy.integrate import quad

    def share(x: float) -> float:
        return power * x ** (power - 1) * float(tail(np.array([x]))[0])

    far = math.log(10 * unit)
    last = 700.0 / power
    parts: list[Any] = [(share, a * unit, b * unit) for a, b in ((0, 0.25), (0.25, 1), (1, 10))]
    parts += [(lambda u: share(math.exp(u)) * math.exp(u), u, min(u + 5, last)) for u in np.arange(far, last, 5.0)]
    total = 0.0
    for function, start, end in parts:
        empty = start != 0 and function(start) <= 0  # tails fall
        more = 0.0 if empty else quad(function, start, end, epsabs=0, epsrel=1e-11, limit=200)[0]
        total += more
        if more <= 1e-15 * total:
            return total
    return math.inf


_MEASURES: dict[type, Callable[[Any], _Errors]] = {
    Gaussian: _gaussian,
    Laplace: _laplace,
    Geometric: _geometric,
    DiscreteGaussian: _discrete_gaussian,
    Staircase: _staircase,
    AdditiveNoise: _additive,
}


def scaled_noise(mechanism: Any) -> Callable[[float], Any] | None:
    """The function from a factor to the mechanism with its noise scaled by that factor.

    None if some part of the mechanism has no noise to scale.

    >>> import dplens as dl
    >>> scaled_noise(dl.Gaussian(sigma=2.0).repeat(3))(0.5) == dl.Gaussian(sigma=1.0).repeat(3)
    True
    """
    name = NOISE_PARAMETERS.get(type(mechanism))
    if name is not None:
        more = {"epochs": None, "batch_size": None, "n": None} if isinstance(mechanism, DPSGD) else {}
        return lambda x: replace(mechanism, **{name: getattr(mechanism, name) * x}, **more)
    if isinstance(mechanism, Staircase):
        usual = replace(mechanism, gamma=None)  # the optimal gamma for its epsilon
        own = None if mechanism.gamma == usual.gamma else mechanism.gamma
        return lambda x: replace(mechanism, epsilon=mechanism.epsilon / x, gamma=own)
    if isinstance(mechanism, Noisy) and not isinstance(mechanism, AdditiveNoise):
        return scaled_noise(mechanism.as_additive())
    if isinstance(mechanism, AdditiveNoise):
        if isinstance(mechanism.noise, Law):
            return lambda x: replace(mechanism, noise=ScaledLaw(mechanism.noise, x))
        known = known_family(mechanism.noise)
        if known is not None and hasattr(mechanism.noise, "dist"):
            _, shapes, loc, scale = known
            return lambda x: replace(mechanism, noise=mechanism.noise.dist(*shapes, loc=loc, scale=scale * x))
    if isinstance(mechanism, (Subsampled, Grouped, Failing)):
        inner = scaled_noise(mechanism.mechanism)
        return inner and (lambda x: replace(mechanism, mechanism=inner(x)))
    if isinstance(mechanism, Composed):
        parts = [(scaled_noise(part), count) for part, count in mechanism.parts]
        found = [(family, count) for family, count in parts if family is not None]
        if found and len(found) == len(parts):
            return lambda x: compose(*(family(x).repeat(count) for family, count in found))
    return None


def with_variance(family: Callable[[float], Any], variance: float) -> Any:
    """The member of a family with the given variance, which must be monotone in the parameter."""
    wanted = math.log(_validate.positive("variance", variance))

    def gap(u: np.ndarray) -> np.ndarray:
        # the variance of whole-number noise may underflow
        variances = [max(noise_error(family(math.exp(x))).variance, 5e-324) for x in u]
        return np.log(variances) - wanted

    for reach in (1.0, 3.0, 9.0, 20.0, 40.0):
        ends = np.array([[-reach], [reach]])
        if np.prod(gaps := gap(ends[:, 0])) < 0:
            inner, _ = sign_change(gap, *(ends if gaps[0] > 0 else ends[::-1]), floor=1e-14)
            return family(math.exp(float(inner[0])))
    raise Undefined(f"No member of the family was found with variance {variance:g}.")
