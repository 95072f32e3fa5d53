"""Kaissis et al. 2022, Section 5: three ways from psi to an epsilon at delta = 1e-5 (Figure 6)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import dplens as dl
from dplens.papers import choices
from dplens.papers.records import Figure, Line, Panel, Printed, Scale, digits, figure, listed, spaced

ALMOST_PERFECT = 0.01  # what we let pass for it: one percent of epsilon
DELTA = 1e-5  # printed, as are psi in [0.1, 6] and orders in [1, 64]
ORDERS = tuple(float(a) for a in range(2, 65))
_FINE = 45


def best_order(psi: float, delta: float = DELTA) -> float:
    """The whole order up to 64 at which the improved conversion is best."""
    routes = dl.renyi_routes(dl.GaussianDP(mu=psi), delta=delta, orders=ORDERS)
    return min(zip(routes.improved_by_order, routes.orders))[1]


def _routes(psi: float) -> dl.RenyiRoutes:
    return dl.renyi_routes(dl.GaussianDP(mu=psi), delta=DELTA, orders=ORDERS)


def figure_6(ranges: Sequence[float] = choices.KAISSIS_RANGES.value, points: int = _FINE) -> Figure:
    """Epsilon by the profile and by two Rényi conversions, of order 2 for large psi and of order 6 for small psi."""
    panels, ordered, tighter = [], True, True
    middle = (ranges[0] + ranges[1]) / 2
    losses = {}
    for part, order, low, high in (("A", 2.0, *ranges[:2]), ("B", 6.0, *ranges[2:])):
        places = spaced(low, high, points)
        curves = dl.conversion_curves(places, order=order, delta=DELTA)
        profile = tuple(map(float, curves.profile))
        ordered &= all(p <= i + 1e-9 for p, i in zip(profile, curves.improved))
        tighter &= all(i <= s + 1e-9 for i, s in zip(curves.improved, curves.standard))
        # where the order comes closest is a question about psi, however few places are drawn
        fine = places if points >= _FINE else spaced(low, high, _FINE)
        close = curves if points >= _FINE else dl.conversion_curves(fine, order=order, delta=DELTA)
        losses[part] = min((i / float(p) - 1, psi) for i, p, psi in zip(close.improved, close.profile, fine))
        top = max(curves.standard)
        panels.append(
            Panel(
                title=f"({part}) Order {order:g}",
                x=Scale("ψ", low, high),
                y=Scale("epsilon at δ = 1e-5", 0.0 if part == "B" else 15.0, 1.05 * top),
                lines=(
                    Line(x=places, y=curves.standard, label="standard RDP", series=0),
                    Line(x=places, y=curves.improved, label="improved RDP", series=1),
                    Line(x=places, y=profile, label="profile", series=2),
                ),
            )
        )
    apart = {
        order: [a - b for a, b in zip(c.standard, c.improved)]
        for order in (2.0, 64.0)
        for c in [dl.conversion_curves([1.0, 3.0], order=order, delta=DELTA)]
    }
    # how far the improved conversion of each order lies above the profile
    above = {
        (order, psi): i - float(p)
        for order in (2.0, 6.0)
        for c in [dl.conversion_curves([1.0, 4.0], order=order, delta=DELTA)]
        for psi, i, p in zip((1.0, 4.0), c.improved, c.profile)
    }
    shares = [above[order, psi] / float(_routes(psi).profile) for order, psi in ((2.0, 4.0), (6.0, 1.0))]
    small = spaced(0.1, 0.5, 5)
    at_zero = dl.conversion_curves(small, order=6.0, delta=DELTA)
    errors = [i / float(p) - 1 for i, p in zip(at_zero.improved, at_zero.profile)]
    # is another whole order closer anywhere? the best of all of them at each psi
    closest = min(
        (min(r.improved_by_order) / float(r.profile) - 1, psi) for psi in spaced(0.1, 6.0, 60) for r in [_routes(psi)]
    )
    tallest = panels[1].y.high
    off, where = losses["B"]
    gap = off * float(dl.conversion_curves([where], order=6.0, delta=DELTA).profile[0])
    return figure(
        "kaissis-6",
        {
            "apart": (apart[2.0][0], apart[64.0][0]),
            "lost": [above[order, psi] for psi in (4.0, 1.0) for order in (2.0, 6.0)],
            "shares": shares,
            "at_zero": (at_zero.improved[0], float(at_zero.profile[0])),
            "errors": listed(f"{e:.0%} (ψ = {psi:.1f})" for e, psi in zip(errors, small)),
            "order_6": (where, off, gap, tallest, gap / tallest),
            "closest": closest,
            "orders": listed(f"{digits(best_order(psi))} at ψ = {psi:g}" for psi in (0.2, 0.5, 1.0, 2.0, 3.0, 6.0)),
        },
        panels=panels,
        printed=[
            Printed(
                what=f"best whole order at ψ = {middle:g}, the middle of part A", printed="2", ours=best_order(middle)
            )
        ],
        holds=(
            ordered,
            tighter and max(apart[64.0]) < 0.2 * min(apart[2.0]),
            (
                above[2.0, 4.0] < above[6.0, 4.0]
                and above[6.0, 1.0] < above[2.0, 1.0]
                and above[2.0, 4.0] > above[6.0, 1.0],
                shares[0] < shares[1],
            ),
            all(a > b for a, b in itertools.pairwise(errors)),
            off < ALMOST_PERFECT,
        ),
    )
