"""Bounds that dp-accounting works out itself, for events that have no closed description here."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dplens import _validate
from dplens.errors import MissingExtra
from dplens.interop.losses import from_pld
from dplens.mechanisms.base import Mechanism
from dplens.mechanisms.guarantees import ApproximateDP, RenyiDP

_STEP = 1e-3  # of the grid of losses; the library takes minutes for some events with a finer one
_RELATIONS = {"add_remove": "ADD_OR_REMOVE_ONE", "replace": "REPLACE_ONE", "replace_special": "REPLACE_SPECIAL"}


def by_the_library(event: Any, relation: str) -> Mechanism | str:
    """A pessimistic bound by the library's distributions of losses, else by its Rényi divergences; or why not."""
    try:
        import dp_accounting as dpa
        from dp_accounting.pld import PLDAccountant
        from dp_accounting.rdp import RdpAccountant
    except ImportError:
        raise MissingExtra("This event needs dp-accounting to be bounded: pip install 'dplens[interop]'") from None
    among = getattr(dpa.NeighboringRelation, _RELATIONS[relation])
    neighbours = "replace" if relation == "replace" else "add_remove"
    losses = PLDAccountant(among, value_discretization_interval=_STEP)
    if losses.supports(event):
        _composed(losses, event)
        if getattr(losses, "_contains_non_dp_event", False):  # it notes that nothing protects, and accounts no loss
            return ApproximateDP(epsilon=math.inf, neighbours=neighbours)
        return from_pld(losses._pld, neighbours=neighbours)
    moments = RdpAccountant(neighboring_relation=among)
    if moments.supports(event):
        _composed(moments, event)
        orders, bounds = np.asarray(moments._orders, float), np.asarray(moments._rdp, float)
        keep = np.isfinite(bounds) & (orders >= 1)
        if keep.any():
            return RenyiDP(
                orders=orders[keep].tolist(), epsilons=np.maximum(bounds[keep], 0.0).tolist(), neighbours=neighbours
            )
    return "neither its distributions of losses nor its Rényi divergences cover it"


def _composed(accountant: Any, event: Any) -> None:
    """Accounts an event; what the library says of bad parameters is passed on."""
    try:
        accountant.compose(event)
    except (ValueError, TypeError, ArithmeticError) as error:
        name, shown = type(event).__name__, _validate.Shown(f"{type(error).__name__}: {error}")
        raise _validate.reject(name, "to be an event that dp-accounting can account for", shown) from None
