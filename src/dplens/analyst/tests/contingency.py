"""The chi-square test on a table of noisy counts, by simulation."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.analyst.laws.noise import DensityNoise, LaplaceNoise, Noise, NoNoise, NormalNoise, WholeNoise
from dplens.analyst.tests.base import Published
from dplens.analyst.tests.simulated import MonteCarloTest
from dplens.numerics.laws.geometric import GeometricNoise
from dplens.registry import register
from dplens.telling import Told


@register
@dataclass(frozen=True, kw_only=True)
class ContingencyTest(MonteCarloTest):
    """Are rows and columns of a table independent? The chi-square test on published noisy counts.

    probabilities: the planned table, rows by columns, or a ``PlanningValue`` of it with its source; the null hypothesis
    is the independent table with the same margins. effect: the distance from independence, 1 for the planned table.
    Every cell has its own noise (adding or removing a record changes one cell by 1). The null law is simulated with the
    noise: counts of n records are drawn from the null table, noise is added, and the statistic Σ (count − expected)²/
    (expected + variance of the noise) uses expected counts from the noisy margins. The level holds for the declared
    margins, as verdicts and decisions state.

    >>> import dplens as dl
    >>> t = dl.ContingencyTest(n=300, probabilities=[[0.3, 0.2], [0.2, 0.3]], draws=4000, rng=1)
    >>> round(t.w, 6), t.power().point > t.power(dl.Geometric(scale=20.0)).point
    (0.2, True)
    """

    _planned = ("n", "effect", "probabilities")
    _what = "the departure from independence"
    _kinds: ClassVar = {
        None: Published(
            whole=True,
            integer=True,
            instead="a difference of proportions (TwoProportionsTest with published='difference')",
        )
    }

    probabilities: Any
    effect: float = 1.0
    _relation = "add_remove"  # one record changes one cell by 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.alternative != "larger":
            raise _validate.reject("alternative", "to be 'larger'", self.alternative, "Departures are never negative.")
        table = _validate.floats("probabilities", self.probabilities, "in [0, 1]", 0.0, 1.0)
        if table.ndim != 2 or min(table.shape) < 2:
            raise _validate.reject("probabilities", "to be a table of at least 2 by 2", self.probabilities)
        if abs(math.fsum(table.ravel()) - 1) > 1e-9:
            raise _validate.reject("probabilities", "to sum to 1", self.probabilities)
        if (table.sum(axis=0) <= 0).any() or (table.sum(axis=1) <= 0).any():
            raise _validate.reject("probabilities", "to have no empty row or column", self.probabilities)
        self._set("probabilities", tuple(map(tuple, table.tolist())))  # keeps the source
        if self.w < 1e-12:
            remedy = "Rows and columns are independent in it: there is nothing to find."
            raise _validate.reject("probabilities", "to differ from independence", self.probabilities, remedy)
        self._alternative_value(self.effect)
        if self.null != 0:
            raise _validate.reject("null", "to be 0", self.null, "The null hypothesis is independence.")

    @property
    def w(self) -> float:
        """Cohen's effect size √Σ (p − p0)²/p0 of the planned table."""
        table, null = self._shares(), self._table(0.0)
        return math.sqrt(float(((table - null) ** 2 / null).sum()))

    def _shares(self) -> Floats:
        """The planned table, normalised."""
        table = np.array(self.probabilities)
        return table / table.sum()

    def _table(self, value: float) -> Floats:
        table = self._shares()
        null = np.outer(table.sum(axis=1), table.sum(axis=0))
        return null + value * (table - null)

    def _limits(self) -> tuple[float, float]:
        table, null = self._shares(), self._table(0.0)
        change = table - null
        with np.errstate(divide="ignore"):
            most = float(np.min(np.where(change < 0, null / np.abs(change), math.inf)))
        return 0.0, most

    def _score(self, observed: Any, mechanism: Any) -> float:
        counts = _validate.as_array("observed", observed)
        shape = (len(self.probabilities), len(self.probabilities[0]))
        if counts.shape != shape or not np.isfinite(counts).all():
            raise _validate.reject("observed", f"to be a table of {shape[0]} by {shape[1]} published counts", observed)
        return float(_chi_square(counts[None], _variance(self._noise(mechanism)))[0])

    def _job(self, value: float, noise: Noise, case: Any = None) -> Callable[[np.random.Generator, int], Any]:
        return partial(_draw, self.n, self._table(value), noise, _variance(noise))

    def _proviso(self) -> str:
        table = self._shares()
        rows, columns = (", ".join(f"{share:.4g}" for share in table.sum(axis=a)) for a in (1, 0))
        origin = self.sources()["probabilities"].origin
        return Told("assume-margins", rows=rows, columns=columns, origin=origin)

    def _sensitivity(self, n: int, neighbours: str, norm: int) -> float:
        changed = self._numbers_changed(neighbours)  # each by 1
        return float(changed) if norm == 1 else math.sqrt(changed)

    def _numbers_changed(self, neighbours: str) -> int:
        return 1 if neighbours == "add_remove" else 2  # a record that is replaced leaves one cell and enters another


def _draw(n: int, table: Floats, noise: Noise, extra: float, rng: np.random.Generator, size: int) -> Floats:
    counts = rng.multinomial(n, table.ravel(), size).reshape(size, *table.shape)
    return _chi_square(counts + noise.draw(rng, counts.shape), extra)


def _chi_square(counts: Floats, extra: float) -> Floats:
    """Σ (count − expected)²/(expected + extra); expected counts from the margins, at least ½."""
    rows, columns = (np.maximum(counts.sum(axis=a, keepdims=True), 0.5) for a in (2, 1))
    total = np.maximum(counts.sum(axis=(1, 2), keepdims=True), 1.0)
    expected = np.maximum(rows * columns / total, 0.5)
    return ((counts - expected) ** 2 / (expected + extra)).sum(axis=(1, 2))


def _variance(noise: Noise) -> float:
    """The variance of the noise; for general densities, which may have none, from the interquartile range."""
    if isinstance(noise, NoNoise):
        return 0.0
    if isinstance(noise, NormalNoise):
        return noise.sigma**2
    if isinstance(noise, LaplaceNoise):
        return 2 * noise.scale**2
    if isinstance(noise, WholeNoise):
        return (2 if isinstance(noise.lattice, GeometricNoise) else 1) * (noise.lattice.spread * noise.unit) ** 2
    if isinstance(noise, DensityNoise):
        return (noise.iqr() / 1.349) ** 2
    raise TypeError(f"unknown noise {noise!r}")
