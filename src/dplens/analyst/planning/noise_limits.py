"""The noise that a test tolerates, and the families of noise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dplens import _validate
from dplens.analyst.tests.base import AnalystTest
from dplens.analyst.tests.location import LocationTest
from dplens.errors import Undefined
from dplens.estimate import Certificate, Estimate
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.numerics.roots import crossing

_ANY = "Any noise leaves that much: a test that ignores the data has it."
_TINY = 1e-6  # noise relative to the effect that only breaks ties


class Unsolvable(Undefined):
    """No design has the required power; ``best`` is the largest power found, ``reason`` says what limits it.

    >>> import dplens as dl
    >>> try:
    ...     dl.solve(dl.MeanTest(n=10, sd=0.5, effect=0.1), noise=None, power=0.8, family="gaussian")
    ... except dl.Unsolvable as why:
    ...     print(round(why.best, 3))
    0.156
    """

    def __init__(self, message: str, best: float | None = None, reason: str = "") -> None:
        super().__init__(message)
        self.best = best
        self.reason = reason or message


@dataclass(frozen=True)
class NoiseFamily:
    """A family of noise: a function from an amount and a sensitivity to a mechanism.

    parameter: the name of the amount. whole: whether the noise is on whole numbers. norm: the norm of its sensitivity
    over several published numbers.
    """

    name: str
    parameter: str
    make: Callable[..., Any]
    whole: bool = False
    norm: int = 1

    def __call__(self, noise: float, sensitivity: float = 1.0, neighbours: str = "add_remove") -> Any:
        if self.whole:
            remedy = "Whole-number noise is for counts and sums of them."
            sensitivity = _validate.count("sensitivity", sensitivity, 1, remedy)
        return self.make(noise, sensitivity=sensitivity, neighbours=neighbours)


_FAMILIES = (
    NoiseFamily("gaussian", "sigma", lambda x, **by: Gaussian(sigma=x, **by), norm=2),
    NoiseFamily("laplace", "scale", lambda x, **by: Laplace(scale=x, **by)),
    NoiseFamily("staircase", "noise", lambda x, **by: Staircase(epsilon=by["sensitivity"] / x, **by)),
    NoiseFamily("geometric", "scale", lambda x, **by: Geometric(scale=x, **by), whole=True),
    NoiseFamily("discrete_gaussian", "sigma", lambda x, **by: DiscreteGaussian(sigma=x, **by), whole=True),
)
FAMILIES = {f.name: f for f in _FAMILIES}


def noise_family(family: Any, name: Any = None) -> NoiseFamily:
    """A family by name, or made from a function of an amount of noise, perhaps with a name of its own."""
    if isinstance(family, NoiseFamily):
        return family
    if callable(family) and not isinstance(family, type):
        own, said = (getattr(family, "__name__", "family"), "family") if name is None else (name, f"families[{name!r}]")
        return NoiseFamily(str(own), "noise", lambda x, **_: _validate.made(said, family, x))
    return FAMILIES[_validate.one_of("family", family, tuple(FAMILIES))]


def wanted_power(test: AnalystTest, max_power_loss: float | None, min_power: float | None) -> float:
    """The required power: given, or the power without noise minus the share that may be lost."""
    if (max_power_loss is None) == (min_power is None):
        given = (max_power_loss, min_power)
        raise _validate.reject("max_power_loss and min_power", "with exactly one of them given", given)
    if min_power is not None:
        return least_power(test, min_power)
    loss = _validate.open_probability("max_power_loss", max_power_loss, "The share of the power that may be lost.")
    wanted = test.power().high * (1 - loss)
    if wanted <= test.level:
        rule = f"to leave a power above the level, {test.level:g}"
        raise _validate.reject("max_power_loss", rule, max_power_loss, _ANY)
    return wanted


def least_power(test: AnalystTest, min_power: Any) -> float:
    """The required power, which must exceed that of a test that ignores the data."""
    wanted = _validate.open_probability("min_power", min_power, "The chance of finding the effect, for instance 0.8.")
    if wanted <= test.level:
        raise _validate.reject("min_power", f"above the level, {test.level:g}", min_power, _ANY)
    return wanted


def precision_of(test: AnalystTest) -> float:
    """The relative tolerance of searches; coarser for simulated powers, which move in steps and take long."""
    return 1e-4 if test.simulated else 1e-12


def most_noise(
    test: AnalystTest, make: Callable[[float], Any], wanted: float, *, start: float | None = None, hopeful: bool = False
) -> float:
    """The largest amount of noise with power at least ``wanted``, proven at that amount.

    hopeful: use the upper end of the power instead, which gives an upper bound on the amount. Power decreases with the
    amount of log-concave noise, which becomes more dispersed. If the steps of a whole-number test make it fluctuate,
    the answer is an amount whose neighbour, a relative 1e-12 away, fails.
    """
    if wanted <= test.level:
        raise Unsolvable(f"Any amount of noise leaves a power of {wanted:g}: the level is {test.level:g}.", wanted)
    best = without = test.power()
    if (best.high if hopeful else best.low) < wanted:
        best = best_power(test)
    if (best.high if hopeful else best.low) < wanted:
        how = "without any" if float(best) < float(without) + 1e-6 else "with hardly any"
        raise Unsolvable(
            f"No noise is little enough: even {how} the power is {float(best):.6g}, and {wanted:.6g} was asked for. "
            "More records, a larger effect or a larger level would raise it.",
            float(best),
            "power without noise",
        )

    @functools.cache
    def excess(noise: float) -> float:
        found = test.power(make(noise))
        return (found.high if hopeful else found.low) - wanted

    low = high = start or noise_unit(test)
    while excess(high) >= 0:
        low, high = high, 2 * high
        if high > 1e300:
            raise Unsolvable(f"Any amount of noise leaves a power of at least {wanted:g}.", wanted, "no limit")
    while excess(low) < 0:
        high, low = low, low / 2
        if best is not without and low < _TINY * noise_unit(test):
            raise Unsolvable(
                f"No amount of this noise was found that leaves a power of {wanted:.6g}: without any it is "
                f"{float(without):.6g}, for a count reaches its level in steps. Gaussian or Laplace noise, which "
                f"fills them, would leave up to {float(best):.6g}.",
                float(without),
                "power without noise",
            )
        if low < 1e-12 * noise_unit(test):
            raise Unsolvable(
                f"A power of {wanted:.12g} is so close to what is reached without noise ({float(best):.12g}) that "
                "no amount of noise is little enough.",
                float(best),
                "power without noise",
            )
    return crossing(excess, low, high, precision_of(test))


def best_power(test: AnalystTest) -> Estimate:
    """The largest power of a test, without noise or with very little.

    Noise only reduces the power of a number with a density. A count attains only some levels; adding very little
    continuous noise, like a randomised test, attains the level exactly. For one-sided tests of numbers with a monotone
    likelihood ratio, such as counts, this is optimal (Neyman and Pearson 1933).
    """
    if isinstance(test, LocationTest):
        return test.power()
    return max(test.power(), test.power(Laplace(scale=_TINY * noise_unit(test))), key=float)


def noise_unit(test: AnalystTest) -> float:
    """A typical amount of noise for a test: its effect in units of the published number."""
    units: Any = getattr(test, "_units", None)
    return abs(test.effect) * (float(units()) if units is not None else 1.0)


def least_mu(
    test: AnalystTest, max_power_loss: float | None, min_power: float | None, sensitivity: float | None
) -> Estimate:
    """See ``AnalystTest.min_mu``."""
    given = test.sensitivity_at(norm=2) if sensitivity is None else _validate.positive("sensitivity", sensitivity)
    wanted = wanted_power(test, max_power_loss, min_power)
    sigma = most_noise(test, lambda x: Gaussian(sigma=x, sensitivity=given), wanted)
    if min_power is None and max_power_loss is not None:
        wanted = float(test.power().low) * (1 - max_power_loss)
    most = most_noise(test, lambda x: Gaussian(sigma=x, sensitivity=given), wanted, start=sigma, hopeful=True)
    low, high = given / most * (1 - 2 * precision_of(test)), given / sigma * (1 + 4e-16)
    low = min(low, high)  # two searches of a power that moves in steps may cross
    return Estimate(high, low=low, high=high, certificate=Certificate("search", (high - low) / high))
