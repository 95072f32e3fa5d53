"""Which curves have slopes that jump: a search that expects smooth ones may step over their vertices."""

from __future__ import annotations

from dplens.curves.base import TradeOff
from dplens.curves.finite.lattice import LatticeCurve
from dplens.curves.finite.piecewise import PiecewiseCurve


def has_kinks(curve: TradeOff) -> bool:
    """Whether slopes may jump, as they do where outputs are few, or where guarantees take turns."""
    from dplens.curves.guarantees.supremum import SupremumCurve

    return isinstance(curve, (PiecewiseCurve, LatticeCurve, SupremumCurve)) or any(map(has_kinks, _inner(curve)))


def _inner(curve: TradeOff) -> list[TradeOff]:
    inner = getattr(curve, "parts", None) or [getattr(curve, "base", None)]
    return [part for part in inner if isinstance(part, TradeOff)]
