"""Where the best test decides: its threshold on the likelihood ratio, and the coin at a tie."""

from __future__ import annotations

import math

import numpy as np

from dplens._numerics.search import sign_change
from dplens.curves.base import Floats, TradeOff
from dplens.curves.ratio import RatioCurve
from dplens.mechanisms.experiment import Outputs, log_threshold

_TIE = 1e-11  # relative width in which losses count as equal
_NEAR = 4e-9  # how far an interpolated threshold may be from the plateau that it belongs to


def likelihood_threshold(curve: TradeOff, alpha: float, outputs: Outputs | None = None) -> float:
    """log of the ratio above which H1 is decided, on the plateau itself where the ratio is constant."""
    known = None if outputs is None else outputs.log_threshold(alpha)
    if known is not None:
        return known
    at = float(log_threshold(curve, np.array([alpha]), np.array([1 - alpha]))[0])
    if not isinstance(curve, RatioCurve) or not math.isfinite(at):
        return at
    if 1 - alpha < curve.inverse()._power_at_zero() * (1 - 1e-12):  # more than all that H1 can produce
        return -math.inf
    level = curve.plateau(at, _NEAR * (1 + abs(at)))
    return _refined(curve, at, alpha) if level is None else level


def _refined(curve: RatioCurve, at: float, alpha: float) -> float:
    """An interpolated threshold, moved to where the test accuses a share alpha."""

    def excess(loss: Floats) -> Floats:
        accused, cleared, _, _ = curve._rates(loss)
        return accused - alpha if alpha <= 0.5 else (1 - alpha) - cleared

    reach = 1e-9 * (1 + abs(at))
    for _ in range(30):
        low, high = np.array([at - reach]), np.array([at + reach])
        if excess(low)[0] > 0 >= excess(high)[0]:
            return float(sign_change(excess, low, high)[1][0])
        reach *= 4
    return at


def rejection(outputs: Outputs, statistic: Floats, alpha: float, curve: TradeOff) -> Floats:
    """Probability with which the best test decides H1 for each output: 0, 1, or the coin that makes its rate alpha."""
    by_output = outputs.rejection(statistic, alpha)
    if by_output is not None:
        return by_output
    loss = outputs.loss(statistic)
    if alpha <= 0 or alpha >= 1:  # only outputs that prove H1, or all
        return np.isposinf(loss).astype(float) if alpha <= 0 else np.ones_like(loss)
    at = likelihood_threshold(curve, alpha, outputs)
    if math.isinf(at):
        tie, above, below = loss == at, 0.0, 1.0
        if at < 0:  # all that is possible in the other world is accused already; the coin is for the rest
            above = 1 - curve.inverse()._power_at_zero()
    else:
        slack = _TIE * (1 + abs(at))
        tie = np.abs(loss - at) <= slack
        edges = np.array([at + slack, np.nextafter(at - slack, -math.inf)])
        above, below = (float(rate) for rate in curve._rates(edges)[0])
    coin = np.clip((alpha - above) / (below - above), 0.0, 1.0) if below > above else 0.0
    return np.where(tie, coin, (loss > at).astype(float))
