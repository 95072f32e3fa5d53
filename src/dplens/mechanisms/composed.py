"""Releases made of many: composition, repetition, sampling, DP-SGD."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplens import _validate
from dplens.curves.base import TradeOff
from dplens.curves.derived.groups import failing, without_failures
from dplens.curves.derived.hull import as_pair, both_directions
from dplens.curves.derived.sampled import sampled
from dplens.curves.guarantees.renyi import RenyiCurve
from dplens.errors import DplensWarning, Undefined
from dplens.mechanisms.additive import Gaussian
from dplens.mechanisms.base import Mechanism, checked_mechanism
from dplens.mechanisms.combined import Failing, Grouped
from dplens.mechanisms.guarantees import RenyiDP, ZeroConcentratedDP
from dplens.registry import register

SCHEMES = {"poisson": "add_remove", "without_replacement": "replace"}
_MOST = 10**15  # releases in total; sums over more lose digits
_RAREST = 1e-290  # rates: one over less, times a loss, overflows
# Orders at which zero-concentrated guarantees meet others that are not.
_ORDERS = np.concatenate([1 + np.geomspace(0.01, 1, 24), np.geomspace(2.2, 512, 48)])
_SPARSE = 6  # use every sixth order if divergences are expensive


@dataclass(frozen=True, kw_only=True)
class Composed(Mechanism):
    """Several releases about the same records, each with its count; the attacker sees all of them.

    Each release may depend on earlier outputs (adaptive composition). route: the method of composition, if chosen.
    """

    _unobserved = "Several releases seen together (repeat, compose) have no single output to attack."
    parts: tuple[tuple[Mechanism, int], ...]
    route: str | None = None

    def __repr__(self) -> str:
        parts = repr(self.parts) if len(self.parts) <= 6 else f"({self.parts[0]!r}, …: {len(self.parts)})"
        return f"Composed(neighbours={self.neighbours!r}, parts={parts}, route={self.route!r})"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.route is not None:
            from dplens.composition.routes import NAMES  # here, as below: only compositions load the engine

            _validate.one_of("route", self.route, NAMES)

    def _parts(self) -> tuple[tuple[Mechanism, int], ...]:
        return _counted((step, n * count) for m, count in self.parts for step, n in m._parts())

    def _forward(self) -> TradeOff:
        releases = self._parts()
        parts = [(*_bounded_moments(m), count) for m, count in releases]
        if any(isinstance(m, (RenyiDP, ZeroConcentratedDP)) for m, _, _ in parts):
            if self.route is not None:
                remedy = "Rényi and zCDP guarantees add up order by order: leave the route out."
                raise _validate.reject("route", "to be None beside such a guarantee", self.route, remedy)
            return _added_orders(parts)
        return _composed(releases, self.route)


def compose(*mechanisms: Mechanism, route: str | None = None) -> Mechanism:
    """The composition of the given releases.

    route: forces a method of composition, for instance to check one against another: ``"closed"``, ``"enumeration"``,
    ``"lattice"``, ``"spline"``, ``"contour"`` or ``"grid"``. By default the cheapest one that is accurate enough
    is used; the curve's ``certificate`` names it and gives the reason.

    >>> import dplens as dl
    >>> m = dl.compose(dl.Gaussian(sigma=2.0), dl.Laplace(scale=3.0), dl.Gaussian(sigma=4.0).repeat(10))
    >>> round(m.tradeoff().epsilon(1e-6), 6)
    4.74529
    >>> dl.compose(dl.Laplace(scale=3.0), dl.Laplace(scale=5.0), route="grid").tradeoff().certificate.route
    'grid'
    """
    if not mechanisms:
        raise _validate.reject("mechanisms", "to be at least one mechanism", mechanisms, "There is nothing to compose.")
    for i, m in enumerate(mechanisms):
        if not isinstance(m, Mechanism):
            hint = "Unpack it: compose(*releases)." if isinstance(m, (list, tuple)) else ""
            raise _validate.reject_type(f"mechanisms[{i}]", "to be a mechanism", m, hint)
    kinds = sorted({m.neighbours for m in mechanisms})
    if len(kinds) > 1:
        remedy = "Convert those with add_remove to replace by as_replace()."
        raise _validate.reject("mechanisms", "to have the same neighbours", kinds, remedy)
    return _collected([(m, 1) for m in mechanisms], kinds[0], route)


def repeated(mechanism: Mechanism, count: Any) -> Mechanism:
    """The release repeated ``count`` times."""
    n = _validate.count("count", count, minimum=0)
    if n == 1:
        return mechanism
    return _collected([(mechanism, n)], mechanism.neighbours)


def _collected(parts: list[tuple[Mechanism, int]], neighbours: str, route: str | None = None) -> Mechanism:
    """One flat list: nested compositions are expanded and equal releases merged."""
    opened = [(m.parts if isinstance(m, Composed) else ((m, 1),), count) for m, count in parts]
    found = _counted((inner, n * count) for inners, count in opened for inner, n in inners)
    _at_most("count", sum(n * count for m, count in found for _, n in m._parts()))
    return Composed(parts=found, neighbours=neighbours, route=route)


def _counted(parts: Iterable[tuple[Mechanism, int]]) -> tuple[tuple[Mechanism, int], ...]:
    """The parts with equal releases merged and their counts added."""
    counts: dict[Any, tuple[Mechanism, int]] = {}
    for m, count in parts:
        key = _key(m)
        known, n = counts.get(key, (m, 0))
        counts[key] = known, n + count
    return tuple((m, n) for m, n in counts.values() if n)


def _at_most(name: str, count: int) -> None:
    if count > _MOST:
        remedy = "Sums over more lose digits. Gaussian releases can be merged: n of them are one with sigma/sqrt(n)."
        raise _validate.reject(name, f"to make at most {_MOST:.0e} releases in all", count, remedy)


def _key(mechanism: Mechanism) -> Any:
    """A key that is equal for equal releases; descriptions that cannot be compared (arrays) only equal themselves."""
    try:
        hash(mechanism)
    except TypeError:
        return id(mechanism)
    return mechanism


def _bounded_moments(mechanism: Mechanism) -> tuple[Mechanism, float]:
    """The Rényi or zCDP guarantee behind failures or groups, and the failure probability; other releases unchanged.

    A group of k records under rho-zCDP has k²·rho-zCDP (Bun & Steinke 2016, Proposition 27).
    """
    if isinstance(mechanism, Failing):
        inner, kappa = _bounded_moments(mechanism.mechanism)
        if isinstance(inner, (RenyiDP, ZeroConcentratedDP)):
            return inner, kappa + mechanism.probability - kappa * mechanism.probability
    if isinstance(mechanism, Grouped) and isinstance(mechanism.mechanism, ZeroConcentratedDP):
        rho = mechanism.mechanism.rho * (1 + 4e-16) * float(min(mechanism.size, 10**150)) ** 2
        return ZeroConcentratedDP(rho=min(rho, 1e300), neighbours=mechanism.neighbours), 0.0
    return mechanism, 0.0


def _added_orders(parts: list[tuple[Mechanism, float, int]]) -> TradeOff:
    """The worst curve allowed by the sums of the Rényi divergences, added order by order.

    An output that proves one world makes the divergence infinite: its probability is kept apart, the rest is bounded.
    """
    if all(isinstance(m, ZeroConcentratedDP) for m, _, _ in parts):
        rho = math.fsum(count * m.rho for m, _, count in parts if isinstance(m, ZeroConcentratedDP))
        return failing(ZeroConcentratedDP(rho=rho)._forward(), _any_failure([(k, count) for _, k, count in parts]))
    given = [set(m.orders) for m, _, _ in parts if isinstance(m, RenyiDP)]
    # divergences of groups are integrals over curves found by a search: use few orders, which is just as safe
    usual = _ORDERS[::_SPARSE] if any(isinstance(m, Grouped) for m, _, _ in parts) else _ORDERS
    orders = sorted(set.intersection(*given)) if given else usual.tolist()
    if not orders:
        raise Undefined(
            "The Rényi guarantees share no order, so their bounds cannot be added. State them at common orders."
        )
    curves = [(*without_failures(m.tradeoff()), kappa, count) for m, kappa, count in parts]

    def bound(curve: TradeOff, order: float) -> float:
        return curve.implied_renyi(order) if isinstance(curve, RenyiCurve) else curve.renyi_bounds(order).hi

    totals = [math.fsum(count * bound(curve, order) for curve, _, _, count in curves) for order in orders]
    failures = [(k, count) for _, first, second, count in curves for k in (first, second)]
    return failing(RenyiDP(orders=orders, epsilons=totals)._forward(), _any_failure(failures))


def _any_failure(failures: list[tuple[float, int]]) -> float:
    """Probability that at least one failure occurs in the given numbers of trials, rounded up."""
    if any(kappa >= 1 for kappa, _ in failures):
        return 1.0
    return min(-math.expm1(math.fsum(count * math.log1p(-kappa) for kappa, count in failures)) * (1 + 1e-15), 1.0)


def _rate(name: str, given: Any, remedy: str = "") -> float:
    rate = _validate.real(name, given, "in (0, 1]", lambda x: 0 < x <= 1, remedy)
    if rate < _RAREST:
        remedy = "A sample this rare reveals less than floats can represent: leave the release out."
        raise _validate.reject(name, f">= {_RAREST:g}", given, remedy)
    return rate


@dataclass(frozen=True, kw_only=True)
class Subsampled(Mechanism):
    """A release run on a random sample of the records (see ``Mechanism.subsample``).

    Poisson: the target is sampled with probability ``rate``, so the output law under H1 is
    (1 − rate)·P + rate·Q. Without replacement: rate·f + (1 − rate)·Id, symmetrised before composition
    (Dong, Roth & Su 2022, Theorem 4.2).
    """

    _unobserved = "A release on a sample of the records (subsample) is described by its curve alone."
    mechanism: Mechanism = field(metadata=_validate.checked(checked_mechanism))
    rate: float
    scheme: str = "poisson"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "rate", _rate("rate", self.rate, "It is each record's chance."))
        _validate.one_of("scheme", self.scheme, tuple(SCHEMES))
        if self.neighbours != SCHEMES[self.scheme]:
            other = next(name for name, kind in SCHEMES.items() if kind == self.neighbours)
            remedy = f"Use scheme={other!r}, or state the mechanism for neighbours={SCHEMES[self.scheme]!r}."
            raise _validate.reject("scheme", f"to fit neighbours={self.neighbours!r}", self.scheme, remedy)
        if _holds(self.mechanism, lambda m: isinstance(m, (RenyiDP, ZeroConcentratedDP))):
            raise Undefined(
                "A Rényi or zCDP guarantee bounds moments of a loss that is not known, and sampling acts on the loss "
                "itself. Subsample the mechanism behind the guarantee instead."
            )
        if _holds(self.mechanism, lambda m: isinstance(m, Grouped) and m.neighbours == "add_remove"):
            raise Undefined(
                "Records are sampled one by one, and the curve of a group does not bound what a part of it reveals. "
                "Sample first, then look at groups: m.subsample(rate).group(size)."
            )

    def _forward(self) -> TradeOff:
        if self.scheme == "poisson":
            return sampled(self.mechanism._step(), self.rate)
        return as_pair(both_directions(sampled(self.mechanism.tradeoff(), self.rate)))


def _holds(mechanism: Mechanism, kind: Callable[[Mechanism], bool]) -> bool:
    """Whether the release or any of its parts satisfies ``kind``."""
    if isinstance(mechanism, Composed):
        return any(_holds(m, kind) for m, _ in mechanism.parts)
    inner = getattr(mechanism, "mechanism", None)
    return kind(mechanism) or (inner is not None and _holds(inner, kind))


@register
@dataclass(frozen=True, kw_only=True)
class DPSGD(Mechanism):
    """DP-SGD: training with noisy clipped gradients on Poisson-sampled batches (Abadi et al. 2016).

    Pass ``sample_rate`` and ``steps``, or ``epochs``, ``batch_size`` and ``n`` (records); then the rate is
    batch_size/n and an epoch has n/batch_size steps. Shuffled batches of fixed size are *not* Poisson samples.
    For a noise schedule, compose several.

    Use it for training by Opacus, JAX Privacy or TensorFlow Privacy with Poisson-sampled batches.

    >>> import dplens as dl
    >>> m = dl.DPSGD(noise_multiplier=1.0, sample_rate=0.01, steps=1000)
    >>> round(m.tradeoff().epsilon(1e-5), 6)
    1.828237
    """

    _unobserved = "DP-SGD reveals its noisy steps one by one: it has no single output to attack."
    noise_multiplier: float = field(metadata=_validate.checked(_validate.positive))
    sample_rate: float | None = None
    steps: int | None = None
    epochs: float | None = None
    batch_size: int | None = None
    n: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        set_ = object.__setattr__
        if self.neighbours != "add_remove":
            raise _validate.reject("neighbours", "to be 'add_remove', as for Poisson sampling", self.neighbours)
        run = {"sample_rate": self.sample_rate, "steps": self.steps}
        data = {"epochs": self.epochs, "batch_size": self.batch_size, "n": self.n}
        used = [figures for figures in (run, data) if any(x is not None for x in figures.values())]
        if len(used) != 1 or any(x is None for x in used[0].values()):
            given = {name: x for name, x in (run | data).items() if x is not None}
            raise _validate.reject("DPSGD", "to be given sample_rate and steps, or epochs, batch_size and n", given)
        if used[0] is data:
            self._from_epochs()
        set_(self, "sample_rate", _rate("sample_rate", self.sample_rate))
        set_(self, "steps", _validate.count("steps", self.steps, minimum=0))
        _at_most("steps", int(self.steps or 0))

    def _from_epochs(self) -> None:
        size, total = _validate.count("batch_size", self.batch_size), _validate.count("n", self.n)
        if size > total:
            raise _validate.reject("batch_size", f"to be at most n = {total}", size)
        epochs = _validate.nonnegative("epochs", self.epochs)
        steps = epochs * total / size * (1 - 1e-12)
        if not math.isfinite(steps):
            raise _validate.reject("epochs", "to make a number of steps that is a float", self.epochs)
        object.__setattr__(self, "sample_rate", size / total)
        object.__setattr__(self, "steps", math.ceil(steps))
        warnings.warn(
            "The batches are assumed to be Poisson samples: every record joins each batch by chance, and batch sizes "
            "vary. If training shuffles the data and cuts it into batches of fixed size, this figure does not hold.",
            DplensWarning,
            stacklevel=4,
        )

    def _parts(self) -> tuple[tuple[Mechanism, int], ...]:
        step = Gaussian(sigma=self.noise_multiplier)
        rate, steps = float(self.sample_rate or 1.0), int(self.steps or 0)
        return ((step.subsample(rate) if rate < 1 else step, steps),)

    def _forward(self) -> TradeOff:
        return _composed(self._parts())


def _composed(releases: Iterable[tuple[Mechanism, int]], route: str | None = None) -> TradeOff:
    from dplens.composition.routes import composed

    return composed([(m._step(), count) for m, count in releases], route)
