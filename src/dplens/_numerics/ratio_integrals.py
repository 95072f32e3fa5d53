"""Divergences and small deltas of two laws with densities, by quadrature over the stretches of their ratio."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from dplens._numerics import quadrature
from dplens._numerics.moments import Floats, surplus, unshared
from dplens._numerics.ratio_pieces import RatioPieces

_DIGITS = 4.5e-16  # relative error of a log-density


def ratio_divergence(pieces: RatioPieces, order: float) -> float:
    """D_order(Q‖P) by quadrature; infinite where the integrand does not die out in the tails."""
    if not pieces.pieces:
        return math.inf
    top = _top(pieces, order)
    if top == math.inf:
        return math.inf
    only_p, only_q, turn = pieces.p_only.sure, pieces.q_only.sure, order < 0.5
    if order == 1:
        return _integral(pieces, lambda p, q, loss: _surplus_term(p, q, loss, 0.0)) + only_p

    def plain(log_p: Floats, log_q: Floats, loss: Floats) -> Floats:
        return np.exp(log_q + (order - 1) * loss - top)

    rough = _integral(pieces, plain, 1e-3)
    if rough > 0 and abs(top + math.log(rough)) < 0.4:

        def term(log_p: Floats, log_q: Floats, loss: Floats) -> Floats:
            return _surplus_term(log_q, log_p, -loss, h) if turn else _surplus_term(log_p, log_q, loss, h)

        h = -order if turn else order - 1
        lost = unshared(only_q, only_p, h) if turn else unshared(only_p, only_q, h)
        return math.log1p(h * _integral(pieces, term) - lost) / (order - 1)
    moment = _integral(pieces, plain) if rough > 0 else 0.0
    return (top + math.log(moment)) / (order - 1) if moment > 0 else math.inf


def _integral(pieces: RatioPieces, term: Callable[[Floats, Floats, Floats], Floats], tolerance: float = 1e-13) -> float:
    """∫ term(log p, log q, log q/p) over all stretches."""

    def integrand(x: Floats) -> Floats:
        with np.errstate(all="ignore"):
            log_p, log_q, loss = pieces.p.logpdf(x), pieces.q.logpdf(x), pieces.loss(x)
            return np.where(np.isfinite(loss), term(log_p, log_q, loss), 0.0)

    return quadrature.adaptive(integrand, tolerance=tolerance, panels=pieces.everywhere)[0]


def _top(pieces: RatioPieces, order: float) -> float:
    """The largest log of the integrand, q^order·p^(1 − order) or q·l, on the grid; infinite where it diverges.

    Towards infinity the mass of the outermost cells must have died out; towards an end of the support the
    integrand must grow more slowly than 1/distance, and what lies within a float of it must not count.
    """
    x = np.concatenate([piece.x for piece in pieces.pieces])
    with np.errstate(all="ignore"):
        log_p, log_q, loss = pieces.p.logpdf(x), pieces.q.logpdf(x), pieces.loss(x)
        exponent = log_q + np.log(np.abs(loss)) if order == 1 else order * log_q + (1 - order) * log_p
        exponent = np.nan_to_num(exponent, nan=-math.inf)
        cell = exponent + np.log(np.gradient(x))  # its mass in logs: density times width
    heaviest = float(np.max(cell))
    for end, outermost, log_term, at in (
        (pieces.pieces[0].start, cell[0], exponent, x),
        (pieces.pieces[-1].end, cell[-1], exponent[::-1], x[::-1]),
    ):
        if math.isinf(end) and outermost > heaviest - 25:
            return math.inf
        if math.isfinite(end) and (outermost > heaviest - 11 or _steep_at(np.abs(at - end), log_term)):
            return math.inf
    return float(np.max(exponent))


def _steep_at(distance: Floats, log_term: Floats) -> bool:
    """Whether a term grows like 1/distance or faster, from points in order of their distance."""
    i = int(np.argmax(distance > 0))
    far = np.flatnonzero(distance >= 1e3 * distance[i])
    if not len(far) or not math.isfinite(log_term[i]):
        return False
    growth = log_term[i] - log_term[far[0]]
    return growth >= 0.99 * math.log(distance[far[0]] / distance[i])


def _surplus_term(log_p: Floats, log_q: Floats, loss: Floats, h: float) -> Floats:
    finite = np.isfinite(loss)
    return np.where(finite, surplus(np.exp(log_p), np.exp(log_q), np.where(finite, loss, 0.0), h), 0.0)


def thin_profile(pieces: RatioPieces, epsilon: Floats) -> tuple[Floats, Floats]:
    """∫ q·(1 − e^{eps − l}) over the set l > eps, with a bound on its error.

    The error holds that of the quadrature, the last digits of l and the mass beyond the grid.
    """
    starts, ends, numbers, rest = pieces.panels(epsilon)
    closed = pieces.grid.closed

    def gain(x: Floats, number: npt.NDArray[np.intp]) -> tuple[Floats, Floats]:
        log_p, log_q, loss = pieces.p.logpdf(x), pieces.q.logpdf(x), pieces.loss(x)
        with np.errstate(all="ignore"):
            density = np.exp(log_q)
            short = np.minimum(epsilon[number] - loss, 0.0)
            sizes = 4 * np.abs(loss) if closed else 1 + np.abs(log_p) + np.abs(log_q)
            noise = np.exp(short) * _DIGITS * sizes - np.expm1(short) * _DIGITS * (2 + np.abs(log_q))
            value, slack = density * -np.expm1(short), density * noise
        return np.where(density > 0, value, 0.0), np.where(density > 0, slack, 0.0)

    value, error = quadrature.intervals(gain, (starts, ends, numbers), len(epsilon), tolerance=1e-12)
    error = np.where(np.isfinite(value), error, math.inf)
    apart = pieces.q_only
    return value + apart.sure + apart.faint, error + rest + apart.error
