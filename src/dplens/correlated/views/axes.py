"""One release as seen by a finite mixture: its outputs cut into cells, with what is known of each cell."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from dplens import _validate
from dplens._validate import Floats
from dplens.correlated.chains.lattice_cells import Cells
from dplens.correlated.views.query_values import whole
from dplens.errors import Undefined
from dplens.mechanisms.additive import DiscreteGaussian, Gaussian, Geometric, Laplace
from dplens.mechanisms.noise import AdditiveNoise
from dplens.mechanisms.noise_laws import NormalLaw
from dplens.numerics.laws.base import Law
from dplens.numerics.laws.discrete_gaussian import DiscreteNormalNoise
from dplens.numerics.laws.facts import noise_facts
from dplens.numerics.laws.geometric import GeometricNoise

_MOST_CELLS = 2e7  # of all places together
_DEEP = 38.0  # standard deviations beyond which discrete normal tails are below 1e-315


@dataclass(frozen=True, eq=False)
class Axis:
    """Cells of the outputs of one release, for each of m places of the true value.

    mass: (m, C) probability of each cell; left, right: (m, C) log-density, up to a common term, at its two ends (equal
    where a cell is a single output, or the ratios are constant on it). excess: (C,) how far the log-ratio of any two
    mixtures of these places can leave the span of its values at the ends. open_: (C,) the outermost cells, where they
    reach to infinity and ratios are not constant on them. limits: (2, m) log-densities, relative to the outermost
    place, that those at the two ends fall to at most, from their values at the last edge; -inf where nothing is known.
    """

    mass: Floats
    left: Floats
    right: Floats
    excess: Floats
    open_: npt.NDArray[np.bool_]
    limits: Floats | None = None

    @property
    def count(self) -> int:
        return self.mass.shape[1]

    def cells(self, laws: Floats) -> Cells:
        """What laws (N, m) of the place make of the cells."""
        with np.errstate(divide="ignore"):
            left, right = (np.log(laws @ np.exp(log - log.max(axis=0))) for log in (self.left, self.right))
        gap = np.broadcast_to(np.where(self.open_, np.inf, self.excess), left.shape)
        return Cells(laws @ self.mass, left, right, gap)


def cut(mechanism: object, places: Floats, cells: int) -> Axis:
    """The outputs of an additive mechanism on a query with the given places, in about ``cells`` cells."""
    if isinstance(mechanism, Laplace):
        return _laplace(places / mechanism.scale, cells)
    if isinstance(mechanism, Geometric):
        return _geometric(mechanism.scale, whole(places, "Geometric"))
    if isinstance(mechanism, DiscreteGaussian):
        return _discrete_normal(mechanism.sigma, whole(places, "DiscreteGaussian"))
    if isinstance(mechanism, Gaussian):
        return normal_axis(places / mechanism.sigma, cells)
    if isinstance(mechanism, AdditiveNoise) and mechanism.log_concave:
        law = mechanism.noise_law()
        if all(math.isinf(end) for end in law.support()):
            return _log_concave(law, float(noise_facts(mechanism.noise).loc), places, cells, _falls(mechanism, places))  # pyright: ignore
    raise Undefined(
        f"The curve of {type(mechanism).__name__} noise on many attainable values, or on several releases at once, is "
        "worked out for Laplace, Gaussian, Geometric, DiscreteGaussian and log-concave noise on the whole line. Use "
        "one of these, or a query with fewer attainable values."
    )


def _laplace(places: Floats, cells: int) -> Axis:
    """Between places every density is A·e^−r + B·e^r: ratios are monotone there, and constant beyond all places.

    The largest ratios are attained at places, so cells are narrowest next to them.
    """
    known = np.unique(places)
    inner = [known]
    for a, b in pairwise(known):
        count = max(1, math.ceil(cells * (b - a) / max(known[-1] - known[0], 1e-300)))
        part = np.arange(1, count) / count
        inner.append(a + (b - a) * (part - np.sin(2 * np.pi * part) / (2 * np.pi)))
    edges = np.unique(np.concatenate(inner))
    log = -np.abs(np.subtract.outer(places, edges))
    low, high = edges[:-1], edges[1:]
    # inside a cell the place lies to one side: ∫ e^{−|r − s|}/2
    width = high - low
    mass = 0.5 * np.exp(np.maximum(log[:, :-1], log[:, 1:])) * -np.expm1(-width)
    tails = 0.5 * np.exp(log[:, [0, -1]])
    return Axis(
        np.concatenate([tails[:, :1], mass, tails[:, 1:]], axis=1),
        np.concatenate([log[:, :1], log], axis=1),
        np.concatenate([log, log[:, -1:]], axis=1),
        np.zeros(len(edges) + 1),
        np.zeros(len(edges) + 1, dtype=bool),
    )


def _geometric(scale: float, places: Floats) -> Axis:
    """Whole numbers between the outermost places; beyond them the ratios are constant."""
    start, end = places.min(), places.max()
    if (end - start) * len(places) > _MOST_CELLS:
        raise _validate.reject(
            "weights and values",
            "to make fewer different whole numbers for noise on whole numbers",
            float(end - start),
            "Use smaller weights, or Laplace or Gaussian noise.",
        )
    k = np.arange(start, end + 1)
    log = -np.abs(np.subtract.outer(places, k)) / scale
    mass = math.tanh(0.5 / scale) * np.exp(log)
    noise = GeometricNoise(scale)
    mass[:, 0] = noise.upper(places - start)
    if len(k) > 1:
        mass[:, -1] = noise.upper(end - places)
    else:
        mass[:, 0] = 1.0
    return Axis(mass, log, log, np.zeros(len(k)), np.zeros(len(k), dtype=bool))


def _discrete_normal(sigma: float, places: Floats) -> Axis:
    """Whole numbers as far as masses are floats; what lies beyond is left open."""
    reach = math.ceil(_DEEP * sigma) + 1
    if reach > 2_000_000:
        raise _validate.reject(
            "sigma", "<= 50000 for discrete Gaussian noise on related records", sigma, "Use Gaussian."
        )
    k = np.arange(places.min() - reach, places.max() + reach + 1)
    noise = DiscreteNormalNoise(sigma)
    offset = k - places[:, None]
    log = noise.log_mass(offset)
    near = np.arange(-reach, reach + 1.0)
    log_total = math.log(math.fsum(np.exp(noise.log_mass(near))))
    mass = np.exp(log - log_total)
    mass[:, 0] = noise.upper(places - k[0])
    mass[:, -1] = noise.upper(k[-1] - places)
    open_ = np.zeros(len(k), dtype=bool)
    open_[[0, -1]] = True
    return Axis(mass, log, log, np.zeros(len(k)), open_, _outermost(places))


def normal_axis(places: Floats, cells: int) -> Axis:
    """Unit normal noise.

    The log-ratio l of two mixtures of normals within a range R of places has |l''| ≤ R²/4 (a difference of posterior
    variances of the place), so on a cell of width h it leaves the span of its values at the ends by at most h²R²/32.
    """
    return _log_concave(NormalLaw(1.0), 0.0, places, cells, _outermost(places), normal=True)


def _outermost(places: Floats) -> Floats:
    """Normal noise: far out, only the outermost place is left."""
    return np.array([np.where(places == end, 0.0, -math.inf) for end in (places.min(), places.max())])


def _falls(mechanism: AdditiveNoise, places: Floats) -> Floats:
    """By how much, in logs, noise about each place can be less likely than about the outermost one."""
    out = []
    for end in (places.min(), places.max()):
        apart = np.abs(places - end)
        each = {
            d: 0.0 if d == 0 else replace(mechanism, sensitivity=d).tradeoff().epsilon(0.0) for d in map(float, apart)
        }
        out.append([-each[float(d)] for d in apart])
    return np.array(out)


def smoothed_axis(mechanism: AdditiveNoise, law: Law, places: Floats, cells: int = 4000) -> Axis:
    """Log-concave noise of a mechanism after more noise was added: ``law``, which hides no less."""
    return _log_concave(law, float(law.ppf(np.array([0.5]))[0]), places, cells, _falls(mechanism, places))


def _log_concave(law: Law, mode: float, places: Floats, cells: int, limits: Floats, normal: bool = False) -> Axis:
    """Log-concave noise on the whole line; cells are fine where the outputs mostly are.

    The score ψ = (log n)' falls, so the slope of the log-ratio of two mixtures is at most ψ(r − highest) − ψ(r −
    lowest) in size, whose integral over a cell is the change W of log n(r − highest)/n(r − lowest). A path of that
    length from one end value to the other leaves their span by at most (W − |difference|)/2 ≤ W/2.
    """
    levels = np.array([1e-300, 1e-17])
    low, high = law.ppf(levels) + places.min(), law.isf(levels) + places.max()
    tail = max(cells // 4, 16)
    ends = (low[0], low[1], tail), (low[1], high[1], max(cells, 16)), (high[1], high[0], tail)
    parts = [np.linspace(a, b, count) for a, b, count in ends]
    edges = np.unique(np.concatenate(parts if normal else [*parts, places + mode]))  # a kink is an edge
    edges = edges[np.isfinite(edges)]
    offset = edges - places[:, None]
    log = law.logpdf(offset.ravel()).reshape(offset.shape)
    below, above = law.cdf(offset), law.sf(offset)
    mass = np.where(above[:, :-1] < below[:, :-1], above[:, :-1] - above[:, 1:], below[:, 1:] - below[:, :-1])
    with np.errstate(invalid="ignore"):
        change = np.abs(np.diff(log[int(np.argmax(places))] - log[int(np.argmin(places))])) / 2
    bulge = (np.diff(edges) * np.ptp(places)) ** 2 / 32 if normal else np.nan_to_num(change, nan=np.inf)
    open_ = np.zeros(len(edges) + 1, dtype=bool)
    open_[[0, -1]] = True
    return Axis(
        np.maximum(np.concatenate([below[:, :1], mass, above[:, -1:]], axis=1), 0.0),
        np.concatenate([log[:, :1], log], axis=1),
        np.concatenate([log, log[:, -1:]], axis=1),
        np.concatenate([[0.0], bulge, [0.0]]),
        open_,
        limits,
    )
