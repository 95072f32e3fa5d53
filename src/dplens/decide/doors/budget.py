"""Split the budget of one privacy limit over several releases."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplens import _validate
from dplens.analyst.planning.noise_limits import (
    NoiseFamily,
    Unsolvable,
    best_power,
    most_noise,
    noise_family,
    noise_unit,
    precision_of,
)
from dplens.analyst.planning.protection import Sensitivity, refused, spent_by
from dplens.analyst.tests.base import AnalystTest, checked_tests
from dplens.decide.calibration.calibrate import Calibration, calibrate
from dplens.decide.doors.shared import limits_of, overspent
from dplens.decide.plain import Plain
from dplens.errors import Undefined
from dplens.estimate import Estimate
from dplens.mechanisms.base import NEIGHBOURS
from dplens.mechanisms.composed import compose
from dplens.numerics.progress import tracked
from dplens.numerics.roots import crossing
from dplens.risk.base import Requirement

_QUADRATIC = ("gaussian", "discrete_gaussian")  # families whose budgets add as squares


@dataclass(frozen=True, kw_only=True)
class BudgetSplit(Plain):
    """A privacy limit split over several releases.

    mechanisms: one for each test. count: the mechanism for a noisy number of records, if a share was reserved for it,
    or the recorded release of the tests' n. spent: the releases of other planning values. weights: the shares of the
    budget that earlier releases leave (mu² for Gaussian noise, epsilon for the others); they sum to 1, or to
    1 − count_share if a count is released. powers: those of the tests. fit: the calibration of everything combined,
    including earlier releases, which provably meets the limit.
    """

    mechanisms: tuple[Any, ...]
    count: Any
    spent: Any
    weights: tuple[float, ...]
    powers: tuple[Estimate, ...]
    fit: Calibration

    @property
    def composed(self) -> Any:
        """Everything released now or earlier, as one mechanism."""
        return self.fit.mechanism


def split_budget(
    tests: Sequence[AnalystTest],
    limit: Requirement | Sequence[Requirement],
    *,
    family: Any = "gaussian",
    sensitivity: float | Sequence[float] | None = None,
    weights: Sequence[float] | str | None = None,
    count_share: float = 0.0,
    neighbours: str | None = None,
    progress: bool | None = None,
) -> BudgetSplit:
    """Noise for each test such that all releases together meet the limit.

    weights: shares of the budget, equal by default; ``"weakest"`` maximises the smallest power, ``"average"`` the mean
    power. sensitivity: of the published numbers, one for all or one for each; by default from the tests' bounds.
    count_share: a share of the budget for a noisy count of the records (sensitivity 1), see ``private_n``; means and
    proportions are then divided by at least the planned n (see ``sensitivity_at``). Once the count is known, split
    again with its bound as n and the same weights: the count's share is spent. Releases recorded in planning values, as
    by ``private_n``, are included, each once; weights and count_share then divide what they leave. The release of an n
    serves as the count, so no share is reserved for another. neighbours: the relation that the sensitivities refer to,
    by default that of the tests; a count_share requires ``"add_remove"``, since it hides the number of records.

    >>> import dplens as dl
    >>> tests = [dl.MeanTest(n=200, sd=0.5, effect=0.1, bounds=(0, 1)),
    ...          dl.MeanTest(n=50, sd=0.5, effect=0.3, bounds=(0, 1))]
    >>> split = dl.split_budget(tests, dl.Mu().at_most(0.5), weights="weakest")
    >>> [round(w, 3) for w in split.weights], split.fit.achieved[0] <= 0.5
    ([0.784, 0.216], True)
    """
    plans, kind, limits = checked_tests(tests), noise_family(family), limits_of(limit)
    share = _validate.real("count_share", count_share, "in [0, 1)", lambda x: 0 <= x < 1)
    relation = _relation(plans, share, neighbours)
    declared = _sensitivities(plans, sensitivity, relation)
    spent = spent_by(*plans)
    counts, others = spent.parted("n")
    if counts.releases:
        share = 0.0  # already spent
    for i, size in enumerate(declared):
        why = refused(kind, size, spent)
        if why is not None:
            raise _validate.reject("family", f"to fit tests[{i}]", kind.name, why)
    if share and (why := refused(kind, Sensitivity(None, 1.0, relation), spent)) is not None:
        raise _validate.reject("family", "to fit a count of the records, too", kind.name, why)
    if (why := overspent(spent, relation, limits)) is not None:
        raise Undefined(why)
    sizes = tuple(size.of(kind) for size in declared)
    release = _Release(plans, kind, sizes, share, relation, counts.alone(relation), others.alone(relation))
    if isinstance(weights, str):
        if weights == "weakest":
            return _weakest(release, limits)
        if weights == "average":
            return _average(release, limits, progress)
        remedy = "The first maximises the smallest power, the second the mean power."
        raise _validate.reject("weights", "to be 'weakest', 'average' or a number for each test", weights, remedy)
    given = np.ones(len(plans)) if weights is None else _validate.floats("weights", weights, "> 0", 5e-324, 1.7e308)
    if given.shape != (len(plans),):
        raise _validate.reject("weights", f"to be {len(plans)} numbers, one for each test", weights)
    return _by_weights(release, limits, given / given.sum())


@dataclass(frozen=True)
class _Release:
    """One noisy number for each test, perhaps a noisy count, and earlier releases."""

    tests: tuple[AnalystTest, ...]
    kind: NoiseFamily
    sizes: tuple[float, ...]
    share: float
    neighbours: str
    count: Any = None
    spent: Any = None

    def relative(self, weight: float) -> float:
        """Noise relative to the sensitivity, for a share of the budget."""
        return 1 / math.sqrt(weight) if self.kind.name in _QUADRATIC else 1 / weight

    def weight(self, noise: float, size: float) -> float:
        """The share of the budget that an amount of noise takes, up to a common factor; inverse of ``relative``."""
        strength = size / noise
        return strength**2 if self.kind.name in _QUADRATIC else strength

    def mechanism(self, noise: float, size: float) -> Any:
        return self.kind(noise, size, self.neighbours)

    def parts(self, scale: float, shares: Any, own: float) -> tuple[list[Any], Any]:
        """The mechanisms for shares of the budget, and for the count's own share, all scaled by ``scale``."""
        mechanisms = [self.mechanism(scale * size * self.relative(w), size) for w, size in zip(shares, self.sizes)]
        return mechanisms, self.mechanism(scale * self.relative(own), 1.0) if own else self.count

    def all(self, mechanisms: Sequence[Any], count: Any) -> Any:
        parts = [*mechanisms, *(m for m in (count, self.spent) if m is not None)]
        return compose(*parts) if len(parts) > 1 else parts[0]


