"""Where the best test decides: its threshold on the likelihood ratio, and the coin at a tie."""

from __future__ import annotations

import math

import numpy as np

from dplens.curves.base import Floats, TradeOff
from dplens.curves.ratio import RatioCurve
from dplens.mechanisms.experiment import Outputs, log_threshold

_TIE = 1e-11  # relative width in which losses count as equal
_NEAR = 4e-9  # how far an interpolated threshold may be from the plateau that it belongs to


def likelihood_threshold(curve: TradeOff, alpha: float) -> float:
    """log of the ratio above which H1 is decided, on the plateau itself where the ratio is constant."""
    at = float(log_threshold(curve, np.array([alpha]), np.array([1 - alpha]))[0])
    if not isinstance(curve, RatioCurve) or not math.isfinite(at):
        return at
    if 1 - alpha < curve.inverse()._power_at_zero() * (1 - 1e-12):  # more than all that H1 can produce
        return -math.inf
    for stretch in curve._pieces.pieces:
        losses = stretch.losses
        near = np.abs(losses - at) <= _NEAR * (1 + abs(at))
        level = near[1:] & near[:-1] & (np.abs(np.diff(losses)) <= 1e-12 * (1 + abs(at)))
        if level.any():
            return float(np.median(losses[1:][level]))
    return at


def rejection(outputs: Outputs, statistic: Floats, alpha: float, curve: TradeOff) -> Floats:
    """Probability with which the best test decides H1 for each output: 0, 1, or the coin that makes its rate alpha."""
    by_output = outputs.rejection(statistic, alpha)
    if by_output is not None:
        return by_output
    loss = outputs.loss(statistic)
    if alpha <= 0 or alpha >= 1:  # only outputs that prove H1, or all
        return np.isposinf(loss).astype(float) if alpha <= 0 else np.ones_like(loss)
    at = likelihood_threshold(curve, alpha)
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
