"""Histories of Opacus accountants."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dplens import _validate
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.composed import DPSGD, compose
from dplens.mechanisms.guarantees import ApproximateDP


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
        parts.append(
            DPSGD(
                noise_multiplier=sigma,
                sample_rate=_validate.real(f"history[{i}] sample rate", rate, "in (0, 1]", lambda x: 0 < x <= 1),
                steps=_validate.count(f"history[{i}] steps", steps),
            )
        )
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
