"""The curve of losses spread onto a lattice: risky by construction, mild by what spreading can have added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from dplens._numerics.enclosure import Enclosure
from dplens._numerics.sharing import cached_property
from dplens.curves.base import Floats, TradeOff
from dplens.engine.bracket import BracketCurve
from dplens.engine.enclosing import errors_from_profile, mild_ends
from dplens.engine.lattice import Excess
from dplens.engine.merged import Merged


def together(parts: Sequence[Excess], counts: Sequence[int]) -> Excess:
    """What all steps can have added, at common shifts."""
    shift = max((part.shift for part in parts), key=len)
    share = np.zeros(len(shift))
    for part, count in zip(parts, counts):
        found = np.minimum.accumulate(part.share)  # a larger shift never needs a larger share
        index = np.searchsorted(part.shift, shift * (1 + 1e-12), side="right") - 1
        share += count * found[index]
    return Excess(shift, share, sum(count * part.lost for part, count in zip(parts, counts)))


_WIDE = 1e-3  # relative width of a bracket from which another way to its mild end is tried
_NONE = Excess(np.zeros(1), np.zeros(1), 0.0)


@dataclass(frozen=True, eq=False)
class GridCurve(BracketCurve):
    """risky ≤ f, and profile(risky)(e) − excess(e) ≤ profile of f."""

    excesses: tuple[Excess, Excess] = (_NONE, _NONE)  # of this direction and of the other

    def _added(self, epsilon: Floats) -> Floats:
        """What spreading can have added to delta(epsilon), by the best of the shifts."""
        excess = self.excesses[0]
        useful = excess.share < 1
        shift, share = excess.shift[useful], excess.share[useful]
        if not len(shift):
            return np.ones(len(epsilon))
        shifted = np.subtract.outer(epsilon, shift)
        profile = self.risky.profile_bounds(shifted.ravel()).hi.reshape(shifted.shape)
        return np.min(share * profile, axis=1) * (1 + self.slack) + excess.lost

    @cached_property
    def _apart(self) -> float:
        """Bound on the total variation: those of the steps add up. It helps where losses are rare and far apart."""
        parts = [count * float(step.profile_bounds(np.zeros(1)).hi[0]) for step, count in self.steps]
        return min(sum(parts) * (1 + 1e-14), 1.0)

    @cached_property
    def _merged(self) -> Merged | None:
        """How large the risk is at least, for where spreading may have added much."""
        return Merged.of(self.steps)

    def _enclose_profile(self, epsilon: Floats) -> Enclosure:
        known = super()._enclose_profile(epsilon)

        def lower() -> Floats:
            low = np.maximum(known.lo - self._added(epsilon), 0.0)
            wide = np.flatnonzero(low < (1 - _WIDE) * known.lo)
            if len(wide) and self._merged is not None:
                low[wide] = np.maximum(low[wide], self._merged.profile(epsilon[wide]))
            return low

        return Enclosure(lower, lambda: np.minimum(known.hi, self._apart))

    def epsilon_bounds(self, delta: Floats) -> Enclosure:
        lower, upper = TradeOff.epsilon_bounds(self, delta), super().epsilon_bounds(delta)
        return Enclosure(lambda: lower.lo, lambda: upper.hi)

    def _from_above(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        power, beta = super()._from_above(alpha, co)
        power = np.minimum(power, (alpha + self._apart) * (1 + 1e-15))
        return power, np.maximum(beta, (co - self._apart) * (1 - 1e-15))

    def _from_below(self, alpha: Floats, co: Floats) -> tuple[Floats, Floats]:
        e = self.risky._log_slope(alpha, co)
        power, beta = alpha.copy(), co.copy()
        known = np.flatnonzero(np.isfinite(e))
        nudge = np.full(len(known), self.excesses[0].shift[0] / 4)
        found = mild_ends(partial(errors_from_profile, self), e[known], nudge, alpha[known], co[known])
        sure = ~found[2]
        power[known[sure]], beta[known[sure]] = found[0][sure], found[1][sure]
        above = self._from_above(alpha, co)
        wide = np.flatnonzero((power < (1 - _WIDE) * above[0]) | (above[1] < (1 - _WIDE) * beta))
        if len(wide) and self._merged is not None:
            least = self._merged.rates(alpha[wide], co[wide])
            power[wide], beta[wide] = np.maximum(power[wide], least[0]), np.minimum(beta[wide], least[1])
        return power, beta

    def _mirrored(self) -> TradeOff:
        mirror = super()._mirrored()
        if mirror is self or not isinstance(mirror, BracketCurve):
            return self
        own, other = self.excesses
        tops, proofs = mirror.tops, mirror.proofs
        return GridCurve(mirror.risky, mirror.mild, mirror.steps, tops, proofs, self.route, self.slack, (other, own))

    def _auc(self) -> tuple[float, float]:
        high = self.risky._auc()[0]
        width = float(self.excesses[0].share.min()) + self.excesses[0].lost + self.slack
        return high - width / 2, width / 2
