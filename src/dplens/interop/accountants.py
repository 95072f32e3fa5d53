"""Histories of Opacus accountants, and privacy-loss distributions of dp-accounting."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dplens import _validate
from dplens._validate import Floats
from dplens.errors import Undefined
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import DPSGD, compose
from dplens.mechanisms.guarantees import ApproximateDP, PrivacyProfile


def from_opacus(accountant: Any) -> Mechanism:
    """The training run recorded by an Opacus accountant.

    accountant: any Opacus accountant (RDP, PRV, GDP), a PrivacyEngine, the result of ``accountant.state_dict()``, a
    checkpoint of ``save_checkpoint``, or the history itself: (noise multiplier, sample rate, number of steps), in
    order. Only the history is used, not the accountant's own method.

    As in Opacus, neighbours differ by adding or removing a record, and batches are Poisson samples. With a shuffled
    data loader (``poisson_sampling=False``), neither Opacus's epsilon nor this one holds.

    >>> import dplens as dl
    >>> round(dl.from_opacus([(1.0, 0.01, 1000)]).tradeoff().epsilon(1e-5), 6)
    1.828237
    """
    parts = []
    for i, entry in enumerate(_history(accountant)):
        try:
            sigma, rate, steps = entry
        except (TypeError, ValueError):
            rule = f"to hold (noise multiplier, sample rate, steps) at place {i}"
            raise _validate.reject("history", rule, entry) from None
        sigma = _validate.nonnegative(f"history[{i}] noise multiplier", sigma)
        if sigma == 0:
            parts.append(ApproximateDP(epsilon=float("inf")))
            continue
        rate = _validate.real(f"history[{i}] sample rate", rate, "in (0, 1]", lambda x: 0 < x <= 1)
        steps = _validate.count(f"history[{i}] steps", steps)
        parts.append(DPSGD(noise_multiplier=sigma, sample_rate=rate, steps=steps))
    if not parts:
        return ApproximateDP(epsilon=0.0)
    return parts[0] if len(parts) == 1 else compose(*parts)


def _history(accountant: Any) -> Any:
    found = getattr(accountant, "accountant", accountant)  # a PrivacyEngine holds one
    if isinstance(found, Mapping):
        found = found.get("privacy_accountant_state_dict", found)  # in a checkpoint
        found = found.get("history")
    found = getattr(found, "history", found)
    if not isinstance(found, (list, tuple)):
        remedy = "Pass the accountant, privacy_engine.accountant.state_dict(), or a list of (sigma, rate, steps)."
        raise _validate.reject_type("accountant", "to be an Opacus accountant or its history", accountant, remedy)
    return found


def from_pld(pld: Any, *, neighbours: str = "add_remove") -> PrivacyProfile:
    """The privacy profile of a privacy-loss distribution of dp-accounting, in both directions.

    dp-accounting rounds losses up to a grid, so the guarantee is a pessimistic bound, which its certificate states.
    The two directions are kept apart, also under composition. neighbours: the relation for which the distribution was
    computed, which it does not store.
    """
    parts: list[Any] = [getattr(pld, name, None) for name in ("_pmf_remove", "_pmf_add")]
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
    found = [np.clip(np.asarray(p.get_delta_for_epsilon(epsilons), dtype=float), 0.0, 1.0) for p in parts]
    deltas = np.array(found[:1] if np.array_equal(found[0], found[1]) else found)  # present against absent, and back
    last = int(np.argmax((deltas <= deltas[:, -1:]).all(axis=0))) + 1  # constant from there on
    deltas = deltas[:, :last]
    origin = "pessimistic bound: a privacy-loss distribution of dp-accounting, its losses rounded upwards"
    return PrivacyProfile(
        epsilons=epsilons[:last].tolist(),
        deltas=deltas[0].tolist(),
        deltas_back=deltas[1].tolist() if len(deltas) > 1 else (),
        origin=f"{origin} in steps of {float(parts[0]._discretization):g}",
        neighbours=neighbours,
    )


def _losses(pmf: Any) -> Floats:
    """The grid of losses, finite ones only."""
    dense = pmf.to_dense_pmf()
    return (dense._lower_loss + np.arange(dense.size)) * float(dense._discretization)
