"""Mutual information between a tuple and the release, from both sides."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dplens._validate import Floats
from dplens.correlated.axes import cut
from dplens.correlated.pairs import divisible
from dplens.correlated.release import Release
from dplens.correlated.searching import knowledge_sets
from dplens.estimate import Estimate
from dplens.mechanisms.additive import Staircase
from dplens.mechanisms.noise import AdditiveNoise

_CLOSE = 1e-9


def information(mechanism: Any, places: Floats, prior: Floats, share: Floats) -> tuple[float, float]:
    """Bounds of the largest I(v; r) of the rows, from cells of the outputs.

    I is the mean of t·log t, t = Pr(r | v)/Pr(r) in [0, 1/prior], which is convex: it is least where t is constant in
    each cell, and largest where t is at either end of what it can be there.
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        held = -np.sum(np.where(prior > 0, prior * np.log(prior), 0.0), axis=1)  # what v tells at most
        if not isinstance(mechanism, Staircase) and (not isinstance(mechanism, AdditiveNoise) or divisible(mechanism)):
            axis = cut(mechanism, places, 800)
            mass, ends = share @ axis.mass, []
            for log in (axis.left, axis.right):
                height = share @ np.exp(log - log.max(axis=0))
                ends.append(height / np.einsum("rv,rvc->rc", prior, height)[:, None, :])
            wide = np.exp(axis.excess) * (1 + _CLOSE)
            least, most = np.minimum(*ends) / wide, np.maximum(*ends) * wide
            least[..., axis.open_], most[..., axis.open_] = 0.0, np.inf
        else:
            mass = share @ _masses(mechanism, places)
            least, most = np.zeros(mass.shape), np.full(mass.shape, np.inf)
        mixed = np.einsum("rv,rvc->rc", prior, mass)[:, None, :]
        mean = np.where(mixed > 0, mass / mixed, 0.0)
        least = np.minimum(np.nan_to_num(least), mean)
        most = np.maximum(np.minimum(np.nan_to_num(most, nan=np.inf, posinf=np.inf), (1 / prior)[:, :, None]), mean)
        part = np.where(most > least, (mean - least) / (most - least), 0.0)
        values = _log_times(mean), np.where(prior[:, :, None] > 0, (1 - part) * _log_times(least), 0.0)
        high = np.where(part > 0, values[1] + part * _log_times(np.where(part > 0, most, 0.0)), values[1])
        low, high = (np.einsum("rv,rvc->r", prior, mixed * x) for x in (values[0], high))
    return max(float(low.max()), 0.0), max(float(np.minimum(high * (1 + _CLOSE), held).max()), float(low.max()), 0.0)


def _log_times(t: Floats) -> Floats:
    return np.where(t > 0, t * np.log(np.where(t > 0, t, 1.0)), 0.0)


def _masses(mechanism: Any, places: Floats) -> Floats:
    """(places, cells): how likely the noise takes each place into each cell of the outputs."""
    law, levels = mechanism.noise_law(), np.linspace(0, 1, 802)[1:-1]
    ends = [end for end in law.support() if math.isfinite(end)]  # beyond them an output proves something
    edges = np.unique(np.add.outer(places, np.concatenate([law.ppf(levels), ends])))
    edges = edges[np.linspace(0, len(edges) - 1, min(len(edges), 4000)).astype(int)]
    below = law.cdf(edges - places[:, None])
    return np.maximum(np.diff(below, axis=1, prepend=0.0, append=1.0), 0.0)


def gaussian_information(model: Any, made: Release) -> Estimate:
    """½·log Var(r | x_K)/Var(r | x_i, x_K)."""
    best, sigma = 0.0, made.single.sigma  # pyright: ignore
    for i, known in knowledge_sets(model.n):
        follows, spread, variance = model.as_data().response(made.linear, i, known)
        rest = float(spread[0, 0]) + sigma**2
        best = max(best, 0.5 * math.log1p(float(follows[0]) ** 2 * variance / rest))
    return Estimate(best, low=best, high=best)
