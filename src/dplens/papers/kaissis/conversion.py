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


def best_order(psi: float, delta: float = DELTA) -> float:
    """The whole order up to 64 at which the improved conversion is best."""
    routes = dl.renyi_routes(dl.GaussianDP(mu=psi), delta=delta, orders=ORDERS)
    return min(zip(routes.improved_by_order, routes.orders))[1]


def _routes(psi: float) -> dl.RenyiRoutes:
    return dl.renyi_routes(dl.GaussianDP(mu=psi), delta=DELTA, orders=ORDERS)


def _panel(part: str, order: float, low: float, high: float) -> tuple[Panel, bool, bool, tuple[float, float]]:
    """A picture, whether the profile is tightest and improved better than standard, and where the order is closest."""
    places = spaced(low, high, 45)
    curves = dl.conversion_curves(places, order=order, delta=DELTA)
    profile = tuple(map(float, curves.profile))
    panel = Panel(
        f"({part}) Order {order:g}",
        Scale("ψ", low, high),
        Scale("epsilon at δ = 1e-5", 0.0 if part == "B" else 15.0, 1.05 * max(curves.standard)),
        (
            Line(places, curves.standard, label="standard RDP", series=0),
            Line(places, curves.improved, label="improved RDP", series=1),
            Line(places, profile, label="profile", series=2),
        ),
    )
    ordered = all(p <= i + 1e-9 for p, i in zip(profile, curves.improved))
    tighter = all(i <= s + 1e-9 for i, s in zip(curves.improved, curves.standard))
    return panel, ordered, tighter, min((i / p - 1, psi) for i, p, psi in zip(curves.improved, profile, places))


def figure_6(ranges: Sequence[float] = choices.KAISSIS_RANGES.value) -> Figure:
    """Epsilon by the profile and by two Rényi conversions, of order 2 for large psi and of order 6 for small psi."""
    middle = (ranges[0] + ranges[1]) / 2
    drawn = (_panel("A", 2.0, *ranges[:2]), _panel("B", 6.0, *ranges[2:]))
    panels, ordered, tighter = [one[0] for one in drawn], all(one[1] for one in drawn), all(one[2] for one in drawn)
    off, where = drawn[1][3]
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
        printed=[Printed(f"best whole order at ψ = {middle:g}, the middle of part A", "2", best_order(middle))],
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
