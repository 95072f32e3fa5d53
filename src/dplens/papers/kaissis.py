"""Kaissis et al. 2022: everything about the Gaussian mechanism from one number, psi = sensitivity/sigma.

"A unified interpretation of the Gaussian mechanism for differential privacy through the sensitivity index".
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

import dplens as dl
from dplens.papers.records import Area, Figure, Line, Note, Panel, Scale, labelled
from dplens.papers.sums import Sums, normal_cells
from dplens.papers.texts import choices, digits, figure, spaced, texts

NORMAL = NormalDist()
_RATES = (*spaced(0.0, 0.02, 41), *spaced(0.03, 0.97, 95), *spaced(0.98, 1.0, 21))
FPR, TPR = Scale("False-positive rate"), Scale("True-positive rate")
ALMOST_PERFECT = 0.01  # what we let pass for it: one percent of epsilon
DELTA = 1e-5  # printed, as are psi in [0.1, 6] and orders in [1, 64]
ORDERS = tuple(float(a) for a in range(2, 65))


def gaussian(psi: float) -> dl.Gaussian:
    """A Gaussian mechanism with that sensitivity index."""
    return dl.Gaussian(sigma=1.0, sensitivity=psi)


def gaussian_sums(psi: float, order: float = 1.0) -> Sums:
    """The same two output laws, as densities to sum over; ``order``: of the largest divergence asked for."""
    from scipy import stats

    return Sums(stats.norm(0, 1), stats.norm(psi, 1), low=-9.0, high=max(order, 1.0) * psi + 9.0)


def roc(release: Any, label: str = "", series: int = 0, *, bound: bool = False) -> Line:
    """Its ROC curve as a line."""
    powers = tuple(release.tradeoff().power(np.array(_RATES)).tolist())
    return Line(_RATES, powers, label=label, series=series, bound=bound)


def _laws(psi: float, fpr: float) -> tuple[tuple[Line, Line], float]:
    """Both output laws, whose labels stand above their peaks, and the cut-off."""
    frame = dl.frame("output_laws", gaussian(psi), fpr=fpr)
    worlds = ([row for row in frame.rows if row["world"] == world] for world in ("absent", "present"))
    absent, present = (Line.of(rows, "output", "probability", series=k) for k, rows in enumerate(worlds))
    return (absent, present), float(frame.facts["threshold"])


def _peaks(psi: float, height: float) -> tuple[Note, Note]:
    return Note(0.0, height, "D'", align="center"), Note(psi, height, "D", align="center")


def figure_1(psi: float = choices.KAISSIS_PSI.one) -> Figure:
    """The output on two adjacent databases, and the privacy loss, which is normal too."""
    lines, _ = _laws(psi, 0.5)
    loss = dl.Attack(gaussian(psi)).privacy_loss.h1
    centre, h = psi * psi / 2, 1e-4
    places = spaced(centre - 3.6 * psi, centre + 3.6 * psi, 161)
    density = tuple((float(loss.cdf(x + h)) - float(loss.cdf(x - h))) / (2 * h) for x in places)
    top = max(density)
    normal, summed = NormalDist(centre, psi), gaussian_sums(psi)
    mean, variance = summed.loss()
    # by sums over the densities, so that the library's own normal law is not its own witness
    gap = max(abs(p - normal.cdf(x)) for x in places for p in (summed.loss_below(x), float(loss.cdf(x))))
    return figure(
        "kaissis-1",
        {"mean": mean, "variance": variance, "gap": gap},
        panels=(
            {"x": (lines[0].x[0], lines[0].x[-1]), "lines": lines, "notes": _peaks(psi, 0.425)},
            {
                "x": (places[0], places[-1]),
                "y": (0.0, 1.15 * top),
                "lines": (Line(places, density),),
                "notes": (Note(centre, 1.07 * top, f"mean {centre:g}"),),
                "uprights": (centre,),
            },
        ),
        holds=[
            gap < 1e-6
            and all(math.isclose(m, centre, rel_tol=1e-6) for m in (mean, loss.mean))
            and all(math.isclose(v, psi * psi, rel_tol=1e-6) for v in (variance, loss.variance))
        ],
    )


def figure_2(psi: float = choices.KAISSIS_ERRORS.value[0], fpr: float = choices.KAISSIS_ERRORS.value[1]) -> Figure:
    """The two error rates of a cut-off, as surfaces under the two laws."""
    (absent, present), cut = _laws(psi, fpr)

    def part(line: Line, right: bool, label: str, series: int) -> Area:
        edge = (cut, float(np.interp(cut, line.x, line.y)))
        kept = [(x, y) for x, y in zip(line.x, line.y) if (x > cut if right else x < cut)]
        xs, ys = zip(*([edge, *kept] if right else [*kept, edge]))
        return Area(xs, ys, label, series=series)

    power = float(dl.AttackPower(fpr=fpr).of(gaussian(psi)))
    exact = 1 - NORMAL.cdf(cut - psi), 1 - NORMAL.cdf(cut)
    areas = (
        part(present, True, f"true positives {power:.3f}", 1),
        part(absent, True, f"false positives {fpr:g}", 0),
        part(present, False, f"false negatives {1 - power:.3f}", 2),
        part(absent, False, f"true negatives {1 - fpr:g}", 3),
    )
    ends, notes = (absent.x[0], absent.x[-1]), (*_peaks(psi, 0.43), Note(cut, 0.48, " c"))
    return figure(
        "kaissis-2",
        {"cut": cut, "psi": psi, "exact": exact, "as_printed": NORMAL.cdf(cut)},  # the integral of the FPR from −∞ to c
        panels=[{"x": ends, "lines": (absent, present), "areas": areas, "notes": notes, "uprights": (cut,)}],
        holds=[abs(exact[0] - power) < 1e-9 and abs(exact[1] - fpr) < 1e-9],
    )


def figure_3(psis: Sequence[float] = choices.KAISSIS_PSIS.value) -> Figure:
    """ROC curves by psi, and the surface under one of them."""
    lines = tuple(roc(gaussian(psi), f"ψ = {psi:g}", k) for k, psi in enumerate(psis))
    auc = {psi: float(dl.AUC().of(gaussian(psi))) for psi in (0.01, *psis, 10.0)}
    gap = max(
        abs(a - NORMAL.cdf(psi / math.sqrt(2))) for psi, ours in auc.items() for a in (gaussian_sums(psi).auc(), ours)
    )
    one = roc(gaussian(1.0))
    below = Area(one.x, one.y, f"AUC = {dl.AUC().of(gaussian(1.0)):.4f}")
    return figure(
        "kaissis-3",
        {"aucs": ", ".join(f"{a:.4f} at ψ = {psi:g}" for psi, a in auc.items()), "gap": gap},
        panels=(Panel("ROC curves", FPR, TPR, lines), Panel("The area at ψ = 1", FPR, TPR, (one,), areas=(below,))),
        holds=[gap < 1e-6 and auc[0.01] < 0.51 and auc[10.0] > 0.999],
    )


def figure_4(psi: float = choices.KAISSIS_PSI.one, epsilon: float = choices.KAISSIS_EPSILON.one) -> Figure:
    """The tangent to the ROC curve with slope e^epsilon meets the axis at delta; the lemmas about it."""
    from scipy import special

    release = gaussian(psi)
    delta = float(dl.Delta(epsilon=epsilon).of(release))
    touch, as_said = (float(special.ndtr(z - epsilon / psi)) for z in (-psi / 2, psi / 2))
    height = float(dl.AttackPower(fpr=touch).of(release))
    slope = math.exp(epsilon)
    xs = spaced(0.0, (1 - delta) / slope, 40)
    curve = roc(release, "R(x)")
    above = all(y <= min(delta + slope * x, 1.0) + 1e-12 for x, y in zip(curve.x, curve.y))
    mirrored = all(y <= min(1 - (1 - delta - x) / slope, 1.0) + 1e-12 for x, y in zip(curve.x, curve.y))
    z = NORMAL.inv_cdf(1e-5)  # the noise at which Φ(psi/2 − epsilon/psi) = delta, for epsilon 1, is more than is needed
    spare = 1 / (z + math.sqrt(z * z + 2)) / dl.gaussian_sigma(epsilon=1.0, delta=1e-5) - 1
    tangent = Line(xs, tuple(delta + slope * x for x in xs), series=1)
    mirror = Line((0.0, 1 - delta), (1 - (1 - delta) / slope, 1.0), series=2, bound=True, label="slope exp(−ε)")
    notes = (
        Note(0.0, delta, f"δ = {delta:.4f}", marked=True),
        Note(touch, height, "touches here", marked=True),
        Note(xs[-3], delta + slope * xs[-3], "slope exp(ε)"),
    )
    return figure(
        "kaissis-4",
        {"touch": touch, "height": height, "delta": delta, "as_said": as_said, "spare": spare},
        panels=[Panel(f"ψ = {psi:g}, ε = {epsilon:g}", FPR, TPR, (curve, tangent, mirror), notes=notes)],
        holds=(above and mirrored and abs(delta + slope * touch - height) < 1e-9, as_said <= delta),
    )


def figure_5(psi: float = choices.KAISSIS_PSI.one, kappa: float = choices.KAISSIS_KAPPA.one) -> Figure:
    """The ROC curve of a mechanism that fails with probability kappa starts at (0, kappa)."""
    sound = gaussian(psi)
    failing = sound.fails_with(kappa)
    broken = roc(failing, "fails", 1)
    # the outputs in narrow cells, and two more: with probability kappa the truth itself is put out
    absent, present = (((1 - kappa) * cells).tolist() for cells in normal_cells(psi))
    spelled = roc(dl.FinitePair(p=[*absent, kappa, 0.0], q=[*present, 0.0, kappa]))
    gap = max(abs(a - b) for a, b in zip(broken.y, spelled.y))
    start, before = (float(release.tradeoff().power(0.0)) for release in (failing, sound))
    catastrophic = dl.failure_mode(failing) is dl.FailureMode.CATASTROPHIC
    note = Note(0.0, kappa, f"(0, κ = {kappa:g})", marked=True)
    lines = (broken, roc(sound, "as designed", bound=True))
    return figure(
        "kaissis-5",
        {"start": start, "sound": before, "gap": gap},
        panels=[Panel(f"ψ = {psi:g}, κ = {kappa:g}", FPR, TPR, lines, notes=(note,))],
        holds=[abs(spelled.y[0] - kappa) < 1e-12 and gap < 1e-4 and catastrophic == (kappa > 0)],
    )


# ---- Section 5: three ways from psi to an epsilon at delta = 1e-5 (Figure 6) -----------------------------------------


def _routes(psi: float) -> dl.RenyiRoutes:
    return dl.renyi_routes(dl.GaussianDP(mu=psi), delta=DELTA, orders=ORDERS)


def best_order(psi: float) -> float:
    """The whole order up to 64 at which the improved conversion is best."""
    routes = _routes(psi)
    return min(zip(routes.improved_by_order, routes.orders))[1]


def _conversions(part: str, order: float, low: float, high: float) -> tuple[Panel, tuple[float, float]]:
    """A picture, and where the improved conversion comes closest to the profile."""
    places = spaced(low, high, 45)
    found = dl.conversion_curves(places, order=order, delta=DELTA)
    scale = Scale("epsilon at δ = 1e-5", 0.0 if part == "B" else 15.0, 1.05 * max(found.standard))
    ways = {"standard RDP": found.standard, "improved RDP": found.improved, "profile": found.profile}
    panel = Panel(f"({part}) Order {order:g}", Scale("ψ", low, high), scale, labelled(places, ways))
    _, improved, profile = panel.lines
    return panel, min((i / p - 1, psi) for i, p, psi in zip(improved.y, profile.y, places))


def figure_6(ranges: Sequence[float] = choices.KAISSIS_RANGES.value) -> Figure:
    """Epsilon by the profile and by two Rényi conversions, of order 2 for large psi and of order 6 for small psi."""
    middle = (ranges[0] + ranges[1]) / 2
    (large, _), (small, (off, where)) = _conversions("A", 2.0, *ranges[:2]), _conversions("B", 6.0, *ranges[2:])
    tighter, ordered = (  # improved below standard, and the profile below improved
        all(b <= a + 1e-9 for panel in (large, small) for a, b in zip(panel.lines[k].y, panel.lines[k + 1].y))
        for k in (0, 1)
    )

    def at(order: float, *psis: float) -> list[tuple[float, float, float]]:
        found = dl.conversion_curves(psis, order=order, delta=DELTA)
        return list(zip(found.standard, found.improved, map(float, found.profile)))

    apart = {order: [s - i for s, i, _ in at(order, 1.0, 3.0)] for order in (2.0, 64.0)}
    # how far the improved conversion of each order lies above the profile
    above = {(order, psi): i - p for order in (2.0, 6.0) for psi in (1.0, 4.0) for _, i, p in at(order, psi)}
    shares = [above[order, psi] / float(_routes(psi).profile) for order, psi in ((2.0, 4.0), (6.0, 1.0))]
    few = spaced(0.1, 0.5, 5)
    at_few = at(6.0, *few)
    errors = [i / p - 1 for _, i, p in at_few]
    # is another whole order closer anywhere? the best of all of them at each psi
    closest = min(
        (min(r.improved_by_order) / float(r.profile) - 1, psi) for psi in spaced(0.1, 6.0, 60) for r in [_routes(psi)]
    )
    tallest, gap = small.y.high, off * at(6.0, where)[0][2]
    return figure(
        "kaissis-6",
        {
            "middle": middle,
            "apart": (apart[2.0][0], apart[64.0][0]),
            "lost": [above[order, psi] for psi in (4.0, 1.0) for order in (2.0, 6.0)],
            "shares": shares,
            "at_zero": at_few[0][1:],
            "errors": ", ".join(f"{e:.0%} (ψ = {psi:.1f})" for e, psi in zip(errors, few)),
            "order_6": (where, off, gap, tallest, gap / tallest),
            "closest": closest,
            "orders": ", ".join(f"{digits(best_order(psi))} at ψ = {psi:g}" for psi in (0.2, 0.5, 1.0, 2.0, 3.0, 6.0)),
        },
        panels=(large, small),
        ours=[best_order(middle)],
        holds=(
            ordered,
            tighter and max(apart[64.0]) < 0.2 * min(apart[2.0]),
            (
                above[2.0, 4.0] < above[6.0, 4.0] and above[6.0, 1.0] < min(above[2.0, 1.0], above[2.0, 4.0]),
                shares[0] < shares[1],
            ),
            all(a > b for a, b in itertools.pairwise(errors)),
            off < ALMOST_PERFECT,
        ),
    )


# ---- the closing theorem: five statements about a Gaussian mechanism, there and back ---------------------------------


def closing_theorem(draws: int = int(choices.KAISSIS_DRAWS.value[0])) -> Figure:
    """Five statements about a Gaussian mechanism, each worked out from psi, and psi again from each.

    The statements are formulas; what they are held against are sums over the two densities, and the library.
    """
    rng = np.random.default_rng(int(choices.KAISSIS_DRAWS.value[1]))
    psis = np.exp(rng.uniform(math.log(0.05), math.log(5.0), draws)).tolist()
    off = np.array([_statements(psi, rng) for psi in psis]).max(axis=0)  # a row for each statement
    said = texts("printed.json")["kaissis"]["closing theorem"]
    rows = [(name, text, *(f"{x:.0e}" for x in row)) for (name, text), row in zip(said.items(), off)]
    worst, library, back = off.max(axis=0).tolist()
    return figure(
        "kaissis-theorem",
        {"draws": draws, "worst": digits(worst, 1), "back": digits(back, 1)},
        rows=[rows],
        holds=[max(worst, back) < 1e-5 and library < 1e-7],
    )


def _statements(psi: float, rng: np.random.Generator) -> list[tuple[float, float, float]]:
    """By how much sums, the library, and the psi that follows from the sums differ from each statement."""
    release = gaussian(psi)
    curve = release.tradeoff()
    e, a, x = 0.5 * psi, 1 + float(rng.uniform(0.1, 10)), float(rng.uniform(0.01, 0.2))
    delta = NORMAL.cdf(psi / 2 - e / psi) - math.exp(e) * NORMAL.cdf(-psi / 2 - e / psi)
    sums = gaussian_sums(psi, a)
    half = sums.power(0.5)  # of N(0, 1) and N(mu, 1) it is Φ(mu)
    profile, divergence, power, area = sums.delta(e), sums.renyi(a), sums.power(x), sums.auc()
    found = (  # the statement, the sum, the library, psi again
        (delta, profile, dl.Delta(epsilon=e).of(release), 1 / dl.gaussian_sigma(epsilon=e, delta=profile)),
        (psi, NORMAL.inv_cdf(half), curve.mu(), dl.mu_from_power(power=half, fpr=0.5)),
        (a * psi * psi / 2, divergence, curve.renyi(a), math.sqrt(2 * divergence / a)),
        (NORMAL.cdf(psi + NORMAL.inv_cdf(x)), power, curve.power(x), dl.mu_from_power(power=power, fpr=x)),
        (NORMAL.cdf(psi / math.sqrt(2)), area, dl.AUC().of(release), dl.mu_from_auc(area)),
    )
    return [
        (abs(summed / said - 1), abs(float(ours) / said - 1), abs(float(again) / psi - 1))
        for said, summed, ours, again in found
    ]