def _by_weights(release: _Release, limit: tuple[Requirement, ...], weights: Any) -> BudgetSplit:
    shares = weights * (1 - release.share)
    fit = calibrate(lambda scale: release.all(*release.parts(scale, shares, release.share)), meet=limit)
    mechanisms, count = release.parts(fit.value, shares, release.share)
    return BudgetSplit(
        mechanisms=tuple(mechanisms),
        count=count,
        spent=release.spent,
        weights=tuple(float(w) for w in shares),
        powers=tuple(t.power(m) for t, m in zip(release.tests, mechanisms)),
        fit=fit,
    )


def _weakest(release: _Release, limit: tuple[Requirement, ...]) -> BudgetSplit:
    """The shares that give all tests the same power, the largest that the limit allows.

    Powers of simulated and whole-number tests move in steps, so the search only needs to end on the side that meets the
    limit; its shares are then calibrated to the limit like any others.
    """
    equal = _by_weights(release, limit, np.full(len(release.tests), 1 / len(release.tests)))
    top = min(float(best_power(t)) for t in release.tests) * (1 - 1e-6)
    bottom = max(t.level for t in release.tests) * (1 + 1e-3)
    if bottom >= top:
        raise _validate.reject("tests", "with a power above every level", release.tests, "Even without noise.")

    @functools.cache
    def shares(power: float) -> Any:
        taken = []
        for t, size in zip(release.tests, release.sizes):
            most = most_noise(t, lambda x, size=size: release.mechanism(x, size), power, start=noise_unit(t))
            taken.append(release.weight(most, size))
        return np.array(taken)

    @functools.cache
    def slack(power: float) -> float:
        """The distance of the nearest limit; negative if one is broken."""
        try:
            taken = shares(power)
        except Unsolvable:  # too close to the power without noise
            return -math.inf
        made = release.all(*release.parts(1.0, taken, taken.sum() / (1 - release.share) * release.share))
        least = min((r.bound - float(r.question.of(made))) * (1 if r.question.more_is_riskier else -1) for r in limit)
        return least if math.isfinite(least) else -math.inf

    # the best common power lies between the smallest and the largest power of any split
    low, high = (min(max(float(end(equal.powers)), bottom), top) for end in (min, max))
    if low == high or slack(low) == -math.inf:
        return equal
    width = max(1e-8, *(precision_of(t) for t in release.tests))
    taken = shares(high if slack(high) >= 0 else crossing(slack, low, high, width))
    found = _by_weights(release, limit, taken / taken.sum())
    return max(found, equal, key=lambda split: min(split.powers))


def _average(release: _Release, limit: tuple[Requirement, ...], progress: bool | None, rounds: int = 24) -> BudgetSplit:
    """The best mean power, by a pattern search over the logs of the weights from equal weights."""

    def trial(logs: Any) -> tuple[float, BudgetSplit]:
        split = _by_weights(release, limit, np.exp(logs) / np.exp(logs).sum())
        return float(np.mean([float(p) for p in split.powers])), split

    at, step = np.zeros(len(release.tests)), 1.0
    best = trial(at)
    moves = [side * unit for unit in np.eye(len(at))[: len(at) if len(at) > 2 else -1] for side in (1, -1)]
    for _ in tracked(range(rounds), rounds, "splitting the budget", progress):
        before = best[0]
        for move in moves:
            found = trial(at + step * move)
            if found[0] > best[0] + 1e-9:
                at, best = at + step * move, found
        step = step if best[0] > before else step / 2
        if step < 1e-3:
            break
    return best[1]


def _relation(tests: tuple[AnalystTest, ...], count_share: float, given: Any) -> str:
    kinds = {t.neighbours for t in tests}
    own = "add_remove" if count_share or len(kinds) > 1 else kinds.pop()
    relation = own if given is None else given
    _validate.one_of("neighbours", relation, NEIGHBOURS)
    if count_share and relation == "replace":
        remedy = "Data sets that differ by a replaced record have the same number of records: nothing would hide it."
        raise _validate.reject("neighbours", "to be 'add_remove' with a count_share", relation, remedy)
    return relation


def _sensitivities(tests: tuple[AnalystTest, ...], given: Any, neighbours: str) -> list[Sensitivity]:
    if given is None or not isinstance(given, Sequence):
        return [Sensitivity(t, given, neighbours) for t in tests]
    if len(given) != len(tests):
        raise _validate.reject("sensitivity", f"to be one number, or {len(tests)}", given)
    sizes = [_validate.positive(f"sensitivity[{i}]", s) for i, s in enumerate(given)]
    return [Sensitivity(t, s, neighbours) for t, s in zip(tests, sizes)]
