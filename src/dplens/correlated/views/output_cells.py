"""The outputs of one release divided into cells, with bounds on the densities in each cell."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.views.queries import whole
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace, Staircase
from dplens.mechanisms.noise import AdditiveNoise
from dplens.mechanisms.noise_laws import NormalLaw, StaircaseLaw
from dplens.numerics.laws.base import Law
from dplens.numerics.laws.discrete_gaussian import DiscreteNormalNoise
from dplens.numerics.laws.facts import noise_facts
from dplens.numerics.laws.geometric import GeometricNoise
from dplens.numerics.sharing import cached_property


@dataclass(frozen=True, eq=False)
class OutputCells:
    """C cells of the outputs, for noise around each of m places of the true value.

    mass: (m, C) probability of each cell. left, right: (m, C) log-densities at its two ends, up to a common term; the
    same array where a cell is a single output. excess: (C,) how far the log-ratio of two mixtures of these places can
    leave the span of its values at the ends. limits: (2, m) the limits, far out on each side, of the log-densities
    relative to the outermost place (-inf where unknown); None if ratios are constant on the two outermost cells.
    """

    mass: Floats
    left: Floats
    right: Floats
    excess: Floats
    limits: Floats | None = None

    @classmethod
    def between(
        cls, mass: Floats, log_edges: Floats, excess: Floats | float, limits: Floats | None = None
    ) -> OutputCells:
        """Cells whose ends are neighbouring edges, and a tail on each side."""
        left, right = np.c_[log_edges[:, :1], log_edges], np.c_[log_edges, log_edges[:, -1:]]
        bulge = np.zeros(mass.shape[1])
        bulge[1:-1] = excess
        return cls(mass, left, right, bulge, limits)

    @property
    def count(self) -> int:
        """How many cells there are."""
        return self.mass.shape[1]

    @property
    def is_open(self) -> npt.NDArray[np.bool_]:
        """(C,): cells that reach to infinity and on which ratios are not constant."""
        out = np.zeros(self.count, dtype=bool)
        out[[0, -1]] = self.limits is not None
        return out

    @cached_property
    def relative(self) -> tuple[Floats, Floats]:
        """(m, C): lower and upper bounds of the log-densities, relative to that of one of the places."""
        with np.errstate(invalid="ignore"):
            ends = [side - side[0] for side in (self.left, self.right)]
            least, most = np.minimum(*ends), np.maximum(*ends)
        if self.limits is not None:
            for cell, limit, edge in ((0, self.limits[0], self.left[:, 0]), (-1, self.limits[1], self.right[:, -1])):
                near = edge - edge[int(np.argmax(limit))]
                least[:, cell], most[:, cell] = np.minimum(limit, near), np.maximum(limit, near)
        return least, most


def output_cells(mechanism: object, places: Floats, count: int) -> OutputCells:
    """The outputs of an additive mechanism on a query with the given places, in about ``count`` cells."""
    if isinstance(mechanism, Laplace):
        return _laplace(places / mechanism.scale, count)
    if isinstance(mechanism, (Geometric, DiscreteGaussian)):
        return _whole_cells(mechanism, places)
    if isinstance(mechanism, Gaussian):
        return normal_cells(places / mechanism.sigma, count)
    if isinstance(mechanism, Staircase):
        middle, width = step_cells(mechanism.noise_law(), places)
        log = mechanism.log_likelihood(middle - places[:, None])
        return OutputCells(np.exp(log) * width, log, log, np.zeros(len(middle)))
    if isinstance(mechanism, AdditiveNoise) and divisible(mechanism):
        mode = float(noise_facts(mechanism.noise).loc)  # pyright: ignore[reportOptionalMemberAccess]
        return _log_concave(mechanism.noise_law(), mode, places, count, _limits(mechanism, places))
    raise Undefined(
        f"The curve of {type(mechanism).__name__} noise on many attainable values, or on several releases at once, is "
        "not supported. Use Laplace, Gaussian, Geometric, DiscreteGaussian, Staircase or log-concave noise on the "
        "whole line, or a query with fewer attainable values."
    )


def step_cells(noise: StaircaseLaw, values: Floats) -> tuple[Floats, Floats]:
    """Midpoints of the steps of the output density around all values, and their effective widths.

    Beyond the outermost values every further step divides all densities by e^epsilon and leaves the ratios unchanged,
    so one period represents the whole tail.
    """
    step = noise.sensitivity
    start, end = values.min() - step, values.max() + step
    count = math.ceil((end - start) / step) + 1
    places = step * np.add.outer(np.arange(-count, count + 1), [0.0, noise.gamma, -noise.gamma]).ravel()
    edges = np.unique(np.concatenate([[start, start + step, end - step, end], np.add.outer(values, places).ravel()]))
    edges = edges[(edges >= start) & (edges <= end)]
    # steps that coincide up to rounding do not make a cell
    edges = edges[np.concatenate([[True], np.diff(edges) > 1e-12 * (np.abs(edges[1:]) + step)])]
    middle, width = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    tails = (middle < start + step) | (middle > end - step)
    return middle, np.where(tails, width / -math.expm1(-noise.epsilon), width)


def divisible(mechanism: AdditiveNoise) -> bool:
    """Whether the outputs can be divided into cells: true for log-concave noise on the whole line."""
    return mechanism.log_concave and all(math.isinf(end) for end in mechanism.noise_law().support())


def _laplace(places: Floats, count: int) -> OutputCells:
    """Between places every density is A·e^−r + B·e^r: ratios are monotone there, and constant beyond all places.

    The largest ratios are attained at places, so the cells next to them are the narrowest.
    """
    known = np.unique(places)
    inner = [known]
    for a, b in pairwise(known):
        parts = max(1, math.ceil(count * (b - a) / max(known[-1] - known[0], 1e-300)))
        at = np.arange(1, parts) / parts
        inner.append(a + (b - a) * (at - np.sin(2 * np.pi * at) / (2 * np.pi)))
    edges = np.unique(np.concatenate(inner))
    log = -np.abs(np.subtract.outer(places, edges))
    # every place lies to one side of a cell: ∫ e^{−|r − s|}/2
    mass = 0.5 * np.exp(np.maximum(log[:, :-1], log[:, 1:])) * -np.expm1(-np.diff(edges))
    tails = 0.5 * np.exp(log[:, [0, -1]])
    return OutputCells.between(np.c_[tails[:, 0], mass, tails[:, 1]], log, 0.0)


def _whole_cells(mechanism: Geometric | DiscreteGaussian, places: Floats) -> OutputCells:
    """Every integer is a cell.

    Under geometric noise ratios are constant beyond the outermost places; for discrete normal noise the cells extend to
    where masses underflow (e^(−38²/2) = 1e-314).
    """
    places, reach = whole(places, type(mechanism).__name__), 0
    if isinstance(mechanism, DiscreteGaussian):
        reach = math.ceil(38 * mechanism.sigma) + 1
    if reach > 2_000_000:
        rule = "<= 50000 for discrete Gaussian noise on related records"
        raise _validate.reject("sigma", rule, mechanism.sigma, "Use Gaussian.")  # pyright: ignore
    start, end = places.min() - reach, places.max() + reach
    if not reach and (end - start) * len(places) > 2e7:
        rule = "to make fewer different whole numbers for noise on whole numbers"
        remedy = "Use smaller weights, or Laplace or Gaussian noise."
        raise _validate.reject("weights and values", rule, float(end - start), remedy)
    k = np.arange(start, end + 1)
    if isinstance(mechanism, Geometric):
        noise, limits = GeometricNoise(mechanism.scale), None
        log, total = -np.abs(np.subtract.outer(places, k)) / mechanism.scale, 1 / math.tanh(0.5 / mechanism.scale)
    else:
        noise, limits = DiscreteNormalNoise(mechanism.sigma), _normal_limits(places)
        log = noise.log_mass(k - places[:, None])
        total = math.fsum(np.exp(noise.log_mass(np.arange(-reach, reach + 1.0))))
    mass = np.exp(log - math.log(total))
    mass[:, 0] = noise.upper(places - start) if len(k) > 1 else 1.0
    if len(k) > 1:
        mass[:, -1] = noise.upper(end - places)
    return OutputCells(mass, log, log, np.zeros(len(k)), limits)


def normal_cells(places: Floats, count: int) -> OutputCells:
    """Unit normal noise.

    The log-ratio l of two mixtures of normals within a range R of places has |l''| ≤ R²/4 (a difference of posterior
    variances of the place), so on a cell of width h it leaves the span of its values at the ends by at most h²R²/32.
    """
    return _log_concave(NormalLaw(1.0), 0.0, places, count, _normal_limits(places), normal=True)


def _normal_limits(places: Floats) -> Floats:
    """The limits under normal noise: far out, only the outermost place matters."""
    return np.array([np.where(places == end, 0.0, -math.inf) for end in (places.min(), places.max())])


def _limits(mechanism: AdditiveNoise, places: Floats) -> Floats:
    """The limits of the log-densities of noise around each place, relative to the outermost one."""

    @cache
    def largest_loss(apart: float) -> float:
        return replace(mechanism, sensitivity=apart).tradeoff().epsilon(0.0) if apart else 0.0

    return np.array([[-largest_loss(d) for d in np.abs(places - end).tolist()] for end in (places.min(), places.max())])


def _log_concave(
    law: Law, mode: float, places: Floats, count: int, limits: Floats, normal: bool = False
) -> OutputCells:
    """Log-concave noise on the whole line; cells are narrow where most outputs lie.

    The score ψ = (log n)' falls, so the slope of the log-ratio of two mixtures is at most ψ(r − highest) − ψ(r −
    lowest) in size, whose integral over a cell is the change W of log n(r − highest)/n(r − lowest). A path of that
    length from one end value to the other leaves their span by at most (W − |difference|)/2 ≤ W/2.
    """
    levels = np.array([1e-300, 1e-17])
    low, high = law.ppf(levels) + places.min(), law.isf(levels) + places.max()
    tail = max(count // 4, 16)
    ends = (low[0], low[1], tail), (low[1], high[1], max(count, 16)), (high[1], high[0], tail)
    parts = [np.linspace(a, b, n) for a, b, n in ends]
    edges = np.unique(np.concatenate(parts if normal else [*parts, places + mode]))  # a kink must be an edge
    edges = edges[np.isfinite(edges)]
    offset = edges - places[:, None]
    log = law.logpdf(offset.ravel()).reshape(offset.shape)
    below, above = law.cdf(offset), law.sf(offset)
    mass = np.where(above[:, :-1] < below[:, :-1], above[:, :-1] - above[:, 1:], below[:, 1:] - below[:, :-1])
    mass = np.maximum(np.c_[below[:, 0], mass, above[:, -1]], 0.0)
    if normal:
        return OutputCells.between(mass, log, (np.diff(edges) * np.ptp(places)) ** 2 / 32, limits)
    with np.errstate(invalid="ignore"):
        change = np.abs(np.diff(log[int(np.argmax(places))] - log[int(np.argmin(places))])) / 2
    return OutputCells.between(mass, log, np.nan_to_num(change, nan=np.inf), limits)
