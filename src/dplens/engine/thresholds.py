"""Which threshold on the loss has a given false-positive rate: approximately, as any threshold is safe."""

from __future__ import annotations

import math

import numpy as np

from dplens.engine.composition import Composition
from dplens.engine.laws import Floats
from dplens.engine.readings import Readings


class Thresholds:
    """A table of tilts with their mean losses and tails, extended when asked further out."""

    def __init__(self, comp: Composition, readings: Readings) -> None:
        self.composition, self._readings = comp, readings
        spread = math.sqrt(max(comp.real(0.5)[2], 1e-300))
        self._rows = [self._row(0.5 + step / spread) for step in (-2, -1, -0.5, 0, 0.5, 1, 2)]
        self._arrange()

    def at(self, alpha: Floats, co: Floats) -> Floats:
        """e with P(L > e) near alpha: Newton's steps on the logarithm of the smaller tail."""
        lower = np.maximum(co - self.composition.unseen[0], 1e-320)
        odds = np.log(np.maximum(alpha, 1e-320)) - np.log(lower)
        e = self._guess(odds)
        small = alpha <= 0.5
        for _ in range(4):
            above, below, density = self._readings.tail(e)
            with np.errstate(all="ignore"):
                here, wanted = np.where(small, above, below), np.where(small, alpha, lower)
                step = np.where(small, 1.0, -1.0) * np.log(here / wanted) * here / density
            room = self.spread(e)
            step = np.where(np.isfinite(step) & (density > 0), np.clip(step, -room, room), 0.0)
            e = np.clip(e + step, *self._readings.limits)
            if (np.abs(step) < 1e-7 * room).all():
                break
        return e

    def spread(self, e: Floats) -> Floats:
        """Standard deviation of the loss under the tilt whose mean is e."""
        return np.interp(e, self._losses, self._spreads)

    def _guess(self, odds: Floats) -> Floats:
        while True:
            beyond = odds.max(initial=0) > self._odds[0], odds.min(initial=0) < self._odds[-1]
            if not any(beyond) or not self._extend(*beyond):
                return np.interp(-odds, -self._odds, self._losses)

    def _row(self, c: float) -> tuple[float, float, float, float]:
        """(tilt, mean loss, spread, log-odds of exceeding that loss)."""
        comp = self.composition
        _, d, dd = comp.real(c)
        log_tail = min(comp.log_tail(c), math.log(0.5))
        other = math.log1p(-math.exp(log_tail))
        return c, d, math.sqrt(max(dd, 1e-300)), log_tail - other if c >= 0 else other - log_tail

    def _arrange(self) -> None:
        self._tilts, losses, self._spreads, odds = np.array(sorted(self._rows)).T
        self._losses, self._odds = np.maximum.accumulate(losses), np.minimum.accumulate(odds)

    def _extend(self, left: bool, right: bool) -> bool:
        """More rows where they are asked for; False where tilting changes nothing any more."""
        low, high = self._tilts[0], self._tilts[-1]
        if max(abs(low), abs(high)) > 1e7:
            return False
        if left:
            self._rows.append(self._row(float(0.5 + 1.35 * (low - 0.5))))
        if right:
            self._rows.append(self._row(float(0.5 + 1.35 * (high - 0.5))))
        self._arrange()
        return True
