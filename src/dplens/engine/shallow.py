"""A lattice of losses that is looked at as far out as a question goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats, TradeOff
from dplens.engine.bracket import BracketCurve

DEPTH = 82.0  # −log of what may be lost at either end of the window
_DEEP = 1e-20  # rates and deltas below it are read from the whole lattice; what was lost is 1e-15 of it


@dataclass(frozen=True, eq=False)
class ShallowCurve(BracketCurve):
    """The same bracket from a narrow window, for ordinary questions, and a wide one, for those about the far tails.

    The wide one takes ten times as long, and is made when it is first asked for. Which window answers depends on the
    number asked alone.
    """

    deeper: Callable[[], BracketCurve] | None = None

    @cached_property
    def deep(self) -> BracketCurve:
        """The bracket from the wide window."""
        if self.deeper is None:
            raise TypeError("a shallow curve needs a deeper one")
        return self.deeper()

    def _power_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._by_depth(alpha, co, super()._power_on, lambda: self.deep._power_on, side)

    def _beta_on(self, side: int, alpha: Floats, co: Floats) -> Floats:
        return self._by_depth(alpha, co, super()._beta_on, lambda: self.deep._beta_on, side)

    def _by_depth(self, alpha: Floats, co: Floats, near, far, side: int) -> Floats:
        tiny = ((alpha > 0) & (alpha < _DEEP)) | ((co > 0) & (co < _DEEP))
        if not tiny.any():
            return near(side, alpha, co)
        out = np.empty_like(alpha)
        out[tiny] = far()(side, alpha[tiny], co[tiny])
        if not tiny.all():
            out[~tiny] = near(side, alpha[~tiny], co[~tiny])
        return out

    def _profile_on(self, side: int, epsilon: Floats) -> Floats:
        out = super()._profile_on(side, epsilon)
        tiny = out < _DEEP
        if tiny.any():
            out[tiny] = self.deep._profile_on(side, epsilon[tiny])
        return out

    def bounded_epsilon(self, side: int, delta: Floats) -> Floats:
        tiny = delta < _DEEP
        if not tiny.any():
            return super().bounded_epsilon(side, delta)
        out = np.empty_like(delta)
        out[tiny] = self.deep.bounded_epsilon(side, delta[tiny])
        if not tiny.all():
            out[~tiny] = super().bounded_epsilon(side, delta[~tiny])
        return out

    def _log_slope(self, alpha: Floats, co: Floats) -> Floats:
        tiny = (alpha < _DEEP) | (co < _DEEP)
        out = super()._log_slope(alpha, co)
        if tiny.any():
            out[tiny] = self.deep._log_slope(alpha[tiny], co[tiny])
        return out

    def _mirrored(self) -> TradeOff:
        mirror = super()._mirrored()
        if mirror is self or self.deeper is None or not isinstance(mirror, BracketCurve):
            return mirror
        kept = mirror.risky, mirror.mild, mirror.steps, mirror.tops, mirror.proofs, mirror.route, mirror.slack
        return ShallowCurve(*kept, deeper=partial(_mirror_of, self.deeper))


def _mirror_of(deeper: Callable[[], BracketCurve]) -> BracketCurve:
    mirror = deeper().inverse()
    if not isinstance(mirror, BracketCurve):  # pragma: no cover
        raise TypeError("the mirror image of a bracket is one")
    return mirror
