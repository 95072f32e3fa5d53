"""Which curves have slopes that jump: a search that expects smooth ones may step over their vertices."""

from __future__ import annotations

from dplens.curves.base import TradeOff
from dplens.curves.hull import HullCurve
from dplens.curves.lattice import LatticeCurve
from dplens.curves.piecewise import PiecewiseCurve


def has_kinks(curve: TradeOff) -> bool:
    """Whether slopes may jump, as they do where outputs are few, or where guarantees take turns."""
    from dplens.curves.supremum import SupremumCurve

    if isinstance(curve, (PiecewiseCurve, LatticeCurve, SupremumCurve)):
        return True
    inner = curve.parts if isinstance(curve, HullCurve) else [getattr(curve, "base", None)]
    return any(has_kinks(part) for part in inner if isinstance(part, TradeOff))
