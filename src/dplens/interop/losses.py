"""Privacy-loss distributions of dp-accounting."""

from __future__ import annotations

from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.errors import Undefined
from dplens.mechanisms.guarantees import PrivacyProfile


def from_pld(pld: Any, *, neighbours: str = "add_remove") -> PrivacyProfile:
    """The privacy profile of a privacy-loss distribution of dp-accounting, in both directions.

    dp-accounting rounds losses up to a grid, so the guarantee is a pessimistic bound, which its certificate states.
    The two directions are kept apart, also under composition. neighbours: the relation for which the distribution was
    computed, which it does not store.
    """
    parts = [getattr(pld, name, None) for name in ("_pmf_remove", "_pmf_add")]
    if any(p is None for p in parts):
        remedy = "Pass what dp_accounting.pld.privacy_loss_distribution makes."
        raise _validate.reject_type("pld", "to be a PrivacyLossDistribution of dp-accounting", pld, remedy)
    for pmf in parts:
        if not getattr(pmf, "_pessimistic_estimate", True):
            raise Undefined(
                "This privacy-loss distribution was rounded towards less risk (pessimistic_estimate=False): it is no "
                "guarantee. Make it with pessimistic_estimate=True."
            )
    grid = np.unique(np.concatenate([[0.0], *(_losses(p) for p in parts)]))
    epsilons = grid[grid >= 0]
    found = [np.clip(_deltas(p, epsilons), 0.0, 1.0) for p in parts]
    deltas = np.array(found[:1] if np.array_equal(found[0], found[1]) else found)  # present against absent, and back
    last = int(np.argmax((deltas <= deltas[:, -1:]).all(axis=0))) + 1  # constant from there on
    points = thinned(epsilons[:last], deltas[:, :last])
    origin = "pessimistic bound: a privacy-loss distribution of dp-accounting, its losses rounded upwards"
    return PrivacyProfile(
        epsilons=points[0].tolist(),
        deltas=points[1][0].tolist(),
        deltas_back=points[1][1].tolist() if len(deltas) > 1 else (),
        origin=f"{origin} in steps of {_step(parts[0]):g}",
        neighbours=neighbours,
    )


def _step(pmf: Any) -> float:
    return float(pmf._discretization)


def _losses(pmf: Any) -> Floats:
    """The grid of losses, finite ones only."""
    dense = pmf.to_dense_pmf()
    return (dense._lower_loss + np.arange(dense.size)) * _step(dense)


def _deltas(pmf: Any, epsilons: Floats) -> Floats:
    """dp-accounting's own delta at each epsilon."""
    return np.asarray(pmf.get_delta_for_epsilon(epsilons), dtype=float)


def thinned(epsilons: Floats, deltas: Floats, most: int = 4000, error: float = 1e-6) -> tuple[Floats, Floats]:
    """Drop points of profiles (one per row) that lie within a relative ``error`` below the chords of their neighbours.

    Stops at ``most`` points. A chord lies above a convex profile, so dropping points only increases delta.
    """
    eps, delta = epsilons, deltas
    while len(eps) > most:
        at = np.arange(1, len(eps) - 1, 2)
        chord = _chord(eps[at], eps[at - 1], eps[at + 1], delta[:, at - 1], delta[:, at + 1])
        close = (chord - delta[:, at] <= error / 4 * delta[:, at]) & (delta[:, at] > 0)
        drop = at[close.all(axis=0)]
        if len(drop) < len(eps) / 50:
            break
        eps, delta = np.delete(eps, drop), np.delete(delta, drop, axis=1)
    k = np.clip(np.searchsorted(eps, epsilons, side="right"), 1, len(eps) - 1)
    if len(eps) < len(epsilons):
        excess = _chord(epsilons, eps[k - 1], eps[k], delta[:, k - 1], delta[:, k]) - deltas
        if (excess > 4 * error * np.maximum(deltas, 1e-300)).any():
            return epsilons, deltas
    return eps, delta


def _chord(at: Floats, e0: Floats, e1: Floats, d0: Floats, d1: Floats) -> Floats:
    """The straight line over e^epsilon through two points of a profile."""
    return d0 + (d1 - d0) * np.expm1(at - e0) / np.expm1(e1 - e0)
